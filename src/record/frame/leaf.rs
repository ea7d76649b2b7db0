//! The set of leaf types that frames hold.

use crate::base::message::Message;
use crate::encode::schema_of::schema_of;
use crate::encode::structure::HasSchema;
use crate::record::bytes::RecordWriter;
use crate::record::leaf::{StoredLeaf, set};
use crate::tree::leaf_form::{LeafForm, NUMBERS};

/// The set of the leaf types that have a fixed width: those that [`write_leaves`](crate::tree::write_leaves) writes. It is the leaf type
/// in the bounds of generic code, [`TreeWalk<FrameLeaves>`](crate::tree::TreeWalk) to write frames and
/// [`TreeBuild<FrameLeaves>`](crate::tree::TreeBuild) to read them.
///
/// # Examples
///
/// ```
/// use treedef::Error;
/// use treedef::record::frame::{FrameLeaves, frame_into};
/// use treedef::tree::TreeWalk;
///
/// /// Writes a frame, and its length before it.
/// fn send<T: TreeWalk<FrameLeaves>>(value: &T, line: &mut [u8]) -> Result<usize, Error> {
///     let Some((len, frame)) = line.split_first_mut() else {
///         return Err(Error::BufferFull { needed: 1, room: 0 });
///     };
///     let count = frame_into(value, frame)?;
///     *len = u8::try_from(count).map_err(|_| Error::TooLarge)?;
///     Ok(count + 1)
/// }
///
/// let mut line = [0; 8];
/// assert_eq!(send(&[1u8, 2], &mut line), Ok(4));
/// assert_eq!((line[0], &line[2..4]), (3, &[1, 2][..]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FrameLeaves;

set! { FrameLeaves }

/// The width of a leaf type; `None` if it has none.
const fn width<T: HasSchema>() -> Option<usize> {
    match T::SCHEMA.dtype() {
        Some(dtype) => Some(dtype.size()),
        None => None,
    }
}

/// A leaf that a frame can hold, if its type has a width.
impl<T: HasSchema> StoredLeaf<FrameLeaves> for T {
    #[inline(never)]
    fn save(&self, out: &mut RecordWriter<'_>) {
        if let Some(width) = const { width::<T>() }
            && let Some(slot) = out.leaf(width)
        {
            T::leaf_to_le(self, slot);
        }
    }

    #[inline(always)]
    fn load(bytes: &mut &[u8]) -> Option<T> {
        T::leaf_from_le(bytes.split_off(..const { width::<T>() }?)?)
    }
}

/// Checks at compile time that all leaves of a type have a width, and that it has a schema: its values can have no more levels than are
/// read.
#[expect(clippy::panic, reason = "it is called at compile time")]
pub(super) const fn assert_widths<T: HasSchema + ?Sized>() {
    if let Err(name) = T::SCHEMA.leaf_bytes(None) {
        let reason = "` has no fixed width, so it is in no frame: send its type as a record, by `treedef::record::save_into`";
        panic!("{}", Message::new(&["the leaf type `", name, reason]).as_str())
    }
    let _ = schema_of::<T>();
}

/// The width of the leaf type with this name in a schema.
pub(super) const fn width_of(name: &[u8]) -> Option<usize> {
    match (LeafForm::of(name), name) {
        // An address has no dtype.
        (LeafForm::Plain(len @ ..NUMBERS), _) if !matches!(name, [b'I', b'p', ..]) => {
            Some(len as usize)
        }
        // A `usize` has not the same width on each machine.
        (_, [.., b's', b'i', b'z', b'e'] | [.., b's', b'i', b'z', b'e', b'>']) => None,
        (LeafForm::Integer { bits, .. }, _) if bits < 128 => Some((bits >> 3) as usize),
        _ => None,
    }
}
