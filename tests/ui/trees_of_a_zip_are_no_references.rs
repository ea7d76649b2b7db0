//~ error[E0277]: `Vec<f32>` is not a reference to a tree that is walked as `[f32]`
//~ the trees of a `zip` are given as `&tree` or `&mut tree`

fn sum(a: Vec<f32>, b: Vec<f32>) {
    treedef::over((a, b)).for_each(|_| ()).ok();
}
