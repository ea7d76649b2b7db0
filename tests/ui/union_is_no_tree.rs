//~ error: a union cannot be a tree: it is not known which field is active

#[derive(treedef::Tree)]
union Pid {
    kp: f32,
}
