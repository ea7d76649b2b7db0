//~ error[E0277]: the leaves of this tree are `f32` and cannot become `f64`
//~ a struct can change its leaf type if the leaf type is a type parameter

#[derive(treedef::Tree)]
struct Pid {
    #[tree(leaf)]
    kp: f32,
}

fn widen(pid: &Pid) {
    treedef::map(pid, |x: &f32| f64::from(*x)).ok();
}
