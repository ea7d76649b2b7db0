//~ error[E0277]: a tree of the type `[bool; 2]` is beside a `[f32; 2]` in `over`
//~ add a tree with leaves of another type by `.with(&mask)`, a prefix by `.under(&rates)`

fn masked(params: &mut [f32; 2], mask: &[bool; 2]) {
    treedef::over((params, mask)).for_each(|(p, keep): (&mut f32, &bool)| *p *= f32::from(*keep)).ok();
}
