//! What people read: the texts of treedefs, paths and errors, as values that implement `Display`.

// What people read: treedefs as JAX prints them, drawings, key paths, explanations of errors.
//
// - `repr`: values as Python prints them;
// - `keystr`: the text of a path; `find_str`: the node that such a text leads to;
// - `draw`: a treedef as a drawing; `jax`: its text in JAX;
// - `contrast`, `differences`: how two structures differ;
// - `explain`, `explain_path`: errors as sentences.
//
// Only these files reach `base::python` for strings and floats, so that a program that prints nothing links none of it.
//
// Imports from `base`, `format`, `treedef` and `encode`.

mod contrast;
mod differences;
mod draw;
mod explain;
mod explain_path;
mod find_str;
mod jax;
mod keystr;
mod repr;

pub use differences::Summary;
pub use explain::{DecodeExplanation, Explanation, KeysExplanation};
pub use explain_path::PathExplanation;
pub use keystr::KeyStr;

pub use crate::treedef::walk::MAX_TEXT_DEPTH;
