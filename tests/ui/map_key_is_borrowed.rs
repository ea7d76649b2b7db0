//~ error[E0277]: `&str` cannot be read back from a treedef
//~ can be flattened but not rebuilt
//~ a rebuilt value cannot borrow a string: use `heapless::String<N>`, `String` (feature `alloc`) or an enum

fn rebuilt<K: treedef::format::MapKey + treedef::format::FromValue>() {}

fn main() {
    rebuilt::<&str>();
}
