//! Reads frames.

use crate::encode::max_sizes::max_choices;
use crate::record::frame::first_byte;
use crate::record::frame::leaf::{FrameLeaves, assert_widths};
use crate::record::frame::parts::{FrameError, FrameParts, opened, parts};
use crate::record::load::InRecord;
use crate::tree::build::TreeBuild;
use crate::tree::build::from_choices::FromChoices;

/// Reads a value from a frame, which is all of `bytes`.
///
/// Each byte is read once; for elements that take none, see [`load`](crate::record::load()). The first byte is an eighth of the key: compare the whole keys before, because every 256th type has the same one.
///
/// # Errors
///
/// [`FrameError::OtherType`]; [`FrameError::Damaged`].
///
/// # Examples
///
/// [`frame_into`](crate::record::frame::frame_into) has an example.
pub fn read_frame<T: TreeBuild<FrameLeaves>>(bytes: &[u8]) -> Result<T, FrameError> {
    read(opened(bytes, const { first_byte::<T>() })?, bytes.len())
}

/// Reads a value from a frame without its first byte, which is all of `bytes`.
///
/// # Errors
///
/// [`FrameError::Damaged`].
///
/// # Examples
///
/// [`frame_body_into`](crate::record::frame::frame_body_into) has an example.
pub fn read_frame_body<T: TreeBuild<FrameLeaves>>(bytes: &[u8]) -> Result<T, FrameError> {
    read(bytes, bytes.len())
}

/// Reads a value from the body of a frame of `len` bytes.
fn read<T: TreeBuild<FrameLeaves>>(body: &[u8], len: usize) -> Result<T, FrameError> {
    const { assert_widths::<T>() };
    let FrameParts { choices, leaves } = parts(body, const { max_choices(T::SCHEMA) > 0 }, len)?;
    let mut known = FromChoices::new(choices, InRecord(leaves));
    match T::build(&mut known) {
        Ok(tree) if known.choices.is_empty() && known.leaves.0.is_empty() => Ok(tree),
        _ => Err(FrameError::Damaged { at: len.wrapping_sub(known.leaves.0.len()) }),
    }
}
