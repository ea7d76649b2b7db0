//! Defines a cache of fixed capacity that is stored inline.

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::index;
use super::key::CallKey;
use super::stats::{CacheStats, Counts};
use crate::base::bytes::same;
use crate::base::error::Error;
use crate::base::show::debug_struct;

/// A map from [`CallKey`] to at most `N` values, stored inline, without a heap.
///
/// Any `N` keys fit at once, whatever their fingerprints. If the cache is full, a new value evicts an old one, which is chosen by *second chance*
/// (CLOCK): a hand goes around the entries, skips each entry that was hit since the hand last passed it, and evicts the
/// first that was not. A new entry starts without a hit. If all entries were hit, the hand goes around once and evicts the
/// entry at which it began.
///
/// `K` is the stored form of a key: [`KeyBuf<M>`](crate::cache::KeyBuf) stores up to `M` bytes inline, `KeyBox` (feature
/// `alloc`) any number on the heap. `CallKey<'a>` stores a reference: to a `const` key in flash, which is compared by its
/// address, or to a copy in an [`Arena`](crate::Arena) ([`CallKey::to_arena`]), which does not free the bytes of an evicted
/// key. Another form has to return exactly the bytes of the key by `AsRef<[u8]>`. An entry takes a key, a value, and 24 bytes. On average, the time of a look-up does not depend on `N`.
/// Look-ups go by fingerprint and are confirmed byte by byte, so a collision never returns the wrong value; if the key
/// is the same reference, the address is enough. Whoever chooses the keys can make their fingerprints equal: then a look-up
/// compares with each of them, at most `N`. [`CallKey::with_fingerprint`] takes a keyed hash instead.
///
/// [`Cache::get`] takes `&self`, so threads can share a cache in an `RwLock`, and a build can look up what it needs itself:
/// build after a `get` that found nothing, then call [`Cache::insert`].
///
/// # Examples
///
/// ```
/// use treedef::cache::KeyBuf;
/// use treedef::{Cache, CallKey, Error, treedef};
///
/// let mut cache = Cache::<KeyBuf<16>, usize, 2>::new();
/// let pair = CallKey::of(treedef!((*, *)));
/// let list = CallKey::of(treedef!([*, *]));
/// let dict = CallKey::of(treedef!({"b": *, "w": *}));
///
/// let mut compile = |key: CallKey<'_>| -> Result<usize, Error> {
///     Ok(*cache.get_or_insert_with(key, || Ok::<_, Error>(key.as_bytes().len()))?)
/// };
/// assert_eq!((compile(pair)?, compile(list)?, compile(pair)?), (2, 2, 2));
/// assert_eq!(compile(dict)?, 7); // `pair` was hit since it came, so `list` goes
///
/// assert_eq!(cache.peek(pair), Some(&2));
/// assert_eq!(cache.peek(list), None);
/// let stats = cache.stats();
/// assert_eq!((stats.hits, stats.misses, stats.evictions), (1, 3, 1));
/// # Ok::<(), Error>(())
/// ```
#[doc(alias("cache key", "jit"))]
pub struct Cache<K, V, const N: usize> {
    /// The entries below `len` are in use. Another entry is `Some` only if a drop panicked.
    entries: [Option<Slot<K, V>>; N],
    index: [[u32; 2]; N],
    len: usize,
    /// The first entry that the next eviction considers.
    hand: usize,
    counts: Counts,
}

pub(super) struct Slot<K, V> {
    fingerprint: u64,
    /// Whether the entry was hit since the hand last passed it.
    used: AtomicBool,
    key: K,
    value: V,
}

impl<K, V, const N: usize> Default for Cache<K, V, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K, V, const N: usize> Cache<K, V, N> {
    /// Makes an empty cache. A capacity of 0 does not compile. All entries are in the value, so a large one is a
    /// `static`: the stack of a thread may not hold it, also on its way into a `Box`.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Cache;
    /// use treedef::cache::KeyBuf;
    ///
    /// let cache = Cache::<KeyBuf<64>, fn(), 8>::new();
    /// assert!(cache.is_empty());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        const { assert!(N > 0 && N <= 1 << 30, "a cache holds between 1 and 2^30 values") };
        Self {
            entries: [const { None }; N],
            index: [[0; 2]; N],
            len: 0,
            hand: 0,
            counts: Counts::new(),
        }
    }

    /// Returns the number of values.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::KeyBuf;
    /// use treedef::{Cache, CallKey, Error, TreeDef};
    ///
    /// let mut cache = Cache::<KeyBuf<8>, u32, 4>::new();
    /// cache.get_or_insert_with(CallKey::of(TreeDef::LEAF), || Ok::<_, Error>(7))?;
    /// assert_eq!(cache.len(), 1);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether the cache is empty.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Cache, CallKey};
    ///
    /// assert!(Cache::<CallKey<'_>, u32, 4>::new().is_empty());
    /// ```
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the largest number of values: `N`.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Cache, CallKey};
    ///
    /// assert_eq!(Cache::<CallKey<'_>, u32, 4>::new().capacity(), 4);
    /// ```
    #[must_use]
    pub const fn capacity(&self) -> usize {
        N
    }

    /// Returns the numbers of hits, misses and evictions.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::KeyBuf;
    /// use treedef::{Cache, CallKey, Error, TreeDef};
    ///
    /// let mut cache = Cache::<KeyBuf<8>, u32, 1>::new();
    /// for def in [TreeDef::LEAF, TreeDef::LEAF, TreeDef::NONE] {
    ///     cache.get_or_insert_with(CallKey::of(def), || Ok::<_, Error>(7))?;
    /// }
    /// let stats = cache.stats();
    /// assert_eq!((stats.hits, stats.misses, stats.evictions), (1, 2, 1));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn stats(&self) -> CacheStats {
        self.counts.read()
    }

    /// Removes all values. The counts of [`Cache::stats`] stay.
    ///
    /// If the drop of a value panics, the cache is still empty. The remaining values are dropped when their slots are
    /// needed.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::KeyBuf;
    /// use treedef::{Cache, CallKey, Error, TreeDef};
    ///
    /// let mut cache = Cache::<KeyBuf<8>, u32, 4>::new();
    /// cache.get_or_insert_with(CallKey::of(TreeDef::LEAF), || Ok::<_, Error>(7))?;
    /// cache.clear();
    /// assert_eq!((cache.len(), cache.stats().misses), (0, 1));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn clear(&mut self) {
        self.index = [[0; 2]; N];
        (self.len, self.hand) = (0, 0);
        self.entries.iter_mut().for_each(|entry| *entry = None);
    }
}

impl<K: AsRef<[u8]>, V, const N: usize> Cache<K, V, N> {
    #[inline]
    pub(super) fn find(&self, key: CallKey<'_>) -> Option<usize> {
        let found = index::find(self.index.as_flattened(), key.fingerprint(), |id| {
            let entry = self.entries.get(id).and_then(Option::as_ref);
            entry.is_some_and(|entry| {
                entry.fingerprint == key.fingerprint() && same(entry.key.as_ref(), key.as_bytes())
            })
        });
        found.ok().map(|(id, _)| id)
    }

    /// Counts a look-up, and marks the entry that it found.
    #[inline]
    pub(super) fn count(&self, found: Option<usize>) -> Option<&Slot<K, V>> {
        let entry = found.and_then(|id| self.entries.get(id)?.as_ref());
        self.counts.look_up(entry.is_some());
        entry.inspect(|entry| entry.used.store(true, Relaxed))
    }

    /// The value of a key. Counts a hit or a miss; a hit protects the value from the next eviction.
    ///
    /// Look-ups of several threads at once are all answered, but some may not be counted.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::KeyBuf;
    /// use treedef::{Cache, CallKey, Error, treedef};
    ///
    /// let mut cache = Cache::<KeyBuf<8>, u32, 4>::new();
    /// let key = CallKey::of(treedef!((*, *)));
    /// assert_eq!(cache.get(key), None);
    /// cache.insert(key, 7)?;
    /// assert_eq!(cache.get(key), Some(&7));
    /// assert_eq!((cache.stats().hits, cache.stats().misses), (1, 1));
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    pub fn get(&self, key: CallKey<'_>) -> Option<&V> {
        self.count(self.find(key)).map(|entry| &entry.value)
    }

    /// As [`Cache::get`], to change the value.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::KeyBuf;
    /// use treedef::{Cache, CallKey, Error, TreeDef};
    ///
    /// let mut calls = Cache::<KeyBuf<8>, u32, 4>::new();
    /// let key = CallKey::of(TreeDef::LEAF);
    /// calls.insert(key, 1)?;
    /// if let Some(count) = calls.get_mut(key) {
    ///     *count += 1;
    /// }
    /// assert_eq!(calls.get(key), Some(&2));
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    pub fn get_mut(&mut self, key: CallKey<'_>) -> Option<&mut V> {
        let found = self.find(key);
        self.count(found)?;
        self.value_mut(found?)
    }

    /// The value of the entry `id`.
    pub(super) fn value(&self, id: usize) -> Option<&V> {
        self.entries.get(id)?.as_ref().map(|entry| &entry.value)
    }

    #[inline]
    pub(super) fn value_mut(&mut self, id: usize) -> Option<&mut V> {
        self.entries.get_mut(id)?.as_mut().map(|entry| &mut entry.value)
    }

    /// The value of a key, without a count: this does not protect the value from eviction.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::KeyBuf;
    /// use treedef::{Cache, CallKey, Error, TreeDef};
    ///
    /// let mut cache = Cache::<KeyBuf<8>, u32, 4>::new();
    /// let key = CallKey::of(TreeDef::LEAF);
    /// cache.insert(key, 7)?;
    /// assert_eq!((cache.peek(key), cache.stats().hits), (Some(&7), 0));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn peek(&self, key: CallKey<'_>) -> Option<&V> {
        self.value(self.find(key)?)
    }

    /// Stores a value under a new key. Returns the value, and the entry that is evicted.
    pub(super) fn put(
        &mut self,
        fingerprint: u64,
        key: K,
        value: V,
    ) -> (Option<&mut V>, Option<(K, V)>) {
        let id = if self.len < N {
            self.len = self.len.wrapping_add(1);
            self.len.wrapping_sub(1)
        } else {
            let victim = self.victim();
            self.forget(victim);
            self.counts.evict();
            self.hand = index::after(self.len, victim);
            victim
        };
        index::insert(self.index.as_flattened_mut(), fingerprint, id);
        let Some(slot) = self.entries.get_mut(id) else { return (None, None) };
        let evicted = slot.take().map(|entry| (entry.key, entry.value));
        let entry = Slot { fingerprint, used: AtomicBool::new(false), key, value };
        (Some(&mut slot.insert(entry).value), evicted)
    }

    /// Finds the next entry to evict. The entries that it skips lose their mark.
    fn victim(&mut self) -> usize {
        // After one round no entry is marked.
        for _ in 0..=self.len {
            match self.entries.get_mut(self.hand) {
                Some(Some(entry)) if entry.used.load(Relaxed) => *entry.used.get_mut() = false,
                _ => break,
            }
            self.hand = index::after(self.len, self.hand);
        }
        self.hand
    }

    /// Removes an entry from the index.
    fn forget(&mut self, id: usize) {
        let entries = &self.entries;
        let fingerprint = |id| {
            let entry = entries.get(id).and_then(Option::as_ref);
            entry.map_or(0, |entry: &Slot<K, V>| entry.fingerprint)
        };
        index::remove(self.index.as_flattened_mut(), fingerprint(id), id, fingerprint);
    }

    /// Removes an entry. The last entry moves to its slot.
    fn take(&mut self, id: usize) -> Option<(K, V)> {
        let last = self.len.checked_sub(1)?;
        self.forget(id);
        self.forget(last);
        let mut taken = self.entries.get_mut(last)?.take();
        self.len = last;
        if self.hand >= last {
            self.hand = 0;
        }
        if id != last {
            let fingerprint = taken.as_ref().map_or(0, |entry| entry.fingerprint);
            index::insert(self.index.as_flattened_mut(), fingerprint, id);
            taken = core::mem::replace(self.entries.get_mut(id)?, taken);
        }
        taken.map(|entry| (entry.key, entry.value))
    }

    /// Removes the value of a key and returns it. The entry of the last slot moves to its slot, and has its place in the order of eviction from then on.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::KeyBuf;
    /// use treedef::{Cache, CallKey, Error, treedef};
    ///
    /// let mut cache = Cache::<KeyBuf<8>, u32, 4>::new();
    /// let key = CallKey::of(treedef!((*, *)));
    /// cache.get_or_insert_with(key, || Ok::<_, Error>(7))?;
    /// assert_eq!((cache.remove(key), cache.remove(key)), (Some(7), None));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn remove(&mut self, key: CallKey<'_>) -> Option<V> {
        let id = self.find(key)?;
        self.take(id).map(|(_, value)| value)
    }

    /// Removes the entry that would be evicted next and returns it, for values that you want to use again or free
    /// yourself.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::KeyBuf;
    /// use treedef::{Cache, CallKey, Error, TreeDef};
    ///
    /// let mut cache = Cache::<KeyBuf<4>, &str, 1>::new();
    /// cache.get_or_insert_with(CallKey::of(TreeDef::LEAF), || Ok::<_, Error>("old"))?;
    /// let key = CallKey::of(TreeDef::NONE);
    /// if cache.len() == cache.capacity() && cache.peek(key).is_none() {
    ///     let (of, value) = cache.evict().expect("it is full");
    ///     assert_eq!((of.as_key(), value), (CallKey::of(TreeDef::LEAF), "old"));
    /// }
    /// cache.get_or_insert_with(key, || Ok::<_, Error>("new"))?;
    /// assert_eq!(cache.stats().evictions, 1);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn evict(&mut self) -> Option<(K, V)> {
        let victim = self.victim();
        let taken = self.take(victim)?;
        // The entry that moved there came last, unless one that was put took the place of another.
        self.hand = index::after(self.len, victim);
        self.counts.evict();
        Some(taken)
    }

    /// Removes the values for which `keep` returns `false`.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::KeyBuf;
    /// use treedef::{Cache, CallKey, Error, treedef};
    ///
    /// let mut cache = Cache::<KeyBuf<8>, u32, 4>::new();
    /// for (def, value) in [(treedef!((*, *)), 1), (treedef!([*]), 2), (treedef!([*, *]), 3)] {
    ///     cache.insert(def.into(), value)?;
    /// }
    /// cache.retain(|key, value| key == CallKey::of(treedef!([*])) || *value == 1);
    /// assert_eq!(cache.len(), 2);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn retain(&mut self, mut keep: impl FnMut(CallKey<'_>, &mut V) -> bool) {
        // From the last on: what takes the place of a removed entry was asked before.
        for id in (0..self.len).rev() {
            if let Some(Some(entry)) = self.entries.get_mut(id)
                && !keep(
                    CallKey::from_parts(entry.key.as_ref(), entry.fingerprint),
                    &mut entry.value,
                )
            {
                let _ = self.take(id);
            }
        }
    }

    /// Iterates over the keys and their values, in no particular order, for example to find the nearest key or to save
    /// the cache.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::KeyBuf;
    /// use treedef::{Cache, CallKey, Error, treedef};
    ///
    /// let mut cache = Cache::<KeyBuf<8>, u32, 4>::new();
    /// let key = CallKey::of(treedef!((*, *)));
    /// cache.get_or_insert_with(key, || Ok::<_, Error>(7))?;
    /// assert!(cache.iter().eq([(key, &7)]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (CallKey<'_>, &V)> {
        let entries = self.entries.iter().take(self.len).flatten();
        entries
            .map(|entry| (CallKey::from_parts(entry.key.as_ref(), entry.fingerprint), &entry.value))
    }
}

/// The error if a slot is missing. It never occurs, since there is at least one slot.
pub(super) const FULL: Error = Error::TableFull { room: 0 };

debug_struct!([K, V, const N: usize] Cache<K, V, N> |own| {
    len: own.len,
    capacity: N,
    stats: own.stats()
});
