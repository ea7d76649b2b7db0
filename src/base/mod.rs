//! Tools that do not depend on treedefs.
//!
//! - `attempt`: `?` and a search for `const fn`; `exact_size`: what iterators of a known length have;
//! - `bytes`: compares and copies short byte strings by words;
//! - `fronts`: calls a macro for tuples of each length;
//! - `heap_sort`: a sort in place;
//! - `levels`: a stack with an upper bound; `slices`: pieces of one length of a slice;
//! - `message`: a text that is put together at compile time;
//! - `python`: Python's text of strings, bytes, floats and integers;
//! - `show`: `Debug` of all types, and the sentences of errors;
//! - `dtype`: element types of arrays;
//! - `target`: what the target of the build is good at;
//! - `error`, `decode_error`: the errors, with their positions; `try_error`: those of functions that callers pass; `never`: the error of
//!   what cannot fail.

pub(crate) mod attempt;
pub(crate) mod bytes;
pub(crate) mod decode_error;
pub(crate) mod dtype;
pub(crate) mod error;
pub(crate) mod exact_size;
pub(crate) mod fronts;
pub(crate) mod heap_sort;
pub(crate) mod levels;
pub(crate) mod message;
pub(crate) mod never;
pub(crate) mod python;
pub(crate) mod show;
pub(crate) mod slices;
pub(crate) mod target;
pub(crate) mod try_error;
