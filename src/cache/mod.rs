//! Keys of calls, and caches of what is stored for them.
//!
//! A [`KeyWriter`] writes a [`CallKey`](crate::CallKey): the structures of a call, the dtypes and shapes of its arrays,
//! and its static arguments. [`CallKey::of`](crate::CallKey::of) is a treedef alone, which does not hold the types of the
//! leaves; [`CallKey::of_tree`](crate::CallKey::of_tree) and, as a constant,
//! [`CallKey::of_type`](crate::CallKey::of_type) add them. A [`KeyBuf`] owns a key, and so does `KeyBox`
//! (feature `alloc`). A [`Cache`](crate::Cache) finds a value by its key in fixed memory; every other map takes the keys as
//! they are, or [`ByFingerprint`]. Where arguments have types of Rust, a [`Known`] in front of a cache or map finds most calls before
//! their key is made.
//! Strangers who choose the keys can give many of them one fingerprint. A look-up then compares with all of these: in a
//! [`Cache`](crate::Cache) at most with its entries, in a map of [`ByFingerprint`] without a bound, where 16,384 keys made a hit
//! some 1,000 times slower. A wrong value is never returned. The guide to [`call_keys`](mod@crate::guide::call_keys) says
//! which map to take.
//!
//! [`CallKey::differences`](crate::CallKey::differences) says why a key was not found.

// - `part`, `key`: the parts of a key, writing and reading it; `key_buf`, `key_box`: keys that own their bytes;
// - `leaf_keys`: the types of leaves as parts of a key; `of_type`: the key of a type as a constant;
// - `difference`: one part in which two keys differ; `differences`: all of them; `arrays`: the arrays of the leaves of two
//   structures, by path;
// - `index`, `table`, `entry`: the positions of a cache of fixed size, that cache, and how values come into it; `by_fingerprint`: keys for other maps;
// - `known_call`: a call whose arguments have a known type, and its key; `known`: a table of such calls; `known_key`: their keys on the
//   heap, for maps;
// - `shape_dtype`: the dtype and shape of an array;
// - `stats`: hits and misses.

mod arrays;
mod by_fingerprint;
pub(crate) mod difference;
pub(crate) mod differences;
mod entry;
mod index;
pub(crate) mod key;
#[cfg(feature = "alloc")]
pub(crate) mod key_box;
pub(crate) mod key_buf;
mod known;
mod known_call;
#[cfg(feature = "alloc")]
mod known_key;
pub(crate) mod leaf_keys;
mod of_type;
pub(crate) mod part;
pub(crate) mod shape_dtype;
pub(crate) mod stats;
pub(crate) mod table;

pub use crate::base::dtype::Dtype;
pub use by_fingerprint::{ByFingerprint, FingerprintHasher, FingerprintState};
pub use difference::KeyDifference;
pub use differences::{KeyDifferences, KeySummary};
pub use entry::Entry;
pub use key::KeyWriter;
#[cfg(feature = "alloc")]
pub use key_box::KeyBox;
pub use key_buf::KeyBuf;
pub use known::Known;
pub use known_call::KnownCall;
#[cfg(feature = "alloc")]
pub use known_key::{KnownKey, KnownRef};
pub use leaf_keys::{KeyLeaves, KeyPart};
pub use part::{Part, Parts};
pub use shape_dtype::{Dim, Dims, ShapeDtype};
pub use stats::CacheStats;
