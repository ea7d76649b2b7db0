//~ error[E0277]: `f32` is not a tree of `u64` leaves
//~ to use the `u64` leaves of a tree that has others, call `over(..).only::<u64>()`

#[derive(treedef::Tree)]
struct Net {
    weights: [f32; 2],
    steps: u64,
}

fn zero(net: &mut Net) {
    treedef::over(net).for_each(|x| *x = 0.0).ok();
}
