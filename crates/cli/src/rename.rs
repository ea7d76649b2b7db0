//! Finds the parts of names that have another name in another file.

use std::collections::{BTreeMap, HashMap};

use crate::fold::{NUMBER, letters};
use crate::pairs::Path;

/// Parts of names, and what takes their place.
pub(crate) struct Rename {
    pub(crate) old: String,
    pub(crate) new: String,
    /// The number of names that are found with it.
    pub(crate) count: usize,
}

/// The largest number of kinds of names on each side. Each is compared with each.
const MAX_KINDS: usize = 300;

/// The number of changes that are tried, those of the most kinds of names first.
const MAX_TRIED: usize = 20;

impl Rename {
    /// Finds the change of names with which most of what is missing is new, and has as many elements. It is worth a line if
    /// these are more than half of one side, and several.
    ///
    /// Names that differ in numbers are of one kind. Two kinds differ by what is between their common parts at both ends; a change
    /// that is only added keeps the part before it, or after it:
    ///
    /// ```text
    /// model.layers.0.q                 model → model.language_model
    /// model.language_model.layers.0.q
    /// ```
    pub(crate) fn find(missing: &[&Path<'_>], new: &[&Path<'_>]) -> Option<Self> {
        let [ours, theirs] = [kinds(missing), kinds(new)];
        let mut tried: BTreeMap<(String, String), usize> = BTreeMap::new();
        for (our, count) in ours.iter().take(MAX_KINDS) {
            for (their, found) in theirs.iter().take(MAX_KINDS) {
                if let Some(change) = change(our, their) {
                    *tried.entry(change).or_default() += count.min(found);
                }
            }
        }
        let mut tried: Vec<_> = tried.into_iter().collect();
        // Of equal ones the shorter.
        tried.sort_by_key(|((old, new), count)| (usize::MAX - count, old.len() + new.len()));
        let known: HashMap<&str, &Path<'_>> = new.iter().map(|path| (&*path.name, *path)).collect();
        let least = missing.len().min(new.len());
        let mut best: Option<Self> = None;
        for ((old, new), _) in tried.into_iter().take(MAX_TRIED) {
            let is_found = |path: &&&Path<'_>| {
                let name = renamed(&path.name, &old, &new);
                let other = name.and_then(|name| known.get(&*name));
                other.is_some_and(|other| path.has_size_of(other))
            };
            let count = missing.iter().filter(is_found).count();
            // The first of those with the most names.
            if best.as_ref().is_none_or(|best| count > best.count) {
                best = Some(Self { old, new, count });
            }
            if count == least {
                break;
            }
        }
        best.filter(|best| best.count > 1 && best.count * 2 > least)
    }
}

/// Returns the kinds of names with the number of names of each: a name with a mark in the place of each number.
fn kinds(paths: &[&Path<'_>]) -> BTreeMap<Box<str>, usize> {
    let mut kinds = BTreeMap::new();
    paths.iter().for_each(|path| *kinds.entry(letters(&path.name)).or_default() += 1);
    kinds
}

/// Returns the parts in which two kinds of names differ, if these have no number.
fn change(ours: &str, theirs: &str) -> Option<(String, String)> {
    let [ours, theirs] = [ours, theirs].map(|name| name.split('.').collect::<Vec<_>>());
    let pairs = ours.iter().zip(&theirs);
    let mut start = pairs.take_while(|(a, b)| a == b).count();
    let rest = ours.len().min(theirs.len()) - start;
    let pairs = ours.iter().rev().zip(theirs.iter().rev());
    let mut end = pairs.take(rest).take_while(|(a, b)| a == b).count();
    // Nothing in common: any name would do.
    if start + end == 0 {
        return None;
    }
    if start + end == ours.len() {
        match start.checked_sub(1).filter(|at| !ours[*at].contains(NUMBER)) {
            Some(before) => start = before,
            None => end = end.checked_sub(1)?,
        }
    }
    let middle = |parts: &[&str]| parts.get(start..parts.len() - end).map(|parts| parts.join("."));
    let (old, new) = (middle(&ours)?, middle(&theirs)?);
    (![&old, &new].iter().any(|text| text.contains(NUMBER))).then_some((old, new))
}

/// Returns a name with other parts in the place of some, wherever they are, or `None` if it has none of them. They may be as the
/// file has them, with slashes.
pub(crate) fn renamed(name: &str, old: &str, new: &str) -> Option<String> {
    let with = |signs: &[char]| {
        let parts: Vec<_> = name.split('.').collect();
        let [old, new] = [old, new].map(|text| match text {
            "" => Vec::new(),
            text => text.split(signs).collect(),
        });
        let (mut out, mut at, mut is_found) = (Vec::new(), 0, false);
        while let Some(part) = parts.get(at) {
            if !old.is_empty() && parts.get(at..at + old.len()) == Some(&old) {
                out.extend(new.iter().copied());
                (at, is_found) = (at + old.len(), true);
            } else {
                out.push(*part);
                at += 1;
            }
        }
        is_found.then(|| out.join("."))
    };
    with(&['.']).or_else(|| with(&['.', '/']).filter(|_| old.contains('/')))
}
