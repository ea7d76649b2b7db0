//~ error: a field takes only one of `meta`, `leaf`, `skip`
//~ |     #[tree(meta, leaf)]

#[derive(treedef::Tree)]
struct Pid {
    #[tree(meta, leaf)]
    kp: f32,
}
