//! Stack of the dynamic walks at two depths; the difference over ten is the stack of a level.
#![no_std]
#![no_main]

use core::hint::black_box;

use table::dynamic::{nested, visit};
use table::measured;
use treedef::dynamic::Flatten;
use treedef::head::head_into;
use treedef::{Error, Node, TreeDef, head};

board::bare_image!(run);

#[inline(never)]
fn flatten<'b>(
    tree: &Node<'_, f32>,
    bytes: &'b mut [u8],
    leaves: &mut [f32],
) -> Result<(TreeDef<'b>, usize), Error> {
    Flatten::new().flatten_into(tree, bytes, leaves)
}

#[inline(never)]
fn matches(
    tree: &Node<'_, f32>,
    expected: TreeDef<'_>,
    leaves: &mut [f32],
) -> Result<usize, Error> {
    Flatten::new().flatten_expected(tree, expected, leaves)
}

fn run() -> u32 {
    let mut head = [0; 32];
    let heading = head::Struct { name: "t::Level", fields: &["a", "b", "c"], meta: &[] };
    let Ok(head) = head_into(&heading, &mut head) else { return 2 };
    let ten = nested(10, head, Node::Leaf(0.0), &mut |tree| at_ten(tree));
    let twenty = nested(20, head, Node::Leaf(0.0), &mut |tree| at_twenty(tree));
    u32::from(!(ten == Ok(Ok(true)) && twenty == Ok(Ok(true))))
}

/// Two leaves for each level, and the innermost.
fn right(leaves: [[f32; 48]; 3], levels: usize) -> bool {
    let is_right = |(at, leaf): (usize, &f32)| match at {
        at if at < levels => *leaf == 1.0,
        at if at == levels => *leaf == 0.0,
        at if at <= levels.wrapping_mul(2) => *leaf == 2.0,
        _ => *leaf == 0.0,
    };
    black_box(&leaves).iter().all(|leaves| (0..48).zip(leaves).all(is_right))
}

fn at_ten(tree: &Node<'_, f32>) -> Result<bool, Error> {
    let (tree, mut bytes, mut leaves, mut at) = (black_box(tree), [0; 512], [[0.0; 48]; 3], 0);
    let [visited, written, matched] = &mut leaves;
    let all = measured!("bare visitor, 10 levels", visit(tree, visited, &mut at));
    let (def, count) = measured!("dynamic flatten, 10 levels", flatten(tree, &mut bytes, written))?;
    let found = measured!("match, 10 levels", matches(tree, def, matched))?;
    Ok(all && [at, count, found] == [21; 3] && right(leaves, 10))
}

fn at_twenty(tree: &Node<'_, f32>) -> Result<bool, Error> {
    let (tree, mut bytes, mut leaves, mut at) = (black_box(tree), [0; 512], [[0.0; 48]; 3], 0);
    let [visited, written, matched] = &mut leaves;
    let all = measured!("bare visitor, 20 levels", visit(tree, visited, &mut at));
    let (def, count) = measured!("dynamic flatten, 20 levels", flatten(tree, &mut bytes, written))?;
    let found = measured!("match, 20 levels", matches(tree, def, matched))?;
    Ok(all && [at, count, found] == [41; 3] && right(leaves, 20))
}
