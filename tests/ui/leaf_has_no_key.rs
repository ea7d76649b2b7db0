//~ error[E0277]: a leaf `usize` cannot be a part of a key
//~ `KeyPart` is not implemented
//~ `usize` and `isize` do not, because they differ between machines

fn main() {
    let _ = treedef::CallKey::of_tree(&[1usize, 2], &mut [0; 16]);
}
