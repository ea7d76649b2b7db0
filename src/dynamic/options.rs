//! The operations on objects, and their options.

use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::dynamic::flatten::{Counter, Each, Keep, Leaves, Slots, Walk};
use crate::dynamic::object::Object;
use crate::dynamic::rule::{AsksLeaf, Plain, Predicate, Rule, WithTrail};
use crate::dynamic::trail::{NoTrail, Trail};
use crate::encode::arithmetic::sum;
use crate::encode::bound::Bound;
use crate::encode::builder::Builder;
use crate::encode::depth::MAX_DEPTH;
use crate::encode::encoder::{Encode, LeavesOnly};
use crate::encode::output::Output;
use crate::treedef::treedef::TreeDef;

/// The operations on an [`Object`], with the options that `jax.tree.flatten` and its kin have.
///
/// Leaves go into slots that keep them as they are, copied or as `Some`: [`Keep`]. Without a predicate a leaf is what
/// the object says it is ([`Object::Leaf`]): a [`Node<f32>`](crate::Node) fills `[f32]`. With a predicate, or with
/// `None` as a leaf, leaves are objects, since a whole subtree can be one: it fills `[&Node<f32>]`, `[Node<f32>]`,
/// `[Option<&Node<f32>>]` or `[Option<f32>]`, where what is no leaf of its own is `None`.
///
/// A call takes one pass over the tree, and compares neighbours as [`structure_into`](crate::structure_into). Each
/// level of the tree takes a frame of the stack; the depth is bounded.
///
/// # Examples
///
/// ```
/// use treedef::dynamic::Flatten;
/// use treedef::{Kind, Node, tree};
///
/// let tree = tree!([1, {"a": (2, 3), "b": None}]);
/// let (mut bytes, mut leaves) = ([0; 16], [&tree; 4]);
/// let options = Flatten::new().is_leaf(|node: &Node<i32>| node.kind() == Kind::Tuple).none_is_leaf();
/// let (def, count) = options.flatten_into(&tree, &mut bytes, &mut leaves)?;
/// // [*, {'a': *, 'b': *}]
/// assert_eq!(def.as_bytes(), [0x42, 0x00, 0x62, 4, 1, b'a', 1, b'b', 0x01]);
/// assert_eq!(leaves[..count].iter().map(|leaf| leaf.kind()).collect::<Vec<_>>(), [Kind::Leaf, Kind::Tuple, Kind::None]);
/// # Ok::<(), treedef::Error>(())
/// ```
///
/// `P` is the predicate. `OBJECTS` says that leaves are handed over as objects: with a predicate, or with `None` as a
/// leaf. `Flatten` alone names the type of options with neither.
#[derive(Clone, Copy)]
#[must_use]
pub struct Flatten<P = Plain, const OBJECTS: bool = false> {
    predicate: P,
    none_is_leaf: bool,
    max_depth: u32,
}

debug_struct!([P, const OBJECTS: bool] Flatten<P, OBJECTS> { none_is_leaf, max_depth });

impl Flatten {
    /// No predicate, `None` is a node, at most [`MAX_DEPTH`] levels.
    pub const fn new() -> Self {
        Self { predicate: Plain, none_is_leaf: false, max_depth: MAX_DEPTH }
    }
}

impl Default for Flatten {
    fn default() -> Self {
        Self::new()
    }
}

impl<P, const OBJECTS: bool> Flatten<P, OBJECTS> {
    /// Allows `levels` nodes inside one another; a tree that is deeper is [`Error::TooDeep`].
    ///
    /// Each takes a frame of the stack, and only this bounds the depth of a tree.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::Flatten;
    /// use treedef::{Error, tree};
    ///
    /// let options = Flatten::new().max_depth(2);
    /// assert_eq!(options.num_leaves(&tree!([[1, 2]])), Ok(2));
    /// assert_eq!(options.num_leaves(&tree!([[[1, 2]]])), Err(Error::TooDeep { limit: 2 }));
    /// ```
    pub const fn max_depth(mut self, levels: u32) -> Self {
        self.max_depth = levels;
        self
    }

    /// An object of which `predicate` is true is a leaf, with all below it: as `is_leaf` of `jax.tree.flatten`.
    ///
    /// It is asked of every object from the root downwards, of leaves and `None` too, but not below a leaf. There is
    /// one predicate: it takes the place of one that was given before.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::Flatten;
    /// use treedef::{Node, tree};
    ///
    /// let tree = tree!([(1, 2), [3]]);
    /// let options = Flatten::new().is_leaf(|node: &Node<i32>| matches!(node, Node::Tuple(_)));
    /// assert_eq!(options.num_leaves(&tree)?, 2);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn is_leaf<O, F: FnMut(O) -> bool>(self, predicate: F) -> Flatten<F, true> {
        self.with(predicate)
    }

    /// As [`Flatten::is_leaf`], and the predicate sees the entries on the way from the root: as `is_leaf_takes_path`.
    ///
    /// The walk goes over the keys of each node once; [`Trail`] says what it costs to find an entry.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::{Flatten, Trail};
    /// use treedef::{KeyEntry, Node, tree};
    ///
    /// let tree = tree!({"frozen": [1, 2, 3], "live": [4, 5]});
    /// let frozen = |path: Trail<'_>, _: &Node<i32>| path.get(0) == Some(KeyEntry::Key("frozen".into()));
    /// assert_eq!(Flatten::new().is_leaf_at(frozen).num_leaves(&tree)?, 3);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn is_leaf_at<O, F>(self, predicate: F) -> Flatten<WithTrail<F>, true>
    where
        F: FnMut(Trail<'_>, O) -> bool,
    {
        self.with(WithTrail(predicate))
    }

    /// Every `None` is a leaf, as with `is_leaf=lambda x: x is None` in JAX.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::Flatten;
    /// use treedef::{Node, tree};
    ///
    /// let tree = tree!([1, None]);
    /// assert_eq!(Flatten::new().num_leaves(&tree)?, 1);
    /// assert_eq!(Flatten::new().none_is_leaf().num_leaves(&tree)?, 2);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn none_is_leaf(self) -> Flatten<P, true> {
        let Self { predicate, max_depth, .. } = self;
        Flatten { predicate, none_is_leaf: true, max_depth }
    }

    /// The other options with this predicate.
    fn with<Q>(self, predicate: Q) -> Flatten<Q, true> {
        Flatten { predicate, none_is_leaf: self.none_is_leaf, max_depth: self.max_depth }
    }

    /// Flattens: writes the structure into `bytes` and the leaves to the front of `leaves`, as `jax.tree.flatten`.
    ///
    /// # Errors
    ///
    /// [`Error::Full`] with the length of `bytes`, and [`Flatten::structure_bound`] says what is enough;
    /// [`Error::LeavesFull`] with the exact need; [`Error::TooDeep`], [`Error::TooLarge`]; what is wrong with the keys
    /// of a dictionary; what the object has.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::Flatten;
    /// use treedef::tree;
    ///
    /// let (mut bytes, mut leaves) = ([0; 4], [0.0; 3]);
    /// let (def, count) = Flatten::new().flatten_into(&tree!((1.0, [2.0, 3.0])), &mut bytes, &mut leaves)?;
    /// assert_eq!(def.as_bytes(), [0x22, 0x00, 0x42, 0x01]);
    /// assert_eq!((count, leaves), (3, [1.0, 2.0, 3.0]));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn flatten_into<'b, O, T>(
        mut self,
        object: O,
        bytes: &'b mut [u8],
        leaves: &mut [T],
    ) -> Result<(TreeDef<'b>, usize), Error>
    where
        O: Object,
        Self: Rule<O>,
        T: Keep<<Self as Rule<O>>::Item>,
    {
        let (slots, mut output) = (leaves.len(), Output::written(bytes));
        let count = self.describe(object, &mut output, Slots::new(leaves))?;
        Ok((output.finish(count)?, enough(count, slots)?))
    }

    /// Flattens onto a builder: adds the structure as one child of its open node and writes the leaves to the front of
    /// `leaves`; gives their number.
    ///
    /// So a tree is made part by part, of several objects and of nodes that are added to the builder between them.
    ///
    /// # Errors
    ///
    /// As [`Flatten::flatten_into`]. After [`Error::LeavesFull`] the structure is added all the same; after any other
    /// error the builder is as before; [`Error::Full`] and [`Error::TooLarge`] spoil it.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::Flatten;
    /// use treedef::{Builder, tree, treedef};
    ///
    /// let (mut bytes, mut leaves) = ([0; 32], [0; 2]);
    /// let mut builder = Builder::new(&mut bytes);
    /// let state = builder.begin_dict(&["params", "step"])?;
    /// assert_eq!(Flatten::new().flatten_onto(&tree!((1, 2)), &mut builder, &mut leaves)?, 2);
    /// builder.leaves(1)?;
    /// builder.end(state)?;
    /// assert_eq!(builder.finish()?, treedef!({"params": (*, *), "step": *}));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn flatten_onto<O, T>(
        mut self,
        object: O,
        builder: &mut Builder<'_>,
        leaves: &mut [T],
    ) -> Result<usize, Error>
    where
        O: Object,
        Self: Rule<O>,
        T: Keep<<Self as Rule<O>>::Item>,
    {
        let (room, limit) = (leaves.len(), self.max_depth);
        let count = builder.add_object(|output, list| {
            Walk::run(object, output, list, &mut self, Slots::new(leaves), limit)
        })?;
        enough(count, room)
    }

    /// Writes the structure into `bytes`, as `jax.tree.structure`.
    ///
    /// # Errors
    ///
    /// As [`Flatten::flatten_into`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::Flatten;
    /// use treedef::{Error, tree};
    ///
    /// let tree = tree!({"b": 1, "a": None});
    /// let mut bytes = [0; 8];
    /// let def = Flatten::new().structure_into(&tree, &mut bytes)?;
    /// assert_eq!(def.as_bytes(), [0x62, 4, 1, b'a', 1, b'b', 0xC0, 0x00]);
    /// let error = Flatten::new().structure_into(&tree, &mut [0; 3]).unwrap_err();
    /// assert_eq!(error, Error::Full { room: 3 });
    /// # Ok::<(), Error>(())
    /// ```
    pub fn structure_into<O>(mut self, object: O, bytes: &mut [u8]) -> Result<TreeDef<'_>, Error>
    where
        O: Object,
        Self: Rule<O>,
    {
        let mut output = Output::written(bytes);
        let count = self.describe(object, &mut output, Counter::default())?;
        output.finish(count)
    }

    /// A number of bytes that is always enough for [`Flatten::structure_into`] and [`Flatten::flatten_into`], and never
    /// more than the structure takes with all repeats written out.
    ///
    /// Heads and runs of leaves count as they are written, and objects that are seen to repeat their sibling as copies
    /// of it. See [`structure_bound`](crate::encode::structure_bound).
    ///
    /// # Errors
    ///
    /// As [`Flatten::flatten_into`], but never for want of room.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::Flatten;
    /// use treedef::tree;
    ///
    /// assert_eq!(Flatten::new().structure_bound(&tree!([1, (2, 3)])), Ok(4));
    /// ```
    pub fn structure_bound<O: Object>(mut self, object: O) -> Result<usize, Error>
    where
        Self: Rule<O>,
    {
        let mut bound = Bound::new();
        let count = self.describe(object, &mut bound, Counter::default())?;
        sum(bound.branches(), count).map(|_| bound.finish()).ok_or(Error::TooLarge)
    }

    /// Writes the leaves to the front of `leaves` and gives their number, as `jax.tree.leaves`.
    ///
    /// # Errors
    ///
    /// [`Error::LeavesFull`] with the exact need; [`Error::TooDeep`]; [`Error::TooLarge`]; what the object has.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::Flatten;
    /// use treedef::tree;
    ///
    /// let mut leaves = [0; 3];
    /// assert_eq!(Flatten::new().leaves_into(&tree!({"b": 1, "a": [2, 3]}), &mut leaves)?, 3);
    /// assert_eq!(leaves, [2, 3, 1]);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn leaves_into<O, T>(mut self, object: O, leaves: &mut [T]) -> Result<usize, Error>
    where
        O: Object,
        Self: Rule<O>,
        T: Keep<<Self as Rule<O>>::Item>,
    {
        let room = leaves.len();
        self.visit(object, Slots::new(leaves)).and_then(|count| enough(count, room))
    }

    /// The number of leaves.
    ///
    /// # Errors
    ///
    /// [`Error::TooDeep`]; [`Error::TooLarge`]; what the object has.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::Flatten;
    /// use treedef::tree;
    ///
    /// assert_eq!(Flatten::new().num_leaves(&tree!([1, (2, None), {}])), Ok(2));
    /// ```
    pub fn num_leaves<O: Object>(mut self, object: O) -> Result<usize, Error>
    where
        Self: Rule<O>,
    {
        self.visit(object, Counter::default())
    }

    /// Calls `visit` with every leaf, in order.
    ///
    /// # Errors
    ///
    /// As [`Flatten::num_leaves`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::Flatten;
    /// use treedef::tree;
    ///
    /// let mut sum = 0;
    /// Flatten::new().for_each(&tree!([1, (2, 3)]), |leaf| sum += leaf)?;
    /// assert_eq!(sum, 6);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn for_each<O: Object>(
        mut self,
        object: O,
        visit: impl FnMut(<Self as Rule<O>>::Item),
    ) -> Result<(), Error>
    where
        Self: Rule<O>,
    {
        self.visit(object, Each { visit, count: 0 }).map(drop)
    }

    /// Sees that the object has the expected structure; nothing is written.
    ///
    /// # Errors
    ///
    /// [`Error::Mismatch`] with the first node that differs; [`Error::TooDeep`]; what the object has.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::Flatten;
    /// use treedef::{Error, tree, treedef};
    ///
    /// const EXPECTED: treedef::TreeDef<'static> = treedef!([*, (*, *)]);
    /// assert_eq!(Flatten::new().matches(&tree!([1, (2, 3)]), EXPECTED), Ok(()));
    /// assert_eq!(Flatten::new().matches(&tree!([1, [2, 3]]), EXPECTED), Err(Error::Mismatch { node: 2 }));
    /// ```
    pub fn matches<O: Object>(mut self, object: O, expected: TreeDef<'_>) -> Result<(), Error>
    where
        Self: Rule<O>,
    {
        self.describe(object, &mut Output::expected(expected), Counter::default()).map(drop)
    }

    /// Flattens against an expected treedef: compares the structure, writes none of it, and writes the leaves.
    ///
    /// One pass; on a mismatch leaves before it are written already.
    ///
    /// # Errors
    ///
    /// As [`Flatten::matches`] and [`Flatten::leaves_into`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::Flatten;
    /// use treedef::{Error, tree, treedef};
    ///
    /// let mut leaves = [0; 3];
    /// let options = Flatten::new();
    /// assert_eq!(options.flatten_expected(&tree!([1, (2, 3)]), treedef!([*, (*, *)]), &mut leaves)?, 3);
    /// assert_eq!(leaves, [1, 2, 3]);
    /// let error = options.flatten_expected(&tree!([1, 2, 3, 4]), treedef!([*, *, *]), &mut leaves).unwrap_err();
    /// assert_eq!(error, Error::Mismatch { node: 0 });
    /// # Ok::<(), Error>(())
    /// ```
    pub fn flatten_expected<O, T>(
        mut self,
        object: O,
        expected: TreeDef<'_>,
        leaves: &mut [T],
    ) -> Result<usize, Error>
    where
        O: Object,
        Self: Rule<O>,
        T: Keep<<Self as Rule<O>>::Item>,
    {
        let room = leaves.len();
        let count = self.describe(object, &mut Output::expected(expected), Slots::new(leaves))?;
        enough(count, room)
    }

    /// Whether every one of the objects is a leaf by itself, as `jax.tree_util.all_leaves`.
    ///
    /// # Errors
    ///
    /// What the objects have.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Node;
    /// use treedef::dynamic::Flatten;
    ///
    /// let leaves = [Node::Leaf(1), Node::Leaf(2)];
    /// assert_eq!(Flatten::new().all_leaves(&leaves), Ok(true));
    /// let objects = [Node::Leaf(1), Node::None];
    /// assert_eq!(Flatten::new().all_leaves(&objects), Ok(false));
    /// assert_eq!(Flatten::new().none_is_leaf().all_leaves(&objects), Ok(true));
    /// ```
    pub fn all_leaves<O>(mut self, objects: impl IntoIterator<Item = O>) -> Result<bool, Error>
    where
        O: Object,
        Self: Rule<O>,
    {
        for object in objects {
            let whole = self.whole(object, Trail::default()).is_some();
            if !whole && !object.open(AsksLeaf { rule: &mut self, object })? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Describes the object to an encoder, hands the leaves over and gives their number.
    #[inline]
    fn describe<O, K, E>(&mut self, object: O, out: &mut E, leaves: K) -> Result<usize, Error>
    where
        O: Object,
        Self: Rule<O>,
        K: Leaves<<Self as Rule<O>>::Item>,
        E: Encode,
    {
        let (mut list, limit) = (E::list(0), self.max_depth);
        let count = Walk::run(object, out, &mut list, self, leaves, limit)?;
        // The run of a root that is a leaf.
        if out.flush(&mut list, count) { Ok(count) } else { Err(out.error(count)) }
    }

    /// Hands the leaves over, and gives their number.
    #[inline]
    fn visit<O, K>(&mut self, object: O, leaves: K) -> Result<usize, Error>
    where
        O: Object,
        Self: Rule<O>,
        K: Leaves<<Self as Rule<O>>::Item>,
    {
        let (out, limit) = (&mut LeavesOnly::new(), self.max_depth);
        match Walk::run(object, out, &mut (), self, leaves, limit)? {
            usize::MAX => Err(Error::TooLarge),
            count => Ok(count),
        }
    }
}

/// Objects are leaves where they say so.
impl<O: Object> Rule<O> for Flatten {
    type Item = O::Leaf;
    type Trail<'t> = NoTrail;

    const TRAIL: bool = false;
    const ASKS: bool = false;

    #[inline]
    fn whole(&mut self, _: O, _: Trail<'_>) -> Option<O::Leaf> {
        None
    }

    #[inline]
    fn none(&mut self, _: O) -> Option<O::Leaf> {
        None
    }

    #[inline]
    fn leaf(_: O, leaf: O::Leaf) -> O::Leaf {
        leaf
    }
}

/// Objects are leaves where they or the options say so, and are handed over whole.
impl<O: Object, P: Predicate<O>> Rule<O> for Flatten<P, true> {
    type Item = O;
    type Trail<'t> = P::Trail<'t>;

    const TRAIL: bool = P::TRAIL;
    const ASKS: bool = true;

    #[inline]
    fn whole(&mut self, object: O, trail: Trail<'_>) -> Option<O> {
        self.predicate.is_leaf(object, trail).then_some(object)
    }

    #[inline]
    fn none(&mut self, object: O) -> Option<O> {
        self.none_is_leaf.then_some(object)
    }

    #[inline]
    fn leaf(object: O, _: O::Leaf) -> O {
        object
    }
}

/// Checks that a slice with `room` leaves holds `count`.
const fn enough(count: usize, room: usize) -> Result<usize, Error> {
    if count > room { Err(Error::LeavesFull { needed: count, room }) } else { Ok(count) }
}
