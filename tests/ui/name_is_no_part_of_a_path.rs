//~ the name of a child is not empty and has no `.`, `[` or `]`, which separate the names in a path such as `axis[0].kp`
//~# 5

#[derive(treedef::Tree)]
struct Empty(#[tree(name = "")] f32);

#[derive(treedef::Tree)]
struct Dot {
    #[tree(name = "a.b")]
    field: f32,
}

#[derive(treedef::Tree)]
enum Open {
    Some {
        #[tree(name = "a[b", leaf)]
        field: f32,
    },
}

#[derive(treedef::Tree)]
struct Close {
    #[tree(name = "]")]
    field: f32,
}

#[derive(treedef::Tree)]
struct Index {
    #[tree(name = "[0]", default)]
    field: f32,
}

// No path has the name of a meta field.
#[derive(treedef::Tree)]
struct Fine {
    #[tree(meta, name = "a.b[0]")]
    meta: u8,
    #[tree(name = "a/b c::d")]
    field: f32,
}
