//! Receives the description that a tree gives of its structure.

use core::mem::take;

use crate::base::error::Error;
use crate::base::levels::{self, Level, Rows};
use crate::base::show::debug_struct;
use crate::encode::depth::{Depth, MAX_DEPTH};
use crate::encode::encoder::Encode;
use crate::encode::output::{Comparer, Unit};
use crate::encode::structure::Structure;
use crate::format::heading::{Ahead, Dict, DictKind, HeadSpec};
use crate::format::to_value::ToValue;
use crate::treedef::mismatch::nodes_in_common;
use crate::treedef::treedef::TreeDef;

/// Receives the description of a structure, node by node in preorder, as [`core::fmt::Formatter`] receives text.
///
/// It is the argument of [`Structure::describe`](crate::tree::Structure::describe). The encoder `E` then writes the
/// structure, compares it with an expected one, or only counts.
///
/// A description should end at the first error. If it goes on, it fails with that error in the end.
///
/// # Examples
///
/// ```
/// use treedef::tree::{Describe, Encode, Shape, Structure};
/// use treedef::{Error, head, structure_into};
///
/// /// A pair of a leaf and nothing.
/// struct Half;
///
/// impl Structure for Half {
///     const SHAPE: &'static Shape = &Shape::Varies;
///
///     fn describe<E: Encode>(&self, out: &mut Describe<'_, E>) -> Result<(), Error> {
///         out.node(&head::Tuple(2), |out| {
///             out.leaves(1)?;
///             out.none()
///         })
///     }
/// }
///
/// let mut bytes = [0; 4];
/// assert_eq!(structure_into(&Half, &mut bytes)?.to_string(), "PyTreeDef((*, None))");
/// # Ok::<(), Error>(())
/// ```
pub struct Describe<'e, E: Encode> {
    pub(super) encode: &'e mut E,
    /// The number of leaves so far.
    pub(super) leaves: u32,
    /// The number of children that the open node lacks.
    pub(super) left: u32,
    /// The state of the encoder for the children of the open node.
    pub(super) list: E::List,
    /// The child before.
    pub(super) unit: Unit,
    pub(super) depth: Depth,
    /// The caller's levels, for describers that keep their own.
    levels: &'e mut [Level],
    /// [`nodes_in_common`] if a treedef is expected; a pointer, so that a program that only writes does not contain it.
    in_common: Option<InCommon>,
    /// The first error.
    pub(super) failed: Option<Error>,
}

debug_struct!([E: Encode] Describe<'_, E> { leaves, left });

/// Returns the number of leading nodes that two treedefs share.
type InCommon = fn(&[u8], &[u8]) -> u32;

/// A node that was begun: the state of the list around it, and the counts before it.
pub(crate) struct Opened<E: Encode> {
    pub(super) node: E::Node,
    pub(super) list: E::List,
    pub(super) left: u32,
    pub(super) leaves: u32,
    pub(super) branches: u32,
}

impl<E: Encode> Opened<E> {
    /// Stores this node and the two words `more` in two levels.
    pub(crate) fn pack(self, more: [u32; 2]) -> [Level; 2] {
        let [a, b, c] = E::pack(self.list, self.node);
        let [d, e] = more;
        [Level([self.left, self.leaves, self.branches, a]), Level([b, c, d, e])]
    }

    /// Reads what [`Opened::pack`] stored.
    pub(crate) fn unpack(levels: &[Level; 2]) -> (Self, [u32; 2]) {
        let [Level([left, leaves, branches, a]), Level([b, c, d, e])] = *levels;
        let (list, node) = E::unpack([a, b, c], leaves);
        (Self { node, list, left, leaves, branches }, [d, e])
    }
}

impl<'e, E: Encode> Describe<'e, E> {
    /// Describes a structure of at most [`MAX_DEPTH`] levels to an encoder.
    #[inline]
    pub(crate) fn new(encode: &'e mut E, levels: &'e mut [Level]) -> Self {
        let (list, unit, depth) = (E::list(0), Unit::LEAF, Depth::new(MAX_DEPTH));
        let (in_common, failed) = (None, None);
        Self { encode, leaves: 0, left: 1, list, unit, depth, levels, in_common, failed }
    }

    /// Adds `count` leaves.
    ///
    /// # Errors
    ///
    /// [`Error::Arity`] if the open node has fewer children left; [`Error::TooLarge`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::tree::{Describe, Encode, Structure};
    /// use treedef::{Error, head, matches, treedef};
    ///
    /// struct Row<'r>(&'r [f32]);
    ///
    /// impl Structure for Row<'_> {
    ///     fn describe<E: Encode>(&self, out: &mut Describe<'_, E>) -> Result<(), Error> {
    ///         out.node(&head::List(self.0.len()), |out| out.leaves(self.0.len()))
    ///     }
    /// }
    ///
    /// assert_eq!(matches(&Row(&[0.0; 3]), treedef!([*, *, *])), Ok(()));
    /// ```
    #[inline]
    pub fn leaves(&mut self, count: usize) -> Result<(), Error> {
        let count = self.take(count)?;
        if count > 0 {
            self.unit = Unit::LEAF;
        }
        match self.leaves.checked_add(count) {
            Some(sum) => {
                self.leaves = sum;
                Ok(())
            }
            None => self.fail(Error::TooLarge),
        }
    }

    /// Adds a `None`. [`Describe`] has an example.
    ///
    /// # Errors
    ///
    /// As [`Describe::node`].
    #[inline]
    pub fn none(&mut self) -> Result<(), Error> {
        self.none_in();
        self.outcome()
    }

    /// Adds a node, whose children `children` describes. [`Describe`] has an example.
    ///
    /// # Errors
    ///
    /// The errors of `children` and of [`HeadSpec::check`]; [`Error::Arity`] if `children` adds fewer or more than
    /// `head` has, or if the node outside has no child left; [`Error::TooDeep`]; [`Error::TooLarge`]; [`Error::Full`]
    /// from a writer, [`Error::Mismatch`] from a comparison.
    #[inline]
    pub fn node<H: HeadSpec>(
        &mut self,
        head: &H,
        children: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if let Some(node) = &self.begin_in(head) {
            match children(self) {
                Ok(()) => self.end_in(node),
                Err(error) => self.note(error),
            }
        }
        self.outcome()
    }

    /// Adds `count` more copies of the child that was added last, without describing them. If it has leaves, all copies
    /// are written or compared in one step.
    ///
    /// # Errors
    ///
    /// As [`Describe::leaves`]; [`Error::Full`] from a writer, [`Error::Mismatch`] from a comparison.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::tree::{Describe, Encode, Structure};
    /// use treedef::{Error, head, matches, treedef};
    ///
    /// /// A matrix with this number of rows and columns.
    /// struct Matrix(usize, usize);
    ///
    /// impl Structure for Matrix {
    ///     fn describe<E: Encode>(&self, out: &mut Describe<'_, E>) -> Result<(), Error> {
    ///         let Matrix(rows, columns) = *self;
    ///         out.node(&head::List(rows), |out| match rows.checked_sub(1) {
    ///             Some(copies) => {
    ///                 out.node(&head::List(columns), |out| out.leaves(columns))?;
    ///                 out.repeat(copies)
    ///             }
    ///             None => Ok(()),
    ///         })
    ///     }
    /// }
    ///
    /// assert_eq!(matches(&Matrix(3, 2), treedef!([[*, *], [*, *], [*, *]])), Ok(()));
    /// ```
    #[inline]
    pub fn repeat(&mut self, count: usize) -> Result<(), Error> {
        if self.unit.branches == 0 {
            return self.leaves(count);
        }
        let count = self.take(count)?;
        if self.encode.repeat(&mut self.list, self.unit, count, &mut self.leaves) {
            return Ok(());
        }
        self.refused(None)
    }

    /// Adds a whole treedef as one child.
    ///
    /// # Errors
    ///
    /// As [`Describe::repeat`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::tree::{Describe, Encode, Structure};
    /// use treedef::{Error, TreeDef, head, matches, treedef};
    ///
    /// /// A treedef, and a leaf beside it.
    /// struct Counted(TreeDef<'static>);
    ///
    /// impl Structure for Counted {
    ///     fn describe<E: Encode>(&self, out: &mut Describe<'_, E>) -> Result<(), Error> {
    ///         out.node(&head::Tuple(2), |out| {
    ///             out.subtree(self.0)?;
    ///             out.leaves(1)
    ///         })
    ///     }
    /// }
    ///
    /// assert_eq!(matches(&Counted(treedef!([*, None])), treedef!(([*, None], *))), Ok(()));
    /// ```
    // Inlined, so that the nodes of a constant are known and a program without other treedefs has no code that counts
    // them.
    #[inline(always)]
    pub fn subtree(&mut self, def: TreeDef<'_>) -> Result<(), Error> {
        self.add_subtree(def, def.node_count())
    }

    #[inline]
    pub(super) fn add_subtree(&mut self, def: TreeDef<'_>, nodes: u32) -> Result<(), Error> {
        if def.is_leaf() {
            return self.leaves(1);
        }
        self.flush()?;
        self.take(1)?;
        let Some(after) = self.leaves.checked_add(def.leaves()) else {
            return self.fail(Error::TooLarge);
        };
        let branches = nodes.wrapping_sub(def.leaves());
        if !self.encode.subtree(&mut self.list, def, branches, after as usize) {
            return self.refused(Some(def.as_bytes()));
        }
        self.leaves = after;
        self.unit = Unit { leaves: def.leaves(), branches };
        Ok(())
    }

    /// Adds a plain dictionary with `count` keys, whose values `children` describes. Increasing text keys, the usual case,
    /// are read once: they are written or compared ahead of the node.
    #[inline]
    pub(crate) fn dict(
        &mut self,
        count: usize,
        keys: impl Iterator<Item: ToValue> + Clone,
        children: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.flush()?;
        match self.encode.ahead(&mut self.list, count, keys.clone()) {
            Some(end) => self.node(&Ahead::new(count, keys, end), children),
            None => self.node(&Dict::new(DictKind::Sorted, keys), children),
        }
    }

    /// Whether nothing went wrong.
    #[inline]
    pub(crate) const fn is_well(&self) -> bool {
        self.failed.is_none()
    }

    /// Begins a node, for describers that keep their own levels.
    #[inline]
    pub(crate) fn begin<H: HeadSpec>(&mut self, head: &H) -> Result<Opened<E>, Error> {
        let node = self.begin_node(head);
        node.ok_or_else(|| self.failed.unwrap_or(Error::TooLarge))
    }

    /// As [`Describe::begin`]. What went wrong is kept.
    #[inline]
    pub(super) fn begin_node<H: HeadSpec>(&mut self, head: &H) -> Option<Opened<E>> {
        match self.depth.enter() {
            Ok(()) => self.open(head),
            Err(error) => self.fail(error).ok(),
        }
    }

    /// Ends the node that was begun last.
    #[inline]
    pub(crate) fn end(&mut self, node: Opened<E>) -> Result<(), Error> {
        self.depth.leave();
        self.close(&node)
    }

    /// Whether the next node, which has children, can share the end of the open node: it is the last child, and no
    /// sibling lies directly before it that it could repeat.
    ///
    /// Then [`Describe::begin_last`] begins it without a level of its own, so chains of any depth take no levels.
    #[inline]
    pub(crate) fn shares_end(&mut self) -> bool {
        self.left == 1 && self.encode.most_copies(&mut self.list, self.leaves as usize) == 0
    }

    /// Begins a node that shares the end of the open node, which [`Describe::end`] has to end.
    #[inline]
    pub(crate) fn begin_last<H: HeadSpec>(&mut self, head: &H) -> Result<(), Error> {
        self.flush()?;
        self.encode.open(&mut self.list);
        match self.encode.head(head) {
            true => self.enter(head.arity()),
            false => self.fail_here(),
        }
    }

    /// Runs a describer that keeps its own levels, `K` for each level of depth: in the caller's levels, or if there are
    /// none, in a local stack for [`MAX_DEPTH`] levels of depth.
    ///
    /// While it runs, that many levels of depth are allowed, because such a describer does not recurse, and it owns all
    /// of the caller's levels.
    pub(crate) fn with_levels<const K: usize>(
        &mut self,
        run: impl FnOnce(&mut Self, Rows<'_, K>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if self.levels.is_empty() {
            return self.with_own_levels(run);
        }
        let levels = take(&mut self.levels);
        let (rows, _) = levels.as_chunks_mut();
        let described = self.with_rows(Rows::Brought(rows), run);
        self.levels = levels;
        described
    }

    /// Not inlined, so that the local stack takes no room if the caller brought levels.
    #[inline(never)]
    fn with_own_levels<const K: usize>(
        &mut self,
        run: impl FnOnce(&mut Self, Rows<'_, K>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut own = levels::empty::<[Level; K], { MAX_DEPTH as usize }>();
        self.with_rows(Rows::Own(&mut own), run)
    }

    fn with_rows<const K: usize>(
        &mut self,
        rows: Rows<'_, K>,
        run: impl FnOnce(&mut Self, Rows<'_, K>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let limit = self.depth.limit;
        // One more than there are rows, so that the rows run out first.
        self.depth.allow(rows.room().saturating_add(1));
        let described = run(self, rows);
        self.depth.limit = limit;
        described
    }

    /// The number of children that the open node lacks.
    pub(crate) const fn left(&self) -> u32 {
        self.left
    }

    #[inline]
    fn open<H: HeadSpec>(&mut self, head: &H) -> Option<Opened<E>> {
        self.flush().ok()?;
        self.take(1).ok()?;
        let node = self.encode.open(&mut self.list);
        let (list, left, leaves) = (self.list, self.left, self.leaves);
        let branches = self.encode.branches();
        if !self.encode.head(head) {
            return self.fail_here().ok();
        }
        self.enter(head.arity()).ok()?;
        Some(Opened { node, list, left, leaves, branches })
    }

    /// Goes on with the children of a node whose head was passed.
    #[inline]
    fn enter(&mut self, children: usize) -> Result<(), Error> {
        let Ok(left) = u32::try_from(children) else { return self.fail(Error::TooLarge) };
        (self.left, self.unit) = (left, Unit::LEAF);
        self.list = E::list(self.leaves as usize);
        Ok(())
    }

    #[inline]
    pub(super) fn close(&mut self, node: &Opened<E>) -> Result<(), Error> {
        if self.left != 0 {
            return self.missing();
        }
        self.flush()?;
        let leaves = self.leaves.wrapping_sub(node.leaves);
        // An encoder that only counts leaves counts no branches, but this node is one.
        let branches = self.encode.branches().wrapping_sub(node.branches).max(1);
        self.unit = Unit { leaves, branches };
        (self.list, self.left) = (node.list, node.left);
        match self.encode.close(&mut self.list, node.node, self.leaves as usize) {
            true => Ok(()),
            false => self.fail_here(),
        }
    }

    /// Describes a node whose children are leaves, and that is no level of its own.
    #[inline]
    pub(super) fn leaf_node<H: HeadSpec>(&mut self, head: &H) {
        if let Some(node) = self.open(head)
            && self.leaves(head.arity()).is_ok()
        {
            let _ = self.close(&node);
        }
    }

    /// Ends the run of leaves, if there is one.
    #[inline]
    fn flush(&mut self) -> Result<(), Error> {
        match self.encode.flush(&mut self.list, self.leaves as usize) {
            true => Ok(()),
            false => self.fail_here(),
        }
    }

    /// Subtracts `count` from the children that the open node lacks.
    #[inline]
    fn take(&mut self, count: usize) -> Result<u32, Error> {
        match u32::try_from(count)
            .ok()
            .and_then(|count| Some((count, self.left.checked_sub(count)?)))
        {
            Some((count, left)) => {
                self.left = left;
                Ok(count)
            }
            None => self.fail(Error::Arity { expected: self.left as usize, found: count }),
        }
    }

    /// Notes an error of the describer, unless the leaves before it are already not the expected ones.
    #[cold]
    pub(super) fn fail<T>(&mut self, error: Error) -> Result<T, Error> {
        let branches = self.encode.branches();
        if self.failed.is_none()
            && self.in_common.is_some()
            && !self.encode.flush(&mut self.list, self.leaves as usize)
            // These are too many leaves. If more leaves are expected, those so far are right.
            && self.encode.branches() != branches
        {
            return self.fail_here();
        }
        Err(*self.failed.get_or_insert(error))
    }

    /// Notes an error of the encoder.
    #[cold]
    pub(super) fn fail_here<T>(&mut self) -> Result<T, Error> {
        let error = self.encode.error(self.leaves as usize);
        Err(*self.failed.get_or_insert(error))
    }

    /// Notes that the encoder refused a subtree, or a copy if there is no subtree. Its leading nodes can be the
    /// expected ones.
    #[cold]
    fn refused(&mut self, subtree: Option<&[u8]>) -> Result<(), Error> {
        let common = match (self.in_common, self.encode.refused(&self.list, subtree)) {
            (Some(in_common), Some((expected, found))) => in_common(expected, found),
            _ => 0,
        };
        let error = match self.encode.error(self.leaves as usize) {
            Error::Mismatch { node } => Error::Mismatch { node: node.wrapping_add(common) },
            error => error,
        };
        Err(*self.failed.get_or_insert(error))
    }

    #[cold]
    pub(super) fn missing<T>(&mut self) -> Result<T, Error> {
        // Children are missing, or if none are, the end of a node inside.
        self.fail(Error::Arity { expected: self.left.max(1) as usize, found: 0 })
    }

    /// The number of leaves, or the first error, after a description.
    fn finish(&mut self) -> Result<usize, Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        // Nodes are open if a describer with levels of its own gave up, and its caller ignored the error.
        if self.left != 0 || self.depth.num_open() != 0 {
            return self.missing();
        }
        self.flush()?;
        Ok(self.leaves as usize)
    }
}

/// Describes a tree of at most [`MAX_DEPTH`] levels to an encoder and returns the number of its leaves.
#[inline]
pub(crate) fn describe<T, E>(tree: &T, encode: &mut E, levels: &mut [Level]) -> Result<usize, Error>
where
    T: Structure + ?Sized,
    E: Encode,
{
    describe_by(&mut |out| tree.describe_in(out), encode, levels)
}

/// As [`describe`], of what `describe_in` describes.
#[inline]
pub(crate) fn describe_by<E, F>(
    describe_in: &mut F,
    encode: &mut E,
    levels: &mut [Level],
) -> Result<usize, Error>
where
    E: Encode,
    F: FnMut(&mut Describe<'_, E>) + ?Sized,
{
    let mut out = Describe::new(encode, levels);
    describe_in(&mut out);
    out.finish()
}

/// Compares the structure of a tree with an expected one.
#[inline]
pub(crate) fn compare<T>(tree: &T, expected: TreeDef<'_>, levels: &mut [Level]) -> Result<(), Error>
where
    T: Structure + ?Sized,
{
    let mut output = Comparer::expected(expected);
    let mut out = Describe::new(&mut output, levels);
    out.in_common = Some(nodes_in_common);
    tree.describe_in(&mut out);
    out.finish().map(drop)
}
