//! What a tree speaks to when it describes its structure.

use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::encode::bits::sum;
use crate::encode::depth::Depth;
use crate::encode::encoder::Encode;
use crate::encode::output::{Output, Unit};
use crate::encode::structure::Structure;
use crate::format::head::Head;
use crate::format::heading::Heading;
use crate::treedef::mismatch::nodes_in_common;
use crate::treedef::treedef::TreeDef;

/// Receives the description of a structure, node by node in preorder; as [`core::fmt::Formatter`] receives text.
///
/// [`Structure::describe`](crate::Structure::describe) is called with one. Whether the structure is then written,
/// compared with an expected one, or only counted is the affair of `E`.
///
/// The first error ends the description. A description that goes on after it gets that error in the end.
///
/// # Examples
///
/// ```
/// use treedef::{Describe, Encode, Error, Shape, Structure, TupleOf, structure_into};
///
/// /// A pair of a leaf and nothing.
/// struct Half;
///
/// impl Structure for Half {
///     const SHAPE: &'static Shape = &Shape::Varies;
///
///     fn describe<E: Encode>(&self, out: &mut Describe<'_, E>) -> Result<(), Error> {
///         out.node(&TupleOf(2), |out| {
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
    encode: &'e mut E,
    /// The leaves so far.
    leaves: u32,
    /// Children that the open node still misses.
    left: u32,
    /// What the encoder knows of the children of the open node.
    list: E::List,
    /// The child before.
    unit: Unit,
    depth: Depth,
    /// Where a treedef is expected, [`nodes_in_common`]: a program that only writes does not hold it.
    in_common: Option<InCommon>,
    /// The first error.
    failed: Option<Error>,
}

debug_struct!([E: Encode] Describe<'_, E> { leaves, left });

/// Finds how many nodes two treedefs have in common.
type InCommon = fn(&[u8], &[u8]) -> u32;

/// A node that was begun: what the list around it knows, and the counts before it.
pub(crate) struct OpenNode<E: Encode> {
    node: E::Node,
    list: E::List,
    left: u32,
    leaves: u32,
    branches: u32,
}

impl<'e, E: Encode> Describe<'e, E> {
    /// Describes a structure of at most `limit` levels to an encoder.
    #[inline]
    pub(crate) fn new(encode: &'e mut E, limit: u32) -> Self {
        let (list, unit, depth) = (E::list(0), Unit::LEAF, Depth::new(limit));
        Self { encode, leaves: 0, left: 1, list, unit, depth, in_common: None, failed: None }
    }

    /// Adds `count` leaves.
    ///
    /// # Errors
    ///
    /// [`Error::Arity`] if the open node has fewer children left; [`Error::TooLarge`].
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

    /// Adds a `None`.
    ///
    /// # Errors
    ///
    /// As [`Describe::node`].
    #[inline]
    pub fn none(&mut self) -> Result<(), Error> {
        match self.open(&Head::NONE) {
            Ok(node) => self.close(node),
            Err(error) => Err(error),
        }
    }

    /// Adds a node; `children` describes its children to the same receiver.
    ///
    /// # Errors
    ///
    /// What is wrong with the keys and values of `head`; [`Error::Arity`] if `children` are fewer or more than `head`
    /// has, or the node outside has no child left; [`Error::TooDeep`]; [`Error::TooLarge`]. [`Error::Full`] where it is
    /// written, [`Error::Mismatch`] where it is compared. Those of `children`.
    // `?` is written out, so that unoptimised programs keep the frames small that recursion holds.
    #[inline]
    #[expect(clippy::question_mark, reason = "written out, it holds less stack")]
    pub fn node<H: Heading>(
        &mut self,
        head: &H,
        children: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let node = match self.begin(head) {
            Ok(node) => node,
            Err(error) => return Err(error),
        };
        match children(self) {
            Ok(()) => self.end(node),
            Err(error) => Err(error),
        }
    }

    /// Adds `count` more copies of the child that was added last, without describing them. Where it has leaves, they
    /// are not written or compared one by one either.
    ///
    /// # Errors
    ///
    /// As [`Describe::leaves`]; [`Error::Full`] where it is written, [`Error::Mismatch`] where it is compared.
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
    #[inline]
    pub fn subtree(&mut self, def: TreeDef<'_>) -> Result<(), Error> {
        if def.is_leaf() {
            return self.leaves(1);
        }
        self.flush()?;
        self.take(1)?;
        let Some(after) = self.leaves.checked_add(def.leaves()) else {
            return self.fail(Error::TooLarge);
        };
        let branches = def.node_count().wrapping_sub(def.leaves());
        if !self.encode.subtree(&mut self.list, def, branches, after as usize) {
            return self.refused(Some(def.as_bytes()));
        }
        self.leaves = after;
        self.unit = Unit { leaves: def.leaves(), branches };
        Ok(())
    }

    /// Begins a node: for describers that hold their levels themselves.
    #[inline]
    pub(crate) fn begin<H: Heading>(&mut self, head: &H) -> Result<OpenNode<E>, Error> {
        if let Err(error) = self.depth.enter() {
            return self.fail(error);
        }
        self.open(head)
    }

    /// Ends the node that was begun last.
    #[inline]
    pub(crate) fn end(&mut self, node: OpenNode<E>) -> Result<(), Error> {
        self.depth.leave();
        self.close(node)
    }

    /// Begins the last child of a node where nothing is left to do at its end: then the end of the node outside is its
    /// end as well, and it counts as no level. Where that cannot be, it is begun as by [`Describe::begin`].
    ///
    /// It can be where no sibling lies directly before it that it could repeat. Chains of any depth then take no levels.
    pub(crate) fn begin_last<H: Heading>(
        &mut self,
        head: &H,
    ) -> Result<Option<OpenNode<E>>, Error> {
        if self.left != 1 || self.encode.may_copy(&mut self.list, self.leaves as usize) {
            return self.begin(head).map(Some);
        }
        self.flush()?;
        self.encode.open(&mut self.list);
        if !self.encode.head(head) {
            return self.fail_here();
        }
        self.enter(head.arity())?;
        Ok(None)
    }

    /// Allows `levels` levels from here on, if they are more than are allowed already: for describers that hold their
    /// levels themselves, and so need no bound of their recursion.
    pub(crate) const fn allow(&mut self, levels: u32) {
        self.depth.allow(levels);
    }

    #[inline]
    fn open<H: Heading>(&mut self, head: &H) -> Result<OpenNode<E>, Error> {
        self.flush()?;
        self.take(1)?;
        let node = self.encode.open(&mut self.list);
        let (list, left, leaves) = (self.list, self.left, self.leaves);
        let branches = self.encode.branches();
        if !self.encode.head(head) {
            return self.fail_here();
        }
        self.enter(head.arity())?;
        Ok(OpenNode { node, list, left, leaves, branches })
    }

    /// Goes on with the children of a node whose head is there.
    #[inline]
    fn enter(&mut self, children: usize) -> Result<(), Error> {
        let Ok(left) = u32::try_from(children) else { return self.fail(Error::TooLarge) };
        (self.left, self.unit) = (left, Unit::LEAF);
        self.list = E::list(self.leaves as usize);
        Ok(())
    }

    #[inline]
    fn close(&mut self, node: OpenNode<E>) -> Result<(), Error> {
        if self.left != 0 {
            return self.missing();
        }
        self.flush()?;
        let leaves = self.leaves.wrapping_sub(node.leaves);
        // One that only counts leaves counts no branches, but this is no leaf.
        let branches = self.encode.branches().wrapping_sub(node.branches).max(1);
        self.unit = Unit { leaves, branches };
        (self.list, self.left) = (node.list, node.left);
        match self.encode.close(&mut self.list, node.node, self.leaves as usize) {
            true => Ok(()),
            false => self.fail_here(),
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

    /// Takes `count` children from the open node.
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

    /// Notes what the describer did wrong, unless the leaves before it are not the expected ones.
    #[cold]
    fn fail<T>(&mut self, error: Error) -> Result<T, Error> {
        let branches = self.encode.branches();
        if self.failed.is_none()
            && self.in_common.is_some()
            && !self.encode.flush(&mut self.list, self.leaves as usize)
            // There are too many of them. Where more leaves are expected, those that came are right.
            && self.encode.branches() != branches
        {
            return self.fail_here();
        }
        Err(*self.failed.get_or_insert(error))
    }

    /// Notes what the encoder found wrong.
    #[cold]
    fn fail_here<T>(&mut self) -> Result<T, Error> {
        let error = self.encode.error(self.leaves as usize);
        Err(*self.failed.get_or_insert(error))
    }

    /// Notes that a subtree, or where there is none a copy, was refused. It can have nodes in common with what is
    /// expected.
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
    fn missing<T>(&mut self) -> Result<T, Error> {
        self.fail(Error::Arity { expected: self.left as usize, found: 0 })
    }

    /// The number of leaves, after a description with this result.
    fn finish(&mut self, described: Result<(), Error>) -> Result<usize, Error> {
        if let Err(error) = described {
            return self.fail(error);
        }
        if let Some(error) = self.failed {
            return Err(error);
        }
        if self.left != 0 {
            return self.missing();
        }
        self.flush()?;
        Ok(self.leaves as usize)
    }
}

/// Describes a tree to an encoder and gives the number of its leaves.
#[inline]
pub(crate) fn describe<T, E>(tree: &T, encode: &mut E, limit: u32) -> Result<usize, Error>
where
    T: Structure + ?Sized,
    E: Encode,
{
    let mut out = Describe::new(&mut *encode, limit);
    let described = tree.describe(&mut out);
    let leaves = out.finish(described)?;
    sum(encode.branches(), leaves).map(|_| leaves).ok_or(Error::TooLarge)
}

/// Compares the structure of a tree with an expected one.
#[inline]
pub(crate) fn compare<T>(tree: &T, expected: TreeDef<'_>, limit: u32) -> Result<(), Error>
where
    T: Structure + ?Sized,
{
    let mut output = Output::expected(expected);
    let mut out = Describe::new(&mut output, limit);
    out.in_common = Some(nodes_in_common);
    let described = tree.describe(&mut out);
    out.finish(described).map(drop)
}
