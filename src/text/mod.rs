//! Texts for people: treedefs, paths, errors and differences, as values that implement `Display`.
//!
//! [`TreeDef`](crate::TreeDef) prints itself as JAX does. This module holds the types that methods return: [`KeyStr`] from
//! [`KeyPath::keystr`](crate::KeyPath::keystr), [`TypedPath`] from [`KeyPath::typed`](crate::KeyPath::typed), [`Explanation`] from
//! [`Error::explain`](crate::Error::explain), [`Summary`] from
//! [`Differences::summary`](crate::diff::Differences::summary). Nothing is written before the value is printed.

// - `repr`: values as Python prints them;
// - `keystr`: the text of a path; `find_keystr`: finds the node of such a text; `key_path_buf`: a path that owns its text;
// - `typed`: the text of a path as people type it; `leaf_path`: the same for a type, and back;
// - `jax`: the text of a treedef in JAX;
// - `sentences`: what nodes are, and how two sides differ; `differences`: all differences of two structures;
// - `explain`, `explain_path`, `explain_type`: errors as sentences.
//
// Strings and floats are printed and read by `base::python`. A program that does neither links none of it.

pub(crate) mod differences;
mod explain;
mod explain_path;
mod explain_type;
mod find_keystr;
mod jax;
#[cfg(feature = "alloc")]
pub(crate) mod key_path_buf;
mod keystr;
pub(crate) mod leaf_path;
pub(crate) mod repr;
pub(crate) mod sentences;
mod typed;

pub use differences::Summary;
pub use explain::{DecodeExplanation, Explanation, KeysExplanation};
pub use explain_path::PathExplanation;
pub use explain_type::TypeExplanation;
pub use jax::MAX_TEXT_DEPTH;
pub use keystr::KeyStr;
pub use leaf_path::{LeafPath, LeafPathExplanation};
pub use typed::TypedPath;
