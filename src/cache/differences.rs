//! Which parts of two call keys differ: why a cache missed.

use core::fmt;

use super::key::CallKey;
use super::part::{Part, Parts};
use crate::base::show::{Shown, debug_struct};
use crate::format::entry::KeyEntry;
use crate::format::head::Kind;
use crate::treedef::path::Path;
use crate::treedef::treedef::TreeDef;

impl<'a> CallKey<'a> {
    /// The parts in which `found` differs from this key, in order: why compiled code was not found for it.
    ///
    /// None exactly if the two are equal. Parts are compared with those of their own kind: where one key has more
    /// arrays in a row than the other, or more values, the rest of the row is missing or unexpected, and what follows
    /// lines up again. Arrays right behind a structure, just as many as it has leaves, are those of its leaves: they are
    /// compared by the paths of the leaves, and each difference tells its [path](KeyDifference::path).
    ///
    /// Two passes over the bytes of each, without recursion. Where two structures differ the path of each of their leaves
    /// is searched for ([`TreeDef::find`](crate::TreeDef::find)), so that the cost grows with the square of the leaves; of
    /// structures with more than 1024 arrays are then compared one after the other, without paths. The place of a
    /// difference inside a structure is looked for only when a [`KeyDifference`] is written.
    ///
    /// As the explanations of `jax_explain_cache_misses` for input trees, input types and static arguments.
    /// `DIFFERENCE`: JAX looks for the closest of all keys it has seen; here the caller chooses the one to compare
    /// with, such as the one of `cache.iter()` with the least `known.differences(key).count()`.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{CallKey, Dtype, Error, KeyWriter, treedef};
    ///
    /// let (mut old, mut new) = ([0; 32], [0; 32]);
    /// let mut key = KeyWriter::new(&mut old);
    /// key.treedef(treedef!({"b": *, "w": *})).array(Dtype::Float32, false, &[3]).array(Dtype::Float32, false, &[3, 4]);
    /// key.statics(&true);
    /// let known = key.finish()?;
    /// let mut key = KeyWriter::new(&mut new);
    /// key.treedef(treedef!({"b": None, "w": *})).array(Dtype::Float16, false, &[3, 4]).statics(&false);
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

/// The parts in which two keys differ; from [`CallKey::differences`].
#[derive(Clone)]
pub struct KeyDifferences<'a> {
    expected: Side<'a>,
    found: Side<'a>,
    /// A part of the row that was compared last.
    row: Option<Part<'a>>,
    /// The arrays behind two structures, while they are compared.
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
        self.parts.clone().next()
    }

    /// Goes on behind the part that comes next.
    fn skip(&mut self) {
        self.parts.next();
        self.read = self.read.saturating_add(1);
    }

    /// Goes on behind the arrays of the leaves of `def`, if these and no more come next, and gives the first of them and
    /// the last.
    fn skip_arrays(&mut self, def: TreeDef<'a>) -> Option<(Leaves<'a>, Option<Part<'a>>)> {
        let (mut behind, mut last) = (self.clone(), None);
        for _ in 0..def.num_leaves() {
            last = behind.peek();
            let Some(Part::Array(_)) = last else { return None };
            behind.skip();
        }
        if let Some(Part::Array(_)) = behind.peek() {
            return None;
        }
        Some((Leaves { def, arrays: core::mem::replace(self, behind) }, last))
    }
}

/// A structure and the arrays of its leaves.
#[derive(Clone)]
struct Leaves<'a> {
    def: TreeDef<'a>,
    arrays: Side<'a>,
}

debug_struct!([] Leaves<'_> { def });

impl<'a> Leaves<'a> {
    fn num_leaves(&self) -> u32 {
        self.def.leaves()
    }

    /// The array of this leaf.
    fn array(&self, leaf: u32) -> Option<Part<'a>> {
        self.arrays.parts.clone().nth(leaf as usize)
    }

    /// The leaf that has the path of a leaf of another structure; a `Some` on the way or around it makes no difference.
    fn leaf_at(&self, path: Path<'_>) -> Option<u32> {
        let found = self.def.find(path.entries().filter(|entry| *entry != KeyEntry::Some)).ok()?;
        let mut def = found.treedef();
        while def.kind() == Kind::Some {
            def = def.child(0)?;
        }
        if def.is_leaf() { u32::try_from(found.leaves().start).ok() } else { None }
    }

    /// The leaf with the same path as this one of another structure, where each is found by the path of the other.
    fn counterpart(&self, other: &Leaves<'_>, leaf: u32) -> Option<u32> {
        let own = self.leaf_at(other.def.path(leaf as usize)?)?;
        let back = other.leaf_at(self.def.path(own as usize)?)?;
        (back == leaf).then_some(own)
    }

    /// What is told of the array of a leaf.
    fn difference(
        &self,
        leaf: u32,
        expected: Option<Part<'a>>,
        found: Option<Part<'a>>,
    ) -> KeyDifference<'a> {
        let index = self.arrays.read.saturating_add(leaf);
        KeyDifference { index, expected, found, leaf: Some((self.def, leaf)) }
    }
}

/// The arrays of the leaves of two structures.
#[derive(Clone)]
struct Arrays<'a> {
    expected: Leaves<'a>,
    found: Leaves<'a>,
    /// The next leaf: of those that are expected, and then of those that are found.
    next: u32,
    /// The arrays from that leaf on; of equal structures, those that are found.
    rest: (Parts<'a>, Parts<'a>),
}

debug_struct!([] Arrays<'_> { expected, found, next });

impl<'a> Arrays<'a> {
    fn new(expected: Leaves<'a>, found: Leaves<'a>) -> Self {
        let rest = (expected.arrays.parts.clone(), found.arrays.parts.clone());
        Self { expected, found, next: 0, rest }
    }

    /// Compares the arrays of the next leaf, if there is one more.
    fn compare(&mut self) -> Option<KeyDifference<'a>> {
        let leaf = self.next;
        self.next = leaf.checked_add(1)?;
        let Some(unexpected) = leaf.checked_sub(self.expected.num_leaves()) else {
            let expected = self.rest.0.next();
            let found = if self.expected.def == self.found.def {
                self.rest.1.next()
            } else {
                let leaf = self.found.counterpart(&self.expected, leaf);
                leaf.and_then(|leaf| self.found.array(leaf))
            };
            return Some(self.expected.difference(leaf, expected, found));
        };
        if unexpected >= self.found.num_leaves() {
            return None;
        }
        let same = self.expected.def == self.found.def
            || self.expected.counterpart(&self.found, unexpected).is_some();
        let found = if same { None } else { self.found.array(unexpected) };
        Some(self.found.difference(unexpected, None, found))
    }
}

impl<'a> KeyDifferences<'a> {
    /// The differences that are left, on a few lines for people: of each part one, of a structure up to six, of at most
    /// five parts. Made when it is written.
    pub const fn summary(self) -> KeySummary<'a> {
        KeySummary { differences: self }
    }
}

/// Leaves that the arrays of unlike structures are compared for; the cost grows with the square of the leaves.
const MATCHED: usize = 1024;

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
            // Only one of them can go on with the row; where none does, they stand for each other.
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
            self.expected.skip();
        }
        if found.is_some() {
            self.found.skip();
        }
        if let (Some(Part::TreeDef(expected)), Some(Part::TreeDef(found))) = (expected, found) {
            self.enter(expected, found);
        }
        Some(KeyDifference { index, expected, found, leaf: None })
    }

    /// Goes on with the arrays of the leaves of two structures, if both have them.
    fn enter(&mut self, expected: TreeDef<'a>, found: TreeDef<'a>) {
        if expected != found && expected.num_leaves().max(found.num_leaves()) > MATCHED {
            return;
        }
        let (mut first, mut second) = (self.expected.clone(), self.found.clone());
        if let Some((expected, last)) = first.skip_arrays(expected)
            && let Some((found, other)) = second.skip_arrays(found)
        {
            (self.expected, self.found) = (first, second);
            self.row = last.or(other).or(self.row);
            self.arrays = Some(Arrays::new(expected, found));
        }
    }
}

/// One part in which two keys differ; from [`CallKey::differences`].
///
/// `Display` writes a line, for two structures the lines of their
/// [summary](crate::Differences::summary).
///
/// # Examples
///
/// ```
/// use treedef::{CallKey, Part, TreeDef};
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
    pub const fn index(&self) -> usize {
        self.index as usize
    }

    /// What the expected key has; `None` where the other one has more.
    pub const fn expected(&self) -> Option<Part<'a>> {
        self.expected
    }

    /// What the other key has; `None` where it has less.
    pub const fn found(&self) -> Option<Part<'a>> {
        self.found
    }

    /// The path of the leaf whose array it is; `None` of every other part, and of arrays that do not stand right behind
    /// a structure with just as many leaves.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Dtype, KeyWriter, treedef};
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
