//~# 1
//~! derive_support
//~ error[E0277]: `&'static str` cannot be read back from a treedef
//~ a rebuilt value cannot borrow a string: use `heapless::String<N>`, `String` (feature `alloc`) or an enum
//~ for a type of your own, write `#[derive(treedef::Meta)]` or implement `treedef::format::FromValue`

#[derive(treedef::Tree)]
struct Pid {
    kp: f32,
    #[tree(meta)]
    unit: &'static str,
}
