//~ error[E0308]: mismatched types
//~ expected `f32`, found `f64`

#[derive(treedef::Tree)]
struct Pid {
    kp: f32,
    ki: [f32; 2],
}

fn widen(pid: &Pid) {
    treedef::map(pid, |x: &f32| f64::from(*x)).ok();
}
