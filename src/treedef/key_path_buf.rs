//! Defines an owned path, on the heap.

use alloc::vec::Vec;

use crate::base::error::Error;
use crate::format::entry::KeyEntry;
use crate::format::head::ChildKey;
use crate::format::reader::Input;
use crate::format::value::Put;
use crate::format::varint::Varint;
use crate::treedef::path::Path;

/// A path that owns its entries, as `KeyPath` of `jax.tree_util` does; it prints as [`KeyPath::keystr`].
///
/// For paths that outlive their treedef: in a table of learning rates, in a set of frozen leaves, as the key of a
/// `HashMap`. The entries are in one vector of bytes. Two paths are equal if their entries are.
/// [`TreeDef::find`](crate::TreeDef::find) and [`from_paths`](crate::algebra::from_paths) take [`KeyPathBuf::entries`].
///
/// It can be parsed from the text of `keystr`, `[1]['w'].x`; the dot at the front can be left out. A text without a treedef
/// does not determine every entry:
///
/// - `[1]` becomes [`KeyEntry::Index`], though the integer key 1 of a dictionary has the same text;
/// - a [`KeyEntry::Some`] has no text, so there is none in the result;
/// - keys that are floats, byte strings, tuples or integers beyond 64 bits are refused, and so are [`KeyEntry::Raw`] and
///   [`Opaque`](crate::Value::Opaque) texts, unless they look like another entry;
/// - a field name ends at the next `.` or `[`.
///
/// With a treedef at hand, [`TreeDef::find_keystr`](crate::TreeDef::find_keystr) and
/// [`TreeDef::find_str`](crate::TreeDef::find_str) find the node of a text without these limits and without a heap.
///
/// [`KeyPath::keystr`]: crate::KeyPath::keystr
///
/// # Examples
///
/// ```
/// use std::collections::HashSet;
/// use treedef::path::KeyPathBuf;
/// use treedef::{Error, treedef};
///
/// let frozen: HashSet<KeyPathBuf> = ["['embed']", "['layers'][0]['w']"]
///     .into_iter()
///     .map(str::parse)
///     .collect::<Result<_, _>>()?;
///
/// let def = treedef!({"embed": *, "layers": [{"b": *, "w": *}, {"b": *, "w": *}]});
/// let trained: Vec<_> = def.paths().filter(|path| !frozen.contains(&(*path).into())).collect();
/// assert_eq!(trained.len(), 3);
/// assert_eq!(trained[0].to_string(), "['layers'][0]['b']");
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct KeyPathBuf {
    /// The entries one after another, in the encoding of [`ChildKey`] with two more tags.
    bytes: Vec<u8>,
}

const FLAT_INDEX: u8 = 4;
const SOME: u8 = 5;

impl KeyPathBuf {
    /// The path of these entries.
    ///
    /// # Errors
    ///
    /// [`Error::ValueTooDeep`] if a key nests tuples deeper than [`MAX_VALUE_DEPTH`](crate::format::MAX_VALUE_DEPTH);
    /// [`Error::ValueChanged`] if a key that is Rust data changes while it is copied.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::path::KeyPathBuf;
    /// use treedef::{Error, KeyEntry};
    ///
    /// let path = KeyPathBuf::new([KeyEntry::Key("w".into()), KeyEntry::Index(1)])?;
    /// assert_eq!(path.to_string(), "['w'][1]");
    /// assert_eq!(path, "['w'][1]".parse()?);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new<'e>(entries: impl IntoIterator<Item = KeyEntry<'e>>) -> Result<Self, Error> {
        let mut path = Self::default();
        for entry in entries {
            path.push(entry)?;
        }
        Ok(path)
    }

    /// Appends an entry.
    pub(crate) fn push(&mut self, entry: KeyEntry<'_>) -> Result<(), Error> {
        let put: &mut Put<'_> = &mut |piece| {
            self.bytes.extend_from_slice(piece);
            Ok(())
        };
        let pushed = match entry {
            KeyEntry::Index(index) => ChildKey::Index(index).pieces(put),
            KeyEntry::Key(key) if key.is_too_deep() => return Err(Error::ValueTooDeep),
            KeyEntry::Key(key) => ChildKey::Key(key).pieces(put),
            KeyEntry::Attr(name) => ChildKey::Attr(name).pieces(put),
            KeyEntry::Raw(text) => ChildKey::Raw(text).pieces(put),
            KeyEntry::FlatIndex(index) => {
                put(&[FLAT_INDEX]).and_then(|()| put(Varint::new(u64::from(index)).as_bytes()))
            }
            KeyEntry::Some => put(&[SOME]),
        };
        // The receiver takes everything, so only a value that changes can stop it.
        pushed.map_err(|_| Error::ValueChanged)
    }

    /// The entries, from the root on.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::path::KeyPathBuf;
    /// use treedef::{Error, treedef};
    ///
    /// let def = treedef!({"b": *, "w": [*, *]});
    /// let path: KeyPathBuf = "['w'][1]".parse()?;
    /// assert_eq!(def.find(path.entries())?.as_leaf(), Some(2));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn entries(&self) -> impl Iterator<Item = KeyEntry<'_>> + Clone {
        let mut rest = self.bytes.as_slice();
        core::iter::from_fn(move || {
            let mut input = Input::new(rest);
            let entry = match *rest.first()? {
                FLAT_INDEX => {
                    input.byte()?;
                    KeyEntry::FlatIndex(input.number()?)
                }
                SOME => {
                    input.byte()?;
                    KeyEntry::Some
                }
                _ => ChildKey::take(&mut input)?.into(),
            };
            rest = input.rest;
            Some(entry)
        })
    }
}

/// Copies the entries.
///
/// # Examples
///
/// ```
/// use treedef::path::KeyPathBuf;
/// use treedef::treedef;
///
/// let paths: Vec<KeyPathBuf> = treedef!([*, {"a": *}]).paths().map(KeyPathBuf::from).collect();
/// assert_eq!(paths[1].to_string(), "[1]['a']");
/// ```
impl From<Path<'_>> for KeyPathBuf {
    fn from(path: Path<'_>) -> Self {
        // No value in a treedef nests too deep.
        Self::new(path.entries()).unwrap_or_default()
    }
}
