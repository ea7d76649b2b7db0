//! Writes records.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::mem::swap;

use crate::base::error::Error;
use crate::base::slices::reverse;
use crate::encode::max_sizes::max_choices;
use crate::format::varint::low7;
use crate::record::bytes::{RecordWriter, number64};
use crate::record::leaf::{RecordLeaves, StoredLeaf};
use crate::record::{FORM_1, HEAD, record_key};
use crate::tree::choices::{ReceiveLeaf, chosen};
use crate::tree::leaf_types::LeafTypes;
use crate::tree::stream::Receive;
use crate::tree::walk::TreeWalk;

/// Writes a record of `tree` to the front of `bytes`, and returns its number of bytes. What is in `bytes` after them, or after an error,
/// is not specified.
///
/// One walk. It needs no more room than the record; [`record_bytes`](crate::record::record_bytes) is enough for each value of a type.
///
/// # Errors
///
/// [`Error::BufferFull`] with the number of bytes that are needed; [`Error::TooDeep`]; [`Error::ValueChanged`] for a key or meta field
/// that is not the same each time. A list of more than 65,536 elements that take no bytes, such as `()`, is written, but not loaded.
///
/// # Examples
///
/// ```
/// use treedef::record::{load, save_into};
///
/// let mut bytes = [0; 16];
/// let len = save_into(&(Some(300u32), [true, false]), &mut bytes)?;
/// assert_eq!(bytes[9..len], [
///     1, // one byte of choices
///     0xAC, 0x02, // 300
///     1, 0, // true, false
///     1, // choice: the option is `Some`
/// ]);
/// assert_eq!(load(&bytes[..len]), Ok((Some(300u32), [true, false])));
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn save_into<T>(tree: &T, bytes: &mut [u8]) -> Result<usize, Error>
where
    T: TreeWalk<RecordLeaves> + ?Sized,
{
    let room = bytes.get_mut(START..).unwrap_or_default();
    let last = room.len().wrapping_sub(1);
    let RecordWriter { leaves, choices, .. } =
        write::<RecordLeaves, T>(tree, RecordWriter::new(room))?;
    let choices = last.wrapping_sub(choices);
    let key = record_key::<T>();
    match const { max_choices(T::SCHEMA) < 128 } {
        true => finish::<false>(bytes, key, leaves, choices),
        false => finish::<true>(bytes, key, leaves, choices),
    }
}

/// The record of `tree`. The value is walked twice, first to count the bytes.
///
/// # Errors
///
/// As [`save_into`], without [`Error::BufferFull`].
///
/// # Examples
///
/// ```
/// use treedef::record::{load, save};
///
/// let log = vec![("boot".to_string(), 1u64), ("ready".to_string(), 350)];
/// assert_eq!(load(&save(&log)?), Ok(log));
/// # Ok::<(), treedef::Error>(())
/// ```
#[cfg(feature = "alloc")]
pub fn save<T>(tree: &T) -> Result<Vec<u8>, Error>
where
    T: TreeWalk<RecordLeaves> + ?Sized,
{
    as_vec(|bytes| save_into(tree, bytes))
}

/// What a function writes, which is called twice: first to learn how much that is.
#[cfg(feature = "alloc")]
pub(super) fn as_vec(
    mut write: impl FnMut(&mut [u8]) -> Result<usize, Error>,
) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    if let Err(Error::BufferFull { needed, .. }) = write(&mut bytes) {
        bytes.resize(needed, 0);
    }
    let len = write(&mut bytes)?;
    bytes.truncate(len);
    Ok(bytes)
}

/// Where leaves are written at first: after the head, and one byte for the number of choices.
const START: usize = HEAD + 1;

/// Completes a record, and returns its number of bytes. Its leaves begin at [`START`], its choices end at the end of `bytes`, in
/// reverse. If `LONG`, their number can have more than one byte.
#[inline(never)]
fn finish<const LONG: bool>(
    bytes: &mut [u8],
    key: u64,
    leaves: usize,
    choices: usize,
) -> Result<usize, Error> {
    let mut number = RecordWriter::new(&mut []);
    if LONG {
        number64(choices as u64 >> 7, &mut number);
    }
    let more = if choices < 128 { 0 } else { number.leaves };
    let (body, room) = (START.saturating_add(leaves), bytes.len());
    let needed = body.saturating_add(choices).saturating_add(more);
    if needed > room {
        return Err(Error::BufferFull { needed, room });
    }
    // As much of a reversal as puts the last bytes in front.
    let mut rest = bytes.get_mut(body..).unwrap_or_default();
    for _ in 0..choices {
        let [first, between @ .., last] = rest else { break };
        swap(first, last);
        rest = between;
    }
    // Two reversals move leaves and choices on.
    if LONG && let Some(body) = bytes.get_mut(START..needed) {
        reverse(body);
        reverse(body.get_mut(more..).unwrap_or_default());
    }
    let mut out = RecordWriter::new(bytes);
    out.byte(FORM_1);
    out.all(&key.to_le_bytes());
    match LONG {
        true => number64(choices as u64, &mut out),
        false => out.byte(low7(choices as u64)),
    }
    Ok(needed)
}

/// Writes the choices and the leaves of a value.
#[inline]
pub(super) fn write<'a, 'b, K, T>(
    tree: &'a T,
    out: RecordWriter<'b>,
) -> Result<RecordWriter<'b>, Error>
where
    K: LeafTypes<Ref<'a> = &'a dyn StoredLeaf<K>> + 'a,
    T: TreeWalk<K> + ?Sized,
{
    // A type that contains itself has no bound.
    Ok(match const { max_choices(T::SCHEMA) } {
        usize::MAX => chosen::<K, _, ToRecord<'_, true>>(tree, ToRecord(out))?.0,
        _ => chosen::<K, _, ToRecord<'_, false>>(tree, ToRecord(out))?.0,
    })
}

/// What receives the parts of a value. Levels are counted if `BOUNDED`.
struct ToRecord<'b, const BOUNDED: bool>(RecordWriter<'b>);

impl<const BOUNDED: bool> Receive for ToRecord<'_, BOUNDED> {
    const BOUNDED: bool = BOUNDED;

    #[inline(always)]
    fn receive(&mut self, byte: u8) -> bool {
        self.0.choice(byte);
        true
    }
}

impl<'a, K, const BOUNDED: bool> ReceiveLeaf<'a, K> for ToRecord<'_, BOUNDED>
where
    K: LeafTypes<Ref<'a> = &'a dyn StoredLeaf<K>> + 'a,
{
    const NEEDS_LEAVES: bool = true;

    #[inline(always)]
    fn leaf(&mut self, leaf: &'a dyn StoredLeaf<K>) {
        leaf.save(&mut self.0);
    }
}
