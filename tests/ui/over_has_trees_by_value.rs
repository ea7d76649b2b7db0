//~ error[E0277]: `over` takes `&tree`, `&mut tree`, or a tuple of two to six of these, all of one type
//~ error[E0277]: `Vec<f32>` is not a reference to a tree that is walked as `[f32]`
//~ the trees of `over` are given as `&tree` or `&mut tree`

fn scale(a: Vec<f32>) {
    treedef::over(a).for_each(|_: &f32| ()).ok();
}

fn sum(a: Vec<f32>, b: Vec<f32>) {
    treedef::over((a, b)).for_each(|_| ()).ok();
}
