//! Operations of optree.

use std::cell::RefCell;

use serde_json::Value as Json;

use super::foundation::{check_optree, optree_key, root_entries};
use super::optree_relations::{self, sides};
use super::optree_text::{codify, entry, text};
use super::prefix::UNORDERED;
use super::rebuild::rebuild;
use super::structure_ops::{check_unflatten, tree_answer};
use super::support::corpus::{Read, Tree, each, integer, member, read_key, string};
use super::support::harness::Outcome;
use super::support::library::{Model, Stated, ours, state};
use super::support::value::{Value, sort_keys};
use super::transpose;
use super::{node_of, outcomes, same, same_tree, say, strings, written};
use treedef::algebra::Change;
use treedef::dynamic::{Flatten, fold, fold_len};
use treedef::encode::structure_bound;
use treedef::head::DictKind;
use treedef::{Arena, Error, Head, Kind, TreeDef, head};

/// Reads a tree as optree has it: the metadata of a `static` is an object, whose text is that of its value.
pub(super) fn read(json: &Json) -> Read<Tree> {
    fn opaque(tree: &mut Tree) {
        if let Tree::Static(Value::Str(text)) = tree {
            *tree = Tree::Static(Value::Opaque(std::mem::take(text)));
        }
        tree.children_mut().into_iter().for_each(opaque);
    }
    let mut tree = Tree::read(json)?;
    opaque(&mut tree);
    Ok(tree)
}

/// The line's `none_is_leaf`.
pub(super) fn none_is_leaf(line: &Json) -> Read<bool> {
    member(line, "none_is_leaf")?.as_bool().ok_or("no boolean".into())
}

#[test]
fn optree() {
    outcomes("optree", |line| {
        let expect = member(line, "expect")?;
        let check: fn(&Stated, &Json, &Json) -> Read<()> =
            match string(member(line, "op")?)?.as_str() {
                "compose" => return compose(line, expect),
                "relations" => return optree_relations::relations(line, expect),
                "broadcast_prefix" => return optree_relations::prefix(line, expect),
                "broadcast_common" => return optree_relations::common(line, expect),
                "tree_map" => return optree_relations::tree_map(line, expect),
                "transpose" => return transpose::of_optree(line, expect),
                "transpose_map" => transpose::map,
                "partition" => transpose::parts,
                "flatten" => flatten,
                "insertion_ordered" => return insertion_ordered(line, expect),
                "round_trip" => round_trip,
                "unflatten" => unflatten,
                "transform" => return transform(line, expect),
                "child" => child,
                "traverse" => traverse,
                _ => return Ok(Outcome::Skipped("an operation without a check")),
            };
        let (tree, none_is_leaf) = (read(member(line, "tree")?)?, none_is_leaf(line)?);
        match (state(&tree, none_is_leaf), tree.leaves()) {
            (Ok(stated), _) => check(&stated, line, expect).map(|()| Outcome::Passed),
            // Where Python cannot compare two keys, optree sorts by the names of their types or not at all.
            (Err(Error::Unordered { .. }), Err(_)) => {
                refused(&tree, none_is_leaf)?;
                Ok(UNORDERED)
            }
            (Err(error), _) => Err(say(error)),
        }
    });
}

/// No way of flattening orders keys that do not compare.
fn refused(tree: &Tree, none_is_leaf: bool) -> Read<()> {
    let (mut bytes, mut leaves) = (vec![0; 1 << 16], vec![None; tree.nodes()]);
    let answer = match none_is_leaf {
        true => Flatten::new().none_is_leaf().flatten_into(Model(tree), &mut bytes, &mut leaves),
        false => {
            let never = Flatten::new().is_leaf(|_: Model<'_>| false);
            never.flatten_into(Model(tree), &mut bytes, &mut leaves)
        }
    };
    match answer {
        Err(Error::Unordered { .. }) => Ok(()),
        other => Err(format!("keys that do not compare: {other:?}")),
    }
}

fn flatten(stated: &Stated, line: &Json, expect: &Json) -> Read<()> {
    check_optree(stated, expect, none_is_leaf(line)?)
}

/// The leaves as trees: a number or `None`.
fn leaves(stated: &Stated) -> Vec<Tree> {
    stated.leaves.iter().map(|leaf| leaf.map_or(Tree::None, Tree::Leaf)).collect()
}

fn round_trip(stated: &Stated, _: &Json, expect: &Json) -> Read<()> {
    let ours = rebuild(stated.treedef(), leaves(stated)).map_err(say)?;
    same_tree("round trip", &ours, &read(member(expect, "ok")?)?)
}

fn unflatten(stated: &Stated, line: &Json, expect: &Json) -> Read<()> {
    let leaves = each(member(line, "leaves")?, integer)?;
    check_unflatten(stated.treedef(), &leaves, tree_answer(expect, read)?).map(drop)
}

/// Text and counts of a structure.
fn check_structure(def: TreeDef<'_>, none_is_leaf: bool, expect: &Json) -> Read<()> {
    same("repr", text(def, none_is_leaf), string(member(expect, "repr")?)?)?;
    same("num_leaves", def.num_leaves() as i64, integer(member(expect, "num_leaves")?)?)?;
    same("num_nodes", def.num_nodes() as i64, integer(member(expect, "num_nodes")?)?)
}

fn compose(line: &Json, expect: &Json) -> Read<Outcome> {
    let none_is_leaf = none_is_leaf(line)?;
    let Some([(_, outer), (_, inner)]) = sides(line, ["outer", "inner"])? else {
        return Ok(UNORDERED);
    };
    let composed = outer.treedef().compose(inner.treedef());
    check_structure(written(&composed)?.treedef(), none_is_leaf, expect)?;
    Ok(Outcome::Passed)
}

fn transform(line: &Json, expect: &Json) -> Read<Outcome> {
    let (tree, none_is_leaf) = (read(member(line, "tree")?)?, none_is_leaf(line)?);
    let stated = match state(&tree, none_is_leaf) {
        Err(Error::Unordered { .. }) if tree.leaves().is_err() => {
            return refused(&tree, none_is_leaf).map(|()| UNORDERED);
        }
        stated => stated.map_err(say)?,
    };
    let def = stated.treedef();
    let pair = written(&(TreeDef::LEAF, TreeDef::LEAF))?;
    let new_leaf = match line["f_leaf"].as_str() {
        Some("leaf_to_pair") => pair.treedef(),
        // In this mode optree's `None` is a leaf.
        Some("leaf_to_none") if !none_is_leaf => TreeDef::NONE,
        _ => TreeDef::LEAF,
    };
    let on_node = line["f_node"].as_str();
    let mut bytes = vec![0; 1 << 16];
    let arena = Arena::new(&mut bytes);
    let changed = def.transform(|head| match (head.kind(), on_node) {
        (Kind::Leaf, _) => Ok(Change::Subtree(new_leaf)),
        (_, Some(change)) => change_node(change, head, &arena),
        (_, None) => Ok(Change::Keep),
    });
    let Some(error) = expect.get("error") else {
        if let Err(Error::Unordered { .. }) = structure_bound(&changed) {
            let unordered = |head: &Head<'_>| {
                sort_keys(entry_keys(head).into_iter().map(|key| (key, ())).collect()).is_err()
            };
            let found = def.nodes().any(|node| node.is_ok_and(|node| unordered(&node.head)));
            return same("keys that do not compare", found, true).map(|()| UNORDERED);
        }
        check_structure(written(&changed)?.treedef(), none_is_leaf, expect)?;
        return Ok(Outcome::Passed);
    };
    // Of several nodes that get too few children optree may report another one than the first in preorder.
    let message = string(member(error, "message")?)?;
    let (mut said, mut first) = (false, None);
    for node in def.nodes() {
        let node = node.map_err(say)?;
        let children = node.head.num_children();
        if children > 1 {
            first = first.or(Some(Error::Arity { expected: children, found: 1 }));
            let level = node_of(&node.head, &vec![TreeDef::LEAF; children])?;
            said |= message
                == format!(
                    "Expected the PyTreeSpec transform function returns a PyTreeSpec with the same number of arity as the input ({children}), got {} (input: {}).",
                    text(written(&(TreeDef::LEAF,))?.treedef(), none_is_leaf),
                    text(level.treedef(), none_is_leaf)
                );
        }
    }
    same("optree's error is about one of the nodes", said, true)?;
    same("error", structure_bound(&changed).err(), first)?;
    Ok(Outcome::Passed)
}

/// The entries of a node's children as keys of a dict.
fn entry_keys(head: &Head<'_>) -> Vec<Value> {
    (0..head.num_children()).filter_map(|index| entry(head, index)).map(optree_key).collect()
}

/// What the corpus' functions on nodes do.
fn change_node<'a>(name: &str, head: Head<'_>, arena: &'a Arena<'_>) -> Result<Change<'a>, Error> {
    let children = head.num_children();
    let new = match (name, head.kind()) {
        ("dict_to_ordered_dict", Kind::Dict) => {
            arena.head(&head::Dict::new(DictKind::Ordered, head.keys()))
        }
        ("tuple_to_list", Kind::Tuple) => arena.head(&head::List(children)),
        ("all_to_tuple", _) => arena.head(&head::Tuple(children)),
        ("all_to_dict_by_entry", _) => {
            // Optree's constructor sorts them; the children of the node stay where they are.
            let keys = entry_keys(&head);
            let sorted = sort_keys(keys.iter().map(|key| (key.clone(), ())).collect());
            let keys = sorted.map_or(keys, |keys| keys.into_iter().map(|(key, ())| key).collect());
            arena.head(&head::Dict::new(DictKind::Sorted, keys.iter().map(ours)))
        }
        ("drop_all_but_first", _) => arena.head(&head::Tuple(children.min(1))),
        _ => return Ok(Change::Keep),
    };
    new.map(Change::Head)
}

/// In this mode optree flattens dicts in the order of insertion; the order of a treedef is that of the keys.
fn insertion_ordered(line: &Json, expect: &Json) -> Read<Outcome> {
    const DIFFERENT: Outcome =
        Outcome::Different("optree's namespace keeps the order of insertion");
    let (tree, none_is_leaf) = (read(member(line, "tree")?)?, none_is_leaf(line)?);
    let stated = match state(&tree, none_is_leaf) {
        Ok(stated) => stated,
        Err(Error::Unordered { .. }) if tree.leaves().is_err() => {
            return refused(&tree, none_is_leaf).map(|()| DIFFERENT);
        }
        Err(error) => return Err(say(error)),
    };
    let def = stated.treedef();
    // What does not depend on the order.
    same("num_leaves", def.num_leaves() as i64, integer(member(expect, "num_leaves")?)?)?;
    same("num_nodes", def.num_nodes() as i64, integer(member(expect, "num_nodes")?)?)?;
    let ours = rebuild(def, leaves(&stated)).map_err(say)?;
    same_tree("round trip", &ours, &read(member(expect, "round_trip")?)?)?;
    if out_of_order(&tree) {
        // Python's own sorting says what our order is.
        let numbers: Vec<i64> = stated.leaves.iter().flatten().copied().collect();
        let sorted = tree.leaves().map_err(|keys| format!("not ordered: {keys:?}"))?;
        same("leaves in the order of keys", numbers, sorted)?;
        return Ok(DIFFERENT);
    }
    let optional = |json: &Json| if json.is_null() { Ok(None) } else { integer(json).map(Some) };
    same("leaves", stated.leaves.clone(), each(member(expect, "leaves")?, optional)?)?;
    let theirs = string(member(expect, "repr")?)?.replace(", namespace='insertion')", ")");
    same("repr", text(def, none_is_leaf), theirs)?;
    same("entries", root_entries(def), each(member(expect, "entries")?, read_key)?)?;
    let codify = def.paths().map(|path| codify("t", path.entries())).collect();
    same("codify", codify, strings(member(expect, "codify")?)?)?;
    same("equal_to_sorted", Some(true), member(expect, "equal_to_sorted")?.as_bool())?;
    Ok(Outcome::Passed)
}

/// Whether entries of a dict stand in another order than that of their keys.
fn out_of_order(tree: &Tree) -> bool {
    let own = match tree {
        Tree::Dict(items) | Tree::DefaultDict { items, .. } => items
            .windows(2)
            .any(|pair| pair[0].0.python_cmp(&pair[1].0) == Some(std::cmp::Ordering::Greater)),
        _ => false,
    };
    own || tree.children().into_iter().any(out_of_order)
}

fn child(stated: &Stated, line: &Json, expect: &Json) -> Read<()> {
    let (def, index) = (stated.treedef(), integer(member(line, "index")?)?);
    // A negative index counts from the end.
    let place = if index < 0 { index + def.num_children() as i64 } else { index };
    let place = usize::try_from(place).ok();
    let theirs = member(expect, "child")?;
    let ours = place.and_then(|place| def.child(place));
    let none_is_leaf = none_is_leaf(line)?;
    let ours = ours.map(|child| text(child, none_is_leaf));
    match theirs.get("error") {
        Some(error) => {
            let message = string(member(error, "message")?)?;
            same("error", message, "PyTreeSpec::Child() index out of range.".into())?;
            same("child", ours, None)?;
        }
        None => same("child", ours, Some(string(theirs)?))?,
    }
    let theirs = member(expect, "entry")?;
    let ours = place.and_then(|place| entry(&def.head(), place).map(optree_key));
    match theirs.get("error") {
        Some(error) => {
            let message = string(member(error, "message")?)?;
            same("error", message, "PyTreeSpec::Entry() index out of range.".into())?;
            same("entry", ours, None)
        }
        None => same("entry", ours, Some(read_key(theirs)?)),
    }
}

fn traverse(stated: &Stated, _: &Json, expect: &Json) -> Read<()> {
    let def = stated.treedef();
    let events = RefCell::new(Vec::new());
    let mut stack = vec![None; fold_len(def).map_err(say)?];
    let leaf = |number: Option<i64>| events.borrow_mut().push(serde_json::json!(["leaf", number]));
    fold(def, stated.leaves.clone(), &mut stack, leaf, |head, children| {
        let event = serde_json::json!(["node", type_name(&head), children.len()]);
        events.borrow_mut().push(event);
        Ok::<_, Error>(())
    })
    .map_err(say)?;
    same("events", Json::Array(events.into_inner()), member(expect, "events")?.clone())
}

/// The name of a node's Python type.
fn type_name(head: &Head<'_>) -> String {
    let name = head.type_name().unwrap_or_default();
    match head.kind() {
        Kind::None => "NoneType",
        Kind::Tuple => "tuple",
        Kind::List => "list",
        Kind::Dict => "dict",
        Kind::OrderedDict => "OrderedDict",
        Kind::DefaultDict => "defaultdict",
        _ => name.rsplit([':', '.']).next().unwrap_or_default(),
    }
    .into()
}
