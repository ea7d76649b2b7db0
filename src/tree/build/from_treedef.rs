//! The source of trees whose structure is a treedef: the treedef, which is read as they ask, and leaves of a slice or an iterator.

use crate::base::attempt::ok;
use crate::base::bytes::small;
use crate::base::error::Error;
use crate::base::slices::{Pieces, try_array_of};
use crate::encode::constant::const_def;
use crate::encode::schema::Schema;
use crate::encode::structure::HasSchema;
use crate::format::keys::Keys;
use crate::format::value::Value;
use crate::tree::build::from_choices::FromChoices;
use crate::tree::build::from_leaves::FromLeaves;
use crate::tree::build::leaves::{Kept, LeafSource, Stopped, Why, children, is_chunk};
use crate::tree::build::reading::Reading;
use crate::tree::build::{Place, Source, TreeBuild};
use crate::tree::leaf_types::{LeafAs, LeafTypes};
use crate::tree::vector::Vector;
use crate::tree::walk::num_leaves;
use crate::treedef::treedef::TreeDef;

/// Leaves in a slice, which are cloned.
pub(crate) struct InSlice<'l, O>(pub(crate) &'l [O]);

impl<K: LeafTypes<Owned: Clone>> LeafSource<K> for InSlice<'_, K::Owned> {
    const IN_SLICE: bool = true;

    #[inline]
    fn next(&mut self) -> Option<K::Owned> {
        self.0.split_off_first().cloned()
    }

    #[inline]
    fn left(&self) -> usize {
        self.0.len()
    }

    #[inline]
    fn constant<T: TreeBuild<K>>(&mut self) -> Result<T, Stopped> {
        // In a slice of constant length, leaves are taken without a check.
        let count = const { num_leaves::<T>() };
        let leaves = ok!(self.0.split_off(..count).ok_or(Stopped::default()));
        match build_constant::<K, T>(leaves) {
            Ok(tree) => Ok(tree),
            Err(stopped) => Err(stopped.within(count, self.0.len())),
        }
    }

    #[inline]
    fn constants<T: TreeBuild<K>, C: Vector<T>>(
        &mut self,
        count: usize,
    ) -> Result<C, Option<Stopped>> {
        let all = count.saturating_mul(const { num_leaves::<T>() });
        constants::<K, T, C>(
            ok!(self.0.split_off(..all).ok_or(Some(Stopped::default()))),
            self.0.len(),
        )
    }

    // Not inlined, so that the loop has the registers for itself.
    #[inline(never)]
    fn copies<T: TreeBuild<K>, C: Vector<T>>(
        &mut self,
        choices: &[u8],
        (count, leaves): (usize, usize),
        elements: &mut C,
    ) -> Result<(), Option<Stopped>> {
        let all =
            ok!(self.0.split_off(..count.saturating_mul(leaves)).ok_or(Some(Stopped::default())));
        let (mut after, mut stopped) = (all.len().wrapping_add(self.0.len()), None);
        let filled = elements.fill(Pieces::new(all, leaves), |piece| {
            after = after.wrapping_sub(piece.len());
            let mut known = FromChoices::new(choices, InSlice(piece));
            let element = T::build(&mut known);
            if element.is_err() {
                stopped = Some(known.stopped::<K>().within(leaves, after));
            }
            element.ok()
        });
        if filled == Some(true) { Ok(()) } else { Err(stopped) }
    }
}

/// Builds a tree of constant structure from exactly its leaves.
#[inline(always)]
pub(crate) fn build_constant<K, T>(leaves: &[K::Owned]) -> Result<T, Stopped>
where
    K: LeafTypes<Owned: Clone>,
    T: TreeBuild<K>,
{
    if const { never_fails::<K, T>() } {
        // Exactly its leaves are at least one.
        let Some(spare) = leaves.first() else { return Err(Stopped::default()) };
        return Ok(build_without_errors::<K, T>(leaves, spare));
    }
    build_known::<K, T>(leaves)
}

/// The same by the choices of the tree, of which it has none.
#[inline(always)]
pub(crate) fn build_known<K, T>(leaves: &[K::Owned]) -> Result<T, Stopped>
where
    K: LeafTypes<Owned: Clone>,
    T: TreeBuild<K>,
{
    let mut known = FromChoices::new(&[], InSlice(leaves));
    match T::build(&mut known) {
        Ok(tree) => Ok(tree),
        Err(Kept) => Err(known.stopped::<K>()),
    }
}

/// Whether a tree is built by [`build_without_errors`].
pub(crate) const fn never_fails<K: LeafTypes, T: TreeBuild<K>>() -> bool {
    K::IS_ONE_TYPE && T::NEVER_FAILS && is_chunk::<T>()
}

/// Builds a tree that can always be built from exactly its leaves. It is no result, so that the compiler writes it where the caller
/// wants it.
#[inline(always)]
pub(crate) fn build_without_errors<K, T>(leaves: &[K::Owned], spare: &K::Owned) -> T
where
    K: LeafTypes<Owned: Clone>,
    T: TreeBuild<K>,
{
    match T::build(&mut FromLeaves { leaves, spare }) {
        Ok(tree) => tree,
        Err(never) => match never {},
    }
}

/// Makes a vector of trees of constant structure from exactly their leaves, after which there are `after` others.
// Not inlined, so that the loop has the registers for itself, and no method: by a reference to the leaves it takes half as much again.
#[inline(never)]
fn constants<K, T, C>(leaves: &[K::Owned], mut after: usize) -> Result<C, Option<Stopped>>
where
    K: LeafTypes<Owned: Clone>,
    T: TreeBuild<K>,
    C: Vector<T>,
{
    // In slices of constant length, leaves are taken without a check.
    let pieces = Pieces::new(leaves, const { num_leaves::<T>() });
    let mut elements = C::with_room(pieces.len());
    after = after.wrapping_add(leaves.len());
    for piece in pieces {
        after = after.wrapping_sub(piece.len());
        let element = match build_constant::<K, T>(piece) {
            Ok(element) => element,
            Err(stopped) => return Err(Some(stopped.within(piece.len(), after))),
        };
        if !elements.put(element) {
            return Err(None);
        }
    }
    Ok(elements)
}

/// Whether copies of a `T` are built from the choices of the first element: ten times faster, but each type in a `T` is compiled twice. So
/// elements with lists are read again for each copy.
const fn has_quick_copies<K: LeafTypes, T: HasSchema, L: LeafSource<K>>() -> bool {
    L::IN_SLICE && T::TREEDEF.is_none() && !T::SCHEMA.has_any_length()
}

/// A treedef that is read, and leaves.
pub(crate) struct FromTreeDef<'d, L> {
    reading: Reading<'d>,
    leaves: L,
    /// The number of leaves that were taken or asked for.
    taken: usize,
    /// The number of leaves of the treedef.
    total: usize,
    failed: Option<NotBuilt>,
}

/// Why a value could not be built, if not because of the next node.
#[derive(Clone, Copy)]
enum NotBuilt {
    Error(Error),
    /// A value of the node at this place was refused.
    Refused(Place),
    /// The leaf with this index is of another type.
    Leaf(u32),
    /// There is no leaf with this index.
    NoLeaf(u32),
}

/// Builds a tree of the structure `def` from `leaves`, and returns these as far as they are left.
pub(crate) fn read_tree<K, T, L>(def: TreeDef<'_>, leaves: L) -> Result<(T, L), Error>
where
    K: LeafTypes,
    T: TreeBuild<K>,
    L: LeafSource<K>,
{
    let (reading, total) = (Reading::new(def), def.num_leaves());
    let mut parts = FromTreeDef { reading, leaves, taken: 0, total, failed: None };
    match Source::<K>::child(&mut parts) {
        // A `build` by hand may leave children.
        Ok(tree) if parts.reading.is_done() => Ok((tree, parts.leaves)),
        _ => Err(parts.error()),
    }
}

impl<'d, L> FromTreeDef<'d, L> {
    /// The error that kept a value from being built.
    #[cold]
    #[inline(never)]
    fn error(&self) -> Error {
        let expected = self.total;
        match self.failed {
            Some(NotBuilt::Error(error)) => error,
            Some(NotBuilt::Refused(Place { at, leaves })) => {
                Error::Mismatch { node: self.reading.node(at, leaves as usize) }
            }
            Some(NotBuilt::Leaf(leaf)) => Error::WrongLeaf { leaf },
            Some(NotBuilt::NoLeaf(leaf)) => Error::TooFewLeaves { expected, found: leaf as usize },
            None => self.reading.error(self.taken),
        }
    }

    #[cold]
    #[inline(never)]
    fn keep(&mut self, failed: NotBuilt) -> Kept {
        self.failed.get_or_insert(failed);
        Kept
    }

    /// Keeps that the last leaf that was asked for is not given or has another type.
    #[cold]
    #[inline(never)]
    fn fail_leaf(&mut self, is_missing: bool) -> Kept {
        let leaf = small(self.taken.wrapping_sub(1));
        self.keep(if is_missing { NotBuilt::NoLeaf(leaf) } else { NotBuilt::Leaf(leaf) })
    }

    /// Keeps why a value was not built from known choices. Its node is the last that is no leaf.
    #[cold]
    #[inline(never)]
    fn fail_known(&mut self, Stopped { why, left }: Stopped) -> Kept {
        let before = small(self.total.wrapping_sub(left));
        self.keep(match why {
            Why::Error(error) => NotBuilt::Error(error),
            Why::Refused => {
                NotBuilt::Refused(Place { at: Some(self.reading.unit()), leaves: before })
            }
            Why::Leaf => NotBuilt::Leaf(before.wrapping_sub(1)),
        })
    }

    /// As [`FromTreeDef::fail_known`] for elements of a vector, for which there was no room if nothing is known.
    #[cold]
    #[inline(never)]
    fn fail_elements(&mut self, stopped: Option<Stopped>, room: usize) -> Kept {
        match stopped {
            Some(stopped) => self.fail_known(stopped),
            None => self.keep(NotBuilt::Error(Error::Capacity { node: 0, room })),
        }
    }
}

impl<'d, K: LeafTypes, L: LeafSource<K>> Source<'d, K> for FromTreeDef<'d, L> {
    type Error = Kept;

    #[inline(always)]
    fn begin(&mut self, schema: &'static Schema) -> Result<usize, Kept> {
        self.reading.begin(schema).ok_or(Kept)
    }

    #[inline]
    fn value(&mut self) -> Result<Value<'d>, Kept> {
        self.reading.value().ok_or(Kept)
    }

    #[inline]
    fn keys(&mut self, _: usize) -> Result<Keys<'d>, Kept> {
        self.reading.keys().map(Keys::of_head).ok_or(Kept)
    }

    fn tree(&mut self) -> Result<TreeDef<'d>, Kept> {
        self.reading.tree().ok_or(Kept)
    }

    // Not inlined, and without calls in the usual case, so that it saves no registers.
    #[inline(never)]
    fn leaf<T: LeafAs<K>>(&mut self) -> Result<T, Kept> {
        if self.reading.leaf().is_none() {
            return Err(Kept);
        }
        let next = self.leaves.next();
        self.taken = self.taken.wrapping_add(1);
        let is_missing = next.is_none();
        match next.and_then(T::leaf) {
            Some(leaf) => Ok(leaf),
            None => Err(self.fail_leaf(is_missing)),
        }
    }

    children!();

    #[inline]
    fn array<T: TreeBuild<K>, const N: usize>(&mut self) -> Result<[T; N], Kept> {
        try_array_of(|_| self.child(), || Kept)
    }

    fn elements<T: TreeBuild<K>, C: Vector<T>>(
        &mut self,
        count: usize,
        room: usize,
    ) -> Result<C, Kept> {
        if const { L::IN_SLICE && is_chunk::<T>() }
            && self.reading.constants(const_def::<T>(), count)
        {
            let all = count.saturating_mul(const { num_leaves::<T>() });
            self.taken = self.taken.wrapping_add(all);
            return match self.leaves.constants::<T, C>(count) {
                Ok(elements) => Ok(elements),
                Err(stopped) => Err(self.fail_elements(stopped, room)),
            };
        }
        let mut elements = C::with_room(self.leaves.to_reserve(count));
        let is_logged = const { has_quick_copies::<K, T, L>() } && self.reading.open_log();
        let mut left = count;
        while let Some(after) = left.checked_sub(1) {
            left = after;
            if is_logged {
                self.reading.clear_log();
            }
            if !elements.add(ok!(self.child())) {
                return Err(self.fail_elements(None, room));
            }
            // The constant is asked for again, so that the compiler makes no code for copies of other elements.
            if const { has_quick_copies::<K, T, L>() }
                && is_logged
                && self.reading.is_repeated(left)
            {
                left = left.wrapping_sub(ok!(self.copies::<K, T, C>(&mut elements, room)));
            }
        }
        if is_logged {
            self.reading.close_log();
        }
        Ok(elements)
    }

    fn place(&self) -> Place {
        Place { at: self.reading.begun(), leaves: small(self.taken) }
    }

    #[cold]
    fn refuse<T>(&mut self, place: Place) -> Result<T, Kept> {
        Err(self.keep(NotBuilt::Refused(place)))
    }

    #[cold]
    fn fail<T>(&mut self, error: Error) -> Result<T, Kept> {
        Err(self.keep(NotBuilt::Error(error)))
    }
}

impl<L> FromTreeDef<'_, L> {
    /// The next child, whose structure its type determines.
    fn constant<K: LeafTypes, T: TreeBuild<K>>(&mut self) -> Result<T, Kept>
    where
        L: LeafSource<K>,
    {
        if self.reading.constant(const_def::<T>()).is_none() {
            return Err(Kept);
        }
        self.taken = self.taken.wrapping_add(const { num_leaves::<T>() });
        match self.leaves.constant() {
            Ok(tree) => Ok(tree),
            Err(stopped) => Err(self.fail_known(stopped)),
        }
    }

    /// The next child, which is read.
    fn inside<K: LeafTypes, T: TreeBuild<K>>(&mut self) -> Result<T, Kept>
    where
        L: LeafSource<K>,
    {
        let outer = self.reading.enter();
        let tree = T::build(self);
        // Otherwise the position is that of the error.
        if tree.is_ok() {
            self.reading.leave(outer);
        }
        tree
    }

    /// Appends the copies of the element that was built last, from its choices. The result is how many there are.
    fn copies<K, T, C>(&mut self, elements: &mut C, room: usize) -> Result<usize, Kept>
    where
        K: LeafTypes,
        L: LeafSource<K>,
        T: TreeBuild<K>,
        C: Vector<T>,
    {
        let Some((count, leaves, (choices, len))) = self.reading.take_copies() else {
            return Ok(0);
        };
        let choices = choices.get(..len).unwrap_or(&[]);
        self.taken = self.taken.wrapping_add(count.saturating_mul(leaves));
        match self.leaves.copies::<T, C>(choices, (count, leaves), elements) {
            Ok(()) => Ok(count),
            Err(stopped) => Err(self.fail_elements(stopped, room)),
        }
    }
}
