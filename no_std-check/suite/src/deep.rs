//! What needs more stack than the smallest board has, with the bounds of depth that functions have by default.

use treedef::algebra::broadcast_common;
use treedef::dynamic::{
    Flatten, FoldChildren, Open, fold, fold_len, unflatten_into, unflatten_len,
};
use treedef::encode::MAX_DEPTH;
use treedef::treedef;
use treedef::{
    Error, Head, KeyPath, Node, Object, TreeDef, View, broadcast_prefix, flatten_up_to,
    structure_into,
};

use crate::report::{Case, Missing, Outcome, Report};

pub const CASES: &[Case] = &[
    ("objects as deep as the bound", depth),
    ("nodes deeper than the bound", deep_nodes),
    ("models without an end", endless),
    ("treedefs deeper than the bound", deep_treedefs),
    ("differences", differences),
    ("prefix errors", prefix_errors),
    ("common suffix", common_suffix),
    ("leaves under a prefix, one by one", one_by_one),
    ("a prefix broadcast", broadcast_to_full),
    ("broadcast to the common suffix", broadcast),
];

/// A list in a list and so on, with a leaf at the end.
#[derive(Clone, Copy)]
struct Deep(u32);

impl Object for Deep {
    type Leaf = u32;

    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
        match self.0 {
            0 => open.leaf(7),
            levels => open.list([Deep(levels - 1)]),
        }
    }
}

/// As deep as the bound allows, on the stack that there is, and deeper.
fn depth(report: &mut Report<'_>) -> Outcome {
    let (mut bytes, mut leaves) = ([0; 96], [0; 1]);
    let deepest = Deep(treedef::encode::MAX_DEPTH);
    let (def, _) = Flatten::new().flatten_into(deepest, &mut bytes, &mut leaves)?;
    report.treedef("deepest", def);
    report.same(leaves, [7])?;
    Flatten::new().matches(deepest, def)?;
    report.same(Flatten::new().flatten_expected(deepest, def, &mut leaves)?, 1)?;
    let deeper = Deep(treedef::encode::MAX_DEPTH + 1);
    let error = Flatten::new().structure_bound(deeper).err().ok_or(Missing)?;
    report.fact("one level more", error);
    report.same(Flatten::new().max_depth(80).num_leaves(deeper)?, 1)?;
    let error = Flatten::new().num_leaves(Deep(u32::MAX)).err().ok_or(Missing)?;
    report.fact("no end", error);
    Ok(())
}

const TOO_DEEP: Error = Error::TooDeep { limit: MAX_DEPTH };

/// A list in a list and so on down the slots, with a leaf at the end.
fn chain<'s>(slots: &'s mut [Node<'s, u32>]) -> Node<'s, u32> {
    let (mut rest, mut chain) = (slots, Node::Leaf(1));
    while let Some((slot, after)) = rest.split_first_mut() {
        *slot = chain;
        chain = Node::List(core::slice::from_ref(slot));
        rest = after;
    }
    chain
}

fn deep_nodes(report: &mut Report<'_>) -> Outcome {
    let mut slots = [Node::Leaf(1); MAX_DEPTH as usize + 1];
    let tree = &chain(&mut slots);
    let options = Flatten::new();
    let at = options.is_leaf_at(|_: KeyPath<'_, '_>, _: &Node<'_, u32>| false).none_is_leaf();
    let (mut bytes, mut leaves) = ([0; 2 * MAX_DEPTH as usize], [0; 1]);
    report.same(options.flatten_into(tree, &mut bytes, &mut leaves), Err(TOO_DEEP))?;
    report.same(options.structure_into(tree, &mut bytes), Err(TOO_DEEP))?;
    report.same(options.structure_bound(tree), Err(TOO_DEEP))?;
    report.same(options.leaves_into(tree, &mut leaves), Err(TOO_DEEP))?;
    report.same(options.num_leaves(tree), Err(TOO_DEEP))?;
    report.same(options.for_each(tree, |_| ()), Err(TOO_DEEP))?;
    report.same(options.all_leaves([tree]), Ok(false))?;
    report.same(at.num_leaves(tree), Err(TOO_DEEP))?;
    report.same(at.structure_bound(tree), Err(TOO_DEEP))?;
    report.prints(format_args!("{tree:?}"), "List(1 children)")?;
    // A sibling is compared with the one before it, and no deeper than that one went.
    let mut near = [Node::Leaf(1); MAX_DEPTH as usize - 1];
    let pair = [chain(&mut near), *tree];
    report.same(options.num_leaves(&Node::List(&pair)), Err(TOO_DEEP))?;
    report.same(options.structure_into(&Node::List(&pair), &mut bytes), Err(TOO_DEEP))
}

/// A dictionary in a dictionary and so on, with a leaf beside each.
#[derive(Clone, Copy)]
struct Well {
    left: u32,
    sorted: bool,
}

impl Object for Well {
    type Leaf = u32;

    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
        let Some(left) = self.left.checked_sub(1) else { return open.leaf(0) };
        let below = Well { left, ..self };
        let end = Well { left: 0, ..self };
        match self.sorted {
            true => open.dict([("a", below), ("b", end)]),
            false => open.dict([("b", end), ("a", below)]),
        }
    }
}

fn endless(report: &mut Report<'_>) -> Outcome {
    // Keys that have to be sorted take most of a kilobyte a level.
    for (sorted, limit) in [(true, MAX_DEPTH), (false, MAX_DEPTH / 2)] {
        let options = Flatten::new().max_depth(limit);
        let well = Well { left: u32::MAX, sorted };
        report.same(options.num_leaves(well), Err(Error::TooDeep { limit }))?;
        report.same(options.structure_bound(well), Err(Error::TooDeep { limit }))?;
        let end = Well { left: limit, sorted };
        report.same(options.num_leaves(end), Ok(limit as usize + 1))?;
    }
    Ok(())
}

/// Of this many lists in one another.
const LEVELS: usize = 200;

fn deep_treedefs(report: &mut Report<'_>) -> Outcome {
    const BYTES: [u8; LEVELS + 1] = {
        let mut bytes = [0x41; LEVELS + 1];
        bytes[LEVELS] = 0x00;
        bytes
    };
    let def = TreeDef::from_bytes(&BYTES)?;
    let options = Flatten::new();
    let view = View::new(def, &[1])?;
    let (mut bytes, mut slab) = ([0; 2 * MAX_DEPTH as usize], [Node::None; LEVELS]);
    report.same(options.num_leaves(view), Err(TOO_DEEP))?;
    report.same(options.structure_into(view, &mut bytes), Err(TOO_DEEP))?;
    report.same(options.matches(view, def), Err(TOO_DEEP))?;
    for path in def.paths() {
        report.same(path.entries().count(), LEVELS)?;
    }
    report.same(view.for_each_with_path(|_, _| ()), Err(TOO_DEEP))?;
    report.same(fold_len(def), Err(TOO_DEEP))?;
    let sum = |_: Head<'_>, children: FoldChildren<'_, i32>| Ok::<i32, Error>(children.sum());
    report.same(fold(def, [1], &mut [None; 4], |leaf| leaf, sum), Err(TOO_DEEP))?;
    report.same(unflatten_len(def), LEVELS)?;
    report.same(unflatten_into(def, &[1], &mut slab).err(), Some(TOO_DEEP))
}

fn differences(report: &mut Report<'_>) -> Outcome {
    let expected = treedef!({"a": [*, (*, None)], "b": {"x": *, "y": [*, *]}, "c": *});
    let found = treedef!({"a": [*, (*, *)], "b": {"x": *, "z": [*, *]}, "c": [*]});
    for difference in expected.differences(found) {
        let difference = difference?;
        report.fact("at", format_args!("{} {:?}", difference.path(), difference.kind()));
    }
    report.fact("in one line", expected.differences(found).summary());
    Ok(())
}

fn prefix_errors(report: &mut Report<'_>) -> Outcome {
    for error in treedef!({"a": *, "b": *}).prefix_errors(treedef!({"a": [*], "c": *})) {
        let error = error?;
        report.fact("at", format_args!("{} {:?}", error.path(), error.kind()));
    }
    Ok(())
}

const LEFT: TreeDef<'static> = treedef!([*, (*, *), None]);
const RIGHT: TreeDef<'static> = treedef!([(*, *), *, None]);

fn common_suffix(report: &mut Report<'_>) -> Outcome {
    let mut bytes = [0; 16];
    let common = structure_into(&LEFT.common_suffix(RIGHT), &mut bytes)?;
    report.treedef("common suffix", common);
    report.same(common, treedef!([(*, *), (*, *), None]))?;
    let error =
        structure_into(&LEFT.common_suffix(treedef!([*])), &mut bytes).err().ok_or(Missing)?;
    report.fact("none", error.explain_at(LEFT));
    Ok(())
}

fn one_by_one(report: &mut Report<'_>) -> Outcome {
    let tree = View::new(treedef!([(*, *), (*, *), None]), &[1.0, 2.0, 3.0, 4.0])?;
    // A loop, because an adapter moves the iterator, which is 4 kB.
    let mut leaves = 0;
    for part in flatten_up_to(LEFT, tree)? {
        leaves += part.leaves().len();
    }
    report.same(leaves, 4)
}

fn broadcast_to_full(report: &mut Report<'_>) -> Outcome {
    let (leaves, mut broadcast) = ([1.0f32, 2.0, 3.0], [0.0; 4]);
    broadcast_prefix(View::new(LEFT, &leaves)?, treedef!([(*, *), (*, *), None]), &mut broadcast)?;
    report.same(broadcast, [1.0, 1.0, 2.0, 3.0])
}

fn broadcast(report: &mut Report<'_>) -> Outcome {
    let leaves = [1.0f32, 2.0, 3.0];
    let (left, right) = (View::new(LEFT, &leaves)?, View::new(RIGHT, &leaves)?);
    let (mut ours, mut theirs) = ([0.0; 4], [0.0; 4]);
    broadcast_common(left, right, &mut ours, &mut theirs)?;
    report.same((ours, theirs), ([1.0, 1.0, 2.0, 3.0], [1.0, 2.0, 3.0, 3.0]))
}
