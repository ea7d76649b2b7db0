//! Folds names that differ only in numbers: `h.0.w`, `h.1.w`, `h.2.w` become `h.{0..3}.w`.

use std::collections::{BTreeMap, BTreeSet};

/// Folds names with equal texts. Names whose numbers are no ranges stay as they are.
///
/// A name is split into letters and numbers: `h.10.w1` has the letters `h.`, `.w` and the empty end, and the numbers 10 and
/// 1. Names with the same letters and the same text fold if their numbers are all combinations of ranges.
pub(crate) fn fold(names: Vec<(String, String)>) -> Vec<(String, String)> {
    let mut groups: BTreeMap<(Vec<String>, String), usize> = BTreeMap::new();
    // In the order of their first names.
    let mut folded: Vec<Group> = Vec::new();
    for (name, text) in names {
        let (letters, numbers) = split(&name);
        let at = *groups.entry((letters.clone(), text.clone())).or_insert_with(|| {
            folded.push(Group { letters, text, names: Vec::new(), numbers: Vec::new() });
            folded.len() - 1
        });
        folded[at].names.push(name);
        folded[at].numbers.push(numbers);
    }
    folded.into_iter().flat_map(Group::lines).collect()
}

/// Names with the same letters and the same text.
struct Group {
    letters: Vec<String>,
    text: String,
    names: Vec<String>,
    /// The numbers of each name.
    numbers: Vec<Vec<u64>>,
}

impl Group {
    fn lines(self) -> Vec<(String, String)> {
        let count = self.names.len();
        let Some(ranges) = self.ranges().filter(|_| count > 1) else {
            return self.names.into_iter().map(|name| (name, self.text.clone())).collect();
        };
        let mut name = self.letters[0].clone();
        for ((first, last), letters) in ranges.into_iter().zip(&self.letters[1..]) {
            name += &match last - first {
                0 => first.to_string(),
                1 => format!("{{{first},{last}}}"),
                _ => format!("{{{first}..{}}}", last + 1),
            };
            name += letters;
        }
        let text =
            if self.text.is_empty() { self.text } else { format!("{count} × {}", self.text) };
        vec![(name, text)]
    }

    /// Returns the first and the last of the numbers at each place, if the names are all combinations of them.
    fn ranges(&self) -> Option<Vec<(u64, u64)>> {
        let places = self.letters.len() - 1;
        let mut combinations = 1u64;
        let mut ranges = Vec::new();
        for place in 0..places {
            let values: BTreeSet<u64> = self.numbers.iter().map(|numbers| numbers[place]).collect();
            let (first, last) = (*values.first()?, *values.last()?);
            if last - first != values.len() as u64 - 1 {
                return None;
            }
            combinations = combinations.saturating_mul(values.len() as u64);
            ranges.push((first, last));
        }
        (combinations == self.names.len() as u64).then_some(ranges)
    }
}

/// Splits a name into letters and the numbers between them. Digits that are no number as people write it, such as `007`,
/// count as letters.
fn split(name: &str) -> (Vec<String>, Vec<u64>) {
    let (mut letters, mut numbers) = (vec![String::new()], Vec::new());
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (run, after) = rest.split_at(digits.max(first.len_utf8()));
        match run.parse::<u64>() {
            // A number is never the last there is: its range has an end.
            Ok(number) if number.to_string() == run && number < u64::MAX => {
                numbers.push(number);
                letters.push(String::new());
            }
            _ => letters[numbers.len()].push_str(run),
        }
        rest = after;
    }
    (letters, numbers)
}

#[cfg(test)]
mod tests {
    use super::fold;

    fn folded(names: &[&str]) -> Vec<String> {
        let names = names.iter().map(|name| (name.to_string(), String::new()));
        fold(names.collect()).into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn numbers_that_are_ranges_fold() {
        assert_eq!(
            folded(&["h.0.w", "h.1.w", "h.10.w", "h.2.w"]),
            ["h.0.w", "h.1.w", "h.10.w", "h.2.w"]
        );
        assert_eq!(folded(&["h.0.w", "h.1.w", "h.2.w", "lm"]), ["h.{0..3}.w", "lm"]);
        assert_eq!(folded(&["a.0.1", "a.0.2", "a.1.1", "a.1.2"]), ["a.{0,1}.{1,2}"]);
        assert_eq!(folded(&["a.0.1", "a.0.2", "a.1.1"]), ["a.0.1", "a.0.2", "a.1.1"]);
        assert_eq!(folded(&["a.00", "a.01"]), ["a.00", "a.01"]);
        assert_eq!(folded(&["x3"]), ["x3"]);
    }

    #[test]
    fn names_with_other_texts_do_not_fold() {
        let names = [("a0", "f32[2]"), ("a1", "f32[2]"), ("a2", "f32[3]")];
        let names = names.map(|(name, text)| (name.to_string(), text.to_string()));
        let lines = fold(names.into());
        assert_eq!(
            lines,
            [("a{0,1}", "2 × f32[2]"), ("a2", "f32[3]")]
                .map(|(name, text)| (name.to_string(), text.to_string()))
        );
    }
}
