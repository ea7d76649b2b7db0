//! Public functions that no row calls, and why.

use std::fs;
use std::path::{Path, PathBuf};

use crate::public;

/// Source files whose functions are not compared with the rows.
pub(crate) const FILES: &[(&str, &str)] = &[
    ("src/algebra/stack.rs", "as `flatten` for each tree"),
    ("src/base", "dtypes and errors, which are a few words"),
    ("src/cache/by_fingerprint.rs", "as the map"),
    ("src/cache/entry.rs", "a look-up"),
    ("src/cache/table.rs", "`cache.rs` counts look-ups in tables of different sizes"),
    ("src/cache/key_box.rs", "as `KeyWriter`, again for each growth of the room"),
    ("src/dynamic/literal.rs", "literals are encoded by the compiler"),
    ("src/encode/max_sizes.rs", "sizes are counted by the compiler"),
    (
        "src/dynamic/flatten_on_heap.rs",
        "as `Flatten::flatten_into`, again for each doubling of the room",
    ),
    ("src/encode/treedef_box.rs", "as `structure_into`, again for each doubling of the room"),
    ("src/encode/treedef_buf.rs", "as `structure_into`, and a copy of all `N` bytes"),
    ("src/tree/flatten_on_heap.rs", "as `flatten_into`, again for each doubling of the room"),
    ("src/format/value_order.rs", "values, whose size the caller chooses"),
    ("src/format/value.rs", "values, whose size the caller chooses"),
    ("src/integrations", "as `unflatten_into`"),
    ("src/tree/containers/entries.rs", "an entry of a container each"),
    ("src/tree/derive_support.rs", "a field or a leaf each"),
    ("src/tree/build/mod.rs", "a node or a leaf each"),
    ("src/tree/migrate/question.rs", "a field or a leaf each"),
    ("src/tree/lanes.rs", "a leaf of each tree"),
    ("src/tree/over", "rows call it by the methods of what it returns"),
    ("src/tree/traits.rs", "a node or a leaf each"),
    ("src/tree/walk_path.rs", "an entry of a path each"),
    ("src/treedef/leaf_index.rs", "paths are looked up by the compiler"),
    ("src/tree/migrate/checked.rs", "aliases are looked up by the compiler"),
    ("src/record/upgrade/planned.rs", "plans are made by the compiler"),
    ("src/treedef/constant_pattern.rs", "patterns are read by the compiler"),
    ("src/text/key_path_buf.rs", "as `KeyPath::keystr`, and a string"),
];

/// Functions by what they do.
pub(crate) const LEFT_OUT: &[(&str, &[&str])] = &[
    (
        "gives what is stored",
        &[
            "CallKey::as_bytes",
            "CallKey::fingerprint",
            "CallKey::with_fingerprint",
            "Difference::expected",
            "Difference::expected_leaves",
            "Difference::found",
            "Difference::found_leaves",
            "Found::as_leaf",
            "Found::leaves",
            "Found::node",
            "Found::root",
            "Found::treedef",
            "KeyBuf::as_key",
            "KeyDifference::expected",
            "KeyDifference::found",
            "KeyDifference::index",
            "Known::stats",
            "Known::too_long",
            "Keyed::head",
            "Node::as_leaf",
            "Node::keyed",
            "Node::kind",
            "TreeDef::as_bytes",
            "TreeDef::head",
            "TreeDef::is_leaf",
            "TreeDef::kind",
            "TreeDef::num_children",
            "TreeDef::num_leaves",
            "View::as_leaf",
            "View::bare",
            "View::head",
            "View::kind",
            "View::leaves",
            "View::treedef",
            "Writer::num_leaves",
            "OpenNode::is_open",
            "Arena::remaining",
            "KeyPath::as_slice",
            "KeyPath::first",
            "KeyPath::is_empty",
        ],
    ),
    (
        "reads one head, of which `Head::entries` reads the longest part",
        &[
            "Head::as_bytes",
            "Head::aux",
            "Head::factory",
            "Head::kind",
            "Head::num_children",
            "Head::meta_fields",
            "Head::type_name",
        ],
    ),
    ("sets an option", &["Flatten::max_depth", "Writer::set_max_depth"]),
    ("keeps an error", &["Writer::fail"]),
    (
        "adds one part to a key",
        &["KeyWriter::array", "KeyWriter::bytes", "KeyWriter::meta", "KeyWriter::value"],
    ),
    (
        "holds the dimensions of one array",
        &[
            "Dim::size",
            "ShapeDtype::dtype",
            "ShapeDtype::is_weak",
            "ShapeDtype::num_elements",
            "ShapeDtype::rank",
            "ShapeDtype::shape",
            "ShapeDtype::symbolic",
            "ShapeDtype::with_weak",
        ],
    ),
    ("finds a node as `Error::explain_at` does, and reads two heads", &["Error::explain_type"]),
    (
        "is constant: the structure of a type",
        &[
            "treedef_of",
            "Schema::dtype",
            "Schema::num_leaves",
            "Schemas::new",
            "CallKey::of_type",
            "assert_key",
            "assert_named",
            "leaf_bytes",
            "frame_bytes",
            "record_bytes",
            "record_bytes_with",
            "record_key",
        ],
    ),
    ("reads the bytes as `matches` does, without leaves", &["fits"]),
    (
        "as `save_into` twice, and a copy; reads the front",
        &["save_with_page_into", "record_and_page"],
    ),
    (
        "as `frame_into`, `read_frame` and `FrameSchema::parts`",
        &["frame_body_into", "read_frame_body", "FrameSchema::body_parts"],
    ),
    (
        "copies bytes, or writes a structure as `Arena::build` does",
        &[
            "Arena::add",
            "Arena::bytes",
            "Arena::head",
            "Arena::str",
            "Arena::structure",
            "Arena::write",
        ],
    ),
    (
        "is a choice, or a question about counts",
        &[
            "Matching::new",
            "Matching::in_any_kind",
            "Matching::lengths_of_defaults",
            "Matching::keep_places",
            "Migrated::is_complete",
        ],
    ),
    (
        "counts levels",
        &[
            "Depth::new",
            "Depth::enter",
            "Depth::count_nodes",
            "Depth::mismatch",
            "Depth::differs",
            "Depth::leave",
        ],
    ),
    (
        "goes over the leaves as `over(..).for_each` does",
        &[
            "leaves_from",
            "map",
            "muts_into",
            "flatten_expected",
            "unflatten",
            "unflatten_from",
            "unflatten_choices",
            "try_unflatten_from",
            "map_of",
            "write_leaves",
            "read_leaves",
        ],
    ),
    (
        "reads trees as `structure_into` and `Flatten::num_leaves` do, then as `Error::explain` and `Error::explain_keys`",
        &["Error::explain_trees", "Error::explain_object"],
    ),
    ("goes to one leaf as `leaf` does", &["leaf_mut", "find_leaf", "find_leaf_mut"]),
    ("reads the names of a type", &["leaf_index_of", "leaf_path_of", "Error::explain_path_of"]),
    (
        "as `migrate`, with a function for each leaf, or for a type",
        &["migrate_with", "migrate_typed_with"],
    ),
    (
        "as `load_older`, with a function for each leaf or place, or for one leaf",
        &["load_older_with", "load_older_reported", "OlderLeaf::get", "OlderLeaf::set"],
    ),
    (
        "reads the choices of a value as `hash_choices` and `has_choices` do",
        &[
            "Known::get",
            "Known::get_or_insert_with",
            "Known::get_or_insert_with_bytes",
            "KnownRef::new",
            "KnownRef::to_key",
        ],
    ),
    (
        "is called for each node of a typed tree by `over(..).with`",
        &["Pairing::depth", "Pairing::count_node", "Pairing::check"],
    ),
];

/// All Rust files of a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    files.into_iter().chain(folders.iter().flat_map(|folder| sources(folder))).collect()
}

/// What is wrong between the rows and the public functions of the library in a folder.
pub(crate) fn compare_with_api(root: &Path) -> Vec<String> {
    let called = include_str!("operations.rs");
    let mut declared = sources(&root.join("src"));
    declared
        .retain(|file| !FILES.iter().any(|(left_out, _)| file.starts_with(root.join(left_out))));
    let functions: Vec<_> = declared
        .iter()
        .flat_map(|file| public::functions(&fs::read_to_string(file).unwrap_or_default()))
        .collect();
    let left_out: Vec<_> = LEFT_OUT.iter().flat_map(|(_, names)| *names).collect();
    let mut wrong = Vec::new();
    for name in &functions {
        match (public::calls(called, name), left_out.contains(&&name.as_str())) {
            (false, false) => wrong.push(format!("{name} has no row and is not left out")),
            (true, true) => wrong.push(format!("{name} is left out and called")),
            _ => {}
        }
    }
    if functions.is_empty() {
        wrong.push("no function is found".into());
    }
    let gone = left_out.iter().filter(|name| !functions.iter().any(|function| function == **name));
    wrong.extend(gone.map(|name| format!("{name} is left out and no public function")));
    let gone = FILES.iter().filter(|(file, _)| !root.join(file).exists());
    wrong.extend(gone.map(|(file, _)| format!("{file} is left out and gone")));
    wrong
}
