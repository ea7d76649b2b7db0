//! Writes paths as people type them.
//!
//! It writes strings as they are, so a program that prints nothing but these texts links neither Python's floats nor its
//! table of printable characters.

use core::fmt::{self, Write};

use super::keystr::each;
use crate::base::show::debug_as_text;
use crate::format::entry::KeyEntry;
use crate::format::value::Value;
use crate::treedef::key_path::KeyPath;

/// The text of a path as a person types it, from [`KeyPath::typed`].
///
/// # Examples
///
/// ```
/// use treedef::treedef;
///
/// let def = treedef!({"axis": [{"kp": *, "k.i": *}]});
/// let text = |leaf| def.path(leaf).map(|path| path.typed().to_string());
/// assert_eq!(text(0).as_deref(), Some("axis[0]['k.i']"));
/// assert_eq!(text(1).as_deref(), Some("axis[0].kp"));
/// ```
#[derive(Clone, Copy)]
#[must_use = "does nothing until it is printed"]
pub struct TypedPath<'a> {
    path: KeyPath<'a, 'a>,
}

impl<'p> KeyPath<'p, '_> {
    /// The text that [`TreeDef::find_str`](crate::TreeDef::find_str) finds this node by: `axis[0].pid[1].kp`. It is
    /// empty for the root.
    ///
    /// | entry | text |
    /// |---|---|
    /// | an index, an integer key | `[2]` |
    /// | a field, an attribute | `.w`; at the start `w` |
    /// | a string key | as a field; `['a.b']` if it is empty, begins with a digit or `-`, or contains `.`, `/` or `[` |
    /// | the inside of a `Some` | nothing |
    /// | any other key, such as `1.5` or `(1, 2)` | `[?]`, which is not found |
    ///
    /// Every node is found by its text, except these: below a key that is written `[?]`; with a neighbour that its
    /// text also names, which custom nodes can have; with a neighbour whose name is its name, one of `.`, `/`, `[`, and more, as
    /// `a` beside `a.b`. A `Some` and its value have the same text, as `find_str` says.
    ///
    /// A program that lists the leaves with [`TreeDef::path`](crate::TreeDef::path) takes a few hundred bytes of stack.
    /// [`TreeDef::paths`](crate::TreeDef::paths) reads each byte once, but keeps its way in 2 kB.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let def = treedef!({"params": [{"b": *, "w": *}, *], "period": *});
    /// let texts = (0..def.num_leaves()).filter_map(|leaf| def.path(leaf)).map(|path| path.typed().to_string());
    /// assert!(texts.eq(["params[0].b", "params[0].w", "params[1]", "period"]));
    /// ```
    pub const fn typed(&self) -> TypedPath<'p> {
        TypedPath { path: *self }
    }
}

impl fmt::Display for TypedPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut is_first = true;
        each(self.path, |entry| write_entry(f, entry, core::mem::take(&mut is_first)))
    }
}

debug_as_text!(
    /// Prints the text in parentheses: `TypedPath([0].x)`.
    TypedPath<'_>, "TypedPath({})"
);

/// Writes one entry, which may be the first.
fn write_entry(f: &mut dyn Write, entry: KeyEntry<'_>, is_first: bool) -> fmt::Result {
    match entry {
        KeyEntry::Some => Ok(()),
        KeyEntry::Index(index) | KeyEntry::FlatIndex(index) => write!(f, "[{index}]"),
        KeyEntry::Key(Value::Int(key)) => write!(f, "[{key}]"),
        KeyEntry::Key(Value::Str(key)) if is_quoted(key) => quoted(f, key),
        KeyEntry::Attr(name) | KeyEntry::Raw(name) | KeyEntry::Key(Value::Str(name)) => {
            write_name(f, name, is_first)
        }
        KeyEntry::Key(_) => f.write_str("[?]"),
    }
}

/// Writes a name without quotes.
pub(super) fn write_name(f: &mut dyn Write, name: &str, is_first: bool) -> fmt::Result {
    // Without the dot, what the name begins with would be read as the dot.
    if !is_first || matches!(name.as_bytes(), [] | [b'.' | b'/' | b'[', ..]) {
        f.write_char('.')?;
    }
    f.write_str(name)
}

/// Whether the key can be taken for a number or for several segments.
fn is_quoted(key: &str) -> bool {
    matches!(key.as_bytes(), [] | [b'0'..=b'9' | b'-', ..])
        || key.bytes().any(|byte| matches!(byte, b'.' | b'/' | b'['))
}

/// Writes a string key in quotes.
fn quoted(f: &mut dyn Write, key: &str) -> fmt::Result {
    f.write_str("['")?;
    for character in key.chars() {
        if let '\'' | '\\' = character {
            f.write_char('\\')?;
        }
        f.write_char(character)?;
    }
    f.write_str("']")
}
