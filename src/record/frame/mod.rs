// Values as they are sent: a byte of the key of the type, choices, and leaves of fixed width.
//
// - `write`: one walk that writes choices and leaves; `read`: builds a value from them; `bound`: the largest frames of a type;
// - `leaf`: the set of leaf types that frames hold, and the buffer of a frame;
// - `schema`: checks a frame with the schema of its type alone; `parts`: the parts of a frame, and what is wrong with one.

#![doc = include_str!("../../docs/frame.md")]

mod bound;
mod leaf;
mod parts;
mod read;
mod schema;
mod write;

use crate::encode::structure::HasSchema;
use crate::record::record_key;

pub use bound::frame_bytes;
pub use leaf::FrameLeaves;
pub use parts::{FrameError, FrameParts};
pub use read::{read_frame, read_frame_body};
pub use schema::FrameSchema;
pub use write::{frame_body_into, frame_into};

/// The first byte of the frames of a type: the low byte of its key.
const fn first_byte<T: HasSchema + ?Sized>() -> u8 {
    let [first, ..] = record_key::<T>().to_le_bytes();
    first
}
