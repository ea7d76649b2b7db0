//~ error[E0277]: the leaves of this tree cannot be both `f64` and `f32`
//~ error[E0277]: the leaves of this tree cannot be both `[u8; 2]` and `f32`
//~ for leaves of several types, declare them with `treedef::leaf_types!`
//~ a map can change the leaf type of a struct if it is a type parameter
#[derive(treedef::Tree)]
struct Pid(#[tree(leaf)] f32, #[tree(leaf)] [u8; 2]);

fn widen(pid: &Pid) {
    treedef::map(pid, |x: &f32| f64::from(*x)).ok();
    treedef::flatten::<f32, _>(pid).ok();
}
