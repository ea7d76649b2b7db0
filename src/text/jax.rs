//! The text of a treedef as JAX prints it.

use core::fmt::{self, Write};

use super::draw::Drawing;
use super::repr::{close_tuple, repr, short_name, text, tuple};
use crate::base::show::show_by_debug;
use crate::format::head::{Head, Kind};
use crate::treedef::treedef::TreeDef;
use crate::treedef::walk::{Place, Visitor, walk};

/// The text of `str(jax.tree.structure(tree))`, character for character; `{:#}` draws an indented tree.
///
/// Types show what follows the last `::` of their names. `DIFFERENCE`: `Some(..)`, which JAX does not have, prints so;
/// a node with children below [`MAX_TEXT_DEPTH`](crate::MAX_TEXT_DEPTH) prints `…`. The stack holds 32 bytes for each
/// level of the tree.
///
/// As in JAX, what is repeated is written out as often as it stands in the tree: from bytes of a stranger that can be
/// gigabytes, and so in `{:?}`, which has this text in it. Log such a treedef by `{:#}`, or into a writer that ends.
///
/// The drawing has a line for every stored item: adjacent equal siblings share one, with their number behind it, so
/// it is never longer than the treedef has bytes to tell. Where siblings follow, each child costs a scan of its bytes.
///
/// # Examples
///
/// ```
/// use core::fmt::Write;
/// use treedef::{Builder, ListOf, StructOf, TreeDef, Value};
///
/// let mut bytes = [0; 128];
/// let mut builder = Builder::new(&mut bytes);
/// let root = builder.begin(&ListOf(3))?;
/// for _ in 0..2 {
///     let statics = [("dt", Value::Float(0.01))];
///     let pid = builder.begin(&StructOf {
///         name: "control::Pid",
///         fields: &["kp", "ki"],
///         statics: &statics,
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
        f.write_str("PyTreeDef(")?;
        walk(*self, &mut Jax { f })?;
        f.write_char(')')
    }
}

/// The same text as `Display`.
impl fmt::Debug for TreeDef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

show_by_debug!([] TreeDef<'_>);

/// Writes the text between `PyTreeDef(` and `)`.
struct Jax<'f> {
    f: &'f mut dyn Write,
}

impl<'a> Visitor<'a> for Jax<'_> {
    fn folds(&self) -> bool {
        false
    }

    fn enter(&mut self, place: &Place<'a>, head: &Head<'a>) -> fmt::Result {
        before(self.f, place)?;
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

    fn cut(&mut self, place: &Place<'a>, _: &Head<'a>) -> fmt::Result {
        before(self.f, place)?;
        self.f.write_char('…')
    }
}

/// Writes what stands between a node and its predecessor: a comma, and the key in a dictionary.
fn before(f: &mut dyn Write, place: &Place<'_>) -> fmt::Result {
    if place.index > 0 {
        f.write_str(", ")?;
    }
    match place.parent {
        Some(parent) if parent.kind() == Kind::Dict => key(f, place),
        _ => Ok(()),
    }
}

/// Writes the key of a dictionary's child.
fn key(f: &mut dyn Write, place: &Place<'_>) -> fmt::Result {
    if let Some(crate::format::entry::KeyEntry::Key(key)) = place.entries.clone().next() {
        repr(f, key)?;
    }
    f.write_str(": ")
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
            tuple(f, head.statics().map(|(_, value)| value))?;
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
