//! Counts hits, misses and evictions of a cache.

use crate::base::show::debug_struct;

/// The numbers of hits, misses and evictions of a cache. They wrap at 2^64.
///
/// Only `get_or_insert_with` counts misses. So a `get` that finds nothing, followed by `get_or_insert_with`, counts as
/// one miss.
///
/// # Examples
///
/// ```
/// use treedef::cache::KeyBuf;
/// use treedef::{Cache, CallKey, Error, TreeDef};
///
/// let mut cache = Cache::<KeyBuf<8>, u32, 4>::new();
/// for _ in 0..10 {
///     cache.get_or_insert_with(CallKey::of(TreeDef::LEAF), || Ok::<_, Error>(1))?;
/// }
/// let stats = cache.stats();
/// assert_eq!((stats.hits, stats.misses, stats.evictions), (9, 1, 0));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CacheStats {
    /// Look-ups that found their key.
    pub hits: u64,
    /// Look-ups by `get_or_insert_with` that did not find their key, even if `build` failed.
    pub misses: u64,
    /// Entries that were evicted.
    pub evictions: u64,
}

debug_struct!([] CacheStats { hits, misses, evictions });

impl CacheStats {
    /// The counts before the first look-up.
    pub(super) const NONE: Self = Self { hits: 0, misses: 0, evictions: 0 };

    #[inline]
    pub(super) const fn hit(&mut self) {
        self.hits = self.hits.wrapping_add(1);
    }

    #[inline]
    pub(super) const fn miss(&mut self) {
        self.misses = self.misses.wrapping_add(1);
    }

    pub(super) const fn evict(&mut self) {
        self.evictions = self.evictions.wrapping_add(1);
    }
}
