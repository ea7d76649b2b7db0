//! The nodes of a proto, checked and linked from parent to children, and its strings by their ids.

use super::fault::{ProtoError, ProtoErrorKind as Fault};
use super::wire::{Field, Payload, Wire};
use super::{ARITY, DICT, DICT_KEYS, LEAF, LIST, NODES, NONE, STR_ID, STRINGS, TUPLE, TYPE};
use crate::base::show::debug_struct;

/// One node, or one string, of a proto that is read: 12 bytes.
///
/// [`Proto::from_bytes`](super::Proto::from_bytes) takes a slice of them; `ProtoNode::default()` fills it.
#[derive(Clone, Copy, Default)]
pub struct ProtoNode {
    /// Where its field stands in the proto.
    pub(super) at: u32,
    /// The next sibling, counted from 1, 0 for none; while the parent is still to come, the node without a parent
    /// before it.
    pub(super) next: u32,
    /// The first child, counted from 1; 0 for none.
    pub(super) first: u32,
}

debug_struct!([] ProtoNode { at });

/// The number of nodes and strings of a proto, found in one pass that checks each field.
pub(super) fn num_entries(proto: &[u8]) -> Result<usize, ProtoError> {
    let (mut wire, mut len) = (Wire::new(proto), 0usize);
    while let Some(field) = wire.field()? {
        if Entry::read(&field)?.is_some() {
            len = len.wrapping_add(1);
        }
    }
    Ok(len)
}

/// The type of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Leaf,
    List,
    None,
    Tuple,
    Dict,
}

/// A node by itself.
#[derive(Clone, Copy)]
pub(super) struct Node<'a> {
    pub(super) kind: Type,
    pub(super) arity: u32,
    pub(super) keys: Ids<'a>,
}

/// A field of the proto that the schema knows.
enum Entry<'a> {
    Node(Node<'a>),
    String(&'a str),
}

impl<'a> Entry<'a> {
    /// Checks a field by itself; `None` for an unknown one.
    fn read(field: &Field<'a>) -> Result<Option<Self>, ProtoError> {
        let &Field { at, number, payload: Payload::Bytes(payload) } = field else {
            return Ok(None);
        };
        match number {
            NODES => Node::read(payload, at as usize).map(|node| Some(Self::Node(node))),
            STRINGS => match core::str::from_utf8(payload.rest()) {
                Ok(text) => Ok(Some(Self::String(text))),
                Err(_) => Err(ProtoError::new(Fault::NotUtf8, payload.at())),
            },
            _ => Ok(None),
        }
    }

    /// The field at this offset, which was checked before.
    fn at(proto: &'a [u8], at: u32) -> Option<Self> {
        let mut wire = Wire::new(proto.get(at as usize..)?);
        Self::read(&wire.field().ok()??).ok()?
    }
}

impl<'a> Node<'a> {
    fn read(message: Wire<'a>, at: usize) -> Result<Self, ProtoError> {
        let (mut arity, mut kind, mut found, mut fields) = (0, 0, 0u32, message);
        while let Some(field) = fields.field()? {
            match (field.number, field.payload) {
                (ARITY, Payload::Varint(value)) => arity = low32(value),
                (TYPE, Payload::Varint(value)) => kind = low32(value),
                (DICT_KEYS, Payload::Bytes(keys)) => {
                    let mut ids = Ids { keys, ..Ids::default() };
                    while ids.read()?.is_some() {
                        found = found.saturating_add(1);
                    }
                }
                _ => {}
            }
        }
        let kind = match kind {
            LEAF => Type::Leaf,
            LIST => Type::List,
            NONE => Type::None,
            TUPLE => Type::Tuple,
            DICT => Type::Dict,
            other => return Err(ProtoError::new(Fault::UnknownType(other), at)),
        };
        if matches!(kind, Type::Leaf | Type::None) && arity > 0 {
            return Err(ProtoError::new(Fault::Childless { found: arity }, at));
        }
        let keys = Ids { node: message, ..Ids::default() };
        let expected = if kind == Type::Dict { arity } else { 0 };
        match found == expected {
            true => Ok(Self { kind, arity, keys }),
            false => Err(ProtoError::new(Fault::KeyCount { expected, found }, at)),
        }
    }
}

/// The ids of a node's keys, from every message and run that holds some.
#[derive(Clone, Copy, Default)]
pub(super) struct Ids<'a> {
    node: Wire<'a>,
    keys: Wire<'a>,
    packed: Wire<'a>,
}

impl Ids<'_> {
    fn read(&mut self) -> Result<Option<u32>, ProtoError> {
        loop {
            if let Some(id) = self.packed.packed()? {
                return Ok(Some(low32(id)));
            }
            if let Some(field) = self.keys.field()? {
                match (field.number, field.payload) {
                    (STR_ID, Payload::Varint(id)) => return Ok(Some(low32(id))),
                    (STR_ID, Payload::Bytes(run)) => self.packed = run,
                    _ => {}
                }
                continue;
            }
            match self.node.field()? {
                None => return Ok(None),
                Some(Field { number: DICT_KEYS, payload: Payload::Bytes(keys), .. }) => {
                    self.keys = keys;
                }
                Some(_) => {}
            }
        }
    }
}

impl Iterator for Ids<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        self.read().ok()?
    }
}

/// The bits that a field of 32 bits keeps of an integer, as protocol buffers do it.
fn low32(value: u64) -> u32 {
    let [a, b, c, d, ..] = value.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

/// Nodes at the front, linked, and strings, from the end, of a proto.
#[derive(Clone, Copy)]
pub(super) struct Table<'a> {
    proto: &'a [u8],
    entries: &'a [ProtoNode],
    root: u32,
    strings: u32,
}

impl<'a> Table<'a> {
    /// Reads the proto from front to end. Nodes without a parent form a list from the last to the first.
    pub(super) fn new(proto: &'a [u8], entries: &'a mut [ProtoNode]) -> Result<Self, ProtoError> {
        if u32::try_from(proto.len()).is_err() {
            return Err(ProtoError::new(Fault::TooLarge, proto.len()));
        }
        let room = entries.len();
        let (mut wire, mut last, mut nodes, mut strings) = (Wire::new(proto), 0, 0u32, 0u32);
        while let Some(field) = wire.field()? {
            let Some(entry) = Entry::read(&field)? else { continue };
            if nodes.wrapping_add(strings) as usize >= room {
                let needed = num_entries(proto)?;
                return Err(ProtoError::new(Fault::NodesFull { needed, room }, field.at as usize));
            }
            let (place, first) = match entry {
                Entry::String(_) => {
                    strings = strings.wrapping_add(1);
                    (room.saturating_sub(strings as usize), 0)
                }
                Entry::Node(node) => {
                    let mut first = 0;
                    for found in 0..node.arity {
                        let Some(child) = slot(last).and_then(|at| entries.get_mut(at)) else {
                            let fault = Fault::TooFewChildren { expected: node.arity, found };
                            return Err(ProtoError::new(fault, field.at as usize));
                        };
                        let before = child.next;
                        child.next = first;
                        (first, last) = (last, before);
                    }
                    nodes = nodes.wrapping_add(1);
                    (nodes.wrapping_sub(1) as usize, first)
                }
            };
            let next = if matches!(entry, Entry::Node(_)) { last } else { 0 };
            if let Some(slot) = entries.get_mut(place) {
                *slot = ProtoNode { at: field.at, next, first };
            }
            if matches!(entry, Entry::Node(_)) {
                last = nodes;
            }
        }
        one_root(entries, last, proto.len())?;
        Ok(Self { proto, entries, root: last, strings })
    }

    /// The number of the root, the last node and so the number of nodes.
    pub(super) const fn root(&self) -> u32 {
        self.root
    }

    /// A node by its number.
    pub(super) fn node(&self, number: u32) -> Option<Node<'a>> {
        match Entry::at(self.proto, self.links(number)?.at)? {
            Entry::Node(node) => Some(node),
            Entry::String(_) => None,
        }
    }

    /// Where a node stands and which follow it.
    pub(super) fn links(&self, number: u32) -> Option<ProtoNode> {
        self.entries.get(slot(number)?).copied()
    }

    /// The string with this id.
    pub(super) fn string(&self, id: u32) -> Option<&'a str> {
        if id >= self.strings {
            return None;
        }
        let from_end = (id as usize).checked_add(1)?;
        let entry = self.entries.get(self.entries.len().checked_sub(from_end)?)?;
        match Entry::at(self.proto, entry.at)? {
            Entry::String(text) => Some(text),
            Entry::Node(_) => None,
        }
    }
}

/// The index of a number counted from 1.
fn slot(number: u32) -> Option<usize> {
    Some(number.checked_sub(1)? as usize)
}

/// Sees that the list of nodes without a parent that ends with `last` has one.
fn one_root(entries: &[ProtoNode], last: u32, end: usize) -> Result<(), ProtoError> {
    let (mut number, mut found, mut at) = (last, 0u32, end);
    while let Some(node) = slot(number).and_then(|at| entries.get(at)) {
        found = found.wrapping_add(1);
        // That of the second of them at the end, which is the first too many.
        if node.next != 0 {
            at = node.at as usize;
        }
        number = node.next;
    }
    if found == 1 { Ok(()) } else { Err(ProtoError::new(Fault::Roots { found }, at)) }
}
