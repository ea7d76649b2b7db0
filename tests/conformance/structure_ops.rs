//! Single operations of JAX on structures: children, node tables, unflatten, leaf predicates, one level, walks.

use std::cell::RefCell;

use serde_json::Value as Json;

use super::messages::leaf_count;
use super::predicate::{At, holds};
use super::prefix::about_keys;
use super::python::{metadata, node_data};
use super::rebuild::{rebuild, seen, shallow};
use super::support::corpus::{
    Raised, Read, Tree, each, integer, member, read_answer, read_hex, read_path, string,
};
use super::support::harness::Outcome;
use super::support::library::{Model, Stated};
use super::support::rules::same_tree as same_trees;
use super::{
    entry, leaf_item, node_of, outcomes, same, same_tree, say, stated, strings, where_given,
    written,
};
use treedef::dynamic::{Flatten, Predicate, fold, fold_len};
use treedef::{Error, Head, KeyEntry, KeyPath, Kind, TreeDef, Value, View, head};

#[test]
fn structure_ops() {
    outcomes("structure_ops", |line| {
        let expect = member(line, "expect")?;
        match string(member(line, "op")?)?.as_str() {
            "compose" => compose(line, expect),
            "treedef_tuple" => treedef_tuple(line, expect),
            "children" => children(&stated(member(line, "tree")?)?, expect),
            "nodes" => nodes(&stated(member(line, "tree")?)?, expect),
            "unflatten" => unflatten(line, expect),
            "is_leaf" => is_leaf(line, expect),
            "is_leaf_with_path" => is_leaf_with_path(line, expect),
            "none_is_leaf" => none_is_leaf(line, expect),
            "one_level" => one_level(line, expect),
            "walk" => walk(&stated(member(line, "tree")?)?, expect),
            "proto" => nodes_of_a_proto(&stated(member(line, "tree")?)?, expect),
            "reduce" => super::reduce::check_op(line),
            other => Err(format!("no check of {other}")),
        }
        .map(|()| Outcome::Passed)
    });
}

/// The nodes that JAX's proto holds, which are ours in post-order. `treedef-jax` checks its bytes.
fn nodes_of_a_proto(stated: &Stated, expect: &Json) -> Read<()> {
    /// The type and the arity of each node; why JAX refuses the first that it does not hold.
    fn post_order(def: TreeDef<'_>, out: &mut Vec<(u8, usize)>) -> Result<(), &'static str> {
        def.children().try_for_each(|child| post_order(child, out))?;
        let kind = match def.kind() {
            Kind::Leaf => 1,
            Kind::List => 2,
            Kind::None => 3,
            Kind::Tuple => 4,
            Kind::Dict if def.head().keys().all(|key| matches!(key, Value::Str(_))) => 5,
            Kind::Dict => return Err("Only string keys are supported"),
            _ => return Err("User-defined nodes are not supported"),
        };
        out.push((kind, def.num_children()));
        Ok(())
    }
    let mut ours = Vec::new();
    let refused = post_order(stated.treedef(), &mut ours).err();
    if let Some(theirs) = expect.get("error") {
        let theirs = string(member(theirs, "message")?)?;
        return same("refused", refused.map(|why| theirs.starts_with(why)), Some(true));
    }
    same("refused", refused, None)?;
    let hex = string(member(expect, "ok")?)?;
    let bytes = read_hex(&hex)?;
    let (mut rest, mut theirs) = (&bytes[..], Vec::new());
    // A node is its tag, its length, the arity if it has children, and the type.
    while let [0x0A, tail @ ..] = rest {
        rest = tail;
        let len = varint(&mut rest).ok_or("no length")?;
        let (mut node, after) = rest.split_at_checked(len).ok_or("a node without end")?;
        rest = after;
        let mut field = |tag: u8| match node {
            [first, tail @ ..] if *first == tag => {
                node = tail;
                varint(&mut node)
            }
            _ => None,
        };
        let arity = field(0x08).unwrap_or(0);
        let kind = field(0x10).and_then(|kind| u8::try_from(kind).ok());
        theirs.push((kind.ok_or_else(|| format!("not a node: {hex}"))?, arity));
    }
    same("nodes", ours, theirs)
}

/// Takes an integer of a proto from the front.
fn varint(bytes: &mut &[u8]) -> Option<usize> {
    let mut number = 0;
    for shift in (0..usize::BITS).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= usize::from(byte & 0x7F) << shift;
        if *byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Text and counts of a structure.
fn check_structure(def: TreeDef<'_>, expect: &Json) -> Read<()> {
    same("treedef_str", def.to_string(), string(member(expect, "treedef_str")?)?)?;
    same("num_leaves", def.num_leaves() as i64, integer(member(expect, "num_leaves")?)?)?;
    same("num_nodes", def.num_nodes() as i64, integer(member(expect, "num_nodes")?)?)
}

fn compose(line: &Json, expect: &Json) -> Read<()> {
    let (outer, inner) = (stated(member(line, "outer")?)?, stated(member(line, "inner")?)?);
    let composed = outer.treedef().compose(inner.treedef());
    check_structure(written(&composed)?.treedef(), expect)
}

fn treedef_tuple(line: &Json, expect: &Json) -> Read<()> {
    let trees = each(member(line, "trees")?, stated)?;
    let defs: Vec<_> = trees.iter().map(Stated::treedef).collect();
    let tuple = node_of(&head::Tuple(defs.len()), &defs)?;
    check_structure(tuple.treedef(), expect)?;
    // A Rust tuple of treedefs is the same.
    if let [a, b] = defs[..] {
        same("a pair", written(&(a, b))?.treedef(), tuple.treedef())?;
    }
    if let [a, b, c] = defs[..] {
        same("a triple", written(&(a, b, c))?.treedef(), tuple.treedef())?;
    }
    Ok(())
}

fn children(stated: &Stated, expect: &Json) -> Read<()> {
    let def = stated.treedef();
    let theirs = member(expect, "children")?.as_array().ok_or("no array")?;
    same("number of children", def.children().len(), theirs.len())?;
    for (i, (child, expect)) in def.children().zip(theirs).enumerate() {
        check_structure(child, expect)?;
        same("child", def.child(i), Some(child))?;
    }
    same("child behind the last", def.child(theirs.len()), None)
}

/// Kind, children, leaves and nodes of a node.
type Row = (&'static str, i64, i64, i64);

fn nodes(stated: &Stated, expect: &Json) -> Read<()> {
    let def = stated.treedef();
    let theirs = each(member(expect, "nodes")?, |row| {
        let row = row.as_array().ok_or("no row")?;
        let number = |i: usize| row.get(i).map_or(Err("a short row".into()), integer);
        Ok((string(&row[0])?, number(1)?, number(2)?, number(3)?))
    })?;
    let owned = |rows: &[Row]| -> Vec<(String, i64, i64, i64)> {
        rows.iter()
            .map(|(kind, arity, leaves, nodes)| (kind.to_string(), *arity, *leaves, *nodes))
            .collect()
    };
    let mut rows = Vec::new();
    by_children(def, &mut rows);
    same("nodes, child by child", owned(&rows), theirs.clone())?;
    let folded = by_fold(def).map_err(say)?;
    same("nodes, folded", owned(&folded), theirs.clone())?;
    // In preorder a node stands before the nodes below it.
    let mut preorder = Vec::new();
    for node in def.nodes() {
        let node = node.map_err(say)?;
        preorder.push((jax_kind(&node.head), node.head.num_children() as i64));
    }
    let mut sorted: Vec<_> = rows.iter().map(|row| (row.0, row.1)).collect();
    same("the root", preorder.first().copied(), sorted.last().copied())?;
    preorder.sort_unstable();
    sorted.sort_unstable();
    same("nodes in preorder", preorder, sorted)
}

fn by_children(def: TreeDef<'_>, rows: &mut Vec<Row>) {
    def.children().for_each(|child| by_children(child, rows));
    let (children, leaves) = (def.num_children() as i64, def.num_leaves() as i64);
    rows.push((jax_kind(&def.head()), children, leaves, def.num_nodes() as i64));
}

fn by_fold(def: TreeDef<'_>) -> Result<Vec<Row>, Error> {
    let rows = RefCell::new(Vec::new());
    let mut stack = vec![None; fold_len(def)?];
    let leaf = |()| {
        rows.borrow_mut().push(("leaf", 0, 1, 1));
        (1, 1)
    };
    fold(def, vec![(); def.num_leaves()], &mut stack, leaf, |head, below| {
        let children = below.len() as i64;
        let (leaves, nodes) = below.fold((0, 1), |sum, child| (sum.0 + child.0, sum.1 + child.1));
        rows.borrow_mut().push((jax_kind(&head), children, leaves, nodes));
        Ok::<_, Error>((leaves, nodes))
    })?;
    Ok(rows.into_inner())
}

/// JAX has six kinds of its own; every other type is registered with it.
fn jax_kind(head: &Head<'_>) -> &'static str {
    match head.kind() {
        Kind::Leaf => "leaf",
        Kind::None => "none",
        Kind::Tuple => "tuple",
        Kind::List => "list",
        Kind::Dict => "dict",
        Kind::NamedTuple => "namedtuple",
        Kind::Struct => "dataclass",
        _ => "custom",
    }
}

fn unflatten(line: &Json, expect: &Json) -> Read<()> {
    let stated = stated(member(line, "tree")?)?;
    let leaves = each(member(line, "leaves")?, integer)?;
    let answer = tree_answer(expect, Tree::read)?;
    check_unflatten(stated.treedef(), &leaves, answer)?.map_or(Ok(()), |(ours, theirs)| {
        // JAX gives the entries of a dict in the order of their keys, as they stand in the treedef.
        same("order of entries", format!("{ours:?}"), format!("{theirs:?}"))
    })
}

/// Reads `{"ok": tree}` or `{"error": ...}`.
pub(super) fn tree_answer(
    json: &Json,
    read: impl FnOnce(&Json) -> Read<Tree>,
) -> Read<Result<Tree, Raised>> {
    match read_answer(json)? {
        Ok(tree) => read(tree).map(Ok),
        Err(raised) => Ok(Err(raised)),
    }
}

/// Puts leaves into a structure by view and by fold; ours and the recorded tree, if there is one.
pub(super) fn check_unflatten(
    def: TreeDef<'_>,
    leaves: &[i64],
    answer: Result<Tree, Raised>,
) -> Read<Option<(Tree, Tree)>> {
    let view = View::new(def, leaves);
    let folded = rebuild(def, leaves.iter().copied().map(Tree::Leaf));
    match answer {
        Ok(theirs) => {
            let viewed = seen(view.map_err(say)?);
            same_tree("viewed", &viewed, &theirs)?;
            same_tree("folded", &folded.map_err(say)?, &theirs)?;
            Ok(Some((viewed, theirs)))
        }
        Err(raised) => {
            let (expected, found) = leaf_count(&raised)?;
            let error = match found {
                Some(found) => Error::TooFewLeaves { expected, found },
                None => Error::TooManyLeaves { expected, found: leaves.len() },
            };
            same("view", view.err(), Some(error))?;
            // What comes behind the last leaf but one too many is not asked for.
            let error = match found {
                Some(_) => error,
                None => Error::TooManyLeaves { expected, found: expected + 1 },
            };
            same("fold", folded.err(), Some(error))?;
            Ok(None)
        }
    }
}

/// Flattens with leaves that are whole objects.
fn flattened<'t, P>(options: Flatten<P>, tree: &'t Tree) -> Read<(Stated, Vec<&'t Tree>)>
where
    P: Predicate<Model<'t>, Item = Model<'t>> + Copy,
{
    let mut bytes = vec![0; options.structure_bound(Model(tree)).map_err(say)?];
    let mut leaves = vec![None; options.num_leaves(Model(tree)).map_err(say)?];
    let (def, count) = options.flatten_into(Model(tree), &mut bytes, &mut leaves).map_err(say)?;
    same("leaves written", count, leaves.len())?;
    // Less than it takes to write it, where a copy becomes a repeat.
    let len = def.as_bytes().len();
    bytes.truncate(len);
    let leaves = leaves.into_iter().flatten().map(|Model(leaf)| leaf).collect();
    Ok((Stated { bytes, leaves: Vec::new() }, leaves))
}

/// Text and counts, then each leaf with its path.
fn check_leaves(def: TreeDef<'_>, leaves: &[&Tree], expect: &Json) -> Read<()> {
    check_structure(def, expect)?;
    let theirs = each(member(expect, "leaves")?, |item| leaf_item(item, Tree::read))?;
    same("number of leaves", leaves.len(), theirs.len())?;
    leaves.iter().zip(&theirs).try_for_each(|(ours, theirs)| same_tree("leaf", ours, theirs))?;
    where_given(expect, "keystr", |json| {
        same("keystr", def.paths().map(|path| path.keystr().to_string()).collect(), strings(json)?)
    })
}

fn is_leaf(line: &Json, expect: &Json) -> Read<()> {
    let (tree, name) = (Tree::read(member(line, "tree")?)?, string(member(line, "is_leaf")?)?);
    let (flat, leaves) = flattened_by(&name, &tree)?;
    check_leaves(flat.treedef(), &leaves, expect)?;
    // `all_leaves` puts the leaves into a list, which the predicate may take for a leaf itself.
    let list = Tree::List(leaves.iter().copied().cloned().collect());
    let (_, again) = flattened_by(&name, &list)?;
    let all =
        again.len() == leaves.len() && again.iter().zip(&leaves).all(|(a, b)| same_trees(a, b));
    let theirs = member(expect, "all_leaves")?.as_bool();
    same("all_leaves", Some(all), theirs)?;
    if holds(&name, &list)? {
        return Ok(());
    }
    let options = Flatten::new().is_leaf(|object: Model<'_>| holds(&name, object.0).unwrap());
    let ours = options.all_leaves(leaves.into_iter().map(Model)).map_err(say)?;
    same("each is a leaf", Some(ours), theirs)
}

/// Flattens with the predicate of this name.
pub(super) fn flattened_by<'t>(name: &str, tree: &'t Tree) -> Read<(Stated, Vec<&'t Tree>)> {
    holds(name, tree)?;
    flattened(Flatten::new().is_leaf(|object: Model<'t>| holds(name, object.0).unwrap()), tree)
}

fn is_leaf_with_path(line: &Json, expect: &Json) -> Read<()> {
    let (tree, name) = (Tree::read(member(line, "tree")?)?, string(member(line, "is_leaf")?)?);
    let at = At::read(&name)?;
    let options = Flatten::new().is_leaf_at(|path: KeyPath<'_, '_>, _: Model<'_>| match at {
        At::DepthMin(depth) => path.len() >= depth,
        At::UnderStrKey(key) => path.last() == Some(KeyEntry::Key(Value::Str(key))),
    });
    let (flat, leaves) = flattened(options, &tree)?;
    check_leaves(flat.treedef(), &leaves, expect)
}

fn none_is_leaf(line: &Json, expect: &Json) -> Read<()> {
    let tree = Tree::read(member(line, "tree")?)?;
    let (flat, leaves) = flattened(Flatten::new().none_is_leaf(), &tree)?;
    check_leaves(flat.treedef(), &leaves, expect)?;
    let models = || leaves.iter().copied().map(Model);
    same("each is a leaf", Flatten::new().none_is_leaf().all_leaves(models()), Ok(true))?;
    let none = leaves.iter().any(|leaf| matches!(leaf, Tree::None));
    same("None is no leaf", Flatten::new().all_leaves(models()), Ok(!none))?;
    let builder = super::state(&tree, true).map_err(say)?;
    same("built", builder.treedef(), flat.treedef())?;
    let plain = super::state(&tree, false).map_err(say)?;
    let changed = written(&plain.treedef().nones_as_leaves())?;
    same("changed", changed.treedef(), flat.treedef())
}

fn one_level(line: &Json, expect: &Json) -> Read<()> {
    let tree = Tree::read(member(line, "tree")?)?;
    let stated = match super::state(&tree, false) {
        Ok(stated) => stated,
        Err(error) => {
            return match error {
                Error::Unordered { .. } => same("refused", about_keys(expect), true),
                other => Err(say(other)),
            };
        }
    };
    let def = stated.treedef();
    if let Some(error) = expect.get("error") {
        let theirs = string(member(error, "message")?)?;
        same("error", "can't tree-flatten type: <class 'int'>".into(), theirs)?;
        return same("a leaf has no level", (def.is_leaf(), def.num_children()), (true, 0));
    }
    let mut keys: Vec<_> = def.head().entries().filter_map(entry).collect();
    if let (Kind::NamedTuple, Some(first)) = (def.kind(), keys.first().cloned()) {
        // jax 0.10.2 names each child of a named tuple by the first field.
        keys.fill(first);
    }
    let theirs = each(member(expect, "keys")?, |key| read_path(&Json::Array(vec![key.clone()])))?;
    same("keys", keys, theirs.concat())?;
    let numbers: Vec<i64> = stated.leaves.iter().flatten().copied().collect();
    let view = View::new(def, &numbers).map_err(say)?;
    let children = view.children().map(|child| (child.leaves().to_vec(), child.treedef()));
    let ours = children.map(|(leaves, def)| (leaves, def.to_string())).collect();
    let theirs = each(member(expect, "children")?, |child| {
        let text = string(member(child, "treedef")?)?;
        Ok((each(member(child, "leaves")?, integer)?, format!("PyTreeDef({text})")))
    })?;
    same("children", ours, theirs)?;
    let theirs = string(member(expect, "meta_str")?)?;
    same("meta_str", metadata(&shallow(def.head())), theirs)
}

fn walk(stated: &Stated, expect: &Json) -> Read<()> {
    let def = stated.treedef();
    let events = RefCell::new(Vec::new());
    let mut stack = vec![None; fold_len(def).map_err(say)?];
    let leaf = |number: Option<i64>| events.borrow_mut().push(serde_json::json!(["leaf", number]));
    fold(def, stated.leaves.clone(), &mut stack, leaf, |head, children| {
        let node = shallow(head);
        // The metadata itself as `str`; inside of it, and for the keys of a dict, everything is a `repr`.
        let data = if let Tree::Dict(_) = node { node_data(&node) } else { metadata(&node) };
        let event = serde_json::json!(["node", children.len(), data]);
        events.borrow_mut().push(event);
        Ok::<_, Error>(())
    })
    .map_err(say)?;
    same("events", Json::Array(events.into_inner()), member(expect, "events")?.clone())
}
