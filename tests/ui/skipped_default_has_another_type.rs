//~ error[E0308]: mismatched types
//~ |     #[tree(skip, default = "none")]
//~ expected `u8`, found `&str`
//~# 1

#[derive(treedef::Tree)]
struct Pid {
    kp: f32,
    #[tree(skip, default = "none")]
    calls: u8,
}
