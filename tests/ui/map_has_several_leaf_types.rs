//~ error[E0277]: the leaves of `i32` cannot become `f32`
//~ a map gives all leaves one type: to map those of one type and keep the others, call `treedef::tree::map_of`

#[derive(treedef::Tree)]
struct Pid {
    kp: f32,
    steps: i32,
}

fn doubles(pid: &Pid) {
    treedef::map(pid, |x: &f32| f64::from(*x)).ok();
}
