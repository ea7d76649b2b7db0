//! Patterns of paths: texts in which a `*` is any entry, and `**` any number of entries.
//!
//! A pattern is split into segments, and each is compared with an entry. At a mismatch the last `**` takes one entry more, and what
//! follows it is compared again. For `**.b[*]` and the path `.b.b[1]`:
//!
//! ```text
//! pattern    path       
//! **.b[*]    .b.b[1]    the `**` takes nothing
//! .b[*]      .b.b[1]    the entry `.b`
//! [*]        .b[1]      any entry
//!            [1]        a mismatch: the pattern ended. The `**` takes `.b`
//! .b[*]      .b[1]
//! [*]        [1]
//!                       both ended
//! ```

use core::fmt;

use crate::base::attempt::attempt;
use crate::base::error::Error;
use crate::base::show::debug_as_text;
use crate::format::entry::KeyEntry;
use crate::format::value::Value;
use crate::format::varint::zigzag;
use crate::treedef::segment::{Segment, after_quotes, unreadable_path};

/// A pattern that paths are compared with, such as `layers[*].w` or `**.bias`: to freeze, decay or log leaves by their names.
///
/// It is made of segments:
///
/// | segment | is |
/// |---|---|
/// | `*` | any one entry |
/// | `**` | any number of entries, also none |
/// | `w`, `2` | a field, a string key or an attribute of this name; an index or integer key with these digits |
/// | `[2]`, `[-1]` | an index or an integer key |
/// | `['w']`, `["w"]` | a string key; in it, a backslash comes before a quote or another backslash |
///
/// `.` or `/` comes before a segment without brackets that is not the first; `[*]` and `[**]` are the same as `.*` and `.**`. A name
/// that contains `.`, `/`, `[`, `]` or `*` is a key in quotes. So these texts are patterns, too: what a person types for
/// [`TreeDef::find_str`](crate::TreeDef::find_str), and what a path prints, unless a name in it has one of these letters: the name `*`, as
/// [`KeyPath::typed`](crate::KeyPath::typed) prints it, is the pattern of all names. The inside of a `Some` is no entry here. The empty pattern is
/// the path of the root.
///
/// A text that is no pattern is an error of [`PathPattern::new`], and of the compiler in [`path_pattern!`](crate::path_pattern!).
///
/// # Examples
///
/// ```
/// use treedef::path::{PathPattern, path_pattern};
/// use treedef::over;
/// use treedef::{Error, treedef};
///
/// // The weights of all layers decay, but not their bias.
/// const WEIGHTS: PathPattern<'static> = path_pattern!("[*][0]");
/// let mut layers = [(1.0f32, 0.5f32), (2.0, 0.5)];
/// over(&mut layers).paths().for_each(|path, x| {
///     if WEIGHTS.matches(path) {
///         *x *= 0.5;
///     }
/// })?;
/// assert_eq!(layers, [(0.5, 0.5), (1.0, 0.5)]);
///
/// // From a file of settings.
/// let frozen = PathPattern::new("encoder.**")?;
/// let def = treedef!({"encoder": [{"w": *}], "head": {"w": *}});
/// assert!(def.paths().map(|path| frozen.matches(path)).eq([true, false]));
/// assert_eq!(PathPattern::new("encoder.*[w]"), Err(Error::UnreadablePath { at: 9 }));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[doc(alias("glob", "wildcard", "regex", "freeze"))]
pub struct PathPattern<'t>(&'t str);

impl<'t> PathPattern<'t> {
    /// Reads a pattern.
    ///
    /// # Errors
    ///
    /// [`Error::UnreadablePath`] with the byte of the segment that cannot be read: a bracket or a quote is not closed, an index
    /// has other characters than digits, a name is empty or contains `*` or `]`, or a `.` is missing.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Error;
    /// use treedef::path::PathPattern;
    ///
    /// assert!(PathPattern::new("layers.*.attention/w").is_ok());
    /// assert_eq!(PathPattern::new("layers[*.w"), Err(Error::UnreadablePath { at: 6 }));
    /// assert_eq!(PathPattern::new("layer_*.w"), Err(Error::UnreadablePath { at: 0 }));
    /// ```
    pub const fn new(text: &'t str) -> Result<Self, Error> {
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let at = text.len().saturating_sub(rest.len());
            match split(rest, at == 0) {
                Some((_, after)) => rest = after,
                None => return Err(unreadable_path(at)),
            }
        }
        Ok(Self(text))
    }

    /// Whether the pattern describes all entries of a path: a [`KeyPath`](crate::KeyPath), or any entries.
    ///
    /// It reads the pattern once for each entry that a `**` takes, and needs no memory. Paths with the same entries in another
    /// type of container match alike: `layers.*` is a field or a key.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::path::path_pattern;
    /// use treedef::{KeyEntry, KeyPath, treedef};
    ///
    /// let path = [KeyEntry::Attr("layers"), KeyEntry::Index(3), KeyEntry::Key("b".into())];
    /// assert!(path_pattern!("layers[3].b").matches(KeyPath::new(&path)));
    /// assert!(path_pattern!("**.b").matches(path));
    /// assert!(!path_pattern!("*.b").matches(path));
    /// assert!(treedef!([*, *]).paths().all(|path| path_pattern!("[*].**").matches(path)));
    /// ```
    #[must_use]
    pub fn matches<'k>(
        &self,
        path: impl IntoIterator<Item = KeyEntry<'k>, IntoIter: Clone>,
    ) -> bool {
        let is_shown = |entry: &KeyEntry<'_>| !matches!(entry, KeyEntry::Some);
        let (mut left, mut path) = (self.0.as_bytes(), path.into_iter().filter(is_shown));
        // What follows the last `**`, and the path where it was compared last.
        let mut last = None;
        loop {
            let segment = split(left, true);
            if let Some((segment, rest)) = segment
                && stars(segment) == 2
            {
                (left, last) = (rest, Some((rest, path.clone())));
                continue;
            }
            match (segment, path.next()) {
                (None, None) => return true,
                (_, None) => return false,
                (Some((segment, rest)), Some(entry)) if is(segment, entry) => left = rest,
                _ => {
                    let Some((after, from)) = &mut last else { return false };
                    from.next();
                    (left, path) = (*after, from.clone());
                }
            }
        }
    }
}

/// Prints the text of the pattern.
impl fmt::Display for PathPattern<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

debug_as_text!(
    /// Prints the pattern in parentheses: `PathPattern(**.b)`.
    PathPattern<'_>, "PathPattern({})"
);

/// Whether a segment that is not `**` is this entry.
fn is(segment: &[u8], entry: KeyEntry<'_>) -> bool {
    stars(segment) == 1 || after(segment, entry).is_some_and(<[u8]>::is_empty)
}

/// The number of stars that a segment is made of; 0 if it is no such segment.
const fn stars(segment: &[u8]) -> u32 {
    match segment {
        [b'*'] | [b'.' | b'/', b'*'] | [b'[', b'*', b']'] => 1,
        [b'*', b'*'] | [b'.' | b'/', b'*', b'*'] | [b'[', b'*', b'*', b']'] => 2,
        _ => 0,
    }
}

/// The segment at the front of a pattern, and the pattern after it; `None` if no segment can be read. The first segment may be a name
/// without a dot.
const fn split(pattern: &[u8], is_first: bool) -> Option<(&[u8], &[u8])> {
    let rest = match pattern {
        [b'[', b'*', b']', rest @ ..] | [b'[', b'*', b'*', b']', rest @ ..] => rest,
        [b'[', quote @ (b'\'' | b'"'), quoted @ ..] => attempt!(after_quotes(*quote, quoted)),
        [b'[', ..] => attempt!(attempt!(Segment::open(pattern, is_first)).number()).1,
        [b'.' | b'/', name @ ..] => attempt!(after_name(name)),
        name if is_first => attempt!(after_name(name)),
        _ => return None,
    };
    pattern.split_at_checked(pattern.len().wrapping_sub(rest.len()))
}

/// The text after a name or stars; `None` if there is none, or if a name contains a `*` or `]`.
const fn after_name(text: &[u8]) -> Option<&[u8]> {
    let mut rest = text;
    let mut is_plain = true;
    while let [character, after @ ..] = rest
        && !begins_segment(rest)
    {
        is_plain &= !matches!(*character, b'*' | b']');
        rest = after;
    }
    let (name, _) = attempt!(text.split_at_checked(text.len().wrapping_sub(rest.len())));
    if stars(name) > 0 || is_plain && !name.is_empty() { Some(rest) } else { None }
}

/// What is left of a pattern after its first segment, if that leads to the child with this name.
pub(crate) fn after<'t>(pattern: &'t [u8], name: KeyEntry<'_>) -> Option<&'t [u8]> {
    let segment = open(pattern)?;
    let number = match name {
        KeyEntry::Attr(text) | KeyEntry::Raw(text) | KeyEntry::Key(Value::Str(text)) => {
            let rest = segment.after_name(text.as_bytes(), matches!(name, KeyEntry::Key(_)));
            return rest.filter(|rest| begins_segment(rest));
        }
        KeyEntry::Index(index) | KeyEntry::FlatIndex(index) => i64::from(index),
        KeyEntry::Key(Value::Int(key)) => key,
        _ => return None,
    };
    let (found, rest) = segment.number()?;
    (found == zigzag(number) && begins_segment(rest)).then_some(rest)
}

/// The first segment of a pattern.
pub(crate) const fn open(pattern: &[u8]) -> Option<Segment<'_>> {
    Segment::open(pattern, !pattern.is_empty())
}

/// Whether a path ends here, or goes on with another segment.
pub(crate) const fn begins_segment(rest: &[u8]) -> bool {
    matches!(rest, [] | [b'.' | b'/' | b'[', ..])
}
