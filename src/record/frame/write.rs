//! Writes frames.

use crate::base::error::Error;
use crate::encode::max_sizes::{max_choices, number_len};
use crate::format::varint::low7;
use crate::record::bytes::{RecordWriter, number64};
use crate::record::frame::first_byte;
use crate::record::frame::leaf::{FrameLeaves, assert_widths};
use crate::record::save;
use crate::tree::walk::TreeWalk;

/// Writes a frame of `tree` to the front of `bytes`, and returns its number of bytes. What is in `bytes` after them, or after an error,
/// is not specified.
///
/// One walk; a second one if the value has fewer choices than others of its type. It needs no more room than the frame, and
/// [`frame_bytes`](crate::record::frame::frame_bytes) is enough for each value of a type.
///
/// # Errors
///
/// [`Error::BufferFull`] with the number of bytes that are needed; [`Error::TooDeep`]; [`Error::ValueChanged`] for a key or meta field
/// that is not the same each time.
///
/// # Examples
///
/// ```
/// use treedef::record::frame::{frame_into, read_frame};
/// use treedef::record::record_key;
///
/// type Status = (Option<u16>, [bool; 2]);
/// const KEY: u64 = record_key::<Status>();
///
/// let mut bytes = [0; 8];
/// let len = frame_into(&(Some(300u16), [true, false]), &mut bytes)?;
/// assert_eq!(bytes[..len], [
///     KEY.to_le_bytes()[0],
///     1, // one byte of choices
///     1, // choice: the option is `Some`
///     0x2C, 0x01, // 300
///     1, 0, // true, false
/// ]);
/// assert_eq!(read_frame(&bytes[..len]), Ok((Some(300u16), [true, false])));
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn frame_into<T>(tree: &T, bytes: &mut [u8]) -> Result<usize, Error>
where
    T: TreeWalk<FrameLeaves> + ?Sized,
{
    let len = write(tree, bytes, 1)?;
    if let Some(first) = bytes.first_mut() {
        *first = const { first_byte::<T>() };
    }
    Ok(len)
}

/// As [`frame_into`], without the first byte: for a link on which both sides have compared the keys, and notice it when one of them
/// starts again.
///
/// # Errors
///
/// As [`frame_into`].
///
/// # Examples
///
/// ```
/// use treedef::record::frame::{frame_body_into, read_frame_body};
///
/// // Two floats fill a frame of CAN.
/// let mut data = [0; 8];
/// assert_eq!(frame_body_into(&[1.0f32, -2.0], &mut data), Ok(8));
/// assert_eq!(data, [0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0]);
/// assert_eq!(read_frame_body(&data), Ok([1.0f32, -2.0]));
/// ```
pub fn frame_body_into<T>(tree: &T, bytes: &mut [u8]) -> Result<usize, Error>
where
    T: TreeWalk<FrameLeaves> + ?Sized,
{
    write(tree, bytes, 0)
}

/// Writes the body of a frame after the first `start` bytes, and returns the number of all bytes.
fn write<T>(tree: &T, bytes: &mut [u8], start: usize) -> Result<usize, Error>
where
    T: TreeWalk<FrameLeaves> + ?Sized,
{
    const { assert_widths::<T>() };
    let most = const { max_choices(T::SCHEMA) };
    let room = bytes.len();
    // Leaves are written where they belong if the value has as many choices as any other one. Otherwise they are written again.
    let mut count = if most == usize::MAX { 0 } else { most };
    let mut again = false;
    loop {
        let number = match const { max_choices(T::SCHEMA) } {
            0 => 0,
            1..128 => 1,
            _ => number_len(count),
        };
        let choices = start.saturating_add(number);
        let leaves = choices.saturating_add(count);
        let out = RecordWriter::at(&mut *bytes, choices, leaves);
        let out = save::write::<FrameLeaves, T>(tree, out)?;
        let (found, end) = (out.choices.wrapping_sub(choices), out.leaves);
        if found == count {
            if end > room {
                return Err(Error::BufferFull { needed: end, room });
            }
            let place = bytes.get_mut(start..).unwrap_or_default();
            match const { max_choices(T::SCHEMA) } {
                0 => {}
                1..128 => place.iter_mut().take(1).for_each(|slot| *slot = low7(count as u64)),
                _ => number64(count as u64, &mut RecordWriter::new(place)),
            }
            return Ok(end);
        }
        if again {
            return Err(Error::ValueChanged);
        }
        (count, again) = (found, true);
    }
}
