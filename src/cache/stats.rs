//! What a cache counts.

use crate::base::show::debug_struct;

/// How often a cache had what it was asked for; the counts wrap at 2^64.
///
/// # Examples
///
/// ```
/// use treedef::{Cache, CallKey, Error, KeyBuf, TreeDef};
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
    /// Look-ups that did not, whether or not a value was made then.
    pub misses: u64,
    /// Entries that made room for others.
    pub evictions: u64,
}

debug_struct!([] CacheStats { hits, misses, evictions });

impl CacheStats {
    /// No look-up yet.
    pub(super) const NONE: Self = Self { hits: 0, misses: 0, evictions: 0 };

    /// Counts a look-up.
    #[inline]
    pub(super) fn count<T>(&mut self, found: Option<T>) -> Option<T> {
        let counter = if found.is_some() { &mut self.hits } else { &mut self.misses };
        *counter = counter.wrapping_add(1);
        found
    }
}
