//! Reads JAX's proto: post-order nodes become a treedef.

use core::cmp::Ordering;

use super::fault::{ProtoError, ProtoErrorKind as Fault};
use super::table::{Node, ProtoNode, Table, Type};
use crate::builder::Frame;
use crate::error::Error;
use crate::head::DICT;
use crate::heading::{Heading, ListOf, TupleOf, put_count};
use crate::measure::{Measure, Outer};
use crate::order::compare;
use crate::show::debug_struct;
use crate::sink::{MAX_DEPTH, Sink, Writer};
use crate::treedef::TreeDef;
use crate::value::put_run;
use crate::varint::{self, Varint};

/// One open node while a proto is read: 80 bytes on a 64-bit machine.
///
/// [`treedef_from_proto_with`] takes a slice of them, at most as many as the tree is deep; `ProtoFrame::default()`
/// fills it.
#[derive(Clone, Copy, Default)]
pub struct ProtoFrame {
    number: u32,
    frame: Held,
}

debug_struct!([] ProtoFrame { number });

/// The frame of one of the sinks.
#[derive(Clone, Copy, Default)]
enum Held {
    #[default]
    Nothing,
    Written(Frame),
    Measured(Outer),
}

/// Reads a treedef from JAX's proto into `bytes`, as `PyTreeDef.deserialize_using_proto`; repeats are folded.
///
/// `nodes` is scratch, [`proto_nodes_len`](super::proto_nodes_len) entries of 12 bytes; the bytes hold the treedef and
/// one more unit of each nested repeat that is open at once, [`treedef_from_proto_len`] says how many. Two passes over
/// the proto, without recursion: the time is linear in the proto and in the treedef with its repeats written out.
/// It takes 5 kB of stack; it is [`treedef_from_proto_with`] with [`MAX_DEPTH`] frames.
///
/// As every reader of protocol buffers it skips unknown fields and takes fields in any order, overlong integers and
/// strings that nothing uses.
///
/// `DIFFERENCE`: JAX checks the node types and the range of the keys alone. A leaf with children ends the process;
/// a missing or second root, too few children, or keys that are missing, equal or out of order make an object that
/// fails later or compares wrong. Here each is an error, and so are keys on another node than a dictionary, which JAX
/// drops.
///
/// # Errors
///
/// [`ProtoError`] says what is wrong and at which byte.
///
/// # Examples
///
/// ```
/// use treedef::jax::{self, ProtoErrorKind, ProtoNode};
///
/// let (mut nodes, mut bytes) = ([ProtoNode::default(); 8], [0; 16]);
/// let pair = [0x0A, 2, 0x10, 1, 0x0A, 2, 0x10, 1, 0x0A, 4, 0x08, 2, 0x10, 4];
/// let def = jax::treedef_from_proto(&pair, &mut nodes, &mut bytes)?;
/// assert_eq!(def.to_string(), "PyTreeDef((*, *))");
///
/// // A leaf that announces a child: with these six bytes JAX 0.10 reads memory that is not its own.
/// let error = jax::treedef_from_proto(&[0x0A, 4, 0x08, 1, 0x10, 1], &mut nodes, &mut bytes).unwrap_err();
/// assert_eq!(error.kind(), ProtoErrorKind::Childless { found: 1 });
/// # Ok::<(), jax::ProtoError>(())
/// ```
pub fn treedef_from_proto<'b>(
    proto: &[u8],
    nodes: &mut [ProtoNode],
    bytes: &'b mut [u8],
) -> Result<TreeDef<'b>, ProtoError> {
    treedef_from_proto_with(proto, nodes, &mut frames(), bytes)
}

/// As [`treedef_from_proto`] with the caller's frames, for trees of any depth.
///
/// # Errors
///
/// As [`treedef_from_proto`].
pub fn treedef_from_proto_with<'b>(
    proto: &[u8],
    nodes: &mut [ProtoNode],
    frames: &mut [ProtoFrame],
    bytes: &'b mut [u8],
) -> Result<TreeDef<'b>, ProtoError> {
    let table = Table::new(proto, nodes)?;
    let mut writer = Writer::new(bytes, u32::MAX);
    describe(&table, frames, &mut writer)?;
    writer.builder.finish().map_err(|error| refused(error, 0))
}

/// The exact number of bytes that [`treedef_from_proto`] needs.
///
/// It takes as long as that, and as much stack.
///
/// # Errors
///
/// As [`treedef_from_proto`], but never [`ProtoErrorKind::Full`](Fault::Full).
///
/// # Examples
///
/// ```
/// use treedef::jax::{self, ProtoNode};
///
/// // ((*, *), (*, *)): while the second pair is still to be folded it takes two bytes as well
/// let pair = [0x0A, 2, 0x10, 1, 0x0A, 2, 0x10, 1, 0x0A, 4, 0x08, 2, 0x10, 4];
/// let mut proto = [0; 34];
/// proto[..14].copy_from_slice(&pair);
/// proto[14..28].copy_from_slice(&pair);
/// proto[28..].copy_from_slice(&[0x0A, 4, 0x08, 2, 0x10, 4]);
/// assert_eq!(jax::treedef_from_proto_len(&proto, &mut [ProtoNode::default(); 7]), Ok(5));
/// ```
pub fn treedef_from_proto_len(proto: &[u8], nodes: &mut [ProtoNode]) -> Result<usize, ProtoError> {
    treedef_from_proto_len_with(proto, nodes, &mut frames())
}

/// As [`treedef_from_proto_len`] with the caller's frames.
///
/// # Errors
///
/// As [`treedef_from_proto_len`].
pub fn treedef_from_proto_len_with(
    proto: &[u8],
    nodes: &mut [ProtoNode],
    frames: &mut [ProtoFrame],
) -> Result<usize, ProtoError> {
    let table = Table::new(proto, nodes)?;
    let mut measure = Measure::new(u32::MAX);
    describe(&table, frames, &mut measure)?;
    let (peak, _) = measure.finish();
    Ok(peak)
}

fn frames() -> [ProtoFrame; MAX_DEPTH as usize] {
    [ProtoFrame::default(); MAX_DEPTH as usize]
}

/// A sink whose frames stand in the caller's slice.
trait Hold: Sink {
    fn hold(frame: Self::Frame) -> Held;
    fn release(held: Held) -> Option<Self::Frame>;
}

impl Hold for Writer<'_> {
    fn hold(frame: Frame) -> Held {
        Held::Written(frame)
    }

    fn release(held: Held) -> Option<Frame> {
        if let Held::Written(frame) = held { Some(frame) } else { None }
    }
}

impl Hold for Measure {
    fn hold(frame: Outer) -> Held {
        Held::Measured(frame)
    }

    fn release(held: Held) -> Option<Outer> {
        if let Held::Measured(frame) = held { Some(frame) } else { None }
    }
}

/// Tells a sink the nodes in preorder.
fn describe<S: Hold>(
    table: &Table<'_, '_>,
    frames: &mut [ProtoFrame],
    sink: &mut S,
) -> Result<(), ProtoError> {
    let limit = u32::try_from(frames.len()).unwrap_or(u32::MAX);
    let (mut number, mut depth) = (table.root(), 0usize);
    while let (Some(node), Some(mut links)) = (table.node(number), table.links(number)) {
        let at = links.at;
        let begun = match node.kind {
            Type::Leaf => sink.leaves(1).map(|()| None),
            Type::None => sink.none().map(|()| None),
            Type::List => sink.begin(&ListOf(node.arity as usize)).map(Some),
            Type::Tuple => sink.begin(&TupleOf(node.arity as usize)).map(Some),
            Type::Dict => sink.begin(&Keyed::new(table, node, at)?).map(Some),
        };
        if let Some(frame) = begun.map_err(|error| refused(error, at))? {
            if links.first != 0 {
                let level = frames.get_mut(depth);
                let deep = ProtoError::new(Fault::TooDeep { limit }, at as usize);
                *level.ok_or(deep)? = ProtoFrame { number, frame: S::hold(frame) };
                depth = depth.wrapping_add(1);
                number = links.first;
                continue;
            }
            sink.end(frame).map_err(|error| refused(error, at))?;
        }
        while links.next == 0 {
            let Some(up) = depth.checked_sub(1) else { return Ok(()) };
            let Some(level) = frames.get(up) else { return Ok(()) };
            let Some(frame) = S::release(level.frame) else { return Ok(()) };
            let Some(parent) = table.links(level.number) else { return Ok(()) };
            sink.end(frame).map_err(|error| refused(error, parent.at))?;
            (links, depth) = (parent, up);
        }
        number = links.next;
    }
    Ok(())
}

/// The head of a dictionary whose keys were seen to be strings in sorted order.
struct Keyed<'a, 't> {
    table: &'t Table<'a, 't>,
    node: Node<'a>,
    /// The bytes of its block.
    block: u64,
}

impl<'a, 't> Keyed<'a, 't> {
    fn new(table: &'t Table<'a, 't>, node: Node<'a>, at: u32) -> Result<Self, ProtoError> {
        let (mut before, mut first, mut block): (Option<&str>, _, _) = (None, 0u32, 0u64);
        for id in node.keys {
            let fail = |kind| Err(ProtoError::new(kind, at as usize));
            let Some(key) = table.string(id) else { return fail(Fault::KeyOutOfRange { id }) };
            if let Some(before) = before {
                let second = first.wrapping_add(1);
                match compare(before.as_bytes(), key.as_bytes()) {
                    Ordering::Less => first = second,
                    Ordering::Equal => return fail(Fault::DuplicateKey { first, second }),
                    Ordering::Greater => return fail(Fault::KeyOrder { first, second }),
                }
            }
            before = Some(key);
            let len = key.len() as u64;
            block = block.saturating_add(len).saturating_add(varint::len(len) as u64);
        }
        Ok(Self { table, node, block })
    }
}

impl Heading for Keyed<'_, '_> {
    fn arity(&self) -> usize {
        self.node.arity as usize
    }

    fn check(&self) -> Result<(), Error> {
        Ok(())
    }

    fn pieces<E>(&self, put: &mut impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        put_count(DICT, self.arity(), put)?;
        put(Varint::new(self.block).as_bytes())?;
        let mut keys = self.node.keys.filter_map(|id| self.table.string(id));
        keys.try_for_each(|key| put_run(key.as_bytes(), put))
    }
}

/// What a sink says about the node at this offset.
fn refused(error: Error, at: u32) -> ProtoError {
    let kind = match error {
        Error::Full { needed, room } => Fault::Full { needed, room },
        // The other errors of a sink cannot come from a table.
        _ => Fault::TooLarge,
    };
    ProtoError::new(kind, at as usize)
}
