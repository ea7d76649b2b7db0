//~ error: a transparent struct has no `name` in the treedef and no `alias`: its node is that of its field
//~# 1

#[derive(treedef::Tree)]
#[tree(name = "app::Volt", transparent)]
struct Volt(f32);
