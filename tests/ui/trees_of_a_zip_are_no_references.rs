//~ error[E0277]: a `zip` has one to six trees, each given as `&tree` or `&mut tree`

fn sum(a: [f32; 2], b: [f32; 2]) {
    treedef::zip((a, b)).for_each(|_: &f32, _| ()).ok();
}
