//! The pages' code is not run with treedef itself, which does not depend on these crates: here it is.

use std::path::Path;
use std::{env, fs};

fn main() {
    for page in ["recipes", "call_keys"] {
        let file = format!("../../src/docs/guide/{page}.md");
        println!("cargo::rerun-if-changed={file}");
        let text = fs::read_to_string(file).unwrap();
        let blocks = text.replace("```ignore", "```");
        assert_ne!(text, blocks, "no code on the page");
        let out = Path::new(&env::var("OUT_DIR").unwrap()).join(format!("{page}.md"));
        fs::write(out, blocks).unwrap();
    }
}
