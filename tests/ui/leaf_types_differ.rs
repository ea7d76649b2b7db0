//~ error[E0277]: `u32` is not a tree of `f32` leaves
//~ for leaves of several types, declare them with `treedef::leaf_types!`
//~ to use the `f32` leaves of a tree that has others, call `over(..).only::<f32>()`, or `treedef::tree::map_of` to map them

#[derive(treedef::Tree)]
struct Pid {
    kp: f32,
    steps: u32,
}

fn print(pid: &Pid) {
    treedef::over(pid).for_each(|x| println!("{x:?}")).ok();
}
