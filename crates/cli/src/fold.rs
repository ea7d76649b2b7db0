//! Folds names that differ only in numbers: `h.0.w`, `h.1.w`, `h.2.w` become `h.{0-2}.w`.

use std::borrow::Cow;

use crate::leaf::Type;
use crate::style::plain;

/// What is said of a leaf beside its name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Text<'a> {
    None,
    Kind(&'a Type),
    Shape(&'a Type),
    /// Two values of a leaf.
    Values(&'a str, &'a str),
}

/// A name or folded names, and what is said of them.
pub(crate) struct Line<'a> {
    pub(crate) name: Cow<'a, str>,
    count: usize,
    text: Text<'a>,
}

impl<'a> From<(&'a str, Text<'a>)> for Line<'a> {
    fn from((name, text): (&'a str, Text<'a>)) -> Self {
        Self { name: name.into(), count: 1, text }
    }
}

impl Line<'_> {
    /// Returns what is said, with the number of names if they are more than one.
    pub(crate) fn text(&self) -> String {
        let text = match self.text {
            Text::None if self.count > 1 => return format!("× {}", self.count),
            Text::None => return String::new(),
            Text::Kind(kind) => kind.to_string(),
            Text::Shape(kind) => kind.shape_text(),
            Text::Values(ours, theirs) => format!("{} → {}", plain(ours), plain(theirs)),
        };
        if self.count > 1 { format!("{} × {text}", self.count) } else { text }
    }
}

/// Folds names with equal texts. Names whose numbers are no ranges stay as they are.
///
/// A name is split into letters and numbers: `h.10.w1` has the letters `h.`, `.w` and the empty end, and the numbers 10 and
/// 1. Names with the same letters and the same text fold if their numbers are all combinations of ranges.
pub(crate) fn fold<'a>(names: Vec<(&'a str, Text<'a>)>) -> Vec<Line<'a>> {
    let mut order: Vec<_> =
        names.iter().enumerate().map(|(at, (name, text))| (letters(name), *text, at)).collect();
    order.sort_unstable();
    // In the order of their first names.
    let mut groups: Vec<_> = order.chunk_by(|(a, x, _), (b, y, _)| (a, x) == (b, y)).collect();
    groups.sort_unstable_by_key(|group| group[0].2);
    let mut lines = Vec::new();
    for group in groups {
        let own = || group.iter().map(|(_, _, at)| names[*at]);
        match folded(own().map(|(name, _)| name)) {
            Some(name) => {
                lines.push(Line { name: name.into(), count: group.len(), text: group[0].1 })
            }
            None => lines.extend(own().map(Line::from)),
        }
    }
    lines
}

/// Returns the letters of a name, with a mark for each number.
pub(crate) fn letters(name: &str) -> Box<str> {
    split(name).0.into()
}

/// Folds names with the same letters, if there are several and their numbers are all combinations of ranges.
fn folded<'a>(names: impl ExactSizeIterator<Item = &'a str> + Clone) -> Option<String> {
    let count = names.len();
    let (letters, first) = split(names.clone().next().filter(|_| count > 1)?);
    let numbers: Vec<u64> = names.flat_map(|name| split(name).1).collect();
    let mut letters = letters.split(NUMBER);
    let (mut name, mut combinations) = (letters.next()?.to_owned(), 1usize);
    for (place, letters) in letters.enumerate() {
        let mut values: Vec<_> = numbers.iter().skip(place).step_by(first.len()).collect();
        values.sort_unstable();
        values.dedup();
        let (first, last) = (*values[0], *values[values.len() - 1]);
        if last - first != values.len() as u64 - 1 {
            return None;
        }
        combinations = combinations.saturating_mul(values.len());
        name += &match last - first {
            0 => first.to_string(),
            1 => format!("{{{first},{last}}}"),
            _ => format!("{{{first}-{last}}}"),
        };
        name += letters;
    }
    (combinations == count).then_some(name)
}

/// The mark of a number in the letters of a name. Names have no characters that are not seen.
pub(crate) const NUMBER: char = '\0';

/// Returns the letters of a name and the numbers between them. Digits that are no number as people write it, such as `007`,
/// count as letters.
fn split(name: &str) -> (String, Vec<u64>) {
    let (mut letters, mut numbers) = (String::with_capacity(name.len()), Vec::new());
    let mut rest = name;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, digits) = rest.split_at(start);
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let (run, after) = digits.split_at(end);
        letters += before;
        let is_number = run == "0" || !run.starts_with('0');
        match run.parse::<u64>().ok().filter(|_| is_number) {
            Some(number) => {
                numbers.push(number);
                letters.push(NUMBER);
            }
            None => letters += run,
        }
        rest = after;
    }
    (letters + rest, numbers)
}

#[cfg(test)]
mod tests {
    use super::{Text, fold};
    use crate::leaf::Type;

    fn folded(names: &[&str]) -> Vec<String> {
        let names = names.iter().map(|name| (*name, Text::None));
        fold(names.collect()).into_iter().map(|line| line.name.into()).collect()
    }

    #[test]
    fn numbers_that_are_ranges_fold() {
        assert_eq!(
            folded(&["h.0.w", "h.1.w", "h.10.w", "h.2.w"]),
            ["h.0.w", "h.1.w", "h.10.w", "h.2.w"]
        );
        assert_eq!(folded(&["h.0.w", "h.1.w", "h.2.w", "lm"]), ["h.{0-2}.w", "lm"]);
        assert_eq!(folded(&["a.0.1", "a.0.2", "a.1.1", "a.1.2"]), ["a.{0,1}.{1,2}"]);
        assert_eq!(folded(&["a.0.1", "a.0.2", "a.1.1"]), ["a.0.1", "a.0.2", "a.1.1"]);
        assert_eq!(folded(&["a.00", "a.01"]), ["a.00", "a.01"]);
        assert_eq!(folded(&["x3"]), ["x3"]);
    }

    #[test]
    fn names_with_other_texts_do_not_fold() {
        let [two, three] = ["f32[2]", "f32[3]"].map(|text| Type::from_text(text).unwrap());
        let lines = fold(vec![
            ("a0", Text::Kind(&two)),
            ("a1", Text::Kind(&two)),
            ("a2", Text::Kind(&three)),
        ]);
        let lines: Vec<_> = lines.iter().map(|line| (&*line.name, line.text())).collect();
        assert_eq!(lines, [("a{0,1}", "2 × f32[2]".into()), ("a2", "f32[3]".into())]);
    }
}
