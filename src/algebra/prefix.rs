//! Compares prefixes, and splits a tree into its parts at the leaves of a prefix.

use core::cmp::Ordering;
use core::iter::{FusedIterator, repeat_n};

use crate::base::error::Error;
use crate::base::exact_size::exact_size;
use crate::base::show::debug_struct;
use crate::dynamic::view::View;
use crate::treedef::pair::{Pair, PairEvent, Relation, one_by_one};
use crate::treedef::treedef::TreeDef;

impl<'a> TreeDef<'a> {
    /// Checks that this structure is a prefix of `full`: `full` has the same nodes, and any subtree where this
    /// structure has a leaf.
    ///
    /// Takes one pass over both and 3 kB of stack. If the repeats of both line up, each is compared once. Otherwise the
    /// cost is proportional to the nodes of this structure with repeats written out, and for each of its leaves `full`
    /// is scanned up to the end of the subtree.
    ///
    /// `DIFFERENCE`: for optree, dictionaries of different kinds with the same keys are prefixes of each other, and so are
    /// two ordered ones whose keys have another order. Here, as for JAX, a dict and an `OrderedDict` differ, and two
    /// `OrderedDict`s with another order do. So the relation is a partial order.
    ///
    /// # Errors
    ///
    /// [`Error::NotPrefix`] with the first node that differs ([`TreeDef::prefix_errors`] explains all of them in
    /// words); [`Error::TooDeep`] if more than [`MAX_PENDING`](crate::format::MAX_PENDING) levels are pending.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Error, treedef};
    ///
    /// let prefix = treedef!([*, (*, None)]);
    /// assert_eq!(prefix.check_prefix_of(treedef!([{"a": *}, ((), None)])), Ok(()));
    /// assert_eq!(prefix.check_prefix_of(treedef!([*, (*, *)])), Err(Error::NotPrefix { node: 4, tree: 0 }));
    /// ```
    pub fn check_prefix_of<'f>(self, full: impl Into<TreeDef<'f>>) -> Result<(), Error> {
        let full = full.into();
        // The most common case.
        if self == full {
            return Ok(());
        }
        let mut pair = Pair::new(self, full, Relation::Prefix);
        while let Some(event) = pair.next() {
            if let PairEvent::Differ { .. } = event? {
                return Err(Error::NotPrefix { node: pair.place().node(self), tree: 0 });
            }
        }
        Ok(())
    }

    /// Compares two structures as prefixes: `Less` if this one is a prefix of `other` and not equal to it, `Greater`
    /// for the converse, `None` if neither is a prefix of the other; as `<=` and `<` of optree's `PyTreeSpec`.
    ///
    /// This is a partial order, in which the leaf is less than everything. It is unrelated to [`Ord`], which orders the
    /// bytes. The cost is that of [`TreeDef::check_prefix_of`].
    ///
    /// # Errors
    ///
    /// [`Error::TooDeep`] if more than [`MAX_PENDING`](crate::format::MAX_PENDING) levels are pending.
    ///
    /// # Examples
    ///
    /// ```
    /// use core::cmp::Ordering;
    /// use treedef::treedef;
    ///
    /// let (small, large) = (treedef!((*, *)), treedef!((*, [*])));
    /// assert_eq!(small.prefix_cmp(large), Ok(Some(Ordering::Less)));
    /// assert_eq!(large.prefix_cmp(small), Ok(Some(Ordering::Greater)));
    /// assert_eq!(large.prefix_cmp(treedef!(([*], *))), Ok(None));
    /// ```
    #[doc(alias("is_prefix", "is_suffix"))]
    pub fn prefix_cmp<'o>(self, other: impl Into<TreeDef<'o>>) -> Result<Option<Ordering>, Error> {
        let other = other.into();
        if self == other {
            return Ok(Some(Ordering::Equal));
        }
        let mut pair = Pair::new(self, other, Relation::Common);
        let mut order = Ordering::Equal;
        while let Some(event) = pair.next() {
            let here = match event? {
                PairEvent::LeftLeaf(_) => Ordering::Less,
                PairEvent::RightLeaf(_) => Ordering::Greater,
                PairEvent::Differ { .. } => return Ok(None),
                _ => continue,
            };
            if order == here.reverse() {
                return Ok(None);
            }
            order = here;
        }
        Ok(Some(order))
    }
}

/// Iterates over the parts of `full` at the leaves of `prefix`, in order, as `PyTreeDef.flatten_up_to`: one part for
/// each leaf of the prefix.
///
/// Each part is a [`View`] of a part of the treedef and of the leaves. To map several trees as `jax.tree.map` does, zip
/// the parts of the others with the leaves of the first.
///
/// The prefix is checked first. Then a step reads the prefix up to its next leaf, and the bytes of the part. If both
/// structures are equal, of any depth, each part is one leaf and a step takes constant time. `nth` and `last` skip
/// repeats at once, and `count` takes constant time.
///
/// # Errors
///
/// As [`TreeDef::check_prefix_of`].
///
/// # Examples
///
/// ```
/// use treedef::{Error, View, flatten_up_to, treedef};
///
/// let (names, numbers) = (["x", "y"], [1, 2, 3]);
/// let first = View::new(treedef!((*, [*])), &names)?;
/// let second = View::new(treedef!(({"a": *, "b": *}, [*])), &numbers)?;
/// let pairs = first.leaves().iter().zip(flatten_up_to(first.treedef(), second)?);
/// assert!(pairs.map(|(name, part)| (*name, part.leaves())).eq([("x", [1, 2].as_slice()), ("y", &[3])]));
///
/// let error = flatten_up_to(treedef!((*, (*,))), second).unwrap_err();
/// assert_eq!(error, Error::NotPrefix { node: 2, tree: 0 });
/// # Ok::<(), Error>(())
/// ```
#[doc(alias = "prefix")]
pub fn flatten_up_to<'p, 'a, L>(
    prefix: impl Into<TreeDef<'p>>,
    full: View<'a, L>,
) -> Result<FlattenUpTo<'p, 'a, L>, Error> {
    let prefix = prefix.into();
    let left = prefix.leaf_count();
    if prefix == full.treedef() {
        return Ok(FlattenUpTo { pair: None, full, left });
    }
    prefix.check_prefix_of(full.treedef())?;
    let pair = Some(Pair::new(prefix, full.treedef(), Relation::Prefix));
    Ok(FlattenUpTo { pair, full, left })
}

/// An iterator over the parts of a tree, from [`flatten_up_to`].
///
/// # Examples
///
/// ```
/// use treedef::{View, flatten_up_to, treedef};
///
/// let full = View::new(treedef!(([*, *], *)), &[1, 2, 3])?;
/// let parts = flatten_up_to(treedef!((*, *)), full)?;
/// assert!(parts.map(|part| part.leaves().len()).eq([2, 1]));
/// # Ok::<(), treedef::Error>(())
/// ```
#[must_use = "iterators do nothing until they are consumed"]
pub struct FlattenUpTo<'p, 'a, L> {
    /// The walk over both structures. `None` if they are equal: then they can be deeper than a walk has room for.
    pair: Option<Pair<'p, 'a>>,
    full: View<'a, L>,
    /// The number of remaining parts.
    left: u32,
}

debug_struct!([L] FlattenUpTo<'_, '_, L> { left });

impl<L> Clone for FlattenUpTo<'_, '_, L> {
    fn clone(&self) -> Self {
        Self { pair: self.pair.clone(), full: self.full, left: self.left }
    }
}

impl<'a, L> Iterator for FlattenUpTo<'_, 'a, L> {
    type Item = View<'a, L>;

    fn next(&mut self) -> Option<View<'a, L>> {
        let left = self.left.checked_sub(1)?;
        let Some(pair) = &mut self.pair else {
            let leaf = self.full.treedef().leaf_count().checked_sub(self.left)?;
            self.left = left;
            return self.full.part(TreeDef::LEAF, leaf);
        };
        loop {
            let def = match pair.next_with(one_by_one)?.ok()? {
                PairEvent::Leaf => TreeDef::LEAF,
                PairEvent::LeftLeaf(def) => def,
                _ => continue,
            };
            self.left = left;
            return self.full.part(def, pair.place().second.leaf);
        }
    }

    exact_size!(self => self.left as usize);

    /// Skips repeats that line up without reading them.
    fn nth(&mut self, n: usize) -> Option<View<'a, L>> {
        let Some(n) = u32::try_from(n).ok().filter(|n| *n < self.left) else {
            self.left = 0;
            return None;
        };
        if let Some(pair) = &mut self.pair {
            let end = pair.leaves().0.saturating_add(n);
            while pair.leaves().0 < end {
                let ahead = end.saturating_sub(pair.leaves().0);
                let copies = |_, _, count: u32, leaves| {
                    ahead.checked_div(leaves).map_or(0, |room| count.min(room))
                };
                pair.next_with(copies)?.ok()?;
            }
        }
        self.left = self.left.saturating_sub(n);
        self.next()
    }
}

impl<L> ExactSizeIterator for FlattenUpTo<'_, '_, L> {}

impl<L> FusedIterator for FlattenUpTo<'_, '_, L> {}

/// Writes each leaf of `prefix` once for every leaf of `full` below it, to the front of `leaves`, as
/// `jax.tree_util.broadcast_prefix`. Returns their number, which is that of the leaves of `full`.
///
/// With the structure of `full`, the leaves are the result of `jax.tree.broadcast`. A prefix of options works as
/// `in_axes` of `jax.vmap`. A leaf of the prefix is not written if its part of `full` has no leaves.
///
/// Costs the same as [`flatten_up_to`], and a clone for each leaf. Takes 6 kB of stack.
///
/// # Errors
///
/// As [`TreeDef::check_prefix_of`]; [`Error::LeavesFull`] with the number of leaves of `full`. Nothing is written then.
///
/// # Examples
///
/// ```
/// use treedef::dynamic::Flatten;
/// use treedef::{View, broadcast_prefix, tree, treedef};
///
/// // in_axes = (0, None) over (x, {"k1": y, "k2": z})
/// let in_axes = tree!((0, None));
/// let (mut bytes, mut axes) = ([0; 8], [None::<i32>; 2]);
/// let (prefix, count) = Flatten::new().none_is_leaf().flatten_into(&in_axes, &mut bytes, &mut axes)?;
/// assert_eq!((prefix, &axes[..count]), (treedef!((*, *)), [Some(0), None].as_slice()));
///
/// let mut each = [None; 3];
/// let prefix = View::new(prefix, &axes[..count])?;
/// assert_eq!(broadcast_prefix(prefix, treedef!((*, {"k1": *, "k2": *})), &mut each)?, 3);
/// assert_eq!(each, [Some(0), None, None]);
/// # Ok::<(), treedef::Error>(())
/// ```
#[doc(alias("tree_broadcast", "tree_broadcast_prefix", "flatten_axes", "in_axes", "vmap"))]
pub fn broadcast_prefix<'d, L: Clone>(
    prefix: View<'_, L>,
    full: impl Into<TreeDef<'d>>,
    leaves: &mut [L],
) -> Result<usize, Error> {
    let full = full.into();
    let spread = spread(prefix, full)?;
    let needed = Error::check_room(full.num_leaves(), leaves.len())?;
    hand_out(spread, leaves.iter_mut(), |leaf, slot| slot.clone_from(leaf));
    Ok(needed)
}

/// Calls `put` with each leaf and its slot. Equal leaves that follow one another are handed out in a loop of their own, which a
/// [`Iterator::zip`] does not have.
pub(super) fn hand_out<L, S>(
    leaves: impl Iterator<Item = L>,
    mut slots: impl Iterator<Item = S>,
    mut put: impl FnMut(L, S),
) {
    leaves.for_each(|leaf| {
        if let Some(slot) = slots.next() {
            put(leaf, slot);
        }
    });
}

/// The leaf of a prefix for each leaf of `full`.
pub(super) fn spread<'p, L>(
    prefix: View<'p, L>,
    full: TreeDef<'p>,
) -> Result<impl Iterator<Item = &'p L>, Error> {
    let parts = flatten_up_to(prefix.treedef(), View::bare(full))?;
    let leaves = prefix.leaves().iter().zip(parts);
    Ok(leaves.flat_map(|(leaf, part)| repeat_n(leaf, part.leaves().len())))
}
