//! Tools that know no treedef.
//!
//! - `both`: two iterators side by side;
//! - `bytes`: short byte strings compared and copied by words;
//! - `levels`: a stack with an upper bound;
//! - `python`: Python's text of strings, bytes, floats and integers;
//! - `show`: `Debug` without the formatters of `core`, which can panic;
//! - `dtype`: element types of arrays;
//! - `error`: what can go wrong, and where.
//!
//! Imports from no other folder.

pub(crate) mod both;
pub(crate) mod bytes;
pub(crate) mod dtype;
pub(crate) mod error;
pub(crate) mod levels;
pub(crate) mod python;
pub(crate) mod show;
