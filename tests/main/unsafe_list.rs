//! Every file with `unsafe` in it, and why: none of them is in anything that a user links.

use std::collections::BTreeSet;
use std::path::Path;

use crate::public_functions::{read, sources};

/// The files, and what cannot be done without.
const LIST: &[(&str, &str)] = &[
    ("benches/peers/src/allocator.rs", "an allocator that counts"),
    ("examples/jit_cache/src/jit.rs", "the call into compiled code"),
    ("examples/shared_cache/src/compiler.rs", "the call into compiled code"),
    ("no_std-check/board/src/console.rs", "writing and ending, by the C library of a host"),
    ("no_std-check/board/src/lib.rs", "the entries, and the symbol that a panic would call"),
    ("no_std-check/board/src/stack.rs", "the stack pointers, and what the free stack holds"),
    ("no_std-check/board/src/uart.rs", "registers of the serial port"),
    ("no_std-check/heap/src/main.rs", "the memory of the allocator"),
    ("no_std-check/log/src/logger.rs", "the trait of a logger"),
    ("no_std-check/src/main.rs", "the entry, and the symbol that a panic would call"),
    ("no_std-check/table/src/meter.rs", "the markers between which the emulator counts"),
    ("tests/allocations.rs", "an allocator that counts"),
    ("tests/fuzz/src/guard.rs", "an allocator that counts"),
];

/// The word, apart from what stands next to it, so that this file is none of them.
const WORD: &str = "unsafe";

/// What stands before the name of the lint that is switched off.
const ALLOWED: [&str; 2] = ["expect(", "allow("];

/// What follows the word in code.
const WRITTEN: [&str; 6] = [" {", " impl", " extern", " fn", " trait", "(no_mangle)"];

/// Whether a file says that it is unsafe, or allows it.
fn is_unsafe(text: &str) -> bool {
    // Without line ends and indentation, as an attribute may take several lines.
    let text: Vec<_> = text.lines().map(code).collect();
    let text = text.join("");
    ALLOWED.iter().any(|before| text.contains(&format!("{before}{WORD}_code")))
        || WRITTEN.iter().any(|after| text.contains(&format!("{WORD}{after}")))
}

/// A line without its indentation, and nothing of it if it is a comment.
fn code(line: &str) -> &str {
    let line = line.trim();
    if line.starts_with("//") { "" } else { line }
}

#[test]
fn unsafe_stands_in_the_listed_files_and_nowhere_else() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = sources(root);
    assert!(files.len() > LIST.len(), "the sources of {} are elsewhere", root.display());
    let found: BTreeSet<_> = files
        .iter()
        .filter(|file| is_unsafe(&read(file)))
        .map(|file| {
            file.strip_prefix(root).expect("below the root").to_string_lossy().replace('\\', "/")
        })
        .collect();
    let listed: BTreeSet<_> = LIST.iter().map(|(file, _)| (*file).to_owned()).collect();
    assert_eq!(found, listed);
}

#[test]
fn library_and_derive_forbid_it() {
    for file in ["src/lib.rs", "crates/derive/src/lib.rs"] {
        let text = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(file));
        assert!(text.lines().any(|line| line == "#![forbid(unsafe_code)]"), "{file}");
    }
}

#[test]
fn what_is_unsafe_is_seen() {
    assert!(is_unsafe(&format!("fn f() {{\n    {WORD} {{ g() }}\n}}")));
    assert!(is_unsafe(&format!("#![expect(\n    {WORD}_code,\n    reason = \"\"\n)]")));
    assert!(is_unsafe(&format!("#[{WORD}(no_mangle)]")));
    assert!(!is_unsafe(&format!("// No {WORD} {{ here.\n#![forbid({WORD}_code)]")));
    assert!(!is_unsafe(&format!("let kind = \"key<{WORD}_rbg>\";")));
}
