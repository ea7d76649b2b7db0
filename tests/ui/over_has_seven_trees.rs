//~ error[E0277]: `over` takes `&tree`, `&mut tree`, or a tuple of two to six of these, all of one type

fn sum(t: &[f32; 2]) {
    treedef::over((t, t, t, t, t, t, t)).for_each(|_| ()).ok();
}
