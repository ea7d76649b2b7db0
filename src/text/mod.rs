//! Texts: treedefs as JAX and optree print them, drawings, key paths, explanations of errors.
//!
//! Only these reach [`crate::python`] for strings and floats, so that a program that prints nothing links none of it.

mod repr;

mod keystr;

mod draw;

mod jax;

mod optree;

mod contrast;

mod differences;

mod explain;

pub use differences::Summary;
pub use explain::{DecodeExplanation, Explanation, KeysExplanation};
pub use keystr::KeyStr;
pub(crate) use keystr::{entry, simple_entry};
pub use optree::{Codify, OptreeEntries, OptreeText};
