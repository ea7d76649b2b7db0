//! Functions for types of other crates, each with the feature of that crate.

// One file for each crate.
//
// - `arrayvec`, `smallvec`: containers;
// - `fixed`, `half`, `ndarray`: leaves and parts of keys;
// - `serde`: treedefs and keys in other formats;
// - `bumpalo`: treedefs and dynamic trees in a `Bump`;
// - `defmt`: what firmware logs.

#[cfg(feature = "arrayvec")]
mod arrayvec;
#[cfg(feature = "bumpalo")]
pub(crate) mod bumpalo;
#[cfg(feature = "defmt")]
mod defmt;
#[cfg(feature = "fixed")]
mod fixed;
#[cfg(feature = "half")]
mod half;
#[cfg(feature = "ndarray")]
mod ndarray;
#[cfg(feature = "serde")]
mod serde;
#[cfg(feature = "smallvec")]
mod smallvec;

#[cfg(feature = "bumpalo")]
pub use bumpalo::{structure_in, unflatten_in};
