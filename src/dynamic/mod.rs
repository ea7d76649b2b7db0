//! Trees built at run time: nodes, views, and objects of other crates.
//!
//! A [`Node`](crate::Node) is a tree of borrowed slices, and [`tree!`](macro@crate::tree) is a literal of one. A
//! [`View`](crate::View) is a treedef and a slice of leaves, read as a tree. Values of another crate, such as JSON,
//! implement [`Object`](crate::Object) and describe themselves to an [`Open`].
//!
//! [`Flatten`] flattens all of them, with the keyword arguments of `jax.tree.flatten` as methods. [`unflatten_into`]
//! makes nodes from a treedef and leaves; [`fold()`] makes any other value.

// - `object`: the trait of objects of other crates;
// - `node`: a tree made of nodes; `literal`: nodes and treedefs as literals;
// - `options`, `rule`: how objects are flattened, and which of them count as leaves;
// - `flatten`, `trail`: the walk over objects and its path; `flatten_on_heap`: what it returns where there is a heap;
//   `alike`: compares neighbouring objects; `leaves`: where its leaves go; `sort`, `sort_on_heap`: keys that it sorts;
// - `view`: a treedef together with its leaves;
// - `slab`: makes nodes from a treedef and leaves;
// - `fold`: makes a value from the leaves up;
//
// Imports from `base`, `format`, `treedef`, `encode`, `text` and `tree`.

mod alike;
pub(crate) mod flatten;
#[cfg(feature = "alloc")]
mod flatten_on_heap;
pub(crate) mod fold;
pub(crate) mod leaves;
// Macros reach into it.
#[doc(hidden)]
pub mod literal;
pub(crate) mod node;
pub(crate) mod object;
pub(crate) mod options;
pub(crate) mod rule;
pub(crate) mod slab;
pub(crate) mod sort;
#[cfg(feature = "alloc")]
mod sort_on_heap;
pub(crate) mod trail;
pub(crate) mod view;

pub use fold::{FoldChildren, fold, fold_len};
pub use leaves::Keep;
pub use node::{Keyed, Label};
pub use object::{MAX_UNSORTED_KEYS, Open};
pub use options::Flatten;
pub use rule::Rule;
pub use slab::{unflatten_into, unflatten_len};
pub use trail::Trail;
pub use view::ViewChildren;
