//! Helps writers to count bytes and nodes.

use crate::format::value::Value;
use crate::format::varint;

/// `bytes[from..to]`, empty if out of range.
#[inline]
pub(crate) const fn part(bytes: &[u8], from: usize, to: usize) -> &[u8] {
    match bytes.split_at_checked(to) {
        Some((before, _)) => match before.split_at_checked(from) {
            Some((_, part)) => part,
            None => &[],
        },
        None => &[],
    }
}

/// The number of bytes of strings, each with its length.
pub(crate) const fn strings_len(mut strings: &[&str]) -> usize {
    let mut len = 0usize;
    while let [first, rest @ ..] = strings {
        let count = varint::len(first.len() as u64);
        len = len.saturating_add(count).saturating_add(first.len());
        strings = rest;
    }
    len
}

/// The number of bytes of meta fields; `None` if one cannot be written in `const`.
pub(crate) const fn meta_len(mut meta: &[(&str, Value<'_>)]) -> Option<usize> {
    let mut len = 0usize;
    while let [(name, value), rest @ ..] = meta {
        if let Value::Tuple(_) = value {
            return None;
        }
        let own = value.front().as_bytes().len().saturating_add(value.run().len());
        len = len.saturating_add(strings_len(&[name])).saturating_add(own);
        meta = rest;
    }
    Some(len)
}

/// Converts a number that was checked to fit.
#[inline]
pub(crate) const fn small(count: usize) -> u32 {
    #[expect(clippy::cast_possible_truncation)]
    let count = count as u32;
    count
}

/// The number of nodes of a tree with `branches` and `leaves`; `None` if a treedef cannot have that many. `branches`
/// may have stopped at `u32::MAX`.
#[inline]
pub(crate) const fn sum(branches: u32, leaves: usize) -> Option<u32> {
    if branches == u32::MAX || leaves > u32::MAX as usize {
        return None;
    }
    branches.checked_add(small(leaves))
}
