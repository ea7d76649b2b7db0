//~ the number of leaves of this type has no bound: it holds a `Vec`, a map or a pointer
//~ max_leaves::<Log>

#[derive(treedef::Tree)]
struct Log {
    samples: &'static [f32],
}

pub const LEAVES: usize = treedef::tree::max_leaves::<Log>();
