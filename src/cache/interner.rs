//! Equal treedefs stored once, in a table of fixed size.

use core::cell::Cell;
use core::fmt;

use super::index::{self, Positions};
use super::key::same;
use crate::base::error::Error;
use crate::base::show::{debug_struct, record, show_by_debug};
use crate::encode::arena::Store;
use crate::format::fingerprint;
use crate::treedef::treedef::TreeDef;

/// The number that an interner gave a treedef: equal treedefs have equal numbers, so comparing them is comparing a
/// `u32`.
///
/// Numbers count from 0 in the order of first sight: they index arrays beside the interner. Those of different
/// interners have nothing to do with each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TreeId(u32);

debug_struct!([] TreeId(0));

impl TreeId {
    pub(super) const fn new(id: u32) -> Self {
        Self(id)
    }

    /// The number; less than the treedefs that the interner holds.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Room for one treedef in the table of an [`Interner`]: 40 bytes on 64-bit machines.
pub struct InternerSlot<'b> {
    def: Cell<TreeDef<'b>>,
    fingerprint: Cell<u64>,
    /// Two of the positions by which all are found.
    positions: [Cell<u32>; 2],
}

debug_struct!([] InternerSlot<'_> {});

impl InternerSlot<'_> {
    /// A free slot.
    pub const fn new() -> Self {
        Self {
            def: Cell::new(TreeDef::NONE),
            fingerprint: Cell::new(0),
            positions: [const { Cell::new(0) }; 2],
        }
    }
}

impl Default for InternerSlot<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl Positions for &[InternerSlot<'_>] {
    #[inline]
    fn count(&self) -> usize {
        self.len().saturating_mul(2)
    }

    #[inline]
    fn read(&self, at: usize) -> u32 {
        let [even, odd] = match self.get(at >> 1) {
            Some(slot) => &slot.positions,
            None => return 0,
        };
        if at & 1 == 0 { even.get() } else { odd.get() }
    }

    fn write(&mut self, at: usize, mark: u32) {
        if let Some(slot) = self.get(at >> 1) {
            let [even, odd] = &slot.positions;
            if at & 1 == 0 { even.set(mark) } else { odd.set(mark) }
        }
    }
}

/// Stores equal treedefs once and numbers them, without a heap: the bytes go to a [`Store`], the table is a slice of
/// the caller.
///
/// It takes `&self`, so treedefs of it, which live as long as the storage, may be held while others come. Nothing
/// leaves it. Each slot can be taken; a look-up costs the same at every size and compares the bytes of one treedef.
///
/// # Examples
///
/// ```
/// use treedef::{Arena, Error, Interner, InternerSlot, treedef};
///
/// let (mut bytes, mut slots) = ([0; 64], [const { InternerSlot::new() }; 2]);
/// let arena = Arena::new(&mut bytes);
/// let interner = Interner::new(&arena, &mut slots);
///
/// let pair = interner.intern(treedef!((*, *)))?;
/// let list = interner.intern(treedef!([*, *]))?;
/// assert_eq!(interner.intern(treedef!((*, *)))?, pair);
/// assert_ne!(pair, list);
/// assert_eq!((pair.index(), list.index(), arena.remaining()), (0, 1, 60));
/// assert_eq!(interner.treedef(list), Some(treedef!([*, *])));
///
/// assert_eq!(interner.intern(treedef!({})), Err(Error::TableFull { room: 2 }));
/// assert_eq!(interner.get(treedef!([*, *])), Some(list));
/// # Ok::<(), Error>(())
/// ```
pub struct Interner<'s, 'b, S> {
    store: S,
    slots: &'s [InternerSlot<'b>],
    len: Cell<u32>,
    hash: fn(&[u8]) -> u64,
}

impl<'s, 'b, S: Store<'b>> Interner<'s, 'b, S> {
    /// An interner that keeps bytes in `store`; what the slots held is forgotten.
    pub fn new(store: S, slots: &'s mut [InternerSlot<'b>]) -> Self {
        Self::with_hash(store, slots, fingerprint::of)
    }

    /// The same with a hash of its own, which decides what is slow and never what is equal.
    ///
    /// For treedefs that come from people who could choose many of one fingerprint.
    pub fn with_hash(store: S, slots: &'s mut [InternerSlot<'b>], hash: fn(&[u8]) -> u64) -> Self {
        // More than the numbers can name are never needed.
        let most = slots.len().min(1 << 30);
        let slots = slots.get_mut(..most).unwrap_or_default();
        slots.iter_mut().for_each(|slot| *slot = InternerSlot::new());
        Self { store, slots, len: Cell::new(0), hash }
    }

    /// The number of treedefs in it.
    pub fn len(&self) -> usize {
        self.len.get() as usize
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of treedefs it holds at most: that of the slots.
    pub fn capacity(&self) -> usize {
        self.slots.len()
    }

    /// The number of a treedef; if it is new, a copy of its bytes is stored.
    ///
    /// # Errors
    ///
    /// [`Error::TableFull`] if all slots are taken, [`Error::Full`] if the store is; only for a new treedef, and then
    /// nothing has changed.
    pub fn intern(&self, def: TreeDef<'_>) -> Result<TreeId, Error> {
        self.intern_with(def, || self.store.add(def))
    }

    /// The number of a treedef; if it is new, its bytes stay where they are.
    ///
    /// For parts of a treedef that is stored, and for those in flash.
    ///
    /// # Errors
    ///
    /// [`Error::TableFull`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Arena, Interner, InternerSlot, treedef};
    ///
    /// let (mut bytes, mut slots) = ([0; 64], [const { InternerSlot::new() }; 8]);
    /// let arena = Arena::new(&mut bytes);
    /// let interner = Interner::new(&arena, &mut slots);
    /// let root = interner.intern(treedef!([(*, *), {"w": *}, (*, *)]))?;
    ///
    /// let (free, mut parts) = (arena.remaining(), vec![]);
    /// for child in interner.treedef(root).expect("its own number").children() {
    ///     parts.push(interner.intern_borrowed(child)?.index());
    /// }
    /// assert_eq!(parts, [1, 2, 1]);
    /// assert_eq!(arena.remaining(), free);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn intern_borrowed(&self, def: TreeDef<'b>) -> Result<TreeId, Error> {
        self.intern_with(def, || Ok(def))
    }

    fn intern_with(
        &self,
        def: TreeDef<'_>,
        store: impl FnOnce() -> Result<TreeDef<'b>, Error>,
    ) -> Result<TreeId, Error> {
        let fingerprint = (self.hash)(def.as_bytes());
        let at = match self.find(def, fingerprint) {
            Ok(id) => return Ok(id),
            Err(at) => at,
        };
        let (id, room) = (self.len(), self.capacity());
        let slot = self.slots.get(id).ok_or(Error::TableFull { room })?;
        slot.def.set(store()?);
        slot.fingerprint.set(fingerprint);
        index::insert(&mut { self.slots }, at, id);
        let number = self.len.get();
        self.len.set(number.wrapping_add(1));
        Ok(TreeId::new(number))
    }

    /// The number of a treedef that is there.
    pub fn get(&self, def: TreeDef<'_>) -> Option<TreeId> {
        self.find(def, (self.hash)(def.as_bytes())).ok()
    }

    #[inline]
    fn find(&self, def: TreeDef<'_>, fingerprint: u64) -> Result<TreeId, usize> {
        let found = index::find(&self.slots, fingerprint, |id| {
            self.slots.get(id).is_some_and(|slot| {
                slot.fingerprint.get() == fingerprint
                    && same(slot.def.get().as_bytes(), def.as_bytes())
            })
        });
        found.map(|id| TreeId::new(u32::try_from(id).unwrap_or(u32::MAX)))
    }

    /// The treedef with this number; `None` if it is another interner's and too large.
    pub fn treedef(&self, id: TreeId) -> Option<TreeDef<'b>> {
        (id.index() < self.len()).then(|| self.slots.get(id.index()).map(|slot| slot.def.get()))?
    }
}

impl<S> fmt::Debug for Interner<'_, '_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (len, capacity) = (self.len.get(), self.slots.len());
        record(f, "Interner", &[("len", &len), ("capacity", &capacity)])
    }
}

show_by_debug!([S] Interner<'_, '_, S>);
