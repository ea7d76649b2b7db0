//! Every public function is called by the link proof, and so by the test that counts allocations.
#![allow(
    clippy::indexing_slicing,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test may panic"
)]

use std::fs;
use std::path::Path;

use public::{calls, functions};

// By path, because a file directly in `tests/` would be a test of its own.
#[path = "support/public.rs"]
mod public;

/// Public functions that the calls leave out, and why.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("leaf_of", "hidden: what `leaf!` expands to calls it"),
    ("broadcast", "hidden: what `leaf!` expands to calls it"),
];

/// The text of all Rust files below a folder.
fn sources(folder: &Path) -> Vec<String> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of the source") {
        let path = entry.expect("an entry of the source").path();
        if path.is_dir() {
            texts.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            texts.push(fs::read_to_string(&path).expect("a source file"));
        }
    }
    texts
}

#[test]
fn the_link_proof_calls_every_public_function() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let functions: Vec<_> =
        sources(&root.join("src")).iter().flat_map(|text| functions(text)).collect();
    assert!(functions.contains(&"TreeDef::from_bytes".into()), "the scan finds functions");
    assert!(functions.contains(&"DictOf::new".into()), "and in blocks with bounds");
    let texts = sources(&root.join("no_std-check/src/calls"));
    let called = |name: &str| texts.iter().any(|text| calls(text, name));
    let missing: Vec<_> = functions
        .iter()
        .filter(|name| !called(name) && !EXCEPTIONS.iter().any(|(other, _)| other == name))
        .collect();
    assert!(missing.is_empty(), "no call in no_std-check/src/calls of {missing:#?}");
    for (name, _) in EXCEPTIONS {
        assert!(functions.iter().any(|other| other == name), "{name} is no public function");
        assert!(!called(name), "{name} is called: it is no exception");
    }
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
