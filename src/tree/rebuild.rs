//! Rebuilds trees: reads a treedef in preorder and takes leaves from a source.

use core::marker::PhantomData;

use crate::base::attempt::{attempt, ok};
use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::encode::arithmetic::small;
use crate::encode::depth::Depth;
use crate::format::head::{Head, Kind};
use crate::format::heading::HeadSpec;
use crate::format::value::Stop;
use crate::tree::leaf_types::{LeafAs, LeafTypes};
use crate::tree::source::{Counted, Part, Source};
use crate::tree::traits::TreeBuild;
use crate::tree::vector::{Vector, is_grouped};
use crate::treedef::cursor::{Cursor, Next, Siblings};
use crate::treedef::treedef::TreeDef;

/// The state of a rebuild: the position in the treedef, the remaining leaves, and the depth that is allowed.
///
/// [`TreeBuild::build`] of a container reads its nodes and leaves from it. The guide to
/// [`containers`](crate::guide::containers) has an example.
pub struct Rebuild<'d, K, S> {
    cursor: Cursor<'d>,
    pub(crate) source: S,
    depth: Depth,
    expected: usize,
    family: PhantomData<fn() -> K>,
}

debug_struct!([K, S] Rebuild<'_, K, S> { cursor, expected });

impl<'d, K: LeafTypes, S: Source<K>> Rebuild<'d, K, S> {
    pub(crate) fn new(def: TreeDef<'d>, source: S, limit: u32) -> Self {
        Self {
            cursor: Cursor::new(def),
            source,
            depth: Depth::new(limit),
            expected: def.num_leaves(),
            family: PhantomData,
        }
    }

    /// The error for the next node: it is not the expected one. The guide to [`containers`](crate::guide::containers)
    /// has an example.
    #[must_use]
    pub const fn mismatch(&self) -> Error {
        Error::Mismatch { node: self.cursor.num_nodes_read() }
    }

    /// The error for the next node: its container holds `room` children, and the node has more. The guide to
    /// [`containers`](crate::guide::containers) has an example.
    #[must_use]
    pub const fn full(&self, room: usize) -> Error {
        Error::Capacity { node: self.cursor.num_nodes_read(), room }
    }

    /// Reads the head of the next child of `list`, which must be of this kind, and begins its children. The guide to
    /// [`containers`](crate::guide::containers) has an example.
    ///
    /// # Errors
    ///
    /// [`Error::Mismatch`], [`Error::TooDeep`].
    #[inline]
    pub fn begin(
        &mut self,
        list: &mut Siblings,
        kind: Kind,
    ) -> Result<(Head<'d>, Siblings), Error> {
        let mismatch = self.mismatch();
        let head = self.cursor.next(list).filter(|head| head.kind() == kind).ok_or(mismatch)?;
        self.depth.enter()?;
        Ok((head, Siblings::of(&head)))
    }

    /// Reads the head of the next child of `list`, which must equal `spec`, and begins its children. The guide to
    /// [`containers`](crate::guide::containers) has an example.
    ///
    /// # Errors
    ///
    /// As [`Rebuild::begin`].
    #[inline]
    pub fn begin_with<H: HeadSpec>(
        &mut self,
        list: &mut Siblings,
        spec: &H,
    ) -> Result<Siblings, Error> {
        let mismatch = self.mismatch();
        let head = self.cursor.next(list).ok_or(mismatch)?;
        let mut rest = head.as_bytes();
        let pieces = spec.pieces(&mut |piece| {
            rest = rest.strip_prefix(piece).ok_or(Stop::Refused)?;
            Ok(())
        });
        pieces.map_err(|_| mismatch)?;
        if !rest.is_empty() || head.kind() == Kind::Leaf {
            return Err(mismatch);
        }
        self.depth.enter()?;
        Ok(Siblings::of(&head))
    }

    /// Reads the next node of `list`, checks that its kind is `kind`, rebuilds each of its children as a `T` and collects
    /// them. A list that grows needs no other code in [`TreeBuild::build`](crate::tree::TreeBuild::build).
    /// [`Structure`](crate::tree::Structure) has an example.
    ///
    /// # Errors
    ///
    /// [`Error::Mismatch`] if the node is of another kind, [`Error::TooDeep`], and any error of a child.
    #[inline]
    pub fn collect<T, C>(&mut self, list: &mut Siblings, kind: Kind) -> Result<C, Error>
    where
        T: TreeBuild<K>,
        C: FromIterator<T>,
    {
        let (head, mut children) = self.begin(list, kind)?;
        let trees = (0..head.num_children()).map(|_| T::build(self, &mut children));
        let trees = trees.collect::<Result<C, Error>>()?;
        self.end(children)?;
        Ok(trees)
    }

    /// Returns the head of the next child of `list` without reading it, or `None` at the end. The guide to
    /// [`containers`](crate::guide::containers) has an example.
    #[must_use]
    pub fn peek(&self, list: &Siblings) -> Option<Head<'d>> {
        let (mut cursor, mut list) = (self.cursor, *list);
        cursor.next(&mut list)
    }

    /// Ends the children of a node that `begin` or `begin_with` began. The guide to
    /// [`containers`](crate::guide::containers) has an example.
    ///
    /// # Errors
    ///
    /// [`Error::Mismatch`] if some of them were not read.
    #[inline]
    pub fn end(&mut self, children: Siblings) -> Result<(), Error> {
        if !self.cursor.end(&children) {
            return Err(self.mismatch());
        }
        self.depth.leave();
        Ok(())
    }

    /// Reads a `None`. The guide to [`containers`](crate::guide::containers) has an example.
    ///
    /// # Errors
    ///
    /// [`Error::Mismatch`].
    #[inline]
    pub fn none(&mut self, list: &mut Siblings) -> Result<(), Error> {
        match self.take_none(list) {
            true => Ok(()),
            false => Err(self.mismatch()),
        }
    }

    /// Reads the next child of `list` if it is `None`, and says whether it is.
    #[inline]
    pub(crate) fn take_none(&mut self, list: &mut Siblings) -> bool {
        let next = self.next(list);
        self.cursor.take_head(list, &next, Head::NONE.as_bytes())
    }

    /// The next child of `list`.
    #[inline]
    pub(crate) fn next(&self, list: &mut Siblings) -> Next<'d> {
        self.cursor.peek(list)
    }

    /// Reads the head of `next`, the next child of `list`, and begins its children, if it has the encoded head `head`.
    /// Otherwise it reads nothing.
    ///
    /// # Errors
    ///
    /// [`Error::TooDeep`].
    #[inline]
    pub(crate) fn begin_head(
        &mut self,
        list: &mut Siblings,
        next: &Next<'d>,
        head: &[u8],
        children: u32,
    ) -> Result<Option<Siblings>, Error> {
        if !self.cursor.take_head(list, next, head) {
            return Ok(None);
        }
        self.depth.enter()?;
        Ok(Some(Siblings::new(children)))
    }

    /// Reads a leaf that is a `T`. The guide to [`containers`](crate::guide::containers) has an example.
    ///
    /// # Errors
    ///
    /// [`Error::Mismatch`], [`Error::TooFewLeaves`], [`Error::WrongLeaf`].
    #[inline]
    pub fn leaf<T: LeafAs<K>>(&mut self, list: &mut Siblings) -> Result<T, Error> {
        let index = self.cursor.num_leaves_read();
        if !self.cursor.take_leaf(list) {
            return Err(self.mismatch());
        }
        self.leaf_at(index)
    }

    /// The next leaf of the source, which has this index.
    #[inline]
    fn leaf_at<T: LeafAs<K>>(&mut self, index: u32) -> Result<T, Error> {
        let found = index as usize;
        let few = Error::TooFewLeaves { expected: self.expected, found };
        T::leaf(self.source.next().ok_or(few)?).ok_or(Error::WrongLeaf { leaf: index })
    }

    /// Takes the leaves of a whole `T` of fixed structure, which has `count` leaves. The first has the index `first`.
    #[inline]
    fn fixed<T: TreeBuild<K>>(&mut self, count: usize, first: u32) -> Result<T, Error> {
        if const { S::SLICED } {
            let few = Error::TooFewLeaves { expected: self.expected, found: first as usize };
            let Some(leaves) = self.source.chunk(count) else { return Err(few) };
            return from_part::<K, S::Copies, T>(leaves, first);
        }
        let mut leaves = Counted::new(&mut self.source);
        match T::from_leaves(&mut leaves) {
            Some(tree) => Ok(tree),
            None => Err(leaves.error(first, self.expected)),
        }
    }

    /// Reads the head of the next child of `list`, which must be a list, and begins its children.
    ///
    /// If they all have the structure of `T`, which is fixed, and the leaves are in a slice, it rebuilds them at once.
    /// Otherwise it makes room for them in `elements`, but for no more than leaves are given. `full` is the error if the
    /// vector has no room.
    #[inline]
    pub(crate) fn elements<T, C>(
        &mut self,
        list: &mut Siblings,
        elements: &mut C,
        full: Error,
    ) -> Result<Siblings, Error>
    where
        T: TreeBuild<K>,
        C: Vector<T>,
    {
        let (_, mut children) = ok!(self.begin(list, Kind::List));
        let count = children.left();
        if const { in_chunks::<K, S, T>() }
            && let Some(def) = T::TREEDEF
        {
            let (mut cursor, mut siblings) = (self.cursor, children);
            let first = cursor.take_subtree(&mut siblings, def, def.node_count());
            if let Some((copies, leaves)) = cursor.repeats(&siblings) {
                cursor.skip_repeats(&mut siblings, copies, (def.node_count(), leaves));
            }
            let each = def.num_leaves();
            if first
                && siblings.left() == 0
                && let Some(all) = count.checked_mul(each)
                && let Some(leaves) = self.source.chunk(all)
            {
                let index = self.cursor.num_leaves_read();
                *elements = ok!(from_chunks::<K, S::Copies, T, C>(leaves, each, full, index));
                (self.cursor, children) = (cursor, siblings);
                return Ok(children);
            }
        }
        if S::SLICED {
            let leaves = self.expected.saturating_sub(self.cursor.num_leaves_read() as usize);
            *elements = C::with_room(count.min(leaves));
        }
        Ok(children)
    }

    /// The index of the next node, for [`Rebuild::copies`].
    pub(crate) const fn node(&self) -> u32 {
        self.cursor.num_nodes_read()
    }

    /// Whether copies of the element that was read last can follow. If not, it need not be given to [`Rebuild::append`].
    #[inline]
    pub(crate) fn is_repeated(&self, list: &Siblings) -> bool {
        self.cursor.is_repeated(list)
    }

    /// Appends `element`, which was read from `list` and has the index `node`, and its copies, if the treedef repeats it.
    ///
    /// The copies take their structure from `element`, so that its bytes are read once. Room is reserved only for copies
    /// whose leaves are given, so a length in a treedef alone never allocates. `full` is the error if `elements` has no
    /// room.
    // Not inlined: where elements are rebuilt inside one another, its values are no part of each frame.
    #[inline(never)]
    pub(crate) fn append<T, C>(
        &mut self,
        list: &mut Siblings,
        (node, element): (u32, T),
        elements: &mut C,
        full: Error,
    ) -> Result<(), Error>
    where
        T: TreeBuild<K>,
        C: Vector<T>,
    {
        let repeats = match self.cursor.repeats(list) {
            Some(repeats) if element.is_template() => Some(repeats),
            _ => None,
        };
        let Some((copies, leaves)) = repeats else {
            return if elements.add(element) { Ok(()) } else { Err(full) };
        };
        let nodes = self.cursor.num_nodes_read().wrapping_sub(node);
        let (count, each) = (copies as usize, leaves as usize);
        let mut index = self.cursor.num_leaves_read();
        self.cursor.skip_repeats(list, copies, (nodes, leaves));
        // A constant, so that copies from a slice have no code for copies from an iterator.
        if const { !S::SLICED } {
            if !elements.add(element) {
                return Err(full);
            }
            let mut given = Counted::new(&mut self.source);
            for _ in 0..count {
                let Some(template) = elements.elements().last() else { break };
                let Some(element) = T::build_like(template, &mut given) else {
                    return Err(given.error(index, self.expected));
                };
                if !elements.add(element) {
                    return Err(full);
                }
            }
            return Ok(());
        }
        let few = Error::TooFewLeaves { expected: self.expected, found: index as usize };
        let all = match count.checked_mul(each) {
            Some(all) => self.source.chunk(all),
            None => None,
        };
        let Some(all) = all else { return Err(few) };
        // A template outside the vector, so that the compiler knows that the loop does not change it.
        let template = ok!(like_in_part::<K, S::Copies, T>(&element, all, index));
        // Nodes without leaves are never repeated, so `each` is not 0; with `max` the compiler knows that `chunks_exact`
        // cannot panic.
        elements.fill(element, all.chunks_exact(each.max(1)), full, |given| {
            let first = index;
            index = index.wrapping_add(leaves);
            like_in_part::<K, S::Copies, T>(&template, given, first)
        })
    }

    /// Steps over the next child of `list`, which must have the fixed structure of `T`, and takes its leaves.
    ///
    /// # Errors
    ///
    /// [`Error::Mismatch`], [`Error::TooFewLeaves`], [`Error::WrongLeaf`].
    #[inline]
    pub(crate) fn build_fixed<T: TreeBuild<K>>(&mut self, list: &mut Siblings) -> Result<T, Error> {
        // A container that does not ask `is_fixed` would call itself without end.
        if const { !S::AT_ONCE } {
            return Err(self.mismatch());
        }
        let def = T::TREEDEF.unwrap_or(TreeDef::NONE);
        let first = self.cursor.num_leaves_read();
        if !self.cursor.take_subtree(list, def, def.node_count()) {
            return Err(self.differs(list, def));
        }
        self.fixed(def.num_leaves(), first)
    }

    /// The error for the next child of `list`, which has not the structure `def`.
    #[cold]
    fn differs(&self, list: &mut Siblings, def: TreeDef<'_>) -> Error {
        let common = self.cursor.in_common(list, def);
        Error::Mismatch { node: self.cursor.num_nodes_read().wrapping_add(common) }
    }
}

/// Rebuilds a value of fixed structure from its leaves, the first of which has the index `first`.
#[inline]
pub(crate) fn from_part<K, C, T>(leaves: &[K::Owned], first: u32) -> Result<T, Error>
where
    K: LeafTypes,
    C: Source<K>,
    T: TreeBuild<K>,
{
    let mut part = Part::<'_, _, C>::new(leaves);
    match T::from_leaves(&mut part) {
        Some(tree) => Ok(tree),
        None => Err(part.error(first, leaves.len())),
    }
}

/// Whether elements of type `T` are rebuilt from chunks of leaves of one length: their structure is fixed and has leaves.
pub(crate) const fn in_chunks<K: LeafTypes, S: Source<K>, T: TreeBuild<K>>() -> bool {
    S::SLICED && T::TREEDEF.is_some() && !matches!(T::LEAVES, Some(0))
}

/// Rebuilds `count` elements of fixed structure from the next leaves of a slice, for [`TreeBuild::build_like`].
#[inline]
pub(crate) fn elements_from<K, S, T, C>(count: usize, leaves: &mut S) -> Option<C>
where
    K: LeafTypes,
    S: Source<K>,
    T: TreeBuild<K>,
    C: Vector<T>,
{
    let each = T::LEAVES.unwrap_or(0);
    let given = attempt!(leaves.chunk(attempt!(count.checked_mul(each))));
    let all = given.len();
    // There is room: the template has the same length.
    match from_chunks::<K, S::Copies, T, C>(given, each, Error::TooLarge, 0) {
        Ok(elements) => Some(elements),
        Err(Error::WrongLeaf { leaf }) => {
            leaves.refuse(all.saturating_sub(leaf as usize).saturating_sub(1), None);
            None
        }
        Err(error) => {
            leaves.refuse(0, Some(error));
            None
        }
    }
}

/// Rebuilds elements of fixed structure, each from the next `each` leaves, the first of which has the index `index`. `full`
/// is the error if there is no room.
#[inline]
fn from_chunks<K, S, T, C>(
    leaves: &[K::Owned],
    each: usize,
    full: Error,
    mut index: u32,
) -> Result<C, Error>
where
    K: LeafTypes,
    S: Source<K>,
    T: TreeBuild<K>,
    C: Vector<T>,
{
    let each = each.max(1);
    let count = leaves.chunks_exact(each).len();
    let (elements, rest) = if const { C::GROUPS && is_grouped::<T, T>() } {
        let groups = leaves.chunks_exact(each.saturating_mul(4));
        let rest = groups.remainder();
        let groups = groups.map(|leaves| {
            let first = index;
            index = index.wrapping_add(small(leaves.len()));
            match group_of::<K, S, T>(leaves) {
                Some(group) => Ok(group),
                None => one_by_one::<K, S, T>(leaves, each, first),
            }
        });
        (ok!(C::from_groups(count, groups, full)), rest)
    } else {
        (C::with_room(count), leaves)
    };
    let rest = rest.chunks_exact(each).map(|leaves| {
        let first = index;
        index = index.wrapping_add(small(leaves.len()));
        from_part::<K, S, T>(leaves, first)
    });
    elements.with(rest, full)
}

/// Rebuilds four elements from their leaves; `None` if one of them refuses a leaf, or if leaves are left.
#[inline]
fn group_of<K, S, T>(leaves: &[K::Owned]) -> Option<[T; 4]>
where
    K: LeafTypes,
    S: Source<K>,
    T: TreeBuild<K>,
{
    let mut part = Part::<'_, _, S>::new(leaves);
    let group = attempt!(<[T; 4]>::from_leaves(&mut part));
    if part.is_empty() { Some(group) } else { None }
}

/// As [`group_of`], each element from leaves of its own: an error then has its leaf, and an element by hand that takes too
/// few leaves does not shift those of the next.
#[cold]
#[inline(never)]
fn one_by_one<K, S, T>(leaves: &[K::Owned], each: usize, first: u32) -> Result<[T; 4], Error>
where
    K: LeafTypes,
    S: Source<K>,
    T: TreeBuild<K>,
{
    let (mut leaves, mut index) = (leaves.chunks_exact(each.max(1)), first);
    let mut next = || {
        let first = index;
        index = index.wrapping_add(small(each));
        from_part::<K, S, T>(leaves.next().unwrap_or_default(), first)
    };
    Ok([ok!(next()), ok!(next()), ok!(next()), ok!(next())])
}

/// As [`from_part`], for a value of the structure of `template`.
#[inline]
fn like_in_part<K, C, T>(template: &T, leaves: &[K::Owned], first: u32) -> Result<T, Error>
where
    K: LeafTypes,
    C: Source<K>,
    T: TreeBuild<K>,
{
    let mut part = Part::<'_, _, C>::new(leaves);
    match T::build_like(template, &mut part) {
        Some(tree) => Ok(tree),
        None => Err(part.error(first, leaves.len())),
    }
}
