//! Trees built at run time: nodes, views, and objects of other crates.
//!
//! A [`Node`](crate::Node) is a tree of borrowed slices, and [`tree!`](macro@crate::tree) is a literal of one. A
//! [`View`](crate::View) is a treedef and a slice of leaves, read as a tree. Values of another crate, such as JSON,
//! implement [`Object`](crate::Object) and describe themselves to an [`Open`].
//!
//! [`Flatten`] flattens all of them, with the keyword arguments of `jax.tree.flatten` as methods. [`unflatten_into`]
//! makes nodes from a treedef and leaves; [`fold()`] makes any other value.

// - `object`: the trait of objects of other crates;
// - `node`: a tree made of nodes; `literal`: nodes and treedefs as literals; `view`: a treedef together with its leaves; `key_paths`: the paths of these;
// - `flatten`: the operations on objects; `flatten_on_heap`: those that return vectors;
// - `predicate`, `trail`: which objects count as leaves, and the path that decides it; `keep`: slots for leaves;
// - `walk`: the walk over an object; `alike`: compares neighbouring objects; `sort`: sorts keys;
// - `explain`: errors about the keys of an object;
// - `slab`: makes nodes from a treedef and leaves;
// - `fold`: makes a value from the leaves up;

mod alike;
mod explain;
pub(crate) mod flatten;
#[cfg(feature = "alloc")]
mod flatten_on_heap;
pub(crate) mod fold;
pub(crate) mod keep;
mod key_paths;
// Macros reach into it.
pub(crate) mod literal;
pub(crate) mod node;
pub(crate) mod object;
pub(crate) mod predicate;
pub(crate) mod slab;
pub(crate) mod sort;
pub(crate) mod trail;
pub(crate) mod view;
mod walk;

pub use flatten::Flatten;
pub use fold::{FoldChildren, fold, fold_len};
pub use keep::Keep;
pub use node::{Keyed, Label};
pub use object::Open;
pub use predicate::{NoPredicate, Predicate};
pub use slab::{unflatten_into, unflatten_len};
pub use sort::MAX_UNSORTED_KEYS;
pub use view::ViewChildren;
