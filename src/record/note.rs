//! What a node of a schema page says of itself: its name and its meta fields.

use crate::base::attempt::attempt;
use crate::base::bytes::equal_words;
use crate::format::head::{Head, Kind};
use crate::format::reader::read_run;
use crate::format::value_bytes::{INT, STR, skip_value};
use crate::format::varint::{read_u64, unzigzag};

/// The type name of a node of the page, which is read without a check for UTF-8. A tuple has none.
pub(super) const fn name<'v>(head: &Head<'v>) -> &'v [u8] {
    match (head.kind(), read_run(head.block())) {
        (Kind::Struct, Some((name, _))) => name,
        _ => &[],
    }
}

/// The value of a meta field, with its tag in front.
const fn note<'v>(head: &Head<'v>, name: &[u8]) -> Option<&'v [u8]> {
    let mut rest = head.meta();
    loop {
        let (own, value) = attempt!(read_run(rest));
        if equal_words(own, name) {
            return Some(value);
        }
        rest = attempt!(skip_value(value));
    }
}

/// The capacity of a list or a map, or the length of an array; `usize::MAX` without one, and `None` if it is no number of elements.
pub(super) const fn room(head: &Head<'_>) -> Option<usize> {
    match note(head, b"room") {
        Some([INT, room @ ..]) => {
            let room = unzigzag(attempt!(read_u64(room)).0);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it is checked"
            )]
            let size = room as usize;
            if room >= 0 && size as u64 == room.cast_unsigned() { Some(size) } else { None }
        }
        _ => Some(usize::MAX),
    }
}

/// The text of a note.
pub(super) const fn text<'v>(head: &Head<'v>, name: &[u8]) -> Option<&'v [u8]> {
    match note(head, name) {
        Some([STR, text @ ..]) => Some(attempt!(read_run(text)).0),
        _ => None,
    }
}
