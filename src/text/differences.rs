//! Differences of structures as sentences, one by one and in short.

use core::fmt;

use super::contrast::{contrast, in_full};
use crate::base::error::Error;
use crate::base::show::{Shown, debug_struct};
use crate::treedef::diff::{Difference, Differences};

impl fmt::Display for Difference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, (expected, found)) = (self.path(), self.heads());
        if path.is_silent() {
            f.write_str("at the root: ")?;
        } else {
            write!(f, "at {path}: ")?;
        }
        contrast(f, &expected, &found)?;
        if f.alternate() {
            f.write_str("\n  expected ")?;
            in_full(f, &expected)?;
            f.write_str("\n  found ")?;
            in_full(f, &found)?;
        }
        Ok(())
    }
}

/// What two structures differ in, on a few lines; from [`Differences::summary`].
///
/// A text, and so without `defmt::Format`: it is logged by `defmt::Display2Format`.
#[derive(Clone)]
#[must_use = "does nothing until it is printed"]
pub struct Summary<'a> {
    differences: Differences<'a>,
}

debug_struct!([] Summary<'_> { differences });

/// Lines that a summary has at most for its differences.
const LINES: usize = 5;

/// Differences that a summary counts at most: the copies of a few bytes can be billions.
const COUNTED: u32 = 10_000;

impl<'a> Differences<'a> {
    /// What changed, for people: the number of differences, the leaves if their number changed, and the first five
    /// differences in a line each; the answer to "why did my cache miss".
    ///
    /// The differences are those of [`Differences::deep`]: two dictionaries with other keys are compared further in
    /// what both have. Differences that say the same, such as a field that every layer lacks, share the line of the
    /// first. Made when it is written, from what is left of the iterator; counts at most 10 000.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let cached = treedef!({"layers": [{"b": *, "w": *}, {"b": *, "w": *}, {"b": *, "w": *}], "opt": (*, *)});
    /// let called = treedef!({"layers": [{"w": *}, {"w": *}, {"w": *}], "opt": None});
    /// assert_eq!(cached.differences(called).summary().to_string(), "\
    /// 4 differences; expected 8 leaves, found 3:
    ///   at ['layers'][0]: missing key 'b', and the same at 2 more places
    ///   at ['opt']: expected a tuple of 2, found None");
    /// assert_eq!(cached.differences(cached).summary().to_string(), "no differences");
    /// ```
    pub fn summary(self) -> Summary<'a> {
        Summary { differences: self.deep() }
    }
}

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let groups = Groups::of(self.differences.clone());
        match groups.all {
            0 if groups.error.is_none() => return f.write_str("no differences"),
            0 => f.write_str("no differences so far")?,
            1 => f.write_str("1 difference")?,
            COUNTED => write!(f, "{} differences or more", Shown(COUNTED))?,
            all => write!(f, "{} differences", Shown(all))?,
        }
        let (expected, found) = self.differences.sides();
        if self.differences.is_of_equality() && expected.num_leaves() != found.num_leaves() {
            f.write_str("; expected ")?;
            write!(f, "{} ", Shown(expected.num_leaves()))?;
            f.write_str(if expected.num_leaves() == 1 { "leaf" } else { "leaves" })?;
            write!(f, ", found {}", Shown(found.num_leaves()))?;
        }
        f.write_str(":")?;
        let mut unsaid = groups.all;
        for Group { first, more } in groups.groups.iter().flatten() {
            write!(f, "\n  {first}")?;
            if *more > 0 {
                write!(f, ", and the same at {} more place", Shown(*more))?;
                f.write_str(if *more == 1 { "" } else { "s" })?;
            }
            unsaid = unsaid.saturating_sub(1).saturating_sub(*more);
        }
        if unsaid > 0 {
            write!(f, "\n  and {} more", Shown(unsaid))?;
        }
        match groups.error {
            Some(error) => write!(f, "\n  not compared further: {error}"),
            None => Ok(()),
        }
    }
}

/// Differences by what they say.
struct Groups<'a> {
    groups: [Option<Group<'a>>; LINES],
    all: u32,
    /// What ended the comparison early.
    error: Option<Error>,
}

/// A difference, and how many more say the same of other places.
struct Group<'a> {
    first: Difference<'a>,
    more: u32,
}

impl<'a> Groups<'a> {
    fn of(differences: impl Iterator<Item = Result<Difference<'a>, Error>>) -> Self {
        let mut groups = Self { groups: [const { None }; LINES], all: 0, error: None };
        for difference in differences.take(COUNTED as usize) {
            match difference {
                Ok(difference) => groups.add(difference),
                Err(error) => groups.error = Some(error),
            }
        }
        groups
    }

    fn add(&mut self, difference: Difference<'a>) {
        self.all = self.all.saturating_add(1);
        for slot in &mut self.groups {
            match slot {
                None => {
                    *slot = Some(Group { first: difference, more: 0 });
                    return;
                }
                Some(group) if group.first.says_as(&difference) => {
                    group.more = group.more.saturating_add(1);
                    return;
                }
                Some(_) => {}
            }
        }
    }
}
