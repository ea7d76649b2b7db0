//~ error[E0277]: `Pid` is not a tree of `_` leaves
//~ for a type of your own, write `#[derive(treedef::Tree)]`, or `treedef::leaf!(Pid);` to make it a leaf
//~# 2

struct Pid {
    kp: f32,
}

fn print(pid: &Pid) {
    treedef::over(pid).for_each(|x| println!("{x}")).ok();
}
