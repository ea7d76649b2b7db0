//! Rebuilds trees: what a tree does for that, and the steps that it takes.

use crate::base::error::Error;
use crate::encode::structure::HasSchema;
use crate::format::head::{Head, Kind};
use crate::format::heading::HeadSpec;
use crate::format::to_value::FromValue;
use crate::format::value::Value;
use crate::tree::leaf_types::{LeafAs, LeafTypes};
use crate::tree::meta_reader::MetaReader;
use crate::tree::reading::Reading;
use crate::tree::vector::Vector;
use crate::treedef::cursor::Siblings;

/// A tree that can be taken apart and put together again from a treedef and leaves. The guide to
/// [`containers`](crate::guide::containers) has an example.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tree whose leaves can be rebuilt as `{K}`",
    note = "for a type of your own, write `#[derive(treedef::Tree)]`, or `treedef::leaf!({Self});` to make it a leaf",
    note = "in generic code, add the bound `treedef::Tree<f32>`, with your leaf type for `f32`"
)]
pub trait TreeBuild<K: LeafTypes>: HasSchema + Sized {
    /// Whether the type determines the structure, and [`TreeBuild::build`] takes no other steps than [`Rebuild::begin_with`],
    /// [`Rebuild::leaf`], [`Rebuild::child`] and [`Rebuild::end`], with children whose types do so too. Then the bytes of a
    /// tree are compared at once, and `build` only takes leaves.
    const BUILDS_FROM_LEAVES: bool = false;

    /// Calls `visit` with every leaf by value, in order. It is called only for a tree that was described, so it needs no
    /// bound for the depth. The guide to [`containers`](crate::guide::containers) has an example.
    fn take_leaves(self, visit: &mut impl FnMut(K::Owned));

    /// Rebuilds the next child of `list`, or returns `None`: then `rebuild` keeps the error, as it does for its own methods.
    /// The guide to [`containers`](crate::guide::containers) has an example.
    ///
    /// Containers do not call it for their children. They call [`Rebuild::child`], which has faster ways for some types.
    fn build<'d, R: Rebuild<'d, K>>(rebuild: &mut R, list: &mut Siblings) -> Option<Self>;
}

/// The state of a rebuild: the position in the treedef, the remaining leaves, and the depth that is allowed.
///
/// [`TreeBuild::build`] of a container takes its steps. Each returns an option, for `?`: after a `None`, the rebuild keeps
/// the error. The guide to [`containers`](crate::guide::containers) has an example of each. No other crate implements it.
///
/// There are three: one takes the leaves from a slice, one from an iterator. The third builds a tree whose structure is
/// known, because its type determines it, or because it is a copy of the tree before it. It takes leaves and reads no
/// bytes. Where a step returns what was read, as the length of a list, it returns what was read for the tree before it. So
/// a container may choose its steps by what it read, but not by its leaves: then its copies can be refused.
pub trait Rebuild<'d, K: LeafTypes>: BuildSteps<'d, K> {
    /// Rebuilds the next child of `list`, which is a tree of type `T`. The guide to [`containers`](crate::guide::containers)
    /// has an example.
    ///
    /// `None` is as from [`TreeBuild::build`] of that type.
    fn child<T: TreeBuild<K>>(&mut self, list: &mut Siblings) -> Option<T>;

    /// The error for the next node: it is not the expected one. The guide to [`containers`](crate::guide::containers)
    /// has an example.
    #[must_use]
    fn mismatch(&self) -> Error {
        Error::Mismatch { node: self.reading().map_or(0, Reading::node) }
    }

    /// The error for the next node: its container holds `room` children, and the node has more. The guide to
    /// [`containers`](crate::guide::containers) has an example.
    #[must_use]
    fn full(&self, room: usize) -> Error {
        Error::Capacity { node: self.reading().map_or(0, Reading::node), room }
    }

    /// Keeps an error, unless an earlier one is kept. Returns `None`, which [`TreeBuild::build`] can return. The guide to
    /// [`containers`](crate::guide::containers) has an example.
    #[cold]
    fn fail<T>(&mut self, error: Error) -> Option<T> {
        self.reading_mut()?.note(error);
        None
    }

    /// Reads the head of the next child of `list`, which must be of this kind, and begins its children. The guide to
    /// [`containers`](crate::guide::containers) has an example.
    ///
    /// `None` keeps [`Error::Mismatch`] or [`Error::TooDeep`].
    #[inline]
    fn begin(&mut self, list: &mut Siblings, kind: Kind) -> Option<(Head<'d>, Siblings)> {
        self.reading_mut()?.begin(list, kind)
    }

    /// Reads the head of the next child of `list`, which must equal `spec`, and begins its children. The guide to
    /// [`containers`](crate::guide::containers) has an example.
    ///
    /// `None` is as from [`Rebuild::begin`].
    #[inline]
    fn begin_with<H: HeadSpec>(&mut self, list: &mut Siblings, spec: &H) -> Option<Siblings> {
        self.reading_mut()?.begin_with(list, spec)
    }

    /// Returns the head of the next child of `list` without reading it, or `None` at the end. The guide to
    /// [`containers`](crate::guide::containers) has an example.
    fn peek(&mut self, list: &Siblings) -> Option<Head<'d>> {
        self.reading_mut()?.peek(list)
    }

    /// Ends the children of a node that `begin` or `begin_with` began. The guide to
    /// [`containers`](crate::guide::containers) has an example.
    ///
    /// `None` keeps [`Error::Mismatch`]: some of them were not read.
    #[inline]
    fn end(&mut self, children: Siblings) -> Option<()> {
        self.reading_mut()?.end(&children)
    }

    /// Reads a `None`. The guide to [`containers`](crate::guide::containers) has an example.
    ///
    /// The result `None` keeps [`Error::Mismatch`].
    #[inline]
    fn none(&mut self, list: &mut Siblings) -> Option<()> {
        match self.take_none(list) {
            true => Some(()),
            false => self.fail(self.mismatch()),
        }
    }

    /// Reads a leaf that is a `T`. The guide to [`containers`](crate::guide::containers) has an example.
    ///
    /// `None` keeps [`Error::Mismatch`], [`Error::TooFewLeaves`] or [`Error::WrongLeaf`].
    #[inline]
    fn leaf<T: LeafAs<K>>(&mut self, list: &mut Siblings) -> Option<T> {
        read_leaf(self, list)
    }
}

/// What the rebuilds differ in, and the steps of derives and of the containers of this crate.
pub trait BuildSteps<'d, K: LeafTypes>: Sized {
    /// What reads the treedef, and keeps the error. `None` if the tree is a constant that was compared.
    fn reading(&self) -> Option<&Reading<'d>>;

    /// As [`BuildSteps::reading`], to go on.
    fn reading_mut(&mut self) -> Option<&mut Reading<'d>>;

    /// The next leaf.
    fn next_leaf(&mut self) -> Option<K::Owned>;

    /// The number of leaves that count as read and are not taken.
    fn leaves_ahead(&self) -> usize {
        0
    }

    /// Puts the children of `list` into `elements`. `full` is the error if there is no room.
    fn fill<T: TreeBuild<K>, C: Vector<T>>(
        &mut self,
        list: &mut Siblings,
        elements: &mut C,
        full: Error,
    ) -> Option<()>
    where
        Self: Rebuild<'d, K>,
    {
        for _ in 0..list.left() {
            if !elements.add(self.child(list)?) {
                return self.fail(full);
            }
        }
        Some(())
    }

    /// Reads the head of the next child of `list`, which must be a list, and begins its children.
    #[inline]
    fn begin_list(&mut self, list: &mut Siblings) -> Option<Siblings> {
        self.reading_mut()?.begin_list(list)
    }

    /// Reads the head of the next child of `list`, which must be `head`, and begins its children.
    #[inline]
    fn begin_const(
        &mut self,
        list: &mut Siblings,
        head: &'static Head<'static>,
    ) -> Option<Siblings> {
        self.reading_mut()?.begin_head(list, head)?;
        Some(Siblings::of(head))
    }

    /// Reads the head of the next child of `list`, if it is one of `heads`, and returns which. The type has more variants, of
    /// these names.
    #[inline]
    fn begin_any(
        &mut self,
        list: &mut Siblings,
        heads: &'static [Head<'static>],
        _: &'static [&'static str],
    ) -> Option<u32> {
        self.reading_mut()?.begin_any(list, heads)
    }

    /// The name of the next child of `list`, which is to be a variant of one of these names.
    #[inline]
    fn variant(&mut self, list: &mut Siblings, _: &'static [&'static str]) -> Option<&'d str>
    where
        Self: Rebuild<'d, K>,
    {
        self.peek(list)?.type_name()
    }

    /// Reads the head of the next child of `list`, which must be a struct with this name and these fields, and begins its
    /// children.
    fn begin_struct(
        &mut self,
        list: &mut Siblings,
        name: &str,
        fields: &[&str],
    ) -> Option<(MetaReader<'d>, Siblings)>
    where
        Self: Rebuild<'d, K>,
    {
        let mismatch = self.mismatch();
        let (head, children) = self.begin(list, Kind::Struct)?;
        if head.type_name() == Some(name) && head.fields().eq(fields.iter().copied()) {
            return Some((MetaReader::new(&head, mismatch), children));
        }
        self.fail(mismatch)
    }

    /// Ends the meta fields of a struct. `read` is what was made of them, or `None` if one of them differs.
    fn end_meta<T>(&mut self, meta: MetaReader<'d>, read: Option<T>) -> Option<T>
    where
        Self: Rebuild<'d, K>,
    {
        match meta.end(read) {
            Ok(read) => Some(read),
            Err(error) => self.fail(error),
        }
    }

    /// Reads the next child of `list` if it is a `None`, and says whether it is.
    #[inline]
    fn take_none(&mut self, list: &mut Siblings) -> bool {
        self.reading_mut().is_some_and(|reading| reading.take_none(list))
    }

    /// The key of a map that a stored key is.
    #[inline]
    fn key<Q: FromValue>(&self, key: Value<'_>) -> Option<Q> {
        Q::from_value(key)
    }

    /// Steps over the next child of `list` if it is neither stored nor in the defaults.
    #[inline]
    fn take_missing(&mut self, _: &mut Siblings) -> bool {
        false
    }

    /// Goes on after the child that could not be built, if it has no default but that of its field.
    #[inline]
    fn take_refused(&mut self) -> bool {
        false
    }
}

// Not inlined, and without calls in the usual case, so that it saves no registers.
#[inline(never)]
fn read_leaf<'d, K, R, T>(rebuild: &mut R, list: &mut Siblings) -> Option<T>
where
    K: LeafTypes,
    R: Rebuild<'d, K>,
    T: LeafAs<K>,
{
    let reading = rebuild.reading_mut()?;
    if !reading.cursor.try_leaf(list) {
        reading.take_leaf_of_long_run(list)?;
    }
    take_next_leaf(rebuild)
}

/// The next leaf, which counts as read.
#[inline]
pub(crate) fn take_next_leaf<'d, K, R, T>(rebuild: &mut R) -> Option<T>
where
    K: LeafTypes,
    R: Rebuild<'d, K>,
    T: LeafAs<K>,
{
    let next = rebuild.next_leaf();
    let is_missing = next.is_none();
    let leaf = next.and_then(T::leaf);
    if leaf.is_none() {
        refuse_leaf(rebuild, is_missing);
    }
    leaf
}

/// Keeps the error about the leaf that was taken last, or should have been.
#[cold]
#[inline(never)]
fn refuse_leaf<'d, K: LeafTypes, R: Rebuild<'d, K>>(rebuild: &mut R, is_missing: bool) {
    let ahead = rebuild.leaves_ahead();
    if let Some(reading) = rebuild.reading_mut() {
        reading.note_leaf(ahead, is_missing);
    }
}
