//! Defines which slots can keep which leaves.

/// A slot that can keep a leaf of type `I`: as it is, as a clone of the target of a reference, or in an `Option`.
///
/// If the leaves are [`Node`](crate::Node)s, a slot `Option<L>` keeps the value of a [`Node::Leaf`](crate::Node::Leaf), and `None` for any other node.
///
/// # Examples
///
/// ```
/// use treedef::dynamic::Flatten;
/// use treedef::tree;
///
/// let tree = tree!([1, {"a": 2}]);
/// let (mut clones, mut options) = ([0; 2], [None::<&i32>; 2]);
/// Flatten::new().leaves_into(&tree, &mut clones)?;
/// Flatten::new().leaves_into(&tree, &mut options)?;
/// assert_eq!((clones, options), ([1, 2], [Some(&1), Some(&2)]));
/// # Ok::<(), treedef::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "a slot of type `{Self}` cannot keep a leaf of type `{I}`",
    label = "slots of this type",
    note = "a leaf `L` fits slots of `L` or `Option<L>`; a leaf `&L` also fits slots of `L` and `Option<L>`, as a clone",
    note = "with a predicate or with `None` as a leaf, leaves are objects: those of a `Node<L>` fit slots of `&Node<L>`, \
            `Option<&Node<L>>`, `Node<L>`, `Option<Node<L>>` or `Option<L>`"
)]
pub trait Keep<I>: Sized {
    /// Keeps `item`.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::Keep;
    ///
    /// let slots: (i32, Option<i32>) = (Keep::keep(&1), Keep::keep(2));
    /// assert_eq!(slots, (1, Some(2)));
    /// ```
    fn keep(item: I) -> Self;
}

impl<T> Keep<T> for T {
    #[inline]
    fn keep(item: T) -> T {
        item
    }
}

impl<T: Clone> Keep<&T> for T {
    #[inline]
    fn keep(item: &T) -> T {
        item.clone()
    }
}

impl<T> Keep<T> for Option<T> {
    #[inline]
    fn keep(item: T) -> Option<T> {
        Some(item)
    }
}

impl<T: Clone> Keep<&T> for Option<T> {
    #[inline]
    fn keep(item: &T) -> Option<T> {
        Some(item.clone())
    }
}
