//! Pages of the documentation that belong to no item.

#[doc = include_str!("names.md")]
pub mod names {}

#[doc = include_str!("depth.md")]
pub mod depth {}
