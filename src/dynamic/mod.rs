//! Trees that are values of run time: [`Node`](crate::Node), [`View`](crate::View), and the objects of other models.
//!
//! [`Flatten`] says how objects and nodes are flattened, as the keyword arguments of `jax.tree.flatten` do.
//! [`unflatten_into`] makes nodes from a treedef and leaves, [`fold()`] any other value.

// Trees that are values of run time: nodes, views, and object models of other crates.
//
// - `object`: the trait of another crate's objects;
// - `node`: a tree made of nodes; `literal`: nodes and treedefs written in source;
// - `options`, `rule`: how objects are flattened, and which of them count as leaves;
// - `flatten`, `sort`, `trail`: the walk over objects, keys that it sorts, and its path;
// - `view`: a treedef together with its leaves;
// - `slab`: nodes made from a treedef and leaves;
// - `fold`: a value made from the leaves up;
// - `typed`: nodes and views as leaves' trees in typed code.
//
// Imports from `base`, `format`, `treedef`, `encode`, `text` and `tree`.

pub(crate) mod flatten;
pub(crate) mod fold;
// Macros reach into it.
#[doc(hidden)]
pub mod literal;
pub(crate) mod node;
pub(crate) mod object;
pub(crate) mod options;
pub(crate) mod rule;
pub(crate) mod slab;
pub(crate) mod sort;
pub(crate) mod trail;
mod typed;
pub(crate) mod view;

pub use flatten::Keep;
pub use fold::{FoldChildren, fold, fold_len};
pub use node::{Keyed, Label};
pub use object::{MAX_UNSORTED_KEYS, Open};
pub use options::Flatten;
pub use rule::Rule;
pub use slab::{unflatten_into, unflatten_len};
pub use trail::Trail;
pub use view::ViewChildren;
