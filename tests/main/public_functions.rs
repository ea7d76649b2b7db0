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

/// The arguments after `self` of the function with this name, in a text that declares it; lifetimes have no names.
#[cfg(feature = "alloc")]
fn arguments(text: &str, start: &str) -> Option<String> {
    let (at, _) = text.match_indices(start).find(|(at, found)| {
        text[at + found.len()..].starts_with(['<', '('])
            && !text[..*at].ends_with(char::is_alphanumeric)
    })?;
    let rest = text[at + start.len()..].split_once('(')?.1;
    let (mut open, mut end) = (1, 0);
    for (at, c) in rest.char_indices() {
        open += i32::from(c == '(') - i32::from(c == ')');
        if open == 0 {
            end = at;
            break;
        }
    }
    let mut plain = String::new();
    for part in rest[..end].split_inclusive('\'') {
        let from = if plain.ends_with('\'') { identifier_end(part) } else { 0 };
        plain.push_str(&part[from..]);
    }
    let words: Vec<_> = plain.split_whitespace().collect();
    let all = words.join(" ");
    let all = all.trim_end_matches(',');
    let mut named = all.split(", ").filter(|one| !matches!(*one, "self" | "&self"));
    Some(named.by_ref().collect::<Vec<_>>().join(", "))
}

#[cfg(feature = "alloc")]
fn identifier_end(text: &str) -> usize {
    text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len())
}

/// What is asked of a treedef is asked of an owned one with the same arguments.
#[test]
#[cfg(feature = "alloc")]
fn owned_treedefs_take_the_arguments_of_borrowed_ones() {
    let sources = library_sources();
    let own = sources.iter().flat_map(|text| text.split("\nimpl<'a> TreeDef<'a> {").skip(1));
    let own: Vec<_> = own.map(|text| text.split("\n}").next().unwrap()).collect();
    let lists = sources.iter().flat_map(|text| text.split("\nas_treedef! {").skip(1));
    let lists = lists.flat_map(|text| text.split("\n}").next().unwrap().split(';'));
    let mut count = 0;
    for line in lists.map(str::trim).filter(|line| !line.is_empty()) {
        let declared = line.rsplit("#[must_use] ").next().unwrap();
        let name = &declared[..identifier_end(declared)];
        let start = format!("fn {name}");
        let mut found = own.iter().filter_map(|text| arguments(text, &start));
        let (borrowed, owned) = (found.next(), arguments(declared, name));
        assert!(borrowed.is_some(), "{name} is not found");
        assert_eq!(owned, borrowed, "{name}");
        count += 1;
    }
    assert!(count > 20, "{count} methods");
}

#[test]
#[cfg(feature = "alloc")]
fn arguments_are_found_without_the_names_of_lifetimes() {
    let text = "pub fn find<'k>(\n    &self,\n    of: impl Fn(&'k u8) -> T<'k>,\n) -> X {}\nfn find_at(self)";
    assert_eq!(arguments(text, "fn find").unwrap(), "of: impl Fn(&' u8) -> T<'>");
    assert_eq!(arguments(text, "fn find_at").unwrap(), "");
    assert_eq!(arguments(text, "fn fin"), None);
}
