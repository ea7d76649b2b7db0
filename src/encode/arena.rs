//! Stores treedefs, heads and keys that are made at run time.

use core::cell::Cell;

use crate::base::bytes::copy;
use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::encode::structure::{Structure, written};
use crate::encode::writer::Writer;
use crate::format::head::Head;
use crate::format::heading::{HeadSpec, head_into};
use crate::treedef::treedef::TreeDef;

/// Storage for treedefs, heads and keys that are made at run time: a slice of the caller, without a heap.
///
/// Stored items live as long as the slice (`'b`), not only as long as the arena.
///
/// Only results take room. What a writer needs in addition is free again when it is done. A full arena stays usable for
/// items that still fit.
///
/// To empty an arena, make another one over the same slice. The compiler allows that when no item of the first is used
/// any more. [`Arena::scratch`] does that for the free part.
///
/// ```
/// use treedef::{Arena, Error};
///
/// let mut bytes = [0; 4];
/// for _ in 0..1000 {
///     let arena = Arena::new(&mut bytes);
///     arena.structure(&(1.0f32, 2.0f32))?;
///     let error = arena.structure(&([1.0f32], 2.0f32)).unwrap_err();
///     assert_eq!(error, Error::Full { room: 2 });
///     arena.structure(&[1.0f32])?;
/// }
/// # Ok::<(), Error>(())
/// ```
///
/// ```compile_fail,E0499
/// # use treedef::Arena;
/// let mut bytes = [0; 8];
/// let first = Arena::new(&mut bytes).structure(&1.0f32)?;
/// let second = Arena::new(&mut bytes).structure(&2.0f32)?;
/// assert_eq!(first, second); // `first` would be overwritten
/// # Ok::<(), treedef::Error>(())
/// ```
///
/// # Examples
///
/// ```
/// use treedef::{Arena, TreeDef};
///
/// let mut bytes = [0; 16];
/// let arena = Arena::new(&mut bytes);
/// let pair = arena.structure(&(1.0f32, 2.0f32))?;
/// let list = arena.structure([1.0f32, 2.0, 3.0].as_slice())?;
/// let copy = arena.add(pair)?;
/// assert_eq!((pair.as_bytes(), list.as_bytes()), ([0x22, 0x01].as_slice(), [0x43, 0x02].as_slice()));
/// assert_eq!(copy, pair);
/// assert_eq!(arena.remaining(), 10);
/// # Ok::<(), treedef::Error>(())
/// ```
pub struct Arena<'b> {
    free: Cell<&'b mut [u8]>,
}

impl<'b> Arena<'b> {
    /// An empty arena over `bytes`.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Arena;
    ///
    /// let mut room = [0; 64];
    /// assert_eq!(Arena::new(&mut room).remaining(), 64);
    /// ```
    #[must_use]
    pub const fn new(bytes: &'b mut [u8]) -> Self {
        Self { free: Cell::new(bytes) }
    }

    /// The number of free bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Arena;
    ///
    /// let mut room = [0; 8];
    /// let arena = Arena::new(&mut room);
    /// arena.str("key")?;
    /// assert_eq!(arena.remaining(), 5);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub fn remaining(&self) -> usize {
        let free = self.free.take();
        let len = free.len();
        self.free.set(free);
        len
    }

    /// An arena over the free bytes. They are free again after its last use.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Arena;
    ///
    /// let mut bytes = [0; 8];
    /// let mut arena = Arena::new(&mut bytes);
    /// let kept = arena.structure(&(1.0f32, 2.0f32))?;
    /// for _ in 0..1000 {
    ///     let scratch = arena.scratch();
    ///     assert_eq!(scratch.structure(&[1.0f32; 3])?.num_leaves(), 3);
    /// }
    /// assert_eq!((kept.num_leaves(), arena.remaining()), (2, 6));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    ///
    /// ```compile_fail,E0499
    /// # use treedef::Arena;
    /// # let mut bytes = [0; 8];
    /// # let mut arena = Arena::new(&mut bytes);
    /// let first = arena.scratch().structure(&1.0f32)?;
    /// let second = arena.scratch().structure(&2.0f32)?;
    /// assert_eq!(first, second); // `first` would be overwritten
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub fn scratch(&mut self) -> Arena<'_> {
        Arena::new(self.free.get_mut())
    }

    /// Stores the structure of `tree`.
    ///
    /// # Errors
    ///
    /// As [`structure_into`](crate::structure_into); [`Error::Full`] has the number of free bytes, which stay free.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Arena, treedef};
    ///
    /// let mut room = [0; 8];
    /// let arena = Arena::new(&mut room);
    /// assert_eq!(arena.structure(&(1.0f32, 2.0f32))?, treedef!((*, *)));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn structure<T: Structure + ?Sized>(&self, tree: &T) -> Result<TreeDef<'b>, Error> {
        self.build(|out| tree.describe(out))
    }

    /// Stores a copy of a treedef.
    ///
    /// # Errors
    ///
    /// [`Error::BufferFull`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Arena, Error, TreeDef};
    ///
    /// let mut room = [0; 1];
    /// let arena = Arena::new(&mut room);
    /// assert_eq!(arena.add(TreeDef::LEAF), Ok(TreeDef::LEAF));
    /// assert_eq!(arena.add(TreeDef::LEAF), Err(Error::BufferFull { needed: 1, room: 0 }));
    /// ```
    pub fn add(&self, def: TreeDef<'_>) -> Result<TreeDef<'b>, Error> {
        Ok(TreeDef::of_sizes(self.bytes(def.as_bytes())?, def.sizes()))
    }

    /// Encodes and stores a head, for nodes that are flattened more than once.
    ///
    /// # Errors
    ///
    /// As [`head_into`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::head::DictKind;
    /// use treedef::{Arena, Kind, head};
    ///
    /// let mut bytes = [0; 16];
    /// let arena = Arena::new(&mut bytes);
    /// let head = arena.head(&head::Dict::new(DictKind::Sorted, ["x", "y"]))?;
    /// assert_eq!(head.as_bytes(), [0x62, 4, 1, b'x', 1, b'y']);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn head<H: HeadSpec>(&self, spec: &H) -> Result<Head<'b>, Error> {
        let written = self.write(|bytes| Ok((head_into(spec, bytes)?.as_bytes().len(), ())));
        written.map(|(bytes, ())| Head::trusted(bytes))
    }

    /// Stores bytes.
    ///
    /// # Errors
    ///
    /// [`Error::BufferFull`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Arena;
    ///
    /// let mut room = [0; 8];
    /// let arena = Arena::new(&mut room);
    /// assert_eq!((arena.bytes(&[1, 2, 3])?, arena.remaining()), ([1, 2, 3].as_slice(), 5));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn bytes(&self, bytes: &[u8]) -> Result<&'b [u8], Error> {
        let needed = bytes.len();
        let written = self.write(|free| {
            let room = free.len();
            let target = free.get_mut(..needed).ok_or(Error::BufferFull { needed, room })?;
            copy(target, bytes);
            Ok((needed, ()))
        });
        written.map(|(bytes, ())| bytes)
    }

    /// Stores a string, such as a key.
    ///
    /// # Errors
    ///
    /// [`Error::BufferFull`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Arena;
    ///
    /// let mut bytes = [0; 8];
    /// let arena = Arena::new(&mut bytes);
    /// assert_eq!((arena.str("gain")?, arena.remaining()), ("gain", 4));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn str(&self, text: &str) -> Result<&'b str, Error> {
        let bytes = self.bytes(text.as_bytes())?;
        // The bytes of a string are a string.
        Ok(core::str::from_utf8(bytes).unwrap_or_default())
    }

    /// Stores the treedef that `build` writes.
    ///
    /// # Errors
    ///
    /// Those of [`Writer::finish`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Arena, head};
    ///
    /// let mut bytes = [0; 8];
    /// let arena = Arena::new(&mut bytes);
    /// let def = arena.build(|out| out.node(&head::List(3), |out| out.leaves(3)))?;
    /// assert_eq!(def.as_bytes(), [0x43, 0x02]);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn build(&self, build: impl FnOnce(&mut Writer<'_>)) -> Result<TreeDef<'b>, Error> {
        let written = self
            .write(|bytes| written(bytes, build).map(|def| (def.as_bytes().len(), def.sizes())));
        written.map(|(bytes, sizes)| TreeDef::of_sizes(bytes, sizes))
    }

    /// Calls `write` with all free bytes, keeps the number of bytes that it returns, and returns those bytes.
    ///
    /// # Errors
    ///
    /// Those of `write`. [`Error::BufferFull`] if it returns more bytes than are free. Nothing is kept after an error.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Arena, Error, structure_into};
    ///
    /// let mut room = [0; 8];
    /// let arena = Arena::new(&mut room);
    /// let (bytes, leaves) = arena.write(|free| {
    ///     let def = structure_into(&(1.0f32, 2.0f32), free)?;
    ///     Ok((def.as_bytes().len(), def.num_leaves()))
    /// })?;
    /// assert_eq!((bytes, leaves, arena.remaining()), ([0x22, 0x01].as_slice(), 2, 6));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn write<R>(
        &self,
        write: impl FnOnce(&mut [u8]) -> Result<(usize, R), Error>,
    ) -> Result<(&'b [u8], R), Error> {
        // The arena is full while `write` runs, so that nothing that `write` calls can write to these bytes.
        let free = self.free.take();
        let room = free.len();
        let written = write(&mut *free).and_then(|(needed, result)| {
            if needed > room {
                Err(Error::BufferFull { needed, room })
            } else {
                Ok((needed, result))
            }
        });
        match written {
            Ok((len, result)) => {
                let (kept, rest) = free.split_at_mut_checked(len).unwrap_or_default();
                self.free.set(rest);
                Ok((kept, result))
            }
            Err(error) => {
                self.free.set(free);
                Err(error)
            }
        }
    }
}

debug_struct!([] Arena<'_> |own| { remaining: own.remaining() });
