//~ error: a skipped field has no name in the treedef

#[derive(treedef::Tree)]
struct Pid {
    #[tree(skip, name = "p")]
    kp: f32,
}
