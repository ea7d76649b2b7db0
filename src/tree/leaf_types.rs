//! Defines sets of leaf types, and how a leaf is seen as an item of a set. A single leaf type is a set of one.

use crate::base::slices::array_of;

/// The leaf types of a tree: a single [`Leaf`](trait@crate::Leaf) type, or a marker type from [`leaf_types!`](crate::leaf_types), whose
/// items are enums with a variant for each leaf type.
///
/// # Examples
///
/// ```
/// use treedef::tree::{LeafTypes, TreeBuild};
///
/// /// Takes the last leaf out of a tree, whatever its leaf types are.
/// fn into_last<K: LeafTypes, T: TreeBuild<K>>(tree: T) -> Option<K::Owned> {
///     let mut last = None;
///     tree.take_leaves(&mut |leaf| last = Some(leaf));
///     last
/// }
///
/// assert_eq!(into_last::<f32, _>((1.0f32, [2.0f32, 3.0])), Some(3.0));
/// ```
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
    /// A slice of leaves.
    type Run<'a>
    where
        Self: 'a;

    /// Clones a leaf out of a tree.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::tree::LeafTypes;
    ///
    /// assert_eq!(f32::cloned(&1.0), 1.0);
    /// ```
    fn cloned(leaf: Self::Ref<'_>) -> Self::Owned
    where
        Self::Owned: Clone;
}

/// A leaf type whose leaves can be seen as items of the leaf types `K`.
///
/// A leaf type is seen as itself, as the items of each set of [`leaf_types!`](crate::leaf_types) that has it, and for keys as
/// those of [`KeyLeaves`](crate::cache::KeyLeaves).
///
/// # Examples
///
/// ```
/// use treedef::tree::{LeafAs, LeafTypes};
///
/// fn there_and_back<K: LeafTypes>(leaf: f32) -> Option<f32>
/// where
///     f32: LeafAs<K>,
/// {
///     f32::leaf(f32::owned(leaf))
/// }
///
/// assert_eq!(there_and_back::<f32>(1.0), Some(1.0));
/// ```
#[diagnostic::on_unimplemented(
    message = "a tree of `{K}` leaves cannot hold a `{Self}`",
    label = "this tree holds a `{Self}`",
    note = "mark a field that is no leaf with `#[tree(meta)]` (part of the structure) or `#[tree(skip)]`",
    note = "for leaves of several types, declare them with `treedef::leaf_types!`",
    note = "to use the `{K}` leaves of a tree that has others, call `treedef::tree::for_each_of` or `zip(..).only::<{K}>()`"
)]
pub trait LeafAs<K: LeafTypes>: Sized {
    /// The item for an owned leaf.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::tree::LeafAs;
    ///
    /// assert_eq!(<f32 as LeafAs<f32>>::owned(1.0), 1.0);
    /// ```
    fn owned(leaf: Self) -> K::Owned;
    /// The leaf in an item, or `None` if it has another type.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::tree::LeafAs;
    ///
    /// assert_eq!(<f32 as LeafAs<f32>>::leaf(1.0), Some(1.0));
    /// ```
    fn leaf(item: K::Owned) -> Option<Self>;
    /// The leaves in items that lie side by side, or `None` if one has another type.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::tree::LeafAs;
    ///
    /// assert_eq!(<f32 as LeafAs<f32>>::array([1.0, 2.0]), Some([1.0, 2.0]));
    /// ```
    #[inline]
    fn array<const N: usize>(items: [K::Owned; N]) -> Option<[Self; N]> {
        let mut items = items.into_iter();
        array_of(|| items.next().and_then(Self::leaf))
    }
    /// The item for a leaf that is read in place.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::tree::LeafAs;
    ///
    /// assert_eq!(<f32 as LeafAs<f32>>::by_ref(&1.0), &1.0);
    /// ```
    fn by_ref<'a>(leaf: &'a Self) -> K::Ref<'a>
    where
        K: 'a;
    /// The item for a leaf that is changed in place.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::tree::LeafAs;
    ///
    /// assert_eq!(<f32 as LeafAs<f32>>::by_mut(&mut 1.0), &mut 1.0);
    /// ```
    fn by_mut<'a>(leaf: &'a mut Self) -> K::Mut<'a>
    where
        K: 'a;
    /// The item for a slice of leaves.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::tree::LeafAs;
    ///
    /// assert_eq!(<f32 as LeafAs<f32>>::run(&[1.0, 2.0]), [1.0, 2.0]);
    /// ```
    fn run<'a>(leaves: &'a [Self]) -> K::Run<'a>
    where
        K: 'a;
    /// The slice as leaves of one type, to be changed in place.
    ///
    /// # Errors
    ///
    /// The slice itself, if `K` is a set of several leaf types: these have no type of such a slice.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::tree::LeafAs;
    ///
    /// assert_eq!(<f32 as LeafAs<f32>>::run_mut(&mut [1.0, 2.0]), Ok([1.0, 2.0].as_mut_slice()));
    /// ```
    #[inline]
    fn run_mut(leaves: &mut [Self]) -> Result<&mut [K], &mut [Self]>
    where
        K: Sized,
    {
        Err(leaves)
    }
}
