//! Each folder of `src/` imports only from the folders above it in `src/lib.rs`.

use std::path::Path;

use crate::public_functions::{read, sources};

/// The folders, from the bottom to the top, as `lib.rs` declares them.
const FOLDERS: [&str; 10] = [
    "base",
    "format",
    "treedef",
    "encode",
    "text",
    "tree",
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
