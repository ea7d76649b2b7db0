//! Compares JAX's treedef protos: those of the family for protos, and those that the families of trees record.

use serde_json::Value as Json;
use treedef::TreeDef;
use treedef::encode::Level;
use treedef_jax::{
    ProtoError, ProtoErrorKind as Kind, WriteProtoError, read_proto, write_proto as encode,
};

use super::support::corpus::{Read, Tree, fnv1a64, integer, member, string};
use super::support::harness::{Outcome, family_text, run_family, run_lines};
use super::support::library::state;
use super::{same, where_given};
use crate::support::on_a_deep_stack;

fn unhex(text: &str) -> Vec<u8> {
    let digits: Vec<u32> = text.chars().filter_map(|digit| digit.to_digit(16)).collect();
    digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the bytes of the treedef.
fn decode(proto: &[u8]) -> Result<Vec<u8>, ProtoError> {
    read_proto(proto).map(|def| def.as_treedef().as_bytes().into())
}

fn read_back(bytes: &[u8]) -> Read<TreeDef<'_>> {
    let mut levels = vec![Level::default(); bytes.len()];
    TreeDef::from_bytes_with(bytes, &mut levels).map_err(|error| format!("no treedef: {error}"))
}

/// The recorded proto of a tree: its bytes, their length and hash, or none.
fn check_tree(tree: &Tree, expect: &Json) -> Read<()> {
    where_given(expect, "proto", |recorded| {
        let stated = state(tree, false).map_err(|error| error.to_string())?;
        let ours = encode(stated.treedef());
        if recorded.is_null() {
            return same("refused", ours.is_err_and(|e| e != WriteProtoError::TooLarge), true);
        }
        let ours = ours.map_err(|error| error.to_string())?;
        match recorded.as_str() {
            Some(theirs) => same("proto", hex(&ours), theirs.into())?,
            None => {
                same("length", ours.len() as i64, integer(member(recorded, "bytes")?)?)?;
                same("hash", fnv1a64(&ours), string(member(recorded, "fnv1a64")?)?)?;
            }
        }
        same("decoded", decode(&ours).map_err(|error| error.to_string())?, stated.bytes.clone())
    })
}

/// A line of `structure_ops` with the op `proto`.
fn check_op(line: &Json) -> Read<()> {
    let tree = Tree::read(member(line, "tree")?)?;
    let stated = state(&tree, false).map_err(|error| error.to_string())?;
    let (def, expect) = (stated.treedef(), member(line, "expect")?);
    match (encode(def), expect.get("error")) {
        (Ok(ours), None) => same("proto", hex(&ours), string(member(expect, "ok")?)?),
        (Err(error), Some(theirs)) => {
            let theirs = string(member(theirs, "message")?)?;
            let (node, ours) = match error {
                WriteProtoError::UserDefinedNode { node } => {
                    (node, "User-defined nodes are not supported")
                }
                WriteProtoError::KeysNotStrings { node } => {
                    (node, "Only string keys are supported")
                }
                error => return Err(format!("refused: {error}")),
            };
            same("message", theirs.starts_with(ours), true)?;
            // The message names the path of the node, which is found here in a second way.
            let path = def.node_path(node as usize).ok_or("no such node")?.to_string();
            let place = if path.is_empty() { "the root" } else { &path };
            let text = error.explain(def);
            same("place", text.ends_with(&format!(" at {place}")), true)
        }
        (ours, theirs) => Err(format!("ours {ours:?}, theirs {theirs:?}")),
    }
}

#[test]
fn proto() {
    on_a_deep_stack(|| {
        run_family("proto", |line| match check_proto(line) {
            Ok(outcome) => outcome,
            Err(why) => Outcome::Failed(why),
        });
    });
}

/// Checks the protos that the families of trees record. `treedef` checks the other answers of these lines.
#[test]
fn protos_of_trees() {
    on_a_deep_stack(|| {
        let mut checked = 0;
        for family in ["flatten", "limits", "models", "structure_ops", "suite_trees"] {
            let Some(text) = family_text(family) else { continue };
            let tally = run_lines(&text, |line| match check_recorded(line) {
                Ok(recorded) => {
                    checked += usize::from(recorded);
                    Outcome::Passed
                }
                Err(why) => Outcome::Failed(why),
            });
            assert!(tally.failed.is_empty(), "{}", tally.report(family));
        }
        println!("protos_of_trees: {checked} passed, 0 different, 0 failed, 0 skipped");
    });
}

/// Checks the proto of a line, and returns whether it has one.
fn check_recorded(line: &Json) -> Read<bool> {
    if line["op"] == "proto" {
        return check_op(line).map(|()| true);
    }
    let expect = member(line, "expect")?;
    let recorded = expect.get("proto").is_some();
    if recorded {
        check_tree(&Tree::read(member(line, "tree")?)?, expect)?;
    }
    Ok(recorded)
}

fn check_proto(line: &Json) -> Read<Outcome> {
    let bytes = unhex(&string(member(line, "bytes")?)?);
    let expect = member(line, "expect")?;
    let ours = decode(&bytes);
    if let Some(theirs) = expect.get("error") {
        return match ours {
            Ok(_) => Err("read, where JAX refuses".into()),
            Err(error) => {
                same("offset", error.offset() <= bytes.len(), true)?;
                let theirs = string(member(theirs, "message")?)?;
                same("kind", reason_of(&error), theirs.as_str())?;
                Ok(Outcome::Passed)
            }
        };
    }
    match ours {
        Ok(ours) => {
            let def = read_back(&ours)?;
            same("num_leaves", def.num_leaves() as i64, integer(member(expect, "num_leaves")?)?)?;
            same("num_nodes", def.num_nodes() as i64, integer(member(expect, "num_nodes")?)?)?;
            same("text", def.to_string(), string(member(expect, "treedef_str")?)?)?;
            let again = encode(def).map_err(|error| error.to_string())?;
            same("again", hex(&again), string(member(expect, "again")?)?)?;
            Ok(Outcome::Passed)
        }
        Err(error) => {
            let (message, reason) = malformed(&bytes).ok_or(format!("refused: {error}"))?;
            same("kind", reason_of(&error), message)?;
            Ok(Outcome::Different(reason))
        }
    }
}

/// Returns JAX's message for an error, or our own name if JAX has none.
fn reason_of(error: &ProtoError) -> &'static str {
    match error.kind() {
        Kind::UnknownType(_) => "Malformed pytree proto (invalid node type)",
        Kind::KeyOutOfRange { .. } => "Malformed pytree proto (dict_key out of range).",
        Kind::Truncated
        | Kind::Varint
        | Kind::FieldNumber
        | Kind::WireType(_)
        | Kind::Group
        | Kind::NotUtf8 => "Could not deserialize PyTreeDefProto.",
        Kind::Roots { .. } => "roots",
        Kind::KeyCount { .. } => "key count",
        Kind::Childless { .. } => "childless",
        Kind::TooFewChildren { .. } => "too few children",
        Kind::KeyOrder { .. } => "key order",
        Kind::DuplicateKey { .. } => "duplicate key",
        _ => "another error",
    }
}

/// Finds the fault in a proto that JAX accepts, with a simple reader of protos in the form in which JAX writes them.
fn malformed(proto: &[u8]) -> Option<(&'static str, &'static str)> {
    let (mut nodes, mut strings) = (Vec::new(), Vec::new());
    let mut rest = proto;
    while let [tag, len, tail @ ..] = rest {
        let (payload, after) = tail.split_at_checked(*len as usize)?;
        match tag {
            0x0A => nodes.push(payload),
            0x12 => strings.push(payload),
            _ => return None,
        }
        rest = after;
    }
    let mut roots = 0i32;
    for node in nodes {
        let (mut arity, mut kind, mut ids): (u8, u8, &[u8]) = (0, 0, &[]);
        let mut rest = node;
        while let [tag, value, tail @ ..] = rest {
            (*(match tag {
                0x08 => &mut arity,
                0x10 => &mut kind,
                _ => {
                    ids = tail.get(2..)?;
                    break;
                }
            })) = *value;
            rest = tail;
        }
        roots += 1 - i32::from(arity);
        let keys: Vec<_> = ids.iter().filter_map(|id| strings.get(*id as usize)).collect();
        if keys.len() != usize::from(if kind == 5 { arity } else { 0 }) {
            return Some(("key count", "JAX takes more or fewer keys than children"));
        }
        if keys.windows(2).any(|pair| pair[0] == pair[1]) {
            return Some(("duplicate key", "JAX takes equal keys"));
        }
        if keys.windows(2).any(|pair| pair[0] > pair[1]) {
            return Some(("key order", "JAX takes keys out of order"));
        }
    }
    (roots != 1).then_some(("roots", "JAX takes nodes that are no tree"))
}
