//! Call keys, and what is stored under them.
//!
//! A [`KeyWriter`] writes a [`CallKey`](crate::CallKey): the structures of a call, the dtypes and shapes of its arrays,
//! and its static arguments. A treedef does not know the types of leaves, a key made by
//! [`CallKey::of_tree`](crate::CallKey::of_tree) does. A [`Cache`](crate::Cache) finds a value by its key; a [`CallSite`] remembers the last key
//! of one place of a program. [`CallKey::differences`](crate::CallKey::differences) says why a key was not found.

// Call keys, and what is stored under them.
//
// - `part`, `key`, `key_buf`: what a key is made of, writing and reading it, and keys that own their bytes;
// - `differences`: why a key is not another one;
// - `index`, `fixed`: a cache of fixed size and its table; `growing`: one that grows;
// - `shape_dtype`: dtype and shape of an array;
// - `stats`: hits and misses;
// - `call_site`: the last structure at one place of a program.
//
// Imports from all folders above: `base` to `algebra`.

pub(crate) mod call_site;
pub(crate) mod differences;
pub(crate) mod fixed;
#[cfg(feature = "hashbrown")]
pub(crate) mod growing;
mod index;
pub(crate) mod key;
pub(crate) mod key_buf;
pub(crate) mod leaf_keys;
pub(crate) mod part;
pub(crate) mod shape_dtype;
pub(crate) mod stats;

pub use crate::base::dtype::Dtype;
pub use call_site::CallSite;
pub use differences::{KeyDifference, KeyDifferences, KeySummary};
#[cfg(feature = "hashbrown")]
pub use growing::GrowingCache;
pub use key::{KeyPart, KeyWriter};
pub use key_buf::{CacheKey, KeyBuf};
pub use leaf_keys::KeyLeaves;
pub use part::{Part, Parts};
pub use shape_dtype::{Dims, ShapeDtype};
pub use stats::CacheStats;
