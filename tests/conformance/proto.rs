//! JAX's treedef proto: its own family, and what the families of trees record of it.

use serde_json::Value as Json;

use super::support::corpus::{Read, Tree, fnv1a64, integer, member, string};
use super::support::harness::{Outcome, run_family};
use super::support::library::state;
use super::{on_a_deep_stack, same, where_given};
use treedef::jax::{
    Proto, ProtoError, ProtoErrorKind as Kind, ProtoFrame, ProtoKey, ProtoLevel, ProtoNode,
    proto_into_with,
};
use treedef::{Error, Level, TreeDef};

fn unhex(text: &str) -> Vec<u8> {
    let digits: Vec<u32> = text.chars().filter_map(|digit| digit.to_digit(16)).collect();
    digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The proto, in a buffer of exactly the size that was announced.
fn encode(def: TreeDef<'_>) -> Result<Vec<u8>, Error> {
    let mut levels = vec![ProtoLevel::default(); def.as_bytes().len()];
    let mut keys = vec![ProtoKey::default(); def.as_bytes().len()];
    let needed = match proto_into_with(def, &mut levels, &mut keys, &mut []) {
        Err(Error::Full { needed, room: 0 }) => needed,
        other => return other.map(<[u8]>::to_vec),
    };
    let mut bytes = vec![0; needed];
    let full = proto_into_with(def, &mut levels, &mut keys, &mut bytes[1..]);
    assert_eq!(full, Err(Error::Full { needed, room: needed - 1 }));
    let len = proto_into_with(def, &mut levels, &mut keys, &mut bytes)?.len();
    assert_eq!(len, needed);
    Ok(bytes)
}

/// The treedef's bytes, from slices of exactly the announced sizes.
fn decode(proto: &[u8]) -> Result<Vec<u8>, ProtoError> {
    let mut nodes = vec![ProtoNode::default(); Proto::nodes_len(proto)?];
    let proto = Proto::from_bytes(proto, &mut nodes)?;
    let mut frames = vec![ProtoFrame::default(); proto.num_nodes()];
    let full = proto.structure_into_with(&mut frames, &mut []);
    let Err(Error::Full { needed, room: 0 }) = full else { panic!("{full:?}") };
    let mut bytes = vec![0; needed];
    let full = proto.structure_into_with(&mut frames, &mut bytes[1..]);
    assert_eq!(full, Err(Error::Full { needed, room: needed - 1 }));
    let def = proto.structure_into_with(&mut frames, &mut bytes);
    let def = def.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((proto.num_leaves(), proto.num_nodes()), (def.num_leaves(), def.num_nodes()));
    Ok(def.as_bytes().into())
}

fn read_back(bytes: &[u8]) -> Read<TreeDef<'_>> {
    let mut levels = vec![Level::default(); bytes.len()];
    TreeDef::from_bytes_with(bytes, &mut levels).map_err(|error| format!("no treedef: {error}"))
}

/// What is recorded of a tree: its bytes, their length and hash, or that there are none.
pub(super) fn check_tree(tree: &Tree, expect: &Json) -> Read<()> {
    where_given(expect, "proto", |recorded| {
        let stated = state(tree, false).map_err(|error| error.to_string())?;
        let ours = encode(stated.treedef());
        if recorded.is_null() {
            let refused =
                matches!(ours, Err(Error::UserDefinedNode { .. } | Error::KeysNotStrings { .. }));
            return same("refused", refused, true);
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
pub(super) fn check_op(line: &Json) -> Read<()> {
    let tree = Tree::read(member(line, "tree")?)?;
    let stated = state(&tree, false).map_err(|error| error.to_string())?;
    let (def, expect) = (stated.treedef(), member(line, "expect")?);
    match (encode(def), expect.get("error")) {
        (Ok(ours), None) => same("proto", hex(&ours), string(member(expect, "ok")?)?),
        (Err(error), Some(theirs)) => {
            let theirs = string(member(theirs, "message")?)?;
            let (node, ours) = match error {
                Error::UserDefinedNode { node } => (node, "User-defined nodes are not supported"),
                Error::KeysNotStrings { node } => (node, "Only string keys are supported"),
                _ => return Err(format!("refused: {error}")),
            };
            same("message", theirs.starts_with(ours), true)?;
            // The message names the node's place, as a second way to it gives it.
            let path = def.node_path(node as usize).ok_or("no such node")?.to_string();
            let place = if path.is_empty() { "the root" } else { &path };
            let text = error.explain_at(&def).to_string();
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

/// JAX's message for an error, or a name of ours where JAX has none.
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
        Kind::KeyOrder { .. } => "key order",
        Kind::DuplicateKey { .. } => "duplicate key",
        _ => "another error",
    }
}

/// Why a proto that JAX takes is none, found by a plain reader of protos as JAX writes them.
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
