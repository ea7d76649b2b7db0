//! Loads a tree that was stored under an older version of its type.
//!
//! - `typed`: a load of a typed tree; `making`: its choices and leaves, by the schema of the type; `question`: what that asks the type;
//!   `room`: where choices and leaves are put;
//! - `walk`: what is found on the way, and what is reported; `both`: a node in both structures, and its children; `children`: the
//!   children of a stored node by their names;
//! - `aliases`: paths of places that moved, in nodes of any source; `checked`: those that the compiler follows; `by_alias`: what they
//!   do in a walk, also for `record/older`; `by_field`: what those at the fields of a type do;
//! - `change`: what is reported, and what the caller asks for.

pub(crate) mod aliases;
pub(crate) mod both;
pub(crate) mod by_alias;
pub(crate) mod by_field;
pub(crate) mod change;
pub(crate) mod checked;
pub(crate) mod children;
pub(crate) mod making;
pub(crate) mod question;
pub(crate) mod room;
pub(crate) mod typed;
pub(crate) mod walk;
