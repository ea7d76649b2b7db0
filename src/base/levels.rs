//! Holds the open levels of a walk, the outermost first: a stack with an upper bound.

use crate::base::show::debug_struct;

/// Room for `D` levels. Only open levels are initialised.
pub(crate) type Levels<T, const D: usize> = heapless::Vec<T, D>;

/// A stack without levels.
///
/// The call goes through a function pointer. Otherwise opt-level 3 turns an empty stack into a constant of its full
/// size, which is kept in flash and copied.
#[inline]
pub(crate) fn empty<T, const D: usize>() -> Levels<T, D> {
    (Levels::new as fn() -> Levels<T, D>)()
}

/// Room for levels that a caller brings: 16 bytes.
///
/// [`TreeDef::from_bytes_with`](crate::TreeDef::from_bytes_with) and
/// [`CallKey::from_bytes_with`](crate::CallKey::from_bytes_with) take a slice of them, for treedefs of any depth;
/// `Level::default()` fills it.
///
/// # Examples
///
/// ```
/// use treedef::TreeDef;
/// use treedef::encode::Level;
///
/// let bytes = [0x42, 0x22, 0x01, 0x00]; // [(*, *), *]
/// assert!(TreeDef::from_bytes_with(&bytes, &mut []).is_err());
/// assert!(TreeDef::from_bytes_with(&bytes, &mut [Level::default()]).is_ok());
/// ```
#[derive(Clone, Copy, Default)]
pub struct Level(pub(crate) [u32; 4]);

debug_struct!([] Level {});
