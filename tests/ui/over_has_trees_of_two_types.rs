//~ error[E0277]: a tree of the type `(f32, f32)` is beside a `[f32; 2]` in `over`
//~ the trees of `over` have one type and are given as `&tree` or `&mut tree`
//~ add a tree with leaves of another type by `.with(&mask)`, a prefix by `.under(&rates)`

fn sgd(params: &mut [f32; 2], gradient: &(f32, f32)) {
    treedef::over((params, gradient)).for_each(|(p, g): (&mut f32, _)| *p -= g).ok();
}
