//! The tests of behaviour, one module for each topic; the first lines of a module say which.
#![allow(
    clippy::indexing_slicing,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may panic"
)]

#[path = "../bridge/mod.rs"]
mod bridge;
#[path = "../support/public.rs"]
mod public;
#[path = "../support/strings.rs"]
mod strings;
#[path = "../support/mod.rs"]
mod support;

mod agreement;
mod algebra;
mod all_laws;
#[cfg(all(feature = "alloc", feature = "derive"))]
mod any_leaves;
mod architecture;
mod arena;
#[cfg(all(feature = "alloc", feature = "derive"))]
mod attributes;
mod axes;
mod bombs;
mod bounds;
mod cache;
mod call_keys;
mod choices;
mod conflation;
mod containers;
mod copies;
mod corpus_notation;
mod debug;
mod depth;
mod derive;
mod derive_attributes;
mod derive_deep;
mod differences;
mod drops;
mod dynamic;
mod fingerprints;
mod format;
mod frames;
mod glob_import;
mod golden;
mod integrations;
mod known;
mod laws;
mod ledger;
#[cfg(all(feature = "alloc", feature = "derive"))]
mod limits;
mod links;
mod logged;
mod maps;
mod matching;
mod migrate;
#[cfg(all(feature = "alloc", feature = "derive"))]
mod migrate_elements;
#[cfg(all(feature = "alloc", feature = "derive"))]
mod migrate_names;
#[cfg(all(feature = "alloc", feature = "derive"))]
mod migrate_typed;
mod misuse;
mod mixed;
mod one_leaf;
mod over;
mod owned;
mod owners;
mod pages;
mod paths;
mod patterns;
mod plain;
mod programs;
mod properties;
mod public_functions;
mod records;
#[cfg(all(feature = "alloc", feature = "derive"))]
mod records_older;
#[cfg(all(feature = "alloc", feature = "derive"))]
mod records_pairs;
#[cfg(all(feature = "alloc", feature = "derive"))]
mod records_upgrades;
mod reduce;
mod reference_exhaustive;
mod reference_format;
mod runs;
#[cfg(all(feature = "alloc", feature = "derive"))]
mod schemas;
mod send_sync;
mod sizes;
mod stacks;
mod standard_types;
mod strict;
mod text;
mod type_errors;
mod typed_paths;
mod unsafe_list;
#[cfg(all(feature = "std", feature = "derive"))]
mod values;
mod zipping;
