//! Rebuilds trees: reads a treedef in preorder and takes leaves from a source.

use core::marker::PhantomData;

use crate::base::attempt::attempt;
use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::format::head::{Head, Kind};
use crate::format::heading::HeadSpec;
use crate::tree::leaf_types::{LeafAs, LeafTypes};
use crate::tree::reading::Reading;
use crate::tree::source::Source;
use crate::treedef::cursor::Siblings;
use crate::treedef::treedef::TreeDef;

/// The state of a rebuild: the position in the treedef, the remaining leaves, and the depth that is allowed.
///
/// [`TreeBuild::build`](crate::tree::TreeBuild::build) of a container reads its nodes and leaves from it. The guide to
/// [`containers`](crate::guide::containers) has an example.
pub struct Rebuild<'d, K, S> {
    pub(crate) reading: Reading<'d>,
    pub(crate) source: S,
    leaf_types: PhantomData<fn() -> K>,
}

debug_struct!([K, S] Rebuild<'_, K, S> { reading });

impl<'d, K: LeafTypes, S: Source<K>> Rebuild<'d, K, S> {
    pub(crate) fn new(def: TreeDef<'d>, source: S, limit: u32) -> Self {
        Self { reading: Reading::new(def, limit), source, leaf_types: PhantomData }
    }

    /// The error for the next node: it is not the expected one. The guide to [`containers`](crate::guide::containers)
    /// has an example.
    #[must_use]
    pub const fn mismatch(&self) -> Error {
        Error::Mismatch { node: self.node() }
    }

    /// The error for the next node: its container holds `room` children, and the node has more. The guide to
    /// [`containers`](crate::guide::containers) has an example.
    #[must_use]
    pub const fn full(&self, room: usize) -> Error {
        Error::Capacity { node: self.node(), room }
    }

    /// Keeps an error, unless an earlier one is kept. Returns `None`, which [`TreeBuild::build`](crate::tree::TreeBuild::build) can return. The guide to
    /// [`containers`](crate::guide::containers) has an example.
    #[cold]
    pub fn fail<T>(&mut self, error: Error) -> Option<T> {
        self.reading.note(error);
        None
    }

    /// Reads the head of the next child of `list`, which must be of this kind, and begins its children. The guide to
    /// [`containers`](crate::guide::containers) has an example.
    ///
    /// `None` keeps [`Error::Mismatch`] or [`Error::TooDeep`].
    #[inline]
    pub fn begin(&mut self, list: &mut Siblings, kind: Kind) -> Option<(Head<'d>, Siblings)> {
        self.reading.begin(list, kind)
    }

    /// Reads the head of the next child of `list`, which must equal `spec`, and begins its children. The guide to
    /// [`containers`](crate::guide::containers) has an example.
    ///
    /// `None` is as from [`Rebuild::begin`].
    #[inline]
    pub fn begin_with<H: HeadSpec>(&mut self, list: &mut Siblings, spec: &H) -> Option<Siblings> {
        self.reading.begin_with(list, spec)
    }

    /// Returns the head of the next child of `list` without reading it, or `None` at the end. The guide to
    /// [`containers`](crate::guide::containers) has an example.
    #[must_use]
    pub fn peek(&self, list: &Siblings) -> Option<Head<'d>> {
        let (mut cursor, mut list) = (self.reading.cursor, *list);
        cursor.next(&mut list)
    }

    /// Ends the children of a node that `begin` or `begin_with` began. The guide to
    /// [`containers`](crate::guide::containers) has an example.
    ///
    /// `None` keeps [`Error::Mismatch`]: some of them were not read.
    #[inline]
    pub fn end(&mut self, children: Siblings) -> Option<()> {
        self.reading.end(&children).then_some(())
    }

    /// Reads a `None`. The guide to [`containers`](crate::guide::containers) has an example.
    ///
    /// The result `None` keeps [`Error::Mismatch`].
    #[inline]
    pub fn none(&mut self, list: &mut Siblings) -> Option<()> {
        match self.reading.cursor.take_none(list) {
            true => Some(()),
            false => self.fail(self.mismatch()),
        }
    }

    /// Reads a leaf that is a `T`. The guide to [`containers`](crate::guide::containers) has an example.
    ///
    /// `None` keeps [`Error::Mismatch`], [`Error::TooFewLeaves`] or [`Error::WrongLeaf`].
    // Not inlined, and without calls, so that it saves no registers.
    #[inline(never)]
    pub fn leaf<T: LeafAs<K>>(&mut self, list: &mut Siblings) -> Option<T> {
        match self.reading.cursor.try_leaf(list) {
            true => self.given(),
            false => self.leaf_in_any_form(list),
        }
    }

    #[inline(never)]
    fn leaf_in_any_form<T: LeafAs<K>>(&mut self, list: &mut Siblings) -> Option<T> {
        if self.reading.cursor.take_leaf(list) {
            return self.given();
        }
        self.reading.mismatch();
        None
    }

    /// The next leaf of the source, for the place that was read last.
    #[inline]
    fn given<T: LeafAs<K>>(&mut self) -> Option<T> {
        let Some(leaf) = self.source.next() else {
            self.reading.too_few(self.reading.cursor.num_leaves_read().wrapping_sub(1));
            return None;
        };
        let leaf = T::leaf(leaf);
        if leaf.is_none() {
            self.reading.wrong_leaf();
        }
        leaf
    }

    /// How many of the children of `list` to make room for: no more than leaves are given.
    pub(crate) fn room(&self, list: &Siblings) -> usize {
        if S::SLICED { list.left().min(self.reading.leaves_left()) } else { 0 }
    }

    /// The result of a rebuild: the tree, or the error that was kept.
    #[inline]
    pub(crate) fn outcome<T>(&mut self, tree: Option<T>) -> Result<T, Error> {
        self.reading.outcome(tree)
    }

    /// The index of the next node.
    pub(crate) const fn node(&self) -> u32 {
        self.reading.cursor.num_nodes_read()
    }

    /// Whether the element that was read last should be given to [`Rebuild::append`]: copies of it can follow.
    #[inline]
    pub(crate) fn is_repeated(&self, list: &Siblings) -> bool {
        self.reading.cursor.is_repeated(list)
    }

    /// Steps over the next child of `list`, which must have the structure `def`, and takes its leaves.
    #[inline(never)]
    pub(crate) fn leaves_of(
        &mut self,
        list: &mut Siblings,
        def: &TreeDef<'_>,
    ) -> Option<&[K::Owned]> {
        let first = attempt!(self.reading.take_fixed(list, def));
        let leaves = self.source.chunk(def.num_leaves());
        if leaves.is_none() {
            self.reading.too_few(first);
        }
        leaves
    }
}
