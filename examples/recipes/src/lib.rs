//! Runs the code of two pages of treedef's guide: `cargo test`.

#[doc = include_str!(concat!(env!("OUT_DIR"), "/recipes.md"))]
pub mod recipes {}

#[doc = include_str!(concat!(env!("OUT_DIR"), "/call_keys.md"))]
pub mod call_keys {}
