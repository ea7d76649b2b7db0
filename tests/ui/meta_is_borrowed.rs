//~ error[E0277]: `&'static str` cannot be read back from a treedef
//~ a borrowed string has nothing to borrow from: use `heapless::String<N>`, `String` (feature `alloc`) or an enum
//~ implement `treedef::format::FromValue` for a type of yours, or derive it: `#[derive(treedef::Meta)]`

#[derive(treedef::Tree)]
struct Pid {
    kp: f32,
    #[tree(meta)]
    unit: &'static str,
}
