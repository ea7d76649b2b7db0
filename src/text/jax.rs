//! Writes the text of a treedef as JAX prints it.

use core::fmt::{self, Write};

use super::draw::Drawing;
use super::repr::{close_tuple, repr, short_name, text, tuple};
use crate::base::python;
use crate::base::show::show_by_debug;
use crate::format::entry::KeyEntry;
use crate::format::head::{Head, Kind};
use crate::treedef::treedef::TreeDef;
use crate::treedef::walk::{Place, Visitor, walk};

/// Prints the text of `str(jax.tree.structure(tree))`, character by character. `{:#}` draws an indented tree.
///
/// Of a type name only the part after the last `::` is printed. `DIFFERENCE`: JAX has no `Some(..)`, and a node with
/// children below [`MAX_TEXT_DEPTH`](crate::text::MAX_TEXT_DEPTH) prints `…`. Takes 32 bytes of stack for each level of
/// the tree.
///
/// As in JAX, every copy of a node is written. For bytes from an untrusted source that can be gigabytes: log such a
/// treedef by `{:?}` or `{:#}`, which write each repeat once.
///
/// In the drawing adjacent equal siblings share a line, with their number after it, so it has at most one line for each
/// byte of the treedef. Each child with siblings after it costs a scan of its bytes.
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
/// // A list of 359 leaves has six bytes. `{}` prints a star for each leaf, `{:#}` two lines.
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

show_by_debug!([] TreeDef<'_>);

/// Writes JAX's text. With `keep_runs` repeats are written once.
fn jax(f: &mut dyn Write, def: TreeDef<'_>, keep_runs: bool) -> fmt::Result {
    f.write_str("PyTreeDef(")?;
    walk(def, &mut Jax { f, keep_runs })?;
    f.write_char(')')
}

/// The number of adjacent leaves that are still written one by one if repeats are written once.
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

/// Writes what is before a node: a comma, and the key in a dictionary. Of equal siblings it writes their number, or all
/// but the last one.
fn before(f: &mut dyn Write, place: &Place<'_>, head: &Head<'_>) -> fmt::Result {
    if place.index > 0 {
        f.write_str(", ")?;
    }
    let is_leaf = head.kind() == Kind::Leaf;
    if place.parent.is_some_and(|parent| parent.kind() == Kind::Dict) {
        // All keys are stored in the treedef, so their text is at most proportional to the bytes.
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

/// Writes the beginning of a node whose kind has its own brackets. Returns whether it has.
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
