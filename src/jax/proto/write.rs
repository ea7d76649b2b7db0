//! Writes a treedef as JAX's proto, in one pass over its bytes.

use super::names::{Names, ProtoKey};
use super::wire::varint_len;
use super::{ARITY, DICT, DICT_KEYS, LEAF, LIST, NODES, NONE, STR_ID, STRINGS, TUPLE, TYPE};
use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::encode::sink::MAX_DEPTH;
use crate::format::head::{Form, Head, Item, Kind, read_item};
use crate::treedef::treedef::TreeDef;

/// The distinct keys that [`proto_into`] and [`proto_len`] have room for: 4 kB of stack.
///
/// GPT-2 with its twelve layers has 29, and every further layer adds one.
pub const PROTO_KEYS: usize = 256;

/// One open node while a treedef is written as a proto: 24 bytes.
///
/// [`proto_into_with`] takes a slice of them, at most as many as the tree is deep; `ProtoLevel::default()` fills it.
#[derive(Clone, Copy, Default)]
pub struct ProtoLevel {
    /// Where the proto of its first descendant begins.
    start: u64,
    /// Where its head stands in the treedef.
    head: u32,
    /// The siblings that follow it.
    left: u32,
    /// Its index in preorder, repeats written out.
    node: u32,
}

debug_struct!([] ProtoLevel { head, left, node });

/// Writes a treedef as JAX's proto, as `PyTreeDef.serialize_using_proto` and byte for byte the same: nodes in
/// post-order, repeats written out, then each key once in the order of first use.
///
/// A leaf takes four bytes. One pass over the treedef, and what a repeat stands for is copied; keys are found by their
/// bits, at most each bit once. Takes 6 kB of stack; it is [`proto_into_with`] with [`MAX_DEPTH`] levels and
/// [`PROTO_KEYS`] keys.
///
/// # Errors
///
/// [`Error::Full`] says exactly how much is needed, at once also for a few bytes that stand for billions of leaves.
/// What JAX refuses is refused for the same reason at the same node, the first in post-order:
/// [`Error::UserDefinedNode`] for a node that is no leaf, `None`, tuple, list or plain dictionary,
/// [`Error::KeysNotStrings`]; [`Error::explain_at`] prints its key path. [`Error::TooDeep`], [`Error::KeysFull`];
/// [`Error::TooLarge`] for a key of half a gigabyte.
///
/// # Examples
///
/// ```
/// use treedef::{jax, treedef};
///
/// let mut bytes = [0; 32];
/// let proto = jax::proto_into(treedef!({"a": *, "b": [*]}), &mut bytes)?;
/// assert_eq!(
///     proto,
///     [
///         0x0A, 2, 0x10, 1, // leaf
///         0x0A, 2, 0x10, 1, // leaf
///         0x0A, 4, 0x08, 1, 0x10, 2, // list of one
///         0x0A, 10, 0x08, 2, 0x10, 5, 0x1A, 4, 0x0A, 2, 0, 1, // dictionary of two, its keys the strings 0 and 1
///         0x12, 1, b'a', 0x12, 1, b'b', // strings
///     ]
/// );
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn proto_into<'b>(def: TreeDef<'_>, bytes: &'b mut [u8]) -> Result<&'b [u8], Error> {
    let (mut levels, mut keys) = room();
    proto_into_with(def, &mut levels, &mut keys, bytes)
}

/// As [`proto_into`] with the caller's levels and keys, for trees of any depth with any number of keys.
///
/// # Errors
///
/// As [`proto_into`]; its [`Error::Full`] is exact, so an empty buffer measures.
///
/// # Examples
///
/// ```
/// use treedef::{jax, treedef, Error};
///
/// let mut levels = [jax::ProtoLevel::default(); 1];
/// let mut keys = [jax::ProtoKey::default(); 1];
/// let mut bytes = [0; 32];
/// let proto = jax::proto_into_with(treedef!({"a": *}), &mut levels, &mut keys, &mut bytes)?;
/// assert_eq!(proto.len(), 18);
/// let full = jax::proto_into_with(treedef!({"a": *, "b": *}), &mut levels, &mut keys, &mut bytes);
/// assert_eq!(full, Err(Error::KeysFull { needed: 2, room: 1 }));
/// # Ok::<(), Error>(())
/// ```
pub fn proto_into_with<'b>(
    def: TreeDef<'_>,
    levels: &mut [ProtoLevel],
    keys: &mut [ProtoKey],
    bytes: &'b mut [u8],
) -> Result<&'b [u8], Error> {
    let room = bytes.len();
    let out = write(def, levels, keys, bytes)?;
    let needed = out.needed();
    let bytes: &'b [u8] = out.bytes;
    bytes.get(..needed).ok_or(Error::Full { needed, room })
}

/// The exact length of what [`proto_into`] writes: `usize::MAX` where that does not fit.
///
/// Found in one pass over the treedef, without going through its repeats, and with as much stack.
///
/// # Errors
///
/// As [`proto_into`], but never [`Error::Full`].
///
/// # Examples
///
/// ```
/// use treedef::{TreeDef, jax};
///
/// let list = TreeDef::from_bytes(&[0x5F, 0xC8, 0x01, 0x1F, 0xC7, 0x01])?; // 359 leaves
/// assert_eq!(jax::proto_len(list), Ok(359 * 4 + 7));
/// # Ok::<(), treedef::DecodeError>(())
/// ```
pub fn proto_len(def: TreeDef<'_>) -> Result<usize, Error> {
    let (mut levels, mut keys) = room();
    Ok(write(def, &mut levels, &mut keys, &mut [])?.needed())
}

fn room() -> ([ProtoLevel; MAX_DEPTH as usize], [ProtoKey; PROTO_KEYS]) {
    ([ProtoLevel::default(); MAX_DEPTH as usize], [ProtoKey::default(); PROTO_KEYS])
}

/// Writes as much as fits and counts the rest.
fn write<'b>(
    def: TreeDef<'_>,
    levels: &mut [ProtoLevel],
    keys: &mut [ProtoKey],
    bytes: &'b mut [u8],
) -> Result<Output<'b>, Error> {
    let def = def.as_bytes();
    let mut names = Names::new(def, keys);
    let mut out = Output { bytes, len: 0 };
    let limit = u32::try_from(levels.len()).unwrap_or(u32::MAX);
    let (mut rest, mut depth, mut left, mut nodes) = (def, 0usize, 1u32, 0u32);
    while let Ok((item, after)) = read_item(rest) {
        let head = u32::try_from(def.len().saturating_sub(rest.len())).unwrap_or(u32::MAX);
        rest = after;
        match item {
            Item::Leaves(count) => {
                let start = out.len;
                out.node(LEAF, 0, 0);
                out.repeat(start, count.saturating_sub(1));
                left = left.saturating_sub(count);
                nodes = nodes.wrapping_add(count);
            }
            // Every repeat is read with its unit, below.
            Item::Same { .. } => break,
            Item::Node(node) => {
                left = left.saturating_sub(1);
                let level = ProtoLevel { start: out.len, head, left, node: nodes };
                *levels.get_mut(depth).ok_or(Error::TooDeep { limit })? = level;
                depth = depth.wrapping_add(1);
                nodes = nodes.wrapping_add(1);
                left = node.arity();
            }
        }
        while left == 0 {
            let Some(level) = depth.checked_sub(1).and_then(|top| levels.get(top)) else { break };
            close(def, level, &mut names, &mut out)?;
            depth = depth.wrapping_sub(1);
            left = level.left;
            if left > 0
                && let Ok((Item::Same { copies, .. }, after)) = read_item(rest)
            {
                rest = after;
                left = left.saturating_sub(copies);
                out.repeat(level.start, copies);
                nodes = nodes.wrapping_add(copies.wrapping_mul(nodes.wrapping_sub(level.node)));
            }
        }
    }
    for name in names.in_order() {
        out.field(STRINGS, name.len() as u64);
        out.put(name);
    }
    Ok(out)
}

/// Writes a node behind its children.
fn close(
    def: &[u8],
    level: &ProtoLevel,
    names: &mut Names<'_, '_>,
    out: &mut Output<'_>,
) -> Result<(), Error> {
    let node = level.node;
    let head = Head::trusted(def.get(level.head as usize..).unwrap_or(&[]));
    let kind = match (head.kind(), head.form()) {
        (Kind::None, _) => NONE,
        (Kind::List, _) => LIST,
        (Kind::Tuple, _) => TUPLE,
        (Kind::Dict, Some(Form::Str)) => DICT,
        (Kind::Dict, _) => return Err(Error::KeysNotStrings { node }),
        _ => return Err(Error::UserDefinedNode { node }),
    };
    let end = (level.head as usize).saturating_add(head.as_bytes().len());
    let mut ids = 0u64;
    each_id(&head, end, names, |id| ids = ids.saturating_add(varint_len(id)))?;
    out.node(kind, head.arity(), ids);
    if ids > 0 {
        each_id(&head, end, names, |id| out.varint(id))?;
    }
    Ok(())
}

/// Calls `take` with the id of each key of the head that ends at `end`.
fn each_id(
    head: &Head<'_>,
    end: usize,
    names: &mut Names<'_, '_>,
    mut take: impl FnMut(u64),
) -> Result<(), Error> {
    let mut keys = head.keys();
    loop {
        let at = end.saturating_sub(keys.rest().len());
        if keys.next().is_none() {
            return Ok(());
        }
        take(u64::from(names.id(at)?));
    }
}

/// The caller's bytes, and how many are needed so far.
struct Output<'b> {
    bytes: &'b mut [u8],
    len: u64,
}

impl Output<'_> {
    fn needed(&self) -> usize {
        usize::try_from(self.len).unwrap_or(usize::MAX)
    }

    /// The tag, the length and, but for the ids of its keys, the body of a node.
    fn node(&mut self, kind: u32, arity: u32, ids: u64) {
        let keys = ids.saturating_add(field_len(ids));
        let mut body = 2u64;
        if arity > 0 {
            body = body.saturating_add(field_len(arity.into()));
        }
        if ids > 0 {
            body = body.saturating_add(field_len(keys)).saturating_add(keys);
        }
        self.field(NODES, body);
        if arity > 0 {
            self.number(ARITY, arity);
        }
        self.number(TYPE, kind);
        if ids > 0 {
            self.field(DICT_KEYS, keys);
            self.field(STR_ID, ids);
        }
    }

    /// The tag and the length of a field that has one.
    fn field(&mut self, number: u32, len: u64) {
        self.varint(u64::from(number << 3 | 2));
        self.varint(len);
    }

    /// A field that is an integer.
    fn number(&mut self, number: u32, value: u32) {
        self.varint(u64::from(number << 3));
        self.varint(value.into());
    }

    fn varint(&mut self, mut value: u64) {
        loop {
            let [low, ..] = value.to_le_bytes();
            if value < 128 {
                return self.put(&[low]);
            }
            self.put(&[low | 128]);
            value >>= 7;
        }
    }

    fn put(&mut self, piece: &[u8]) {
        let free = usize::try_from(self.len).ok().and_then(|at| self.bytes.get_mut(at..));
        if let Some((target, _)) = free.and_then(|free| free.split_at_mut_checked(piece.len())) {
            target.copy_from_slice(piece);
        }
        self.len = self.len.saturating_add(piece.len() as u64);
    }

    /// Writes what stands behind `start` again, `copies` times; nothing if that does not fit.
    fn repeat(&mut self, start: u64, copies: u32) {
        let (from, mut at) = (start, self.len);
        let more = at.saturating_sub(from).saturating_mul(copies.into());
        self.len = at.saturating_add(more);
        if self.len > self.bytes.len() as u64 {
            return;
        }
        while let (Ok(start), Ok(end), Ok(left)) = (
            usize::try_from(from),
            usize::try_from(at),
            usize::try_from(self.len.saturating_sub(at)),
        ) && left > 0
        {
            let Some((before, free)) = self.bytes.split_at_mut_checked(end) else { return };
            // Whole copies only: both lengths are multiples of one.
            let written = before.get(start..).unwrap_or(&[]);
            let piece = written.get(..left).unwrap_or(written);
            let Some((target, _)) = free.split_at_mut_checked(piece.len()) else { return };
            target.copy_from_slice(piece);
            at = at.saturating_add(piece.len() as u64);
        }
    }
}

/// The bytes of a field's tag, which is below 128, and of a varint.
fn field_len(value: u64) -> u64 {
    varint_len(value).saturating_add(1)
}
