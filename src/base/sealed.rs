//! Seals traits: only types of this crate implement them.

/// What a sealed trait requires.
pub trait Sealed {}
