//~# 1
//~ error[E0277]: `AtomicU32` is not a tree
//~ for a type of another crate, write `treedef::tree::AsLeaf<AtomicU32>` to make it a leaf

#[derive(treedef::Tree)]
struct Counter {
    rate: f32,
    ticks: std::sync::atomic::AtomicU32,
}
