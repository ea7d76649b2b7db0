//~ error: unknown attribute `static`: a field takes `meta`, `leaf`, `skip`, `default`, `name = ".."`
//~ |     #[tree(static)]

#[derive(treedef::Tree)]
struct Pid {
    #[tree(static)]
    kp: f32,
}
