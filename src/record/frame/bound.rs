//! The largest frames of a type, at compile time.

use crate::encode::max_sizes::{max_choices, number_len};
use crate::encode::structure::HasSchema;
use crate::record::bound::no_bound;
use crate::record::frame::leaf::assert_widths;

/// The number of bytes of the largest frame of a value of type `T`, with its first byte.
///
/// A type without a bound does not compile: it holds a `Vec` or a map on the heap, or a meta field or key that is an option, a tuple, an
/// array or a type of the program, or contains itself. Nor does one with a leaf type without a fixed width.
///
/// # Examples
///
/// ```
/// use treedef::record::frame::{frame_bytes, frame_into};
///
/// type Samples = heapless::Vec<(u16, Option<bool>), 4>;
/// let mut bytes = [0; frame_bytes::<Samples>()];
/// // The first byte, the number of choices, 5 choices, and four elements of 3 bytes.
/// assert_eq!(bytes.len(), 1 + 1 + 5 + 4 * 3);
///
/// let samples = Samples::from_slice(&[(7, Some(true)); 4]).unwrap();
/// assert_eq!(frame_into(&samples, &mut bytes), Ok(bytes.len()));
/// // A type of constant structure has no choices.
/// assert_eq!(frame_bytes::<[f32; 12]>(), 1 + 4 * 12);
/// ```
#[must_use]
pub const fn frame_bytes<T: HasSchema>() -> usize {
    const {
        assert_widths::<T>();
        let (choices, leaves) = (max_choices(T::SCHEMA), T::SCHEMA.leaf_bytes(None));
        match (choices, leaves) {
            (0, Ok(leaves)) if leaves != usize::MAX => leaves.saturating_add(1),
            (choices, Ok(leaves)) if choices != usize::MAX && leaves != usize::MAX => {
                let before = number_len(choices).saturating_add(choices);
                leaves.saturating_add(before).saturating_add(1)
            }
            _ => {
                let why = " holds a `Vec`, a map on the heap, a meta field or key that is an option, a tuple, an array or a type of the program, or itself";
                panic!("{}", no_bound("the frames", T::SCHEMA, None, why).as_str())
            }
        }
    }
}
