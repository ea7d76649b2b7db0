//! Trees that are values of run time: nodes, views, and object models of other crates.

pub(crate) mod object;

pub(crate) mod node;

pub(crate) mod record;

pub(crate) mod trail;

pub(crate) mod rule;

pub(crate) mod flatten;

pub(crate) mod options;

// Macros reach into it.
#[doc(hidden)]
pub mod literal;

pub(crate) mod view;

pub(crate) mod slab;

pub(crate) mod fold;

mod typed;
