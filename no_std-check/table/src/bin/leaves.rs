//! One leaf of the typed motor, found in three ways, each counted by itself.
#![no_std]
#![no_main]

use core::hint::black_box;

use table::measured;
use table::motor::{LEAVES, Motor, start};
use treedef::path::leaf_index;
use treedef::tree::{find_leaf, leaf};
use treedef::{TreeDef, treedef_of};

board::bare_image!(run);

const DEF: TreeDef<'static> = treedef_of::<Motor>();
const KI: usize = leaf_index!(DEF, "current.ki");

#[inline(never)]
fn leaf_by_text(motor: &Motor, path: &str) -> Option<f32> {
    find_leaf(motor, path).ok().copied()
}

#[inline(never)]
fn leaf_by_index(motor: &Motor, index: usize) -> Option<f32> {
    leaf(motor, index).ok().copied()
}

#[inline(never)]
fn leaf_by_constant(motor: &Motor) -> Option<f32> {
    leaf(motor, KI).ok().copied()
}

fn run() -> u32 {
    let (motor, path, index) = (start(), black_box("current.ki"), black_box(KI));
    let by_text = measured!("typed leaf by text", leaf_by_text(motor, path));
    let by_index = measured!("typed leaf by index", leaf_by_index(motor, index));
    let by_constant = measured!("typed leaf by constant path", leaf_by_constant(motor));
    u32::from([by_text, by_index, by_constant] != [Some(LEAVES[4]); 3])
}
