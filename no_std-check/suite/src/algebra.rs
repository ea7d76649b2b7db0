//! Structures made of structures, and leaves brought under them.

use core::cmp::Ordering;

use treedef::algebra::{
    Change, combine, filter, partition, replace_nones, transpose, transpose_map,
};
use treedef::encode::structure_bound;
use treedef::tree::Structure;
use treedef::{Kind, TreeDef, View, flatten_up_to, matches, structure_into, treedef};

use crate::golden;
use crate::report::{Case, Missing, Outcome, Report};

pub const CASES: &[Case] = &[
    ("compose", compose),
    ("transform", transform),
    ("masked", masked),
    ("prefix relation", prefix),
    ("leaves under a prefix", under_a_prefix),
    ("common suffix", common_suffix),
    ("transposed", transposed),
    ("partition and combine", partitioned),
    ("golden structures composed", golden_composed),
];

const FULL: TreeDef<'static> = treedef!([(*, *), (*, *), None]);
const PREFIX: TreeDef<'static> = treedef!([*, (*, *), None]);
const LEAVES: [f32; 4] = [1.0, 2.0, 3.0, 4.0];

/// Bounds, writes, prints and matches.
fn made<T: Structure>(report: &mut Report<'_>, name: &str, tree: &T) -> Outcome {
    let mut bytes = [0; 160];
    let enough = structure_bound(tree)?;
    report.fact("room that is enough", enough);
    let def = structure_into(tree, &mut bytes[..enough])?;
    report.treedef(name, def);
    matches(tree, def)?;
    report.same(tree.num_leaves()?, def.num_leaves())
}

fn compose(report: &mut Report<'_>) -> Outcome {
    made(report, "pairs", &FULL.compose(treedef!((*, *))))?;
    made(report, "Nones", &FULL.compose(TreeDef::NONE))?;
    made(report, "leaves", &FULL.compose(TreeDef::LEAF))?;
    made(report, "a list of them", &[FULL, PREFIX, PREFIX])
}

fn golden_composed(report: &mut Report<'_>) -> Outcome {
    golden::each(|_, bytes, _| {
        let (mut out, def) = ([0; 256], TreeDef::from_bytes(bytes)?);
        // A leaf on either side changes nothing.
        report.same(structure_into(&def.compose(TreeDef::LEAF), &mut out)?, def)?;
        report.same(structure_into(&TreeDef::LEAF.compose(def), &mut out)?, def)?;
        let pairs = structure_into(&def.compose(treedef!((*, *))), &mut out)?;
        report.same(pairs.num_leaves(), 2 * def.num_leaves())?;
        def.check_prefix_of(pairs)?;
        report.same(def.prefix_cmp(def)?, Some(Ordering::Equal))
    })
}

fn transform(report: &mut Report<'_>) -> Outcome {
    let change = |head: treedef::Head<'static>| match head.kind() {
        Kind::Leaf => Ok(Change::Subtree(treedef!([*, *]))),
        Kind::None => Ok(Change::Subtree(TreeDef::LEAF)),
        _ => Ok(Change::Keep),
    };
    made(report, "transformed", &FULL.transform(change))?;
    made(report, "Nones as leaves", &FULL.nones_as_leaves())
}

fn masked(report: &mut Report<'_>) -> Outcome {
    let kept = [true, false, true, true];
    made(report, "masked", &FULL.leaves_to_none(&kept))
}

fn prefix(report: &mut Report<'_>) -> Outcome {
    PREFIX.check_prefix_of(FULL)?;
    let error = FULL.check_prefix_of(PREFIX).err().ok_or(Missing)?;
    report.fact("no prefix", error.explain(FULL, PREFIX));
    report.same(PREFIX.prefix_cmp(FULL)?, Some(Ordering::Less))?;
    report.same(FULL.prefix_cmp(treedef!([*]))?, None)
}

fn under_a_prefix(report: &mut Report<'_>) -> Outcome {
    let tree = View::new(FULL, &LEAVES)?;
    let mut parts = flatten_up_to(PREFIX, tree)?.map(|part| part.leaves().len());
    report.same([parts.next(), parts.next(), parts.next()], [Some(2), Some(1), Some(1)])?;
    report.same(parts.next(), None)
}

fn common_suffix(report: &mut Report<'_>) -> Outcome {
    let common = PREFIX.common_suffix(treedef!([(*, *), *, None]));
    made(report, "common suffix", &common)
}

fn transposed(report: &mut Report<'_>) -> Outcome {
    let (outer, inner) = (treedef!([*, *]), treedef!({"a": *, "b": *}));
    let mut turned = [0.0; 4];
    let tree = View::new(treedef!([{"a": *, "b": *}, {"a": *, "b": *}]), &LEAVES)?;
    made(report, "turned", &transpose(outer, inner, tree, &mut turned)?)?;
    report.same(turned, [1.0, 3.0, 2.0, 4.0])?;
    let error = transpose(inner, outer, tree, &mut turned).err().ok_or(Missing)?;
    report.fact("the other way round", error);
    let (mut rows, mut turned) = ([0.0; 8], [0.0; 8]);
    let doubled = transpose_map(tree, inner, &mut rows, &mut turned, |leaf, row| {
        row.copy_from_slice(&[*leaf, -*leaf]);
        Ok(())
    })?;
    made(report, "mapped", &doubled)?;
    report.same(turned, [1.0, 2.0, 3.0, 4.0, -1.0, -2.0, -3.0, -4.0])
}

fn partitioned(report: &mut Report<'_>) -> Outcome {
    let tree = View::new(FULL, &LEAVES)?;
    let spec = View::new(treedef!([*, *, None]), &[true, false])?;
    let (mut some, mut others, mut whole) = ([None; 4], [None; 4], [None; 4]);
    partition(tree, spec, &mut some, &mut others)?;
    report.same(
        (some, others),
        ([Some(1.0), Some(2.0), None, None], [None, None, Some(3.0), Some(4.0)]),
    )?;
    combine(&[&some, &others], &mut whole)?;
    report.same(whole, LEAVES.map(Some))?;
    filter(tree, spec, &mut whole)?;
    report.same(whole, some)?;
    let mut filled = [0.0; 3];
    replace_nones(View::new(treedef!([None, *, *]), &LEAVES[..2])?, &9.0, &mut filled)?;
    report.same(filled, [9.0, 1.0, 2.0])
}
