//! Treedef bytes judged by the canonical rules as they are written down, and read back into a plain tree.

use super::def::{ChildKey, Def, Keys};
use super::value::Value;
use super::wire::Reader;
use std::cmp::Ordering;

/// More nodes than this are not expanded by [`decode`].
pub const MOST_NODES: u64 = 1 << 20;

/// Leaves and nodes of a structure, copies counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Leaves.
    pub leaves: u64,
    /// Nodes, leaves included.
    pub nodes: u64,
}

/// Reads bytes that are exactly one treedef in its canonical spelling.
///
/// # Errors
/// What is wrong with the bytes, or that the structure has more than [`MOST_NODES`] nodes.
pub fn decode(bytes: &[u8]) -> Result<Def, String> {
    if validate(bytes)?.nodes > MOST_NODES {
        return Err("too large to write out".into());
    }
    Ok(Node::read(&mut Reader(bytes))?.expand())
}

/// Judges bytes by the rules alone, without writing a copy out.
///
/// # Errors
/// What is wrong with the bytes.
pub fn validate(bytes: &[u8]) -> Result<Counts, String> {
    within_limit(bytes.len() as u128, "bytes")?;
    let mut rest = Reader(bytes);
    let root = Node::read(&mut rest)?;
    if !rest.0.is_empty() {
        return Err("bytes after the root".into());
    }
    root.check()
}

/// Reads what the bytes spell by the grammar alone, canonical or not; for the check that the rules are complete.
///
/// # Errors
/// What is wrong with the bytes, or that the structure has more than [`MOST_NODES`] nodes.
pub fn decode_any_spelling(bytes: &[u8]) -> Result<Def, String> {
    let mut rest = Reader(bytes);
    let root = Node::read(&mut rest)?;
    if !rest.0.is_empty() {
        return Err("bytes after the root".into());
    }
    if root.size() > u128::from(MOST_NODES) {
        return Err("too large to write out".into());
    }
    Ok(root.expand())
}

/// A node as it is spelled.
struct Node<'a> {
    /// All bytes of it.
    bytes: &'a [u8],
    /// The node without its children.
    shape: Def,
    /// How the children are spelled.
    items: Vec<Item<'a>>,
}

/// One item of a list of children.
enum Item<'a> {
    /// Adjacent leaves.
    Leaves(u64),
    /// A node that is no leaf.
    Node(Node<'a>),
    /// More copies of the item before, and the leaves said to be in one.
    Same { copies: u64, leaves: u64 },
}

impl<'a> Node<'a> {
    /// Reads a node. The one leaf of a root reads as a node, too.
    fn read(from: &mut Reader<'a>) -> Result<Self, String> {
        let start = from.0;
        let (shape, n) = read_shape(from)?;
        let mut items = Vec::new();
        let mut missing = n;
        while missing > 0 {
            let item = Item::read(from)?;
            let described = match item {
                Item::Leaves(n) => n,
                Item::Node(_) => 1,
                Item::Same { copies, .. } => copies,
            };
            missing = missing.checked_sub(described).ok_or("more children than the head says")?;
            items.push(item);
        }
        Ok(Self { bytes: &start[..start.len() - from.0.len()], shape, items })
    }

    /// Applies the rules to the children, then to theirs, and counts.
    fn check(&self) -> Result<Counts, String> {
        if self.shape == Def::Leaf {
            return Ok(Counts { leaves: 1, nodes: 1 });
        }
        let (mut leaves, mut nodes) = (0u128, 1u128);
        // The unit that the next item may repeat, and whether that item stands directly after it.
        let mut unit: Option<(&Node, Counts)> = None;
        let mut before: Option<&Item> = None;
        for item in &self.items {
            match item {
                Item::Leaves(n) => {
                    if matches!(before, Some(Item::Leaves(_))) {
                        return Err("leaves beside leaves".into());
                    }
                    leaves += u128::from(*n);
                    nodes += u128::from(*n);
                    unit = None;
                }
                Item::Node(node) => {
                    if unit.is_some_and(|(unit, _)| unit.bytes == node.bytes) {
                        return Err("a copy that is written out".into());
                    }
                    let counts = node.check()?;
                    leaves += u128::from(counts.leaves);
                    nodes += u128::from(counts.nodes);
                    unit = (counts.leaves > 0).then_some((node, counts));
                }
                Item::Same { copies, leaves: said } => {
                    let (Some((_, counts)), Some(Item::Node(_))) = (unit, before) else {
                        return Err("copies of what is no unit".into());
                    };
                    if counts.leaves != *said {
                        return Err("a wrong leaf count of a copy".into());
                    }
                    leaves += u128::from(*copies) * u128::from(counts.leaves);
                    nodes += u128::from(*copies) * u128::from(counts.nodes);
                }
            }
            before = Some(item);
        }
        Ok(Counts { leaves: within_limit(leaves, "leaves")?, nodes: within_limit(nodes, "nodes")? })
    }

    /// How many nodes [`Node::expand`] would make, as far as that can be counted.
    fn size(&self) -> u128 {
        let (mut sum, mut last) = (1u128, 1);
        for item in &self.items {
            let (times, size) = match item {
                Item::Leaves(n) => (*n, 1),
                Item::Node(node) => (1, node.size()),
                Item::Same { copies, .. } => (*copies, last),
            };
            last = size;
            sum = sum.saturating_add(size.saturating_mul(times.into()));
        }
        sum
    }

    /// The structure with every copy written out.
    fn expand(self) -> Def {
        let mut children = Vec::new();
        for item in self.items {
            match item {
                Item::Leaves(n) => children.extend((0..n).map(|_| Def::Leaf)),
                Item::Node(node) => children.push(node.expand()),
                Item::Same { copies, .. } => {
                    let last = children.last().cloned();
                    (0..copies).for_each(|_| children.extend(last.clone()));
                }
            }
        }
        self.shape.with_children(children)
    }
}

impl<'a> Item<'a> {
    /// Reads an item.
    fn read(from: &mut Reader<'a>) -> Result<Self, String> {
        match from.0.first().map(|head| head >> 5) {
            Some(0) => Ok(Self::Leaves(read_count(from)? + 1)),
            Some(5) => Ok(Self::Same { copies: read_count(from)? + 1, leaves: from.count()? }),
            _ => Node::read(from).map(Self::Node),
        }
    }
}

impl Def {
    /// This node with other children.
    pub fn with_children(mut self, new: Vec<Def>) -> Self {
        match &mut self {
            Self::Leaf | Self::None => {}
            // A spelling that repeats what is not there leaves the child that the shape came with.
            Self::Some(child) => new.into_iter().for_each(|new| **child = new),
            Self::Tuple(children)
            | Self::List(children)
            | Self::Dict { children, .. }
            | Self::OrderedDict { children, .. }
            | Self::DefaultDict { children, .. }
            | Self::NamedTuple { children, .. }
            | Self::Struct { children, .. }
            | Self::Custom { children, .. } => *children = new,
        }
        self
    }
}

/// A number that the format bounds by 32 bits.
fn within_limit(n: u128, what: &str) -> Result<u64, String> {
    if n > u128::from(u32::MAX) { Err(format!("too many {what}")) } else { Ok(n as u64) }
}

/// Reads a head byte and the rest of its count.
fn read_count(from: &mut Reader) -> Result<u64, String> {
    let low = u64::from(from.byte()? & 31);
    let count = if low == 31 { 31 + from.count()? } else { low };
    within_limit(count.into(), "children")
}

/// Reads head and block of a node: the node without children, and how many it has.
fn read_shape(from: &mut Reader) -> Result<(Def, u64), String> {
    let head = *from.0.first().ok_or("the bytes end early")?;
    let (kind, subkind) = (head >> 5, head & 31);
    let n = match (kind, subkind) {
        (6, 0) => return from.byte().map(|_| (Def::None, 0)),
        (6, 1..=11) => {
            from.byte()?;
            from.count()?
        }
        (6, _) => return Err(format!("no kind has the subkind {subkind}")),
        (0, 0) => return from.byte().map(|_| (Def::Leaf, 0)),
        (1..=4, _) => read_count(from)?,
        _ => return Err(format!("no node has the kind {kind}")),
    };
    match kind {
        1 => return Ok((Def::Tuple(Vec::new()), n)),
        2 => return Ok((Def::List(Vec::new()), n)),
        _ => {}
    }
    let block = &mut Reader(from.bytes()?);
    let children = Vec::new();
    let shape = match (kind, subkind) {
        (3, _) => Def::Dict { keys: sorted(read_keys(block, n, 0)?)?, children },
        (4, _) => {
            let name = block.string()?;
            let fields = read_strings(block, n)?;
            let mut meta = Vec::new();
            while !block.0.is_empty() {
                meta.push((block.string()?, Value::read(block)?));
            }
            Def::Struct { name, fields, meta, children }
        }
        (_, 1) if n == 1 => Def::Some(Box::new(Def::Leaf)),
        (_, 1) => return Err("a Some has one child".into()),
        (_, 2..=3) => Def::Dict { keys: sorted(read_keys(block, n, subkind - 1)?)?, children },
        (_, 4..=6) => Def::OrderedDict { keys: read_keys(block, n, subkind - 4)?, children },
        (_, 7..=9) => {
            let factory = block.string()?;
            Def::DefaultDict { factory, keys: sorted(read_keys(block, n, subkind - 7)?)?, children }
        }
        (_, 10) => {
            Def::NamedTuple { name: block.string()?, fields: read_strings(block, n)?, children }
        }
        _ => {
            let (name, aux) = (block.string()?, Value::read(block)?);
            let child_keys = match block.0 {
                [] => None,
                _ => Some((0..n).map(|_| read_child_key(block)).collect::<Result<_, _>>()?),
            };
            Def::Custom { name, aux, child_keys, children }
        }
    };
    if block.0.is_empty() { Ok((shape, n)) } else { Err("bytes left in a block".into()) }
}

/// Reads `n` strings.
fn read_strings(block: &mut Reader, n: u64) -> Result<Vec<String>, String> {
    (0..n).map(|_| block.string()).collect()
}

/// Reads `n` keys of a form; a form that they need not have is an error.
fn read_keys(block: &mut Reader, n: u64, form: u8) -> Result<Keys, String> {
    let keys = match form {
        0 => Keys::Str(read_strings(block, n)?),
        1 => Keys::Int((0..n).map(|_| block.zigzag()).collect::<Result<_, _>>()?),
        _ => Keys::Typed((0..n).map(|_| Value::read(block)).collect::<Result<_, _>>()?),
    };
    if keys == Keys::new(keys.values()) { Ok(keys) } else { Err("keys have a shorter form".into()) }
}

/// Passes keys on that stand in Python's order.
fn sorted(keys: Keys) -> Result<Keys, String> {
    let ordered = |pair: &[Value]| pair[0].python_cmp(&pair[1]) == Some(Ordering::Less);
    if keys.values().windows(2).all(ordered) { Ok(keys) } else { Err("keys out of order".into()) }
}

/// Reads what a custom node calls a child.
fn read_child_key(block: &mut Reader) -> Result<ChildKey, String> {
    Ok(match block.byte()? {
        0 => ChildKey::Attr(block.string()?),
        1 => ChildKey::Dict(Value::read(block)?),
        2 => ChildKey::Seq(block.count()? as u32),
        3 => ChildKey::Raw(block.string()?),
        kind => return Err(format!("no child key has the kind {kind}")),
    })
}
