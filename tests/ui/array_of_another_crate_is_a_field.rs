//~# 1
//~ error[E0277]: `AtomicU32` is not a tree
//~ for a type of another crate, write `treedef::tree::AsLeaf<AtomicU32>` to make it a leaf
//~ arrays of `ndarray` and floats of `half` features of these names

#[derive(treedef::Tree)]
struct Counters {
    rate: f32,
    ticks: [std::sync::atomic::AtomicU32; 2],
}
