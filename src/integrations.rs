//! Containers of other crates, one file for each.

#[cfg(feature = "alloc")]
mod alloc;

#[cfg(feature = "bumpalo")]
pub(crate) mod bumpalo;

#[cfg(feature = "defmt")]
mod defmt;

mod heapless;

#[cfg(any(feature = "hashbrown", feature = "std"))]
mod hash_map;

#[cfg(feature = "proptest")]
#[allow(
    clippy::arithmetic_side_effects,
    reason = "generators run in tests, on small numbers of their own"
)]
pub mod proptest;
