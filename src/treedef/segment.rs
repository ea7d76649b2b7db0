//! Reads the segments of a path that a person types.
//!
//! A segment is compared with the names of the children of one node, wherever these are written: in the bytes of a
//! treedef or in the schema of a type. Names are compared with the front of the text, so no segment is cut out before the
//! names are known: a name may contain the characters that separate segments. The longest name that matches is taken, of
//! equal names the first. Of `.a.b[1]`, where a node has the children `a`, `a.b` and `a.b[`:
//!
//! ```text
//! name   text after it   taken
//! a      .b[1]           yes
//! a.b    [1]             yes, it is longer
//! a.b[   1]              no: after a name the text ends or goes on with `.`, `/` or `[`
//! ```

use crate::base::attempt::attempt;
use crate::base::bytes::first;
use crate::base::error::Error;

/// The segment at the front of a text, and the child that it leads to among those that were compared.
#[derive(Clone, Copy)]
pub(crate) struct Segment<'t> {
    close: Close,
    /// The text after what opens the segment.
    text: &'t [u8],
    /// The index of the child with the longest name so far.
    index: u32,
    /// How much text follows that name; more than there is if no name matched.
    left: usize,
}

/// What closes a segment.
#[derive(Clone, Copy)]
enum Close {
    /// The end of a name without quotes: `.`, `/`, `[` or the end of the text.
    Name,
    /// `]`.
    Bracket,
    /// This quote, and `]`.
    Quote(u8),
}

/// The error for a text that leads nowhere from the byte `at` on.
pub(crate) const fn unknown_path(at: usize) -> Error {
    Error::UnknownPath { at: place(at) }
}

/// The error for a text that is no path from the byte `at` on.
pub(crate) const fn unreadable_path(at: usize) -> Error {
    Error::UnreadablePath { at: place(at) }
}

const fn place(at: usize) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "a larger one is the maximum")]
    if at < u32::MAX as usize { at as u32 } else { u32::MAX }
}

/// The words for an error that says what a text lacks to follow another segment, to be written before the text: none if the
/// text can be opened as a segment.
pub(crate) const fn lacking(text: &str) -> &'static str {
    match text.as_bytes() {
        [] | [b'[' | b'.' | b'/', ..] => "",
        _ => ". before ",
    }
}

impl<'t> Segment<'t> {
    /// The segment at the front of a text. The first segment of a path may begin with a name.
    #[inline(always)]
    pub(crate) const fn open(text: &'t [u8], is_first: bool) -> Option<Self> {
        let (close, text) = match text {
            [b'[', quote @ (b'\'' | b'"'), text @ ..] => (Close::Quote(*quote), text),
            [b'[', text @ ..] => (Close::Bracket, text),
            [b'.' | b'/', text @ ..] => (Close::Name, text),
            _ if is_first => (Close::Name, text),
            _ => return None,
        };
        Some(Self { close, text, index: 0, left: usize::MAX })
    }

    /// Compares the name of the child with this index, which is a string key or a field. Returns `true` if it is the
    /// whole text, so that no other name is longer.
    #[inline(always)]
    pub(crate) const fn try_name(&mut self, index: u32, name: &[u8], is_key: bool) -> bool {
        let after = self.after_name(name, is_key);
        self.offer(index, after);
        self.left == 0
    }

    /// The text after the segment, if it is this name, which is that of a string key or a field.
    #[inline(always)]
    pub(crate) const fn after_name(&self, name: &[u8], is_key: bool) -> Option<&'t [u8]> {
        match self.close {
            Close::Name => after_plain(self.text, name),
            Close::Quote(quote) if is_key => after_quoted(quote, self.text, name),
            _ => None,
        }
    }

    /// Takes the child with this index, if its name is in the text before `after`, and longer than that of the last one.
    #[inline(always)]
    pub(crate) const fn offer(&mut self, index: u32, after: Option<&[u8]>) {
        if let Some(after) = after
            && after.len() < self.left
        {
            (self.index, self.left) = (index, after.len());
        }
    }

    /// The index of the child with the longest name, and the text after the name.
    #[inline(always)]
    pub(crate) const fn end(self) -> Option<(u32, &'t [u8])> {
        let len = self.text.len().wrapping_sub(self.left);
        Some((self.index, attempt!(self.text.split_at_checked(len)).1))
    }

    /// The segment, whatever the names of the children are, and the text after it.
    pub(crate) const fn any(self) -> Option<(&'t [u8], &'t [u8])> {
        let mut rest = self.text;
        let after = loop {
            rest = match (self.close, rest) {
                (Close::Name, [] | [b'.' | b'/' | b'[', ..]) => break rest,
                (Close::Bracket, [b']', after @ ..]) => break after,
                (Close::Quote(quote), [end, after @ ..]) if *end == quote => {
                    break attempt!(after_segment(Close::Bracket, after));
                }
                // A quote can come after it.
                (Close::Quote(_), [b'\\', _, after @ ..]) => after,
                (_, [_, after @ ..]) => after,
                (_, []) => return None,
            };
        };
        Some((first(self.text, self.text.len().wrapping_sub(rest.len())), after))
    }

    /// The index that the segment is, and the text after the segment; there may be no child with this index.
    #[inline(always)]
    pub(crate) const fn index(self) -> Option<(u32, &'t [u8])> {
        let (number, after) = attempt!(self.number());
        if number & 1 != 0 || number >> 33 != 0 {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "it has 32 bits")]
        Some(((number >> 1) as u32, after))
    }

    /// The zigzag of the number that the segment is, in the digits that Python prints, and the text after the segment.
    // Once in firmware, which is small; in line it is faster.
    #[cfg_attr(target_os = "none", inline(never))]
    #[cfg_attr(not(target_os = "none"), inline(always))]
    pub(crate) const fn number(self) -> Option<(u64, &'t [u8])> {
        let (digits, is_negative) = match self.text {
            [b'-', digits @ ..] => (digits, 1),
            _ => (self.text, 0),
        };
        let (mut rest, mut magnitude) = (digits, 0u64);
        while let [digit @ b'0'..=b'9', after @ ..] = rest {
            magnitude = magnitude.wrapping_mul(10).wrapping_add((*digit & 15) as u64);
            rest = after;
            if magnitude == 0 {
                break;
            }
        }
        let count = digits.len().wrapping_sub(rest.len());
        // All numbers of 19 digits fit. `-0` is no number; minus 1 it has all bits set.
        let half = magnitude.wrapping_sub(is_negative);
        if count == 0 || count > 19 || half >> 63 != 0 {
            return None;
        }
        Some((half << 1 | is_negative, attempt!(after_segment(self.close, rest))))
    }
}

/// The text after a segment whose name or number was read.
#[inline(always)]
const fn after_segment(close: Close, text: &[u8]) -> Option<&[u8]> {
    match (close, text) {
        (Close::Name, [] | [b'.' | b'/' | b'[', ..]) => Some(text),
        (Close::Bracket, [b']', rest @ ..]) => Some(rest),
        _ => None,
    }
}

/// The text after a segment that is this name without quotes.
#[inline(always)]
const fn after_plain<'t>(text: &'t [u8], mut name: &[u8]) -> Option<&'t [u8]> {
    let (mut front, after) = attempt!(text.split_at_checked(name.len()));
    // Most names that are not this one are too long or too short.
    let after = attempt!(after_segment(Close::Name, after));
    while let ([expected, rest_of_name @ ..], [character, rest @ ..]) = (name, front) {
        if *character != *expected {
            return None;
        }
        (front, name) = (rest, rest_of_name);
    }
    Some(after)
}

/// The text after a segment that is this name in quotes.
const fn after_quoted<'t>(quote: u8, mut text: &'t [u8], mut name: &[u8]) -> Option<&'t [u8]> {
    while let [expected, rest_of_name @ ..] = name {
        let (character, rest) = match text {
            [b'\\', character @ (b'\\' | b'\'' | b'"'), rest @ ..] => (character, rest),
            [b'\\', ..] => return None,
            [character, rest @ ..] if *character != quote => (character, rest),
            _ => return None,
        };
        if *character != *expected {
            return None;
        }
        (text, name) = (rest, rest_of_name);
    }
    match text {
        [end, rest @ ..] if *end == quote => after_segment(Close::Bracket, rest),
        _ => None,
    }
}

/// The text after a segment in quotes, of which the first one is not in `text`.
pub(crate) const fn after_quotes(quote: u8, mut text: &[u8]) -> Option<&[u8]> {
    loop {
        text = match text {
            [b'\\', b'\\' | b'\'' | b'"', rest @ ..] => rest,
            [b'\\', ..] | [] => return None,
            [end, rest @ ..] if *end == quote => return after_segment(Close::Bracket, rest),
            [_, rest @ ..] => rest,
        };
    }
}
