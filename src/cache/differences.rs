//! Which parts of two call keys differ: why a cache missed.

use core::fmt;

use super::key::CallKey;
use super::part::{Part, Parts};
use crate::base::show::{Shown, debug_struct};
use crate::treedef::deep::LeafPairs;
use crate::treedef::path::Path;
use crate::treedef::treedef::TreeDef;

impl<'a> CallKey<'a> {
    /// The parts in which `found` differs from this key, in order: why compiled code was not found for it.
    ///
    /// None exactly if the two are equal. Parts are compared with those of their own kind: where one key has more
    /// arrays in a row than the other, or more values, the rest of the row is missing or unexpected, and what follows
    /// lines up again. Arrays right after a structure, exactly as many as it has leaves, are those of its leaves: they
    /// are compared by the paths of the leaves, and each difference has its [path](KeyDifference::path). Kinds of nodes
    /// and a `Some` around a leaf make no difference to them.
    ///
    /// A few passes over the bytes of each, without recursion; names without an order as in [`Differences::deep`].
    /// Arrays are compared one after the other, without paths, where more than
    /// [`MAX_PENDING`](crate::format::MAX_PENDING) levels of two unlike structures are pending. A leaf whose path has
    /// keys that changed places in an ordered node, or lists and dictionaries that differ eight times inside one
    /// another, can be missing and unexpected at once.
    ///
    /// [`Differences::deep`]: crate::diff::Differences::deep
    ///
    /// As the explanations of `jax_explain_cache_misses` for input trees, input types and static arguments.
    /// `DIFFERENCE`: JAX looks for the closest of all keys it has seen; here the caller chooses the one to compare
    /// with, such as the one of `cache.iter()` with the least `known.differences(key).count()`.
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

/// The parts in which two keys differ; from [`CallKey::differences`]. Holds 4 kB.
#[derive(Clone)]
#[must_use = "iterators do nothing until they are consumed"]
pub struct KeyDifferences<'a> {
    expected: Side<'a>,
    found: Side<'a>,
    /// A part of the row that was compared last.
    row: Option<Part<'a>>,
    /// The arrays after two structures, while they are compared.
    arrays: Option<Arrays<'a>>,
}

debug_struct!([] KeyDifferences<'_> { expected, found });

/// What is left of a key.
#[derive(Clone)]
struct Side<'a> {
    parts: Parts<'a>,
    /// The parts before.
    read: u32,
}

debug_struct!([] Side<'_> { read });

impl<'a> Side<'a> {
    const fn new(key: CallKey<'a>) -> Self {
        Self { parts: key.parts(), read: 0 }
    }

    /// The part that comes next.
    fn peek(&self) -> Option<Part<'a>> {
        self.clone().next().map(|(_, part)| part)
    }

    /// Takes the arrays of the leaves of `def`, if these and no more come next.
    fn arrays_of(&mut self, def: TreeDef<'a>) -> Option<Leaves<'a>> {
        let leaves = Leaves { def, next: 0, arrays: self.clone() };
        let is_array = |part| matches!(part, Some(Part::Array(_)));
        let all = (0..def.leaves()).all(|_| is_array(self.next().map(|(_, part)| part)));
        (all && !is_array(self.peek())).then_some(leaves)
    }
}

impl<'a> Iterator for Side<'a> {
    /// A part, after its index.
    type Item = (u32, Part<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let (index, part) = (self.read, self.parts.next()?);
        self.read = index.saturating_add(1);
        Some((index, part))
    }
}

/// The leaves of a structure that are to come: the index of each, that of its array in the key, and the array.
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

/// The arrays of the leaves of two structures: first those that are expected, each with that of the other's leaf at its
/// path, then those of the others that are left.
///
/// The leaves of the next pair are not before the next ones of `expected` and `found`, so one look at it says whether
/// these have a counterpart.
#[derive(Clone)]
struct Arrays<'a> {
    expected: Leaves<'a>,
    found: Leaves<'a>,
    /// All that are found, while they are read as counterparts.
    all_found: Option<Leaves<'a>>,
    /// The next pair, and those after it.
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

    /// Takes the next pair, if it `is` the one that is asked for.
    fn take_pair(&mut self, is: impl Fn(u32, u32) -> bool) -> Option<(u32, u32)> {
        let pair = self.pair.filter(|(first, second)| is(*first, *second))?;
        self.pair = self.pairs.next().and_then(Result::ok);
        Some(pair)
    }

    /// Compares the arrays of the next leaf, if there is one more.
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
    /// The differences that are left, on a few lines for people: of each part one, of a structure up to six, of at most
    /// five parts. Made when it is written.
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
    /// Compares the parts that come next, if there are any.
    fn compare(&mut self) -> Option<KeyDifference<'a>> {
        let (mut expected, mut found) = (self.expected.peek(), self.found.peek());
        let mut row = expected.or(found);
        if let (Some(one), Some(other)) = (expected, found)
            && !same_kind(&one, &other)
        {
            // Only one of them can go on with the row; if none does, they are each other's counterpart.
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

    /// Goes on with the arrays of the leaves of two structures, if both have them and paths of both can be walked.
    fn enter(&mut self, expected: TreeDef<'a>, found: TreeDef<'a>) {
        let (mut first, mut second) = (self.expected.clone(), self.found.clone());
        if let Some(ours) = first.arrays_of(expected)
            && let Some(theirs) = second.arrays_of(found)
            && LeafPairs::of(expected, found).all(|pair| pair.is_ok())
        {
            (self.expected, self.found) = (first, second);
            if expected.leaves().max(found.leaves()) > 0 {
                // No part that comes next goes on with a row of arrays.
                self.row = None;
            }
            self.arrays = Some(Arrays::new(ours, theirs));
        }
    }
}

/// One part in which two keys differ; from [`CallKey::differences`].
///
/// `Display` writes a line, for two structures the lines of their
/// [summary](crate::diff::Differences::summary).
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
    /// The structure and the leaf in it that the arrays belong to.
    leaf: Option<(TreeDef<'a>, u32)>,
}

debug_struct!([] KeyDifference<'_> { index, expected, found });

impl<'a> KeyDifference<'a> {
    /// The place among the parts: of the expected key, or of the other one where the expected key lacks the part.
    #[must_use]
    pub const fn index(&self) -> usize {
        self.index as usize
    }

    /// What the expected key has; `None` where the other one has more.
    #[must_use]
    pub const fn expected(&self) -> Option<Part<'a>> {
        self.expected
    }

    /// What the other key has; `None` where it has less.
    #[must_use]
    pub const fn found(&self) -> Option<Part<'a>> {
        self.found
    }

    /// The path of the leaf whose array it is; `None` of every other part, and of arrays that are not right after a
    /// structure with exactly as many leaves.
    ///
    /// Its entries are found as those of [`TreeDef::path`](crate::TreeDef::path), when they are read.
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

/// Parts that a summary writes at most.
const WRITTEN: u32 = 5;

/// What two keys differ in, on a few lines; from [`KeyDifferences::summary`].
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
