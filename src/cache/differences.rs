//! Finds the parts in which two call keys differ, to explain why a cache missed.

use core::fmt;

use super::key::CallKey;
use super::part::{Part, Parts};
use crate::base::show::{Shown, debug_struct};
use crate::treedef::deep::LeafPairs;
use crate::treedef::path::Path;
use crate::treedef::treedef::TreeDef;

impl<'a> CallKey<'a> {
    /// Iterates over the parts in which `found` differs from this key, in order: they explain why `found` missed.
    ///
    /// There are no differences if and only if the keys are equal. A part is compared with a part of the same kind. If
    /// one key has more arrays in a row than the other, or more values, the rest of the row is missing or unexpected,
    /// and the parts after it are compared again.
    ///
    /// If a structure is followed by exactly one array for each of its leaves, the arrays belong to the leaves: they
    /// are compared by the paths of the leaves, and each difference has its [path](KeyDifference::path). The comparison
    /// of paths ignores the kinds of nodes, and `Some` around a leaf.
    ///
    /// Takes a few passes over the bytes of each key, without recursion; for unsorted names see [`Differences::deep`].
    /// If two different structures have more than [`MAX_PENDING`](crate::format::MAX_PENDING) pending levels, their
    /// arrays are compared by position, without paths. In two cases a leaf can be reported both as missing and as
    /// unexpected: if keys of an ordered node on its path changed places, or if lists and dictionaries differ at eight
    /// nested levels.
    ///
    /// [`Differences::deep`]: crate::diff::Differences::deep
    ///
    /// These are the explanations of `jax_explain_cache_misses` for input trees, input types and static arguments.
    /// `DIFFERENCE`: JAX compares with the closest of all keys that it has seen. Here the caller chooses the key, such
    /// as the one of `cache.iter()` with the least `known.differences(key).count()`.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::{Dtype, KeyWriter};
    /// use treedef::{CallKey, Error, treedef};
    ///
    /// let (mut old, mut new) = ([0; 32], [0; 32]);
    /// let mut key = KeyWriter::new(&mut old);
    /// key.treedef(treedef!({"b": *, "w": *})).array(Dtype::Float32, false, &[3]).array(Dtype::Float32, false, &[3, 4]);
    /// key.meta(&true);
    /// let known = key.finish()?;
    /// let mut key = KeyWriter::new(&mut new);
    /// key.treedef(treedef!({"b": None, "w": *})).array(Dtype::Float16, false, &[3, 4]).meta(&false);
    /// let called = key.finish()?;
    ///
    /// assert_eq!(known.differences(called).summary().to_string(), "\
    /// part 0: 1 difference; expected 2 leaves, found 1:
    ///   at ['b']: expected a leaf, found None
    /// part 1 at ['b']: missing float32[3]
    /// part 2 at ['w']: expected float32[3,4], found float16[3,4]
    /// part 3: expected True, found False");
    /// assert_eq!(known.differences(known).summary().to_string(), "no differences");
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn differences(self, found: CallKey<'a>) -> KeyDifferences<'a> {
        let (expected, found) = (Side::new(self), Side::new(found));
        KeyDifferences { expected, found, row: None, arrays: None }
    }
}

/// An iterator over the parts in which two keys differ, from [`CallKey::differences`]. Takes 4 kB.
///
/// # Examples
///
/// ```
/// use treedef::{CallKey, TreeDef};
///
/// let (known, called) = (CallKey::of(TreeDef::LEAF), CallKey::of(TreeDef::NONE));
/// assert_eq!(known.differences(called).count(), 1);
/// ```
#[derive(Clone)]
#[must_use = "iterators do nothing until they are consumed"]
pub struct KeyDifferences<'a> {
    expected: Side<'a>,
    found: Side<'a>,
    /// A part of the last row.
    row: Option<Part<'a>>,
    /// The arrays of the leaves of two structures, while they are compared.
    arrays: Option<Arrays<'a>>,
}

debug_struct!([] KeyDifferences<'_> { expected, found });

/// The rest of a key.
#[derive(Clone)]
struct Side<'a> {
    parts: Parts<'a>,
    /// The number of parts before it.
    read: u32,
}

debug_struct!([] Side<'_> { read });

impl<'a> Side<'a> {
    const fn new(key: CallKey<'a>) -> Self {
        Self { parts: key.parts(), read: 0 }
    }

    /// Returns the next part.
    fn peek(&self) -> Option<Part<'a>> {
        self.clone().next().map(|(_, part)| part)
    }

    /// Takes the arrays of the leaves of `def`, if exactly that number of arrays comes next.
    fn arrays_of(&mut self, def: TreeDef<'a>) -> Option<Leaves<'a>> {
        let leaves = Leaves { def, next: 0, arrays: self.clone() };
        let is_array = |part| matches!(part, Some(Part::Array(_)));
        let all = (0..def.leaves()).all(|_| is_array(self.next().map(|(_, part)| part)));
        (all && !is_array(self.peek())).then_some(leaves)
    }
}

impl<'a> Iterator for Side<'a> {
    /// A part with its index.
    type Item = (u32, Part<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let (index, part) = (self.read, self.parts.next()?);
        self.read = index.saturating_add(1);
        Some((index, part))
    }
}

/// Iterates over the leaves of a structure: the index of the leaf, the index of its array in the key, and the array.
#[derive(Clone)]
struct Leaves<'a> {
    def: TreeDef<'a>,
    next: u32,
    arrays: Side<'a>,
}

debug_struct!([] Leaves<'_> { def });

impl<'a> Iterator for Leaves<'a> {
    type Item = (u32, u32, Part<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let leaf = self.next;
        let (index, part) = (leaf < self.def.leaves()).then(|| self.arrays.next())??;
        self.next = leaf.saturating_add(1);
        Some((leaf, index, part))
    }
}

/// Iterates over the arrays of the leaves of two structures: first the expected arrays, each with the found array at
/// the same path, then the remaining found arrays.
///
/// The leaves of the next pair are never before the next leaves of `expected` and `found`. So one comparison with
/// `pair` decides whether these have a counterpart.
#[derive(Clone)]
struct Arrays<'a> {
    expected: Leaves<'a>,
    found: Leaves<'a>,
    /// All found arrays, while they are read as counterparts.
    all_found: Option<Leaves<'a>>,
    /// The next pair of leaves at one path, and the pairs after it.
    pair: Option<(u32, u32)>,
    pairs: LeafPairs<'a>,
}

debug_struct!([] Arrays<'_> { expected, found });

impl<'a> Arrays<'a> {
    fn new(expected: Leaves<'a>, found: Leaves<'a>) -> Self {
        let mut pairs = LeafPairs::of(expected.def, found.def);
        let (all_found, pair) = (Some(found.clone()), pairs.next().and_then(Result::ok));
        Self { all_found, expected, found, pair, pairs }
    }

    /// Takes the next pair, if `is` is true for it.
    fn take_pair(&mut self, is: impl Fn(u32, u32) -> bool) -> Option<(u32, u32)> {
        let pair = self.pair.filter(|(first, second)| is(*first, *second))?;
        self.pair = self.pairs.next().and_then(Result::ok);
        Some(pair)
    }

    /// Compares the arrays of the next leaf. Returns `None` after the last.
    fn compare(&mut self) -> Option<KeyDifference<'a>> {
        if let Some((leaf, index, expected)) = self.expected.next() {
            let found = self.take_pair(|first, _| first == leaf).and_then(|(_, second)| {
                self.found.nth(second.saturating_sub(self.found.next) as usize)
            });
            let (found, leaf) = (found.map(|(_, _, part)| part), Some((self.expected.def, leaf)));
            return Some(KeyDifference { index, expected: Some(expected), found, leaf });
        }
        if let Some(found) = self.all_found.take() {
            *self = Self { all_found: None, ..Self::new(self.expected.clone(), found) };
        }
        let (leaf, index, found) = self.found.next()?;
        let pair = self.take_pair(|_, second| second == leaf);
        let (found, leaf) = (pair.is_none().then_some(found), Some((self.found.def, leaf)));
        Some(KeyDifference { index, expected: None, found, leaf })
    }
}

impl<'a> KeyDifferences<'a> {
    /// Summarizes the remaining differences in a few lines of text: one line for each part, up to six for a structure,
    /// and at most five parts. The text is made when it is displayed.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{CallKey, treedef};
    ///
    /// let (known, called) = (CallKey::of(treedef!((*, *))), CallKey::of(treedef!((*, None))));
    /// assert_eq!(known.differences(called).summary().to_string(), "\
    /// part 0: 1 difference; expected 2 leaves, found 1:
    ///   at [1]: expected a leaf, found None");
    /// ```
    pub const fn summary(self) -> KeySummary<'a> {
        KeySummary { differences: self }
    }
}

/// Whether both are structures, or both arrays, values or bytes.
fn same_kind(a: &Part<'_>, b: &Part<'_>) -> bool {
    core::mem::discriminant(a) == core::mem::discriminant(b)
}

impl<'a> Iterator for KeyDifferences<'a> {
    type Item = KeyDifference<'a>;

    fn next(&mut self) -> Option<KeyDifference<'a>> {
        loop {
            let difference = match self.arrays.as_mut().map(Arrays::compare) {
                Some(Some(difference)) => difference,
                Some(None) => {
                    self.arrays = None;
                    continue;
                }
                None => self.compare()?,
            };
            if difference.expected != difference.found {
                return Some(difference);
            }
        }
    }
}

impl<'a> KeyDifferences<'a> {
    /// Compares the next parts. Returns `None` at the end.
    fn compare(&mut self) -> Option<KeyDifference<'a>> {
        let (mut expected, mut found) = (self.expected.peek(), self.found.peek());
        let mut row = expected.or(found);
        if let (Some(one), Some(other)) = (expected, found)
            && !same_kind(&one, &other)
        {
            // At most one of them continues the row. If neither does, they are compared with each other.
            (expected, found, row) = match self.row {
                Some(row) if same_kind(&row, &one) => (expected, None, Some(row)),
                Some(row) if same_kind(&row, &other) => (None, found, Some(row)),
                _ => (expected, found, None),
            };
        }
        self.row = row;
        let index = match (expected, found) {
            (None, None) => return None,
            (Some(_), _) => self.expected.read,
            (None, _) => self.found.read,
        };
        if expected.is_some() {
            self.expected.next();
        }
        if found.is_some() {
            self.found.next();
        }
        if let (Some(Part::TreeDef(expected)), Some(Part::TreeDef(found))) = (expected, found) {
            self.enter(expected, found);
        }
        Some(KeyDifference { index, expected, found, leaf: None })
    }

    /// Begins to compare the arrays of the leaves of two structures, if both have them and the paths of both can be
    /// walked.
    fn enter(&mut self, expected: TreeDef<'a>, found: TreeDef<'a>) {
        let (mut first, mut second) = (self.expected.clone(), self.found.clone());
        if let Some(ours) = first.arrays_of(expected)
            && let Some(theirs) = second.arrays_of(found)
            && LeafPairs::of(expected, found).all(|pair| pair.is_ok())
        {
            (self.expected, self.found) = (first, second);
            if expected.leaves().max(found.leaves()) > 0 {
                // The next parts start a new row.
                self.row = None;
            }
            self.arrays = Some(Arrays::new(ours, theirs));
        }
    }
}

/// One part in which two keys differ, from [`CallKey::differences`].
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
    index: u32,
    expected: Option<Part<'a>>,
    found: Option<Part<'a>>,
    /// The structure and the index of the leaf to which the arrays belong.
    leaf: Option<(TreeDef<'a>, u32)>,
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
    pub fn path(&self) -> Option<Path<'a>> {
        let (def, leaf) = self.leaf?;
        def.path(leaf as usize)
    }
}

impl fmt::Display for KeyDifference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "part {}", Shown(self.index))?;
        if let Some(path) = self.path()
            && path.entries().next().is_some()
        {
            write!(f, " at {path}")?;
        }
        f.write_str(": ")?;
        match (&self.expected, &self.found) {
            (Some(Part::TreeDef(expected)), Some(Part::TreeDef(found))) => {
                fmt::Display::fmt(&expected.differences(*found).summary(), f)
            }
            (Some(expected), Some(found)) => write!(f, "expected {expected}, found {found}"),
            (Some(expected), None) => write!(f, "missing {expected}"),
            (None, Some(found)) => write!(f, "unexpected {found}"),
            (None, None) => Ok(()),
        }
    }
}

/// The largest number of parts in a summary.
const WRITTEN: u32 = 5;

/// The differences of two keys in a few lines of text, from [`KeyDifferences::summary`].
///
/// # Examples
///
/// ```
/// use treedef::{CallKey, TreeDef};
///
/// let key = CallKey::of(TreeDef::LEAF);
/// assert_eq!(key.differences(key).summary().to_string(), "no differences");
/// ```
#[derive(Clone)]
#[must_use = "does nothing until it is printed"]
pub struct KeySummary<'a> {
    differences: KeyDifferences<'a>,
}

debug_struct!([] KeySummary<'_> { differences });

impl fmt::Display for KeySummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all = 0u32;
        for difference in self.differences.clone() {
            if all < WRITTEN {
                write!(f, "{}{difference}", if all == 0 { "" } else { "\n" })?;
            }
            all = all.saturating_add(1);
        }
        match all.checked_sub(WRITTEN) {
            _ if all == 0 => f.write_str("no differences"),
            None | Some(0) => Ok(()),
            Some(more) => {
                write!(f, "\nand {} more part", Shown(more))?;
                f.write_str(if more == 1 { "" } else { "s" })
            }
        }
    }
}
