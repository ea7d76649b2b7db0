//! The operations on typed trees, with the containers and leaves that need no heap.

use core::hint::black_box;
use core::marker::PhantomData;
use core::net::{Ipv4Addr, Ipv6Addr};
use core::num::{NonZero, Saturating, Wrapping};
use core::ops::Range;
use core::time::Duration;

use treedef::container::{Schema, Schemas};
use treedef::encode::structure_bound;
use treedef::path::{leaf_index_of, leaf_path_of};
use treedef::tree::{
    AsLeaf, HasSchema, Structure, TreeBuild, find_leaf, find_leaf_mut, flatten_expected, leaf,
    leaf_bytes, leaf_mut, map_of, muts_into, read_leaves, refs_into, try_unflatten_from,
    unflatten_from, write_leaves,
};
use treedef::{
    CallKey, Error, KeyPath, TreeDef, flatten_into, leaves_into, map, matches, over,
    structure_into, treedef_of, unflatten,
};

use super::{Done, keep, print};

/// Fixed shape, fixed structure.
type Fixed = (f32, [(f32, f32); 3], (), PhantomData<u8>);
/// Types of the standard library that hold others.
type Standard = (Range<f32>, Wrapping<f32>, Saturating<[f32; 2]>, Range<Option<f32>>);
/// The value decides.
type Varying = (f32, Option<[f32; 2]>, [Option<f32>; 2], Option<Option<f32>>);

fn fixed() -> Fixed {
    black_box((1.0, [(2.0, 3.0); 3], (), PhantomData))
}

fn varying() -> Varying {
    black_box((1.0, Some([2.0, 3.0]), [None, Some(4.0)], Some(None)))
}

/// A leaf type of its own.
#[derive(Clone, Copy)]
struct Sample(u16);

treedef::leaf!(Sample);

/// Leaves copied, borrowed, borrowed to be changed, and moved out.
pub(super) fn leaves_out() -> Done {
    let mut leaves = [0.0f32; 8];
    keep(leaves_into(&fixed(), black_box(&mut leaves)).ok()?);
    keep(leaves_into(&varying(), black_box(&mut leaves)).ok()?);
    keep(leaves_into(&[varying(), varying()], black_box(&mut [0.0f32; 3])).err()?);
    let (mut tree, mut other) = (fixed(), varying());
    let mut refs = [None::<&f32>; 8];
    keep(refs_into(&tree, black_box(&mut refs)).ok()?);
    keep(refs_into(&other, black_box(&mut refs)).ok()?);
    keep(muts_into(&mut tree, black_box(&mut [const { None::<&mut f32> }; 8])).ok()?);
    keep(muts_into(&mut other, black_box(&mut [const { None::<&mut f32> }; 8])).ok()?);
    TreeBuild::<f32>::take_leaves(tree, &mut keep);
    TreeBuild::<f32>::take_leaves(other, &mut keep);
    let mut samples = [Sample(0); 2];
    keep(leaves_into(&(Sample(1), &Sample(2)), black_box(&mut samples)).ok()?);
    keep(samples[0].0);
    Some(())
}

/// The structure written, measured, compared.
pub(super) fn structure() -> Done {
    let (mut bytes, mut leaves) = ([0; 64], [0.0f32; 8]);
    let def = treedef_of::<Fixed>();
    keep(structure_into(&varying(), black_box(&mut bytes)).ok()?);
    keep(structure_into(&varying(), black_box(&mut [0; 2])).err()?);
    keep(structure_into([varying(); 3].as_slice(), black_box(&mut bytes)).ok()?);
    keep(structure_bound([varying(); 3].as_slice()).ok()?);
    keep(structure_into(&fixed(), black_box(&mut bytes)).ok()?);
    matches(&fixed(), black_box(def)).ok()?;
    keep(matches(&varying(), black_box(def)).err()?);
    keep(matches([fixed(); 2].as_slice(), black_box(def)).err()?);
    keep(flatten_into(&varying(), black_box(&mut bytes), black_box(&mut leaves)).ok()?);
    keep(flatten_expected(&fixed(), black_box(def), black_box(&mut leaves)).ok()?);
    keep(Schema::num_leaves(black_box(Fixed::SCHEMA)));
    keep(Schema::dtype(black_box(Fixed::SCHEMA)));
    let shapes = Schemas::new(black_box(&[Fixed::SCHEMA, &Schema::Leaf("number", None, false)]));
    keep(Schema::Tuple(shapes).num_leaves());
    keep(varying().num_leaves().ok()?);
    keep(treedef_of::<AsLeaf<[f32; 3]>>());
    Some(())
}

/// Trees from a treedef and leaves.
pub(super) fn rebuilt() -> Done {
    let leaves = black_box([1.0f32; 8]);
    let (fixed_def, mut bytes) = (black_box(treedef_of::<Fixed>()), [0; 64]);
    keep(unflatten::<f32, Fixed>(fixed_def, leaves.get(..7)?).ok()?);
    keep(unflatten_from::<f32, _, Fixed>(fixed_def, leaves.into_iter().take(7)).ok()?);
    let def = structure_into(&varying(), &mut bytes).ok()?;
    keep(unflatten::<f32, Varying>(black_box(def), leaves.get(..4)?).ok()?);
    keep(unflatten_from::<f32, _, Varying>(black_box(def), leaves.into_iter().take(4)).ok()?);
    keep(unflatten_from::<f32, _, Varying>(black_box(def), leaves).err()?);
    let found = |leaf: &f32| if *leaf > 0.5 { Ok(*leaf) } else { Err(Error::TooLarge) };
    let some = black_box([1.0f32, 2.0, 3.0, 0.0]);
    keep(try_unflatten_from::<f32, _, _, Varying>(def, some.iter().map(found)).err()?);
    let all = leaves.iter().take(4).map(found);
    keep(try_unflatten_from::<f32, _, _, Varying>(black_box(def), all).ok()?);
    keep(unflatten::<f32, Varying>(fixed_def, leaves.get(..7)?).err()?);
    keep(unflatten::<f32, Fixed>(TreeDef::LEAF, &leaves).err()?);
    Some(())
}

/// Leaves shown to closures.
pub(super) fn visited() -> Done {
    let (mut tree, mut other) = (fixed(), varying());
    over(&tree).for_each(|leaf: &f32| keep(leaf)).ok()?;
    over(&other).for_each(|leaf: &f32| keep(leaf)).ok()?;
    over(&mut tree).for_each(|leaf: &mut f32| *leaf += 1.0).ok()?;
    over(&mut other).for_each(|leaf: &mut f32| *leaf += 1.0).ok()?;
    over(&tree).runs().for_each(|run: &[f32]| keep(run)).ok()?;
    over(&other).runs().for_each(|run: &[f32]| keep(run)).ok()?;
    over(&mut tree).runs().for_each(|run: &mut [f32]| keep(run)).ok()?;
    over(&mut other).runs().for_each(|run: &mut [f32]| keep(run)).ok()?;
    Some(())
}

/// One leaf by its index and by its path.
pub(super) fn one_leaf() -> Done {
    let (mut tree, mut other) = (fixed(), varying());
    for index in 0..black_box(8) {
        keep(leaf::<f32, _>(&tree, index).ok());
        keep(leaf::<f32, _>(&other, index).ok());
        keep(leaf_mut::<f32, _>(&mut tree, index).ok());
        keep(leaf_mut::<f32, _>(&mut other, index).ok());
        keep(leaf::<f32, _>([varying(), varying()].as_slice(), index).ok());
    }
    for path in black_box(["[1][2][0]", "[1]", "[2][1]"]) {
        keep(find_leaf::<f32, _>(&tree, path).ok());
        keep(find_leaf_mut::<f32, _>(&mut other, path).ok());
        match leaf_index_of::<Fixed>(path) {
            Ok(index) => print(&leaf_path_of::<Fixed>(index)?)?,
            Err(error) => print(&Error::explain_path_of::<Fixed>(&error, path))?,
        }
    }
    Some(())
}

/// Leaves replaced by those of another type.
pub(super) fn mapped() -> Done {
    keep(map(&fixed(), |leaf: &f32| f64::from(*leaf)).ok()?);
    keep(map(&varying(), |leaf: &f32| f64::from(*leaf)).ok()?);
    Some(())
}

/// The comparison before a walk.
fn check<T: treedef::tree::TreeRead<f32>>(one: &T, other: &T) -> Result<(), Error> {
    over((one, other)).check().map(|_| ())
}

/// Several trees, and a prefix above them.
pub(super) fn zipped() -> Done {
    over((&mut fixed(), &fixed())).for_each(|(a, b): (&mut f32, _)| keep((a, b))).ok()?;
    let (mut tree, other) = (varying(), varying());
    over((&mut tree, &other, &other))
        .for_each(|(a, b, c): (&mut f32, _, _)| keep((a, b, c)))
        .ok()?;
    keep(over((&tree, &other)).map(|(a, b): (&f32, _)| a * b).ok()?);
    keep(over((&tree, &other)).fold(0.0, |x, (a, b): (&f32, _)| x + a * b).ok()?);
    let rates = black_box((1.0f32, 2.0f32));
    let trees = (fixed(), varying());
    over((&trees, &trees))
        .under(&rates)
        .for_each(|((a, b), c): ((&f32, _), &f32)| keep((a, b, c)))
        .ok()?;
    keep(over(&trees).under(&rates).check().is_ok());
    keep(check(&other, black_box(&tree)).ok()?);
    keep(over(&trees).with(&rates).fold(0, |n, (_, _): (&f32, &f32)| n + 1u8).err()?);
    Some(())
}

/// Leaves of several types in one tree.
mod family {
    treedef::leaf_types! {
        /// Floats and counts.
        pub struct Signal {
            owned Owned,
            read Read,
            write Write,
            Float(f32),
            Count(u32),
        }
    }
}

/// Every operation once with a family.
pub(super) fn families() -> Done {
    use family::Signal;
    use treedef::tree::mixed;

    type Tree = (f32, [u32; 2], Option<u32>);
    let mut tree: Tree = black_box((1.5, [2, 3], Some(4)));
    keep(mixed::leaf::<Signal>(&tree, black_box(3)).ok()?);
    keep(mixed::leaf_mut::<Signal>(&mut tree, black_box(1)).ok()?);
    let mut leaves = [const { family::Owned::Count(0) }; 4];
    let mut bytes = [0; 16];
    over(&tree).of::<Signal>().for_each(keep).ok()?;
    over(&mut tree).of::<Signal>().for_each(keep).ok()?;
    over(&tree).of::<Signal>().paths().for_each(|path, leaf| keep((path.len(), leaf))).ok()?;
    let deep = |path: KeyPath<'_, '_>| if path.len() > 1 { Ok(()) } else { Err(Error::TooLarge) };
    keep(over(&tree).of::<Signal>().paths().for_each(|path, _| deep(path)).is_ok());
    keep(over(&mut tree).of::<Signal>().paths().for_each(|path, _| deep(path)).is_ok());
    over(&mut tree).of::<Signal>().paths().for_each(|path, leaf| keep((path.len(), leaf))).ok()?;
    keep(mixed::leaves_into::<Signal>(&tree, black_box(&mut leaves)).ok()?);
    let all = black_box(&mut leaves);
    let (def, _) = mixed::flatten_into::<Signal>(&tree, black_box(&mut bytes), all).ok()?;
    keep(mixed::unflatten::<Signal, Tree>(black_box(def), &leaves).ok()?);
    keep(mixed::unflatten_from::<Signal, Tree>(black_box(def), leaves.clone()).ok()?);
    keep(mixed::unflatten_choices::<Signal, Tree>(black_box(&[1]), &leaves).ok()?);
    print(&mixed::find_leaf::<Signal>(&tree, black_box("[0]")).ok()?)?;
    keep(mixed::find_leaf_mut::<Signal>(&mut tree, black_box("[1][0]")).ok()?);
    for path in black_box(["[0]", "[1][0]"]) {
        keep(mixed::find_leaf_mut::<Signal>(&mut tree, path).ok()?.set_str(black_box("-1.5e3")));
    }
    leaves.reverse();
    keep(mixed::unflatten::<Signal, Tree>(black_box(def), &leaves).err()?);
    TreeBuild::<Signal>::take_leaves(tree, &mut keep);
    Some(())
}

/// Leaves of any types: those of one type, and all as bytes.
pub(super) fn any_types() -> Done {
    type Numbers = (f32, [u16; 2], (NonZero<i64>, bool));
    const LEN: usize = leaf_bytes::<Numbers>();
    let mut tree: (Numbers, Option<f64>) =
        black_box(((1.5, [2, 3], (NonZero::new(4)?, true)), Some(5.0)));
    over(&tree).only::<f64>().for_each(keep).ok()?;
    over(&mut tree).only::<u16>().for_each(keep).ok()?;
    let other = black_box(map_of(&tree, |x: &f32| 2.0 * x).ok()?);
    let zipped = over((&mut tree, &other)).only::<f32>();
    keep(zipped.check().ok()?.for_each(|(a, b)| keep((a, b))));
    let mut bytes = black_box([0; LEN + 8]);
    keep(write_leaves(&tree, &mut bytes).ok()?);
    keep(read_leaves(&mut tree, black_box(&bytes)).ok()?);
    keep(write_leaves(&tree, black_box(&mut [0; 3])).err()?);
    keep(read_leaves(&mut tree, black_box(&[2; LEN + 8])).err()?);
    Some(())
}

/// Every operation with types of the standard library.
pub(super) fn standard() -> Done {
    let mut tree: Standard =
        black_box((1.0..2.0, Wrapping(3.0), Saturating([4.0; 2]), None..Some(5.0)));
    let (mut bytes, mut leaves) = ([0; 64], [0.0f32; 6]);
    let (def, count) = flatten_into(&tree, black_box(&mut bytes), black_box(&mut leaves)).ok()?;
    keep(unflatten::<f32, Standard>(black_box(def), leaves.get(..count)?).ok()?);
    keep(unflatten::<f32, Standard>(black_box(def), leaves.get(..2)?).err()?);
    keep(flatten_expected(&tree, black_box(def), black_box(&mut leaves)).ok()?);
    keep(map(&tree, |leaf: &f32| *leaf > 1.0).ok()?);
    over((&tree, &tree)).for_each(|(a, b): (&f32, _)| keep((a, b))).ok()?;
    over(&tree).with(&tree).for_each(|(a, b): (&f32, &f32)| keep((a, b))).ok()?;
    over(&mut tree).for_each(|leaf: &mut f32| *leaf = 0.0).ok()?;
    keep(find_leaf_mut::<f32, _>(&mut tree, black_box("[0].end")).ok()?);
    TreeBuild::<f32>::take_leaves(tree, &mut keep);
    keep(map(&[black_box(Duration::MAX); 2], |time: &Duration| time.as_secs()).ok()?);
    let leaves = black_box((Duration::ZERO, Ipv4Addr::LOCALHOST, Ipv6Addr::LOCALHOST));
    keep(CallKey::of_tree(&leaves, black_box(&mut [0; 64])).ok()?);
    Some(())
}

/// A tree of every operation that grows, in place of `Vec`.
pub(super) fn vectors() -> Done {
    type Tree = heapless::Vec<(f32, Option<f32>), 4>;
    let mut tree = Tree::new();
    for _ in 0..3 {
        tree.push(black_box((1.0, Some(2.0)))).ok()?;
    }
    let (mut bytes, mut leaves) = ([0; 64], [0.0f32; 8]);
    let (def, count) = flatten_into(&tree, black_box(&mut bytes), black_box(&mut leaves)).ok()?;
    keep(unflatten::<f32, Tree>(black_box(def), leaves.get(..count)?).ok()?);
    keep(flatten_expected(&tree, black_box(def), black_box(&mut leaves)).ok()?);
    keep(map(&tree, |leaf: &f32| *leaf > 1.0).ok()?);
    over((&tree, &tree)).for_each(|(a, b): (&f32, _)| keep((a, b))).ok()?;
    over(&mut tree).for_each(|leaf: &mut f32| *leaf = 0.0).ok()?;
    keep(leaf_mut::<f32, _>(&mut tree, black_box(4)).ok()?);
    let mut long = tree.clone();
    long.push((1.0, None)).ok()?;
    keep(over((&tree, &long)).for_each(|(a, b): (&f32, _)| keep((a, b))).err()?);
    keep(over(&tree).with(&long).for_each(|(a, b): (&f32, &f32)| keep((a, b))).err()?);
    TreeBuild::<f32>::take_leaves(tree, &mut keep);
    let pairs: heapless::Vec<(f32, f32), 4> = heapless::Vec::from_array(black_box([(1.0, 2.0); 3]));
    let (def, count) = flatten_into(&pairs, black_box(&mut bytes), black_box(&mut leaves)).ok()?;
    let again = unflatten::<f32, heapless::Vec<(f32, f32), 4>>(def, leaves.get(..count)?);
    keep(again.ok()?);
    keep(unflatten::<f32, heapless::Vec<(f32, f32), 2>>(def, leaves.get(..count)?).err()?);
    Some(())
}

/// As [`vectors`], for elements in two slices.
pub(super) fn deques() -> Done {
    type Tree = heapless::Deque<(f32, Option<f32>), 4>;
    let (mut tree, mut other) = (Tree::new(), Tree::new());
    for _ in 0..3 {
        tree.push_back(black_box((1.0, Some(2.0)))).ok()?;
        other.push_front(black_box((1.0, Some(2.0)))).ok()?;
    }
    let (mut bytes, mut leaves) = ([0; 64], [0.0f32; 8]);
    let (def, count) = flatten_into(&tree, black_box(&mut bytes), black_box(&mut leaves)).ok()?;
    let again: Tree = unflatten(black_box(def), leaves.get(..count)?).ok()?;
    type Short = heapless::Deque<(f32, Option<f32>), 2>;
    keep(unflatten::<f32, Short>(black_box(def), leaves.get(..count)?).err()?);
    keep(flatten_expected(&other, black_box(def), black_box(&mut leaves)).ok()?);
    keep(map(&other, |leaf: &f32| *leaf > 1.0).ok()?);
    over(&mut tree).for_each(|leaf: &mut f32| *leaf = 0.0).ok()?;
    keep(leaf_mut::<f32, _>(&mut tree, black_box(4)).ok()?);
    over((&mut tree, &other)).for_each(|(a, b): (&mut f32, _)| *a += b).ok()?;
    over(&tree).with(&other).for_each(|(a, b): (&f32, &f32)| keep((a, b))).ok()?;
    other.push_back((1.0, None)).ok()?;
    keep(over((&again, &other)).for_each(|(a, b): (&f32, _)| keep((a, b))).err()?);
    let mut numbers = heapless::Deque::<f32, 4>::new();
    numbers.push_front(black_box(1.0)).ok()?;
    keep(leaves_into(&numbers, black_box(&mut leaves)).ok()?);
    over(&mut numbers).runs().for_each(|run: &mut [f32]| keep(run)).ok()?;
    TreeBuild::<f32>::take_leaves(tree, &mut keep);
    Some(())
}
