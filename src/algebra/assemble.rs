//! Builds nodes whose children are treedefs.

use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::encode::describe::Describe;
use crate::encode::encoder::Encode;
use crate::encode::structure::Structure;
use crate::format::heading::HeadSpec;
use crate::treedef::treedef::TreeDef;

/// A treedef is a structure, and so are tuples, arrays, slices and maps of treedefs: `structure_into(&(a, b), &mut
/// bytes)` does what `jax.tree_util.treedef_tuple` does.
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

/// A node of any kind with given children: `NodeOf(head, children)`, as `PyTreeDef.from_node_data_and_children`.
///
/// For dictionaries, lists and tuples there is a shorter way: maps, slices, arrays and tuples of treedefs are
/// structures themselves, such as a `BTreeMap<&str, TreeDef>` (feature `alloc`).
///
/// The children are in the order of the keys in the head. The keys of a plain or default dictionary can be in any
/// order: the node sorts them together with their children, as optree's `treespec_dict` and `treespec_defaultdict`.
/// Sorting takes no memory: `n` unsorted keys are compared about `n²` times each time they are read.
///
/// # Errors
///
/// Writing or bounding it fails with [`Error::DuplicateKey`] or [`Error::Unordered`] if keys are equal or have no
/// order, with [`Error::Arity`] if the number of children is not that of the head, and with the errors of the head.
/// `DIFFERENCE`: JAX checks none of this, and does not sort the keys.
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
        let NodeOf(spec, children) = self;
        let (expected, found) = (spec.arity(), children.len());
        if expected != found {
            return Err(Error::Arity { expected, found });
        }
        let (spec, order) = spec.__in_order()?;
        out.node(&spec, |out| {
            order.filter_map(|i| children.get(i)).try_for_each(|child| child.describe(out))
        })
    }
}
