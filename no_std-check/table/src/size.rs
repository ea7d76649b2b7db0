//! What the images of the code size share: a tree, its treedef and its leaves, none of which the compiler sees through.
//!
//! Each image asks for copies of what it does not write itself, so that all of them hold the same code around what is
//! measured and check the same results; the image that asks for both is subtracted.

use core::hint::black_box;

use treedef::{Node, TreeDef, tree, treedef};

/// The motor with dictionaries for structs, and a None.
const TREE: Node<'static, f32> = tree!({
    "current": {"kd": 0.5, "ki": 400.0, "kp": 2.5},
    "limits": {"current": 20.0, "speed": 3000.0},
    "phase": (0.031, 1.1e-4),
    "speed": [0.8, None],
});

const DEF: TreeDef<'static> = treedef!({
    "current": {"kd": *, "ki": *, "kp": *},
    "limits": {"current": *, "speed": *},
    "phase": (*, *),
    "speed": [*, None],
});

const LEN: usize = DEF.as_bytes().len();

const LEAVES: [f32; 8] = [0.5, 400.0, 2.5, 20.0, 3000.0, 0.031, 1.1e-4, 0.8];

/// What an image works on.
pub struct Work {
    pub tree: &'static Node<'static, f32>,
    pub def: TreeDef<'static>,
    pub bytes: [u8; 128],
    pub leaves: [f32; 16],
}

impl Work {
    /// Empty room; with the bytes of the treedef and with the leaves, where asked for.
    pub fn new(bytes: bool, leaves: bool) -> Self {
        static ROOT: Node<'static, f32> = TREE;
        static STRUCTURE: TreeDef<'static> = DEF;
        let (tree, def) = (black_box(&ROOT), *black_box(&STRUCTURE));
        let mut work = Self { tree, def, bytes: black_box([0; 128]), leaves: black_box([0.0; 16]) };
        if let (true, Some(room)) = (black_box(bytes), work.bytes.first_chunk_mut::<LEN>()) {
            room.iter_mut().zip(black_box(DEF.as_bytes())).for_each(|(to, from)| *to = *from);
        }
        if let (true, Some(room)) = (black_box(leaves), work.leaves.first_chunk_mut()) {
            *room = *black_box(&LEAVES);
        }
        work
    }

    /// The bytes of a treedef.
    pub fn written(&self) -> &[u8] {
        self.bytes.first_chunk::<LEN>().map_or(&[], |bytes| bytes)
    }

    /// The exit status: 0 if the parts say that all went well, and treedef and leaves are those of the tree.
    #[inline(never)]
    pub fn status(&self, well: bool) -> u32 {
        let bytes =
            self.bytes.iter().zip(DEF.as_bytes()).all(|(found, expected)| found == expected);
        let leaves = self.leaves.iter().zip(&LEAVES).all(|(found, expected)| found == expected);
        u32::from(!(well && bytes && leaves))
    }
}
