//! What the fuzz targets do with their bytes: a function for each, which panics if something is wrong. `run.sh` runs them,
//! and `tests/` calls them with the seeds and with what was found.
//!
//! The plain models of caches, migrations and programs, and the list of all operations, are those of the tests and of the
//! growth bench; the tool has no library, so its files are compiled here.
#![allow(
    dead_code,
    unused_imports,
    unreachable_pub,
    missing_docs,
    reason = "each target uses a part of what is shared"
)]
#![allow(
    clippy::indexing_slicing,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a target panics if something is wrong"
)]

mod bytes;
pub mod guard;
mod iterators;
mod targets;

pub use targets::{imports, keys, migration, operations, paths, reading, typed, verdicts};

// The tests.
#[path = "../../bridge/mod.rs"]
mod bridge;
#[path = "../../main/cache.rs"]
mod cache;
#[path = "../../main/migrate.rs"]
mod migrate;
#[path = "../../main/call_keys/own.rs"]
mod own;
#[path = "../../main/programs/mod.rs"]
mod programs;
#[path = "../../main/reference_exhaustive.rs"]
mod reference_exhaustive;
#[path = "../../support/mod.rs"]
mod support;

// The growth bench.
#[path = "../../../benches/growth/operations.rs"]
mod rows;
#[path = "../../../benches/growth/shapes.rs"]
mod shapes;

// The tool.
#[path = "../../../crates/cli/src/diff.rs"]
mod diff;
#[path = "../../../crates/cli/src/diff_json.rs"]
mod diff_json;
#[path = "../../../crates/cli/src/facts.rs"]
mod facts;
#[path = "../../../crates/cli/src/file.rs"]
mod file;
#[path = "../../../crates/cli/src/fold.rs"]
mod fold;
#[path = "../../../crates/cli/src/folder.rs"]
mod folder;
#[path = "../../../crates/cli/src/foreign.rs"]
mod foreign;
#[path = "../../../crates/cli/src/json.rs"]
mod json;
#[path = "../../../crates/cli/src/key.rs"]
mod key;
#[path = "../../../crates/cli/src/label.rs"]
mod label;
#[path = "../../../crates/cli/src/leaf.rs"]
mod leaf;
#[path = "../../../crates/cli/src/model.rs"]
mod model;
#[path = "../../../crates/cli/src/msgpack.rs"]
mod msgpack;
#[path = "../../../crates/cli/src/names.rs"]
mod names;
#[path = "../../../crates/cli/src/npz.rs"]
mod npz;
#[path = "../../../crates/cli/src/options.rs"]
mod options;
#[path = "../../../crates/cli/src/orbax.rs"]
mod orbax;
#[path = "../../../crates/cli/src/output.rs"]
mod output;
#[path = "../../../crates/cli/src/pairs.rs"]
mod pairs;
#[path = "../../../crates/cli/src/picture.rs"]
mod picture;
#[path = "../../../crates/cli/src/progress.rs"]
mod progress;
#[path = "../../../crates/cli/src/python.rs"]
mod python;
#[path = "../../../crates/cli/src/record.rs"]
mod record;
#[path = "../../../crates/cli/src/rename.rs"]
mod rename;
#[path = "../../../crates/cli/src/report.rs"]
mod report;
#[path = "../../../crates/cli/src/safetensors.rs"]
mod safetensors;
#[path = "../../../crates/cli/src/shards.rs"]
mod shards;
#[path = "../../../crates/cli/src/sniff.rs"]
mod sniff;
#[path = "../../../crates/cli/src/source.rs"]
mod source;
#[path = "../../../crates/cli/src/stored.rs"]
mod stored;
#[path = "../../../crates/cli/src/style.rs"]
mod style;
#[path = "../../../crates/cli/src/table.rs"]
mod table;
#[path = "../../../crates/cli/src/tree.rs"]
mod tree;
