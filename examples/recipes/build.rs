//! The page's code is not run with treedef itself, which does not depend on these crates: here it is.

use std::path::Path;
use std::{env, fs};

fn main() {
    let page = "../../src/docs/guide/recipes.md";
    println!("cargo::rerun-if-changed={page}");
    let text = fs::read_to_string(page).unwrap();
    let blocks = text.replace("```ignore", "```");
    assert_ne!(text, blocks, "no code on the page");
    fs::write(Path::new(&env::var("OUT_DIR").unwrap()).join("recipes.md"), blocks).unwrap();
}
