//! Flattening, equality, keys and text: what every other family stands on.

use serde_json::Value as Json;

use super::messages::{JAX, differences};
use super::optree_text::{codify, entries, entry, text};
use super::prefix::{PYTHON_EQUAL, STRICT, python_kind};
use super::support;
use super::support::corpus::{
    Read, Tree, each, fnv1a64, integer, member, read_key, read_path, string,
};
use super::support::harness::Outcome;
use super::support::library::{Model, Stated, ours, state};
use super::support::rules::{jax_dataclass_bug, python_equal_but_distinct};
use super::{
    entries as own_entries, family, node_of, outcomes, same, say, stated, strings, theirs,
    where_given,
};
use treedef::diff::DifferenceKind;
use treedef::dynamic::Flatten;
use treedef::head::DictKind;
use treedef::{Error, KeyEntry, KeyPath, Kind, TreeDef, Value, View, head};

/// What JAX says of one tree.
fn check_tree(tree: &Tree, expect: &Json) -> Read<()> {
    let stated = match state(tree, false) {
        Ok(stated) => stated,
        Err(error) => {
            let refused = matches!(error, Error::Unordered { .. }) && expect.get("error").is_some();
            return if refused { Ok(()) } else { Err(format!("refused: {error}")) };
        }
    };
    same("error", None, expect.get("error"))?;
    let def = stated.treedef();
    check_dynamic(tree, &stated)?;
    where_given(expect, "leaves", |json| {
        let leaves = each(json, integer)?.into_iter().map(Some).collect();
        same("leaves", stated.leaves.clone(), leaves)
    })?;
    where_given(expect, "leaves_fnv1a64", |json| {
        let numbers: Vec<_> = stated.leaves.iter().flatten().map(i64::to_string).collect();
        same("leaves", fnv1a64(numbers.join(",").as_bytes()), string(json)?)
    })?;
    same("num_leaves", def.num_leaves() as i64, integer(member(expect, "num_leaves")?)?)?;
    same("num_leaves", def.num_leaves(), stated.leaves.len())?;
    same("num_nodes", def.num_nodes() as i64, integer(member(expect, "num_nodes")?)?)?;
    let text = def.to_string();
    where_given(expect, "treedef_str", |json| same("treedef_str", text.clone(), string(json)?))?;
    where_given(expect, "treedef_str_bytes", |json| {
        same("treedef_str_bytes", text.len() as i64, integer(json)?)
    })?;
    where_given(expect, "treedef_str_fnv1a64", |json| {
        same("treedef_str_fnv1a64", fnv1a64(text.as_bytes()), string(json)?)
    })?;
    check_paths(def, expect)?;
    where_given(expect, "children", |json| {
        same("children", def.children().map(|c| c.to_string()).collect(), strings(json)?)
    })?;
    where_given(expect, "treedef_is_leaf", |json| {
        same("treedef_is_leaf", Some(def.num_nodes() == 1), json.as_bool())
    })?;
    for name in ["treedef_is_strict_leaf", "all_leaves"] {
        where_given(expect, name, |json| same(name, Some(def.is_leaf()), json.as_bool()))?;
    }
    Ok(())
}

/// The library flattens the tree itself, to the same bytes and leaves, and puts it together again.
fn check_dynamic(tree: &Tree, stated: &Stated) -> Read<()> {
    let options = || Flatten::new().max_depth(u32::MAX);
    let def = stated.treedef();
    let leaves: Vec<i64> = stated.leaves.iter().flatten().copied().collect();
    let needed = options().structure_bound(Model(tree)).map_err(say)?;
    let (mut bytes, mut out) = (vec![0; needed], vec![-1; leaves.len()]);
    let (flat, count) = options().flatten_into(Model(tree), &mut bytes, &mut out).map_err(say)?;
    same("flattened treedef", flat, def)?;
    same("flattened leaves", (count, &out), (leaves.len(), &leaves))?;
    out.fill(-1);
    options().flatten_expected(Model(tree), def, &mut out).map_err(say)?;
    same("leaves against the expected treedef", &out, &leaves)?;
    let view = View::new(def, &leaves).map_err(say)?;
    let mut again = vec![0; options().structure_bound(view).map_err(say)?];
    same("treedef of the view", options().structure_into(view, &mut again).map_err(say)?, def)
}

fn check_paths(def: TreeDef<'_>, expect: &Json) -> Read<()> {
    let full = || def.paths().map(|path| path.keystr().to_string()).collect::<Vec<_>>();
    where_given(expect, "paths", |json| {
        same("paths", def.paths().map(own_entries).collect(), each(json, read_path)?)
    })?;
    where_given(expect, "keystr", |json| same("keystr", full(), strings(json)?))?;
    where_given(expect, "keystr_simple", |json| {
        let simple = def.paths().map(|path| path.keystr_simple("/").to_string());
        same("keystr_simple", simple.collect(), strings(json)?)
    })?;
    where_given(expect, "keystr_some", |json| {
        for pair in json.as_array().into_iter().flatten() {
            let index = integer(&pair[0])? as usize;
            let path = def.path(index).ok_or("no such leaf")?;
            same("keystr_some", path.keystr().to_string(), string(&pair[1])?)?;
        }
        Ok(())
    })?;
    where_given(expect, "keystr_fnv1a64", |json| {
        same("keystr_fnv1a64", fnv1a64(full().join("\n").as_bytes()), string(json)?)
    })?;
    where_given(expect, "keystr_bytes_max", |json| {
        let longest = full().iter().map(String::len).max().unwrap_or(0);
        same("keystr_bytes_max", longest as i64, integer(json)?)
    })
}

fn jax_family(name: &str) {
    family(name, |line| check_tree(&Tree::read(member(line, "tree")?)?, member(line, "expect")?));
}

#[test]
fn flatten() {
    jax_family("flatten");
}

#[test]
fn models() {
    jax_family("models");
}

#[test]
fn limits() {
    jax_family("limits");
}

#[test]
fn equality() {
    outcomes("equality", check_equality);
}

fn check_equality(line: &Json) -> Read<Outcome> {
    let (a, b) = (Tree::read(member(line, "a")?)?, Tree::read(member(line, "b")?)?);
    let expect = member(line, "expect")?;
    let (Ok(left), Ok(right)) = (state(&a, false), state(&b, false)) else {
        return match expect.get("error") {
            Some(_) => Ok(Outcome::Passed),
            None => Err("a tree is refused".into()),
        };
    };
    same("error", None, expect.get("error"))?;
    let (left, right) = (left.treedef(), right.treedef());
    same("a", left.to_string(), string(member(expect, "a_treedef")?)?)?;
    same("b", right.to_string(), string(member(expect, "b_treedef")?)?)?;
    let different = match () {
        () if python_equal_but_distinct(&a, &b) => Some("Python takes two types for one value"),
        () if jax_dataclass_bug(&a, &b) => Some("JAX takes two dataclasses for one"),
        () => None,
    };
    let equal = member(expect, "equal")?.as_bool() == Some(true) && different.is_none();
    same("equal", left == right, equal)?;
    same("bytes equal", left.as_bytes() == right.as_bytes(), equal)?;
    same("fingerprint", left.fingerprint() == right.fingerprint(), equal)?;
    if different.is_none() {
        // Values that Python takes for one make places differ here that it passes.
        let places = [STRICT, JAX].map(|manner| {
            let found = differences(&a, &b, manner);
            found.iter().map(|at| (at.path(), at.contrast)).collect::<Vec<_>>()
        });
        if places[0] != places[1] {
            return Ok(Outcome::Different(PYTHON_EQUAL));
        }
        where_given(expect, "differences", |json| check_differences(line, left, right, json))?;
    }
    Ok(different.map_or(Outcome::Passed, Outcome::Different))
}

/// All places where two structures differ, and how. JAX gives each child of a named tuple the name of the first field.
fn check_differences(
    line: &Json,
    left: TreeDef<'_>,
    right: TreeDef<'_>,
    theirs: &Json,
) -> Read<()> {
    let fields = strings(member(line, "uses")?)?.iter().any(|used| used == "namedtuple");
    let place = |keystr: String| if fields { String::new() } else { keystr };
    let theirs = each(theirs, |one| {
        let why = string(&one[3])?;
        let kind = match why.split_once(',').map_or(why.as_str(), |(why, _)| why) {
            "their Python types differ" => DifferenceKind::Type,
            "the lengths do not match" => DifferenceKind::Length,
            "the numbers of children do not match" => DifferenceKind::Children,
            "the pytree node metadata does not match" => DifferenceKind::Metadata,
            other => return Err(format!("unknown: {other}")),
        };
        Ok((place(string(&one[0])?), kind))
    })?;
    let ours = left.differences(right).map(|one| {
        let one = one.map_err(|error| error.to_string())?;
        Ok((place(one.path().to_string()), python_kind(&one)))
    });
    same("differences", ours.collect::<Read<Vec<_>>>()?, theirs)
}

#[test]
fn classes() {
    family("classes", |line| {
        let trees = each(member(line, "trees")?, stated)?;
        let expect = member(line, "expect")?;
        let mut seen: Vec<TreeDef<'_>> = Vec::new();
        let mut classes = Vec::new();
        for tree in &trees {
            let def = tree.treedef();
            let class = seen.iter().position(|known| *known == def).unwrap_or_else(|| {
                seen.push(def);
                seen.len() - 1
            });
            classes.push(class as i64);
        }
        same("classes", classes, each(member(expect, "classes")?, integer)?)?;
        same("num_classes", seen.len() as i64, integer(member(expect, "num_classes")?)?)
    });
}

#[test]
fn keys() {
    outcomes("keys", check_keys);
}

fn check_keys(line: &Json) -> Read<Outcome> {
    let keys = each(member(line, "keys")?, read_key)?;
    let keys: Vec<Value<'_>> = keys.iter().map(ours).collect();
    let expect = member(line, "expect")?;
    // The texts of keys are those of a path of one entry.
    for (i, key) in keys.iter().enumerate() {
        let entry = KeyEntry::Key(*key);
        same(
            "keystr",
            Some(entry.to_string()),
            strings(member(expect, "keystr")?)?.get(i).cloned(),
        )?;
        let repr = strings(member(expect, "repr")?)?.get(i).map(|repr| format!("[{repr}]"));
        same("repr", Some(entry.to_string()), repr)?;
        let def = one_entry(*key);
        let treedef = TreeDef::from_bytes(&def).map_err(|e| e.to_string())?;
        let simple = treedef.path(0).map(|path| path.keystr_simple("/").to_string());
        same("keystr_simple", simple, strings(member(expect, "keystr_simple")?)?.get(i).cloned())?;
    }
    let dict = Json::Array(
        member(line, "keys")?
            .as_array()
            .into_iter()
            .flatten()
            .enumerate()
            .map(|(i, key)| serde_json::json!([key, { "leaf": i }]))
            .collect(),
    );
    let tree = Tree::read(&serde_json::json!({ "dict": dict }))?;
    match (state(&tree, false), member(expect, "sorted")?.get("ok")) {
        (Ok(stated), Some(order)) => {
            let order = each(order, integer)?.into_iter().map(Some).collect();
            same("sorted", stated.leaves.clone(), order)?;
            let text = string(member(expect, "treedef_str")?)?;
            same("treedef_str", stated.treedef().to_string(), text)?;
            Ok(Outcome::Passed)
        }
        (Err(Error::Unordered { .. }), None) => Ok(Outcome::Passed),
        (stated, theirs) => Err(format!("ours {:?}, theirs {theirs:?}", stated.map(|s| s.leaves))),
    }
}

/// A dict with one key and a leaf.
fn one_entry(key: Value<'_>) -> Vec<u8> {
    let mut bytes = vec![0; 4096];
    let mut builder = treedef::Writer::new(&mut bytes);
    let frame = builder.begin(&head::Dict::new(DictKind::Sorted, [key]));
    builder.leaves(1);
    builder.end(frame);
    let len = builder.finish().unwrap().as_bytes().len();
    bytes.truncate(len);
    bytes
}

#[test]
fn suite_trees() {
    family("suite_trees", |line| {
        let tree = Tree::read(member(line, "tree")?)?;
        let expect = member(line, "expect")?;
        where_given(expect, "jax", |jax| check_tree(&tree, jax))?;
        for (name, none_is_leaf) in [("optree", false), ("optree_none_is_leaf", true)] {
            let stated = state(&tree, none_is_leaf).map_err(say)?;
            check_optree(&stated, member(expect, name)?, none_is_leaf)?;
        }
        Ok(())
    });
}

/// What optree says of one tree.
pub(super) fn check_optree(stated: &Stated, expect: &Json, none_is_leaf: bool) -> Read<()> {
    let def = stated.treedef();
    let text = |def| text(def, none_is_leaf);
    let optional = |json: &Json| if json.is_null() { Ok(None) } else { integer(json).map(Some) };
    same("leaves", stated.leaves.clone(), each(member(expect, "leaves")?, optional)?)?;
    same("repr", text(def), string(member(expect, "repr")?)?)?;
    for (name, ours) in [
        ("num_leaves", def.num_leaves()),
        ("num_nodes", def.num_nodes()),
        ("num_children", def.num_children()),
    ] {
        same(name, ours as i64, integer(member(expect, name)?)?)?;
    }
    same("kind", optree_kind(def).to_owned(), string(member(expect, "kind")?)?)?;
    let path = |path: KeyPath<'_, '_>| entries(def, path.found()?.indices());
    let paths = def.paths().map(path).collect::<Option<Vec<_>>>().ok_or("no path")?;
    let paths = paths.into_iter().map(|path| path.into_iter().map(optree_key).collect()).collect();
    same::<Vec<Vec<_>>>(
        "paths",
        paths,
        each(member(expect, "paths")?, |path| each(path, read_key))?,
    )?;
    let codify = def.paths().map(|path| codify("t", path.entries())).collect();
    same("codify", codify, strings(member(expect, "codify")?)?)?;
    same("entries", root_entries(def), each(member(expect, "entries")?, read_key)?)?;
    same("children", def.children().map(text).collect(), strings(member(expect, "children")?)?)?;
    let one_level = def.num_nodes() == def.num_children() + 1
        && !def.is_leaf()
        && def.num_leaves() == def.num_children();
    for (name, ours) in [
        ("is_leaf", def.is_leaf()),
        ("is_leaf_loose", def.num_nodes() == 1),
        ("is_one_level", one_level),
    ] {
        same(name, Some(ours), member(expect, name)?.as_bool())?;
    }
    let (head, leaves) = (def.head(), vec![TreeDef::LEAF; def.num_children()]);
    match member(expect, "one_level")? {
        // A leaf has no level.
        Json::Null => same("one_level", def.is_leaf(), true),
        theirs if def.kind() == Kind::None => same("one_level", text(def), string(theirs)?),
        theirs => {
            let level = node_of(&head, &leaves)?;
            same("one_level", text(level.treedef()), string(theirs)?)
        }
    }
}

/// The entries of the root, as optree gives them.
pub(super) fn root_entries(def: TreeDef<'_>) -> Vec<support::value::Value> {
    let head = def.head();
    (0..def.num_children()).filter_map(|index| entry(&head, index)).map(optree_key).collect()
}

/// What optree has for an entry: the position or the key itself.
pub(super) fn optree_key(entry: KeyEntry<'_>) -> support::value::Value {
    use support::value::Value as V;
    match entry {
        KeyEntry::Index(i) | KeyEntry::FlatIndex(i) => V::Int(i.into()),
        KeyEntry::Attr(name) | KeyEntry::Raw(name) => V::Str(name.into()),
        KeyEntry::Key(key) => theirs(key),
        _ => V::None,
    }
}

fn optree_kind(def: TreeDef<'_>) -> &'static str {
    let head = def.head();
    match head.kind() {
        Kind::Leaf => "LEAF",
        Kind::None => "NONE",
        Kind::Tuple => "TUPLE",
        Kind::List => "LIST",
        Kind::Dict => "DICT",
        Kind::OrderedDict => "ORDEREDDICT",
        Kind::DefaultDict => "DEFAULTDICT",
        // A struct sequence has the name of a type of C Python, without a path of ours.
        Kind::NamedTuple if head.type_name().is_some_and(|name| !name.contains("::")) => {
            "STRUCTSEQUENCE"
        }
        Kind::NamedTuple => "NAMEDTUPLE",
        Kind::Custom if head.type_name() == Some("collections.deque") => "DEQUE",
        _ => "CUSTOM",
    }
}
