//! Finds the parts in which two call keys differ, to explain why a cache missed.

use core::fmt;

use super::arrays::{Arrays, Side, can_be_walked};
use super::difference::KeyDifference;
use super::key::CallKey;
use super::part::Part;
use crate::base::show::{Counted, debug_struct, separated};
use crate::treedef::treedef::TreeDef;

impl<'a> CallKey<'a> {
    /// Iterates over the parts in which `found` differs from this key, in order: they explain why `found` missed.
    ///
    /// There are no differences if and only if the keys are equal. A part is compared with a part of the same kind. If
    /// one key has more arrays in a row than the other, or more values, the rest of the row is missing or unexpected,
    /// and the parts after it are compared again. Named parts are compared by name, if they are in the next 16 parts.
    ///
    /// If a structure is followed by exactly one array for each of its leaves, the arrays belong to the leaves: they
    /// are compared by the paths of the leaves, and each difference has its [path](KeyDifference::path). The comparison
    /// of paths ignores the kinds of nodes, and `Some` around a leaf.
    ///
    /// Takes a few passes over the bytes of each key, without recursion; for unsorted names see [`Differences::deep`].
    /// If two different structures have more than [`MAX_PENDING`](crate::format::MAX_PENDING) pending levels, their
    /// arrays are compared by position, without paths. A leaf can be reported both as missing and as unexpected if lists
    /// and dictionaries differ at eight nested levels.
    ///
    /// [`Differences::deep`]: crate::diff::Differences::deep
    ///
    /// These are the explanations of `jax_explain_cache_misses` for input trees, input types and static arguments.
    /// `DIFFERENCE`: JAX compares with the closest of all keys that it has seen. Here the caller chooses the key;
    /// [`CallKey::nearest`] finds the closest.
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

    /// The key of `known` that differs from this one in the fewest parts, to explain why this one was not found. `None` if
    /// there are no known keys.
    ///
    /// A key with the same first part is nearer than every key with another one. So write the name of the function first: a
    /// miss is then explained by a call of the same function, if there was one. Of equally near keys it is the first.
    ///
    /// Costs the time of [`CallKey::differences`] for each known key. As the search of `jax_explain_cache_misses`.
    ///
    /// # Examples
    ///
    /// ```
    /// # #[cfg(feature = "alloc")] {
    /// use treedef::cache::{Dtype, KeyBox, KeyWriter};
    ///
    /// let key = |function: &'static str, rows, flag: bool| {
    ///     KeyBox::build(move |key| {
    ///         key.meta(function).array(Dtype::Float32, false, &[rows]).meta(&flag);
    ///     })
    /// };
    /// let known = [key("eval", 4, true)?, key("train", 2, false)?, key("train", 3, true)?];
    /// let called = key("train", 4, true)?;
    /// let nearest = called.as_key().nearest(known.iter().map(KeyBox::as_key)).expect("there are keys");
    /// assert_eq!(
    ///     nearest.differences(called.as_key()).summary().to_string(),
    ///     "part 1: expected float32[3], found float32[4]"
    /// );
    /// # }
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn nearest<'k>(self, known: impl IntoIterator<Item = CallKey<'k>>) -> Option<CallKey<'k>> {
        let first = self.parts().next();
        known
            .into_iter()
            .map(|key| {
                // Not `count`, which can overflow where that is checked.
                let count = key.differences(self).fold(0u32, |sum, _| sum.saturating_add(1));
                (key.parts().next() != first, count, key)
            })
            .min_by_key(|(is_other, count, _)| (*is_other, *count))
            .map(|(_, _, key)| key)
    }
}

/// An iterator over the parts in which two keys differ, from [`CallKey::differences`]. Takes 5 kB.
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

impl<'a> KeyDifferences<'a> {
    /// Summarizes the remaining differences in a few lines of text: one line for each part, up to six for a structure,
    /// and at most five parts. If only the order of [named](crate::cache::KeyWriter::named) parts differs, it says that. The text is
    /// made when it is displayed.
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
    /// Whether both keys have the same parts to come, of which up to 64 are named, with the named ones in another order.
    fn are_reordered(&self) -> bool {
        let sides = [&self.expected, &self.found];
        let parts = |side: &Side<'a>, named| {
            let parts = side.clone().map(|(_, part)| part);
            parts.filter(move |part| matches!(part, Part::Named { .. }) == named)
        };
        let [ours, theirs] = sides.map(|side| parts(side, false));
        let [named, others] = sides.map(|side| parts(side, true));
        let same_count = |part: Part<'a>| {
            let [one, other] = sides.map(|side| {
                let equal = parts(side, true).filter(|other| *other == part);
                equal.fold(0u32, |count, _| count.saturating_add(1))
            });
            one == other
        };
        self.arrays.is_none()
            && named.chain(others).zip(0u32..=128).all(|(part, at)| at < 128 && same_count(part))
            && ours.eq(theirs)
    }

    /// Compares the next parts. Returns `None` at the end.
    fn compare(&mut self) -> Option<KeyDifference<'a>> {
        let (mut expected, mut found) = (self.expected.peek(), self.found.peek());
        let mut row = expected.or(found);
        if let (Some(Part::Named { name: one, .. }), Some(Part::Named { name: other, .. })) =
            (expected, found)
            && one != other
        {
            // One of them is compared alone: the one whose name the other key does not have.
            match (self.found.names(one), self.expected.names(other)) {
                (true, false) => expected = None,
                (false, true) => found = None,
                _ if one > other => expected = None,
                _ => found = None,
            }
        }
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

    /// Begins to compare the arrays of the leaves of two structures, if both keys have arrays and both structures can be walked.
    fn enter(&mut self, expected: TreeDef<'a>, found: TreeDef<'a>) {
        let (mut first, mut second) = (self.expected.clone(), self.found.clone());
        if let Some(ours) = first.arrays_of(expected)
            && let Some(theirs) = second.arrays_of(found)
            && can_be_walked(expected, found)
        {
            (self.expected, self.found) = (first, second);
            if expected.leaf_count().max(found.leaf_count()) > 0 {
                // The next parts start a new row.
                self.row = None;
            }
            self.arrays = Some(Arrays::new(ours, theirs));
        }
    }
}

/// The largest number of parts in a summary.
const WRITTEN: usize = 5;

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
        let mut differences = self.differences.clone();
        if differences.clone().next().is_none() {
            return f.write_str("no differences");
        }
        if differences.are_reordered() {
            return f.write_str("the same parts in another order");
        }
        separated(f, "\n", differences.by_ref().take(WRITTEN), |f, difference| difference.fmt(f))?;
        // `Iterator::count` can overflow.
        match differences.fold(0u32, |count, _| count.saturating_add(1)) {
            0 => Ok(()),
            more => write!(f, "\nand {}", Counted(more, " more part", " more parts")),
        }
    }
}
