//! Writes the differences of structures in words, each by itself and as a summary.

use core::fmt;

use super::sentences::{InFull, Place, contrast};
use crate::base::levels::{self, Levels};
use crate::base::show::{Counted, debug_struct};
use crate::treedef::difference::Difference;
use crate::treedef::differences::Differences;
use crate::treedef::pair::Relation;

impl fmt::Display for Difference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (expected, found) = &self.heads();
        write!(f, "at {}: ", Place(self.path()))?;
        contrast(f, expected, found)?;
        if f.alternate() {
            write!(f, "\n  expected {}\n  found {}", InFull(expected), InFull(found))?;
        }
        Ok(())
    }
}

/// The differences of two structures in a few lines of text, from [`Differences::summary`].
///
/// It is a text, without `defmt::Format`: log it with `defmt::Display2Format`.
///
/// # Examples
///
/// ```
/// use treedef::treedef;
///
/// let (expected, found) = (treedef!([*, *]), treedef!([*, None]));
/// let text = expected.differences(found).summary().to_string();
/// assert!(text.ends_with("at [1]: expected a leaf, found None"), "{text}");
/// ```
#[derive(Clone)]
#[must_use = "does nothing until it is printed"]
pub struct Summary<'a> {
    pub(crate) differences: Differences<'a>,
}

debug_struct!([] Summary<'_> { differences });

/// The largest number of differences in a summary.
pub(crate) const LINES: usize = 5;

/// The number at which a summary stops to count: a few bytes can encode billions of copies.
const COUNTED: u32 = 10_000;

impl<'a> Differences<'a> {
    /// Summarizes the remaining differences in a few lines of text: their number, the numbers of leaves if these
    /// differ, and the first five differences. It answers "why did my cache miss?".
    ///
    /// The differences are found as by [`Differences::deep`]: if two dictionaries have different keys, the children that
    /// both have are still compared. Equal differences, such as a field that is missing in every layer, share a line.
    /// The text is made when it is displayed. At most 10 000 differences are counted.
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
        // Differences, each with the number of other places with the same difference.
        let mut groups: Levels<(Difference<'_>, u32), LINES> = levels::empty();
        let (mut all, mut error) = (0u32, None);
        for difference in self.differences.clone().take(COUNTED as usize) {
            let difference = difference.map_err(|ended| error = Some(ended));
            let Ok(difference) = difference else { break };
            all = all.saturating_add(1);
            match groups.iter_mut().find(|(first, _)| first.heads() == difference.heads()) {
                Some((_, more)) => *more = more.saturating_add(1),
                // Without room, it is counted.
                None => _ = groups.push((difference, 0)),
            }
        }
        match all {
            0 if error.is_none() => return f.write_str("no differences"),
            0 => f.write_str("no differences so far")?,
            COUNTED => write!(f, "{} differences or more", COUNTED)?,
            all => write!(f, "{}", Counted(all, " difference", " differences"))?,
        }
        let Differences { expected, found, relation, .. } = &self.differences;
        if *relation == Relation::Equal && expected.num_leaves() != found.num_leaves() {
            let expected = Counted(expected.num_leaves(), " leaf", " leaves");
            write!(f, "; expected {expected}, found {}", found.num_leaves())?;
        }
        f.write_str(":")?;
        let mut unsaid = all;
        for (first, more) in &groups {
            write!(f, "\n  {first}")?;
            if *more > 0 {
                let more = Counted(*more, " more place", " more places");
                write!(f, ", and the same at {more}")?;
            }
            unsaid = unsaid.saturating_sub(1).saturating_sub(*more);
        }
        if unsaid > 0 {
            write!(f, "\n  and {unsaid} more")?;
        }
        match error {
            Some(error) => write!(f, "\n  not compared further: {error}"),
            None => Ok(()),
        }
    }
}
