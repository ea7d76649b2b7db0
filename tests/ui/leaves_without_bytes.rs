//~ the leaf type `char` has no dtype, so it is not written as bytes
//~ leaf_bytes::<Named>
//~# 1

#[derive(treedef::Tree)]
struct Named {
    gain: f32,
    unit: Option<char>,
}

pub const LEN: usize = treedef::tree::leaf_bytes::<Named>();
