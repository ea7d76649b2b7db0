//~ error: a union cannot be a tree: which field is alive is not known

#[derive(treedef::Tree)]
union Pid {
    kp: f32,
}
