//! Changes each node by a function.

use crate::algebra::edit::{Change, TOGETHER, edit};
use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::format::head::Head;
use crate::tree::structure::written;
use crate::treedef::treedef::TreeDef;

/// A treedef whose nodes a function changes; see [`TreeDef::transform`].
///
/// # Examples
///
/// ```
/// use treedef::algebra::Change;
/// use treedef::encode::structure_bound;
/// use treedef::treedef;
///
/// let same = treedef!([*, None]).transform(|_| Ok(Change::Keep));
/// assert_eq!(structure_bound(&same), Ok(3));
/// ```
#[derive(Clone, Copy)]
#[must_use = "does nothing until it is described, as by `structure_into`"]
pub struct Transform<'a, F> {
    def: TreeDef<'a>,
    change: F,
}

debug_struct!([F] Transform<'_, F> { def });

impl<'a> TreeDef<'a> {
    /// Changes each node of this structure, including leaves, as `change` returns; as optree's `PyTreeSpec.transform`.
    ///
    /// The function is called with the head of each node, from the root down. It is called once for all copies of a
    /// repeated node and once for a run of leaves, and not below a node that it replaces. New heads live in memory of
    /// the caller, for example in an [`Arena`](crate::Arena).
    ///
    /// The result is a [`Structure`](crate::tree::Structure), for [`structure_into`](crate::structure_into) and the others. Each of these calls
    /// the function again, so it must always return the same for the same node.
    ///
    /// `DIFFERENCE`: optree's function receives and returns a one-level treedef, and cannot replace a whole subtree. If
    /// it returns a dictionary with unsorted keys, optree sorts the keys without their children, so children move to
    /// other keys. Here making such a head fails with [`Error::UnsortedKeys`].
    ///
    /// # Errors
    ///
    /// Writing, bounding or matching the result fails with the errors of `change`; with [`Error::Arity`] if a new head
    /// has another number of children; with [`Error::TooLarge`]; and with [`Error::TooDeep`] if a node that is not replaced
    /// is more than [`MAX_DEPTH`](crate::encode::MAX_DEPTH) levels below the root.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::algebra::Change;
    /// use treedef::{Arena, Kind, TreeDef, head, structure_into, treedef};
    ///
    /// let (mut heads, mut bytes) = ([0; 16], [0; 16]);
    /// let arena = Arena::new(&mut heads);
    /// let lists = treedef!(((*, *), None)).transform(|head| match head.kind() {
    ///     Kind::Tuple => arena.head(&head::List(head.num_children())).map(Change::Head),
    ///     Kind::None => Ok(Change::Subtree(TreeDef::LEAF)),
    ///     _ => Ok(Change::Keep),
    /// });
    /// assert_eq!(structure_into(&lists, &mut bytes)?.to_string(), "PyTreeDef([[*, *], *])");
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub const fn transform<F>(self, change: F) -> Transform<'a, F>
    where
        F: Fn(Head<'a>) -> Result<Change<'a>, Error>,
    {
        Transform { def: self, change }
    }
}

written!(['a, F] Transform<'a, F> where [F: Fn(Head<'a>) -> Result<Change<'a>, Error>], |transform, out| {
    edit::<TOGETHER>(transform.def, out, &transform.change);
});
