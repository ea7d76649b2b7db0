//! optree's suite: `tests/` of its repository.
//!
//! Each tree is taken in both modes, with `None` as a node and as a leaf. Namespaces and the insertion order of
//! dictionaries, the other parameters of the suite, do not exist here.

mod accessors;
mod algebra;
mod broadcast;
mod constructors;
mod dataclasses;
mod decode;
mod flattening;
mod in_place;
mod kinds;
mod leaves;
mod maps;
mod prefix_errors;
mod prefixes;
mod registry;
mod specs;
mod text;
mod threads;
mod transposes;
mod trees;
mod types;
mod walks;
