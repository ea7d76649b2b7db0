//~ the path `axis[0].kx` leads nowhere from `.kx` on
//~ the path `axis[1]` leads to no leaf

use treedef::path::leaf_index;
use treedef::{Tree, TreeDef, treedef_of};

#[derive(Tree)]
struct Pid {
    kp: f32,
    ki: f32,
}

#[derive(Tree)]
struct Robot {
    axis: [Pid; 2],
}

const DEF: TreeDef<'static> = treedef_of::<Robot>();

pub const WRONG_NAME: usize = leaf_index!(DEF, "axis[0].kx");
pub const NO_LEAF: usize = leaf_index!(DEF, "axis[1]");
