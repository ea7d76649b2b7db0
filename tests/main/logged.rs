//! Every type that programs pass around by value has `defmt::Format`, or stands in a list with the reason why not.

use std::path::Path;

use crate::public_functions::{read, sources};

/// `Copy` types without `Format`.
const EXCEPTIONS: &[(&str, &str)] = &[
    // Text that is made where it is written: a device logs what it is made of.
    ("DecodeExplanation", "text: log the error"),
    ("Explanation", "text: log the error, and the difference"),
    ("KeysExplanation", "text: log the error"),
    ("KeyStr", "text: log the path"),
    ("TypeExplanation", "text: log the error"),
    ("TypedPath", "text: log the path"),
    // What a map asks for: a device logs the key.
    ("ByFingerprint", "a key of a map: log the `CallKey`"),
    ("FingerprintHasher", "the state of a hash"),
    // Work that is not done yet: a device logs what comes of it.
    ("Change", "a part of an operation"),
    ("CommonSuffix", "an operation"),
    ("Compose", "an operation"),
    ("LeavesToNone", "an operation"),
    ("Replace", "an operation"),
    ("Transform", "an operation"),
    ("Over", "an operation"),
    ("All", "a part of an operation"),
    ("Only", "a part of an operation"),
    ("Of", "a part of an operation"),
    ("Types", "a part of an operation"),
    ("NoPaths", "a part of an operation"),
    ("WithPaths", "a part of an operation"),
    ("Runs", "a part of an operation"),
    ("Items", "a part of an operation"),
    ("OtherTree", "a part of an operation"),
    ("Custom", "a node to be written: log its head"),
    ("DictKind", "a node to be written: log its head"),
    ("List", "a node to be written: log its head"),
    ("NamedTuple", "a node to be written: log its head"),
    ("Some", "a node to be written: log its head"),
    ("Struct", "a node to be written: log its head"),
    ("Tuple", "a node to be written: log its head"),
    ("KnownHead", "a node to be written: log its head"),
    ("Keyed", "a tree of nodes: log the view of its treedef"),
    ("Label", "a tree of nodes: log the view of its treedef"),
    ("Node", "a tree of nodes: log the view of its treedef"),
    ("Permuted", "a tree of nodes: log the view of its treedef"),
    ("Flatten", "choices of the program"),
    ("Matching", "choices of the program"),
    ("NoPredicate", "choices of the program"),
    ("Objects", "choices of the program"),
    ("Or", "choices of the program"),
    ("LeafPath", "a text: log it by `defmt::Display2Format`"),
    ("LeafPathExplanation", "a text: log it by `defmt::Display2Format`"),
    ("LeafPlace", "an argument of a function: log its fields"),
    ("Schema", "a constant of a type: log its treedef"),
    ("Fields", "a constant of a type: log the treedef of its schema"),
    ("Schemas", "a constant of a type: log its treedef"),
    // What lives in scratch memory.
    ("Depth", "scratch"),
    ("Pairing", "scratch"),
    ("OpenNode", "scratch"),
    ("Level", "scratch"),
    ("Place", "scratch"),
    ("KeyOrder", "hidden: what `container!` writes has it"),
    ("NoLeaves", "has no value"),
    ("FrameLeaves", "has no value"),
    ("RecordLeaves", "has no value"),
    ("NoLeaves", "has no value"),
    ("Ref", "has no value"),
    ("Mut", "has no value"),
    ("PathPattern", "a choice of the program"),
];

/// The text of a Rust file without its tests.
fn shipped(file: &Path) -> String {
    read(file).split("#[cfg(test)]\nmod ").next().unwrap_or_default().to_owned()
}

/// The name at the front of a text.
fn name(text: &str) -> &str {
    text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default()
}

/// The public types of a file that are `Copy`, each with whether it derives `Format`.
fn copied(text: &str) -> Vec<(&str, bool)> {
    let (mut found, mut copy, mut format) = (Vec::new(), false, false);
    for line in text.lines() {
        if line.starts_with("#[") {
            copy |= line.starts_with("#[derive(") && line.contains("Copy");
            format |= line.contains("derive(defmt::Format)");
            continue;
        }
        let declared = line.strip_prefix("pub struct ").or(line.strip_prefix("pub enum "));
        if let Some(name) = declared.map(name)
            && (copy || text.contains(&format!("Copy for {name}<")))
        {
            found.push((name, format));
        }
        (copy, format) = (false, false);
    }
    found
}

#[test]
fn what_is_passed_around_can_be_logged() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let implemented = read(&root.join("integrations/defmt.rs"));
    let texts: Vec<_> = sources(&root).iter().map(|file| shipped(file)).collect();
    let types: Vec<_> = texts.iter().flat_map(|text| copied(text)).collect();
    for found in [("TreeDef", false), ("View", false), ("Error", true)] {
        assert!(types.contains(&found), "the scan does not find {found:?}");
    }
    // An owner of bytes is logged as its view.
    let owners = texts.iter().flat_map(|text| text.lines());
    let owners: Vec<_> = owners.filter(|line| line.starts_with("as_its_view!(")).collect();
    let is_logged = |&(name, derived): &(&str, bool)| {
        derived
            || ["<", " "].iter().any(|end| implemented.contains(&format!("Format for {name}{end}")))
            || owners.iter().any(|line| line.contains(&format!("] {name}")))
    };
    let is_exception = |name: &str| EXCEPTIONS.iter().any(|(exception, _)| *exception == name);
    let missing: Vec<_> =
        types.iter().filter(|found| !is_logged(found) && !is_exception(found.0)).collect();
    assert!(missing.is_empty(), "no `defmt::Format` for {missing:#?}");
    for (exception, _) in EXCEPTIONS {
        let has_one = |found: &(&str, bool)| found.0 == *exception && !is_logged(found);
        assert!(types.iter().any(has_one), "{exception} is no exception");
    }
}
