//~ error[E0277]: a field with `#[tree(skip)]` has no default: `Handle`
//~ a field that is no part of the tree gets its default: implement `Default` for its type
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
    treedef::over(&mut pid).for_each(|kp: &mut f32| *kp += 1.0).unwrap();
    let _: Result<Pid, _> = treedef::unflatten(treedef::treedef_of::<Pid>(), &[1.0f32]);
}
