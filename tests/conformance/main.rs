//! Answers recorded from JAX and optree; `README.md` beside this file describes them.
//!
//! The families of the foundation stand in `foundation`; every other module has the name of its family.

use serde_json::Value as Json;
use support::corpus::{Entry, Read, Tree, each, string};
use support::harness::{Outcome, run_family};
use support::library::{Stated, state};
use support::on_a_deep_stack;
use treedef::{KeyEntry, Path, Value};

#[path = "../support/mod.rs"]
mod support;

mod foundation;

mod ravel;

mod proto;
mod reduce;

/// Runs a family whose check answers "passed" by saying nothing.
fn family(name: &str, check: impl Fn(&Json) -> Read<()> + Sync) {
    on_a_deep_stack(|| {
        run_family(name, |line| match check(line) {
            Ok(()) => Outcome::Passed,
            Err(why) => Outcome::Failed(why),
        });
    });
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, ours: T, theirs: T) -> Read<()> {
    if ours == theirs { Ok(()) } else { Err(format!("{what}: ours {ours:?}, theirs {theirs:?}")) }
}

/// Compares only where the line has an answer.
fn where_given(expect: &Json, name: &str, check: impl FnOnce(&Json) -> Read<()>) -> Read<()> {
    expect.get(name).map_or(Ok(()), check)
}

fn strings(json: &Json) -> Read<Vec<String>> {
    each(json, string)
}

fn stated(json: &Json) -> Read<Stated> {
    state(&Tree::read(json)?, false).map_err(|error| error.to_string())
}

fn entries(path: Path<'_>) -> Vec<Entry> {
    path.entries().filter_map(entry).collect()
}

/// The corpus' form of an entry.
fn entry(entry: KeyEntry<'_>) -> Option<Entry> {
    Some(match entry {
        KeyEntry::Index(i) => Entry::Seq(i.into()),
        KeyEntry::FlatIndex(i) => Entry::Flat(i.into()),
        KeyEntry::Attr(name) => Entry::Attr(name.into()),
        KeyEntry::Raw(text) => Entry::Raw(text.into()),
        KeyEntry::Key(key) => Entry::Dict(theirs(key)),
        _ => return None,
    })
}

fn theirs(value: Value<'_>) -> support::value::Value {
    use support::value::Value as V;
    match value {
        Value::Bool(b) => V::Bool(b),
        Value::Int(i) => V::Int(i),
        Value::BigInt(b) => V::Big { negative: b.is_negative(), magnitude: b.magnitude().into() },
        Value::Float(f) => V::F64(f),
        Value::Float32(f) => V::F32(f),
        Value::Str(s) => V::Str(s.into()),
        Value::Bytes(b) => V::Bytes(b.into()),
        Value::Tuple(t) => V::Tuple(t.iter().map(theirs).collect()),
        Value::Opaque(s) => V::Opaque(s.into()),
        _ => V::None,
    }
}
