//! The place of a key in a cache, and what stores values there.

use super::key::CallKey;
use super::table::{Cache, FULL};
use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::base::try_error::UserError;

impl<K: AsRef<[u8]>, V, const N: usize> Cache<K, V, N> {
    /// Stores a value, and returns what it replaces: the value that the key had, or, if the cache is full, the
    /// entry that is evicted.
    ///
    /// # Errors
    ///
    /// [`Error::CallKeyFull`] if the key does not fit `K`. Then the cache is unchanged.
    ///
    /// # Examples
    ///
    /// A build that looks up what another build has made:
    ///
    /// ```
    /// use treedef::cache::KeyBuf;
    /// use treedef::{Cache, CallKey, Error, treedef};
    ///
    /// type Code = Cache<KeyBuf<16>, usize, 8>;
    ///
    /// fn code(cache: &mut Code, key: CallKey<'_>, inner: Option<CallKey<'_>>) -> Result<usize, Error> {
    ///     if let Some(code) = cache.get(key) {
    ///         return Ok(*code);
    ///     }
    ///     let inner = inner.map_or(Ok(0), |inner| code(cache, inner, None))?;
    ///     cache.insert(key, inner + 1)?;
    ///     Ok(inner + 1)
    /// }
    ///
    /// let mut cache = Code::new();
    /// let (outer, inner) = (CallKey::of(treedef!((*, *))), CallKey::of(treedef!([*])));
    /// assert_eq!(code(&mut cache, outer, Some(inner))?, 2);
    /// assert_eq!((cache.peek(inner), cache.len()), (Some(&1), 2));
    ///
    /// let (key, replaced) = cache.insert(inner, 5)?.expect("the key had a value");
    /// assert_eq!((key, replaced), (KeyBuf::try_from(inner)?, 1));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn insert<'k>(&mut self, key: CallKey<'k>, value: V) -> Result<Option<(K, V)>, Error>
    where
        K: TryFrom<CallKey<'k>, Error: Into<Error>>,
    {
        let found = self.find(key);
        Entry { cache: self, key, found }.insert(value)
    }

    /// The place of a key, for a build of several steps: on a hit and on a miss it takes one look-up. Counts a hit or a miss.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::KeyBuf;
    /// use treedef::{Cache, CallKey, Error, treedef};
    ///
    /// let mut cache = Cache::<KeyBuf<8>, String, 4>::new();
    /// let key = CallKey::of(treedef!((*, *)));
    /// let entry = cache.entry(key);
    /// if entry.get().is_none() {
    ///     let code = entry.key().to_string();
    ///     entry.insert(code)?;
    /// }
    /// assert_eq!(cache.entry(key).get().map(String::as_str), Some("PyTreeDef((*, *))"));
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    pub fn entry<'c, 'k>(&'c mut self, key: CallKey<'k>) -> Entry<'c, 'k, K, V, N> {
        let found = self.find(key);
        self.count(found);
        Entry { cache: self, key, found }
    }

    /// The value of a key. If there is none, `build` makes the value and the cache keeps it. Counts a hit or a miss.
    ///
    /// If the cache is full, a value is evicted and dropped after `build` succeeded. [`Cache::insert`] and
    /// [`Cache::evict`] return it.
    ///
    /// # Errors
    ///
    /// The error of `build`, and [`Error::CallKeyFull`] if the key does not fit `K`, before `build` runs. After an
    /// error the cache is unchanged, except for the count of misses.
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
    pub fn get_or_insert_with<'k, E: UserError>(
        &mut self,
        key: CallKey<'k>,
        build: impl FnOnce() -> Result<V, E>,
    ) -> Result<&mut V, E>
    where
        K: TryFrom<CallKey<'k>, Error: Into<Error>>,
    {
        self.entry(key).or_insert_with(build)
    }
}

/// The place of a key in a [`Cache`], from [`Cache::entry`]. It has a value or not.
#[must_use = "an entry alone stores nothing"]
pub struct Entry<'c, 'k, K, V, const N: usize> {
    cache: &'c mut Cache<K, V, N>,
    key: CallKey<'k>,
    /// The entry of the key.
    found: Option<usize>,
}

impl<'c, 'k, K: AsRef<[u8]>, V, const N: usize> Entry<'c, 'k, K, V, N> {
    /// The key that was looked up.
    #[must_use]
    pub const fn key(&self) -> CallKey<'k> {
        self.key
    }

    /// The value of the key, if there is one.
    #[must_use]
    pub fn get(&self) -> Option<&V> {
        self.cache.value(self.found?)
    }

    /// The value of the key, if there is one, for as long as the cache is borrowed. [`Entry::get`] asks whether there is one.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::KeyBuf;
    /// use treedef::{Cache, CallKey, Error, TreeDef};
    ///
    /// fn code<'c>(cache: &'c mut Cache<KeyBuf<8>, String, 4>, key: CallKey<'_>) -> Option<&'c mut String> {
    ///     let entry = cache.entry(key);
    ///     if entry.get().is_some() {
    ///         return entry.into_mut();
    ///     }
    ///     let code = entry.key().to_string();
    ///     entry.or_insert_with(|| Ok::<_, Error>(code)).ok()
    /// }
    ///
    /// let mut cache = Cache::new();
    /// code(&mut cache, TreeDef::LEAF.into()).unwrap().push('!');
    /// assert_eq!(code(&mut cache, TreeDef::LEAF.into()).unwrap(), "PyTreeDef(*)!");
    /// ```
    #[must_use]
    pub fn into_mut(self) -> Option<&'c mut V> {
        self.cache.value_mut(self.found?)
    }

    /// Stores a value, as [`Cache::insert`].
    ///
    /// # Errors
    ///
    /// As [`Cache::insert`].
    pub fn insert(self, value: V) -> Result<Option<(K, V)>, Error>
    where
        K: TryFrom<CallKey<'k>, Error: Into<Error>>,
    {
        let kept = K::try_from(self.key).map_err(Into::into)?;
        Ok(match self.found {
            Some(id) => {
                let old = self.cache.value_mut(id).map(|old| core::mem::replace(old, value));
                Some(kept).zip(old)
            }
            None => self.cache.put(self.key.fingerprint(), kept, value).1,
        })
    }

    /// The value of the key, or that of `build`, as [`Cache::get_or_insert_with`]. [`Entry::into_mut`] has an example.
    ///
    /// # Errors
    ///
    /// As [`Cache::get_or_insert_with`].
    #[inline]
    pub fn or_insert_with<E: UserError>(
        self,
        build: impl FnOnce() -> Result<V, E>,
    ) -> Result<&'c mut V, E>
    where
        K: TryFrom<CallKey<'k>, Error: Into<Error>>,
    {
        let value = match self.found {
            Some(id) => self.cache.value_mut(id),
            None => {
                let (kept, value) = (K::try_from(self.key).map_err(Into::into)?, build()?);
                self.cache.put(self.key.fingerprint(), kept, value).0
            }
        };
        value.ok_or(FULL.into())
    }
}

debug_struct!([K, V, const N: usize] Entry<'_, '_, K, V, N> |own| {
    key: own.key,
    is_occupied: own.found.is_some()
});
