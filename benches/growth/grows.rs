//! What costs more for each unit in a larger tree: each row is documented at the function.

/// One node with many children.
const WIDE: &[&str] =
    &["large dict", "falling keys", "shuffled keys", "dict of dicts", "fields", "child keys"];

/// Trees with siblings that follow deep ones.
const DEEP: &[&str] = &["comb", "combs", "near-equal"];

/// Sizes at which steep growth is seen; the next one may take long.
const STEEP: usize = 2;

/// Sizes at which slow growth is seen.
const SLOW: usize = 4;

/// Names of rows, shapes on which they grow (none are all), the number of sizes at which they run, and what
/// they cost beside their units.
pub(crate) const GROWS: &[(&[&str], &[&str], usize, &str)] = &[
    (
        &[
            "Differences::deep",
            "Differences::summary",
            "CallKey::differences",
            "CallKey::nearest",
            "KeyDifferences::summary",
            "migrate",
        ],
        &["shuffled keys", "child keys", "fields"],
        STEEP,
        "for each name that changed its place, a search in the names of both nodes; the number of searches is bounded, but for `migrate`",
    ),
    (
        &["Difference::missing"],
        &["shuffled keys", "child keys", "fields"],
        STEEP,
        "for each name that changed its place, a search in the names of the other node; bounded in texts",
    ),
    (&["save_into"], &["near-equal"], SLOW, "a byte for seven bits of a leaf"),
    (
        &["Difference, printed", "Error::explain"],
        &["shuffled keys", "fields"],
        STEEP,
        "for each name that changed its place, a search in the names of the other node; bounded in texts",
    ),
    (
        &["Flatten::flatten_into, a view"],
        &["comb", "combs", "near-equal"],
        SLOW,
        "a scan of the siblings before each child",
    ),
    (&["TreeDef::paths"], &["comb"], STEEP, "a scan for each level above the last twelve"),
    (
        &["Nodes::path", "TreeDef::paths"],
        &["combs"],
        SLOW,
        "a scan for each level above the last twelve",
    ),
    (
        &["TreeDef::node_path, each node"],
        &["dicts", "combs", "near-equal", "alternating"],
        STEEP,
        "a pass up to the node, for each path",
    ),
    (&["TreeDef::node_path, each node"], WIDE, STEEP, "a pass up to the node, for each path"),
    (
        &[
            "TreeDef::path",
            "KeyPath::found",
            "Found::indices",
            "KeyPath::keystr, of a treedef",
            "KeyPath::keystr_simple, of a treedef",
            "KeyPath::typed, of a treedef",
            "KeyPath::len",
            "KeyPath::last",
            "Error::explain_at",
        ],
        &["comb"],
        STEEP,
        "a scan for each level, in a tree that is deep through first children",
    ),
    (
        &["Difference::path", "Difference, printed"],
        &["combs"],
        SLOW,
        "a scan for each level, in a tree that is deep through first children",
    ),
    (
        &["migrate"],
        &["combs", "near-equal"],
        SLOW,
        "a scan of each child that has siblings after it, for each level above it",
    ),
    (
        &["TreeDef, for programmers"],
        DEEP,
        SLOW,
        "a scan of each child for the copies that may follow it",
    ),
    (
        &["CallKey, printed"],
        &["comb", "combs"],
        SLOW,
        "a scan of each child for the copies that may follow it",
    ),
    (
        &[
            "Flatten::flatten_into",
            "Flatten::flatten_onto",
            "Flatten::structure_into",
            "Flatten::structure_bound",
        ],
        &["near-equal"],
        SLOW,
        "siblings that differ late are compared at each level",
    ),
];
