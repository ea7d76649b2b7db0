//! The labels of rows: the texts of keys, and of runs of keys.

use std::borrow::Cow;

use treedef::{KeyEntry, Value};

use crate::style::{is_hidden, plain};

/// Returns the text of a key, as it is shown.
pub(crate) fn text(key: KeyEntry<'_>) -> Cow<'_, str> {
    match key {
        KeyEntry::Index(index) | KeyEntry::FlatIndex(index) => index.to_string().into(),
        KeyEntry::Key(Value::Str(key)) if is_plain(key) => key.into(),
        KeyEntry::Key(key) => plain(&key.to_string()).into(),
        KeyEntry::Attr(name) | KeyEntry::Raw(name) if !name.contains(is_hidden) => name.into(),
        KeyEntry::Attr(name) | KeyEntry::Raw(name) => plain(name).into(),
        _ => "Some".into(),
    }
}

/// Returns the text of a key that is part of a name, which needs no quotes.
pub(crate) fn part(key: KeyEntry<'_>) -> Cow<'_, str> {
    match key {
        KeyEntry::Key(Value::Str(key)) if key.contains(is_hidden) => plain(key).into(),
        KeyEntry::Key(Value::Str(key)) => key.into(),
        key => text(key),
    }
}

/// Whether a key needs no quotes: it has no dot, which joins keys, and nothing that reads as another key.
fn is_plain(key: &str) -> bool {
    let needs_none = |c: char| (c.is_alphanumeric() || "_-/:+~@#".contains(c)) && !is_hidden(c);
    !key.is_empty() && key.chars().all(needs_none)
}

/// Splits the text of a key into the number at its end and what is before it.
fn numbered(key: KeyEntry<'_>) -> Option<(Cow<'_, str>, u64)> {
    if let Some(index) = position(key) {
        return Some(("".into(), index.into()));
    }
    let text = text(key);
    let before = text.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let number = &text[before..];
    // `01` is not the number 1.
    let number = number.parse().ok().filter(|parsed: &u64| parsed.to_string() == number)?;
    let before = match text {
        Cow::Borrowed(text) => text[..before].into(),
        Cow::Owned(text) => text[..before].to_owned().into(),
    };
    Some((before, number))
}

/// The keys of a run.
#[derive(Default, PartialEq)]
pub(crate) struct Keys<'a> {
    first: Option<KeyEntry<'a>>,
    /// What is known of more than one key.
    more: Option<Box<More<'a>>>,
}

#[derive(PartialEq)]
struct More<'a> {
    count: u64,
    /// The first keys, and the last one.
    first: Vec<KeyEntry<'a>>,
    last: KeyEntry<'a>,
    /// If the keys only count up, the text before the number, and the first number.
    run: Option<(Cow<'a, str>, u64)>,
}

/// The number of keys that are written if they are no range.
const KEYS: usize = 4;

impl<'a> Keys<'a> {
    /// Adds keys that count up.
    pub(crate) fn push_run(&mut self, first: KeyEntry<'a>, count: u64) {
        let one_by_one = count.min(KEYS as u64 + 1);
        (0..one_by_one).for_each(|by| self.push(later(first, by)));
        if let Some(more) = &mut self.more
            && count > one_by_one
        {
            more.count += count - one_by_one;
            more.last = later(first, count - 1);
        }
    }

    fn push(&mut self, key: KeyEntry<'a>) {
        let Some(first) = self.first else {
            self.first = Some(key);
            return;
        };
        let more = self.more.get_or_insert_with(|| {
            More { count: 1, first: vec![first], last: first, run: numbered(first) }.into()
        });
        let counts_up = |(before, start): &(Cow<'_, str>, u64)| {
            let next = start.checked_add(more.count);
            numbered(key).is_some_and(|(own, number)| own == *before && Some(number) == next)
        };
        if !more.run.as_ref().is_some_and(counts_up) {
            more.run = None;
        }
        more.count += 1;
        if more.first.len() < KEYS {
            more.first.push(key);
        }
        more.last = key;
    }

    /// Returns the texts of the keys, and of consecutive numbers the first and the last: `0-11`. The number of keys is shown beside
    /// it, so that nobody takes the last for the end of a half-open range.
    pub(crate) fn text(&self, text: fn(KeyEntry<'a>) -> Cow<'a, str>) -> String {
        let Some(more) = &self.more else {
            return self.first.map(text).unwrap_or_default().into_owned();
        };
        let some = |text: Cow<'a, str>| if text.is_empty() { "''".into() } else { text };
        let first: Vec<_> = more.first.iter().map(|key| some(text(*key))).collect();
        match &more.run {
            // Of two short keys the keys themselves are easier to read.
            Some((before, start)) if more.count > 2 || before.len() > 8 => {
                let last = start.saturating_add(more.count - 1);
                match (&**before, more.count) {
                    ("", _) => format!("{start}-{last}"),
                    (before, 2) => format!("{before}{{{start},{last}}}"),
                    (before, _) => format!("{before}{{{start}-{last}}}"),
                }
            }
            _ if more.count > KEYS as u64 => {
                format!("{}, …, {}", first[..2].join(", "), some(text(more.last)))
            }
            _ => first.join(", "),
        }
    }
}

/// Returns the index of a child that has no other key.
fn position(key: KeyEntry<'_>) -> Option<u32> {
    match key {
        KeyEntry::Index(index) | KeyEntry::FlatIndex(index) => Some(index),
        _ => None,
    }
}

/// Returns the key of the child that is `by` children later.
pub(crate) fn later(key: KeyEntry<'_>, by: u64) -> KeyEntry<'_> {
    let after = |index: u32| u32::try_from(u64::from(index) + by).unwrap_or(u32::MAX);
    match key {
        KeyEntry::Index(index) => KeyEntry::Index(after(index)),
        KeyEntry::FlatIndex(index) => KeyEntry::FlatIndex(after(index)),
        other => other,
    }
}
