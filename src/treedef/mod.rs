//! A treedef as a value: its nodes and paths, and comparisons of two treedefs.
//!
//! - `treedef`: the type, which is validated bytes;
//! - `scan`: finds the end of a node, and counts its nodes;
//! - `runs`: the children of a node in runs of equal ones, with their spots; `children`: as an iterator of treedefs;
//! - `cursor`: reads nodes in preorder for a caller that keeps the open lists;
//! - `preorder`: walks in preorder and keeps the open lists itself;
//! - `nodes`: the nodes in preorder, as an iterator;
//! - `spot`: the position of a node in a flat scan; `path`, `paths`, `key_path`: paths for users;
//! - `steps`: the first steps to a node, which a walk remembers for its path;
//! - `path_cursor`: goes down from child to child; `find`: finds the node at the end of a path; `find_str`: of a path that a person types;
//! - `segment`: reads one step of such a path; `pattern`, `constant_pattern`: compare paths with a pattern that a person writes;
//! - `leaf_index`: the index of a leaf as a constant;
//! - `pair`: reads two treedefs together; `names`: matches the children of two nodes; `deep`: compares below nodes that differ;
//! - `difference`: one place where they differ; `differences`: all of them.
//!
//! | to read | use |
//! |---|---|
//! | the node at the front of some bytes | `format::head::read_item`, `Head::trusted` |
//! | where it ends, and its counts | `scan` |
//! | its children, or one of them | `runs` |
//! | one node after the other, also its end | `preorder`; `cursor` if the caller knows the open lists |
//! | the node that a path leads to | `path_cursor`, `find` |
//! | two treedefs | `pair`; `deep` also below nodes that differ |

pub(crate) mod children;
pub(crate) mod constant_pattern;
pub(crate) mod cursor;
pub(crate) mod deep;
pub(crate) mod difference;
pub(crate) mod differences;
pub(crate) mod find;
pub(crate) mod find_str;
pub(crate) mod key_path;
pub(crate) mod leaf_index;
pub(crate) mod names;
pub(crate) mod nodes;
pub(crate) mod pair;
pub(crate) mod path;
pub(crate) mod path_cursor;
pub(crate) mod paths;
pub(crate) mod pattern;
pub(crate) mod preorder;
pub(crate) mod runs;
pub(crate) mod scan;
pub(crate) mod segment;
pub(crate) mod spot;
pub(crate) mod steps;
#[expect(clippy::module_inception, reason = "the folder has the name of its main type")]
pub(crate) mod treedef;
