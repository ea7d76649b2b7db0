//~ error: a transparent struct has no `meta` fields: its node is that of its field
//~ | #[tree(transparent, meta(version = 2))]
//~ | struct Channel(f32, #[tree(meta)] u8);
//~# 2

#[derive(treedef::Tree)]
#[tree(transparent, meta(version = 2))]
struct Volt(f32);

#[derive(treedef::Tree)]
#[tree(transparent)]
struct Channel(f32, #[tree(meta)] u8);
