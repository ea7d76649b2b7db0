//! Answers recorded from JAX and optree; `README.md` beside this file describes them.
//!
//! The families of the foundation are in `foundation`; every other module that checks a family has the name of its family.
//! `rebuild` makes a tree of a treedef and its leaves; `python`, `messages` and `optree_messages` write what JAX and optree say
//! of trees, with the library's text of values, `optree_text` how optree prints structures, and `predicate` has the
//! predicates of the corpus.

use rebuild::value as theirs;
use serde_json::Value as Json;
use support::corpus::{Entry, Read, Tree, each, integer, string};
use support::harness::{Outcome, run_family};
use support::library::{Stated, state};
use support::on_a_deep_stack;
use support::rules;
use treedef::encode::structure_bound;
use treedef::head::HeadSpec;
use treedef::tree::Structure;
use treedef::{Error, KeyEntry, KeyPath, TreeDef, matches, structure_into};

#[path = "../support/mod.rs"]
mod support;

mod firmware;

mod foundation;

mod messages;

mod optree;

mod optree_messages;

mod optree_relations;

mod optree_text;

mod optree_texts;

mod predicate;

mod prefix;

mod python;

mod rebuild;

mod reduce;

mod structure_ops;

mod transpose;

mod tree_map;

/// Runs a family whose check answers "passed" by saying nothing.
fn family(name: &str, check: impl Fn(&Json) -> Read<()> + Sync) {
    outcomes(name, |line| check(line).map(|()| Outcome::Passed));
}

/// The families with lines of their own in the folder `more`: what both libraries answer where a rule is rare.
const MORE: [&str; 6] = ["equality", "optree", "prefix", "structure_ops", "transpose", "tree_map"];

/// Runs a family whose check may find that we deliberately answer otherwise.
fn outcomes(name: &str, check: impl Fn(&Json) -> Read<Outcome> + Sync) {
    on_a_deep_stack(|| {
        let more = MORE.contains(&name).then(|| format!("more/{name}"));
        for file in [name].into_iter().chain(more.as_deref()) {
            run_family(file, |line| check(line).unwrap_or_else(Outcome::Failed));
        }
    });
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, ours: T, theirs: T) -> Read<()> {
    if ours == theirs { Ok(()) } else { Err(format!("{what}: ours {ours:?}, theirs {theirs:?}")) }
}

/// Compares only where the line has an answer.
fn where_given(expect: &Json, name: &str, check: impl FnOnce(&Json) -> Read<()>) -> Read<()> {
    expect.get(name).map_or(Ok(()), check)
}

/// The same trees; entries of a dict in any order.
fn same_tree(what: &str, ours: &Tree, theirs: &Tree) -> Read<()> {
    if rules::same_tree(ours, theirs) {
        Ok(())
    } else {
        Err(format!("{what}: ours {ours:?}, theirs {theirs:?}"))
    }
}

/// An item of a list of leaves: a leaf, a `None` or a whole tree that counts as one.
fn leaf_item(json: &Json, read: impl FnOnce(&Json) -> Read<Tree>) -> Read<Tree> {
    match json {
        Json::Null => Ok(Tree::None),
        Json::Number(_) => integer(json).map(Tree::Leaf),
        tree => read(tree),
    }
}

fn strings(json: &Json) -> Read<Vec<String>> {
    each(json, string)
}

fn say(error: Error) -> String {
    error.to_string()
}

/// Bounds, writes and compares a structure that describes itself.
fn written<T: Structure + ?Sized>(tree: &T) -> Read<Stated> {
    let needed = structure_bound(tree).map_err(say)?;
    let mut bytes = vec![0; needed];
    let def = structure_into(tree, &mut bytes).map_err(say)?;
    matches(tree, def).map_err(say)?;
    let len = def.as_bytes().len();
    bytes.truncate(len);
    Ok(Stated { bytes, leaves: Vec::new() })
}

/// Writes a node with this head over these children.
fn node_of(head: &impl HeadSpec, children: &[TreeDef<'_>]) -> Read<Stated> {
    let bytes = support::node_of(head, children).map_err(say)?;
    Ok(Stated { bytes, leaves: Vec::new() })
}

fn stated(json: &Json) -> Read<Stated> {
    state(&Tree::read(json)?, false).map_err(say)
}

fn entries(path: KeyPath<'_, '_>) -> Vec<Entry> {
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
