//! One part that differs in two call keys.

use core::fmt;

use super::part::Part;
use crate::base::show::debug_struct;
use crate::text::sentences::both;
use crate::treedef::key_path::KeyPath;
use crate::treedef::treedef::TreeDef;

/// One part that differs in two keys, from [`CallKey::differences`](crate::CallKey::differences).
///
/// `Display` writes one line, or for two structures the lines of their [summary](crate::diff::Differences::summary).
///
/// # Examples
///
/// ```
/// use treedef::cache::Part;
/// use treedef::{CallKey, TreeDef};
///
/// let (known, called) = (CallKey::of(TreeDef::LEAF), CallKey::of(TreeDef::NONE));
/// let difference = known.differences(called).next().expect("they differ");
/// assert_eq!((difference.index(), difference.expected()), (0, Some(Part::TreeDef(TreeDef::LEAF))));
/// assert_eq!(difference.found(), Some(Part::TreeDef(TreeDef::NONE)));
/// ```
#[derive(Clone, Copy)]
pub struct KeyDifference<'a> {
    pub(super) index: u32,
    pub(super) expected: Option<Part<'a>>,
    pub(super) found: Option<Part<'a>>,
    /// The structure and the index of the leaf to which the arrays belong.
    pub(super) leaf: Option<(TreeDef<'a>, u32)>,
}

debug_struct!([] KeyDifference<'_> { index, expected, found });

impl<'a> KeyDifference<'a> {
    /// Returns the index of the part: in the expected key, or in the found key if the part is unexpected.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{CallKey, TreeDef};
    ///
    /// let mut differences = CallKey::of(TreeDef::LEAF).differences(CallKey::of(TreeDef::NONE));
    /// assert_eq!(differences.next().map(|part| part.index()), Some(0));
    /// ```
    #[must_use]
    pub const fn index(&self) -> usize {
        self.index as usize
    }

    /// Returns the part of the expected key, or `None` if the part is unexpected.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::Part;
    /// use treedef::{CallKey, TreeDef};
    ///
    /// let mut differences = CallKey::of(TreeDef::LEAF).differences(CallKey::of(TreeDef::NONE));
    /// let expected = differences.next().and_then(|part| part.expected());
    /// assert_eq!(expected, Some(Part::TreeDef(TreeDef::LEAF)));
    /// ```
    #[must_use]
    pub const fn expected(&self) -> Option<Part<'a>> {
        self.expected
    }

    /// Returns the part of the found key, or `None` if the part is missing.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::Part;
    /// use treedef::{CallKey, TreeDef};
    ///
    /// let mut differences = CallKey::of(TreeDef::LEAF).differences(CallKey::of(TreeDef::NONE));
    /// let found = differences.next().and_then(|part| part.found());
    /// assert_eq!(found, Some(Part::TreeDef(TreeDef::NONE)));
    /// ```
    #[must_use]
    pub const fn found(&self) -> Option<Part<'a>> {
        self.found
    }

    /// Returns the path of the leaf to which the array belongs. Returns `None` for other parts, and for arrays that do
    /// not follow a structure with exactly that number of leaves.
    ///
    /// The entries are found when they are read, as in [`TreeDef::path`](crate::TreeDef::path).
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::{Dtype, KeyWriter};
    /// use treedef::treedef;
    ///
    /// let (mut old, mut new) = ([0; 16], [0; 16]);
    /// let mut key = KeyWriter::new(&mut old);
    /// key.treedef(treedef!({"b": *, "w": *})).array(Dtype::Float32, false, &[3]).array(Dtype::Float32, false, &[3, 4]);
    /// let known = key.finish()?;
    /// let mut key = KeyWriter::new(&mut new);
    /// key.treedef(treedef!({"b": *, "w": *})).array(Dtype::Float32, false, &[3]).array(Dtype::Float32, false, &[9, 4]);
    /// let called = key.finish()?;
    /// let paths = known.differences(called).filter_map(|difference| difference.path());
    /// assert!(paths.map(|path| path.to_string()).eq(["['w']"]));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub fn path(&self) -> Option<KeyPath<'a, 'a>> {
        let (def, leaf) = self.leaf?;
        def.path(leaf as usize)
    }
}

impl fmt::Display for KeyDifference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "part {}", self.index)?;
        if let Some(path) = self.path().filter(|path| !path.is_silent()) {
            write!(f, " at {path}")?;
        }
        f.write_str(": ")?;
        if let (Some(Part::TreeDef(expected)), Some(Part::TreeDef(found))) =
            (self.expected, self.found)
        {
            return expected.differences(found).summary().fmt(f);
        }
        let [expected, found] = [&self.expected, &self.found]
            .map(|side| side.as_ref().map(|part| part as &dyn fmt::Display));
        both(f, expected, found)
    }
}
