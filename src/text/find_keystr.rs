//! Finds the node that the text of [`KeyPath::keystr`](crate::KeyPath::keystr) leads to.

use super::keystr::{Strip, entry as write_entry};
use crate::base::error::Error;
use crate::format::entry::KeyEntry;
use crate::format::head::Head;
use crate::treedef::find::Found;
use crate::treedef::path_cursor::PathCursor;
use crate::treedef::treedef::TreeDef;

impl<'a> TreeDef<'a> {
    /// Returns the node whose path [`KeyPath::keystr`](crate::KeyPath::keystr) writes as this text, through keys of any kind.
    ///
    /// It is for texts that a program wrote. [`TreeDef::find_str`] finds the texts that people type, and most that
    /// `keystr` writes, with a third of the machine code. Only here are keys found that are floats, big integers, byte
    /// strings, tuples, `True`, `None`, opaque objects or strings that Python escapes.
    ///
    /// At each node, the text is compared with the text of the entries, so nothing is unescaped and no memory is
    /// needed. The longest entry that matches is taken, without going back, and the first of equal ones. So
    /// `find_keystr` finds every node by its `keystr`, unless the text of one sibling begins with that of another. That
    /// is only possible for fields with `.` or `[` in their names, [`Opaque`](crate::Value::Opaque) keys and
    /// [`Raw`](KeyEntry::Raw) entries. `#[derive(Tree)]` refuses such names, so only structs that are written by hand or come from
    /// other programs have them.
    ///
    /// A `Some` has an empty text. A text that ends at a `Some` of a leaf, or at nested `Some`s of a leaf, leads to the
    /// leaf; at any other `Some` it leads to the `Some`. The empty text leads to the root, with the same rule.
    ///
    /// Takes one pass over the keys of each node on the way, and one over the siblings before it, as [`TreeDef::find`].
    /// To find the leaves of many texts, iterate over [`TreeDef::paths`] instead.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] with the byte of the text from which no entry matches; [`Error::explain_path`] shows the
    /// entries that exist.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Error, structure_into, treedef};
    ///
    /// let def = treedef!({"it's": *, "layers": [*, (*, *)]});
    /// assert_eq!(def.find_keystr("['layers'][1]")?.leaves(), 2..4);
    /// assert_eq!(def.find_keystr(r#"["it's"]"#)?.as_leaf(), Some(0));
    ///
    /// let mut bytes = [0; 8];
    /// let nested = structure_into(&[Some(Some(1.5f32))], &mut bytes)?; // [Some(*)]
    /// assert_eq!(nested.find_keystr("[0]")?.as_leaf(), Some(0));
    ///
    /// let error = def.find_keystr("['layers'][2][0]").unwrap_err();
    /// assert_eq!(error, Error::NotFound { node: 2, at: 10 });
    /// # Ok::<(), Error>(())
    /// ```
    pub fn find_keystr(&self, text: &str) -> Result<Found<'a>, Error> {
        let mut way = PathCursor::<true>::new(*self);
        let mut rest = text;
        while !rest.is_empty() {
            let at = text.len().saturating_sub(rest.len());
            let head = way.skip_some();
            let (index, after) = longest(&head, rest).ok_or_else(|| way.not_found(at))?;
            way.down(&head, index).ok_or_else(|| way.not_found(at))?;
            rest = after;
        }
        way.found_by_text().ok_or_else(|| way.not_found(text.len()))
    }
}

/// Returns the child whose entry is the longest that `text` begins with, and the text after the entry.
fn longest<'t>(head: &Head<'_>, text: &'t str) -> Option<(u32, &'t str)> {
    if head.has_positions() {
        let mut numbers = text.split(|character: char| !character.is_ascii_digit());
        let index = numbers.find(|digits| !digits.is_empty())?.parse().ok()?;
        return Some((index, strip(head.entries().nth(index as usize)?, text)?));
    }
    let entries = (0..head.arity()).zip(head.entries());
    let found = entries.filter_map(|(index, entry)| Some((index, strip(entry, text)?)));
    found.min_by_key(|(_, rest)| rest.len())
}

/// Returns the text after the entry, or `None` if the text does not begin with it.
fn strip<'t>(entry: KeyEntry<'_>, text: &'t str) -> Option<&'t str> {
    let mut strip = Strip(text);
    write_entry(&mut strip, entry).ok()?;
    Some(strip.0)
}
