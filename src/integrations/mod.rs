//! Functions for types of other crates, each with the feature of that crate.

// One file for each crate.
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
