//! Defines a cache that grows, based on `hashbrown`.

use core::fmt;

use hashbrown::HashTable;
use hashbrown::hash_table::{AbsentEntry, OccupiedEntry};

use super::key::{CallKey, same};
use super::stats::CacheStats;
use crate::base::error::Error;
use crate::base::show::record;
use crate::base::try_error::UserError;

/// A map from [`CallKey`] to any number of values, on the heap. Nothing is evicted.
///
/// `K` is the stored form of a key: [`KeyBox`](crate::cache::KeyBox), or `CallKey<'b>` if the bytes are in an arena or
/// in flash. [`CallKey::build`] writes the key for a look-up. A look-up allocates nothing. It compares the bytes of one key, or only its address if the key is the same reference.
///
/// # Examples
///
/// ```
/// use treedef::cache::{GrowingCache, KeyBox};
/// use treedef::{CallKey, Error, treedef};
///
/// let mut cache = GrowingCache::<KeyBox, usize>::new();
/// let mut compiled = 0;
/// for def in [treedef!((*, *)), treedef!([*, *]), treedef!((*, *))] {
///     cache.get_or_insert_with(def.into(), || {
///         compiled += 1;
///         Ok::<_, Error>(def.num_leaves())
///     })?;
/// }
/// assert_eq!((compiled, cache.len(), cache.stats().hits), (2, 2, 1));
/// # Ok::<(), Error>(())
/// ```
pub struct GrowingCache<K, V> {
    table: Table<K, V>,
    stats: CacheStats,
}

struct Entry<K, V> {
    fingerprint: u64,
    key: K,
    value: V,
}

impl<K, V> Default for GrowingCache<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K, V> GrowingCache<K, V> {
    /// Makes an empty cache, without an allocation.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::{GrowingCache, KeyBox};
    ///
    /// let cache = GrowingCache::<KeyBox, fn()>::new();
    /// assert!(cache.is_empty());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { table: HashTable::new(), stats: CacheStats::NONE }
    }

    /// Returns the number of values.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::{GrowingCache, KeyBox};
    /// use treedef::{Error, TreeDef};
    ///
    /// let mut cache = GrowingCache::<KeyBox, u32>::new();
    /// cache.get_or_insert_with(TreeDef::LEAF.into(), || Ok::<_, Error>(7))?;
    /// assert_eq!(cache.len(), 1);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether the cache is empty.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::{GrowingCache, KeyBox};
    ///
    /// assert!(GrowingCache::<KeyBox, u32>::new().is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// Returns the numbers of hits and misses. There are no evictions.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::{GrowingCache, KeyBox};
    /// use treedef::{Error, TreeDef};
    ///
    /// let mut cache = GrowingCache::<KeyBox, u32>::new();
    /// for _ in 0..3 {
    ///     cache.get_or_insert_with(TreeDef::LEAF.into(), || Ok::<_, Error>(7))?;
    /// }
    /// assert_eq!((cache.stats().hits, cache.stats().misses), (2, 1));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub const fn stats(&self) -> CacheStats {
        self.stats
    }

    /// Removes all values. The counts and the allocated memory stay.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::{GrowingCache, KeyBox};
    /// use treedef::{Error, TreeDef};
    ///
    /// let mut cache = GrowingCache::<KeyBox, u32>::new();
    /// cache.get_or_insert_with(TreeDef::LEAF.into(), || Ok::<_, Error>(7))?;
    /// cache.clear();
    /// assert_eq!((cache.len(), cache.stats().misses), (0, 1));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn clear(&mut self) {
        self.table.clear();
    }
}

/// Whether an entry belongs to a key.
#[inline]
fn is<K: AsRef<[u8]>, V>(entry: &Entry<K, V>, key: CallKey<'_>) -> bool {
    entry.fingerprint == key.fingerprint() && same(entry.key.as_ref(), key.as_bytes())
}

/// Whether an entry has the fingerprint of a key.
///
/// The search only compares fingerprints, and the bytes are compared after it. A call inside the search would make it
/// save and restore registers.
#[inline]
fn resembles<K, V>(key: CallKey<'_>) -> impl Fn(&Entry<K, V>) -> bool {
    move |entry| entry.fingerprint == key.fingerprint()
}

/// The entry of a key, or the table if there is none.
type Found<'t, K, V> = Result<OccupiedEntry<'t, Entry<K, V>>, &'t mut Table<K, V>>;

type Table<K, V> = HashTable<Entry<K, V>>;

/// Looks a key up.
#[inline]
fn find<'t, K: AsRef<[u8]>, V>(table: &'t mut Table<K, V>, key: CallKey<'_>) -> Found<'t, K, V> {
    match table.find_entry(key.fingerprint(), resembles(key)) {
        Ok(entry) if is(entry.get(), key) => Ok(entry),
        Ok(entry) => find_colliding(entry.into_table(), key),
        Err(absent) => Err(absent.into_table()),
    }
}

/// Looks a key up if the first entry with its fingerprint belongs to another key.
#[cold]
fn find_colliding<'t, K: AsRef<[u8]>, V>(
    table: &'t mut Table<K, V>,
    key: CallKey<'_>,
) -> Found<'t, K, V> {
    table.find_entry(key.fingerprint(), |entry| is(entry, key)).map_err(AbsentEntry::into_table)
}

impl<K: AsRef<[u8]>, V> GrowingCache<K, V> {
    /// Returns the value of a key, and counts a hit. If there is none, nothing is counted:
    /// [`GrowingCache::get_or_insert_with`] counts the miss.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::{GrowingCache, KeyBox};
    /// use treedef::{CallKey, Error, TreeDef};
    ///
    /// let mut cache = GrowingCache::<KeyBox, u32>::new();
    /// let key = CallKey::of(TreeDef::LEAF);
    /// assert_eq!(cache.get(key), None);
    /// cache.get_or_insert_with(key, || Ok::<_, Error>(7))?;
    /// assert_eq!(cache.get(key), Some(&mut 7));
    /// assert_eq!(cache.stats().hits, 1);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    pub fn get(&mut self, key: CallKey<'_>) -> Option<&mut V> {
        let entry = find(&mut self.table, key).ok()?;
        self.stats.hit();
        Some(&mut entry.into_mut().value)
    }

    /// Returns the value of a key, without counting a hit.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::{GrowingCache, KeyBox};
    /// use treedef::{CallKey, Error, TreeDef};
    ///
    /// let mut cache = GrowingCache::<KeyBox, u32>::new();
    /// let key = CallKey::of(TreeDef::LEAF);
    /// cache.get_or_insert_with(key, || Ok::<_, Error>(7))?;
    /// assert_eq!((cache.peek(key), cache.stats().hits), (Some(&7), 0));
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn peek(&self, key: CallKey<'_>) -> Option<&V> {
        let first = self.table.find(key.fingerprint(), resembles(key))?;
        let found = if is(first, key) {
            Some(first)
        } else {
            self.table.find(key.fingerprint(), |entry| is(entry, key))
        };
        found.map(|entry| &entry.value)
    }

    /// Returns the value of a key. If there is none, `build` makes the value and the cache keeps it.
    ///
    /// # Errors
    ///
    /// The error of `build`. Before `build` runs: [`Error::CallKeyFull`] if the key does not fit `K`, or there is no
    /// memory for it, and [`Error::TableFull`] if there is no memory for the table. After an error the cache is
    /// unchanged, except for the count of misses.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::GrowingCache;
    /// use treedef::{CallKey, Error, TreeDef};
    ///
    /// let mut cache = GrowingCache::<CallKey<'_>, u32>::new();
    /// let leaf = CallKey::of(TreeDef::LEAF);
    /// assert_eq!(cache.get_or_insert_with(leaf, || Err(Error::TooLarge)), Err(Error::TooLarge));
    /// assert!(cache.is_empty());
    /// assert_eq!(cache.get_or_insert_with(leaf, || Ok::<_, Error>(7)), Ok(&mut 7));
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    pub fn get_or_insert_with<'k, E: UserError>(
        &mut self,
        key: CallKey<'k>,
        build: impl FnOnce() -> Result<V, E>,
    ) -> Result<&mut V, E>
    where
        K: TryFrom<CallKey<'k>, Error: Into<Error>>,
    {
        let table = match find(&mut self.table, key) {
            Ok(entry) => {
                self.stats.hit();
                return Ok(&mut entry.into_mut().value);
            }
            Err(table) => table,
        };
        self.stats.miss();
        let kept = K::try_from(key).map_err(Into::into)?;
        let full = Error::TableFull { room: table.len() };
        table.try_reserve(1, |entry| entry.fingerprint).map_err(|_| full)?;
        let entry = Entry { fingerprint: key.fingerprint(), key: kept, value: build()? };
        let entry = table.insert_unique(key.fingerprint(), entry, |entry| entry.fingerprint);
        Ok(&mut entry.into_mut().value)
    }

    /// Removes the value of a key and returns it.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::{GrowingCache, KeyBox};
    /// use treedef::{CallKey, Error, TreeDef};
    ///
    /// let mut cache = GrowingCache::<KeyBox, u32>::new();
    /// let key = CallKey::of(TreeDef::LEAF);
    /// cache.get_or_insert_with(key, || Ok::<_, Error>(7))?;
    /// assert_eq!((cache.remove(key), cache.remove(key)), (Some(7), None));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn remove(&mut self, key: CallKey<'_>) -> Option<V> {
        find(&mut self.table, key).ok().map(|entry| entry.remove().0.value)
    }

    /// Iterates over the keys and their values, in no particular order, for example to find the nearest key or to save
    /// the cache.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::{GrowingCache, KeyBox};
    /// use treedef::{CallKey, Error, treedef};
    ///
    /// let mut cache = GrowingCache::<KeyBox, &str>::new();
    /// for (def, code) in [(treedef!({"w": *}), "one"), (treedef!({"w": *, "b": *}), "two")] {
    ///     cache.get_or_insert_with(def.into(), || Ok::<_, Error>(code))?;
    /// }
    /// let saved: Vec<Vec<u8>> = cache.iter().map(|(key, _)| key.as_bytes().to_vec()).collect();
    /// assert_eq!(saved.len(), 2);
    /// for bytes in &saved {
    ///     assert!(cache.peek(CallKey::from_bytes(bytes)?).is_some());
    /// }
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (CallKey<'_>, &V)> {
        self.table
            .iter()
            .map(|entry| (CallKey::known(entry.key.as_ref(), entry.fingerprint), &entry.value))
    }
}

impl<K, V> fmt::Debug for GrowingCache<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        record(f, "GrowingCache", &[("len", &self.len()), ("stats", &self.stats)])
    }
}
