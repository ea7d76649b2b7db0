//! Writes key paths as text.

use core::fmt::{self, Write};

use super::repr::text;
use crate::base::show::debug_as_text;
use crate::format::entry::KeyEntry;
use crate::treedef::key_path::KeyPath;

/// Prints an entry as `jax.tree_util.keystr`: `['a']`, `[0]`, `.x`, `[<flat index 0>]`. The text of
/// [`Some`](KeyEntry::Some) is empty.
///
/// # Examples
///
/// ```
/// use core::fmt::Write;
/// use treedef::{KeyEntry, Value};
///
/// let mut text = heapless::String::<32>::new();
/// write!(text, "{}{}", KeyEntry::Key(Value::Str("a")), KeyEntry::Attr("x"))?;
/// assert_eq!(text, "['a'].x");
/// # Ok::<(), core::fmt::Error>(())
/// ```
impl fmt::Display for KeyEntry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        entry(f, *self)
    }
}

/// Writes one entry in the default form.
#[inline(never)]
pub(crate) fn entry(f: &mut dyn Write, entry: KeyEntry<'_>) -> fmt::Result {
    match entry {
        KeyEntry::Index(index) => write!(f, "[{index}]"),
        KeyEntry::FlatIndex(index) => write!(f, "[<flat index {index}>]"),
        KeyEntry::Key(key) => write!(f, "[{key}]"),
        KeyEntry::Attr(name) => {
            f.write_char('.')?;
            f.write_str(name)
        }
        KeyEntry::Raw(text) => f.write_str(text),
        KeyEntry::Some => Ok(()),
    }
}

/// The text of a [`KeyPath`], from [`KeyPath::keystr`] or [`KeyPath::keystr_simple`].
///
/// It implements `Display`, and can be compared with a `str` without a buffer.
///
/// # Examples
///
/// ```
/// use treedef::treedef;
///
/// let path = treedef!([*, {"a": *}]).path(1).unwrap();
/// assert_eq!(path.keystr(), "[1]['a']");
/// assert!(path.keystr_simple(".") == "1.a" && path.keystr_simple(".") != "1.a.0");
/// ```
#[derive(Clone, Copy)]
#[must_use = "does nothing until it is printed"]
pub struct KeyStr<'a> {
    path: KeyPath<'a, 'a>,
    simple: bool,
    separator: &'a str,
}

debug_as_text!(
    /// Prints the text in parentheses: `KeyStr([0].x)`.
    KeyStr<'_>, "KeyStr({})"
);

/// Prints [`KeyPath::keystr`].
///
/// # Examples
///
/// ```
/// use core::fmt::Write;
/// use treedef::treedef;
///
/// let mut text = heapless::String::<16>::new();
/// for path in treedef!([*, {"a": *}]).paths() {
///     write!(text, "{path} ")?;
/// }
/// assert_eq!(text, "[0] [1]['a'] ");
/// # Ok::<(), core::fmt::Error>(())
/// ```
impl fmt::Display for KeyPath<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.keystr().fmt(f)
    }
}

debug_as_text!(
    /// Prints the path in parentheses: `KeyPath([0].x)`.
    KeyPath<'_, '_>, "KeyPath({})"
);

impl<'p> KeyPath<'p, '_> {
    /// Returns the text of `jax.tree_util.keystr(path)`: `['foo'][1].y`. It is empty for the root.
    ///
    /// # Examples
    ///
    /// ```
    /// use core::fmt::Write;
    /// use treedef::TreeDef;
    ///
    /// // [*, {'a': (*, *)}]
    /// let def = TreeDef::from_bytes(&[0x42, 0x00, 0x61, 2, 1, b'a', 0x22, 0x01])?;
    /// let mut text = heapless::String::<64>::new();
    /// for path in def.paths() {
    ///     write!(text, "{} ", path.keystr())?;
    /// }
    /// assert_eq!(text, "[0] [1]['a'][0] [1]['a'][1] ");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub const fn keystr(&self) -> KeyStr<'p> {
        KeyStr { path: *self, simple: false, separator: "" }
    }

    /// Returns the text of `jax.tree_util.keystr(path, simple=True, separator=separator)`: `foo/1/y`.
    ///
    /// The text is not unique: the position 0 and the key `'0'` look alike, and a separator inside a key is not
    /// escaped.
    ///
    /// # Examples
    ///
    /// ```
    /// use core::fmt::Write;
    /// use treedef::TreeDef;
    ///
    /// let def = TreeDef::from_bytes(&[0x42, 0x00, 0x61, 2, 1, b'a', 0x22, 0x01])?; // [*, {'a': (*, *)}]
    /// let mut text = heapless::String::<16>::new();
    /// for path in def.path(1) {
    ///     write!(text, "{}", path.keystr_simple("/"))?;
    /// }
    /// assert_eq!(text, "1/a/0");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub const fn keystr_simple<'s>(&self, separator: &'s str) -> KeyStr<'s>
    where
        'p: 's,
    {
        KeyStr { path: *self, simple: true, separator }
    }
}

impl<'a> KeyStr<'a> {
    /// Puts `separator` between the entries, as `keystr(path, separator=separator)`: `['foo'].[1]..y` for a dot.
    ///
    /// # Examples
    ///
    /// ```
    /// use core::fmt::Write;
    /// use treedef::TreeDef;
    ///
    /// let def = TreeDef::from_bytes(&[0x42, 0x00, 0x61, 2, 1, b'a', 0x22, 0x01])?; // [*, {'a': (*, *)}]
    /// let mut text = heapless::String::<16>::new();
    /// for path in def.path(1) {
    ///     write!(text, "{}", path.keystr().separated_by(" "))?;
    /// }
    /// assert_eq!(text, "[1] ['a'] [0]");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub const fn separated_by(self, separator: &'a str) -> Self {
        Self { path: self.path, simple: self.simple, separator }
    }
}

/// Calls `write` with each entry that is written, in order.
pub(super) fn each<'a>(
    path: KeyPath<'_, 'a>,
    write: impl FnMut(KeyEntry<'a>) -> fmt::Result,
) -> fmt::Result {
    path.entries().filter(|entry| !matches!(entry, KeyEntry::Some)).try_for_each(write)
}

impl KeyStr<'_> {
    fn write(&self, f: &mut dyn Write) -> fmt::Result {
        let mut before = "";
        each(self.path, |entry| {
            if !before.is_empty() {
                f.write_str(before)?;
            }
            before = self.separator;
            match (self.simple, entry) {
                (true, KeyEntry::Index(index) | KeyEntry::FlatIndex(index)) => write!(f, "{index}"),
                (true, KeyEntry::Key(key)) => text(f, key),
                (true, KeyEntry::Attr(name)) => f.write_str(name),
                // Others are the same in both forms.
                _ => self::entry(f, entry),
            }
        })
    }
}

impl fmt::Display for KeyStr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}

impl PartialEq<str> for KeyStr<'_> {
    fn eq(&self, text: &str) -> bool {
        let mut rest = Strip(text);
        self.write(&mut rest).is_ok() && rest.0.is_empty()
    }
}

impl PartialEq<&str> for KeyStr<'_> {
    fn eq(&self, text: &&str) -> bool {
        *self == **text
    }
}

/// A writer that removes each written part from the front of a text, or fails if the text differs.
pub(super) struct Strip<'t>(pub(super) &'t str);

impl Write for Strip<'_> {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        self.0 = self.0.strip_prefix(part).ok_or(fmt::Error)?;
        Ok(())
    }

    fn write_char(&mut self, character: char) -> fmt::Result {
        self.0 = self.0.strip_prefix(character).ok_or(fmt::Error)?;
        Ok(())
    }
}
