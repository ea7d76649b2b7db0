//! Finds what is stored for a value of a known type by its choices, in a table of fixed size.

use core::marker::PhantomData;

use super::key::CallKey;
use super::known_call::KnownCall;
use super::leaf_keys::KeyLeaves;
use super::stats::{CacheStats, Counts};
use super::table::FULL;
use crate::base::bytes::{equal, first};
use crate::base::try_error::UserError;
use crate::encode::max_sizes::max_choices;
use crate::encode::structure::HasSchema;
use crate::format::fingerprint;
use crate::tree::walk::TreeWalk;

pub struct Known<T: ?Sized, V, const N: usize, const R: usize = 128> {
    slots: [Option<Slot<V, R>>; N],
    /// The key that is looked up.
    asked: Key<R>,
    /// The value of the last call that has no room in a slot.
    last: Option<V>,
    counts: Counts,
    too_long: usize,
    of: PhantomData<fn(&T)>,
}

struct Slot<V, const R: usize> {
    key: Key<R>,
    value: V,
}

#[derive(Clone, Copy)]
struct Key<const R: usize> {
    bytes: [u8; R],
    len: usize,
}

impl<const R: usize> Key<R> {
    #[inline]
    fn as_bytes(&self) -> &[u8] {
        first(&self.bytes, self.len)
    }
}

impl<T: HasSchema + ?Sized, V, const N: usize, const R: usize> Known<T, V, N, R> {
    #[must_use]
    pub const fn new() -> Self {
        const {
            assert!(N > 0, "a table has at least one entry");
            let most = max_choices(T::SCHEMA);
            assert!(
                most <= R || most == usize::MAX,
                "a value of this type can have more than `R` bytes of choices: give `Known` a larger `R`"
            );
        }
        Self {
            slots: [const { None }; N],
            asked: Key { bytes: [0; R], len: 0 },
            last: None,
            counts: Counts::new(),
            too_long: 0,
            of: PhantomData,
        }
    }
}

impl<T: TreeWalk<KeyLeaves> + ?Sized, V, const N: usize, const R: usize> Known<T, V, N, R> {
    /// Looks a call up: the index of its slot if it has a key with room, and whether the call is there.
    #[inline]
    fn find(&mut self, call: KnownCall<'_, T>) -> (Option<usize>, bool) {
        let Ok(key) = call.write(&mut self.asked.bytes) else {
            self.counts.look_up(false);
            return (None, false);
        };
        let hash = fingerprint::of(key);
        let scaled = (hash >> 32).wrapping_mul(N as u64) >> 32;
        let at = usize::try_from(scaled).unwrap_or(0);
        let slot = self.slots.get(at).and_then(Option::as_ref);
        let is_here = slot.is_some_and(|slot| equal(slot.key.as_bytes(), key));
        self.asked.len = key.len();
        self.counts.look_up(is_here);
        (Some(at), is_here)
    }

    #[inline]
    pub fn get<'t>(&mut self, call: impl Into<KnownCall<'t, T>>) -> Option<&mut V>
    where
        T: 't,
    {
        match self.find(call.into()) {
            (Some(at), true) => self.slots.get_mut(at)?.as_mut().map(|slot| &mut slot.value),
            _ => None,
        }
    }

    #[inline]
    pub fn get_or_insert_with_bytes<'t, E: UserError>(
        &mut self,
        call: impl Into<KnownCall<'t, T>>,
        bytes: &mut [u8],
        build: impl FnOnce(CallKey<'_>) -> Result<V, E>,
    ) -> Result<&mut V, E>
    where
        T: 't,
    {
        let call = call.into();
        self.or_insert_with(call, || build(call.call_key(bytes)?))
    }

    /// The value of a call, or that of `build`.
    #[inline]
    fn or_insert_with<E: UserError>(
        &mut self,
        call: KnownCall<'_, T>,
        build: impl FnOnce() -> Result<V, E>,
    ) -> Result<&mut V, E> {
        match self.find(call) {
            (Some(at), true) => {
                let slot = self.slots.get_mut(at).and_then(Option::as_mut);
                slot.map(|slot| &mut slot.value).ok_or(FULL.into())
            }
            (at, _) => {
                let value = build()?;
                Ok(self.put(at, value))
            }
        }
    }

    /// Stores a value under the key that was looked up, in the slot with this index.
    fn put(&mut self, at: Option<usize>, value: V) -> &mut V {
        match at.and_then(|at| self.slots.get_mut(at)) {
            Some(slot) => {
                if slot.is_some() {
                    self.counts.evict();
                }
                &mut slot.insert(Slot { key: self.asked, value }).value
            }
            None => {
                self.too_long = self.too_long.wrapping_add(1);
                self.last.insert(value)
            }
        }
    }

    #[must_use]
    pub fn stats(&self) -> CacheStats {
        self.counts.read()
    }
}
