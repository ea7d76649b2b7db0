//! Holds the open levels of a walk, the outermost first: a stack with an upper bound.

use heapless::VecView;

use crate::base::error::Error;
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
/// [`TreeDef::from_bytes_with`](crate::TreeDef::from_bytes_with),
/// [`structure_into_with`](crate::encode::structure_into_with) and the other functions in `_with` take a slice of them,
/// for treedefs of any depth; `Level::default()` fills it.
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

/// Rows of `K` levels, one row for each level of depth. The writer counts the rows in use.
pub(crate) enum Rows<'l, const K: usize> {
    /// In a local stack, which initialises a row when it is first used.
    Own(&'l mut VecView<[Level; K]>),
    /// In a slice of the caller. All rows are initialised.
    Brought(&'l mut [[Level; K]]),
}

impl<const K: usize> Rows<'_, K> {
    /// The number of rows.
    pub(crate) fn room(&self) -> u32 {
        let room = match self {
            Self::Own(rows) => rows.capacity(),
            Self::Brought(rows) => rows.len(),
        };
        u32::try_from(room).unwrap_or(u32::MAX)
    }

    /// The row at `depth`, if there is room. A new row of a local stack has to be the next one.
    #[inline]
    pub(crate) fn row(&mut self, depth: usize) -> Option<&mut [Level; K]> {
        match self {
            Self::Own(rows) => {
                if depth == rows.len() {
                    let _ = rows.push([Level::default(); K]);
                }
                rows.get_mut(depth)
            }
            Self::Brought(rows) => rows.get_mut(depth),
        }
    }

    /// Writes the first two levels of the row at `depth`; `None` if there is no room.
    #[inline]
    pub(crate) fn put(&mut self, depth: usize, front: [Level; 2]) -> Option<()> {
        if let Self::Own(rows) = self
            && depth == rows.len()
        {
            let mut row = [Level::default(); K];
            *row.first_chunk_mut()? = front;
            return rows.push(row).ok();
        }
        *self.row(depth)?.first_chunk_mut()? = front;
        Some(())
    }

    /// The error for a missing row.
    #[cold]
    pub(crate) fn too_deep(&self) -> Error {
        Error::TooDeep { limit: self.room() }
    }
}
