//~ the number of leaves of this type has no bound: it holds a `Vec` or a map, or contains itself
//~ max_leaves::<Log>

#[derive(treedef::Tree)]
struct Log {
    samples: &'static [f32],
}

pub const LEAVES: usize = treedef::tree::max_leaves::<Log>();
