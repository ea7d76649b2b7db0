//! The text of a treedef as JAX prints it.

use core::fmt::{self, Write};

use super::draw::Drawing;
use super::repr::{close_tuple, repr, short_name, text, tuple};
use crate::base::python;
use crate::base::show::show_by_debug;
use crate::format::entry::KeyEntry;
use crate::format::head::{Head, Kind};
use crate::treedef::treedef::TreeDef;
use crate::treedef::walk::{Place, Visitor, walk};

/// The text of `str(jax.tree.structure(tree))`, character for character; `{:#}` draws an indented tree.
///
/// Types show what follows the last `::` of their names. `DIFFERENCE`: `Some(..)`, which JAX does not have, prints so;
/// a node with children below [`MAX_TEXT_DEPTH`](crate::text::MAX_TEXT_DEPTH) prints `…`. The stack holds 32 bytes for
/// each level of the tree.
///
/// As in JAX, what is repeated is written out as often as it is in the tree: from bytes of a stranger that can be
/// gigabytes. Log such a treedef by `{:?}` or `{:#}`, which write it once.
///
/// The drawing has a line for every stored item: adjacent equal siblings share one, with their number after it, so that
/// it has at most one line for each byte of the treedef. Where siblings follow, each child costs a scan of its bytes.
///
/// # Examples
///
/// ```
/// use core::fmt::Write;
/// use treedef::{Builder, TreeDef, Value, head};
///
/// let mut bytes = [0; 128];
/// let mut builder = Builder::new(&mut bytes);
/// let root = builder.begin(&head::List(3))?;
/// for _ in 0..2 {
///     let meta = [("dt", Value::Float(0.01))];
///     let pid = builder.begin(&head::Struct {
///         name: "control::Pid",
///         fields: &["kp", "ki"],
///         meta: &meta,
///     })?;
///     builder.leaves(2)?;
///     builder.end(pid)?;
/// }
/// builder.leaves(1)?;
/// builder.end(root)?;
/// let def = builder.finish()?;
///
/// let mut text = heapless::String::<256>::new();
/// write!(text, "{def}")?;
/// assert_eq!(text, "PyTreeDef([CustomNode(Pid[(0.01,)], [*, *]), CustomNode(Pid[(0.01,)], [*, *]), *])");
///
/// text.clear();
/// write!(text, "{def:#}")?;
/// assert_eq!(text, "\
/// list, 5 leaves
/// ├─ 0..2: Pid(dt=0.01) × 2
/// │  └─ .kp, .ki: * × 2
/// └─ 2: *");
///
/// // A list of 359 leaves: six bytes, two lines, or a star for each.
/// let def = TreeDef::from_bytes(&[0x5F, 0xC8, 0x01, 0x1F, 0xC7, 0x01])?;
/// assert_eq!((format!("{def}").len(), format!("{def:#}").lines().count()), (10 + 3 * 359 + 1, 2));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
impl fmt::Display for TreeDef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return walk(*self, &mut Drawing::new(f, *self));
        }
        jax(f, *self, false)
    }
}

/// The text of `Display` on one line, with each repeat once: as long as the bytes are, times a constant.
///
/// Of adjacent leaves more than eight are written with their number, of adjacent equal nodes with children more than
/// one. In a dictionary such nodes follow all their keys.
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

show_by_debug!([] TreeDef<'_>);

/// Writes JAX's text, with repeats once or written out.
fn jax(f: &mut dyn Write, def: TreeDef<'_>, keep_runs: bool) -> fmt::Result {
    f.write_str("PyTreeDef(")?;
    walk(def, &mut Jax { f, keep_runs })?;
    f.write_char(')')
}

/// Adjacent leaves that are written out where repeats are written once.
const LEAVES: u32 = 8;

/// Writes the text between `PyTreeDef(` and `)`.
struct Jax<'f> {
    f: &'f mut dyn Write,
    keep_runs: bool,
}

impl<'a> Visitor<'a> for Jax<'_> {
    fn keep_runs(&self) -> bool {
        self.keep_runs
    }

    fn enter(&mut self, place: &Place<'a>, head: &Head<'a>) -> fmt::Result {
        before(self.f, place, head)?;
        if !open(self.f, head)? {
            self.f.write_str("CustomNode(")?;
            type_and_data(self.f, head)?;
            self.f.write_str(", [")?;
        }
        Ok(())
    }

    fn leave(&mut self, head: &Head<'a>) -> fmt::Result {
        self.f.write_str(close(head))
    }

    fn cut(&mut self, place: &Place<'a>, head: &Head<'a>) -> fmt::Result {
        before(self.f, place, head)?;
        self.f.write_char('…')
    }
}

/// Writes what is between a node and its predecessor: a comma, and the key in a dictionary. Of equal siblings it writes
/// all but the text of the last one, or their number.
fn before(f: &mut dyn Write, place: &Place<'_>, head: &Head<'_>) -> fmt::Result {
    if place.index > 0 {
        f.write_str(", ")?;
    }
    let is_leaf = head.kind() == Kind::Leaf;
    if place.parent.is_some_and(|parent| parent.kind() == Kind::Dict) {
        // Each key is stored, so that all of them are no longer than the bytes.
        for (i, entry) in (1..=place.count).zip(place.entries.clone()) {
            if let KeyEntry::Key(key) = entry {
                repr(f, key)?;
            }
            f.write_str(match i == place.count {
                true => ": ",
                false if is_leaf => ": *, ",
                false => ", ",
            })?;
        }
        return Ok(());
    }
    match place.count {
        1 => Ok(()),
        count @ ..=LEAVES if is_leaf => (1..count).try_for_each(|_| f.write_str("*, ")),
        count => {
            python::natural(f, u64::from(count))?;
            f.write_str(" × ")
        }
    }
}

/// Writes the beginning of a node whose type has a text of its own; says whether it is one.
fn open(f: &mut dyn Write, head: &Head<'_>) -> Result<bool, fmt::Error> {
    let text = match head.kind() {
        Kind::Leaf => "*",
        Kind::None => "None",
        Kind::Some => "Some(",
        Kind::Tuple => "(",
        Kind::List => "[",
        Kind::Dict => "{",
        _ => return Ok(false),
    };
    f.write_str(text)?;
    Ok(true)
}

/// The end of a node's text.
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
            f.write_str("defaultdict[(")?;
            f.write_str(head.factory().unwrap_or_default())?;
            f.write_str(", ")?;
            tuple(f, head.keys())?;
            f.write_char(')')?;
        }
        Kind::NamedTuple => {
            f.write_str("namedtuple[")?;
            f.write_str(name)?;
        }
        Kind::Struct => {
            f.write_str(name)?;
            f.write_char('[')?;
            tuple(f, head.meta_fields().map(|(_, value)| value))?;
        }
        _ => {
            f.write_str(name)?;
            f.write_char('[')?;
            if let Some(aux) = head.aux() {
                text(f, aux)?;
            }
        }
    }
    f.write_char(']')
}
