//! Writes and compares the heads of plain dictionaries with text keys, which most dictionaries are: each key is read once.

use super::count_len;
use crate::base::bytes::{copy, copy_short, equal_short, less_after_prefix, prefix};
use crate::format::head::{self, read_count};
use crate::format::to_value::ToValue;
use crate::format::value::{Value, read_run};
use crate::format::varint::{self, Varint};

/// Writes the head of a plain dictionary with `count` text keys to the front of `bytes`, and returns its length. `None` if
/// a key is not text, if the keys do not increase, or if there is no room.
#[inline(never)]
pub(crate) fn write_text<K: ToValue>(
    bytes: &mut [u8],
    count: usize,
    keys: impl Iterator<Item = K> + Clone,
) -> Option<usize> {
    // The keys are written before the length of their block, of which the width is first guessed. The second pass has the
    // width that the first one found. Keys that change between the passes can fit neither.
    let (mut width, mut written) = (if count < 16 { 1 } else { 2 }, None);
    for _ in 0..2 {
        let start = count_len(count).wrapping_add(width);
        let len = write_keys(bytes.get_mut(start..)?, count, keys.clone())?;
        let needed = varint::len(len as u64);
        if needed == width {
            written = Some((start, len));
            break;
        }
        width = needed;
    }
    let (start, len) = written?;
    let (first, mut rest) = bytes.split_first_mut()?;
    let more = count.checked_sub(usize::from(head::ESCAPE));
    let low = if more.is_some() { head::ESCAPE } else { u8::try_from(count).ok()? };
    *first = head::DICT << 5 | low;
    if let Some(more) = more {
        rest = put_len(more, rest)?;
    }
    put_len(len, rest)?;
    Some(start.wrapping_add(len))
}

/// Writes `count` increasing text keys to the front of `slots`, and returns their length.
#[inline]
fn write_keys<K: ToValue>(
    slots: &mut [u8],
    mut count: usize,
    keys: impl Iterator<Item = K>,
) -> Option<usize> {
    let room = slots.len();
    let (mut rest, mut before) = (slots, None::<(u64, &[u8])>);
    for key in keys {
        let slots = core::mem::take(&mut rest);
        let (own, run, after) = key.with_value(|key| match key {
            Value::Str(text) => {
                let own = prefix(text.as_bytes());
                let (run, after) = put_key(text.as_bytes(), own, slots)?;
                Some((own, &*run, after))
            }
            _ => None,
        })?;
        if let Some((prefix, before)) = before
            && (prefix > own || prefix == own && !less_after_prefix(before, run))
        {
            return None;
        }
        (rest, before, count) = (after, Some((own, run)), count.checked_sub(1)?);
    }
    if count == 0 { room.checked_sub(rest.len()) } else { None }
}

/// Writes a key, which begins with `prefix`, after its length. Returns the key and the slots after it.
#[inline]
fn put_key<'s>(
    key: &[u8],
    prefix: u64,
    slots: &'s mut [u8],
) -> Option<(&'s mut [u8], &'s mut [u8])> {
    let [len, ..] = key.len().to_le_bytes();
    if key.len() >= 128 || slots.len() <= key.len().wrapping_add(8) {
        return put_long_key(key, slots);
    }
    let (slot, slots) = slots.split_first_mut()?;
    *slot = len;
    // Most keys are copied with the bytes after them, which are free.
    *slots.first_chunk_mut()? = prefix.to_be_bytes();
    let (run, after) = slots.split_at_mut_checked(key.len())?;
    if key.len() > 8 {
        copy_short(run, key);
    }
    Some((run, after))
}

/// [`put_key`] for a key that is long, or that has no more room than it takes.
#[inline(never)]
fn put_long_key<'s>(key: &[u8], slots: &'s mut [u8]) -> Option<(&'s mut [u8], &'s mut [u8])> {
    let (run, after) = put_len(key.len(), slots)?.split_at_mut_checked(key.len())?;
    copy(run, key);
    Some((run, after))
}

/// Reads the head of a plain dictionary with `count` text keys from the front of `bytes`, and returns its length. `None`
/// if the head is another one.
#[inline(never)]
pub(crate) fn read_text<K: ToValue>(
    bytes: &[u8],
    count: usize,
    keys: impl Iterator<Item = K>,
) -> Option<usize> {
    // `read_count` adds one.
    let (found, rest) = read_count(bytes, head::DICT)?;
    let (mut block, after) = read_run(rest)?;
    if usize::try_from(found).ok()?.checked_sub(1)? != count {
        return None;
    }
    for key in keys {
        let (run, rest) = read_run(block)?;
        let same =
            |key: Value<'_>| matches!(key, Value::Str(text) if equal_short(run, text.as_bytes()));
        if !key.with_value(same) {
            return None;
        }
        block = rest;
    }
    if block.is_empty() { bytes.len().checked_sub(after.len()) } else { None }
}

/// Writes a length, and returns the slots after it.
#[inline]
fn put_len(len: usize, slots: &mut [u8]) -> Option<&mut [u8]> {
    if let Ok(len @ 0..128) = u8::try_from(len) {
        let (slot, after) = slots.split_first_mut()?;
        *slot = len;
        return Some(after);
    }
    let len = Varint::new(len as u64);
    let (slot, after) = slots.split_at_mut_checked(len.as_bytes().len())?;
    copy(slot, len.as_bytes());
    Some(after)
}
