//~ error: `name` is given twice

#[derive(treedef::Tree)]
#[tree(name = "a")]
#[tree(name = "b")]
struct Pid {
    kp: f32,
}
