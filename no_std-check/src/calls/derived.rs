//! What the derives write: structs, enums, recursive types, meta fields, leaves, families.

use core::hint::black_box;

use treedef::algebra::{LeafPlace, Matching, Migrated, Migration, migrate_typed_with};
use treedef::encode::{assert_key, assert_named, fits, structure_bound};
use treedef::tree::{
    Structure, TreeBuild, flatten_expected, leaf, leaf_mut, max_bytes, max_leaves, max_path_len,
    refs_into, unflatten_from,
};
use treedef::{Leaf, Meta, Tree, View, flatten_into, map, over, schema_of, unflatten};

use super::{Done, keep, print};

/// Meta fields of an enum.
#[derive(Clone, Copy, Meta)]
enum Window {
    Hann,
    Flat,
}

/// Meta fields of a struct.
#[derive(Clone, Copy, Meta)]
struct Rate {
    hertz: u32,
    exact: bool,
}

/// Fixed shape; the structure has meta fields.
#[derive(Clone, Tree)]
struct Filter<T> {
    taps: [T; 4],
    #[tree(meta)]
    window: Window,
    #[tree(meta)]
    rate: Rate,
    #[tree(skip)]
    calls: u32,
}

/// Fixed structure.
#[derive(Clone, Copy, Tree)]
struct Pid<T> {
    kp: T,
    ki: T,
}

/// The variant is part of the structure.
#[derive(Clone, Tree)]
enum Control<T> {
    Off,
    Loop(Pid<T>, #[tree(default)] Option<T>),
    Filtered { filter: Filter<T> },
}

/// A leaf of its own.
#[derive(Clone, Leaf)]
struct Tensor {
    shape: [u8; 2],
}

/// A type that is stored.
#[derive(Clone, Copy, Tree)]
#[tree(name = "Stored")]
struct Stored {
    gain: f32,
}

const _: () = assert_named::<Stored>();
const _: () = assert_key::<Stored>();

/// Places that moved.
const ALIASES: [(&str, &str); 3] = [("kp", "[*].ki"), ("x[*]['a']", ""), ("taps", "filter.taps")];

/// Takes a leaf, or says why not.
fn positive(leaf: f32, place: LeafPlace<'_, f32>) -> Result<f32, usize> {
    let is_wanted = place.dtype.is_some() && Some(&leaf) != place.default;
    if leaf > 0.0 && is_wanted { Ok(leaf) } else { Err(place.path.len()) }
}

/// Every operation on a tree of floats, of which a copy is at hand.
macro_rules! operations {
    ($tree:expr, $Tree:ty) => {{
        let mut tree: $Tree = $tree;
        let (mut bytes, mut leaves) = ([0; 256], [0.0f32; 16]);
        let (def, count) =
            flatten_into(&tree, black_box(&mut bytes), black_box(&mut leaves)).ok()?;
        print(&def)?;
        print(&schema_of::<$Tree>())?;
        keep((structure_bound(&tree).ok()?, tree.num_leaves().ok()?));
        let leaves = leaves.get(..count)?;
        keep(unflatten::<f32, $Tree>(black_box(def), leaves).ok()?);
        keep(unflatten_from::<f32, _, $Tree>(black_box(def), leaves.iter().copied()).ok()?);
        for at in 0..def.as_bytes().len() {
            let mut other = [0; 256];
            let other = other.get_mut(..def.as_bytes().len())?;
            other.iter_mut().zip(def.as_bytes()).for_each(|(byte, source)| *byte = *source);
            *other.get_mut(at)? ^= black_box(1);
            if let Ok(other) = treedef::TreeDef::from_bytes(other) {
                keep(unflatten::<f32, $Tree>(other, leaves).is_ok());
                let stored = leaves.iter().cycle().copied().take(other.num_leaves().min(64));
                let defaults = View::new(def, leaves).ok()?;
                let matching = Matching::new(black_box(&ALIASES));
                let matching = match at % 4 {
                    0 => Matching::in_any_kind(matching),
                    1 => Matching::lengths_of_defaults(matching),
                    2 => Matching::keep_places(matching),
                    _ => matching,
                };
                let report = |change: Migration<'_>| keep(print(&change));
                let loaded = migrate_typed_with::<f32, $Tree, _, _>(
                    other, stored, defaults, matching, positive, report,
                );
                keep(loaded.is_ok_and(|(_, migrated)| Migrated::is_complete(&migrated)));
                if let Err(error) = fits::<$Tree>(other) {
                    print(&error.explain_type::<$Tree>(other))?;
                }
            }
        }
        keep(flatten_expected(&tree, black_box(def), black_box(&mut [0.0f32; 16])).ok()?);
        keep(refs_into(&tree, black_box(&mut [None::<&f32>; 16])).ok()?);
        over(&tree).for_each(|leaf: &f32| keep(leaf)).ok()?;
        over(&mut tree).for_each(|leaf: &mut f32| *leaf += 1.0).ok()?;
        keep(leaf::<f32, _>(&tree, black_box(1)).ok());
        keep(leaf_mut::<f32, _>(&mut tree, black_box(3)).ok());
        let mut copy = black_box(tree.clone());
        over((&tree, &mut copy))
            .under(&tree)
            .for_each(|((a, b), c): ((&f32, _), &f32)| keep((a, b, c)))
            .ok()?;
        keep(over((&tree, &copy)).map(|(a, b): (&f32, _)| a + b).ok()?);
        keep(map(&tree, |leaf: &f32| f64::from(*leaf)).ok()?);
        TreeBuild::<f32>::take_leaves(tree, &mut keep);
    }};
}

fn filter(window: Window) -> Filter<f32> {
    let rate = Rate { hertz: 100, exact: true };
    black_box(Filter { taps: [1.0; 4], window, rate, calls: 3 })
}

/// Structs.
pub(super) fn structs() -> Done {
    operations!(black_box(Pid { kp: 1.0, ki: 2.0 }), Pid<f32>);
    operations!(filter(Window::Hann), Filter<f32>);
    operations!(filter(Window::Flat), Filter<f32>);
    keep(filter(Window::Hann).calls);
    Some(())
}

/// Enums.
pub(super) fn enums() -> Done {
    let pid = Pid { kp: 1.0, ki: 2.0 };
    for control in black_box([
        Control::Off,
        Control::Loop(pid, None),
        Control::Loop(pid, Some(3.0)),
        Control::Filtered { filter: filter(Window::Flat) },
    ]) {
        operations!(control, Control<f32>);
    }
    Some(())
}

/// A list that holds itself, behind a reference: read, never built.
#[derive(Tree)]
struct Chain<'n> {
    value: f32,
    next: Option<&'n Chain<'n>>,
}

/// Recursive types, below the bound of their depth and beyond it.
pub(super) fn recursive() -> Done {
    let last = black_box(Chain { value: 1.0, next: None });
    let middle = black_box(Chain { value: 2.0, next: Some(&last) });
    let first = black_box(Chain { value: 3.0, next: Some(&middle) });
    let (mut bytes, mut leaves) = ([0; 256], [0.0f32; 4]);
    keep(flatten_into(&first, black_box(&mut bytes), black_box(&mut leaves)).ok()?);
    over(&first).for_each(|leaf: &f32| keep(leaf)).ok()?;
    Some(())
}

/// The largest sizes of a type's values.
pub(super) fn limits() -> Done {
    type Axis = (Control<f32>, heapless::Vec<Pid<f32>, 8>);
    keep((max_leaves::<Axis>(), max_bytes::<heapless::Vec<Pid<f32>, 8>>(), max_path_len::<Axis>()));
    Some(())
}

/// Leaf types by derive.
pub(super) fn leaves() -> Done {
    let tree = black_box([Tensor { shape: [1, 2] }, Tensor { shape: [3, 4] }]);
    let mut shapes = 0usize;
    let sum = |tensor: &Tensor| shapes = shapes.wrapping_add(tensor.shape.len());
    over(&tree).for_each(sum).ok()?;
    keep(shapes);
    TreeBuild::<Tensor>::take_leaves(tree, &mut keep);
    Some(())
}
