//~ error[E0277]: `f32` is not a tree of `u64` leaves
//~ to use the `u64` leaves of a tree that has others, call `over(..).only::<u64>()`
//~ where it is `AnyLeaves`, as of a `T: Tree` in generic code, name the leaf type: `over(..).only::<f32>()`

#[derive(treedef::Tree)]
struct Net {
    weights: [f32; 2],
    steps: u64,
}

fn zero(net: &mut Net) {
    treedef::over(net).for_each(|x| *x = 0.0).ok();
}

fn zero_any<T: treedef::tree::TreeWrite>(tree: &mut T) {
    treedef::over(tree).for_each(|x: &mut f32| *x = 0.0).ok();
}
