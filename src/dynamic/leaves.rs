//! Receives the leaves of a walk: into slots, to a closure, or only their number.

use crate::dynamic::node::Node;

/// Receives the leaves of a walk.
pub trait Leaves<I> {
    /// Whether [`Leaves::rewind`] undoes a `put` completely, which walks need that look for copies.
    const REWINDS: bool;

    /// Receives a leaf.
    fn put(&mut self, item: I);

    /// Receives `leaf(child)` for each child, up to the first for which it is `None`. Returns that child.
    #[inline]
    fn put_leaves<O: Copy>(
        &mut self,
        children: &mut impl Iterator<Item = O>,
        mut leaf: impl FnMut(O) -> Option<I>,
    ) -> Option<O> {
        children.find(|child| leaf(*child).map(|item| self.put(item)).is_none())
    }

    /// The number of leaves so far.
    fn count(&self) -> usize;

    /// Forgets the leaves after the first `count`.
    fn rewind(&mut self, count: usize);
}

/// A slot that can keep a leaf of type `I`: as it is, as a clone of the target of a reference, or in an `Option`.
///
/// If the leaves are [`Node`]s, a slot `Option<L>` keeps the value of a [`Node::Leaf`], and `None` for any other node.
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
    note = "a leaf `L` fits slots of `L` or `Option<L>`; a leaf `&L` also fits slots of `L`, as a clone",
    note = "with a predicate or with `None` as a leaf, leaves are objects: those of a `Node<L>` fit slots of `&Node<L>`, \
            `Option<&Node<L>>`, `Node<L>` or `Option<L>`"
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

/// Keeps the value of a leaf, and `None` for a Python `None` or a subtree that a predicate calls a leaf.
impl<'n, L: Clone> Keep<&'n Node<'n, L>> for Option<L> {
    fn keep(node: &'n Node<'n, L>) -> Self {
        node.as_leaf().cloned()
    }
}

/// Keeps leaves in a slice. Leaves that do not fit are only counted.
pub(crate) struct Slots<'s, T> {
    slots: &'s mut [T],
    count: usize,
}

impl<'s, T> Slots<'s, T> {
    pub(crate) const fn new(slots: &'s mut [T]) -> Self {
        Self { slots, count: 0 }
    }
}

impl<I, T: Keep<I>> Leaves<I> for Slots<'_, T> {
    const REWINDS: bool = true;

    #[inline]
    fn put(&mut self, item: I) {
        if let Some(slot) = self.slots.get_mut(self.count) {
            *slot = T::keep(item);
            self.count = self.count.wrapping_add(1);
        } else {
            self.count = self.count.saturating_add(1);
        }
    }

    /// The count is a local variable, to stay in a register.
    #[inline]
    fn put_leaves<O: Copy>(
        &mut self,
        children: &mut impl Iterator<Item = O>,
        mut leaf: impl FnMut(O) -> Option<I>,
    ) -> Option<O> {
        let mut rest = Slots { slots: &mut *self.slots, count: self.count };
        let other = children.find(|child| leaf(*child).map(|item| rest.put(item)).is_none());
        self.count = rest.count;
        other
    }

    #[inline]
    fn count(&self) -> usize {
        self.count
    }

    #[inline]
    fn rewind(&mut self, count: usize) {
        self.count = count;
    }
}

/// Counts leaves.
#[derive(Default)]
pub(crate) struct Counter(usize);

impl<I> Leaves<I> for Counter {
    const REWINDS: bool = true;

    #[inline]
    fn put(&mut self, _: I) {
        self.0 = self.0.saturating_add(1);
    }

    #[inline]
    fn count(&self) -> usize {
        self.0
    }

    #[inline]
    fn rewind(&mut self, count: usize) {
        self.0 = count;
    }
}

/// Calls a closure with each leaf and counts the leaves.
pub(crate) struct Each<F> {
    pub(crate) visit: F,
    pub(crate) count: usize,
}

impl<I, F: FnMut(I)> Leaves<I> for Each<F> {
    /// A call of the closure cannot be undone.
    const REWINDS: bool = false;

    #[inline]
    fn put(&mut self, item: I) {
        self.count = self.count.saturating_add(1);
        (self.visit)(item);
    }

    #[inline]
    fn count(&self) -> usize {
        self.count
    }

    #[inline]
    fn rewind(&mut self, count: usize) {
        self.count = count;
    }
}
