//~ error[E0277]: a `zip` has one to six trees, each given as `&tree` or `&mut tree`
//~ further trees are added by `.with(&tree)`

fn sum(t: &[f32; 2]) {
    treedef::over((t, t, t, t, t, t, t)).for_each(|_| ()).ok();
}
