//! Finds what is stored for a value of a known type by its choices, in a table of fixed size.

use core::marker::PhantomData;

use super::index::home;
use super::key::{CallKey, KeyWriter};
use super::key_buf::KeyBuf;
use super::known_call::{KnownCall, write, write_call_key};
use super::stats::{CacheStats, Counts};
use super::table::FULL;
use crate::base::bytes::equal;
use crate::base::show::debug_struct;
use crate::base::try_error::UserError;
use crate::encode::max_sizes::max_choices;
use crate::encode::structure::HasSchema;
use crate::format::fingerprint;
use crate::tree::choices::assert_choices;

/// A table of what is stored for calls whose argument is a `T`, such as compiled code: the cache in front of the cache of all call
/// keys.
///
/// A [`CallKey`] has all names and types of a value. The type knows them: what it leaves open are the [choices](crate::tree::choices) of
/// the value, which are far fewer bytes. A call is found by these, by the dtypes and shapes of leaves that are no numbers, and by
/// its static argument. Only a call that is not found makes its call key, by which a [`Cache`](crate::Cache) or another map finds
/// code that other types, threads or machines have made. So the bytes here mean nothing outside of the table.
///
/// There are `N` entries, each with a value and a key of at most `R` bytes. A key has one place, and what is there is replaced. A
/// value whose key has more than `R` bytes is not kept: it is built at each call, which [`Known::too_long`] counts. A type whose
/// values can have more than `R` bytes of choices does not compile, if they have a bound at all. Keys are compared byte by byte, so
/// equal hashes cost a build and never give a wrong value. The key that was found last is compared first and needs no hash, so a call
/// site that is asked for one structure again and again does well with a table of its own.
///
/// A look-up walks over the value once and then, if there are leaves other than numbers, over these leaves. It takes no buffer on
/// the stack: a large table is a `static` or in a `Box`. A `HashMap` in `T` is sorted by each walk, and its entries are listed on
/// the heap; a `BTreeMap` is not. A type that holds a treedef has no choices and does not compile.
///
/// Each thread has its table. Where threads share one, with a heap, a map of [`KnownKey`](crate::cache::KnownKey)s does it.
///
/// # Examples
///
/// ```
/// use treedef::cache::{KeyBuf, Known};
/// use treedef::{Cache, Error};
///
/// type Curve = heapless::Vec<(f32, Option<f32>), 8>;
///
/// let mut codes = Cache::<KeyBuf<64>, usize, 8>::new(); // for all types
/// let mut known = Known::<Curve, usize, 4, 16>::new();
/// let (curve, mut bytes) = (Curve::from_array([(1.0, None), (2.0, Some(3.0))]), [0; 64]);
/// for _ in 0..3 {
///     let code = known.get_or_insert_with_bytes(&curve, &mut bytes, |key| {
///         codes.get_or_insert_with(key, || Ok::<_, Error>(key.as_bytes().len())).copied()
///     })?;
///     assert_eq!(*code, 15);
/// }
/// assert_eq!((known.stats().hits, codes.stats().misses), (2, 1));
/// # Ok::<(), Error>(())
/// ```
#[doc(alias("jit"))]
pub struct Known<T: ?Sized, V, const N: usize, const R: usize = 128> {
    entries: [Option<(KeyBuf<R>, V)>; N],
    /// The key that is looked up.
    asked: KeyBuf<R>,
    /// The place that was found last.
    found: usize,
    /// The value of the last call that was not kept.
    last: Option<V>,
    counts: Counts,
    /// The number of values that were not kept, because their key is too long or has an error.
    too_long: usize,
    of: PhantomData<fn(&T)>,
}

debug_struct!([T: ?Sized, V, const N: usize, const R: usize] Known<T, V, N, R> { too_long });

impl<T: HasSchema + ?Sized, V, const N: usize, const R: usize> Default for Known<T, V, N, R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: HasSchema + ?Sized, V, const N: usize, const R: usize> Known<T, V, N, R> {
    /// Makes an empty table.
    ///
    /// It does not compile without entries, for a type without choices, and for a type whose choices can have more than `R` bytes.
    #[must_use]
    pub const fn new() -> Self {
        const {
            assert_choices::<T>();
            assert!(N > 0, "a table has at least one entry");
            let most = max_choices(T::SCHEMA);
            assert!(
                most <= R || most == usize::MAX,
                "a value of this type can have more choices than `Known` has bytes for: make `R` larger"
            );
        }
        Self {
            entries: [const { None }; N],
            asked: KeyBuf { bytes: [0; R], len: 0 },
            found: 0,
            last: None,
            counts: Counts::new(),
            too_long: 0,
            of: PhantomData,
        }
    }

    /// The numbers of hits, misses, and values that were replaced.
    #[must_use]
    pub fn stats(&self) -> CacheStats {
        self.counts.read()
    }

    /// The number of values that were built and not kept, because their key has more than `R` bytes or an error.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Error;
    /// use treedef::cache::Known;
    ///
    /// let mut known = Known::<[Option<f32>], u32, 4, 2>::new();
    /// for tree in [&[None, None][..], &[None]] {
    ///     known.get_or_insert_with_bytes(tree, &mut [0; 16], |_| Ok::<_, Error>(1))?;
    /// }
    /// assert_eq!(known.too_long(), 1); // a length and two options are three bytes
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub const fn too_long(&self) -> usize {
        self.too_long
    }
}

impl<T: ?Sized, V, const N: usize, const R: usize> Known<T, V, N, R> {
    /// The value of a call. Counts a hit or a miss.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Error;
    /// use treedef::cache::Known;
    ///
    /// let mut known = Known::<Option<f32>, u32, 4>::new();
    /// known.get_or_insert_with_bytes(&Some(1.0), &mut [0; 8], |_| Ok::<_, Error>(7))?;
    /// assert_eq!(known.get(&Some(2.0)), Some(&mut 7));
    /// assert_eq!(known.get(&None), None);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    pub fn get(&mut self, call: impl KnownCall<T>) -> Option<&mut V> {
        let at = self.find(&call).ok()?;
        self.entries.get_mut(at)?.as_mut().map(|(_, value)| value)
    }

    /// The value of a call. If there is none, `build` makes it from the call key, which is written to `bytes`, and the table keeps
    /// it.
    ///
    /// # Errors
    ///
    /// The error of `build`, and those of [`KeyWriter::finish`] for the call key. The table is unchanged then, except for the
    /// count of misses.
    ///
    /// # Examples
    ///
    /// [`Known`] has an example.
    #[inline]
    pub fn get_or_insert_with_bytes<E: UserError>(
        &mut self,
        call: impl KnownCall<T>,
        bytes: &mut [u8],
        build: impl FnOnce(CallKey<'_>) -> Result<V, E>,
    ) -> Result<&mut V, E> {
        self.or_insert_with(&call, || {
            let mut key = KeyWriter::new(bytes);
            write_call_key(&call, &mut key);
            build(key.finish()?)
        })
    }

    #[inline]
    pub(super) fn or_insert_with<E: UserError>(
        &mut self,
        call: &impl KnownCall<T>,
        build: impl FnOnce() -> Result<V, E>,
    ) -> Result<&mut V, E> {
        match self.find(call) {
            Ok(at) => {
                let entry = self.entries.get_mut(at).and_then(Option::as_mut);
                entry.map(|(_, value)| value).ok_or(FULL.into())
            }
            Err(at) => {
                let value = build()?;
                let Some(entry) = at.and_then(|at| self.entries.get_mut(at)) else {
                    self.too_long = self.too_long.wrapping_add(1);
                    return Ok(self.last.insert(value));
                };
                if entry.is_some() {
                    self.counts.evict();
                }
                Ok(&mut entry.insert((self.asked, value)).1)
            }
        }
    }

    /// The place of a call. If the call is not there, the place is an error, and `None` if the key has no room or an error. Counts a hit or a miss.
    #[inline]
    fn find(&mut self, call: &impl KnownCall<T>) -> Result<usize, Option<usize>> {
        let found = write(call, &mut self.asked.bytes).map_err(|_| None).and_then(|key| {
            self.asked.len = key.len();
            let has_key = |at: usize| match self.entries.get(at) {
                Some(Some((own, _))) => equal(own.as_ref(), key),
                _ => false,
            };
            // The key that was found last needs no hash: most calls from one place have one structure.
            if has_key(self.found) {
                return Ok(self.found);
            }
            let at = home(N, fingerprint::of(key));
            if has_key(at) { Ok(at) } else { Err(Some(at)) }
        });
        self.found = found.unwrap_or(self.found);
        self.counts.look_up(found.is_ok());
        found
    }
}
