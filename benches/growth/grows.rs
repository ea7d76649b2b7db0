//! What costs more for each unit in a larger tree.

/// Why a row grows: what it costs beside its units.
#[derive(Clone, Copy)]
pub(crate) enum Why {
    /// The function documents it.
    Documented(&'static str),
    /// It does so far, and need not.
    Today(&'static str),
}

use Why::{Documented, Today};

/// One node with many children.
const WIDE: &[&str] =
    &["large dict", "falling keys", "shuffled keys", "dict of dicts", "fields", "child keys"];

/// One node with keys that are not in the order of strings.
const UNSORTED: &[&str] = &["falling keys", "shuffled keys", "fields", "child keys"];

/// Trees with siblings that follow deep ones.
const DEEP: &[&str] = &["comb", "combs", "near-equal"];

/// Trees whose structure is more than a few bytes.
const ALL_BUT_LEAVES: &[&str] = &[
    "dicts",
    "chain",
    "comb",
    "combs",
    "near-equal",
    "alternating",
    "large dict",
    "falling keys",
    "shuffled keys",
    "dict of dicts",
    "fields",
    "child keys",
];

/// Sizes at which steep growth is seen; the next one may take long.
const STEEP: usize = 2;

/// Sizes at which slow growth is seen.
const SLOW: usize = 4;

/// Names of rows, shapes on which they grow (none are all), the number of sizes at which they run, and why.
pub(crate) const GROWS: &[(&[&str], &[&str], usize, Why)] = &[
    (&["from_paths"], &["fields", "child keys"], STEEP, Documented("the fields of a struct")),
    (
        &["Differences::deep"],
        &["shuffled keys", "fields", "child keys"],
        STEEP,
        Documented("the keys that follow, for keys that are not sorted"),
    ),
    (
        &["Options::flatten_into, a view"],
        &["combs", "near-equal"],
        SLOW,
        Documented("a scan of the siblings before each child"),
    ),
    (
        &["Differences::summary", "Difference::missing"],
        UNSORTED,
        STEEP,
        Today("each key is looked for among all of the others"),
    ),
    (
        &["Difference, printed", "Error::explain"],
        &["falling keys", "shuffled keys", "fields"],
        STEEP,
        Today("each key is looked for among all of the others"),
    ),
    (
        &["Difference::path", "Difference, printed"],
        &["dicts", "alternating", "combs"],
        STEEP,
        Today("a scan of the tree for each path"),
    ),
    (
        &["TreeDef::paths", "View::leaves_with_path"],
        &["comb"],
        STEEP,
        Today("a scan for each level that has no room"),
    ),
    (
        &["TreeDef::node_path, each node"],
        &["dicts", "combs", "near-equal", "alternating"],
        STEEP,
        Today("a scan of the tree for each path"),
    ),
    (&["TreeDef::node_path, each node"], WIDE, STEEP, Today("a scan of the tree for each path")),
    (
        &[
            "TreeDef::path",
            "Path::indices",
            "Path::keystr",
            "Path::keystr_simple",
            "Error::explain_at",
        ],
        &["comb"],
        STEEP,
        Documented("a scan for each level, in a tree that is deep through first children"),
    ),
    (
        &["Options::is_leaf_at, entries"],
        &["combs", "near-equal"],
        SLOW,
        Today("each entry is reached from the end"),
    ),
    (
        &["CallKey::differences", "KeyDifferences::summary"],
        &[],
        STEEP,
        Today("a search for each array, up to 1024 leaves"),
    ),
    (
        &["CallKey::differences of arrays", "KeyDifference::path"],
        ALL_BUT_LEAVES,
        SLOW,
        Today("two treedefs are compared for each array"),
    ),
    (
        &["TreeDef::arrays", "TreeDef::arrays, count"],
        &["combs"],
        SLOW,
        Today("the lists in a list are read for each of them"),
    ),
    (
        &["TreeDef::nodes", "TreeDef::arrays"],
        &["combs", "near-equal"],
        SLOW,
        Today("all steps of the path are copied for each node"),
    ),
    (
        &["TreeDef, for programmers", "TreeDef, drawn"],
        DEEP,
        SLOW,
        Today("a scan of each child for the copies that may follow it"),
    ),
    (
        &["CallKey, printed"],
        &["comb", "combs"],
        SLOW,
        Today("a scan of each child for the copies that may follow it"),
    ),
    (&["TreeDef, drawn"], &["chain"], SLOW, Documented("the indentation of the lines")),
    (
        &[
            "structure_into, nodes",
            "structure_bound",
            "num_leaves_with",
            "matches",
            "matches, other",
            "Options::flatten_into",
            "Options::flatten_onto",
            "Options::structure_into",
            "Options::structure_bound",
            "KeyWriter::structure",
        ],
        &["near-equal"],
        SLOW,
        Today("siblings are compared at each level"),
    ),
];
