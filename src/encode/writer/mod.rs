//! Writes a structure from left to right, compares it with an expected treedef, or counts its bytes and leaves.
//!
//! All of these take the same steps, so a program holds the code once. A leaf writes nothing: a run of leaves is a
//! counter, which is written at the next head or end. Written bytes never move.
//!
//! After the first error the writer ignores what follows. It then has no open node, no child left and no level left, so
//! that the usual steps find that out by the questions that they ask in any case.
//!
//! One node is written in these steps, each by one method or by its form for some heads:
//!
//! | step | method |
//! |---|---|
//! | the run of leaves before it ends; a child, a level and a node are left | `before_head` |
//! | its head is put, or refused | `put_head`, which calls `before_head` |
//! | where it begins is kept, and its children are next | `enter_at`: `take_place`, `enter` |
//! | its leaves and nodes are counted | `end_at`: `count_entered`, or `count_unentered` if all its children are leaves |
//! | its last run of leaves is put; if it equals the sibling before it, a repeat takes its place | `close_counted`, `close` |
//!
//! Typed trees enter every node. The walk over objects enters a node only at its first child that is no leaf, so a node of leaves
//! is ended without being entered.
//!
//! - `bytes`: writes, compares or counts bytes;
//! - `heads`: begins nodes; `ends`: ends them, and the whole;
//! - `siblings`: finds equal siblings, which are stored as repeats;
//! - `children`: the children of an open node;
//! - `error`: keeps the first error.

use crate::base::bytes::small;
use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::encode::depth::MAX_DEPTH;
use crate::format::head;
use crate::treedef::treedef::TreeDef;

mod bytes;
mod children;
mod ends;
mod error;
mod heads;
mod siblings;

use bytes::{Bytes, Mode, low};
use children::Children;
pub(crate) use siblings::repeat_len;

/// Receives the description of a structure, node by node in preorder, and writes it, compares it with an expected treedef,
/// or counts it.
///
/// It is the argument of [`Structure::describe`](crate::tree::Structure::describe), as [`core::fmt::Formatter`] is that of
/// `fmt`. To write a treedef by hand, make one by [`Writer::new`], or call [`TreeDefBuf::build`](crate::TreeDefBuf::build),
/// [`Arena::build`](crate::Arena::build) or `TreeDefBox::build` (feature `alloc`), which keep what is written.
///
/// | to add | call |
/// |---|---|
/// | leaves, a `None` | [`leaves`](Writer::leaves), [`none`](Writer::none) |
/// | a node | [`node`](Writer::node) with its head, a type of the module [`head`](crate::head), and a closure that adds the children |
/// | a node without a closure | [`begin`](Writer::begin), and after the children [`end`](Writer::end); in `const` also [`begin_tuple`](Writer::begin_tuple) and others |
/// | a tree | its [`describe`](crate::tree::Structure::describe) |
/// | a treedef | [`subtree`](Writer::subtree) |
/// | copies of the last child | [`repeat`](Writer::repeat) |
///
/// A head says how many children the node has, and they all have to follow. Outside of nodes there is one child, the root.
///
/// No method returns an error. The first one is kept, what follows is ignored, and [`Writer::finish`] returns the error.
///
/// Equal siblings with leaves become one and a number of copies, without a call of `repeat`. They are found when the second of
/// them ends, so a writer needs room for the result, and for one more copy of each repeated node that is open.
///
/// # Examples
///
/// ```
/// use treedef::{Writer, head};
///
/// // ((*, *), (*, *), None)
/// let mut bytes = [0; 16];
/// let mut out = Writer::new(&mut bytes);
/// out.node(&head::Tuple(3), |out| {
///     for _ in 0..2 {
///         out.node(&head::Tuple(2), |out| out.leaves(2));
///     }
///     out.none();
/// });
/// assert_eq!(out.finish()?.as_bytes(), [0x23, 0x22, 0x01, 0xA0, 0x02, 0xC0]);
/// # Ok::<(), treedef::Error>(())
/// ```
#[doc(alias(
    "from_node_data_and_children",
    "treespec_from_collection",
    "treespec_namedtuple",
    "one_level"
))]
pub struct Writer<'b> {
    bytes: Bytes<'b>,
    children: Children,
    /// The leaves and the other nodes so far.
    sum: Counts,
    /// The number of leaves before the current run of leaves.
    run_start: u32,
    /// The leaves and the other nodes of the last child that is no leaf. They are used only if no leaves follow it.
    pub(crate) before: Counts,
    /// How many more levels can be opened.
    levels: u32,
    /// How many levels there can be, for the error.
    limit: u32,
    error: Option<Error>,
}

debug_struct!([] Writer<'_> |own| {
    at: own.bytes.at,
    leaves: own.sum.leaves,
    nodes: own.num_nodes()
});

/// The number of leaves and other nodes of a child, or up to a position. A leaf has no other nodes.
#[derive(Clone, Copy)]
pub(crate) struct Counts {
    pub(crate) leaves: u32,
    pub(crate) branches: u32,
}

impl Counts {
    /// Whether these are the counts.
    pub(crate) const fn is(self, branches: u32, leaves: usize) -> bool {
        self.branches == branches && self.leaves as usize == leaves
    }

    const LEAF: Self = Self { leaves: 1, branches: 0 };

    /// Counts some copies more; `None` if a treedef cannot have that many.
    const fn plus(self, unit: Self, copies: u32) -> Option<Self> {
        if let (Some(leaves), Some(branches)) =
            (unit.leaves.checked_mul(copies), unit.branches.checked_mul(copies))
            && let (Some(leaves), Some(branches)) =
                (self.leaves.checked_add(leaves), self.branches.checked_add(branches))
        {
            return Some(Self { leaves, branches });
        }
        None
    }
}

/// An open node of a [`Writer`]; give it back to the same writer with [`Writer::end`], innermost first.
///
/// A writer refuses an open node that is not its innermost. It cannot check that the node is its own: with one of
/// another writer it writes bytes that are not a treedef.
///
/// # Examples
///
/// ```
/// use treedef::{Writer, treedef};
///
/// let mut bytes = [0; 8];
/// let mut out = Writer::new(&mut bytes);
/// let lists = [(); 3].map(|()| out.begin_list(1));
/// assert!(lists.iter().all(|list| list.is_open()));
/// out.leaves(1);
/// lists.into_iter().rev().for_each(|list| out.end(list));
/// assert_eq!(out.finish(), Ok(treedef!([[[*]]])));
/// ```
#[derive(Clone, Copy)]
#[must_use = "a node that is begun has to be ended"]
pub struct OpenNode {
    place: NodeStart,
    /// Identifies the node. 0 if it was not begun.
    open: u32,
}

debug_struct!([] OpenNode { open });

/// Where a node begins whose head was put.
// Callers that recurse hold one for each level, so it is small: what can be read from the bytes is not kept.
#[derive(Clone, Copy)]
pub(crate) struct NodeStart {
    /// The children of the node that it is in, before it.
    siblings: Children,
    /// Where its head begins.
    at: u32,
    /// The number of leaves before it.
    leaves: u32,
}

impl OpenNode {
    /// No node, after an error.
    const NONE: Self =
        Self { place: NodeStart { siblings: Children::new(0, 0), at: 0, leaves: 0 }, open: 0 };

    /// Whether the node was begun. If not, the writer has an error, and its children need not be described. [`OpenNode`] has
    /// an example.
    #[must_use]
    #[inline]
    pub const fn is_open(&self) -> bool {
        self.open != 0
    }
}

impl<'b> Writer<'b> {
    /// Starts a treedef at the front of `bytes`.
    ///
    /// It has at most [`MAX_DEPTH`](crate::encode::MAX_DEPTH) levels (64), unless [`Writer::set_max_depth`] allows more.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{TreeDef, Writer};
    ///
    /// let mut bytes = [0; 8];
    /// let mut out = Writer::new(&mut bytes);
    /// out.leaves(1);
    /// assert_eq!(out.finish(), Ok(TreeDef::LEAF));
    /// ```
    #[must_use]
    pub const fn new(bytes: &'b mut [u8]) -> Self {
        // No treedef has more bytes, so positions fit `u32`.
        let most = u32::MAX as usize;
        let len = if bytes.len() > most { most } else { bytes.len() };
        match bytes.split_at_mut_checked(len) {
            Some((bytes, _)) => Self::of(Mode::Write(bytes)),
            None => Self::of(Mode::Count),
        }
    }

    /// Compares with a treedef.
    pub(crate) const fn compare(def: TreeDef<'b>) -> Self {
        Self::of(Mode::Compare(def.as_bytes()))
    }

    /// Counts bytes and leaves.
    pub(crate) const fn count() -> Self {
        Self::of(Mode::Count)
    }

    /// Counts leaves. Keys are not read.
    pub(crate) const fn count_leaves() -> Self {
        Self::of(Mode::CountLeaves)
    }

    const fn of(mode: Mode<'b>) -> Self {
        Self {
            bytes: Bytes { mode, at: 0 },
            children: Children::new(0, 1),
            sum: Counts { leaves: 0, branches: 0 },
            run_start: 0,
            before: Counts::LEAF,
            levels: MAX_DEPTH,
            limit: MAX_DEPTH,
            error: None,
        }
    }

    /// Bounds the nodes that are open at once by `levels`, instead of by [`MAX_DEPTH`](crate::encode::MAX_DEPTH) (64). What
    /// describes children by recursion takes stack for each level.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Error, Writer};
    ///
    /// let mut bytes = [0; 128];
    /// let mut out = Writer::new(&mut bytes);
    /// out.set_max_depth(100);
    /// let lists = [(); 100].map(|()| out.begin_list(1));
    /// out.leaves(1);
    /// lists.into_iter().rev().for_each(|list| out.end(list));
    /// assert_eq!(out.finish()?.as_bytes().len(), 101);
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn set_max_depth(&mut self, levels: u32) {
        if self.is_well() {
            let open = self.limit.wrapping_sub(self.levels);
            (self.levels, self.limit) = (levels.saturating_sub(open), levels);
        }
    }

    /// Replaces the levels that are left and their limit, and returns both as they were.
    pub(crate) const fn swap_limits(&mut self, levels: (u32, u32)) -> (u32, u32) {
        let before = (self.levels, self.limit);
        if self.is_well() {
            (self.levels, self.limit) = levels;
        }
        before
    }

    /// Adds `count` leaves.
    ///
    /// # Errors
    ///
    /// It keeps [`Error::Arity`] if the open node lacks fewer than `count` children; [`Error::TooLarge`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Error, Writer, treedef};
    ///
    /// let mut bytes = [0; 8];
    /// let mut out = Writer::new(&mut bytes);
    /// let root = out.begin_tuple(3);
    /// out.leaves(3);
    /// out.end(root);
    /// assert_eq!(out.finish(), Ok(treedef!((*, *, *))));
    ///
    /// let mut out = Writer::new(&mut bytes);
    /// let root = out.begin_tuple(3);
    /// out.leaves(4);
    /// out.end(root);
    /// assert_eq!(out.finish(), Err(Error::Arity { expected: 3, found: 4 }));
    /// ```
    #[inline]
    pub const fn leaves(&mut self, count: usize) {
        let _ = self.add_leaves(count);
    }

    /// As [`Writer::leaves`]; `false` after an error.
    #[inline(always)]
    const fn add_leaves(&mut self, count: usize) -> bool {
        if count <= self.children.left as usize
            && let Some(leaves) = self.sum.leaves.checked_add(small(count))
        {
            self.children.left = self.children.left.wrapping_sub(small(count));
            self.sum.leaves = leaves;
            return true;
        }
        self.too_many(count);
        false
    }

    /// Adds a `None`. [`Writer`] has an example.
    ///
    /// # Errors
    ///
    /// It keeps [`Error::Full`], [`Error::Mismatch`], [`Error::Arity`] or [`Error::TooLarge`], as [`Writer::begin`].
    pub const fn none(&mut self) {
        self.none_after(self.num_leaves());
    }

    /// As [`Writer::none`], after the leaves up to number `leaves`.
    #[inline(never)]
    pub(crate) const fn none_after(&mut self, leaves: usize) {
        if self.run_start as usize != leaves && !self.end_run_at(leaves) {
            return;
        }
        let Some(branches) = self.sum.branches.checked_add(1) else { return self.too_many(1) };
        if self.children.left == 0 {
            return self.too_many(1);
        }
        let start = if let Mode::Count = self.bytes.mode { 1 } else { self.bytes.position() };
        // It has no level of its own, and no copies.
        if !self.bytes.put_byte(head::EXT << 5) {
            return self.refuse();
        }
        self.children = self.children.after_node(start, Children::NO_NODE);
        (self.sum.branches, self.before) = (branches, Counts { leaves: 0, branches: 1 });
    }

    /// Adds a whole treedef as one child.
    ///
    /// # Errors
    ///
    /// It keeps [`Error::Full`], [`Error::Mismatch`], [`Error::Arity`] or [`Error::TooLarge`], as [`Writer::begin`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Writer, head, treedef};
    ///
    /// let mut bytes = [0; 8];
    /// let mut out = Writer::new(&mut bytes);
    /// out.node(&head::List(2), |out| {
    ///     out.subtree(treedef!((*, None)));
    ///     out.leaves(1);
    /// });
    /// assert_eq!(out.finish()?, treedef!([(*, None), *]));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    // Inlined, so that the nodes of a constant are known and a program without other treedefs has no code that counts
    // them.
    #[inline(always)]
    pub const fn subtree(&mut self, def: TreeDef<'_>) {
        let leaves = def.leaf_count();
        self.add_subtree(
            def.as_bytes(),
            Counts { leaves, branches: def.node_count().wrapping_sub(leaves) },
        );
    }

    /// Adds a treedef in the memory of the program.
    #[inline(never)]
    pub(crate) const fn subtree_of(&mut self, def: &TreeDef<'_>) {
        self.subtree(*def);
    }

    /// Adds `count` children with the same treedef.
    #[inline(never)]
    pub(crate) const fn equal_children(&mut self, def: &TreeDef<'_>, count: usize) {
        if let Some(copies) = count.checked_sub(1) {
            self.subtree(*def);
            self.repeat(copies);
        }
    }

    #[inline(never)]
    const fn add_subtree(&mut self, bytes: &[u8], unit: Counts) {
        if unit.branches == 0 {
            return self.leaves(1);
        }
        if self.run_start != self.sum.leaves && !self.end_run() {
            return;
        }
        if self.children.left == 0 {
            return self.too_many(1);
        }
        let Some(sum) = self.sum.plus(unit, 1) else { return self.fail(Error::TooLarge) };
        let (children, here) = (self.children, self.bytes.at);
        if self.look_for_copy() {
            self.go_to_copy();
        }
        let at = self.bytes.position();
        if !self.bytes.put(bytes) {
            (self.children, self.bytes.at) = (children, here);
            return self.refuse_node(bytes);
        }
        (self.sum, self.run_start, self.before) = (sum, sum.leaves, unit);
        self.close(&NodeStart { siblings: self.children, at, leaves: 0 });
    }

    /// The number of leaves so far.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Writer;
    ///
    /// let mut bytes = [0; 8];
    /// let mut out = Writer::new(&mut bytes);
    /// let list = out.begin_list(3);
    /// out.leaves(2);
    /// assert_eq!(out.num_leaves(), 2);
    /// out.leaves(1);
    /// out.end(list);
    /// ```
    #[must_use]
    pub const fn num_leaves(&self) -> usize {
        self.sum.leaves as usize
    }

    /// The number of children that the open node lacks.
    #[inline]
    pub(crate) const fn left(&self) -> u32 {
        self.children.left
    }

    /// The number of children that the open node lacks after one more. It keeps an error if it lacks none.
    pub(crate) const fn left_after_one(&mut self) -> u32 {
        match self.children.left.checked_sub(1) {
            Some(left) => left,
            None => {
                self.too_many(1);
                0
            }
        }
    }

    /// The number of bytes so far.
    pub(crate) const fn len(&self) -> usize {
        self.bytes.at
    }

    /// Where the bytes of the next child begin, if there are no leaves before it to be written.
    #[inline]
    pub(crate) const fn position(&self) -> u32 {
        self.bytes.position()
    }

    /// The number of nodes so far.
    pub(crate) const fn num_nodes(&self) -> u32 {
        self.sum.leaves.wrapping_add(self.sum.branches)
    }

    /// Whether there is no error so far. A long description can end if there is one.
    #[inline]
    pub(crate) const fn is_well(&self) -> bool {
        self.error.is_none()
    }

    /// Adds the leaves up to number `leaves`; `false` after an error.
    #[inline(always)]
    const fn count_to(&mut self, leaves: usize) -> bool {
        self.add_leaves(leaves.wrapping_sub(self.num_leaves()))
    }

    /// Adds the leaves up to number `leaves`, and ends the run of leaves, of which there is one; `false` after an error.
    #[inline(always)]
    const fn end_run_at(&mut self, leaves: usize) -> bool {
        self.count_to(leaves) && self.end_run()
    }

    /// Ends the run of leaves, of which there is one; `false` after an error.
    #[inline(always)]
    const fn end_run(&mut self) -> bool {
        self.put_run() || self.end_long_run()
    }

    /// Ends the run of leaves, of which there is one, if it is short; `false` if it is long or refused.
    #[cfg_attr(target_os = "none", inline(never))]
    #[cfg_attr(not(target_os = "none"), inline(always))]
    const fn put_run(&mut self) -> bool {
        let run = self.sum.leaves.wrapping_sub(self.run_start);
        let done = run <= head::ESCAPE as u32
            && self.bytes.put_byte_inlined(low(run.wrapping_sub(1) as usize));
        if done {
            self.run_start = self.sum.leaves;
            self.children.end_or_copies = Children::NO_NODE;
        }
        done
    }

    /// As [`Writer::end_run`], if the run is long, or if it is refused.
    #[cold]
    #[inline(never)]
    const fn end_long_run(&mut self) -> bool {
        let (at, run) = (self.bytes.at, self.sum.leaves.wrapping_sub(self.run_start));
        let done = self.bytes.put_kind_and_count(head::LEAVES, run.wrapping_sub(1) as usize);
        if done {
            self.run_start = self.sum.leaves;
            self.children.end_or_copies = Children::NO_NODE;
        } else {
            self.bytes.at = at;
            self.refuse_run(run);
        }
        done
    }
}
