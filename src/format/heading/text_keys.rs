//! Writes and compares the heads of plain dictionaries with text keys, which most dictionaries are: each key is read once.

use core::cell::Cell;

use crate::base::bytes::{SHORT, copy, copy_short, equal_words, first_word, less_after_prefix};
use crate::format::head::{self, kind_and_count, read_count};
use crate::format::heading::spec::count_len;
use crate::format::reader::read_run;
use crate::format::to_value::ToValue;
use crate::format::value::Value;
use crate::format::varint::{self, Front};

/// Calls `pass` with each key, up to the first for which it returns `None`. Then the result is `None`.
#[inline]
fn each(
    mut keys: impl Iterator<Item: ToValue>,
    mut pass: impl FnMut(Value<'_>) -> Option<()>,
) -> Option<()> {
    keys.try_for_each(|key| key.with_value(&mut pass))
}

/// The number of bytes of these keys, each after its length; `None` if one is not text.
pub(crate) fn text_len(keys: impl Iterator<Item: ToValue>) -> Option<usize> {
    let mut len = 0usize;
    each(keys, |key| {
        let Value::Str(text) = key else { return None };
        let prefix = if text.len() < 128 { 1 } else { varint::len(text.len() as u64) };
        len = len.saturating_add(prefix).saturating_add(text.len());
        Some(())
    })?;
    Some(len)
}

/// Writes the head of a plain dictionary with `count` text keys to the front of `bytes`, and returns its length. `None` if
/// a key is not text, if the keys do not increase, or if there is no room.
#[inline(never)]
pub(crate) fn write_text(
    bytes: &mut [u8],
    count: usize,
    keys: impl Iterator<Item: ToValue>,
) -> Option<usize> {
    // The head is the kind with the count, the length of the block of keys, and the block. That length is known when the keys are
    // written, so the number of its bytes is guessed; if that was wrong, the block is moved.
    let is_small = count < 16;
    let (start, guess) = if is_small { (2, 1) } else { (count_len(count).wrapping_add(2), 2) };
    let len = write_keys(bytes.get_mut(start..)?, count, keys)?;
    if let (true, Ok(short @ 0..128)) = (is_small, u8::try_from(len)) {
        let [few, ..] = count.to_le_bytes();
        *bytes.first_chunk_mut()? = [head::DICT << 5 | few, short];
        return Some(len.wrapping_add(2));
    }
    let width = varint::len(len as u64);
    let own_start = start.wrapping_sub(guess).wrapping_add(width);
    if width != guess {
        shift(bytes, start, own_start, len)?;
    }
    let rest = put_front(&kind_and_count(head::DICT, count), bytes)?;
    put_front(&Front::number(len as u64), rest)?;
    Some(own_start.wrapping_add(len))
}

/// Moves `len` bytes that begin at `from`, so that they begin at `to`.
#[inline]
fn shift(bytes: &mut [u8], from: usize, to: usize, len: usize) -> Option<()> {
    let all = bytes.get_mut(from.min(to)..from.max(to).wrapping_add(len))?;
    // Cells, because `copy_within` and `rotate_left` can panic.
    let cells = Cell::from_mut(all).as_slice_of_cells();
    let pairs = cells.get(from.abs_diff(to)..)?.iter().zip(cells);
    if from < to {
        pairs.rev().for_each(|(later, earlier)| later.set(earlier.get()));
    } else {
        pairs.for_each(|(later, earlier)| earlier.set(later.get()));
    }
    Some(())
}

/// Writes `count` increasing text keys to the front of `slots`, and returns their length.
#[inline]
fn write_keys(slots: &mut [u8], count: usize, keys: impl Iterator<Item: ToValue>) -> Option<usize> {
    let (room, mut rest) = (slots.len(), slots);
    let (mut found, mut last, mut before) = (0usize, 0u64, None::<&[u8]>);
    each(keys, |key| {
        let Value::Str(text) = key else { return None };
        let (prefix, run, after) = put_key(text.as_bytes(), core::mem::take(&mut rest))?;
        if prefix <= last
            && (prefix < last || before.is_some_and(|before| !less_after_prefix(before, run)))
        {
            return None;
        }
        (rest, last, before, found) = (after, prefix, Some(run), found.wrapping_add(1));
        Some(())
    })?;
    if found == count { room.checked_sub(rest.len()) } else { None }
}

/// Writes a key after its length. Returns its prefix as a number, the key and the slots after it.
#[inline]
fn put_key<'s>(key: &[u8], slots: &'s mut [u8]) -> Option<(u64, &'s [u8], &'s mut [u8])> {
    let len = key.len();
    if len > SHORT || slots.len() <= 16 {
        return put_long_key(key, slots);
    }
    let (slot, slots) = slots.split_first_mut()?;
    [*slot, ..] = len.to_le_bytes();
    let prefix = first_word(key);
    if len > 16 {
        let (run, after) = slots.split_at_mut_checked(len)?;
        copy_short(run, key);
        return Some((prefix.swap_bytes(), run, after));
    }
    // Most keys are copied with the bytes after them, which are free.
    *slots.first_chunk_mut()? = prefix.to_le_bytes();
    let (run, after) = slots.split_at_mut_checked(len)?;
    if let (Some(slots), Some(bytes)) = (run.last_chunk_mut::<8>(), key.last_chunk::<8>()) {
        *slots = *bytes;
    }
    Some((prefix.swap_bytes(), run, after))
}

/// [`put_key`] for a key that is long, or that has little more room than it takes.
#[cold]
#[inline(never)]
fn put_long_key<'s>(key: &[u8], slots: &'s mut [u8]) -> Option<(u64, &'s [u8], &'s mut [u8])> {
    let (run, after) =
        put_front(&Front::number(key.len() as u64), slots)?.split_at_mut_checked(key.len())?;
    copy(run, key);
    Some((first_word(key).swap_bytes(), run, after))
}

/// Reads the head of a plain dictionary with `count` text keys from the front of `bytes`, and returns its length. `None`
/// if the head is another one.
#[inline(never)]
pub(crate) fn read_text(
    bytes: &[u8],
    count: usize,
    keys: impl Iterator<Item: ToValue>,
) -> Option<usize> {
    // One more than the number of keys.
    let (found, rest) = read_count(bytes, head::DICT)?;
    let (mut block, after) = read_run(rest)?;
    if usize::try_from(found).ok()?.checked_sub(1)? != count {
        return None;
    }
    each(keys, |key| {
        let Value::Str(text) = key else { return None };
        let (run, rest) = read_run(block)?;
        block = rest;
        let is_equal = if text.len() > 16 {
            run == text.as_bytes()
        } else {
            equal_words(run, text.as_bytes())
        };
        is_equal.then_some(())
    })?;
    if block.is_empty() { bytes.len().checked_sub(after.len()) } else { None }
}

/// Writes a count or a length, and returns the slots after it.
fn put_front<'s>(front: &Front, slots: &'s mut [u8]) -> Option<&'s mut [u8]> {
    let (slots, after) = slots.split_at_mut_checked(front.as_bytes().len())?;
    copy(slots, front.as_bytes());
    Some(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_only_with_its_own_keys() {
        let read = |bytes: &[u8], keys: &[&str]| read_text(bytes, keys.len(), keys.iter());
        let head = [0x62, 4, 1, b'a', 1, b'b'];
        let with_children = [&head[..], &[0x01]].concat();
        assert_eq!(read(&with_children, &["a", "b"]), Some(head.len()));
        for keys in [&["a"][..], &["a", "c"], &["a", "bb"], &["a", "b", "c"], &[]] {
            assert_eq!(read(&with_children, keys), None, "{keys:?}");
        }
        // A head that says another number than it has keys.
        for other in [[0x61, 4, 1, b'a', 1, b'b'], [0x63, 4, 1, b'a', 1, b'b']] {
            assert_eq!(read(&other, &["a", "b"]), None);
        }
    }
}
