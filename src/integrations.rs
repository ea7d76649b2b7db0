//! Containers of other crates, one file for each.

#[cfg(feature = "alloc")]
mod alloc;

mod heapless;

#[cfg(any(feature = "hashbrown", feature = "std"))]
mod hash_map;
