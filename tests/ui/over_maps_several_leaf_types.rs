//~ error[E0277]: the leaves of `i32` cannot become `f32`
//~ call `treedef::tree::map_of`, or change them in place by `over(&mut tree).only::<f32>()`

#[derive(treedef::Tree)]
struct Pid {
    kp: f32,
    steps: i32,
}

fn doubles(pid: &Pid) {
    treedef::map(pid, |x: &f32| f64::from(*x)).ok();
}

fn doubled(pid: &Pid) {
    treedef::over(pid).only::<f32>().map(|x| f64::from(*x)).ok();
}
