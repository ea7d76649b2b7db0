//! Rust types as trees.
//!
//! - `family`, `leaf`: leaf types, and families of them;
//! - `rebuild`: puts a tree together from a treedef and leaves;
//! - `traits`: what a tree can do: read, write in place, take out and rebuild, map, zip;
//! - `containers`: the types that are trees, one file for each group;
//! - `flatten`: trees to leaves and back;
//! - `each`, `with_path`: a function for each leaf, with its path too;
//! - `reduce`: one value from all leaves;
//! - `derive_support`: what the code of derives and macros calls.
//!
//! Imports from `base`, `format`, `treedef` and `encode`.

pub(crate) mod containers;
pub mod derive_support;
pub(crate) mod each;
pub(crate) mod family;
pub(crate) mod flatten;
pub(crate) mod leaf;
pub(crate) mod rebuild;
pub(crate) mod reduce;
pub(crate) mod traits;
pub(crate) mod with_path;
