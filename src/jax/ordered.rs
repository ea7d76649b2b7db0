//! The keys of an ordered dictionary, as Python's `json.dumps` writes a list of strings.

use core::str::Chars;

use crate::error::Error;
use crate::head::{EXT, EXT_ORDERED};
use crate::heading::{Heading, always, put_block};
use crate::key::utf8;
use crate::varint::Varint;

/// The most keys that an ordered dictionary in an artifact may have where they are not sorted.
///
/// Each is compared with all before it, since there is no memory to sort in; with a bound this stays linear in the bytes.
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

/// Whether all strings differ: one pass where they are increasing, else all pairs, as far as the bound goes.
pub(super) fn distinct(strings: &JsonStrings<'_>, count: u32) -> Distinct {
    let mut behind = strings.clone();
    behind.next();
    if strings.clone().zip(behind).all(|(a, b)| a.lt(b)) {
        return Distinct::Yes;
    }
    if count > MAX_ORDERED_KEYS {
        return Distinct::TooMany;
    }
    for (second, string) in (0..count).zip(strings.clone()) {
        let mut earlier = (0..second).zip(strings.clone());
        if let Some((first, _)) = earlier.find(|(_, other)| other.clone().eq(string.clone())) {
            return Distinct::No { first, second };
        }
    }
    Distinct::Yes
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
        let found = |text| {
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
    }
}
