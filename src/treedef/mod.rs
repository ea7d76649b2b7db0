//! The view of a treedef, and every question to one or two of them.
//!
//! - `treedef`: the view, which is validated bytes;
//! - `scan`: where a node ends, and how many nodes it has;
//! - `runs`, `children`: the children of a node, with equal neighbours in one step or each by itself;
//! - `lists`: the lists of children that a scan of stored items has open;
//! - `cursor`: reads nodes in preorder for a caller that keeps the open lists;
//! - `preorder`: a walk in preorder that keeps the open lists;
//! - `nodes`, `heads`, `walk`: the nodes in preorder, as iterators and for texts;
//! - `spot`: where a node is for a flat scan; `path`, `paths`, `key_path`: for users;
//! - `route`: what a walk remembers of the way to a node, for its path;
//! - `find`: the node at the end of a path;
//! - `arrays`: lists of lists of leaves that have a shape;
//! - `pair`: two treedefs read side by side; `merge`, `deep`: below nodes that differ, by the names of the children;
//! - `mismatch`: the first node at which two treedefs differ;
//! - `diff`: all places at which they differ.
//!
//! Imports from `base` and `format`.

pub(crate) mod arrays;
pub(crate) mod children;
pub(crate) mod cursor;
pub(crate) mod deep;
pub(crate) mod diff;
pub(crate) mod find;
pub(crate) mod heads;
pub(crate) mod key_path;
pub(crate) mod lists;
pub(crate) mod merge;
pub(crate) mod mismatch;
pub(crate) mod nodes;
pub(crate) mod pair;
pub(crate) mod path;
pub(crate) mod paths;
pub(crate) mod preorder;
pub(crate) mod route;
pub(crate) mod runs;
pub(crate) mod scan;
pub(crate) mod spot;
#[expect(clippy::module_inception, reason = "the folder has the name of its main type")]
pub(crate) mod treedef;
pub(crate) mod walk;
