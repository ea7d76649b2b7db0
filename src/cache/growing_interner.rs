//! Equal treedefs stored once, in a table that grows, on `hashbrown`.

use alloc::vec::Vec;
use core::cell::RefCell;
use core::fmt;

use hashbrown::HashTable;

use super::interner::TreeId;
use super::key::same;
use crate::base::error::Error;
use crate::base::show::{record, show_by_debug};
use crate::encode::arena::Store;
use crate::format::fingerprint;
use crate::treedef::treedef::TreeDef;

/// As [`Interner`](crate::Interner), with a table on the heap that grows. With a `&bumpalo::Bump` as its store nothing
/// is ever full.
///
/// # Examples
///
/// ```
/// use treedef::{Arena, GrowingInterner, treedef};
///
/// let mut bytes = [0; 1024];
/// let arena = Arena::new(&mut bytes);
/// let interner = GrowingInterner::new(&arena);
/// let pair = interner.intern(treedef!((*, *)))?;
/// assert_eq!(interner.intern(treedef!((*, *)))?, pair);
/// assert_eq!(interner.treedef(pair), Some(treedef!((*, *))));
/// # Ok::<(), treedef::Error>(())
/// ```
pub struct GrowingInterner<'b, S> {
    store: S,
    // Borrowed while a method runs, and none calls another one.
    table: RefCell<Table<'b>>,
    hash: fn(&[u8]) -> u64,
}

/// The treedefs by their numbers, with their hashes; and the numbers by hash.
struct Table<'b> {
    defs: Vec<(TreeDef<'b>, u64)>,
    ids: HashTable<u32>,
}

impl<'b, S: Store<'b>> GrowingInterner<'b, S> {
    /// An interner that keeps bytes in `store`; it allocates nothing yet.
    pub fn new(store: S) -> Self {
        Self::with_hash(store, fingerprint::of)
    }

    /// The same with a hash of its own, which decides what is slow and never what is equal.
    pub fn with_hash(store: S, hash: fn(&[u8]) -> u64) -> Self {
        let table = Table { defs: Vec::new(), ids: HashTable::new() };
        Self { store, table: RefCell::new(table), hash }
    }

    /// The number of treedefs in it.
    pub fn len(&self) -> usize {
        self.table.try_borrow().map_or(0, |table| table.defs.len())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of a treedef; if it is new, a copy of its bytes is stored.
    ///
    /// # Errors
    ///
    /// [`Error::TableFull`] if the heap ends, [`Error::Full`] if the store does; only for a new treedef, and then
    /// nothing has changed.
    pub fn intern(&self, def: TreeDef<'_>) -> Result<TreeId, Error> {
        self.intern_with(def, || self.store.add(def))
    }

    /// The number of a treedef; if it is new, its bytes stay where they are.
    ///
    /// As [`Interner::intern_borrowed`](crate::Interner::intern_borrowed).
    ///
    /// # Errors
    ///
    /// [`Error::TableFull`].
    pub fn intern_borrowed(&self, def: TreeDef<'b>) -> Result<TreeId, Error> {
        self.intern_with(def, || Ok(def))
    }

    fn intern_with(
        &self,
        def: TreeDef<'_>,
        store: impl FnOnce() -> Result<TreeDef<'b>, Error>,
    ) -> Result<TreeId, Error> {
        let hash = (self.hash)(def.as_bytes());
        let mut table = self.table.try_borrow_mut().map_err(|_| Error::TableFull { room: 0 })?;
        if let Some(id) = table.find(def, hash) {
            return Ok(id);
        }
        let Table { defs, ids } = &mut *table;
        let full = Error::TableFull { room: defs.len() };
        let id = u32::try_from(defs.len()).map_err(|_| full)?;
        let hash_of = |id: &u32| defs.get(*id as usize).map_or(0, |(_, hash)| *hash);
        ids.try_reserve(1, hash_of).map_err(|_| full)?;
        defs.try_reserve(1).map_err(|_| full)?;
        defs.push((store()?, hash));
        ids.insert_unique(hash, id, |id| defs.get(*id as usize).map_or(0, |(_, hash)| *hash));
        Ok(TreeId::new(id))
    }

    /// The number of a treedef that is there.
    pub fn get(&self, def: TreeDef<'_>) -> Option<TreeId> {
        self.table.try_borrow().ok()?.find(def, (self.hash)(def.as_bytes()))
    }

    /// The treedef with this number; `None` if it is another interner's and too large.
    pub fn treedef(&self, id: TreeId) -> Option<TreeDef<'b>> {
        self.table.try_borrow().ok()?.defs.get(id.index()).map(|(def, _)| *def)
    }
}

impl Table<'_> {
    #[inline]
    fn find(&self, def: TreeDef<'_>, hash: u64) -> Option<TreeId> {
        let is = |id: &u32| {
            self.defs.get(*id as usize).is_some_and(|(known, known_hash)| {
                *known_hash == hash && same(known.as_bytes(), def.as_bytes())
            })
        };
        self.ids.find(hash, is).copied().map(TreeId::new)
    }
}

impl<S> fmt::Debug for GrowingInterner<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let len = self.table.try_borrow().map_or(0, |table| table.defs.len());
        record(f, "GrowingInterner", &[("len", &len)])
    }
}

show_by_debug!([S] GrowingInterner<'_, S>);
