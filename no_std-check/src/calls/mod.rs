//! Calls of every public function that needs no heap, in groups by subject.
//!
//! Linked into the check program they prove that no panic is reachable; `tests/allocations.rs` runs the same groups and
//! counts allocations. Functions are written with their type, `TreeDef::from_bytes(..)`, because
//! `tests/main/public_functions.rs` looks for every public function in these files. Arguments and results pass
//! [`black_box`], so that nothing is computed by the compiler.

use core::fmt::{self, Debug, Display, Write};
use core::hint::black_box;

mod algebra;
mod build;
mod cache;
mod derived;
mod dismantle;
mod dynamic;
mod explain;
mod inspect;
mod maps;
mod over;
mod paths;
mod print;
mod reduce;
mod storage;
mod typed;
mod upgrades;
mod values;

/// `None` where a call did not give what a group goes on with.
pub(super) type Done = Option<()>;

/// A group of calls.
pub(super) type Call = fn() -> Done;

/// The groups by name.
pub(super) const ALL: &[(&str, Call)] = &[
    ("algebra: structures", algebra::structures),
    ("algebra: prefixes", algebra::prefixes),
    ("algebra: leaves", algebra::leaves),
    ("algebra: migrations", algebra::migrations),
    ("build: const writer", build::constant),
    ("build: headings", build::headings),
    ("build: sample", build::all_kinds),
    ("inspect: bytes", inspect::bytes),
    ("inspect: questions", inspect::questions),
    ("inspect: heads", inspect::heads),
    ("inspect: paths", inspect::paths),
    ("values: numbers", values::numbers),
    ("values: tuples", values::tuples),
    ("values: meta fields", values::meta),
    ("print: treedefs", print::treedefs),
    ("print: paths", print::paths),
    ("print: errors", print::errors),
    ("print: debug", print::debug),
    ("typed: leaves out", typed::leaves_out),
    ("typed: structure", typed::structure),
    ("typed: rebuilt", typed::rebuilt),
    ("typed: visited", typed::visited),
    ("typed: one leaf", typed::one_leaf),
    ("typed: mapped", typed::mapped),
    ("typed: zipped", typed::zipped),
    ("typed: families", typed::families),
    ("typed: leaves of any types", typed::any_types),
    ("typed: vectors", typed::vectors),
    ("over: which leaves", over::shown),
    ("over: what is beside them", over::beside),
    ("over: what is done", over::done),
    ("typed: standard library", typed::standard),
    ("cache: keys", cache::keys),
    ("cache: stored keys", cache::stored_keys),
    ("cache: values", cache::values),
    ("derived: structs", derived::structs),
    ("derived: enums", derived::enums),
    ("derived: recursive types", derived::recursive),
    ("derived: leaves", derived::leaves),
    ("derived: limits", derived::limits),
    ("dynamic: plain", dynamic::plain),
    ("dynamic: rules", dynamic::rules),
    ("dynamic: nodes", dynamic::nodes),
    ("dynamic: views", dynamic::views),
    ("dynamic: rebuilt", dynamic::rebuilt),
    ("explain: differences", explain::differences),
    ("explain: errors", explain::errors),
    ("maps: linear map", maps::linear_map),
    ("maps: keys", maps::keys),
    ("storage: arenas", storage::arenas),
    ("storage: owned treedefs", storage::owned),
    ("reduce: folds", reduce::folds),
    ("reduce: questions", reduce::questions),
    ("reduce: with paths", reduce::with_paths),
    ("paths: found", paths::found),
    ("paths: not found", paths::not_found),
    ("paths: replaced", paths::replaced),
    ("dismantle: together", dismantle::together),
    ("dismantle: rebuild", dismantle::rebuild),
    ("dismantle: declared", dismantle::declared),
    ("dismantle: choices", dismantle::choices),
    ("dismantle: records", dismantle::records),
    ("dismantle: frames", dismantle::frames),
    ("dismantle: describe", dismantle::describe),
    ("upgrades: loaded", upgrades::loaded),
];

/// The groups that are left out where overflow checks are on: `heapless` counts the steps of a search with `+=`, and computes
/// the places in a deque with `+` and `-`.
#[allow(dead_code, reason = "not linked where overflow checks are on")]
pub(super) const HEAPLESS: &[(&str, Call)] =
    &[("maps: index map", maps::index_map), ("typed: deques", typed::deques)];

/// Takes a result, so that it has to be made.
pub(super) fn keep<T>(result: T) {
    black_box(result);
}

/// A writer that takes any text.
struct Void;

impl Write for Void {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        keep(text);
        Ok(())
    }
}

/// Prints in both forms.
fn print(text: &dyn Display) -> Done {
    write!(Void, "{text}{text:#}").ok()
}

/// Prints for a developer in both forms.
fn print_debug(value: &dyn Debug) -> Done {
    write!(Void, "{value:?}{value:#?}").ok()
}
