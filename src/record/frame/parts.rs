//! The parts of a frame, and what is wrong with one.

use core::fmt;

use crate::base::show::sentences;
use crate::format::varint::read_choice;

/// Why bytes are no frame of a type, or a schema no schema of frames.
///
/// # Examples
///
/// ```
/// use treedef::record::frame::{FrameError, read_frame};
/// use treedef::record::record_key;
///
/// let [first, ..] = record_key::<u16>().to_le_bytes();
/// assert_eq!(read_frame::<u16>(&[first, 1, 2]), Ok(0x0201));
/// assert_eq!(read_frame::<u16>(&[!first, 1, 2]), Err(FrameError::OtherType { first: !first }));
///
/// let error = read_frame::<u16>(&[first, 1]).unwrap_err();
/// assert_eq!(error.to_string(), "frame is damaged: it is that of no value from byte 1 on");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum FrameError {
    /// The frame is one of another type, or of another version of the type.
    OtherType {
        /// Its first byte: the low byte of its key.
        first: u8,
    },
    /// No value of the type has these choices and leaves, or there are too few or too many bytes.
    Damaged {
        /// The number of bytes up to the last that was read as a leaf; without one, up to the leaves.
        at: usize,
    },
    /// A [`FrameSchema`](crate::record::frame::FrameSchema) was to be made of what is no schema, or that of a type which has none.
    Schema,
    /// A [`FrameSchema`](crate::record::frame::FrameSchema) has too little room.
    NoRoom {
        /// The number of bytes that are needed.
        needed: usize,
        /// The number of bytes that there are.
        room: usize,
    },
}

sentences!(FrameError {
    OtherType { first }: "frame is one of another type, whose key has the low byte {first:#04x}";
    Damaged { at }: "frame is damaged: it is that of no value from byte {at} on";
    Schema: "schema is none of a type whose frames can be checked by it";
    NoRoom { needed, room }: "schema of frames needs {needed} bytes of room, and has {room}";
});

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sentence(f)
    }
}

impl core::error::Error for FrameError {}

/// The parts of a frame. [`FrameSchema`](crate::record::frame::FrameSchema) has an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct FrameParts<'f> {
    /// The [choices](mod@crate::tree::choices).
    pub choices: &'f [u8],
    /// The leaves, one after the other.
    pub leaves: &'f [u8],
}

/// The body of a frame of the type whose frames begin with this byte.
pub(super) fn opened(bytes: &[u8], own: u8) -> Result<&[u8], FrameError> {
    match bytes {
        [first, body @ ..] if *first == own => Ok(body),
        [first, ..] => Err(FrameError::OtherType { first: *first }),
        [] => Err(FrameError::Damaged { at: 0 }),
    }
}

/// The parts of the body of a frame of `len` bytes, which has choices unless its type has none.
pub(super) fn parts(
    body: &[u8],
    has_choices: bool,
    len: usize,
) -> Result<FrameParts<'_>, FrameError> {
    if !has_choices {
        return Ok(FrameParts { choices: &[], leaves: body });
    }
    let parts = read_choice(body).and_then(|(count, rest)| rest.split_at_checked(count));
    let (choices, leaves) = parts.ok_or(FrameError::Damaged { at: len })?;
    Ok(FrameParts { choices, leaves })
}
