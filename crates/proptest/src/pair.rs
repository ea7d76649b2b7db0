//! Generates treedefs with a relation: equal, one edit apart, a prefix and its full tree, two prefixes of a third, or
//! composed.
//!
//! A pair is one model with marks. A mark says which trees of the pair differ from the model there. So the trees shrink
//! together.

use std::ops::RangeInclusive;

use proptest::collection::vec as many;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::any_treedef::{AnyTreeDef, treedefs_of};
use crate::head::{Head, heads};
use crate::model::{Model, models};
use crate::shrink::Shrinkable;
use crate::size::Size;

/// The first tree of a pair has a leaf here.
const FIRST: u8 = 1;

/// The second tree of a pair has a leaf here.
const SECOND: u8 = 2;

/// The second tree of a pair is edited here.
const EDITED: u8 = 4;

/// Pairs of equal treedefs with bytes at different addresses.
///
/// # Examples
///
/// ```
/// use proptest::prelude::*;
/// use treedef_proptest::equal_pairs;
///
/// proptest!(|((a, b) in equal_pairs())| {
///     let (a, b) = (a.as_treedef(), b.as_treedef());
///     prop_assert_eq!(a, b);
///     prop_assert_eq!(a.fingerprint(), b.fingerprint());
/// });
/// ```
pub fn equal_pairs() -> impl Strategy<Value = (AnyTreeDef, AnyTreeDef)> {
    treedefs_of(Size::default()).prop_map(|def| (def.clone(), def))
}

/// Pairs of treedefs that differ in one edit: a kind, a name, a key, a value, a child more or less, two swapped
/// children, or one copy among equal siblings.
///
/// # Examples
///
/// ```
/// use proptest::prelude::*;
/// use treedef_proptest::neighbours;
///
/// proptest!(|((a, b) in neighbours())| prop_assert_ne!(a.as_treedef(), b.as_treedef()));
/// ```
pub fn neighbours() -> impl Strategy<Value = (AnyTreeDef, AnyTreeDef)> {
    neighbours_of(Size::default())
}

/// [`neighbours`] in which the first treedef is at most this large.
///
/// # Examples
///
/// ```
/// use proptest::prelude::*;
/// use treedef_proptest::{Size, neighbours_of};
///
/// let small = Size { depth: 3, children: 4, nodes: 20 };
/// proptest!(|((a, b) in neighbours_of(small))| prop_assert!(a != b && a.as_treedef().num_nodes() <= 20));
/// ```
pub fn neighbours_of(size: Size) -> impl Strategy<Value = (AnyTreeDef, AnyTreeDef)> {
    let marked = marked(models(size), everywhere, EDITED..=EDITED, 1);
    // The tree shrinks around the edit. The edit itself does not shrink, because another edit would be another failure.
    let edit = (0..EDITS, heads()).no_shrink();
    (Shrinkable(marked), edit).prop_filter_map("the edit changes nothing", |(model, edit)| {
        let (which, head) = edit;
        let edited = model.seen(&|_, inner| {
            let mut edited = inner.clone();
            change(&mut edited, which, &head);
            Some(edited)
        });
        let pair = (AnyTreeDef::of(&model)?, AnyTreeDef::of(&edited)?);
        (pair.0 != pair.1).then_some(pair)
    })
}

/// Pairs of a prefix and its full tree: in the prefix, leaves replace some subtrees of the full tree, or none.
///
/// # Examples
///
/// ```
/// use proptest::prelude::*;
/// use treedef_proptest::prefix_pairs;
///
/// proptest!(|((prefix, full) in prefix_pairs())| {
///     prop_assert!(prefix.as_treedef().num_nodes() <= full.as_treedef().num_nodes());
/// });
/// ```
pub fn prefix_pairs() -> impl Strategy<Value = (AnyTreeDef, AnyTreeDef)> {
    prefix_pairs_of(Size::default())
}

/// [`prefix_pairs`] in which the full tree is at most this large.
///
/// # Examples
///
/// ```
/// use proptest::prelude::*;
/// use treedef_proptest::{Size, prefix_pairs_of};
///
/// let small = Size { depth: 3, children: 4, nodes: 20 };
/// proptest!(|((prefix, full) in prefix_pairs_of(small))| {
///     prop_assert_eq!(prefix.as_treedef().check_prefix_of(full.as_treedef()), Ok(()));
/// });
/// ```
pub fn prefix_pairs_of(size: Size) -> impl Strategy<Value = (AnyTreeDef, AnyTreeDef)> {
    let marked = Shrinkable(marked(broad(size), inner_nodes, FIRST..=FIRST, 5));
    marked.prop_filter_map("too large", |model| {
        Some((AnyTreeDef::of(&pruned(&model, FIRST))?, AnyTreeDef::of(&model)?))
    })
}

/// Two treedefs that are prefixes of one tree, and their common suffix: the smallest such tree.
///
/// The common suffix is the structure that `optree.broadcast_common` gives both trees. If one is a prefix of the other,
/// it is the other.
///
/// # Examples
///
/// ```
/// use proptest::prelude::*;
/// use treedef_proptest::common_suffix_pairs;
///
/// proptest!(|((a, b, suffix) in common_suffix_pairs())| {
///     let nodes = suffix.as_treedef().num_nodes();
///     prop_assert!(nodes >= a.as_treedef().num_nodes() && nodes >= b.as_treedef().num_nodes());
/// });
/// ```
pub fn common_suffix_pairs() -> impl Strategy<Value = (AnyTreeDef, AnyTreeDef, AnyTreeDef)> {
    common_suffix_pairs_of(Size::default())
}

/// [`common_suffix_pairs`] in which the common suffix is at most this large.
///
/// # Examples
///
/// ```
/// use proptest::prelude::*;
/// use treedef_proptest::{Size, common_suffix_pairs_of};
///
/// let small = Size { depth: 3, children: 4, nodes: 20 };
/// proptest!(|((a, b, suffix) in common_suffix_pairs_of(small))| {
///     prop_assert_eq!(a.as_treedef().check_prefix_of(suffix.as_treedef()), Ok(()));
///     prop_assert_eq!(b.as_treedef().check_prefix_of(suffix.as_treedef()), Ok(()));
/// });
/// ```
pub fn common_suffix_pairs_of(
    size: Size,
) -> impl Strategy<Value = (AnyTreeDef, AnyTreeDef, AnyTreeDef)> {
    let marked = Shrinkable(marked(broad(size), inner_nodes, FIRST..=SECOND, 8));
    marked.prop_filter_map("too large", |model| {
        let both = pruned(&model, FIRST | SECOND);
        let (a, b) = (pruned(&model, FIRST), pruned(&model, SECOND));
        Some((AnyTreeDef::of(&a)?, AnyTreeDef::of(&b)?, AnyTreeDef::of(&both)?))
    })
}

/// Two treedefs `outer` and `inner`, and their composition, which transposes to the composition of `inner` and `outer`.
///
/// Either can be without leaves. If `outer` is, the composition is `outer` itself.
///
/// # Examples
///
/// ```
/// use proptest::prelude::*;
/// use treedef_proptest::transposable;
///
/// proptest!(|((outer, inner, tree) in transposable())| {
///     let [outer, inner, tree] = [&outer, &inner, &tree].map(|any| any.as_treedef().num_leaves());
///     prop_assert_eq!(tree, outer * inner);
/// });
/// ```
pub fn transposable() -> impl Strategy<Value = (AnyTreeDef, AnyTreeDef, AnyTreeDef)> {
    transposable_of(Size::default())
}

/// [`transposable`] in which the composition is at most this large.
///
/// # Examples
///
/// ```
/// use proptest::prelude::*;
/// use treedef::matches;
/// use treedef_proptest::{Size, transposable_of};
///
/// let small = Size { depth: 4, children: 4, nodes: 40 };
/// proptest!(|((outer, inner, tree) in transposable_of(small))| {
///     let composed = outer.as_treedef().compose(inner.as_treedef());
///     prop_assert_eq!(matches(&composed, tree.as_treedef()), Ok(()));
/// });
/// ```
pub fn transposable_of(size: Size) -> impl Strategy<Value = (AnyTreeDef, AnyTreeDef, AnyTreeDef)> {
    // Each gets half of the levels, and the square root of the nodes.
    let half = Size { depth: size.depth / 2, nodes: size.nodes.isqrt(), ..size };
    let pair = (Shrinkable(models(half)), Shrinkable(models(half)));
    pair.prop_filter_map("too large", |(outer, inner)| {
        let tree = outer.compose(&inner);
        Some((AnyTreeDef::of(&outer)?, AnyTreeDef::of(&inner)?, AnyTreeDef::of(&tree)?))
    })
}

/// Models with marks on some of the given places, at most a given number of them.
fn marked(
    models: impl Strategy<Value = Model>,
    places: fn(&mut Model) -> Vec<usize>,
    bits: RangeInclusive<u8>,
    most: usize,
) -> impl Strategy<Value = Model> {
    let marks = many((any::<Index>(), any::<Index>(), bits), most.min(2)..=most);
    (models, marks).prop_map(move |(mut model, marks)| {
        for (place, copy, bits) in marks {
            let place = *place.get(&places(&mut model));
            model.mark(place, copy, bits);
        }
        model
    })
}

/// Returns all places of a model.
fn everywhere(model: &mut Model) -> Vec<usize> {
    (0..model.places()).collect()
}

/// Returns the nodes below the root that are no leaves, or the root if there are none.
fn inner_nodes(model: &mut Model) -> Vec<usize> {
    let mut places = everywhere(model);
    places.retain(|place| *place > 0 && !matches!(model.at(*place), Some(Model::Leaf(_))));
    if places.is_empty() { vec![0] } else { places }
}

/// Generates models. Every other one has several large subtrees as siblings.
fn broad(size: Size) -> BoxedStrategy<Model> {
    if size.depth == 0 || size.nodes < 10 {
        return models(size).boxed();
    }
    let part = Size { depth: size.depth - 1, nodes: size.nodes / 3 - 1, ..size };
    let parts = (heads(), many(models(part), 2..=3)).prop_map(|(head, parts)| {
        Model::Node(head, parts.into_iter().map(|part| (part, 1)).collect())
    });
    prop_oneof![models(size), parts].boxed()
}

/// Returns the tree with a leaf at each place whose marks have a leaf for all of `viewers`.
fn pruned(model: &Model, viewers: u8) -> Model {
    model.seen(&|bits, inner| match viewers & !bits {
        0 => Some(Model::Leaf(0)),
        // Below this place, only the viewers without a leaf here count.
        left if left != viewers => Some(pruned(inner, left)),
        _ => None,
    })
}

/// The number of edits that [`change`] knows.
const EDITS: u8 = 13;

/// Edits the root.
fn change(model: &mut Model, which: u8, other: &Head) {
    match (which, &mut *model) {
        (_, Model::Marked(_, inner)) => change(inner, which, other),
        (0, _) => *model = Model::Leaf(0),
        (1, _) => *model = Model::None,
        (2, _) => {
            let inner = std::mem::replace(model, Model::None);
            *model = Model::Node(other.clone(), vec![(inner, 1)]);
        }
        (3, Model::Node(head, _)) => head.kind = other.kind,
        (4, Model::Node(head, _)) => head.name.clone_from(&other.name),
        (5, Model::Node(head, _)) => head.keys.extend(other.keys.first().cloned()),
        (6, Model::Node(head, _)) => head.meta.extend(other.meta.first().cloned()),
        (7, Model::Node(head, _)) => drop(head.keys.pop()),
        (8, Model::Node(head, _)) => drop(head.meta.pop()),
        (9, Model::Node(_, items)) => items.push((Model::Leaf(0), 1)),
        (10, Model::Node(_, items)) => drop(items.pop()),
        (11, Model::Node(_, items)) => {
            let by = items.len().min(1);
            items.rotate_left(by);
        }
        (_, Model::Node(_, items)) => items.iter_mut().take(1).for_each(|(_, n)| *n += 1),
        (_, Model::Leaf(_) | Model::None) => {}
    }
}
