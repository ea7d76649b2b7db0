//~ error: `default` is for a field that is a tree or a leaf, or skipped
//~ |     #[tree(meta, default = 3)]
//~# 1

#[derive(treedef::Tree)]
struct Pid {
    kp: f32,
    #[tree(meta, default = 3)]
    channel: u8,
}
