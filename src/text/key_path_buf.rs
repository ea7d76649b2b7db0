//! Defines a path that owns its text.

use alloc::string::String;
use core::borrow::Borrow;
use core::fmt;
use core::iter::from_fn;
use core::mem::take;
use core::str::FromStr;

use super::keystr::entry as write_entry;
use crate::base::error::Error;
use crate::base::show::debug_as_text;
use crate::format::entry::KeyEntry;
use crate::format::value::Value;
use crate::format::varint::unzigzag;
use crate::treedef::key_path::KeyPath;
use crate::treedef::segment::{Segment, unreadable_path};

/// A path to keep, as a key of a map or in a file; as `std::path::PathBuf` it owns a text, the one that the path prints.
///
/// It is made of a [`KeyPath`](crate::KeyPath) by `from`, of entries by
/// `collect`, and of a text by `parse`. Paths that print the same text are equal. So a path
/// that is read from a file, also by `serde`, finds what is stored for the path of a walk. A
/// [`PathPattern`](crate::path::PathPattern) reads its [`entries`](KeyPathBuf::entries),
/// [`TreeDef::find_keystr`](crate::TreeDef::find_keystr) finds the node by its text, and `entries().collect::<Vec<_>>()` is a slice for
/// [`KeyPath::new`](crate::KeyPath::new). The order is that of the texts.
///
/// # Examples
///
/// ```
/// use std::collections::HashMap;
/// use treedef::path::{KeyPathBuf, path_pattern};
/// use treedef::{treedef, over};
///
/// let rates = HashMap::from([("[0][1]".parse::<KeyPathBuf>()?, 0.5)]);
/// let mut scaled = Vec::new();
/// over(&[(1.0f32, 2.0f32)]).paths().for_each(|path, x| {
///     scaled.push(x * rates.get(&KeyPathBuf::from(path)).unwrap_or(&1.0));
/// })?;
/// assert_eq!((scaled, rates.get("[0][1]")), (vec![1.0, 1.0], Some(&0.5)));
///
/// let def = treedef!([*, {"w": *}]);
/// let path = def.path(1).map(KeyPathBuf::from).ok_or("no such leaf")?;
/// assert_eq!(path.as_str(), "[1]['w']");
/// assert_eq!(def.find_keystr(path.as_str())?.as_leaf(), Some(1));
/// assert!(path_pattern!("**.w").matches(path.entries()));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyPathBuf(String);

impl KeyPathBuf {
    /// The text, as [`KeyPath::keystr`](crate::KeyPath::keystr) writes it.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::path::KeyPathBuf;
    ///
    /// assert_eq!("layers[0]".parse::<KeyPathBuf>()?.as_str(), ".layers[0]");
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The entries that print this text: an integer key from 0 on is an index, the inside of a `Some` is no entry, and a key that is
    /// neither an integer nor a plain string, such as `1.5` or `'\n'`, is [`KeyEntry::Raw`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::KeyEntry;
    /// use treedef::path::KeyPathBuf;
    ///
    /// let path: KeyPathBuf = "['a'][0].x".parse()?;
    /// assert!(path.entries().eq([KeyEntry::Key("a".into()), KeyEntry::Index(0), KeyEntry::Attr("x")]));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn entries(&self) -> impl Iterator<Item = KeyEntry<'_>> + Clone {
        let mut rest = self.0.as_str();
        from_fn(move || match split(rest, false) {
            Some((entry, after)) => {
                rest = after;
                Some(entry)
            }
            None if rest.is_empty() => None,
            // What a custom node calls its children.
            None => Some(KeyEntry::Raw(take(&mut rest))),
        })
    }
}

impl<'a> FromIterator<KeyEntry<'a>> for KeyPathBuf {
    fn from_iter<I: IntoIterator<Item = KeyEntry<'a>>>(entries: I) -> Self {
        let mut text = String::new();
        for entry in entries {
            // A string has room.
            let _ = write_entry(&mut text, entry);
        }
        Self(text)
    }
}

impl From<KeyPath<'_, '_>> for KeyPathBuf {
    fn from(path: KeyPath<'_, '_>) -> Self {
        path.entries().collect()
    }
}

/// Reads the text that a path prints. A field at the start needs no `.`, and strings may have either quotes.
///
/// # Errors
///
/// [`Error::UnreadablePath`] with the byte of the entry that cannot be read: a bracket or quote is not closed, a name is empty, or
/// a `.` is missing.
impl FromStr for KeyPathBuf {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (mut path, mut rest) = (String::new(), text);
        while !rest.is_empty() {
            let at = text.len().saturating_sub(rest.len());
            let (entry, after) = split(rest, at == 0).ok_or(unreadable_path(at))?;
            let _ = write_entry(&mut path, entry);
            rest = after;
        }
        Ok(Self(path))
    }
}

/// A map finds a path by its text.
impl Borrow<str> for KeyPathBuf {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for KeyPathBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

debug_as_text!(
    /// Prints the path in parentheses: `KeyPathBuf([0].x)`.
    KeyPathBuf, "KeyPathBuf({})"
);

/// The entry at the front of a text, and the text after it. The first entry may be a name without a dot.
fn split(text: &str, is_first: bool) -> Option<(KeyEntry<'_>, &str)> {
    let Some(inside) = text.strip_prefix('[') else {
        let name = text.strip_prefix('.').or(is_first.then_some(text))?;
        let end = name.find(['.', '[']).unwrap_or(name.len());
        let (name, rest) = name.split_at_checked(end)?;
        return (!name.is_empty()).then_some((KeyEntry::Attr(name), rest));
    };
    let (mut depth, mut quote, mut is_escaped) = (0u32, None, false);
    let (key, rest) = inside.split_once(|character| {
        match (quote, character) {
            _ if take(&mut is_escaped) => {}
            (Some(_), '\\') => is_escaped = true,
            (Some(end), _) if end == character => quote = None,
            (None, '\'' | '"') => quote = Some(character),
            (None, '[') => depth = depth.saturating_add(1),
            (None, ']') if depth == 0 => return true,
            (None, ']') => depth = depth.saturating_sub(1),
            _ => {}
        }
        false
    })?;
    let plain = |quote| {
        key.strip_prefix(quote)?.strip_suffix(quote).filter(|key| !key.contains(['\\', quote]))
    };
    let flat = |key: &str| key.strip_prefix("<flat index ")?.strip_suffix('>')?.parse().ok();
    let entry = if let Some(key) = plain('\'').or_else(|| plain('"')) {
        KeyEntry::Key(Value::Str(key))
    } else if let Some((number, _)) = Segment::open(text.as_bytes(), false)?.number() {
        let key = unzigzag(number);
        u32::try_from(key).map_or(KeyEntry::Key(Value::Int(key)), KeyEntry::Index)
    } else if let Some(index) = flat(key) {
        KeyEntry::FlatIndex(index)
    } else {
        KeyEntry::Raw(text.split_at_checked(text.len().wrapping_sub(rest.len()))?.0)
    };
    Some((entry, rest))
}
