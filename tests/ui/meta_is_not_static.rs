//~ error[E0277]: `&'static str` cannot be static data of a tree
//~ a borrowed string cannot be read back from a treedef: use `heapless::String<N>`, `String` (feature `alloc`) or an enum
//~ derive it for a type of yours: `#[derive(treedef::Static)]`

#[derive(treedef::Tree)]
struct Pid {
    kp: f32,
    #[tree(meta)]
    unit: &'static str,
}
