//! Small arithmetic of writers.

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

/// Bytes that the strings take with their lengths.
pub(crate) const fn strings_len(mut strings: &[&str]) -> usize {
    let mut len = 0usize;
    while let [first, rest @ ..] = strings {
        let count = varint::len(first.len() as u64);
        len = len.saturating_add(count).saturating_add(first.len());
        strings = rest;
    }
    len
}

/// Bytes that meta fields take; `None` if one is not written in `const`.
pub(crate) const fn meta_len(mut meta: &[(&str, Value<'_>)]) -> Option<usize> {
    let mut len = 0usize;
    while let [(name, value), rest @ ..] = meta {
        let own = match value {
            Value::None | Value::Bool(_) => 0,
            Value::Int(int) => varint::len(varint::zigzag(*int)),
            Value::Float(_) => size_of::<f64>(),
            Value::Float32(_) => size_of::<f32>(),
            Value::Str(text) => strings_len(&[text]),
            _ => return None,
        };
        // And the tag.
        len = len.saturating_add(strings_len(&[name])).saturating_add(own).saturating_add(1);
        meta = rest;
    }
    Some(len)
}

/// Counts that were checked to fit before.
#[inline]
pub(crate) const fn small(count: usize) -> u32 {
    #[expect(clippy::cast_possible_truncation)]
    let count = count as u32;
    count
}

/// Number of nodes of a tree with `branches` and `leaves`; `None` where a treedef cannot have as many. Branches are not
/// counted beyond `u32::MAX`.
#[inline]
pub(crate) const fn sum(branches: u32, leaves: usize) -> Option<u32> {
    if branches == u32::MAX || leaves > u32::MAX as usize {
        return None;
    }
    branches.checked_add(small(leaves))
}
