//! Rebuilds trees: reads a treedef in preorder and takes leaves from a source.

use core::marker::PhantomData;

use crate::base::attempt::attempt;
use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::base::slices::Pieces;
use crate::encode::arithmetic::small;
use crate::encode::structure::fixed_def;
use crate::format::head::{Head, Kind};
use crate::format::heading::HeadSpec;
use crate::tree::leaf_types::{LeafAs, LeafTypes};
use crate::tree::reading::{Copies, Full, Reading};
use crate::tree::source::{Counted, Part, Source};
use crate::tree::traits::TreeBuild;
use crate::tree::vector::Vector;
use crate::treedef::cursor::Siblings;
use crate::treedef::treedef::TreeDef;

/// The state of a rebuild: the position in the treedef, the remaining leaves, and the depth that is allowed.
///
/// [`TreeBuild::build`] of a container reads its nodes and leaves from it. The guide to
/// [`containers`](crate::guide::containers) has an example.
pub struct Rebuild<'d, K, S> {
    pub(crate) reading: Reading<'d>,
    pub(crate) source: S,
    family: PhantomData<fn() -> K>,
}

debug_struct!([K, S] Rebuild<'_, K, S> { reading });

impl<'d, K: LeafTypes, S: Source<K>> Rebuild<'d, K, S> {
    pub(crate) fn new(def: TreeDef<'d>, source: S, limit: u32) -> Self {
        Self { reading: Reading::new(def, limit), source, family: PhantomData }
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

    /// Keeps an error, unless an earlier one is kept. Returns `None`, which [`TreeBuild::build`] can return. The guide to
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

    /// Reads the next node of `list`, checks that its kind is `kind`, rebuilds each of its children as a `T` and collects
    /// them. A list that grows needs no other code in [`TreeBuild::build`](crate::tree::TreeBuild::build).
    /// [`Structure`](crate::tree::Structure) has an example.
    ///
    /// `None` is as from [`Rebuild::begin`], or from a child.
    #[inline]
    pub fn collect<T, C>(&mut self, list: &mut Siblings, kind: Kind) -> Option<C>
    where
        T: TreeBuild<K>,
        C: FromIterator<T>,
    {
        let (head, mut children) = self.begin(list, kind)?;
        let trees = (0..head.num_children()).map(|_| T::build(self, &mut children));
        let trees = trees.collect::<Option<C>>()?;
        self.end(children)?;
        Some(trees)
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

    /// Rebuilds the children of `list` at once, if they all have the structure of `T`. Otherwise it reads nothing and returns
    /// `None`. `Some(None)` is an error, which is kept. Only for types of which [`in_chunks`] is true.
    #[inline]
    pub(crate) fn at_once<T, C>(&mut self, list: &mut Siblings, full: Full) -> Option<Option<C>>
    where
        T: TreeBuild<K>,
        C: Vector<T>,
    {
        let (def, count) = (fixed_def::<T>(), list.left());
        let first = attempt!(self.reading.take_alike(list, def));
        let leaves = match count.checked_mul(def.num_leaves()) {
            Some(all) => self.source.chunk(all),
            None => None,
        };
        let Some(leaves) = leaves else {
            self.reading.too_few(first);
            return Some(None);
        };
        match from_chunks::<K, S::Copies, T, C>(leaves, def.num_leaves(), full.error(), first) {
            Ok(elements) => Some(Some(elements)),
            Err(error) => {
                self.reading.note(error);
                Some(None)
            }
        }
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

    /// Appends the copies of the last element of `elements`, which was read from `list` and has the index `node`. Returns
    /// `false` if that fails.
    ///
    /// The copies take their structure from that element, so that its bytes are read once. Room is reserved only for copies
    /// whose leaves are given, so a length in a treedef alone never allocates.
    // Not inlined: where elements are rebuilt inside one another, its values are no part of each frame.
    #[inline(never)]
    pub(crate) fn append<T, C>(
        &mut self,
        list: &mut Siblings,
        node: u32,
        elements: &mut C,
        full: Full,
    ) -> bool
    where
        T: TreeBuild<K>,
        C: Vector<T>,
    {
        // A copy of an element that is no template is read like any other element.
        if !elements.elements().last().is_some_and(T::is_template) {
            return true;
        }
        // A constant, so that copies from a slice have no code for copies from an iterator.
        if const { !S::SLICED } {
            return self.append_from_iterator(list, node, elements, full);
        }
        let reading = &mut self.reading;
        let Some(CopiedLeaves { all, each, mut first }) =
            copied_leaves(reading, &mut self.source, list, node)
        else {
            return !reading.has_failed();
        };
        // The template is taken out and its leaves are given again, so that it stays outside the vector and the compiler knows
        // that the loop does not change it.
        let Some(template) = elements.take_last() else { return true };
        let filled = elements.fill(Pieces::new(all, each), |given| {
            let mut part = Part::<'_, _, S::Copies>::new(given);
            let tree = T::build_like(&template, &mut part);
            if tree.is_none() {
                reading.note(part.error(first, each));
            }
            first = first.wrapping_add(small(each));
            tree
        });
        if filled == Some(false) {
            self.reading.full(full);
        }
        filled == Some(true)
    }

    fn append_from_iterator<T, C>(
        &mut self,
        list: &mut Siblings,
        node: u32,
        elements: &mut C,
        full: Full,
    ) -> bool
    where
        T: TreeBuild<K>,
        C: Vector<T>,
    {
        let Some(Copies { count, first, .. }) = self.reading.copies(list, node) else {
            return true;
        };
        let mut given = Counted::new(&mut self.source);
        for _ in 0..count {
            let Some(template) = elements.elements().last() else { break };
            let Some(element) = T::build_like(template, &mut given) else {
                self.reading.note(given.error(first, self.reading.expected));
                return false;
            };
            if !self.reading.add(elements, element, full) {
                return false;
            }
        }
        true
    }

    /// Steps over the next child of `list`, which must have the fixed structure of `T`, and takes its leaves.
    ///
    /// # Errors
    ///
    /// [`Error::Mismatch`], [`Error::TooFewLeaves`], [`Error::WrongLeaf`].
    #[inline]
    pub(crate) fn build_fixed<T: TreeBuild<K>>(&mut self, list: &mut Siblings) -> Option<T> {
        // A container that does not ask `is_fixed` would call itself without end.
        if const { !S::AT_ONCE } {
            self.reading.mismatch();
            return None;
        }
        let def = fixed_def::<T>();
        if const { !S::SLICED } {
            return self.fixed_from_iterator(list, def);
        }
        let leaves = attempt!(self.leaves_of(list, def));
        // In a slice of constant length, leaves are taken without a check.
        let mut part = Part::<'_, _, S::Copies>::new(attempt!(
            leaves.get(..const { fixed_def::<T>().num_leaves() })
        ));
        let tree = T::from_leaves(&mut part);
        if tree.is_none() {
            let refusal = part.refusal();
            self.reading.refuse(refusal, def.num_leaves());
        }
        tree
    }

    fn fixed_from_iterator<T: TreeBuild<K>>(
        &mut self,
        list: &mut Siblings,
        def: &TreeDef<'_>,
    ) -> Option<T> {
        let first = attempt!(self.reading.take_fixed(list, def));
        let mut leaves = Counted::new(&mut self.source);
        let tree = T::from_leaves(&mut leaves);
        if tree.is_none() {
            self.reading.note(leaves.error(first, self.reading.expected));
        }
        tree
    }

    /// Steps over the next child of `list`, which must have the structure `def`, and takes its leaves.
    #[inline(never)]
    fn leaves_of(&mut self, list: &mut Siblings, def: &TreeDef<'_>) -> Option<&[K::Owned]> {
        let first = attempt!(self.reading.take_fixed(list, def));
        let leaves = self.source.chunk(def.num_leaves());
        if leaves.is_none() {
            self.reading.too_few(first);
        }
        leaves
    }
}

/// The leaves of an element and of its copies: all of them, how many each of them has, and the index of the first.
struct CopiedLeaves<'s, O> {
    all: &'s [O],
    each: usize,
    first: u32,
}

/// Steps over the copies of the child of `list` that was read last and has the index `node`. Returns their leaves, after
/// those of that child; `None` if there are no copies, or after an error, which `reading` keeps.
#[inline(never)]
fn copied_leaves<'s, K: LeafTypes, S: Source<K>>(
    reading: &mut Reading<'_>,
    source: &'s mut S,
    list: &mut Siblings,
    node: u32,
) -> Option<CopiedLeaves<'s, K::Owned>> {
    let Copies { count, leaves, first } = reading.copies(list, node)?;
    let each = leaves as usize;
    let all = match count.checked_mul(each) {
        Some(all) => source.chunk_after(each, all),
        None => None,
    };
    if all.is_none() {
        reading.too_few(first);
    }
    Some(CopiedLeaves { all: all?, each, first: first.wrapping_sub(leaves) })
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
    let each = const { fixed_def::<T>().num_leaves() };
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
    let pieces = Pieces::new(leaves, each);
    let elements = C::with_room(pieces.len());
    let made = pieces.map(|leaves| {
        let first = index;
        index = index.wrapping_add(small(leaves.len()));
        from_part::<K, S, T>(leaves, first)
    });
    elements.with(made, full)
}

/// Whether all elements can be templates.
// No `all`, which would be one more function for each type of element.
pub(crate) fn all_templates<K: LeafTypes, T: TreeBuild<K>>(elements: &[T]) -> bool {
    for element in elements {
        if !element.is_template() {
            return false;
        }
    }
    true
}
