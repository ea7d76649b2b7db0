//! Defines the operations on objects.

use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::dynamic::keep::Keep;
use crate::dynamic::object::{ByKind, Object, Opened};
use crate::dynamic::predicate::{NoPredicate, Objects, Or, Predicate};
use crate::dynamic::walk::Walk;
use crate::encode::depth::MAX_DEPTH;
use crate::encode::writer::Writer;
use crate::treedef::key_path::KeyPath;
use crate::treedef::treedef::TreeDef;

/// Flattens an [`Object`], with a predicate for leaves (`is_leaf` of JAX), with `None` as a leaf (`none_is_leaf` of
/// optree), and with a bound of the depth, which neither has.
///
/// The type of a leaf is [`Object::Leaf`]: a [`Node<f32>`](crate::Node) fills `[f32]`. With a predicate, or with `None`
/// as a leaf, the leaves are objects, since a whole subtree can be a leaf. A `Node<f32>` then fills `[&Node<f32>]`,
/// `[Node<f32>]` or `[Option<&Node<f32>>]`. It also fills `[Option<f32>]`: a number is `Some`, a subtree or a `None` node is
/// `None`. The trait [`Keep`] lists the slots that fit.
///
/// A call takes one pass over the tree, and compares siblings as [`structure_into`](crate::structure_into) does. Each
/// level of the tree takes a stack frame; [`Flatten::max_depth`] bounds the depth.
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
/// `P` is the [`Predicate`], which [`Flatten::is_leaf`] sets. The type `Flatten` without parameters has none.
#[derive(Clone, Copy)]
#[must_use]
#[doc(alias = "is_leaf")]
pub struct Flatten<P = NoPredicate> {
    predicate: P,
    none_is_leaf: bool,
    max_depth: u32,
}

debug_struct!([P] Flatten<P> { none_is_leaf, max_depth });

impl Flatten {
    /// Starts without a predicate, with `None` as a node, and with at most [`MAX_DEPTH`] levels.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::Flatten;
    /// use treedef::tree;
    ///
    /// assert_eq!(Flatten::new().num_leaves(&tree!([1, (2, 3)])), Ok(3));
    /// ```
    pub const fn new() -> Self {
        Self { predicate: NoPredicate, none_is_leaf: false, max_depth: MAX_DEPTH }
    }
}

impl Default for Flatten {
    fn default() -> Self {
        Self::new()
    }
}

impl<P> Flatten<P> {
    /// Sets the largest number of nested nodes, which is [`MAX_DEPTH`] by default; it can be larger or smaller. A deeper
    /// tree is [`Error::TooDeep`].
    ///
    /// Each level takes a stack frame.
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

    /// Makes every object for which `predicate` is true one leaf with everything below it, as `is_leaf` of `jax.tree.flatten`.
    ///
    /// The predicate is called for every object from the root down, including leaves and `None`, but not below a leaf.
    /// After another predicate an object is a leaf if either says so.
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
    pub fn is_leaf<O, F: FnMut(O) -> bool>(self, predicate: F) -> Flatten<Or<P, F, false>> {
        self.with(|before| Or(before, predicate))
    }

    /// As [`Flatten::is_leaf`], but the predicate also receives the path of the object, as with `is_leaf_takes_path` in
    /// JAX.
    ///
    /// The walk reads the keys of each node once, and copies the entries of the path for each object; they take 2 kB of stack. The
    /// operations fail with [`Error::TooDeep`] at an object whose path has more than [`MAX_DEPTH`] entries.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::Flatten;
    /// use treedef::path::path_pattern;
    /// use treedef::{KeyPath, Node, tree};
    ///
    /// // Everything below the second level, or inside `frozen`, is one leaf.
    /// let whole = |path: KeyPath<'_, '_>, _: &Node<i32>| path.len() == 2 || path_pattern!("frozen.**").matches(path);
    /// let tree = tree!({"frozen": [1, 2], "live": [3, [4, 5]]});
    /// assert_eq!(Flatten::new().is_leaf_at(whole).num_leaves(&tree)?, 3);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[doc(alias = "is_leaf_takes_path")]
    pub fn is_leaf_at<O, F>(self, predicate: F) -> Flatten<Or<P, F, true>>
    where
        F: FnMut(KeyPath<'_, '_>, O) -> bool,
    {
        self.with(|before| Or(before, predicate))
    }

    /// Makes every `None` a leaf, as `is_leaf=lambda x: x is None` in JAX.
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
    pub fn none_is_leaf(mut self) -> Flatten<Objects<P>> {
        self.none_is_leaf = true;
        self.with(Objects)
    }

    /// Changes the predicate and keeps the other settings.
    fn with<Q>(self, change: impl FnOnce(P) -> Q) -> Flatten<Q> {
        let Self { predicate, none_is_leaf, max_depth } = self;
        Flatten { predicate: change(predicate), none_is_leaf, max_depth }
    }

    /// Writes the structure into `bytes` and the leaves to the front of `leaves`, as `jax.tree.flatten`. Returns the
    /// treedef and the number of leaves.
    ///
    /// # Errors
    ///
    /// [`Error::Full`] with the length of `bytes` ([`Flatten::structure_bound`] is always enough);
    /// [`Error::LeavesFull`] with the exact number of leaves; [`Error::TooDeep`], [`Error::TooLarge`]; the errors of
    /// keys; the errors of the object.
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
        self,
        object: O,
        bytes: &'b mut [u8],
        leaves: &mut [T],
    ) -> Result<(TreeDef<'b>, usize), Error>
    where
        O: Object,
        P: Predicate<O>,
        T: Keep<P::Item>,
    {
        let mut out = Writer::new(bytes);
        let count = self.flatten_onto(object, &mut out, leaves);
        Ok((out.take()?, count?))
    }

    /// Adds the structure to a writer, as one child of its open node, and writes the leaves to the front of `leaves`.
    /// Returns their number.
    ///
    /// With it a treedef can be built from several objects, and from nodes that are added to the writer between them.
    ///
    /// # Errors
    ///
    /// As [`Flatten::flatten_into`]. After [`Error::LeavesFull`] the structure is still added. The writer keeps all other
    /// errors.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::Flatten;
    /// use treedef::{Writer, tree, treedef};
    ///
    /// let (mut bytes, mut leaves) = ([0; 32], [0; 2]);
    /// let mut out = Writer::new(&mut bytes);
    /// let state = out.begin_dict(&["params", "step"]);
    /// assert_eq!(Flatten::new().flatten_onto(&tree!((1, 2)), &mut out, &mut leaves)?, 2);
    /// out.leaves(1);
    /// out.end(state);
    /// assert_eq!(out.finish()?, treedef!({"params": (*, *), "step": *}));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn flatten_onto<O, T>(
        mut self,
        object: O,
        out: &mut Writer<'_>,
        leaves: &mut [T],
    ) -> Result<usize, Error>
    where
        O: Object,
        P: Predicate<O>,
        T: Keep<P::Item>,
    {
        let room = leaves.len();
        let count = self.walk(object, out, into_slots(leaves));
        out.outcome()?;
        Error::check_room(count, room)
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
        P: Predicate<O>,
    {
        let mut out = Writer::new(bytes);
        self.walk(object, &mut out, |_, _| ());
        out.take()
    }

    /// Returns a number of bytes that is always enough for [`Flatten::structure_into`] and [`Flatten::flatten_into`].
    /// It is at most the length of the structure with all repeats written out.
    ///
    /// Heads and runs of leaves count exactly. An object counts as a repeat only if it is found equal to its
    /// sibling before it is written. See [`structure_bound`](crate::encode::structure_bound).
    ///
    /// # Errors
    ///
    /// As [`Flatten::flatten_into`], except [`Error::Full`] and [`Error::LeavesFull`].
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
        P: Predicate<O>,
    {
        let mut out = Writer::count();
        self.walk(object, &mut out, |_, _| ());
        out.finish_len()
    }

    /// Writes the leaves to the front of `leaves`, as `jax.tree.leaves`. Returns their number.
    ///
    /// # Errors
    ///
    /// [`Error::LeavesFull`] with the exact number of leaves; [`Error::TooDeep`]; [`Error::TooLarge`]; the errors of the
    /// object.
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
        P: Predicate<O>,
        T: Keep<P::Item>,
    {
        let room = leaves.len();
        self.visit(object, into_slots(leaves)).and_then(|count| Error::check_room(count, room))
    }

    /// Returns the number of leaves.
    ///
    /// # Errors
    ///
    /// [`Error::TooDeep`]; [`Error::TooLarge`]; the errors of the object.
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
        P: Predicate<O>,
    {
        self.visit(object, |_, _| ())
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
        mut visit: impl FnMut(P::Item),
    ) -> Result<(), Error>
    where
        P: Predicate<O>,
    {
        self.visit(object, |_, leaf| visit(leaf)).map(drop)
    }

    /// Checks that the object has the expected structure. Nothing is written.
    ///
    /// # Errors
    ///
    /// [`Error::Mismatch`] with the first node that differs; [`Error::TooDeep`]; the errors of the object.
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
    pub fn matches<'d, O: Object>(
        mut self,
        object: O,
        expected: impl Into<TreeDef<'d>>,
    ) -> Result<(), Error>
    where
        P: Predicate<O>,
    {
        let mut out = Writer::compare(expected.into());
        self.walk(object, &mut out, |_, _| ());
        out.take().map(drop)
    }

    /// Compares the structure with an expected treedef and writes the leaves. The structure is not written.
    ///
    /// Takes one pass. On a mismatch, the leaves before it are already written.
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
    pub fn flatten_expected<'d, O, T>(
        self,
        object: O,
        expected: impl Into<TreeDef<'d>>,
        leaves: &mut [T],
    ) -> Result<usize, Error>
    where
        O: Object,
        P: Predicate<O>,
        T: Keep<P::Item>,
    {
        let mut out = Writer::compare(expected.into());
        let count = self.flatten_onto(object, &mut out, leaves);
        out.take()?;
        count
    }

    /// Whether each of the objects is a leaf, as `jax.tree_util.all_leaves`.
    ///
    /// # Errors
    ///
    /// The errors of the objects.
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
        P: Predicate<O>,
    {
        for object in objects {
            let is_leaf = self.predicate.is_leaf(KeyPath::new(&[]), object)
                || match object.open(ByKind)? {
                    Opened::Leaf(_) => true,
                    Opened::None => self.none_is_leaf,
                    Opened::Node => false,
                };
            if !is_leaf {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Describes `object` to `out`, and returns the number of its leaves. `out` keeps what goes wrong. `keep` is called with
    /// each leaf and its index; a leaf that comes with the index of one before replaces it and those after it.
    #[inline]
    pub(super) fn walk<O, K>(&mut self, object: O, out: &mut Writer<'_>, keep: K) -> usize
    where
        O: Object,
        P: Predicate<O>,
        K: FnMut(usize, P::Item),
    {
        let Self { predicate, none_is_leaf, max_depth } = self;
        Walk::new(out, predicate, *none_is_leaf, keep).root(object, *max_depth)
    }

    /// Gives the leaves of `object` to `keep` and returns their number. A writer that counts leaves has no repeats, so
    /// no leaf replaces one before it.
    #[inline]
    fn visit<O, K>(&mut self, object: O, keep: K) -> Result<usize, Error>
    where
        O: Object,
        P: Predicate<O>,
        K: FnMut(usize, P::Item),
    {
        let mut out = Writer::count_leaves();
        self.walk(object, &mut out, keep);
        out.finish_leaves()
    }
}

/// Keeps each leaf in the slot with its index. Leaves that do not fit are left out.
fn into_slots<I, T: Keep<I>>(slots: &mut [T]) -> impl FnMut(usize, I) {
    move |index, leaf| {
        if let Some(slot) = slots.get_mut(index) {
            *slot = T::keep(leaf);
        }
    }
}
