//! Loads a tree that was stored under an older version of its type.
//!
//! - `node`: a node of what is stored, of a treedef or a record, and a place of the new value; `children`: nodes of treedefs;
//! - `walk`: from a place to the places in it, and what is counted on the way; `reports`: what is reported of it;
//! - `making`, `fields`: a value of a type, by its schema: its choices and its leaves; `question`: what that asks the type; `room`: where
//!   choices and leaves are put; `typed`: a load of a typed tree;
//! - `alias_texts`: what the two texts of an alias say; `aliases`: paths of places that moved; `checked`: those that the compiler follows; `by_alias`: what a walk goes by, and what aliases
//!   do in it; `by_field`: what those at the fields of a type do;
//! - `change`: what is reported, and what the caller asks for.
//!
//! To read it: `node`, `making`, `walk`; then `aliases`, `by_alias`. Records enter at `record/older`, treedefs at `typed` and
//! `algebra/migrate`.

pub(crate) mod alias_texts;
pub(crate) mod aliases;
pub(crate) mod by_alias;
pub(crate) mod by_field;
pub(crate) mod change;
pub(crate) mod checked;
pub(crate) mod children;
pub(crate) mod fields;
pub(crate) mod making;
pub(crate) mod node;
pub(crate) mod question;
pub(crate) mod reports;
pub(crate) mod room;
pub(crate) mod typed;
pub(crate) mod walk;
