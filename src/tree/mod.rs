//! Rust types as trees.
//!
//! - `family`, `leaf`: leaf types, and families of them;
//! - `lanes`: several trees of one type, walked together;
//! - `pairing`: a further tree beside or above those of a walk;
//! - `rebuild`: puts a tree together from a treedef and leaves;
//! - `traits`: what a tree can do: read, write in place, take out and rebuild, map, zip;
//! - `containers`: the types that are trees, one file for each group;
//! - `flatten`: trees to leaves and back;
//! - `each`, `with_path`: a function for each leaf, with its path too;
//! - `zip`: a function for each leaf of several trees;
//! - `reduce`: one value from all leaves;
//! - `derive_support`: what the code of derives and macros calls.
//!
//! Imports from `base`, `format`, `treedef` and `encode`.

pub(crate) mod containers;
pub mod derive_support;
pub(crate) mod each;
pub(crate) mod family;
pub(crate) mod flatten;
pub mod lanes;
pub(crate) mod leaf;
pub(crate) mod pairing;
pub(crate) mod rebuild;
pub(crate) mod reduce;
pub(crate) mod traits;
pub(crate) mod with_path;
pub(crate) mod zip;
