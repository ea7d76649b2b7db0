//! `bumpalo`: a `Bump` is a store.

use bumpalo::Bump;

use crate::arena::{Store, sealed::Sealed};
use crate::error::Error;

impl Sealed for &Bump {}

/// A treedef is measured, then written where it stays. Where repeats are nested, the room of one more unit for each is
/// taken besides, until the `Bump` is reset.
///
/// # Examples
///
/// ```
/// use bumpalo::Bump;
/// use treedef::Store;
///
/// let mut bump = Bump::new();
/// let def = bump.structure(&[1.0f32; 3])?;
/// assert_eq!(def.as_bytes(), [0x43, 0x02]);
/// bump.reset();
/// # Ok::<(), treedef::Error>(())
/// ```
impl<'b> Store<'b> for &'b Bump {
    fn write<R>(
        self,
        needed: impl FnOnce() -> Result<usize, Error>,
        write: impl FnOnce(&mut [u8]) -> Result<(usize, R), Error>,
    ) -> Result<(&'b [u8], R), Error> {
        let needed = needed()?;
        // A limit of the `Bump` or the end of the heap.
        let full = |_| Error::Full { needed, room: self.chunk_capacity() };
        let bytes = self.try_alloc_slice_fill_copy(needed, 0).map_err(full)?;
        let (len, result) = write(bytes)?;
        Ok((bytes.get(..len).unwrap_or_default(), result))
    }
}
