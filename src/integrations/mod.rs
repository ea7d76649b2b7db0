//! Functions for types of other crates.

// Other crates, one file for each.
//
// - `bumpalo`: arenas and dynamic trees in a `Bump`;
// - `defmt`: what firmware logs.
//
// Imports from all other folders.

#[cfg(feature = "bumpalo")]
pub(crate) mod bumpalo;
#[cfg(feature = "defmt")]
mod defmt;

#[cfg(feature = "bumpalo")]
pub use bumpalo::unflatten_in;
