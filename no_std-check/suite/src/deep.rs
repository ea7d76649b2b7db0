//! What needs more stack than the smallest board has, with the bounds of depth that functions have by default.

use treedef::treedef;
use treedef::{
    Error, Object, Open, Options, TreeDef, View, broadcast_common, broadcast_prefix, flatten_up_to,
    structure_into,
};

use crate::report::{Case, Missing, Outcome, Report};

pub const CASES: &[Case] = &[
    ("objects as deep as the bound", depth),
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
    let deepest = Deep(treedef::MAX_DEPTH);
    let (def, _) = Options::new().flatten_into(deepest, &mut bytes, &mut leaves)?;
    report.treedef("deepest", def);
    report.same(leaves, [7])?;
    Options::new().matches(deepest, def)?;
    report.same(Options::new().flatten_expected(deepest, def, &mut leaves)?, 1)?;
    let deeper = Deep(treedef::MAX_DEPTH + 1);
    let error = Options::new().structure_bound(deeper).err().ok_or(Missing)?;
    report.fact("one level more", error);
    report.same(Options::new().max_depth(80).num_leaves(deeper)?, 1)?;
    let error = Options::new().num_leaves(Deep(u32::MAX)).err().ok_or(Missing)?;
    report.fact("no end", error);
    Ok(())
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
    report.fact("none", error.explain_at(&LEFT));
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
