//! Each node becomes what a function makes of it.

use crate::algebra::edit::{Edit, TOGETHER, edit};
use crate::base::error::Error;
use crate::base::show::{debug_enum, debug_struct};
use crate::encode::describe::Describe;
use crate::encode::encoder::Encode;
use crate::encode::structure::Structure;
use crate::format::head::Head;
use crate::treedef::treedef::TreeDef;

/// What [`TreeDef::transform`] makes of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change<'a> {
    /// The node stays as it is.
    Keep,
    /// The node gets another head for as many children.
    Head(Head<'a>),
    /// The node and all below it become this.
    Subtree(TreeDef<'a>),
}

debug_enum!(Change<'_> { Keep, Head(head), Subtree(def) });

/// A treedef whose nodes a function changes; see [`TreeDef::transform`].
#[derive(Clone, Copy)]
#[must_use = "does nothing until it is described, as by `structure_into`"]
pub struct Transform<'a, F> {
    def: TreeDef<'a>,
    change: F,
}

debug_struct!([F] Transform<'_, F> { def });

impl<'a> TreeDef<'a> {
    /// This structure with each node, leaves too, as `change` says; as optree's `PyTreeSpec.transform`.
    ///
    /// The function sees a head, from the root down, once for all copies of a node and once for a run of leaves; below
    /// a node that became another subtree it sees nothing. The caller keeps new heads, for example in an
    /// [`Arena`](crate::Arena). The result is a [`Structure`], for [`structure_into`](crate::structure_into) and the
    /// others; each of them calls the function again, and two calls of it have to give the same answer.
    ///
    /// `DIFFERENCE`: optree's function is handed a one-level treedef and answers one; here heads are enough, and a node
    /// can be replaced with all below it, which optree has no word for. Where optree's function makes a dictionary of
    /// keys that are not sorted, it sorts the keys and leaves the children where they are, so that a child comes under
    /// the key of another; here there is no head of such keys ([`Error::UnsortedKeys`] where it is made), and
    /// [`NodeOf`](crate::algebra::NodeOf) sorts keys and children.
    ///
    /// # Errors
    ///
    /// Where it is written, bounded or matched: those of `change`; [`Error::Arity`] where the new head has another
    /// number of children; [`Error::TooDeep`] if more than [`MAX_DEPTH`](crate::encode::MAX_DEPTH) levels are pending,
    /// for which [`structure_into_with`](crate::encode::structure_into_with) has room, with two levels for each;
    /// [`Error::TooLarge`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::algebra::Change;
    /// use treedef::encode::Store;
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

impl<'a, F> Structure for Transform<'a, F>
where
    F: Fn(Head<'a>) -> Result<Change<'a>, Error>,
{
    const NULLABLE: bool = true;

    fn describe<E: Encode>(&self, out: &mut Describe<'_, E>) -> Result<(), Error> {
        edit::<_, TOGETHER>(self.def, out, |site| {
            Ok(match (self.change)(site.head)? {
                Change::Keep => Edit::Keep,
                Change::Head(head) => Edit::Head(head),
                Change::Subtree(def) => Edit::Subtree(def),
            })
        })
    }
}
