//~ error[E0277]: a map cannot copy a field with `#[tree(skip)]`: `Handle`
//~ a map copies the skipped fields of the first tree, whose types stay: implement `Clone` for them

#[derive(Default)]
struct Handle;

#[derive(treedef::Tree)]
struct Pid {
    kp: f32,
    #[tree(skip)]
    handle: Handle,
}

fn main() {
    let pid = Pid { kp: 1.0, handle: Handle };
    treedef::over(&pid).for_each(|kp: &f32| println!("{kp}")).unwrap();
    treedef::map(&pid, |kp| 2.0 * kp).unwrap();
}
