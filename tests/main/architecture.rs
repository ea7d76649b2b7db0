//! What the code of `src/` leaves out: each folder imports only from the folders above it in `src/lib.rs`, and no loop ends by
//! an overflow.

use std::path::Path;

use crate::public_functions::{read, sources};

/// The folders, from the bottom to the top, as `lib.rs` declares them.
const FOLDERS: [&str; 11] = [
    "base",
    "format",
    "treedef",
    "encode",
    "text",
    "tree",
    "record",
    "dynamic",
    "algebra",
    "cache",
    "integrations",
];

/// The folders that a source text names in paths that begin with `crate::`, outside of line comments and its unit tests.
///
/// `$crate::` is left out: it is a path at the place where a macro is used.
fn imports(text: &str) -> Vec<&str> {
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or("");
    let code = code.lines().map(|line| line.split("//").next().unwrap_or(""));
    let paths = code.flat_map(|line| line.split("crate::").zip(line.split("crate::").skip(1)));
    let paths = paths.filter(|(before, _)| !before.ends_with('$'));
    paths.map(|(_, path)| path.split("::").next().unwrap_or("")).collect()
}

/// The imports of a file in folder number `floor` that do not lead down.
fn violations(floor: usize, text: &str) -> Vec<&str> {
    let allowed = |name: &&str| FOLDERS[..=floor].contains(name);
    imports(text).into_iter().filter(|name| !allowed(name)).collect()
}

#[test]
fn folders_import_only_from_folders_above_them() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let declared = read(&src.join("lib.rs"));
    let declared = declared.lines().filter_map(|line| line.split_once("mod ")?.1.strip_suffix(';'));
    let declared: Vec<_> = declared.filter(|name| FOLDERS.contains(name)).collect();
    assert_eq!(declared, FOLDERS, "the order in lib.rs");
    let mut found = Vec::new();
    for (floor, folder) in FOLDERS.iter().enumerate() {
        for path in sources(&src.join(folder)) {
            let text = read(&path);
            let names = violations(floor, &text).into_iter();
            found.extend(names.map(|name| format!("{} imports crate::{name}", path.display())));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn an_import_of_a_later_folder_or_of_the_root_is_found() {
    let text =
        "use crate::base::error::Error;\nuse crate::text::KeyStr; // crate::cache\n$crate::tree!()";
    assert_eq!(violations(3, text), ["text"]);
    assert_eq!(violations(4, text), Vec::<&str>::new());
    assert_eq!(violations(9, "use crate::Error;\nuse crate::{Tree};").len(), 2);
}

/// The ranges without an end that a text iterates over. With overflow checks, the step of such a range can panic.
fn open_ranges(text: &str) -> Vec<&str> {
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or("");
    let code = code.lines().map(|line| line.split("//").next().unwrap_or(""));
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let is_open = |line: &&str| {
        line.match_indices("..)").any(|(at, _)| {
            let before = line[..at].trim_end_matches(is_name);
            let is_call = |before: &str| before.ends_with(is_name);
            before.len() < at && before.strip_suffix('(').is_some_and(|rest| !is_call(rest))
        }) || line.trim_start().starts_with("for ") && line.ends_with(".. {")
    };
    code.filter(is_open).collect()
}

#[test]
fn no_code_iterates_over_a_range_without_an_end() {
    let text = "(0..).zip(x)\nfor i in 1.. {\n(from..).zip(x)\nx.get(1..)\n(1..n).zip(x)\nLeaf(..)";
    assert_eq!(open_ranges(text), ["(0..).zip(x)", "for i in 1.. {", "(from..).zip(x)"]);
    let mut found = Vec::new();
    for path in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        let text = read(&path);
        found.extend(open_ranges(&text).iter().map(|line| format!("{}: {line}", path.display())));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
