//! Runs the code of the page `guide::recipes` of treedef: `cargo test`.
#![doc = include_str!(concat!(env!("OUT_DIR"), "/recipes.md"))]
