//! The keys of an ordered dictionary, as Python's `json.dumps` writes a list of strings.

use core::str::Chars;

use crate::base::error::Error;
use crate::format::head::{EXT, EXT_ORDERED};
use crate::format::heading::{Heading, always, put_block};
use crate::format::key::utf8;
use crate::format::varint::Varint;

/// The most keys that an ordered dictionary in an artifact may have where they are not sorted.
///
/// There is no memory to sort them in, only to look each up among 256 others; with a bound the passes that this takes
/// are at most 16 and the whole stays linear in the bytes.
pub const MAX_ORDERED_KEYS: u32 = 4096;

/// A JSON list of strings, read from the front; as an iterator, its strings.
#[derive(Clone)]
pub(super) struct JsonStrings<'a> {
    /// Behind the opening bracket or a comma; `None` behind the last string.
    rest: Option<&'a str>,
}

impl<'a> JsonStrings<'a> {
    /// Reads a whole list and gives it with the number of its strings; `None` if it is something else.
    ///
    /// Python's strings may hold halves of surrogate pairs, which no UTF-8 has: such a list is something else too.
    pub(super) fn read(text: &'a str) -> Option<(Self, u32)> {
        let rest = space(text).strip_prefix('[')?;
        if let Some(after) = space(rest).strip_prefix(']') {
            return space(after).is_empty().then_some((Self { rest: None }, 0));
        }
        let (all, mut count) = (Self { rest: Some(rest) }, 0u32);
        let mut strings = all.clone();
        loop {
            let (_, after) = strings.step()?;
            count = count.checked_add(1)?;
            if let Some(after) = after.strip_prefix(']') {
                return space(after).is_empty().then_some((all, count));
            }
        }
    }

    /// Reads a string, and what follows it.
    fn step(&mut self) -> Option<(JsonString<'a>, &'a str)> {
        let string = JsonString { rest: space(self.rest.take()?).strip_prefix('"')?.chars() };
        let mut chars = string.clone();
        while chars.step()?.is_some() {}
        let after = space(chars.rest.as_str());
        self.rest = after.strip_prefix(',');
        Some((string, after))
    }
}

impl<'a> Iterator for JsonStrings<'a> {
    type Item = JsonString<'a>;

    fn next(&mut self) -> Option<JsonString<'a>> {
        self.step().map(|(string, _)| string)
    }
}

/// Drops what JSON counts as space.
fn space(text: &str) -> &str {
    text.trim_start_matches([' ', '\t', '\n', '\r'])
}

/// A JSON string from behind its opening quote; as an iterator, its characters.
#[derive(Clone)]
pub(super) struct JsonString<'a> {
    rest: Chars<'a>,
}

impl JsonString<'_> {
    /// Reads a character; `Some(None)` behind the closing quote, `None` where there is no string.
    fn step(&mut self) -> Option<Option<char>> {
        Some(Some(match self.rest.next()? {
            '"' => return Some(None),
            '\\' => match self.rest.next()? {
                'b' => '\u{8}',
                'f' => '\u{c}',
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'u' => self.escaped()?,
                c @ ('"' | '\\' | '/') => c,
                _ => return None,
            },
            c if c < ' ' => return None,
            c => c,
        }))
    }

    /// A character written as one or two units of UTF-16.
    fn escaped(&mut self) -> Option<char> {
        let first = self.unit()?;
        if !(0xD800..0xDC00).contains(&first) {
            return char::from_u32(first);
        }
        let marked = self.rest.next()? == '\\' && self.rest.next()? == 'u';
        let low = self.unit()?.checked_sub(0xDC00).filter(|low| marked && *low < 0x400)?;
        char::from_u32((first & 0x3FF).checked_mul(0x400)?.checked_add(low)?.checked_add(0x1_0000)?)
    }

    /// Four hexadecimal digits.
    fn unit(&mut self) -> Option<u32> {
        (0..4).try_fold(0u32, |unit, _| Some(unit << 4 | self.rest.next()?.to_digit(16)?))
    }
}

impl Iterator for JsonString<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        self.step()?
    }
}

/// The first two equal strings of a list, by their indices.
pub(super) enum Distinct {
    Yes,
    No { first: u32, second: u32 },
    TooMany,
}

/// Whether all strings differ: one pass where they are increasing, else as far as the bound goes a pass for each
/// [`WINDOW`] of them, in which every string meets at most nine others.
pub(super) fn distinct(strings: &JsonStrings<'_>, count: u32) -> Distinct {
    let mut behind = strings.clone();
    behind.next();
    if strings.clone().zip(behind).all(|(a, b)| a.lt(b)) {
        return Distinct::Yes;
    }
    if count > MAX_ORDERED_KEYS {
        return Distinct::TooMany;
    }
    let (mut from, mut rest) = (0u32, strings.clone());
    while from < count {
        let mut window = Window::new(&rest);
        let mut next = rest.clone();
        for second in from..count {
            let Some(string) = rest.next() else { break };
            if let Err(NotNew) = window.meet(&string) {
                let mut earlier = (0..second).zip(strings.clone());
                let first = earlier.find(|(_, other)| other.clone().eq(string.clone()));
                return Distinct::No { first: first.map_or(from, |(first, _)| first), second };
            }
            if second.saturating_sub(from) < WINDOW {
                next = rest.clone();
            }
        }
        (from, rest) = (from.saturating_add(WINDOW), next);
    }
    Distinct::Yes
}

/// The strings that are compared with those behind them in one pass: 1 kB of stack.
const WINDOW: u32 = 256;

/// Some strings in sorted order, by what follows the beginning of each in the list.
struct Window<'a> {
    text: &'a str,
    sorted: [u32; WINDOW as usize],
    len: usize,
}

/// A string is one of the window.
struct NotNew;

impl<'a> Window<'a> {
    fn new(strings: &JsonStrings<'a>) -> Self {
        Self { text: strings.rest.unwrap_or(""), sorted: [0; WINDOW as usize], len: 0 }
    }

    /// Looks a string up, and takes it in where there is room.
    fn meet(&mut self, string: &JsonString<'a>) -> Result<(), NotNew> {
        let order = |left: &u32| self.string(*left).cmp(string.clone());
        let place = match self.sorted.get(..self.len).unwrap_or(&[]).binary_search_by(order) {
            Ok(_) => return Err(NotNew),
            Err(place) => place,
        };
        let Some(behind) = self.sorted.get_mut(place..=self.len) else { return Ok(()) };
        // Below the text's length, which is that of a vector in an artifact.
        let mut carried = u32::try_from(string.rest.as_str().len()).unwrap_or(u32::MAX);
        behind.iter_mut().for_each(|slot| core::mem::swap(slot, &mut carried));
        self.len = self.len.saturating_add(1);
        Ok(())
    }

    fn string(&self, left: u32) -> JsonString<'a> {
        let at = self.text.len().saturating_sub(left as usize);
        JsonString { rest: self.text.get(at..).unwrap_or("").chars() }
    }
}

/// The head of an ordered dictionary whose keys are a JSON list, seen to be distinct.
pub(super) struct OrderedOf<'a> {
    pub(super) keys: JsonStrings<'a>,
    pub(super) count: u32,
    /// The text of the list.
    pub(super) aux: &'a [u8],
}

impl Heading for OrderedOf<'_> {
    fn arity(&self) -> usize {
        self.count as usize
    }

    fn check(&self) -> Result<(), Error> {
        Ok(())
    }

    fn pieces<E>(&self, put: &mut impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        put(&[EXT << 5 | EXT_ORDERED])?;
        put(Varint::new(self.count.into()).as_bytes())?;
        put_block(put, |out| {
            let put = &mut always(out);
            for key in self.keys.clone() {
                let len = key.clone().fold(0u64, |len, c| len.wrapping_add(c.len_utf8() as u64));
                let Ok(()) = put(Varint::new(len).as_bytes());
                for c in key {
                    let (bytes, len) = utf8(c);
                    let Ok(()) = put(bytes.get(..len).unwrap_or_default());
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::string::String;
    use std::vec::Vec;

    use super::*;

    fn read(text: &str) -> Option<Vec<String>> {
        let (strings, count) = JsonStrings::read(text)?;
        let strings: Vec<String> = strings.map(Iterator::collect).collect();
        assert_eq!(strings.len(), count as usize);
        Some(strings)
    }

    #[test]
    fn lists_of_strings_are_read_as_by_python() {
        assert_eq!(read("[]"), Some([].into()));
        assert_eq!(read(" [ \"a\" ,\n\"\" ] "), Some(["a".into(), "".into()].into()));
        // json.dumps(['é\n"\\', '😀'])
        let text = r#"["\u00e9\n\"\\", "\ud83d\ude00"]"#;
        assert_eq!(read(text), Some(["é\n\"\\".into(), "😀".into()].into()));
        assert_eq!(read(r#"["\b\f\r\t\/é"]"#), Some(["\u{8}\u{c}\r\t/é".into()].into()));
    }

    #[test]
    fn everything_else_is_refused() {
        for text in [
            "",
            "[",
            "]",
            "{}",
            "\"a\"",
            "[1]",
            "[,]",
            "[\"a\",]",
            "[\"a\" \"b\"]",
            "[\"a]",
            "[\"a\"",
            "[\"a\"] x",
            "[null]",
            "[[\"a\"]]",
            "[\"\n\"]",
            r#"["\x"]"#,
            r#"["\u12"]"#,
            r#"["\ud83d"]"#,
            r#"["\ude00"]"#,
            r#"["\ud83d\u0041"]"#,
            r#"["\ud83dxude00"]"#,
            "[] []",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn equal_strings_are_found_however_they_are_written() {
        let found = |text: &str| {
            let (strings, count) =
                JsonStrings::read(text).unwrap_or_else(|| unreachable!("{text}"));
            match distinct(&strings, count) {
                Distinct::Yes => None,
                Distinct::No { first, second } => Some((first, second)),
                Distinct::TooMany => Some((u32::MAX, count)),
            }
        };
        assert_eq!(found(r#"["a", "b"]"#), None);
        assert_eq!(found(r#"["b", "a"]"#), None);
        assert_eq!(found(r#"["b", "a", "\u0062"]"#), Some((0, 2)));
        assert_eq!(found(r#"["a", "a"]"#), Some((0, 1)));
        // The second in the pass of the first or in a later one, and each place in the window.
        let count = 600;
        for first in (0..count).step_by(5) {
            for second in [first + 1, first + 255, first + 256, first + 257, count] {
                let mut keys: Vec<_> = (0..=count).rev().map(|key| key * 7919 % 1009).collect();
                let Some(key) = keys.get(first).copied() else { continue };
                let Some(other) = keys.get_mut(second) else { continue };
                *other = key;
                let text: Vec<_> = keys.iter().map(|key| std::format!("\"{key}\"")).collect();
                let found = found(&std::format!("[{}]", text.join(",")));
                assert_eq!(found, Some((first as u32, second as u32)));
            }
        }
    }
}
