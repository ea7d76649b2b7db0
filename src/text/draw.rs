//! Draws a treedef as an indented tree.

use core::fmt::{self, Write};

use super::repr::{repr, short_name, text};
use crate::base::python;
use crate::format::entry::KeyEntry;
use crate::format::head::{Head, Kind};
use crate::treedef::treedef::TreeDef;
use crate::treedef::walk::{MAX_TEXT_DEPTH, Place, Visitor};

/// The number of keys that are written if equal children share a line. Of more keys the first ones and the last are
/// written.
const KEYS: u32 = 4;

/// The number of depths in one word of [`Bars`].
const WORD: usize = 64;

/// Draws one line for every run of adjacent equal siblings.
pub(super) struct Drawing<'f> {
    f: &'f mut dyn Write,
    leaves: usize,
    bars: Bars,
}

/// A bit for each depth at which another sibling follows, so that a bar is drawn to it.
struct Bars([u64; MAX_TEXT_DEPTH / WORD + 1]);

impl Bars {
    fn set(&mut self, depth: usize, on: bool) {
        if let Some(word) = self.0.get_mut(depth / WORD) {
            let bit = 1 << (depth % WORD);
            *word = if on { *word | bit } else { *word & !bit };
        }
    }

    fn get(&self, depth: usize) -> bool {
        self.0.get(depth / WORD).is_some_and(|word| word >> (depth % WORD) & 1 == 1)
    }
}

impl<'f> Drawing<'f> {
    pub(super) fn new(f: &'f mut dyn Write, def: TreeDef<'_>) -> Self {
        Self { f, leaves: def.num_leaves(), bars: Bars([0; MAX_TEXT_DEPTH / WORD + 1]) }
    }

    /// Writes the line of a node, up to and including its description.
    fn line(&mut self, place: &Place<'_>, head: &Head<'_>) -> fmt::Result {
        if place.depth > 0 {
            self.f.write_char('\n')?;
            for depth in 1..place.depth {
                self.f.write_str(if self.bars.get(depth) { "│  " } else { "   " })?;
            }
            self.f.write_str(if place.last { "└─ " } else { "├─ " })?;
            self.bars.set(place.depth, !place.last);
            keys(self.f, place)?;
        }
        describe(self.f, head)?;
        if place.count > 1 {
            self.f.write_str(" × ")?;
            python::integer(self.f, i64::from(place.count))?;
        }
        if place.depth == 0 && head.kind() != Kind::Leaf {
            self.f.write_str(", ")?;
            python::integer(self.f, i64::try_from(self.leaves).unwrap_or(i64::MAX))?;
            self.f.write_str(if self.leaves == 1 { " leaf" } else { " leaves" })?;
        }
        Ok(())
    }
}

impl<'a> Visitor<'a> for Drawing<'_> {
    fn keep_runs(&self) -> bool {
        true
    }

    fn enter(&mut self, place: &Place<'a>, head: &Head<'a>) -> fmt::Result {
        self.line(place, head)
    }

    fn leave(&mut self, _: &Head<'a>) -> fmt::Result {
        Ok(())
    }

    fn cut(&mut self, place: &Place<'a>, head: &Head<'a>) -> fmt::Result {
        self.line(place, head)?;
        self.f.write_str(" …")
    }
}

/// Writes the keys of a run of siblings: `0..12: ` or `'b', 'w': `.
fn keys(f: &mut dyn Write, place: &Place<'_>) -> fmt::Result {
    let mut entries = place.entries.clone();
    match entries.next() {
        None | Some(KeyEntry::Some) => return Ok(()),
        Some(KeyEntry::FlatIndex(_)) => range(f, place)?,
        Some(KeyEntry::Index(_))
            if place.parent.is_some_and(|head| head.kind() != Kind::Custom) =>
        {
            range(f, place)?;
        }
        Some(first) => {
            key(f, first)?;
            let shown = if place.count > KEYS { KEYS - 2 } else { place.count.saturating_sub(1) };
            for entry in entries.by_ref().take(shown as usize) {
                f.write_str(", ")?;
                key(f, entry)?;
            }
            if let Some(hidden) = place.count.checked_sub(KEYS).filter(|more| *more > 0)
                && let Some(last) = entries.nth(hidden as usize)
            {
                f.write_str(", …, ")?;
                key(f, last)?;
            }
        }
    }
    f.write_str(": ")
}

/// Writes the positions of a run of siblings.
fn range(f: &mut dyn Write, place: &Place<'_>) -> fmt::Result {
    let first = i64::from(place.index);
    python::integer(f, first)?;
    if place.count > 1 {
        f.write_str("..")?;
        python::integer(f, first.saturating_add(i64::from(place.count)))?;
    }
    Ok(())
}

fn key(f: &mut dyn Write, entry: KeyEntry<'_>) -> fmt::Result {
    match entry {
        KeyEntry::Key(key) => repr(f, key),
        KeyEntry::Index(index) | KeyEntry::FlatIndex(index) => python::integer(f, i64::from(index)),
        other => super::keystr::entry(f, other),
    }
}

/// Writes the kind or the type of a node and its data.
fn describe(f: &mut dyn Write, head: &Head<'_>) -> fmt::Result {
    let name = match head.kind() {
        Kind::Leaf => "*",
        Kind::None => "None",
        Kind::Some => "Some",
        Kind::Tuple => "tuple",
        Kind::List => "list",
        Kind::Dict => "dict",
        Kind::OrderedDict => "OrderedDict",
        Kind::DefaultDict => "defaultdict",
        Kind::NamedTuple | Kind::Struct | Kind::Custom => {
            short_name(head.type_name().unwrap_or_default())
        }
    };
    f.write_str(name)?;
    match head.kind() {
        Kind::DefaultDict => {
            f.write_char('(')?;
            f.write_str(head.factory().unwrap_or_default())?;
            f.write_char(')')?;
        }
        Kind::Struct => meta(f, head)?,
        Kind::Custom => {
            if let Some(aux) = head.aux() {
                f.write_char('[')?;
                text(f, aux)?;
                f.write_char(']')?;
            }
        }
        _ => {}
    }
    match head.kind() {
        Kind::Tuple | Kind::List | Kind::Dict | Kind::OrderedDict | Kind::DefaultDict
            if head.num_children() == 0 =>
        {
            f.write_str(", empty")
        }
        _ => Ok(()),
    }
}

/// Writes the meta fields of a struct, if it has any.
fn meta(f: &mut dyn Write, head: &Head<'_>) -> fmt::Result {
    let mut before = '(';
    for (name, value) in head.meta_fields() {
        f.write_char(before)?;
        if before == ',' {
            f.write_char(' ')?;
        }
        before = ',';
        f.write_str(name)?;
        f.write_char('=')?;
        repr(f, value)?;
    }
    if before == ',' { f.write_char(')') } else { Ok(()) }
}
