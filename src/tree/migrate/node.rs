//! A node of a stored value, and a place of the value that is made of it.

use crate::base::error::Error;
use crate::format::entry::{Entries, KeyEntry};
use crate::format::head::Kind;
use crate::format::value::Value;
use crate::tree::walk_path::PathLevels;

/// A node of a stored value or of the defaults: of a treedef, or of a record.
pub(crate) trait StoredNode<'v>: Copy + PartialEq {
    /// The node in all options that are here, and which of its children was found last.
    type Open: Clone;
    /// A leaf.
    type Leaf: Copy;

    /// Whether it can be of a kind that types do not have, so that [`Matching::in_any_kind`](super::change::Matching::in_any_kind) means
    /// something.
    const HAS_KINDS: bool;

    fn open(self) -> Self::Open;

    /// What it is, and the name of its type.
    fn what(open: &Self::Open) -> (Kind, Option<&'v str>);

    /// The names of its children.
    fn names(open: &Self::Open) -> Entries<'v>;

    fn meta_fields(open: &Self::Open) -> impl Iterator<Item = (&'v str, Value<'v>)>;

    /// The child with this index. Children are found fastest in their order.
    fn child(open: &mut Self::Open, index: u32) -> Option<Self>;

    /// The child with this name. If `in_any_kind`, a position, a number and the text of a number are one name, and so are a field and a
    /// key.
    fn find(open: &mut Self::Open, name: KeyEntry<'_>, in_any_kind: bool) -> Option<Self>;

    /// What is in the option here, `None` if that is `None`. A value that is no option is in itself; so is an option of values if the
    /// type has an option of options here, which `is_nested` says.
    fn inside(self, is_nested: bool) -> Option<Self>;

    /// The leaf here.
    fn leaf(self) -> Option<Self::Leaf>;

    /// The error that a place does not have this leaf, of the defaults.
    fn wrong_leaf(leaf: Self::Leaf) -> Error;

    fn num_leaves(self) -> usize;

    /// The number of meta fields in it and of the keys of its maps without leaves, for reports, which are about treedefs.
    fn count_meta(self) -> usize {
        0
    }

    /// Notes that what becomes of the meta fields and the keys of a node is known: without reports, those of the other nodes are lost.
    fn note(_: &Self::Open) {}

    /// The same for all nodes in it.
    fn note_all(self) {}

    /// Takes back what was noted of all nodes in it.
    fn forget_all(self) {}

    /// Calls the function with the last step of the path of the node below `root`. The step is that to its place, which an alias gave it. A
    /// record does not know the path of a node: there it is that of the place, so that aliases of parts of a node that moved are not seen.
    fn at_path(self, _root: Self, step: &Step<'_, 'v>, then: &mut dyn FnMut(&Step<'_, 'v>)) {
        then(step);
    }
}

/// A step of a path: the name of a place, and the step to the place around it. The root has the name of what is in a `Some`, which no
/// pattern has.
#[derive(Clone, Copy)]
pub(crate) struct Step<'s, 'd> {
    pub(crate) name: KeyEntry<'d>,
    pub(crate) up: Option<&'s Step<'s, 'd>>,
    /// The aliases that can be about the place or a part of it, as bits. The last bit is that of all others, too.
    pub(crate) aliases: u32,
    /// The number of steps from the root.
    pub(crate) len: u32,
    /// Whether what is stored for the place can have another path.
    pub(crate) is_moved: bool,
}

/// A struct whose fields have aliases, and whose parts are walked: what they give to a field is not lost.
pub(crate) struct OpenFields<'s, 'd, N> {
    pub(crate) stored: N,
    pub(crate) own: &'s Own<'s>,
    /// The step to the struct.
    pub(crate) step: &'s Step<'s, 'd>,
    /// The next such struct around this one.
    pub(crate) up: Option<&'s OpenFields<'s, 'd, N>>,
}

impl<'d> Step<'_, 'd> {
    pub(crate) const ROOT: Self =
        Self { name: KeyEntry::Some, up: None, aliases: u32::MAX, len: 0, is_moved: false };

    pub(crate) const fn to(&self, name: KeyEntry<'d>) -> Step<'_, 'd> {
        let len = self.len.saturating_add(1);
        Step { name, up: Some(self), len, ..*self }
    }

    /// Appends the path of the place.
    pub(crate) fn path(&self, path: &mut PathLevels<'d>) {
        if let Some(up) = self.up {
            up.path(path);
            let _ = path.push(self.name);
        }
    }

    /// Calls `then` with the last step of a path that goes on from here.
    pub(crate) fn along(
        &self,
        path: &mut dyn Iterator<Item = KeyEntry<'d>>,
        then: &mut dyn FnMut(&Step<'_, 'd>),
    ) {
        match path.next() {
            Some(name) => self.to(name).along(path, then),
            None => then(self),
        }
    }
}

/// A place of the value that is made: what is stored for it, its default, and its path.
#[derive(Clone, Copy)]
pub(crate) struct Place<'p, 'v, N> {
    pub(crate) stored: Option<N>,
    pub(crate) default: Option<N>,
    /// Whether parts of it that are not stored are still to be counted as new: not where the place itself was counted, or is made of its
    /// default alone. If nothing is stored for the place itself, aliases give something to parts of it.
    pub(crate) counts_new: bool,
    /// The step to it from the place around it.
    pub(crate) step: Step<'p, 'v>,
    /// The innermost struct around the place whose fields have aliases, if what is lost is reported.
    pub(crate) fields: Option<&'p OpenFields<'p, 'v, N>>,
}

impl<'v, N: StoredNode<'v>> Place<'_, 'v, N> {
    /// The default alone. What is new in it was counted.
    pub(crate) const fn default_alone(&self) -> Self {
        Self { stored: None, counts_new: false, ..*self }
    }

    pub(crate) const fn is_missing(&self) -> bool {
        self.stored.is_none() && self.default.is_none()
    }
}

/// The stored node of a place and that of its default, with their children.
pub(crate) struct Both<'v, N: StoredNode<'v>> {
    pub(crate) stored: Option<N::Open>,
    pub(crate) default: Option<N::Open>,
    /// Whether a child that has a name in the stored node, and none in the default, has the default of the first child there, as the
    /// elements of lists and maps do.
    pub(crate) has_first: bool,
    /// The index of the next child, if it is known: in the stored node, or in that of the defaults if none is stored.
    pub(crate) index: Option<u32>,
}

/// The aliases at a type, as [`Fields`](crate::encode::schema::Fields) has them: what is stored, and the name of the field.
pub(crate) type Pairs = &'static [(&'static str, &'static str)];

/// The node that a type has at a place: its names.
pub(crate) struct Own<'o> {
    pub(crate) type_name: &'o str,
    /// Whether it has a child of this name.
    pub(crate) has: &'o dyn Fn(KeyEntry<'_>) -> bool,
    /// The aliases at its fields.
    pub(crate) aliases: Pairs,
}

/// Whether a node of this kind can be taken for one of another kind: one with children.
pub(crate) const fn is_container(kind: Kind) -> bool {
    !matches!(kind, Kind::Leaf | Kind::None)
}
