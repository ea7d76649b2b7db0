//! Tools that know no treedef.
//!
//! - `bytes`: short byte strings compared and copied by words;
//! - `lazy`: an iterator that makes an item only where it is asked for;
//! - `levels`: a stack with an upper bound;
//! - `python`: Python's text of strings, bytes, floats and integers;
//! - `show`: `Debug` without the formatters of `core`, which can panic;
//! - `dtype`: element types of arrays;
//! - `error`: what can go wrong, and where.
//!
//! Imports from no other folder.

pub(crate) mod bytes;
pub(crate) mod dtype;
pub(crate) mod error;
pub(crate) mod lazy;
pub(crate) mod levels;
pub(crate) mod python;
pub(crate) mod show;
