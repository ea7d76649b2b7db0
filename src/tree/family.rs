//! What the leaves of a tree are: one type, or a family of types.

/// A type whose values are leaves.
///
/// Declared by [`leaf!`](crate::leaf) or `#[derive(Leaf)]`, never by hand: the macro also writes the tree traits of a
/// single leaf. The numbers, `bool` and `char` are leaves.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a leaf type",
    note = "write `treedef::leaf!({Self});` or `#[derive(treedef::Leaf)]` for a type of yours that trees hold whole",
    note = "for a type of another crate, wrap it: `treedef::tree::AsLeaf<{Self}>`"
)]
pub trait Leaf: Sized {}

/// The leaf types of a tree: any [`Leaf`] type by itself, or a marker that [`leaf_types!`](crate::leaf_types) makes,
/// whose items are enums over several leaf types.
pub trait LeafTypes {
    /// A leaf taken out.
    type Owned;
    /// A leaf read in place.
    type Ref<'a>
    where
        Self: 'a;
    /// A leaf changed in place.
    type Mut<'a>
    where
        Self: 'a;
    /// Leaves that lie side by side in memory.
    type Run<'a>
    where
        Self: 'a;
}

impl<L: Leaf> LeafTypes for L {
    type Owned = L;
    type Ref<'a>
        = &'a L
    where
        L: 'a;
    type Mut<'a>
        = &'a mut L
    where
        L: 'a;
    type Run<'a>
        = &'a [L]
    where
        L: 'a;
}

/// A family whose leaves can be copied out of a tree.
#[diagnostic::on_unimplemented(
    message = "the leaves of `{Self}` cannot be copied out of a tree",
    note = "leaves are copied by `Clone`; without it take references: `treedef::tree::refs_into`"
)]
pub trait CloneLeaves: LeafTypes {
    /// A copy of the leaf.
    fn cloned(leaf: Self::Ref<'_>) -> Self::Owned;
}

impl<L: Leaf + Clone> CloneLeaves for L {
    #[inline]
    fn cloned(leaf: &L) -> L {
        leaf.clone()
    }
}

/// A family that holds leaves of type `T`.
#[diagnostic::on_unimplemented(
    message = "a tree of `{Self}` leaves cannot hold a `{T}`",
    label = "this tree holds a `{T}`",
    note = "the leaves' type comes from the slice or the closure: `[0.0f32; 8]`, `|x: &f32| ..`",
    note = "mark a field that is no leaf `#[tree(meta)]` (part of the structure) or `#[tree(skip)]`",
    note = "for trees whose leaves differ in type, declare a family: `treedef::leaf_types!`"
)]
pub trait Holds<T>: LeafTypes {
    /// The family's item for an owned leaf.
    fn owned(leaf: T) -> Self::Owned;
    /// The leaf in an item; `None` if it is of another type.
    fn leaf(item: Self::Owned) -> Option<T>;
    /// The family's item for a leaf read in place.
    fn by_ref<'a>(leaf: &'a T) -> Self::Ref<'a>
    where
        Self: 'a;
    /// The family's item for a leaf changed in place.
    fn by_mut<'a>(leaf: &'a mut T) -> Self::Mut<'a>
    where
        Self: 'a;
    /// The family's item for leaves side by side.
    fn run<'a>(leaves: &'a [T]) -> Self::Run<'a>
    where
        Self: 'a;
}

impl<L: Leaf> Holds<L> for L {
    #[inline]
    fn owned(leaf: L) -> L {
        leaf
    }

    #[inline]
    fn leaf(item: L) -> Option<L> {
        Some(item)
    }

    #[inline]
    fn by_ref<'a>(leaf: &'a L) -> &'a L
    where
        L: 'a,
    {
        leaf
    }

    #[inline]
    fn by_mut<'a>(leaf: &'a mut L) -> &'a mut L
    where
        L: 'a,
    {
        leaf
    }

    #[inline]
    fn run<'a>(leaves: &'a [L]) -> &'a [L]
    where
        L: 'a,
    {
        leaves
    }
}

/// An item that goes in or comes out: it names its family, so that no call has to.
///
/// Leaf types, references to them and the enums of a family are items.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a leaf nor a reference to one",
    note = "give the type of the leaf: `|x: &f32| ..`, `[0.0f32; 8]`"
)]
pub trait LeafItem {
    /// The family the item belongs to.
    type LeafTypes: LeafTypes;
}

impl<L: Leaf> LeafItem for &L {
    type LeafTypes = L;
}

impl<L: Leaf> LeafItem for &mut L {
    type LeafTypes = L;
}
