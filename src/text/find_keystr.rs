//! The node that the text of [`Path::keystr`](crate::Path::keystr) leads to.

use core::fmt::{self, Write};

use super::keystr::entry as write_entry;
use crate::base::error::Error;
use crate::format::entry::KeyEntry;
use crate::format::head::Head;
use crate::treedef::find::{Found, PathCursor, counted};
use crate::treedef::treedef::TreeDef;

impl<'a> TreeDef<'a> {
    /// The node whose path [`Path::keystr`](crate::Path::keystr) writes as this text, through keys of any kind.
    ///
    /// For texts that a program wrote. Texts that people type, and most that `keystr` writes, are found by
    /// [`TreeDef::find_str`] with a third of the machine code; only here are keys found that are floats, big integers,
    /// byte strings, tuples, `True`, `None`, opaque objects or strings that Python escapes.
    ///
    /// The text is compared with what the entries print, node by node, so that nothing is unescaped and no memory is
    /// needed. Where the text of one entry begins with that of another the longer one is taken, without going back;
    /// such entries are fields with `.` or `[` in their names, [`Opaque`](crate::Value::Opaque) keys and
    /// [`Raw`](KeyEntry::Raw) entries. Where all texts of a tree's entries differ and none begins with another,
    /// `find_keystr` of `keystr` gives the leaf back; of equal ones it finds the first. A `Some` prints nothing: a text
    /// that ends at one leads to the leaf in it, if there is nothing but a leaf, or further `Some`s around one;
    /// otherwise to the `Some`. That holds for the empty text too, which otherwise leads to the root.
    ///
    /// Costs one pass over the keys of each node on the way, and as [`TreeDef::find`] over the siblings before it. To
    /// find the leaves of many texts, iterate over [`TreeDef::paths`] instead.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] with the byte at which the text leads nowhere; [`Error::explain_path`] says what is there.
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

/// The child whose entry is the longest at the front of `text`, and the text after it.
fn longest<'t>(head: &Head<'_>, text: &'t str) -> Option<(u32, &'t str)> {
    if counted(head) {
        let index = number(text)?;
        return Some((index, strip(head.entries().nth(index as usize)?, text)?));
    }
    let mut longest: Option<(u32, &str)> = None;
    let mut index = 0u32;
    for entry in head.entries() {
        if let Some(rest) = strip(entry, text)
            && longest.is_none_or(|(_, shortest)| rest.len() < shortest.len())
        {
            longest = Some((index, rest));
        }
        index = index.wrapping_add(1);
    }
    longest
}

/// The text after the entry; `None` if it does not begin with it.
fn strip<'t>(entry: KeyEntry<'_>, text: &'t str) -> Option<&'t str> {
    let mut strip = Strip(text);
    write_entry(&mut strip, entry).ok()?;
    Some(strip.0)
}

/// A writer that takes what is written off the front of a text.
struct Strip<'t>(&'t str);

impl Write for Strip<'_> {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        self.0 = self.0.strip_prefix(piece).ok_or(fmt::Error)?;
        Ok(())
    }

    fn write_char(&mut self, character: char) -> fmt::Result {
        self.0 = self.0.strip_prefix(character).ok_or(fmt::Error)?;
        Ok(())
    }
}

/// The first number in a text.
fn number(text: &str) -> Option<u32> {
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let digits = text.bytes().skip_while(|byte| !is_digit(byte)).take_while(is_digit);
    let mut values = digits.map(|digit| u32::from(digit.wrapping_sub(b'0')));
    let first = values.next()?;
    values.try_fold(first, |number, digit| number.checked_mul(10)?.checked_add(digit))
}
