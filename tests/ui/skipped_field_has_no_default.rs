//~ error[E0277]: the trait bound `Handle: std::default::Default` is not satisfied

struct Handle;

#[derive(treedef::Tree)]
struct Pid {
    kp: f32,
    #[tree(skip)]
    handle: Handle,
}
