//~ error[E0277]: `u8` is not a tree of `f32` leaves
//~ mark a field that is no leaf with `#[tree(meta)]` (part of the structure) or `#[tree(skip)]`
//~ for leaves of several types, declare them with `treedef::leaf_types!`

#[derive(treedef::Tree)]
struct Pid {
    kp: f32,
    count: u8,
}

fn flatten(pid: &Pid, leaves: &mut [f32]) {
    treedef::leaves_into(pid, leaves).ok();
}
