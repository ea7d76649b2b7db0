//~ error: unknown attribute `rename`: a struct or an enum takes `name = ".."`, `alias = ".."`, `rename_all = ".."`, `transparent`, `meta(name = expr)`, `skip(A)`, `bound = ".."`, `crate = path`

#[derive(treedef::Tree)]
#[tree(rename = "P")]
struct Pid {
    kp: f32,
}
