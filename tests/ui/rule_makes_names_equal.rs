//~ error: the name `maxGain` is given twice
//~ |     max_gain: f32,
//~ error: the name `off` is given twice
//~ error: the name of a child is not empty and has no `.`, `[` or `]`
//~ |     __: f32,
//~# 3

#[derive(treedef::Tree)]
#[tree(rename_all = "camelCase")]
struct Pid {
    max__gain: f32,
    max_gain: f32,
}

#[derive(treedef::Tree)]
#[tree(rename_all = "lowercase")]
enum Mode {
    Off,
    OFF,
}

#[derive(treedef::Tree)]
#[tree(rename_all = "PascalCase")]
struct Nameless {
    __: f32,
}
