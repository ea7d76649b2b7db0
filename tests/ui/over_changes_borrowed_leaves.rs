//~ error[E0277]: `&'a f32` is not a tree whose leaves can be changed in place as

fn sgd<'a>(params: &mut (&'a f32, f32), gradient: &(&'a f32, f32)) {
    treedef::over((params, gradient)).for_each(|(p, g): (&mut f32, _)| *p -= g).ok();
}
