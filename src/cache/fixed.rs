//! A cache of fixed capacity that is stored inline.

use core::fmt;

use super::index;
use super::key::{CallKey, same};
use super::key_buf::CacheKey;
use super::stats::CacheStats;
use crate::base::error::Error;
use crate::base::show::{record, show_by_debug};

/// A cache of at most `N` values by [`CallKey`], without a heap: all of it is stored in this value.
///
/// Every `N` keys fit at once. When it is full, the value that makes room is found by *second chance* (CLOCK): a hand
/// goes around the entries, spares one that was hit since the hand last came by, and takes the first that was not. A
/// new entry has had no hit. Among entries that are all hit between two evictions this is first in, first out.
///
/// `K` is what is kept of a key: [`KeyBuf`](crate::cache::KeyBuf), `CallKey<'static>` for keys in flash, `Box<[u8]>`.
/// An entry takes a key, a value, 8 bytes of index and 16 of its own. A look-up costs the same at every size; it
/// compares fingerprints, then the bytes of one key, or its address if it is kept as a reference and the same.
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
///     cache.get_or_insert_with(key, || Ok(key.as_bytes().len())).copied()
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
pub struct Cache<K, V, const N: usize> {
    /// Those below `len` are taken; of the others one is `Some` only if a drop panicked.
    entries: [Option<Entry<K, V>>; N],
    index: [[u32; 2]; N],
    len: usize,
    /// The entry that the next eviction looks at first.
    hand: usize,
    stats: CacheStats,
}

struct Entry<K, V> {
    fingerprint: u64,
    /// Whether it was hit since the hand last came by.
    used: bool,
    key: K,
    value: V,
}

impl<K, V, const N: usize> Default for Cache<K, V, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K, V, const N: usize> Cache<K, V, N> {
    /// An empty cache. A capacity of 0 does not compile.
    #[must_use]
    pub const fn new() -> Self {
        const { assert!(N > 0 && N <= 1 << 30, "a cache holds between 1 and 2^30 values") };
        Self {
            entries: [const { None }; N],
            index: [[0; 2]; N],
            len: 0,
            hand: 0,
            stats: CacheStats::NONE,
        }
    }

    /// The number of values in it.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of values it holds at most: `N`.
    #[must_use]
    pub const fn capacity(&self) -> usize {
        N
    }

    /// What was found and what not.
    #[must_use]
    pub const fn stats(&self) -> CacheStats {
        self.stats
    }

    /// Removes all values; the counts stay.
    ///
    /// If the drop of a value panics, the cache is empty nevertheless. The values that were still to be dropped go when
    /// their places are needed.
    pub fn clear(&mut self) {
        self.index = [[0; 2]; N];
        (self.len, self.hand) = (0, 0);
        self.entries.iter_mut().for_each(|entry| *entry = None);
    }
}

impl<K: AsRef<[u8]>, V, const N: usize> Cache<K, V, N> {
    #[inline]
    fn find(&self, key: CallKey<'_>) -> Result<usize, usize> {
        index::find(self.index.as_flattened(), key.fingerprint(), |id| {
            let entry = self.entries.get(id).and_then(Option::as_ref);
            entry.is_some_and(|entry| {
                entry.fingerprint == key.fingerprint() && same(entry.key.as_ref(), key.as_bytes())
            })
        })
    }

    /// Counts a hit and gives the value.
    #[inline]
    fn hit(&mut self, id: usize) -> Option<&mut V> {
        self.stats.hit();
        let entry = self.entries.get_mut(id).and_then(Option::as_mut)?;
        entry.used = true;
        Some(&mut entry.value)
    }

    /// The value of a key. What is found counts as a hit; what is not counts when it is made.
    #[inline]
    pub fn get(&mut self, key: CallKey<'_>) -> Option<&mut V> {
        let id = self.find(key).ok()?;
        self.hit(id)
    }

    /// The value of a key, without counting and without sparing it from the next eviction.
    #[must_use]
    pub fn peek(&self, key: CallKey<'_>) -> Option<&V> {
        let id = self.find(key).ok()?;
        self.entries.get(id)?.as_ref().map(|entry| &entry.value)
    }

    /// The value of a key; made by `build` and kept if there is none.
    ///
    /// Where the cache is full, another value makes room only when the new one is there, and is dropped;
    /// [`Cache::evict`] gives it instead.
    ///
    /// # Errors
    ///
    /// What `build` answers, and [`Error::CallKeyFull`] if a `K` does not hold the key, before `build` runs. Then the
    /// cache is as it was, but for the miss that is counted.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::KeyBuf;
    /// use treedef::{Cache, CallKey, Error, TreeDef, treedef};
    ///
    /// let mut cache = Cache::<KeyBuf<4>, String, 1>::new();
    /// let leaf = CallKey::of(TreeDef::LEAF);
    /// *cache.get_or_insert_with(leaf, || Ok::<_, Error>("compiled".into()))? += " twice";
    ///
    /// let pair = CallKey::of(treedef!((*, *)));
    /// let failed = cache.get_or_insert_with(pair, || Err(Error::TooLarge));
    /// assert_eq!(failed, Err(Error::TooLarge));
    /// let long = CallKey::of(treedef!({"bias": *}));
    /// let refused = cache.get_or_insert_with(long, || -> Result<_, Error> { unreachable!() });
    /// assert_eq!(refused, Err(Error::CallKeyFull { needed: 8, room: 4 }));
    /// assert_eq!(cache.get(leaf).map(|text| text.as_str()), Some("compiled twice"));
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    pub fn get_or_insert_with<'k, E: From<Error>>(
        &mut self,
        key: CallKey<'k>,
        build: impl FnOnce() -> Result<V, E>,
    ) -> Result<&mut V, E>
    where
        K: CacheKey<'k>,
    {
        let value = match self.find(key) {
            Ok(id) => self.hit(id),
            Err(at) => {
                self.stats.miss();
                let (kept, value) = (K::keep(key)?, build()?);
                self.insert(at, key.fingerprint(), kept, value)
            }
        };
        value.ok_or(FULL.into())
    }

    /// Puts a key that is not there and belongs to the free position `at`.
    fn insert(&mut self, mut at: usize, fingerprint: u64, key: K, value: V) -> Option<&mut V> {
        let id = if self.len < N {
            self.len = self.len.wrapping_add(1);
            self.len.wrapping_sub(1)
        } else {
            let victim = self.victim();
            self.forget(victim);
            self.stats.evict();
            self.hand = self.behind(victim);
            // The going of the victim moved others.
            at = index::free(self.index.as_flattened(), fingerprint);
            victim
        };
        index::insert(self.index.as_flattened_mut(), at, id);
        let slot = self.entries.get_mut(id)?;
        Some(&mut slot.insert(Entry { fingerprint, used: false, key, value }).value)
    }

    /// The entry that makes room next; those that are spared have used their chance.
    fn victim(&mut self) -> usize {
        // One time around uses all chances.
        for _ in 0..=self.len {
            match self.entries.get_mut(self.hand) {
                Some(Some(entry)) if entry.used => entry.used = false,
                _ => break,
            }
            self.hand = self.behind(self.hand);
        }
        self.hand
    }

    /// The next entry; the first one follows the last.
    fn behind(&self, id: usize) -> usize {
        let next = id.wrapping_add(1);
        if next < self.len { next } else { 0 }
    }

    /// Takes an entry out of the index.
    fn forget(&mut self, id: usize) {
        let entries = &self.entries;
        let fingerprint = |id| {
            let entry = entries.get(id).and_then(Option::as_ref);
            entry.map_or(0, |entry: &Entry<K, V>| entry.fingerprint)
        };
        index::remove(self.index.as_flattened_mut(), fingerprint(id), id, fingerprint);
    }

    /// Takes an entry out; the last one takes its place.
    fn take(&mut self, id: usize) -> Option<(K, V)> {
        self.forget(id);
        let last = self.len.checked_sub(1)?;
        let moved = self.entries.get_mut(last).and_then(Option::take);
        self.len = last;
        if self.hand >= last {
            self.hand = 0;
        }
        let taken = if id == last {
            moved
        } else {
            let fingerprint = moved.as_ref().map_or(0, |entry| entry.fingerprint);
            index::redirect(self.index.as_flattened_mut(), fingerprint, last, id);
            core::mem::replace(self.entries.get_mut(id)?, moved)
        };
        taken.map(|entry| (entry.key, entry.value))
    }

    /// Takes the value of a key out. The entry that came last takes its place before the hand.
    pub fn remove(&mut self, key: CallKey<'_>) -> Option<V> {
        let id = self.find(key).ok()?;
        self.take(id).map(|(_, value)| value)
    }

    /// Takes out the value that would make room next: for values that are to be used or freed elsewhere.
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
        self.stats.evict();
        Some(taken)
    }

    /// The keys and their values, in no order that is promised: to find the nearest key, or to save them.
    pub fn iter(&self) -> impl Iterator<Item = (CallKey<'_>, &V)> {
        let entries = self.entries.iter().take(self.len).flatten();
        entries.map(|entry| (CallKey::known(entry.key.as_ref(), entry.fingerprint), &entry.value))
    }
}

/// What is answered where a slot is missing, which is never: there is at least one.
const FULL: Error = Error::TableFull { room: 0 };

impl<K, V, const N: usize> fmt::Debug for Cache<K, V, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        record(f, "Cache", &[("len", &self.len), ("capacity", &N), ("stats", &self.stats)])
    }
}

show_by_debug!([K, V, const N: usize] Cache<K, V, N>);
