//! One place where two structures differ.

use core::ops::Range;

use crate::base::show::debug_struct;
use crate::format::entry::KeyEntry;
use crate::format::head::{Head, Kind};
use crate::treedef::key_path::KeyPath;
use crate::treedef::names::{is_sorted, same_type, without};
use crate::treedef::pair::PairSpot;
use crate::treedef::path::{Path, UNKNOWN};
use crate::treedef::steps::FirstSteps;
use crate::treedef::treedef::TreeDef;

/// One place where two structures differ, and what each has there; from [`TreeDef::differences`] and similar methods.
///
/// `Display` writes one sentence, `at ['layers'][0]: expected a list of 2, found a tuple of 3`; `{:#}` adds what each
/// side has, with full type names, fields and data. Together they state what JAX's messages do.
///
/// # Examples
///
/// ```
/// use treedef::diff::DifferenceKind;
/// use treedef::{KeyEntry, Value, treedef};
///
/// let (expected, found) = (treedef!([*, {"b": *, "w": (*, *)}]), treedef!([*, {"s": *, "w": *}]));
/// let difference = expected.differences(found).next().ok_or("equal")??;
/// assert_eq!(difference.path().to_string(), "[1]");
/// assert_eq!(difference.kind(), DifferenceKind::Metadata);
/// assert_eq!(difference.expected(), treedef!({"b": *, "w": (*, *)}));
/// assert_eq!(difference.found(), treedef!({"s": *, "w": *}));
/// assert_eq!((difference.expected_leaves(), difference.found_leaves()), (1..4, 1..3));
/// assert!(difference.missing().eq([KeyEntry::Key(Value::Str("b"))]));
/// assert!(difference.unexpected().eq([KeyEntry::Key(Value::Str("s"))]));
/// assert_eq!(difference.to_string(), "at [1]: missing key 'b' and unexpected key 's'");
/// assert_eq!(format!("{difference:#}"), "\
/// at [1]: missing key 'b' and unexpected key 's'
///   expected a dict with keys 'b', 'w'
///   found a dict with keys 's', 'w'");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Difference<'a> {
    path: Path<'a>,
    /// The number of leaves before the node on each side.
    leaves: (u32, u32),
    /// The bytes that begin with each node. The end of the node is found on demand.
    expected: &'a [u8],
    found: &'a [u8],
}

debug_struct!([] Difference<'_> |own| { expected: own.expected(), found: own.found() });

/// What two nodes at one place differ in. The first variant that applies is reported, as by JAX.
///
/// # Examples
///
/// ```
/// use treedef::diff::DifferenceKind;
/// use treedef::treedef;
///
/// let (expected, found) = (treedef!([[*], {"a": *}]), treedef!([[*, *], {"b": *}]));
/// let kinds = expected.differences(found).flatten().map(|difference| difference.kind());
/// assert!(kinds.eq([DifferenceKind::Length, DifferenceKind::Metadata]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum DifferenceKind {
    /// Their types: their kinds, the names of their types, or the names of the fields and meta fields of two structs or
    /// named tuples. JAX's "different types".
    Type,
    /// The lengths of two tuples or two lists. JAX's "different lengths".
    Length,
    /// The numbers of children of two other nodes of one type. JAX's "different numbers of pytree children".
    Children,
    /// Keys or their order, values of meta fields, aux data or a default factory, of two nodes with equally many
    /// children. JAX's "different pytree metadata".
    Metadata,
}

impl<'a> Difference<'a> {
    /// The difference of two nodes at this place; `def` is the first of the two structures.
    pub(crate) fn of_nodes(
        def: TreeDef<'a>,
        PairSpot { first, second }: PairSpot,
        expected: &'a [u8],
        found: &'a [u8],
    ) -> Self {
        let is_leaf = Head::trusted(expected) == Head::LEAF;
        let path = Path::of_node(def, UNKNOWN, first, is_leaf);
        Self { path, leaves: (first.leaf, second.leaf), expected, found }
    }

    /// With the steps of its path that a walk remembers.
    pub(crate) const fn with_steps(self, steps: FirstSteps) -> Self {
        Self { path: self.path.with_steps(steps), ..self }
    }

    /// The path of the place, which is the same in both structures.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let (expected, found) = (treedef!({"w": [*, *]}), treedef!({"w": [*, None]}));
    /// let difference = expected.differences(found).flatten().next().expect("they differ");
    /// assert_eq!(difference.path().to_string(), "['w'][1]");
    /// ```
    #[must_use]
    pub const fn path(&self) -> KeyPath<'a, 'a> {
        KeyPath::of_node(self.path)
    }

    /// The expected node at the place, and everything below it; for a prefix, the node of the prefix. Costs a scan of its
    /// bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let (expected, found) = (treedef!([*, (*, *)]), treedef!([*, [*]]));
    /// let difference = expected.differences(found).flatten().next().expect("they differ");
    /// assert_eq!(difference.expected(), treedef!((*, *)));
    /// ```
    #[must_use]
    pub fn expected(&self) -> TreeDef<'a> {
        TreeDef::front(self.expected)
    }

    /// The node of the other structure at the place, and everything below it. Costs a scan of its bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let (expected, found) = (treedef!([*, (*, *)]), treedef!([*, [*]]));
    /// let difference = expected.differences(found).flatten().next().expect("they differ");
    /// assert_eq!(difference.found(), treedef!([*]));
    /// ```
    #[must_use]
    pub fn found(&self) -> TreeDef<'a> {
        TreeDef::front(self.found)
    }

    /// The heads of the two nodes.
    pub(crate) const fn heads(&self) -> (Head<'a>, Head<'a>) {
        (Head::trusted(self.expected), Head::trusted(self.found))
    }

    /// The indices of the leaves of [`Difference::expected`] in the whole structure.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let (expected, found) = (treedef!([*, (*, *)]), treedef!([*, [*]]));
    /// let difference = expected.differences(found).flatten().next().expect("they differ");
    /// assert_eq!(difference.expected_leaves(), 1..3);
    /// ```
    #[must_use]
    pub fn expected_leaves(&self) -> Range<usize> {
        let first = self.leaves.0 as usize;
        first..first.saturating_add(self.expected().num_leaves())
    }

    /// The indices of the leaves of [`Difference::found`] in the whole structure.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let (expected, found) = (treedef!([*, (*, *)]), treedef!([*, [*]]));
    /// let difference = expected.differences(found).flatten().next().expect("they differ");
    /// assert_eq!(difference.found_leaves(), 1..2);
    /// ```
    #[must_use]
    pub fn found_leaves(&self) -> Range<usize> {
        let first = self.leaves.1 as usize;
        first..first.saturating_add(self.found().num_leaves())
    }

    /// What the two nodes differ in.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::diff::DifferenceKind;
    /// use treedef::treedef;
    ///
    /// let (expected, found) = (treedef!([*, (*, *)]), treedef!([*, [*]]));
    /// let difference = expected.differences(found).flatten().next().expect("they differ");
    /// assert_eq!(difference.kind(), DifferenceKind::Type);
    /// ```
    #[must_use]
    pub fn kind(&self) -> DifferenceKind {
        let (expected, found) = self.heads();
        if !same_type(&expected, &found) || !same_fields(&expected, &found) {
            return DifferenceKind::Type;
        }
        match expected.kind() {
            _ if expected.arity() == found.arity() => DifferenceKind::Metadata,
            Kind::Tuple | Kind::List => DifferenceKind::Length,
            _ => DifferenceKind::Children,
        }
    }

    /// The keys, field names or child keys that the expected node has and the other lacks. None if the types differ in
    /// kind or name, or for tuples, lists and custom nodes without child keys.
    ///
    /// Together with [`Difference::unexpected`] it is the symmetric difference in JAX's messages. One pass over both if
    /// the keys are sorted or in the same order. Otherwise each key that is missing or changed its place costs a pass
    /// over the keys of the other node; the text of the difference searches 1024 of them, and leaves out the others.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{KeyEntry, treedef};
    ///
    /// let (expected, found) = (treedef!({"b": *, "w": *}), treedef!({"weights": *, "b": *}));
    /// let difference = expected.differences(found).flatten().next().expect("they differ");
    /// assert!(difference.missing().eq([KeyEntry::Key("w".into())]));
    /// ```
    pub fn missing(&self) -> impl Iterator<Item = KeyEntry<'a>> + Clone + use<'a> {
        let (expected, found) = self.heads();
        only_in(&expected, &found)
    }

    /// The keys, field names or child keys that the expected node lacks and the other has; as [`Difference::missing`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{KeyEntry, treedef};
    ///
    /// let (expected, found) = (treedef!({"b": *, "w": *}), treedef!({"weights": *, "b": *}));
    /// let difference = expected.differences(found).flatten().next().expect("they differ");
    /// assert!(difference.unexpected().eq([KeyEntry::Key("weights".into())]));
    /// ```
    pub fn unexpected(&self) -> impl Iterator<Item = KeyEntry<'a>> + Clone + use<'a> {
        let (expected, found) = self.heads();
        only_in(&found, &expected)
    }
}

/// The names of children of one node that the other lacks.
fn only_in<'a>(
    ours: &Head<'a>,
    theirs: &Head<'a>,
) -> impl Iterator<Item = KeyEntry<'a>> + Clone + use<'a> {
    // Positions are no names, and there can be billions of them.
    let named = |head: &Head<'a>| if head.has_positions() { 0 } else { usize::MAX };
    let compared = if same_type(ours, theirs) { named(ours) } else { 0 };
    let sorted = is_sorted(ours) && is_sorted(theirs);
    let (ours, theirs) = (ours.entries().take(compared), theirs.entries().take(named(theirs)));
    without(ours, theirs, sorted, u32::MAX).flatten()
}

/// Whether two named tuples or structs have the same fields and meta fields; other nodes have none.
fn same_fields(one: &Head<'_>, other: &Head<'_>) -> bool {
    one.fields().eq(other.fields())
        && one.meta_fields().map(|(name, _)| name).eq(other.meta_fields().map(|(name, _)| name))
}
