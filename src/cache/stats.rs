//! Counts hits, misses and evictions of a cache.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::base::show::debug_struct;

/// The numbers of hits, misses and evictions of a cache. They wrap at `usize::MAX`.
///
/// Each look-up by `get`, `get_mut`, `entry` and `get_or_insert_with` is a hit or a miss; in a [`Known`](crate::cache::Known), each by
/// `get`, `get_or_insert_with` and `get_or_insert_with_bytes`. `peek` and `insert` are none.
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
    pub hits: usize,
    /// Look-ups that did not find their key.
    pub misses: usize,
    /// Entries that were evicted.
    pub evictions: usize,
}

debug_struct!([] CacheStats { hits, misses, evictions });

/// The counts of a cache that is read through shared references. An atomic load and store are no more than those of a
/// number, on every target; threads that count at the same time may lose a count.
pub(super) struct Counts {
    hits: AtomicUsize,
    misses: AtomicUsize,
    evictions: usize,
}

impl Counts {
    pub(super) const fn new() -> Self {
        Self { hits: AtomicUsize::new(0), misses: AtomicUsize::new(0), evictions: 0 }
    }

    /// Counts a look-up.
    #[inline]
    pub(super) fn look_up(&self, is_hit: bool) {
        let count = if is_hit { &self.hits } else { &self.misses };
        count.store(count.load(Relaxed).wrapping_add(1), Relaxed);
    }

    pub(super) const fn evict(&mut self) {
        self.evictions = self.evictions.wrapping_add(1);
    }

    pub(super) fn read(&self) -> CacheStats {
        let Self { hits, misses, evictions } = self;
        CacheStats { hits: hits.load(Relaxed), misses: misses.load(Relaxed), evictions: *evictions }
    }
}
