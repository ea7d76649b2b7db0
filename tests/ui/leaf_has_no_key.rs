//~ error[E0277]: `usize` does not say what it is in a key
//~ a leaf of this type has no key
//~ `usize` and `isize` differ between machines

fn main() {
    let _ = treedef::CallKey::of_tree(&[1usize, 2], &mut [0; 16]);
}
