//~ error[E0277]: the trait bound `Handle:
//~ Default` is not satisfied
//~ consider annotating `Handle` with `#[derive(Default)]`
//~# 1

struct Handle;

#[derive(treedef::Tree)]
struct Pid {
    kp: f32,
    #[tree(skip)]
    handle: Handle,
}

fn main() {
    let mut pid = Pid { kp: 1.0, handle: Handle };
    treedef::for_each_mut(&mut pid, |kp: &mut f32| *kp += 1.0).unwrap();
    let _: Result<Pid, _> = treedef::unflatten(treedef::treedef_of::<Pid>(), &[1.0f32]);
}
