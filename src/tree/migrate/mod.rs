//! Loads a tree that was stored under an older version of its type.
//!
//! - `migrating`: a rebuild that takes what is stored, and otherwise the defaults;
//! - `places`: where it is in both structures, and what it reports; `children`: the children of a node by their names;
//! - `aliases`: paths of places that moved;
//! - `change`: what is reported, and what the caller asks for.

mod aliases;
pub(crate) mod change;
mod children;
pub(crate) mod migrating;
pub(crate) mod places;
