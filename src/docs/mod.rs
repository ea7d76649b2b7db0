//! Longer texts, shown where they are looked for.

#[doc = include_str!("names.md")]
pub mod names {}

#[doc = include_str!("depth.md")]
pub mod depth {}
