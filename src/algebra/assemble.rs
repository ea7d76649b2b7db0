//! Treedefs as the children of containers.

use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::encode::describe::Describe;
use crate::encode::encoder::Encode;
use crate::encode::structure::Structure;
use crate::format::heading::HeadSpec;
use crate::treedef::treedef::TreeDef;

/// A treedef is a structure, so tuples, arrays, slices and maps of treedefs are: `jax.tree_util.treedef_tuple` is
/// `structure_into(&(a, b), &mut bytes)`.
///
/// # Examples
///
/// ```
/// use treedef::{structure_into, treedef};
///
/// let (pair, leaf) = (treedef!((*, *)), treedef!(*));
/// let mut bytes = [0; 8];
/// assert_eq!(structure_into(&(pair, leaf), &mut bytes)?, treedef!(((*, *), *)));
/// assert_eq!(structure_into(&[pair, pair], &mut bytes)?, treedef!([(*, *), (*, *)]));
/// # Ok::<(), treedef::Error>(())
/// ```
impl Structure for TreeDef<'_> {
    const NULLABLE: bool = true;

    fn describe<E: Encode>(&self, out: &mut Describe<'_, E>) -> Result<(), Error> {
        out.subtree(*self)
    }

    fn alike(&self, other: &Self) -> bool {
        self == other
    }

    fn num_leaves(&self) -> Result<usize, Error> {
        Ok(TreeDef::num_leaves(self))
    }
}

/// A node of any kind over children that are structures: `NodeOf(heading, children)`, as
/// `PyTreeDef.from_node_data_and_children`.
///
/// For a dictionary a map of treedefs is simpler: a `BTreeMap<&str, TreeDef>` (feature `alloc`) or any other map is a
/// structure as it is. So are tuples, arrays and slices of treedefs.
///
/// The children come in the order of the heading's keys. The keys of a plain or default dictionary come in any order:
/// the node has them sorted, each with its child, as optree's `treespec_dict` and `treespec_defaultdict`. No memory is
/// taken for that: `n` keys that are not sorted are compared some `n` squared times whenever they are read.
///
/// # Errors
///
/// Where it is written or bounded: keys that are equal or have no order, and whatever is wrong with the heading;
/// [`Error::Arity`] if there are more or fewer children than it announces. `DIFFERENCE`: JAX checks neither, and leaves
/// the keys as they come.
///
/// # Examples
///
/// ```
/// use treedef::algebra::NodeOf;
/// use treedef::head::DictKind;
/// use treedef::{Error, head, structure_into, treedef};
///
/// let keys = head::Dict::new(DictKind::Sorted, ["b", "w"]);
/// let mut bytes = [0; 16];
/// let def = structure_into(&NodeOf(&keys, &[treedef!(*), treedef!([*, *])]), &mut bytes)?;
/// assert_eq!(def, treedef!({"b": *, "w": [*, *]}));
/// # #[cfg(feature = "alloc")] {
/// let map = std::collections::BTreeMap::from([("b", treedef!(*)), ("w", treedef!([*, *]))]);
/// assert_eq!(treedef::matches(&map, def), Ok(()));
/// # }
///
/// let keys = head::Dict::new(DictKind::Sorted, ["w", "b"]);
/// let def = structure_into(&NodeOf(&keys, &[treedef!([*, *]), treedef!(*)]), &mut bytes)?;
/// assert_eq!(def, treedef!({"b": *, "w": [*, *]}));
///
/// let error = structure_into(&NodeOf(&keys, &[treedef!(*)]), &mut bytes).unwrap_err();
/// assert_eq!(error, Error::Arity { expected: 2, found: 1 });
/// # Ok::<(), Error>(())
/// ```
#[must_use = "does nothing until it is described, as by `structure_into`"]
pub struct NodeOf<'a, H, T>(pub &'a H, pub &'a [T]);

debug_struct!([H, T] NodeOf<'_, H, T> {});

impl<H: HeadSpec, T: Structure> Structure for NodeOf<'_, H, T> {
    const NULLABLE: bool = true;

    fn describe<E: Encode>(&self, out: &mut Describe<'_, E>) -> Result<(), Error> {
        let NodeOf(heading, children) = self;
        let (expected, found) = (heading.arity(), children.len());
        if expected != found {
            return Err(Error::Arity { expected, found });
        }
        let (heading, order) = heading.__in_order()?;
        out.node(&heading, |out| {
            order.filter_map(|i| children.get(i)).try_for_each(|child| child.describe(out))
        })
    }
}
