//! Rebuilds trees: reads a treedef in preorder and takes leaves from a source.

use core::marker::PhantomData;

use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::encode::depth::Depth;
use crate::format::head::{Head, Kind};
use crate::format::heading::HeadSpec;
use crate::format::to_value::{FromValue, ToValue};
use crate::format::value::Stop;
use crate::tree::leaf_types::{LeafAs, LeafTypes};
use crate::tree::traits::TreeBuild;
use crate::tree::vector::Vector;
use crate::treedef::cursor::{Cursor, Next, Siblings};
use crate::treedef::treedef::TreeDef;

/// Where leaves come from: a slice whose leaves are cloned, or an iterator. Only this crate makes one, and [`Rebuild`]
/// takes leaves from it; the code of a container passes it on. The guide to [`containers`](crate::guide::containers)
/// has an example.
pub trait Source<K: LeafTypes> {
    /// Whether [`Source::chunk`] returns leaves as long as enough of them are left.
    const SLICED: bool = false;

    /// The next leaf.
    fn next(&mut self) -> Option<K::Owned>;

    /// The next `count` leaves as a slice, if the source is a slice and has that number left.
    fn chunk(&mut self, count: usize) -> Option<&[K::Owned]>;

    /// Clones a leaf from a slice that [`Source::chunk`] returned. The guide to
    /// [`containers`](crate::guide::containers) has an example.
    fn copy(leaf: &K::Owned) -> Option<K::Owned>;
}

/// Clones leaves from a slice.
#[derive(Debug)]
pub(crate) struct Slice<'l, O>(pub(crate) &'l [O]);

impl<K: LeafTypes<Owned = O>, O: Clone> Source<K> for Slice<'_, O> {
    const SLICED: bool = true;

    #[inline]
    fn next(&mut self) -> Option<O> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first.clone())
    }

    #[inline]
    fn chunk(&mut self, count: usize) -> Option<&[O]> {
        let (chunk, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(chunk)
    }

    #[inline]
    fn copy(leaf: &O) -> Option<O> {
        Some(leaf.clone())
    }
}

/// Clones leaves from a chunk of the source `S`.
struct Part<'l, O, S>(&'l [O], PhantomData<fn() -> S>);

impl<K: LeafTypes<Owned = O>, O, S: Source<K>> Source<K> for Part<'_, O, S> {
    const SLICED: bool = true;

    #[inline]
    fn next(&mut self) -> Option<O> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        S::copy(first)
    }

    #[inline]
    fn chunk(&mut self, count: usize) -> Option<&[O]> {
        let (chunk, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(chunk)
    }

    #[inline]
    fn copy(leaf: &O) -> Option<O> {
        S::copy(leaf)
    }
}

/// Clones leaves from a slice with a function, one by one.
#[derive(Debug)]
pub(crate) struct Copied<'l, O> {
    pub(crate) leaves: &'l [O],
    pub(crate) copy: fn(&O) -> Option<O>,
}

impl<K: LeafTypes<Owned = O>, O> Source<K> for Copied<'_, O> {
    fn next(&mut self) -> Option<O> {
        let (first, rest) = self.leaves.split_first()?;
        self.leaves = rest;
        (self.copy)(first)
    }

    /// None: a type that is rebuilt from this source reads its leaves one by one.
    fn chunk(&mut self, _: usize) -> Option<&[O]> {
        None
    }

    fn copy(_: &O) -> Option<O> {
        None
    }
}

/// Takes leaves from an iterator.
#[derive(Debug)]
pub(crate) struct Moved<I>(pub(crate) I);

impl<K: LeafTypes, I: Iterator<Item = K::Owned>> Source<K> for Moved<I> {
    #[inline]
    fn next(&mut self) -> Option<K::Owned> {
        self.0.next()
    }

    fn chunk(&mut self, _: usize) -> Option<&[K::Owned]> {
        None
    }

    fn copy(_: &K::Owned) -> Option<K::Owned> {
        None
    }
}

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

    /// Takes the next leaf as a `T`; only for [`TreeBuild::build_like`], which reads no treedef. The guide to
    /// [`containers`](crate::guide::containers) has an example.
    ///
    /// # Errors
    ///
    /// [`Error::TooFewLeaves`] if no leaf is left; [`Error::WrongLeaf`] if the next leaf is of another type.
    #[inline]
    pub fn leaf_like<T: LeafAs<K>>(&mut self) -> Result<T, Error> {
        let index = self.cursor.num_leaves_read();
        self.cursor.count_leaves(1);
        self.leaf_at(index)
    }

    /// Takes the leaves of a whole `T` of fixed structure; only for [`TreeBuild::build_like`]. `None`, and nothing is
    /// taken, if the structure is not fixed or the leaves are not in a slice. The guide to
    /// [`containers`](crate::guide::containers) has an example.
    #[inline]
    pub fn fixed_like<T: TreeBuild<K>>(&mut self) -> Option<Result<T, Error>> {
        // A constant, as in `build_fixed`.
        if const { T::TREEDEF.is_none() } {
            return None;
        }
        let def = T::TREEDEF?;
        let index = self.cursor.num_leaves_read();
        let leaves = self.source.chunk(def.num_leaves())?;
        let tree = shift_leaf(T::from_leaves::<S>(leaves), index as usize);
        self.cursor.count_leaves(def.leaves());
        Some(tree)
    }

    /// As [`Rebuild::fixed_like`], for a vector of `count` elements of fixed structure. `full` is the error if the vector
    /// has no room.
    #[inline]
    pub(crate) fn elements_like<T, C>(
        &mut self,
        count: usize,
        full: Error,
    ) -> Option<Result<C, Error>>
    where
        T: TreeBuild<K>,
        C: Vector<T>,
    {
        if const { T::TREEDEF.is_none() } {
            return None;
        }
        let each = T::LEAVES.filter(|leaves| *leaves > 0)?;
        let mut index = self.cursor.num_leaves_read() as usize;
        let leaves = self.source.chunk(count.checked_mul(each)?)?;
        self.cursor.count_leaves(u32::try_from(leaves.len()).unwrap_or(0));
        Some(C::from_chunks(leaves, each, full, |leaves| {
            let element = shift_leaf(T::from_leaves::<S>(leaves), index);
            index = index.wrapping_add(each);
            element
        }))
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
        let (_, mut children) = self.begin(list, Kind::List)?;
        let count = children.left();
        if const { T::TREEDEF.is_some() }
            && let Some(def) = T::TREEDEF
        {
            let (mut cursor, mut siblings) = (self.cursor, children);
            let first = cursor.take_subtree(&mut siblings, def, def.node_count());
            if let Some((copies, leaves)) = cursor.repeats(&siblings) {
                cursor.skip_repeats(&mut siblings, copies, (def.node_count(), leaves));
            }
            if first
                && siblings.left() == 0
                && let Some(found) = self.elements_like(count, full)
            {
                (self.cursor, children, *elements) = (cursor, siblings, found?);
                return Ok(children);
            }
        }
        if S::SLICED {
            let leaves = self.expected.saturating_sub(self.cursor.num_leaves_read() as usize);
            *elements = C::with_room(count.min(leaves));
        }
        Ok(children)
    }

    /// A copy of a meta field, by way of its value. The guide to [`containers`](crate::guide::containers) has an
    /// example.
    ///
    /// # Errors
    ///
    /// [`Error::Mismatch`] if the type does not read back what it wrote.
    #[inline]
    pub fn meta_like<T: ToValue + FromValue>(&self, value: &T) -> Result<T, Error> {
        value.with_value(|value| T::from_value(value)).ok_or(self.mismatch())
    }

    /// The index of the next node, for [`Rebuild::copies`].
    pub(crate) const fn node(&self) -> u32 {
        self.cursor.num_nodes_read()
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
        let repeats = self.cursor.repeats(list).filter(|_| element.is_template());
        let Some((copies, leaves)) = repeats else {
            return if elements.add(element) { Ok(()) } else { Err(full) };
        };
        let nodes = self.cursor.num_nodes_read().wrapping_sub(node);
        let (count, each) = (copies as usize, leaves as usize);
        // A constant, so that copies from a slice have no code for copies from an iterator.
        if const { !S::SLICED } {
            if !elements.add(element) {
                return Err(full);
            }
            for _ in 0..count {
                let Some(template) = elements.elements().last() else { break };
                let element = T::build_like(template, self)?;
                if !elements.add(element) {
                    return Err(full);
                }
            }
            self.cursor.skip_repeats(list, copies, (nodes, 0));
            return Ok(());
        }
        let index = self.cursor.num_leaves_read();
        let few = Error::TooFewLeaves { expected: self.expected, found: index as usize };
        let all = count.checked_mul(each).and_then(|all| self.source.chunk(all)).ok_or(few)?;
        // A copy, so that the counters stay in registers.
        let mut cursor = self.cursor;
        let (depth, expected) = (self.depth, self.expected);
        let build = |template: &T, given: &[K::Owned], cursor| {
            let source = Part::<'_, _, S>(given, PhantomData);
            let mut rebuild = Rebuild { cursor, source, depth, expected, family: PhantomData };
            T::build_like(template, &mut rebuild)
        };
        // A template outside the vector, so that the compiler knows that the loop does not change it.
        let template = build(&element, all, cursor)?;
        self.cursor.skip_repeats(list, copies, (nodes, leaves));
        // Nodes without leaves are never repeated, so `each` is not 0; with `max` the compiler knows that `chunks_exact`
        // cannot panic.
        elements.fill(element, all.chunks_exact(each.max(1)), full, |given| {
            let here = cursor;
            cursor.count_leaves(leaves);
            build(&template, given, here)
        })
    }

    /// Steps over the next child of `list` if it has the structure `def` and the leaves are in a slice. Returns its
    /// leaves and the index of the first.
    #[inline]
    pub(crate) fn chunk(
        &mut self,
        list: &mut Siblings,
        def: TreeDef<'_>,
        nodes: u32,
    ) -> Option<(&[K::Owned], u32)> {
        let index = self.cursor.num_leaves_read();
        let (mut cursor, mut siblings) = (self.cursor, *list);
        if !cursor.take_subtree(&mut siblings, def, nodes) {
            return None;
        }
        let chunk = self.source.chunk(def.num_leaves())?;
        (self.cursor, *list) = (cursor, siblings);
        Some((chunk, index))
    }
}

/// Clones the first leaf of a chunk.
///
/// # Errors
///
/// [`Error::WrongLeaf`].
#[inline]
pub(crate) fn first_leaf<K, S, T>(leaves: &[K::Owned]) -> Result<T, Error>
where
    K: LeafTypes,
    S: Source<K>,
    T: LeafAs<K>,
{
    let wrong = Error::WrongLeaf { leaf: 0 };
    let [leaf] = leaves else { return Err(wrong) };
    T::leaf(S::copy(leaf).ok_or(wrong)?).ok_or(wrong)
}

/// Adds `before` to the index in [`Error::WrongLeaf`].
///
/// # Examples
///
/// ```
/// use treedef::Error;
/// use treedef::tree::shift_leaf;
///
/// // The second leaf of a child that comes after 4 leaves.
/// let error = shift_leaf::<()>(Err(Error::WrongLeaf { leaf: 1 }), 4);
/// assert_eq!(error, Err(Error::WrongLeaf { leaf: 5 }));
/// ```
#[inline]
pub fn shift_leaf<T>(result: Result<T, Error>, before: usize) -> Result<T, Error> {
    match result {
        Err(Error::WrongLeaf { leaf }) => {
            Err(Error::WrongLeaf { leaf: leaf.saturating_add(u32::try_from(before).unwrap_or(0)) })
        }
        other => other,
    }
}
