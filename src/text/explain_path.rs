//! Writes errors about paths as sentences, with the entries that exist.

use core::fmt;

use super::sentences::{Place, Words, variant};
use crate::base::error::Error;
use crate::base::show::{debug_struct, separated};
use crate::format::head::Kind;
use crate::treedef::find::Found;
use crate::treedef::path_cursor::PathCursor;
use crate::treedef::segment::lacking;
use crate::treedef::treedef::TreeDef;

/// An error about a path, as a sentence; from [`Error::explain_path`].
///
/// # Examples
///
/// ```
/// use treedef::treedef;
///
/// let def = treedef!([*, *]);
/// let error = def.find_str("[2]").unwrap_err();
/// assert_eq!(error.explain_path(def, "[2]").to_string(), "no [2] (byte 0) at the root: has [0], [1]");
/// ```
#[derive(Clone, Copy)]
#[must_use = "does nothing until it is printed"]
pub struct PathExplanation<'a> {
    pub(crate) error: Error,
    root: TreeDef<'a>,
    pub(crate) text: &'a str,
}

debug_struct!([] PathExplanation<'_> { error, text as Text });

impl Error {
    /// Explains an error about a path in a sentence with the entries that exist: `no [2] (byte 10) at ['layers']: has
    /// [0], [1]`.
    ///
    /// `def` is the treedef that was searched. `text` is the argument of [`TreeDef::find_str`] or
    /// [`TreeDef::find_keystr`], or empty if the error is from [`TreeDef::find`]. Errors other than
    /// [`Error::UnknownPath`] and [`Error::NotFound`], and errors about another text or treedef, print as by their `Display`.
    ///
    /// # Examples
    ///
    /// ```
    /// use core::fmt::Write;
    /// use treedef::treedef;
    ///
    /// let (def, path) = (treedef!({"layers": [*, *]}), "['layers'][2]");
    /// let mut text = heapless::String::<64>::new();
    /// for error in def.find_str(path).err() {
    ///     write!(text, "{}", error.explain_path(def, path))?;
    /// }
    /// assert_eq!(text, "no [2] (byte 10) at ['layers']: has [0], [1]");
    /// # Ok::<(), core::fmt::Error>(())
    /// ```
    pub fn explain_path<'a>(
        &self,
        def: impl Into<TreeDef<'a>>,
        text: &'a str,
    ) -> PathExplanation<'a> {
        PathExplanation { error: *self, root: def.into(), text }
    }
}

impl<'a> PathExplanation<'a> {
    /// The last node that the path leads to, and the byte or entry of the path that leads nowhere; `None` if the error
    /// cannot be about this text and treedef.
    pub(crate) fn stopped(&self) -> Option<(Found<'a>, u32)> {
        match self.error {
            Error::NotFound { node, at } => {
                if !self.text.is_empty()
                    && self.root.find_keystr(self.text).err() != Some(self.error)
                {
                    return None;
                }
                Some((self.root.node_path(node as usize)?.found()?, at))
            }
            Error::UnknownPath { at } => {
                match self.root.find_str(self.text) {
                    // A leaf was wanted.
                    Ok(found) if found.as_leaf().is_none() && self.text.len() == at as usize => {}
                    found if found.err() == Some(self.error) => {}
                    _ => return None,
                }
                let text = self.text.get(..at as usize)?;
                Some((self.root.find_str(text).ok()?, at))
            }
            _ => None,
        }
    }
}

/// The number of entries that are written, before `…`.
const OFFERED: usize = 8;

impl fmt::Display for PathExplanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((found, at)) = self.stopped() else { return self.error.fmt(f) };
        let head = PathCursor::<false>::new(found.treedef()).skip_some();
        match self.text.get(at as usize..) {
            Some(rest) if !rest.is_empty() => {
                let lacking = if at > 0 && head.num_children() > 0 { lacking(rest) } else { "" };
                write!(f, "no {lacking}{rest} (byte {at})")?;
            }
            _ if matches!(self.error, Error::UnknownPath { .. }) => f.write_str("no leaf")?,
            _ => write!(f, "nothing for entry {at}")?,
        }
        write!(f, " at {}: ", Place(found.path()))?;
        // Another variant can have what is missing.
        if head.kind() == Kind::Struct && head.type_name().and_then(variant).is_some() {
            write!(f, "{} ", Words::short(head))?;
        }
        match head.kind() {
            Kind::Leaf => return f.write_str("a leaf"),
            Kind::None => return f.write_str("None"),
            _ if head.num_children() == 0 => return f.write_str("has no children"),
            _ => f.write_str("has ")?,
        }
        separated(f, ", ", head.entries().take(OFFERED), |f, entry| entry.fmt(f))?;
        f.write_str(if head.num_children() > OFFERED { ", …" } else { "" })
    }
}
