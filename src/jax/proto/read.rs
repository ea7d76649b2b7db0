//! Reads JAX's proto: post-order nodes are a structure.

use core::cmp::Ordering;

use super::fault::{ProtoError, ProtoErrorKind as Fault};
use super::table::{Node, ProtoNode, Table, Type, num_entries};
use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::encode::builder::Frame;
use crate::encode::measure::{Measure, Outer, short_of};
use crate::encode::shape::Shape;
use crate::encode::sink::{MAX_DEPTH, Sink, Writer};
use crate::encode::structure::Structure;
use crate::format::const_order::compare;
use crate::format::head::DICT;
use crate::format::heading::{Heading, ListOf, TupleOf, put_count};
use crate::format::value::put_run;
use crate::format::varint::{self, Varint};
use crate::treedef::treedef::TreeDef;

/// JAX's treedef proto, completely checked, as `PyTreeDef.deserialize_using_proto` reads it: a [`Structure`], so
/// everything that takes the structure of a tree takes it, as [`structure_into`](crate::structure_into),
/// [`structure_len`](crate::structure_len), [`matches`](crate::matches) and
/// [`Store::structure`](crate::Store::structure).
///
/// To describe itself takes one pass over the nodes, without recursion, and about 5 kB of stack; it folds the repeats
/// that a proto writes out. That is [`MAX_DEPTH`] levels, more is [`Error::TooDeep`] and needs
/// [`Proto::structure_into_with`].
///
/// # Examples
///
/// ```
/// use treedef::jax::{Proto, ProtoErrorKind, ProtoNode};
/// use treedef::{Error, matches, structure_into, treedef};
///
/// let pair = [0x0A, 2, 0x10, 1, 0x0A, 2, 0x10, 1, 0x0A, 4, 0x08, 2, 0x10, 4];
/// let mut nodes = [ProtoNode::default(); 8];
/// let proto = Proto::from_bytes(&pair, &mut nodes)?;
/// assert_eq!((proto.num_leaves(), proto.num_nodes()), (2, 3));
/// assert_eq!(matches(&proto, treedef!((*, *))), Ok(()));
/// let mut bytes = [0; 16];
/// assert_eq!(structure_into(&proto, &mut bytes).map(|def| def.as_bytes()), Ok(&[0x22, 1][..]));
///
/// // A leaf that announces a child: with these six bytes JAX 0.10 reads memory that is not its own.
/// let error = Proto::from_bytes(&[0x0A, 4, 0x08, 1, 0x10, 1], &mut nodes).unwrap_err();
/// assert_eq!((error.kind(), error.offset()), (ProtoErrorKind::Childless { found: 1 }, 0));
/// # Ok::<(), treedef::jax::ProtoError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Proto<'a> {
    table: Table<'a>,
    leaves: u32,
    nodes: u32,
}

debug_struct!([] Proto<'_> { leaves, nodes });

impl<'a> Proto<'a> {
    /// Reads a proto and checks all of it; nothing is copied.
    ///
    /// The front and the end of `nodes`, [`Proto::nodes_len`] entries of 12 bytes, hold how the nodes hang together and
    /// where the strings stand. Two passes, without recursion: the time is linear in the proto and in the keys of all
    /// its dictionaries, a key counted as often as it is used.
    ///
    /// As every reader of protocol buffers it skips unknown fields and takes fields in any order, overlong integers and
    /// strings that nothing uses.
    ///
    /// `DIFFERENCE`: JAX checks the node types and the range of the keys alone. A leaf with children ends the process;
    /// a missing or second root, too few children, or keys that are missing, equal or out of order make an object that
    /// fails later or compares wrong. Here each is an error, and so are keys on another node than a dictionary, which
    /// JAX drops.
    ///
    /// # Errors
    ///
    /// [`ProtoError`] says what is wrong and at which byte; [`ProtoErrorKind::NodesFull`](Fault::NodesFull) how many
    /// nodes are needed.
    pub fn from_bytes(proto: &'a [u8], nodes: &'a mut [ProtoNode]) -> Result<Self, ProtoError> {
        let table = Table::new(proto, nodes)?;
        let (mut leaves, nodes) = (0u32, table.root());
        for number in 1..=nodes {
            let (Some(node), Some(links)) = (table.node(number), table.links(number)) else {
                break;
            };
            sorted(&table, node).map_err(|kind| ProtoError::new(kind, links.at as usize))?;
            leaves = leaves.saturating_add(u32::from(node.kind == Type::Leaf));
        }
        Ok(Self { table, leaves, nodes })
    }

    /// The nodes and strings of a proto: the length of the slice that [`Proto::from_bytes`] takes.
    ///
    /// Found in one pass that checks each field.
    ///
    /// # Errors
    ///
    /// What is wrong with the wire or with a node alone.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::jax::Proto;
    ///
    /// let pair = [0x0A, 2, 0x10, 1, 0x0A, 2, 0x10, 1, 0x0A, 4, 0x08, 2, 0x10, 4];
    /// assert_eq!(Proto::nodes_len(&pair), Ok(3));
    /// ```
    pub fn nodes_len(proto: &[u8]) -> Result<usize, ProtoError> {
        num_entries(proto)
    }

    /// The number of leaves.
    pub const fn num_leaves(&self) -> usize {
        self.leaves as usize
    }

    /// The number of nodes, leaves and `None` included.
    pub const fn num_nodes(&self) -> usize {
        self.nodes as usize
    }

    /// As [`structure_into`](crate::structure_into) with the caller's frames, for trees of any depth.
    ///
    /// # Errors
    ///
    /// [`Error::Full`] with the exact number of bytes needed, so that an empty buffer measures; [`Error::TooDeep`]
    /// where the tree is deeper than there are frames; [`Error::TooLarge`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Error;
    /// use treedef::jax::{Proto, ProtoFrame, ProtoNode};
    ///
    /// // ((*, *), (*, *)): while the second pair is still to be folded it takes two bytes as well
    /// let pair = [0x0A, 2, 0x10, 1, 0x0A, 2, 0x10, 1, 0x0A, 4, 0x08, 2, 0x10, 4];
    /// let pairs = [&pair[..], &pair, &pair[8..]].concat();
    /// let (mut nodes, mut frames) = ([ProtoNode::default(); 7], [ProtoFrame::default(); 2]);
    /// let proto = Proto::from_bytes(&pairs, &mut nodes)?;
    /// let full = proto.structure_into_with(&mut frames, &mut []);
    /// assert_eq!(full, Err(Error::Full { needed: 5, room: 0 }));
    /// let mut bytes = [0; 5];
    /// let def = proto.structure_into_with(&mut frames, &mut bytes);
    /// assert_eq!(def.map(|def| def.as_bytes()), Ok(&[0x22, 0x22, 0x01, 0xA0, 0x02][..]));
    /// # Ok::<(), treedef::jax::ProtoError>(())
    /// ```
    pub fn structure_into_with<'b>(
        &self,
        frames: &mut [ProtoFrame],
        bytes: &'b mut [u8],
    ) -> Result<TreeDef<'b>, Error> {
        let room = bytes.len();
        let mut writer = Writer::new(bytes, u32::MAX);
        match walk(&self.table, frames, &mut writer) {
            Ok(()) => writer.builder.finish(),
            Err(Error::Full { .. }) => {
                let mut measure = Measure::new(u32::MAX);
                walk(&self.table, frames, &mut measure)?;
                Err(short_of(measure.finish().0, room))
            }
            Err(error) => Err(error),
        }
    }
}

impl Structure for Proto<'_> {
    const SHAPE: &'static Shape = &Shape::Varies;
    const NULLABLE: bool = true;

    fn describe<S: Sink>(&self, sink: &mut S) -> Result<(), Error> {
        walk(&self.table, &mut [const { None }; MAX_DEPTH as usize], sink)
    }

    fn num_leaves(&self) -> Result<usize, Error> {
        Ok(self.leaves as usize)
    }
}

/// One open node while a proto is told: 80 bytes on a 64-bit machine.
///
/// [`Proto::structure_into_with`] takes a slice of them, at most as many as the tree is deep; `ProtoFrame::default()`
/// fills it.
#[derive(Clone, Copy, Default)]
pub struct ProtoFrame {
    number: u32,
    frame: Held,
}

debug_struct!([] ProtoFrame { number });

/// The frame of one of the sinks that [`Proto::structure_into_with`] uses.
#[derive(Clone, Copy, Default)]
enum Held {
    #[default]
    Nothing,
    Written(Frame),
    Measured(Outer),
}

/// Where an open node is kept: its number and what the sink gave for it.
trait Level<F> {
    fn put(&mut self, number: u32, frame: F);
    fn take(&mut self) -> Option<(u32, F)>;
}

impl<F> Level<F> for Option<(u32, F)> {
    fn put(&mut self, number: u32, frame: F) {
        *self = Some((number, frame));
    }

    fn take(&mut self) -> Self {
        self.take()
    }
}

impl Level<Frame> for ProtoFrame {
    fn put(&mut self, number: u32, frame: Frame) {
        *self = Self { number, frame: Held::Written(frame) };
    }

    fn take(&mut self) -> Option<(u32, Frame)> {
        if let Held::Written(frame) = self.frame { Some((self.number, frame)) } else { None }
    }
}

impl Level<Outer> for ProtoFrame {
    fn put(&mut self, number: u32, frame: Outer) {
        *self = Self { number, frame: Held::Measured(frame) };
    }

    fn take(&mut self) -> Option<(u32, Outer)> {
        if let Held::Measured(frame) = self.frame { Some((self.number, frame)) } else { None }
    }
}

/// Tells a sink the nodes in preorder.
fn walk<S: Sink>(
    table: &Table<'_>,
    levels: &mut [impl Level<S::Frame>],
    sink: &mut S,
) -> Result<(), Error> {
    let limit = u32::try_from(levels.len()).unwrap_or(u32::MAX);
    let (mut number, mut depth) = (table.root(), 0usize);
    while let (Some(node), Some(mut links)) = (table.node(number), table.links(number)) {
        let begun = match node.kind {
            Type::Leaf => sink.leaves(1).map(|()| None),
            Type::None => sink.none().map(|()| None),
            Type::List => sink.begin(&ListOf(node.arity as usize)).map(Some),
            Type::Tuple => sink.begin(&TupleOf(node.arity as usize)).map(Some),
            Type::Dict => sink.begin(&Keyed::new(table, node)).map(Some),
        };
        if let Some(frame) = begun? {
            if links.first != 0 {
                levels.get_mut(depth).ok_or(Error::TooDeep { limit })?.put(number, frame);
                depth = depth.wrapping_add(1);
                number = links.first;
                continue;
            }
            sink.end(frame)?;
        }
        while links.next == 0 {
            let Some(up) = depth.checked_sub(1) else { return Ok(()) };
            let Some((parent, frame)) = levels.get_mut(up).and_then(Level::take) else {
                return Ok(());
            };
            sink.end(frame)?;
            let Some(above) = table.links(parent) else { return Ok(()) };
            (links, depth) = (above, up);
        }
        number = links.next;
    }
    Ok(())
}

/// Sees that the keys of a dictionary are strings of the proto, in sorted order.
fn sorted(table: &Table<'_>, node: Node<'_>) -> Result<(), Fault> {
    let (mut before, mut first): (Option<&str>, _) = (None, 0u32);
    for id in node.keys {
        let Some(key) = table.string(id) else { return Err(Fault::KeyOutOfRange { id }) };
        if let Some(before) = before {
            let second = first.wrapping_add(1);
            match compare(before.as_bytes(), key.as_bytes()) {
                Ordering::Less => first = second,
                Ordering::Equal => return Err(Fault::DuplicateKey { first, second }),
                Ordering::Greater => return Err(Fault::KeyOrder { first, second }),
            }
        }
        before = Some(key);
    }
    Ok(())
}

/// The head of a dictionary whose keys were seen to be strings in sorted order.
struct Keyed<'a, 't> {
    table: &'t Table<'a>,
    node: Node<'a>,
    /// The bytes of its block.
    block: u64,
}

impl<'a, 't> Keyed<'a, 't> {
    fn new(table: &'t Table<'a>, node: Node<'a>) -> Self {
        let keys = node.keys.filter_map(|id| table.string(id));
        let block = keys.fold(0u64, |block, key| {
            let len = key.len() as u64;
            block.saturating_add(len).saturating_add(varint::len(len) as u64)
        });
        Self { table, node, block }
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
