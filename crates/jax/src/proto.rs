//! Reads and writes JAX's treedef proto.
//!
//! ```text
//! enum Type    { INVALID = 0; LEAF = 1; LIST = 2; NONE = 3; TUPLE = 4; DICT = 5; }
//! message Keys { repeated uint32 str_id = 1; }
//! message Node { uint32 arity = 1; Type type = 2; Keys dict_keys = 3; }
//! message Tree { repeated Node nodes = 1; repeated string interned_strings = 2; }
//! ```
//!
//! Nodes are in post-order with repeats written out; a key is the index of an interned string.

use std::cmp::Ordering;
use std::collections::HashMap;

use treedef::{Head, Kind, TreeDef, TreeDefBox, Value};

use crate::proto_error::{ProtoError, ProtoErrorKind as Fault, WriteProtoError};
use crate::steps::{self, Step};
use crate::wire::{Payload, Wire};

/// The numbers of the fields.
const NODES: u32 = 1;
const STRINGS: u32 = 2;
const ARITY: u32 = 1;
const TYPE: u32 = 2;
const DICT_KEYS: u32 = 3;
const STR_ID: u32 = 1;

/// The numbers of the node types.
const LEAF: u32 = 1;
const LIST: u32 = 2;
const NONE: u32 = 3;
const TUPLE: u32 = 4;
const DICT: u32 = 5;

/// The bytes that the keys of all dictionaries may have, a key counted as often as it is used, for each byte of a
/// proto.
///
/// A proto stores a string once, but a treedef stores it in each dictionary. Without a bound, a proto of 2 MB could use
/// a key of 1 MB a hundred thousand times. JAX takes about 10 bytes for each use of a key.
pub const MAX_KEY_BYTES: usize = 64;

/// The largest length of a protocol buffer.
const MAX_PROTO: usize = i32::MAX as usize;

/// Reads and checks JAX's treedef proto, as `PyTreeDef.deserialize_using_proto`.
///
/// A tree can have any depth. Time and memory are linear in the bytes: nothing is allocated for the children that a
/// node announces, and [`MAX_KEY_BYTES`] bounds the keys. As every reader of protocol buffers, it skips unknown fields,
/// and accepts fields in any order, overlong integers and unused strings.
///
/// `DIFFERENCE`: JAX only checks the node types and the range of the keys. There a leaf with children ends the process.
/// A missing or second root, too few children, or keys that are missing, equal or out of order make an object that
/// fails later or compares wrong. Here all of these are errors, and so are keys on a node that is no dictionary, which
/// JAX ignores.
///
/// # Errors
///
/// [`ProtoError`] says what is wrong and at which byte.
///
/// # Examples
///
/// ```
/// use treedef::treedef;
/// use treedef_jax::{ProtoErrorKind, read_proto};
///
/// let pair = [0x0A, 2, 0x10, 1, 0x0A, 2, 0x10, 1, 0x0A, 4, 0x08, 2, 0x10, 4];
/// assert_eq!(read_proto(&pair)?.as_treedef(), treedef!((*, *)));
///
/// // A leaf that announces a child: with these six bytes JAX 0.10 reads out of bounds.
/// let error = read_proto(&[0x0A, 4, 0x08, 1, 0x10, 1]).unwrap_err();
/// assert_eq!((error.kind(), error.offset()), (ProtoErrorKind::Childless { found: 1 }, 0));
/// # Ok::<(), treedef_jax::ProtoError>(())
/// ```
pub fn read_proto(proto: &[u8]) -> Result<TreeDefBox, ProtoError> {
    let (nodes, strings) = fields(proto)?;
    let mut keys = keys(&nodes, &strings, proto.len().saturating_mul(MAX_KEY_BYTES))?;
    // `pending` holds the next nodes, the first on top, and `None` for the end of each open node. In post-order the
    // last child of a node is right before it, and the whole subtree of a left sibling is before each child.
    let (mut pending, mut steps) = (vec![nodes.len().checked_sub(1)], Vec::new());
    while let Some(next) = pending.pop() {
        let Some((number, node)) = next.and_then(|n| Some((n, nodes.get(n)?))) else {
            steps.push(Step::End);
            continue;
        };
        steps.push(match node.kind {
            LEAF => Step::Leaf,
            NONE => Step::None,
            LIST => Step::List(node.arity as usize),
            TUPLE => Step::Tuple(node.arity as usize),
            _ => Step::Dict(keys.get_mut(number).map(std::mem::take).unwrap_or_default()),
        });
        if !matches!(node.kind, LEAF | NONE) {
            pending.push(None);
        }
        let mut end = number;
        for _ in 0..node.arity {
            let child = end.saturating_sub(1);
            pending.push(Some(child));
            end = nodes.get(child).map_or(0, |child| child.start);
        }
    }
    steps::treedef(&steps).map_err(|_| ProtoError::new(Fault::TooLarge, proto.len()))
}

/// A node without its children.
struct Node {
    /// The offset of its field.
    at: usize,
    kind: u32,
    arity: u32,
    ids: Vec<u32>,
    /// The number of the first node of its subtree.
    start: usize,
}

/// Reads the nodes, which must be one tree in post-order, and the strings.
fn fields(proto: &[u8]) -> Result<(Vec<Node>, Vec<&str>), ProtoError> {
    let (mut wire, mut nodes, mut strings) = (Wire::new(proto), Vec::new(), Vec::new());
    // The numbers of the nodes without a parent.
    let mut roots = Vec::new();
    while let Some(field) = wire.field()? {
        match (field.number, field.payload) {
            (NODES, Payload::Bytes(message)) => {
                let mut node = Node::read(message, field.at)?;
                let found = roots.len();
                let first = found.checked_sub(node.arity as usize).ok_or_else(|| {
                    let found = u32::try_from(found).unwrap_or(u32::MAX);
                    let fault = Fault::TooFewChildren { expected: node.arity, found };
                    ProtoError::new(fault, field.at)
                })?;
                let first_child = roots.drain(first..).next().and_then(|child: usize| {
                    let child: &Node = nodes.get(child)?;
                    Some(child.start)
                });
                node.start = first_child.unwrap_or(nodes.len());
                roots.push(nodes.len());
                nodes.push(node);
            }
            (STRINGS, Payload::Bytes(text)) => match str::from_utf8(text.rest()) {
                Ok(text) => strings.push(text),
                Err(_) => return Err(ProtoError::new(Fault::NotUtf8, text.at)),
            },
            _ => {}
        }
    }
    if let [_] = roots[..] {
        return Ok((nodes, strings));
    }
    let found = u32::try_from(roots.len()).unwrap_or(u32::MAX);
    let second = roots.get(1).and_then(|root| nodes.get(*root));
    Err(ProtoError::new(Fault::Roots { found }, second.map_or(proto.len(), |node| node.at)))
}

impl Node {
    fn read(mut message: Wire<'_>, at: usize) -> Result<Self, ProtoError> {
        let (mut arity, mut kind, mut ids) = (0, 0, Vec::new());
        while let Some(field) = message.field()? {
            match (field.number, field.payload) {
                // Protocol buffers drop the bits that do not fit a field of 32 bits.
                (ARITY, Payload::Varint(value)) => arity = value as u32,
                (TYPE, Payload::Varint(value)) => kind = value as u32,
                (DICT_KEYS, Payload::Bytes(keys)) => read_ids(keys, &mut ids)?,
                _ => {}
            }
        }
        let fault = |kind| Err(ProtoError::new(kind, at));
        let found = u32::try_from(ids.len()).unwrap_or(u32::MAX);
        let expected = if kind == DICT { arity } else { 0 };
        match kind {
            LEAF | NONE if arity > 0 => fault(Fault::Childless { found: arity }),
            LEAF..=DICT if found != expected => fault(Fault::KeyCount { expected, found }),
            LEAF..=DICT => Ok(Self { at, kind, arity, ids, start: 0 }),
            _ => fault(Fault::UnknownType(kind)),
        }
    }
}

fn read_ids(mut keys: Wire<'_>, ids: &mut Vec<u32>) -> Result<(), ProtoError> {
    while let Some(field) = keys.field()? {
        match (field.number, field.payload) {
            (STR_ID, Payload::Varint(id)) => ids.push(id as u32),
            (STR_ID, Payload::Bytes(mut run)) => {
                while let Some(id) = run.packed()? {
                    ids.push(id as u32);
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Returns the keys of each node: strings of the proto in sorted order, of at most `room` bytes in total.
fn keys<'a>(
    nodes: &[Node],
    strings: &[&'a str],
    mut room: usize,
) -> Result<Vec<Vec<&'a str>>, ProtoError> {
    let keys_of = |node: &Node| {
        let mut keys: Vec<&str> = Vec::new();
        for (second, id) in (0u32..).zip(&node.ids) {
            let key = strings.get(*id as usize).ok_or(Fault::KeyOutOfRange { id: *id })?;
            room = room.checked_sub(key.len()).ok_or(Fault::TooLarge)?;
            let first = second.saturating_sub(1);
            match keys.last().map(|before| before.cmp(key)) {
                Some(Ordering::Greater) => return Err(Fault::KeyOrder { first, second }),
                Some(Ordering::Equal) => return Err(Fault::DuplicateKey { first, second }),
                _ => keys.push(key),
            }
        }
        Ok(keys)
    };
    let mut keys_of = keys_of;
    nodes.iter().map(|node| keys_of(node).map_err(|kind| ProtoError::new(kind, node.at))).collect()
}

/// Writes a treedef as JAX's proto, byte for byte as `PyTreeDef.serialize_using_proto`: nodes in post-order, repeats
/// written out, then each key once in the order of first use.
///
/// Memory is linear in the length of the proto, which has at least four bytes for each node. Time is at most that length
/// times the number of [pending](treedef::depth) levels, of which [`TreeDef::from_bytes`] reads at most 64. A treedef of a
/// few bytes can have billions of nodes: check [`TreeDef::num_nodes`] before you write an untrusted one.
///
/// # Errors
///
/// [`WriteProtoError`] for the treedefs that JAX refuses, at the same node, the first in post-order. If the leaves
/// alone take more than 2 GiB, [`WriteProtoError::TooLarge`] is returned at once.
///
/// # Examples
///
/// ```
/// use treedef::treedef;
/// use treedef_jax::write_proto;
///
/// assert_eq!(
///     write_proto(treedef!({"a": *, "b": [*]}))?,
///     [
///         0x0A, 2, 0x10, 1, // leaf
///         0x0A, 2, 0x10, 1, // leaf
///         0x0A, 4, 0x08, 1, 0x10, 2, // list of one
///         0x0A, 10, 0x08, 2, 0x10, 5, 0x1A, 4, 0x0A, 2, 0, 1, // dictionary of two, its keys the strings 0 and 1
///         0x12, 1, b'a', 0x12, 1, b'b', // strings
///     ]
/// );
/// # Ok::<(), treedef_jax::WriteProtoError>(())
/// ```
pub fn write_proto(def: TreeDef<'_>) -> Result<Vec<u8>, WriteProtoError> {
    if def.num_leaves() > MAX_PROTO / 4 {
        return Err(WriteProtoError::TooLarge);
    }
    let (mut out, mut names) = (Vec::new(), Names::default());
    // The nodes around the next one, each with its index and its children that are not written yet.
    let (mut open, mut count) = (vec![(def.head(), 0, def.children())], 1);
    while let Some((head, index, children)) = open.last_mut() {
        if let Some(child) = children.next() {
            open.push((child.head(), count, child.children()));
            count += 1;
            continue;
        }
        write_node(&mut out, head, *index, &mut names)?;
        if out.len() > MAX_PROTO {
            return Err(WriteProtoError::TooLarge);
        }
        open.pop();
    }
    for name in names.in_order {
        put_bytes(&mut out, STRINGS, name.as_bytes());
    }
    if out.len() > MAX_PROTO { Err(WriteProtoError::TooLarge) } else { Ok(out) }
}

/// The strings in the order of their first use.
#[derive(Default)]
struct Names<'d> {
    in_order: Vec<&'d str>,
    ids: HashMap<&'d str, u64>,
}

fn write_node<'d>(
    out: &mut Vec<u8>,
    head: &Head<'d>,
    node: u32,
    names: &mut Names<'d>,
) -> Result<(), WriteProtoError> {
    let (mut body, mut ids) = (Vec::new(), Vec::new());
    let kind = match head.kind() {
        Kind::Leaf => LEAF,
        Kind::None => NONE,
        Kind::List => LIST,
        Kind::Tuple => TUPLE,
        Kind::Dict => DICT,
        _ => return Err(WriteProtoError::UserDefinedNode { node }),
    };
    for key in head.keys() {
        let Value::Str(key) = key else { return Err(WriteProtoError::KeysNotStrings { node }) };
        let id = *names.ids.entry(key).or_insert_with(|| {
            names.in_order.push(key);
            names.in_order.len() as u64 - 1
        });
        put_varint(&mut ids, id);
    }
    if head.num_children() > 0 {
        put_number(&mut body, ARITY, head.num_children() as u64);
    }
    put_number(&mut body, TYPE, kind.into());
    if !ids.is_empty() {
        let mut keys = Vec::new();
        put_bytes(&mut keys, STR_ID, &ids);
        put_bytes(&mut body, DICT_KEYS, &keys);
    }
    put_bytes(out, NODES, &body);
    Ok(())
}

fn put_number(out: &mut Vec<u8>, field: u32, value: u64) {
    put_varint(out, u64::from(field) << 3);
    put_varint(out, value);
}

fn put_bytes(out: &mut Vec<u8>, field: u32, bytes: &[u8]) {
    put_varint(out, u64::from(field) << 3 | 2);
    put_varint(out, bytes.len() as u64);
    out.extend(bytes);
}

fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 128 {
        out.push(value as u8 | 128);
        value >>= 7;
    }
    out.push(value as u8);
}
