//! Compares the trees, abstract values and other fields of `jax.export` artifacts with JAX's reader.

use std::path::Path;
use std::slice::Iter;

use serde_json::Value as Json;
use treedef::head::DictKind;
use treedef::{Kind, TreeDef, TreeDefBox, Value, Writer, head};
use treedef_jax::{Aval, Dim, Exported};

use super::support::corpus::{Read, Tree, each, integer, member, string};
use super::support::harness::{Outcome, run_lines};
use super::support::library::ours;
use super::{same, stated, strings};

const ARTIFACTS: [&str; 3] = ["adam_init", "pid_step", "sgd_step"];

#[test]
fn jax_export() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance/jax_export");
    let mut lines = String::new();
    for name in ARTIFACTS {
        let text = std::fs::read(folder.join(name).with_extension("json")).unwrap();
        let mut json: Json = serde_json::from_slice(&text).unwrap();
        json["id"] = name.into();
        lines += &format!("{json}\n");
    }
    let tally = run_lines(lines.as_bytes(), |json| {
        let file = folder.join(json["id"].as_str().unwrap()).with_extension("bin");
        match check(&std::fs::read(file).unwrap(), json) {
            Ok(None) => Outcome::Passed,
            Ok(Some(reason)) => Outcome::Different(reason),
            Err(why) => Outcome::Failed(why),
        }
    });
    print!("{}", tally.report("jax_export"));
    assert!(tally.failed.is_empty());
    assert_eq!((tally.passed, tally.different()), (1, 2));
}

fn check(artifact: &[u8], json: &Json) -> Read<Option<&'static str>> {
    same("bytes", artifact.len() as i64, integer(member(json, "bytes")?)?)?;
    let exported = Exported::from_bytes(artifact).map_err(|error| error.to_string())?;
    same("function name", exported.function_name.to_owned(), string(member(json, "fun_name")?)?)?;
    same("serialization version", exported.serialization_version, 3)?;
    same(
        "calling convention version",
        i64::from(exported.calling_convention_version),
        integer(member(json, "calling_convention_version")?)?,
    )?;
    same("jax version", exported.jax_version, None)?;
    let platforms = exported.platforms.iter().map(|name| (*name).to_owned()).collect();
    same("platforms", platforms, strings(member(json, "platforms")?)?)?;
    let kept = exported.module_kept_var_idx.iter().map(|index| *index as i64).collect();
    same("kept inputs", kept, each(member(json, "module_kept_var_idx")?, integer)?)?;
    same("vjp", exported.vjp().map(|vjp| vjp.is_some()), Ok(false))?;
    check_avals(exported.in_avals(), member(json, "in_avals")?)?;
    check_avals(exported.out_avals(), member(json, "out_avals")?)?;
    let inputs = check_tree(&exported.in_tree, "in", json)?;
    let outputs = check_tree(&exported.out_tree, "out", json)?;
    Ok((inputs || outputs)
        .then_some("an artifact does not have the fields of named tuples and dataclasses"))
}

fn check_avals<'a>(avals: impl ExactSizeIterator<Item = &'a Aval<'a>>, json: &Json) -> Read<()> {
    same("number of avals", Some(avals.len()), json.as_array().map(Vec::len))?;
    for (aval, json) in avals.zip(json.as_array().into_iter().flatten()) {
        check_aval(aval, json)?;
    }
    Ok(())
}

fn check_aval(aval: &Aval<'_>, json: &Json) -> Read<()> {
    same("aval", aval.to_string(), string(member(json, "str")?)?)?;
    same("dtype", aval.dtype.name().into(), string(member(json, "dtype")?)?)?;
    let shape = aval.shape.iter().map(|dim| match *dim {
        Dim::Size(size) => Json::from(size),
        Dim::Symbolic(text) => Json::from(text),
    });
    same("shape", &Json::Array(shape.collect()), member(json, "shape")?)
}

/// A custom node, as it was registered for serialization.
struct Custom {
    type_name: String,
    name: String,
    aux: String,
    children: i64,
}

fn customs(json: &Json) -> Read<Vec<Custom>> {
    each(json, |json| {
        Ok(Custom {
            type_name: string(member(json, "type_name")?)?,
            name: string(member(json, "serialized_name")?)?,
            aux: string(member(json, "auxdata_utf8")?)?,
            children: integer(member(json, "num_children")?)?,
        })
    })
}

/// Compares one tree. Returns whether it has nodes that are read as custom nodes.
fn check_tree(tree: &TreeDefBox, side: &str, json: &Json) -> Read<bool> {
    let given = |name: &str| member(json, &format!("{side}_{name}"));
    let customs = customs(given("customs")?)?;
    let def = tree.as_treedef();
    same("valid", TreeDef::from_bytes(def.as_bytes()), Ok(def))?;
    let stated_tree = Tree::read(given("tree")?)?;
    let expected = TreeDefBox::build(|out| add(out, &stated_tree, &mut customs.iter()));
    same("tree", Ok(tree), expected.as_ref())?;
    let counts = (def.num_leaves() as i64, def.num_nodes() as i64);
    same("counts", counts, (integer(given("num_leaves")?)?, integer(given("num_nodes")?)?))?;
    check_customs(def, &customs)?;

    // The corpus has the same structure with the names and keys of the types, whose paths are those of JAX.
    let stated = stated(given("tree")?)?;
    let keystr = |def: TreeDef<'_>| def.paths().map(|path| path.keystr().to_string()).collect();
    let theirs: Vec<String> = strings(given("keystr")?)?;
    same("keystr as stated", keystr(stated.treedef()), theirs.clone())?;
    let text = with_registered_names(string(given("tree_str")?)?, &customs)?;
    same("text", def.to_string(), text)?;
    let replaced = customs.iter().any(|custom| custom.name != "collections.OrderedDict");
    same("keystr", keystr(def) == theirs, !replaced)?;
    Ok(replaced)
}

/// Compares the custom nodes of a treedef, in preorder, with those of the artifact.
fn check_customs(def: TreeDef<'_>, customs: &[Custom]) -> Read<()> {
    let mut left = customs.iter().filter(|custom| custom.name != "collections.OrderedDict");
    for node in def.nodes() {
        let head = node.map_err(|error| error.to_string())?.head;
        if head.kind() != Kind::Custom {
            continue;
        }
        let custom = left.next().ok_or("a custom node too many")?;
        same("custom name", head.type_name(), Some(custom.name.as_str()))?;
        same("auxdata", head.aux(), Some(Value::Bytes(custom.aux.as_bytes())))?;
        same("custom children", head.num_children() as i64, custom.children)?;
        same("child keys", head.child_keys().is_none(), true)?;
    }
    same("customs left", left.count(), 0)
}

/// Returns JAX's text with the registered name and the bytes of the aux data, instead of the type and its aux data.
fn with_registered_names(text: String, customs: &[Custom]) -> Read<String> {
    let (mut out, mut rest) = (String::new(), text.as_str());
    for custom in customs {
        let (before, after) = rest.split_once("CustomNode(").ok_or("no custom node")?;
        let (own, after) = after.split_once("], [").ok_or("no children")?;
        same("type name", own.contains(&custom.type_name), true)?;
        let head = match custom.name.as_str() {
            "collections.OrderedDict" => own.to_owned(),
            name => format!("{name}[b'{}'", custom.aux),
        };
        out += &format!("{before}CustomNode({head}], [");
        rest = after;
    }
    Ok(out + rest)
}

/// Returns a tree of the corpus in which every custom node, except ordered dicts, has its name in the artifact.
fn add(out: &mut Writer<'_>, tree: &Tree, customs: &mut Iter<'_, Custom>) {
    fn keys(
        items: &[(super::support::value::Value, Tree)],
    ) -> impl Iterator<Item = Value<'static>> + Clone {
        items.iter().map(|(key, _)| ours(key))
    }
    let node = match tree {
        Tree::Leaf(_) => return out.leaves(1),
        Tree::None => return out.none(),
        Tree::Tuple(children) => out.begin(&head::Tuple(children.len())),
        Tree::List(children) => out.begin(&head::List(children.len())),
        Tree::Dict(items) => out.begin(&head::Dict::new(DictKind::Sorted, keys(items))),
        Tree::OrderedDict(items) => {
            customs.next();
            out.begin(&head::Dict::new(DictKind::Ordered, keys(items)))
        }
        other => {
            let custom = customs.next().expect("as many customs as the artifact has");
            out.begin(&head::Custom {
                name: &custom.name,
                aux: Value::Bytes(custom.aux.as_bytes()),
                children: other.children().len(),
                child_keys: None,
            })
        }
    };
    for child in tree.children() {
        add(out, child, customs);
    }
    out.end(node);
}
