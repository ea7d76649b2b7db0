//! Call keys, and what is stored under them.
//!
//! - `part`, `key`, `key_buf`: what a key is made of, writing and reading it, and keys that own their bytes;
//! - `differences`: why a key is not another one;
//! - `index`, `fixed`: a cache of fixed size and its table; `growing`: one that grows;
//! - `shape_dtype`: dtype and shape of an array;
//! - `stats`: hits and misses;
//! - `call_site`: the last structure at one place of a program.
//!
//! Imports from all folders above: `base` to `algebra`.

pub(crate) mod call_site;
pub(crate) mod differences;
pub(crate) mod fixed;
#[cfg(feature = "hashbrown")]
pub(crate) mod growing;
mod index;
pub(crate) mod key;
pub(crate) mod key_buf;
pub(crate) mod part;
pub(crate) mod shape_dtype;
pub(crate) mod stats;
