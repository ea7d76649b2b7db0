//! The calls: one line for each function, with the argument and the result in [`black_box`].

use core::hint::black_box;

use treedef::{Builder, Error, Level, TreeDef};

/// Calls every function that must neither panic nor allocate.
pub fn all() {
    let bytes: &[u8] = black_box(&[0x43, 0x42, 0x22, 0x01, 0xA0, 0x02, 0xA1, 0x04]);
    let mut levels = [Level::default(); 4];
    let _ = black_box(TreeDef::from_bytes(bytes));
    let _ = black_box(TreeDef::from_bytes_with(bytes, black_box(&mut levels)));
    if let Ok((def, rest)) = TreeDef::from_prefix(bytes) {
        black_box(rest);
        inspect(black_box(def));
    }
    let _ = black_box(build(black_box(&mut [0; 32])));
}

/// The questions a treedef answers.
fn inspect(def: TreeDef<'_>) {
    black_box(def.as_bytes());
    black_box(def.num_leaves());
    black_box(def.num_nodes());
    black_box(def.kind());
    black_box(def.num_children());
    black_box(def.is_leaf());
    black_box(def.fingerprint());
    black_box(def.child(black_box(1)));
    def.children().for_each(keep);
    def.nodes().for_each(keep);
    def.paths().for_each(|path| path.entries().for_each(keep));
    black_box(def.path(black_box(2)));
}

/// Takes the items of an iterator, so that they have to be made.
fn keep<T>(item: T) {
    black_box(item);
}

/// Writes a treedef node by node.
fn build(bytes: &mut [u8]) -> Result<TreeDef<'_>, Error> {
    let mut builder = Builder::new(bytes);
    let dict = builder.begin_dict(black_box(&["a", "b"]))?;
    let list = builder.begin_list(black_box(3))?;
    builder.leaves(black_box(3))?;
    builder.end(list)?;
    builder.none()?;
    builder.end(dict)?;
    builder.finish()
}

/// Indexes without a check the optimiser could remove.
#[cfg(feature = "break_index")]
pub fn unchecked_index() {
    let bytes: &[u8] = black_box(&[0; 4]);
    black_box(bytes[black_box(2)]);
}
