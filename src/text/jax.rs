//! Writes the text of a treedef as JAX prints it.
//!
//! One stack frame has room for [`SEGMENT`] open nodes. For deeper nodes the walk calls itself, down to
//! [`MAX_TEXT_DEPTH`], so the stack grows with the depth of the tree and is bounded.

use core::fmt::{self, Write};

use super::repr::{close_tuple, repr, short_name, text, tuple};
use crate::format::entry::{Entries, KeyEntry};
use crate::format::head::{Head, Kind};
use crate::treedef::preorder::{Event, Keys, Preorder};
use crate::treedef::treedef::TreeDef;

/// Prints the text of `str(jax.tree.structure(tree))`, character by character.
///
/// Of a type name only the part after the last `::` is printed. `DIFFERENCE`: JAX has no `Some(..)`, and a node with
/// children below [`MAX_TEXT_DEPTH`](crate::text::MAX_TEXT_DEPTH) prints `…`. Takes 32 bytes of stack for each level of
/// the tree.
///
/// As in JAX, every copy of a node is written. For bytes from an untrusted source that can be gigabytes: log such a
/// treedef by `{:?}`, which writes each repeat once.
///
/// # Examples
///
/// ```
/// use core::fmt::Write;
/// use treedef::{Value, Writer, head};
///
/// let meta = [("dt", Value::Float(0.01))];
/// let pid = head::Struct { name: "control::Pid", fields: &["kp", "ki"], meta: &meta };
/// let mut bytes = [0; 128];
/// let mut out = Writer::new(&mut bytes);
/// out.node(&head::List(3), |out| {
///     out.node(&pid, |out| out.leaves(2));
///     out.node(&pid, |out| out.leaves(2));
///     out.leaves(1);
/// });
/// let def = out.finish()?;
///
/// let mut text = heapless::String::<256>::new();
/// write!(text, "{def}")?;
/// assert_eq!(text, "PyTreeDef([CustomNode(Pid[(0.01,)], [*, *]), CustomNode(Pid[(0.01,)], [*, *]), *])");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
impl fmt::Display for TreeDef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        jax(f, *self, false)
    }
}

/// Prints the text of `Display`, but writes each repeat once, so that the length is at most proportional to the bytes.
///
/// More than eight adjacent leaves, or more than one adjacent equal node with children, are written once, after their
/// number. In a dictionary such nodes are written once, after all their keys.
///
/// # Examples
///
/// ```
/// use treedef::{TreeDef, treedef};
///
/// let def = treedef!([(*, *), (*, *), (*, *), *, *]);
/// assert_eq!(format!("{def:?}"), "PyTreeDef([3 × (*, *), *, *])");
/// let def = treedef!({"b": *, "w": (*, *), "x": (*, *)});
/// assert_eq!(format!("{def:?}"), "PyTreeDef({'b': *, 'w', 'x': (*, *)})");
/// // A list of 359 leaves.
/// let def = TreeDef::from_bytes(&[0x5F, 0xC8, 0x01, 0x1F, 0xC7, 0x01])?;
/// assert_eq!(format!("{def:?}"), "PyTreeDef([359 × *])");
/// # Ok::<(), treedef::DecodeError>(())
/// ```
impl fmt::Debug for TreeDef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        jax(f, *self, true)
    }
}

/// Writes JAX's text. With `keep_runs` repeats are written once.
fn jax(f: &mut dyn Write, def: TreeDef<'_>, keep_runs: bool) -> fmt::Result {
    f.write_str("PyTreeDef(")?;
    Jax { f, keep_runs }.segment(&mut Preorder::new(def), 0)?;
    f.write_char(')')
}

/// Texts of treedefs are exact down to this depth; a node with children below it is written `…`.
///
/// JAX itself cannot flatten trees that are nested deeper than about 1000.
pub const MAX_TEXT_DEPTH: usize = 1024;

/// The number of open nodes in one stack frame, of 24 bytes each.
const SEGMENT: usize = 32;

type Nodes<'a> = Preorder<'a, Keys, SEGMENT>;

/// Writes the text between `PyTreeDef(` and `)`.
struct Jax<'f> {
    f: &'f mut dyn Write,
    keep_runs: bool,
}

impl Jax<'_> {
    /// Writes all nodes of the walk `nodes`, which begins `depth` levels below the root.
    fn segment(&mut self, nodes: &mut Nodes<'_>, depth: usize) -> fmt::Result {
        while let Some((head, keys)) = self.nodes(nodes, depth)? {
            let mut inner = nodes.inside(&head, keys);
            self.segment(&mut inner, depth.saturating_add(SEGMENT))?;
            nodes.after(&inner);
        }
        Ok(())
    }

    /// Writes nodes, up to the beginning of one for whose children there is no room here; returns that node, or `None` at the
    /// end.
    ///
    /// The cost of a child is constant in addition to its bytes, however many keys precede its own.
    #[inline(never)]
    fn nodes<'a>(
        &mut self,
        nodes: &mut Nodes<'a>,
        depth: usize,
    ) -> Result<Option<(Head<'a>, Keys)>, fmt::Error> {
        while let Some((event, count)) = nodes.next_run(self.keep_runs) {
            let head = match event {
                Event::Enter(head) => head,
                Event::Leave(keys) => {
                    self.f.write_str(close(&nodes.head(keys)))?;
                    continue;
                }
            };
            let is_cut = depth.saturating_add(nodes.depth()) >= MAX_TEXT_DEPTH;
            if let Some((parent, entries)) = nodes.child(count) {
                before(self.f, &parent, entries, count, head.kind() == Kind::Leaf)?;
            }
            if head.num_children() == 0 {
                open(self.f, &head)?;
                self.f.write_str(close(&head))?;
            } else if is_cut {
                self.f.write_char('…')?;
                nodes.skip(&head);
            } else {
                open(self.f, &head)?;
                let keys = nodes.keys(&head);
                if nodes.open(&head, keys).is_err() {
                    return Ok(Some((head, keys)));
                }
            }
        }
        Ok(None)
    }
}

/// The number of adjacent leaves that are still written one by one if repeats are written once.
const LEAVES: u32 = 8;

/// Writes the text before `count` equal children, whose entries are the next ones: a comma, and the key in a dictionary. Of
/// more than one it writes their number, or all but the last one.
fn before(
    f: &mut dyn Write,
    parent: &Head<'_>,
    entries: Entries<'_>,
    count: u32,
    is_leaf: bool,
) -> fmt::Result {
    if entries.index() > 0 {
        f.write_str(", ")?;
    }
    if parent.kind() == Kind::Dict {
        // All keys are stored in the treedef, so their text is at most proportional to the bytes.
        for (i, entry) in (1..=count).zip(entries) {
            if let KeyEntry::Key(key) = entry {
                repr(f, key)?;
            }
            f.write_str(match i == count {
                true => ": ",
                false if is_leaf => ": *, ",
                false => ", ",
            })?;
        }
        return Ok(());
    }
    match count {
        1 => Ok(()),
        ..=LEAVES if is_leaf => (1..count).try_for_each(|_| f.write_str("*, ")),
        _ => write!(f, "{count} × "),
    }
}

/// Writes the beginning of a node.
fn open(f: &mut dyn Write, head: &Head<'_>) -> fmt::Result {
    let text = match head.kind() {
        Kind::Leaf => "*",
        Kind::None => "None",
        Kind::Some => "Some(",
        Kind::Tuple => "(",
        Kind::List => "[",
        Kind::Dict => "{",
        _ => {
            f.write_str("CustomNode(")?;
            type_and_data(f, head)?;
            ", ["
        }
    };
    f.write_str(text)
}

/// Returns the end of a node's text.
fn close(head: &Head<'_>) -> &'static str {
    match head.kind() {
        Kind::Leaf | Kind::None => "",
        Kind::Some => ")",
        Kind::Tuple => close_tuple(head.arity()),
        Kind::List => "]",
        Kind::Dict => "}",
        _ => "])",
    }
}

/// Writes `TYPE[DATA]`.
fn type_and_data(f: &mut dyn Write, head: &Head<'_>) -> fmt::Result {
    let name = short_name(head.type_name().unwrap_or_default());
    match head.kind() {
        Kind::OrderedDict => {
            f.write_str("OrderedDict[")?;
            tuple(f, head.keys())?;
        }
        Kind::DefaultDict => {
            write!(f, "defaultdict[({}, ", head.factory().unwrap_or_default())?;
            tuple(f, head.keys())?;
            f.write_char(')')?;
        }
        Kind::NamedTuple => write!(f, "namedtuple[{name}")?,
        Kind::Struct => {
            write!(f, "{name}[")?;
            tuple(f, head.meta_fields().map(|(_, value)| value))?;
        }
        _ => {
            write!(f, "{name}[")?;
            if let Some(aux) = head.aux() {
                text(f, aux)?;
            }
        }
    }
    f.write_char(']')
}
