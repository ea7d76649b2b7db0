//! Containers of other crates, one file for each.

#[cfg(feature = "alloc")]
mod alloc;

mod heapless;
