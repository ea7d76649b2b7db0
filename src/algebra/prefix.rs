//! The prefix relation, and the parts of a tree that are at the leaves of a prefix.

use core::cmp::Ordering;
use core::iter::FusedIterator;

use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::dynamic::view::View;
use crate::treedef::pair::{Event, Pair, Relation};
use crate::treedef::treedef::TreeDef;

impl<'a> TreeDef<'a> {
    /// Checks that this structure is a prefix of `full`: that `full` has the same nodes where this one has nodes. Where
    /// this one has leaves, `full` has anything.
    ///
    /// One pass over both, with 3 kB of stack. Copies that line up are compared once; where they do not, the cost is
    /// the nodes of the smaller with repeats written out, and for each of its leaves a scan of the bytes that the other
    /// has there.
    ///
    /// `DIFFERENCE`: for optree dictionaries of any kind are prefixes of each other if their keys are; here, as for
    /// JAX, a dict is no `OrderedDict`. So the relation is a partial order.
    ///
    /// # Errors
    ///
    /// [`Error::NotPrefix`] with the first node that differs, as [`TreeDef::prefix_errors`] says in words;
    /// [`Error::TooDeep`] if more than [`MAX_PENDING`](crate::format::MAX_PENDING) levels are pending.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Error, treedef};
    ///
    /// let prefix = treedef!([*, (*, None)]);
    /// assert_eq!(prefix.check_prefix_of(treedef!([{"a": *}, ((), None)])), Ok(()));
    /// assert_eq!(prefix.check_prefix_of(treedef!([*, (*, *)])), Err(Error::NotPrefix { node: 4 }));
    /// ```
    pub fn check_prefix_of(self, full: TreeDef<'_>) -> Result<(), Error> {
        // What most callers have.
        if self == full {
            return Ok(());
        }
        let mut pair = Pair::new(self, full, Relation::Prefix);
        while let Some(event) = pair.next() {
            if let Event::Differ { .. } = event? {
                return Err(Error::NotPrefix { node: pair.place().node });
            }
        }
        Ok(())
    }

    /// The relation of the two as prefixes: `Less` if this is a prefix of `other` and not the same, `None` if
    /// neither is a prefix of the other; as `<=` and `<` of optree's `PyTreeSpec`.
    ///
    /// A partial order, with the leaf below everything. [`Ord`] is the order of the bytes and has nothing to do with
    /// it. Costs as [`TreeDef::check_prefix_of`].
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
    pub fn prefix_cmp(self, other: TreeDef<'_>) -> Result<Option<Ordering>, Error> {
        if self == other {
            return Ok(Some(Ordering::Equal));
        }
        let mut pair = Pair::new(self, other, Relation::Common);
        let mut order = Ordering::Equal;
        while let Some(event) = pair.next() {
            let here = match event? {
                Event::LeftLeaf(_) => Ordering::Less,
                Event::RightLeaf(_) => Ordering::Greater,
                Event::Differ { .. } => return Ok(None),
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

/// The parts of `full` at the leaves of `prefix`, in order, as `PyTreeDef.flatten_up_to`; one for each leaf
/// of the prefix.
///
/// Each is a view: a part of the treedef and of the leaves. Several trees are mapped at once, as by `jax.tree.map`, by
/// zipping the parts of the others with the leaves of the first. The whole is checked first; then a step costs the
/// nodes of the prefix up to its next leaf, with repeats written out, and a scan of the bytes of its part. Where both
/// have the same structure, of any depth, each part is one leaf and a step costs nothing. `nth` and `last` step over
/// copies together, and `count` costs nothing.
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
/// assert_eq!(error, Error::NotPrefix { node: 2 });
/// # Ok::<(), Error>(())
/// ```
pub fn flatten_up_to<'p, 'a, L>(
    prefix: TreeDef<'p>,
    full: View<'a, L>,
) -> Result<FlattenUpTo<'p, 'a, L>, Error> {
    let left = prefix.leaves();
    if prefix == full.treedef() {
        return Ok(FlattenUpTo { pair: None, full, left });
    }
    prefix.check_prefix_of(full.treedef())?;
    let pair = Some(Pair::expanded(prefix, full.treedef(), Relation::Prefix));
    Ok(FlattenUpTo { pair, full, left })
}

/// The parts of a tree, from [`flatten_up_to`].
#[must_use = "iterators do nothing until they are consumed"]
pub struct FlattenUpTo<'p, 'a, L> {
    /// The walk over both; none where they are the same, which can be deeper than it has room for.
    pair: Option<Pair<'p, 'a>>,
    full: View<'a, L>,
    /// Parts that are still to come.
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
            let leaf = self.full.treedef().leaves().checked_sub(self.left)?;
            self.left = left;
            return self.full.part(TreeDef::LEAF, leaf);
        };
        loop {
            let def = match pair.next()?.ok()? {
                Event::Leaf => TreeDef::LEAF,
                Event::LeftLeaf(def) => def,
                _ => continue,
            };
            self.left = left;
            return self.full.part(def, pair.place().second);
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }

    /// Steps over copies that line up without going through them.
    fn nth(&mut self, n: usize) -> Option<View<'a, L>> {
        let Some(n) = u32::try_from(n).ok().filter(|n| *n < self.left) else {
            self.left = 0;
            return None;
        };
        if let Some(pair) = &mut self.pair {
            let end = pair.first_leaves().saturating_add(n as usize);
            while pair.first_leaves() < end {
                let ahead = end.saturating_sub(pair.first_leaves());
                let room = |leaves: u32| ahead.checked_div(leaves as usize).unwrap_or(0);
                let some = |_, count: u32, leaves| {
                    u32::try_from(room(leaves)).map_or(count, |room| count.min(room))
                };
                pair.next_with(|_, _| true, some)?.ok()?;
            }
        }
        self.left = self.left.saturating_sub(n);
        self.next()
    }

    fn count(self) -> usize {
        self.left as usize
    }

    fn last(mut self) -> Option<View<'a, L>> {
        self.nth(self.len().checked_sub(1)?)
    }
}

impl<L> ExactSizeIterator for FlattenUpTo<'_, '_, L> {}

impl<L> FusedIterator for FlattenUpTo<'_, '_, L> {}

/// Writes each leaf of `prefix` once for every leaf of `full` below it, to the front of `leaves`, and gives their
/// number, the leaves of `full`; as `jax.tree_util.broadcast_prefix`.
///
/// With the structure of `full` they are `jax.tree.broadcast`. A prefix of options says what `in_axes` of `jax.vmap`
/// says. Where a part of `full` has no leaves, its leaf of the prefix is written no time.
///
/// Costs what [`flatten_up_to`] costs, and a copy for each leaf. Takes 6 kB of stack.
///
/// # Errors
///
/// As [`TreeDef::check_prefix_of`]; [`Error::LeavesFull`] with the leaves of `full`. Nothing is written then.
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
pub fn broadcast_prefix<L: Clone>(
    prefix: View<'_, L>,
    full: TreeDef<'_>,
    leaves: &mut [L],
) -> Result<usize, Error> {
    let parts = flatten_up_to(prefix.treedef(), View::bare(full))?;
    let (needed, room) = (full.num_leaves(), leaves.len());
    if needed > room {
        return Err(Error::LeavesFull { needed, room });
    }
    let mut rest = leaves;
    for (leaf, part) in prefix.leaves().iter().zip(parts) {
        let Some((slots, after)) = rest.split_at_mut_checked(part.leaves().len()) else { break };
        slots.fill(leaf.clone());
        rest = after;
    }
    Ok(needed)
}
