//! Typed trees: leaves out and back, visited, mapped and folded, over every container that needs no heap.

use core::marker::PhantomData;

use heapless::{LinearMap, Vec, index_map::FnvIndexMap};
use treedef::encode::structure_bound;
use treedef::tree::{AsLeaf, Structure, TreeBuild, mixed, muts_into, refs_into, unflatten_from};
use treedef::{Tree, flatten_into, leaves_into, map, over, treedef_of, unflatten};

use crate::report::{Case, Digest, Missing, Outcome, Report};

pub const CASES: &[Case] = &[
    ("fixed shape", fixed_shape),
    ("the value decides", varying),
    ("vectors and maps", containers),
    ("leaves lent and moved", leaves_lent),
    ("visited and mapped", visited),
    ("folded", folded),
    ("leaves of several types", families),
    ("refused", refused),
];

/// Fixed shape, fixed structure.
type Fixed = (f32, [(f32, f32); 3], (), PhantomData<u8>);

/// The value decides.
type Varying = (f32, Option<[f32; 2]>, [Option<f32>; 2], Option<Option<f32>>);

const FIXED: Fixed = (1.0, [(2.0, 3.0), (4.0, 5.0), (6.0, 7.0)], (), PhantomData);
const VARYING: Varying = (1.0, Some([2.0, 3.0]), [None, Some(4.0)], Some(None));

/// Flattens, prints, rebuilds in both ways and compares.
fn round_trip<T>(report: &mut Report<'_>, name: &str, tree: &T) -> Outcome
where
    T: Tree<f32> + TreeBuild<f32> + PartialEq,
{
    let (mut bytes, mut leaves) = ([0; 128], [0.0f32; 16]);
    let (def, count) = flatten_into(tree, &mut bytes, &mut leaves)?;
    let leaves = &leaves[..count];
    report.treedef(name, def);
    report.leaves("leaves", leaves);
    report.fact("room that is enough", structure_bound(tree)?);
    report.same(unflatten::<f32, T>(def, leaves)? == *tree, true)?;
    report.same(unflatten_from::<f32, _, T>(def, leaves.iter().copied())? == *tree, true)
}

fn fixed_shape(report: &mut Report<'_>) -> Outcome {
    round_trip(report, "a tuple", &FIXED)?;
    round_trip(report, "a float", &1.5f32)?;
    round_trip(report, "an array", &[[1.0f32, f32::MIN_POSITIVE], [-0.0, f32::INFINITY]])?;
    report.same(treedef_of::<Fixed>().num_leaves(), 7)
}

fn varying(report: &mut Report<'_>) -> Outcome {
    round_trip(report, "options", &VARYING)?;
    let others: [Varying; 2] = [VARYING, (0.5, None, [None, None], None)];
    round_trip(report, "unlike neighbours", &others)?;
    round_trip(report, "like neighbours", &[VARYING, VARYING])
}

fn containers(report: &mut Report<'_>) -> Outcome {
    let mut vector: Vec<(f32, Option<f32>), 4> = Vec::new();
    round_trip(report, "an empty vector", &vector)?;
    for i in 0..3u8 {
        vector.push((f32::from(i), Some(0.25))).ok().ok_or(Missing)?;
    }
    round_trip(report, "a vector", &vector)?;
    vector[1].1 = None;
    round_trip(report, "a vector of unlike trees", &vector)?;
    let mut linear: LinearMap<u8, [f32; 2], 4> = LinearMap::new();
    let mut index: FnvIndexMap<u8, [f32; 2], 4> = FnvIndexMap::new();
    for (key, value) in [(200, 1.0), (3, 2.0), (77, 3.0)] {
        linear.insert(key, [value, -value]).ok().ok_or(Missing)?;
        index.insert(key, [value, -value]).ok().ok_or(Missing)?;
    }
    round_trip(report, "a linear map", &linear)?;
    round_trip(report, "an index map", &index)
}

fn leaves_lent(report: &mut Report<'_>) -> Outcome {
    let (mut tree, mut out) = (VARYING, [0.0f32; 4]);
    let mut refs = [None::<&f32>; 4];
    report.same(refs_into(&tree, &mut refs)?, 4)?;
    report.same(refs, [Some(&1.0), Some(&2.0), Some(&3.0), Some(&4.0)])?;
    let mut muts = [const { None::<&mut f32> }; 4];
    report.same(muts_into(&mut tree, &mut muts)?, 4)?;
    muts.into_iter().flatten().for_each(|leaf| *leaf *= 2.0);
    report.same(leaves_into(&tree, &mut out)?, 4)?;
    report.leaves("doubled", &out);
    let (mut taken, mut next) = ([0.0; 4], 0..4);
    TreeBuild::<f32>::take_leaves(tree, &mut |leaf| {
        if let Some(slot) = next.next().and_then(|index| taken.get_mut(index)) {
            *slot = leaf;
        }
    });
    report.same(taken, out)
}

fn visited(report: &mut Report<'_>) -> Outcome {
    let mut tree = (FIXED, VARYING);
    let mut count = 0;
    over(&tree).for_each(|_: &f32| count += 1)?;
    report.same(count, tree.num_leaves()?)?;
    over(&mut tree).for_each(|leaf: &mut f32| *leaf += 0.5)?;
    let mut runs = 0;
    over(&tree).runs().for_each(|run: &[f32]| runs += run.len())?;
    report.same(runs, count)?;
    let halves = map(&tree, |leaf: &f32| f64::from(*leaf) / 2.0)?;
    report.same(halves.0.1[2].1, 3.75)?;
    let whole = map(&halves, |leaf: &f64| AsLeaf([*leaf]))?;
    report.same(whole.1.1.map(|[a, b]| [a.0, b.0]), Some([[1.25], [1.75]]))?;
    let mut product = 0.0;
    let prefix = (10.0f32, (1.0f32, 2.0f32, [3.0f32, 4.0], 5.0f32));
    over(&tree).under(&prefix).for_each(|(leaf, factor): (&f32, &f32)| product += factor * leaf)?;
    report.fact("zipped with a prefix", product);
    Ok(())
}

fn folded(report: &mut Report<'_>) -> Outcome {
    let tree = (FIXED, VARYING);
    report.same(over(&tree).fold(0.0, |sum, x: &f32| sum + x)?, 38.0)?;
    report.same(over(&tree).fold(f32::NEG_INFINITY, |max, leaf: &f32| max.max(*leaf))?, 7.0)?;
    report.same(over(&tree).fold(1.0, |product: f32, leaf: &f32| product * leaf)?, 120_960.0)?;
    let mut names = Digest::default();
    over(&tree.1).paths().for_each(|path, leaf: &f32| {
        names.bytes(&leaf.to_bits().to_le_bytes());
        // A digest takes any text.
        let _ = core::fmt::Write::write_fmt(&mut names, format_args!("{}", path.keystr()));
    })?;
    report.fact("leaves by path", names);
    Ok(())
}

treedef::leaf_types! {
    /// Floats and counts.
    struct Signal {
        owned Owned,
        read Lent,
        write Changed,
        Float(f32),
        Count(u32),
    }
}

fn families(report: &mut Report<'_>) -> Outcome {
    type Mixed = (f32, [u32; 2], Option<u32>);
    let tree: Mixed = (1.5, [2, 3], Some(4));
    let (mut bytes, mut leaves) = ([0; 16], [const { Owned::Count(0) }; 4]);
    let (def, count) = mixed::flatten_into::<Signal>(&tree, &mut bytes, &mut leaves)?;
    report.treedef("floats and counts", def);
    report.same(mixed::unflatten::<Signal, Mixed>(def, &leaves[..count])?, tree)?;
    let mut floats = 0;
    over(&tree)
        .of::<Signal>()
        .for_each(|leaf| floats += i32::from(matches!(leaf, Lent::Float(_))))?;
    report.same(floats, 1)?;
    leaves.reverse();
    let error = mixed::unflatten::<Signal, Mixed>(def, &leaves[..count]).err().ok_or(Missing)?;
    report.fact("another order", error);
    Ok(())
}

fn refused(report: &mut Report<'_>) -> Outcome {
    let mut bytes = [0; 32];
    let def = treedef::structure_into(&VARYING, &mut bytes)?;
    let few = unflatten::<f32, Varying>(def, &[1.0; 3]).err().ok_or(Missing)?;
    report.fact("too few leaves", few);
    let many = unflatten::<f32, Varying>(def, &[1.0; 5]).err().ok_or(Missing)?;
    report.fact("too many leaves", many);
    let other = unflatten::<f32, Fixed>(def, &[1.0; 4]).err().ok_or(Missing)?;
    report.fact("another structure", other.explain(treedef_of::<Fixed>(), def));
    let room = leaves_into(&FIXED, &mut [0.0f32; 3]).err().ok_or(Missing)?;
    report.fact("no room", room);
    let long = unflatten::<f32, Vec<f32, 2>>(treedef_of::<[f32; 3]>(), &[1.0; 3]);
    report.fact("a vector too long", long.err().ok_or(Missing)?);
    Ok(())
}
