//! The levels that a walk has open, the outermost first: a stack with an upper bound.

use heapless::VecView;

use crate::base::error::Error;
use crate::base::show::debug_struct;

/// Room for `D` levels, of which those that are open are written, and no others.
pub(crate) type Levels<T, const D: usize> = heapless::Vec<T, D>;

/// A stack without levels.
///
/// It is made through a pointer to the function: seen through at opt-level 3, an empty stack becomes a constant of its
/// full size, kept in flash and copied.
#[inline]
pub(crate) fn empty<T, const D: usize>() -> Levels<T, D> {
    (Levels::new as fn() -> Levels<T, D>)()
}

/// Room for levels that a caller brings: 16 bytes.
///
/// [`TreeDef::from_bytes_with`](crate::TreeDef::from_bytes_with),
/// [`structure_into_with`](crate::encode::structure_into_with) and the other functions in `_with` take a slice of them,
/// for treedefs of any depth; `Level::default()` fills it.
#[derive(Clone, Copy, Default)]
pub struct Level(pub(crate) [u32; 4]);

debug_struct!([] Level {});

/// Rows of `K` levels, one for each level of depth; whoever writes into them counts those that are in use.
pub(crate) enum Rows<'l, const K: usize> {
    /// In a local stack, which writes a row where it is first asked for.
    Own(&'l mut VecView<[Level; K]>),
    /// In a slice of the caller.
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

    /// The row of a depth, if there is one. Of rows that were not used before, the next one comes first.
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

    /// Writes the first two levels of a row; `None` if there is no such row.
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

    /// The error that a row is missing.
    #[cold]
    pub(crate) fn too_deep(&self) -> Error {
        Error::TooDeep { limit: self.room() }
    }
}
