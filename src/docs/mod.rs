//! Pages of the documentation that belong to no item.

#[doc = include_str!("names.md")]
#[cfg_attr(feature = "derive", doc = include_str!("links.md"))]
#[cfg_attr(not(feature = "derive"), doc = include_str!("links_without_derive.md"))]
pub mod names {}

#[doc = include_str!("depth.md")]
pub mod depth {}
