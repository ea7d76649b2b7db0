//! Every public function is called by the link proof, and so by the test that counts allocations.

use std::fs;
use std::path::{Path, PathBuf};

use public::{calls, functions};

use crate::public;

/// Files and folders whose public functions the calls leave out, and why.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("src/cache/key_box.rs", "the feature `alloc`"),
    ("src/cache/known_key.rs", "the feature `alloc`"),
    ("src/dynamic/literal.rs", "hidden: `tree!` and `treedef!` call them in `const`"),
    ("src/treedef/leaf_index.rs", "hidden: `leaf_index!` calls them in `const`"),
    ("src/treedef/constant_pattern.rs", "hidden: `path_pattern!` calls it in `const`"),
    ("src/base/message.rs", "hidden: `leaf_index!` calls it in `const`"),
    ("src/algebra/stack.rs", "the feature `alloc`"),
    ("src/dynamic/flatten_on_heap.rs", "the feature `alloc`"),
    ("src/tree/flatten_on_heap.rs", "the feature `alloc`"),
    ("src/tree/over/explained.rs", "the feature `alloc`"),
    ("src/tree/lanes.rs", "hidden: what derives and macros write calls them"),
    ("src/tree/derive_support.rs", "hidden: what derives and macros write calls them"),
    ("src/tree/containers/entries.rs", "hidden: what `container!` writes calls them"),
    ("src/tree/migrate/checked.rs", "hidden: `aliases!` calls it in `const`"),
    ("src/record/upgrade/planned.rs", "hidden: `upgrade!` calls it in `const`"),
    ("src/tree/migrate/question.rs", "hidden: derives and macros call them"),
    ("src/tree/containers/alloc.rs", "the feature `alloc`"),
    ("src/integrations/bumpalo.rs", "a feature that needs a heap"),
    ("src/encode/treedef_box.rs", "the feature `alloc`"),
    ("src/text/key_path_buf.rs", "the feature `alloc`"),
];

/// All Rust files below a folder, without what a build leaves there.
pub(crate) fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of the repository") {
        let path = entry.expect("an entry of a folder").path();
        let name = path.file_name().unwrap_or_default();
        if path.is_dir() {
            if name != "target" && name != ".git" {
                files.extend(sources(&path));
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The texts of all files of the library.
#[cfg(feature = "alloc")]
pub(crate) fn library_sources() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    sources(&root.join("src")).iter().map(|file| read(file)).collect()
}

pub(crate) fn read(file: &Path) -> String {
    fs::read_to_string(file).expect("a source file")
}

#[test]
fn the_link_proof_calls_every_public_function() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let exceptions: Vec<_> = EXCEPTIONS.iter().map(|(file, _)| root.join(file)).collect();
    assert!(exceptions.iter().all(|file| file.exists()), "an exception for what is gone");
    let texts: Vec<_> =
        sources(&root.join("no_std-check/src/calls")).iter().map(|file| read(file)).collect();
    let mut declared = sources(&root.join("src"));
    declared.retain(|file| !exceptions.iter().any(|exception| file.starts_with(exception)));
    let functions: Vec<_> = declared.iter().flat_map(|file| functions(&read(file))).collect();
    for found in ["TreeDef::from_bytes", "Dict::new", "flatten_into"] {
        assert!(functions.iter().any(|name| name == found), "the scan does not find {found}");
    }
    // The methods of a builder are called on what it returns.
    let builder = read(&root.join("no_std-check/src/calls/over.rs"));
    let is_called = |name: &String| match name.strip_prefix("Over::") {
        Some(method) => ["(", "::<"].iter().any(|end| builder.contains(&format!(".{method}{end}"))),
        None => texts.iter().any(|text| calls(text, name)),
    };
    let missing: Vec<_> = functions.iter().filter(|name| !is_called(name)).collect();
    assert!(missing.is_empty(), "no call in no_std-check/src/calls of {missing:#?}");
}

#[test]
fn public_functions_are_named_with_their_type() {
    let text = "
pub const fn free<T>(x: T) {}
pub(crate) fn hidden() {}
impl<'a, T: Fn() -> u8> Type<'a, T> {
    pub fn method(&self) {}
    fn private(&self) {}
    #[cfg(feature = \"alloc\")]
    pub fn with_heap(&self) {}
}
impl Trait for Type {
    fn of_a_trait() {}
}
impl<I> Bounded<I>
where
    I: Iterator,
{
    pub fn method(&self) {}
}
#[cfg(test)]
mod tests {
    pub fn helper() {}
}
";
    assert_eq!(functions(text), ["free", "Type::method", "Bounded::method"]);
}

#[test]
fn calls_are_found_by_whole_names() {
    let text = "keep(Type::method(&x)); // Type::comment(\nlist.for_each(Type::passed);\nfree::<Vec<u8>>(1); Sized::<4>::build(x)";
    for name in ["Type::method", "Type::passed", "free", "Sized::build"] {
        assert!(calls(text, name), "{name}");
    }
    for name in ["Type::meth", "method", "Type::comment", "ree", "each"] {
        assert!(!calls(text, name), "{name}");
    }
}
