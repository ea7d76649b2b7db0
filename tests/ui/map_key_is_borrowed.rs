//~ error[E0277]: `&str` cannot be read back from a treedef
//~ can be flattened but not rebuilt
//~ a borrowed string has nothing to borrow from: use `heapless::String<N>`, `String` (feature `alloc`) or an enum

fn rebuilt<K: treedef::format::MapKey + treedef::format::FromValue>() {}

fn main() {
    rebuilt::<&str>();
}
