//! Rebuilds trees: what a tree does for that, and the steps of a rebuild that read whole trees.

use crate::base::attempt::attempt;
use crate::base::error::Error;
use crate::base::slices::Pieces;
use crate::encode::arithmetic::small;
use crate::encode::depth::MAX_DEPTH;
use crate::encode::structure::{Structure, fixed_def};
use crate::format::head::Kind;
use crate::tree::leaf_types::LeafTypes;
use crate::tree::reading::{Copies, Full, Reading};
use crate::tree::rebuild::Rebuild;
use crate::tree::source::{Counted, NextOnly, Part, Source};
use crate::tree::vector::Vector;
use crate::treedef::cursor::Siblings;
use crate::treedef::treedef::TreeDef;

/// A tree that can be taken apart and put together again from a treedef and leaves. The guide to
/// [`containers`](crate::guide::containers) has an example.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tree whose leaves can be rebuilt as `{K}`",
    note = "for a type of your own, write `#[derive(treedef::Tree)]`, or `treedef::leaf!({Self});` to make it a leaf",
    note = "in generic code, add the bound `treedef::Tree<f32>`, with your leaf type for `f32`"
)]
pub trait TreeBuild<K: LeafTypes>: Structure + Sized {
    /// Calls `visit` with every leaf by value, in order. It is called only for a tree that was described, so it needs no
    /// bound for the depth. The guide to [`containers`](crate::guide::containers) has an example.
    fn take_leaves(self, visit: &mut impl FnMut(K::Owned));

    /// Rebuilds the next child of `list`, or returns `None`: then `rebuild` keeps the error, as it does for its own methods.
    /// The guide to [`containers`](crate::guide::containers) has an example.
    fn build<S: Source<K>>(rebuild: &mut Rebuild<'_, K, S>, list: &mut Siblings) -> Option<Self>;

    /// Whether [`TreeBuild::build_like`] can take this tree, with all below it, as a template. The guide to
    /// [`containers`](crate::guide::containers) has an example.
    #[inline]
    fn is_template(&self) -> bool {
        false
    }

    /// Rebuilds a tree of the same structure as `template` from the leaves that come next; `None` as from
    /// [`TreeBuild::from_leaves`].
    ///
    /// The copies of a child that a treedef repeats are built like the first of them, so that its bytes are read once.
    /// It is called where [`TreeBuild::is_template`] is true. The guide to [`containers`](crate::guide::containers) has
    /// an example.
    #[inline]
    fn build_like<S: Source<K>>(template: &Self, leaves: &mut S) -> Option<Self> {
        let _ = (template, leaves);
        None
    }

    /// Rebuilds a value of a type with a fixed treedef from the leaves that come next; `None` if one of them is of another
    /// type, or if there are too few. It is called only if [`Structure::TREEDEF`] is `Some`.
    ///
    /// It has to take the leaves in order and stop at the first that is wrong, so that the error names it.
    /// The default reads the treedef again, and passes on what [`TreeBuild::build`] refuses. The guide to [`containers`](crate::guide::containers) has an example.
    #[inline]
    fn from_leaves<S: Source<K>>(leaves: &mut S) -> Option<Self> {
        let source = NextOnly(&mut || leaves.next());
        let mut rebuild = Rebuild::new(Self::TREEDEF?, source, MAX_DEPTH);
        let tree = Self::build(&mut rebuild, &mut Siblings::root());
        match rebuild.outcome(tree) {
            Ok(tree) => Some(tree),
            Err(Error::WrongLeaf { .. } | Error::TooFewLeaves { .. }) => None,
            Err(error) => {
                leaves.refuse(0, Some(error));
                None
            }
        }
    }
}

/// Whether [`build_fixed`] can rebuild a `T` from the source `S`: the type determines its structure. The guide to
/// [`containers`](crate::guide::containers) has an example.
#[must_use]
pub const fn is_fixed<K: LeafTypes, T: TreeBuild<K>, S: Source<K>>() -> bool {
    T::TREEDEF.is_some() && S::AT_ONCE
}

/// Rebuilds the next child of `list` at once, without reading its nodes one by one. To be called only where [`is_fixed`] is
/// true, in an `if const`, so that the code for other types is not compiled. The guide to
/// [`containers`](crate::guide::containers) has an example.
#[inline]
pub fn build_fixed<K, T, S>(rebuild: &mut Rebuild<'_, K, S>, list: &mut Siblings) -> Option<T>
where
    K: LeafTypes,
    T: TreeBuild<K>,
    S: Source<K>,
{
    rebuild.build_fixed(list)
}

impl<'d, K: LeafTypes, S: Source<K>> Rebuild<'d, K, S> {
    /// Reads the next node of `list`, checks that its kind is `kind`, rebuilds each of its children as a `T` and collects
    /// them. A list that grows needs no other code in [`TreeBuild::build`](crate::tree::TreeBuild::build). The `FromIterator` of
    /// `C` has to keep all elements in their order: a container with bounded room, or one that overwrites, sorts or drops
    /// elements, builds them in a loop, as the guide to [`containers`](crate::guide::containers) shows.
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
