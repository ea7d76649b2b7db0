//! Calls whose argument has a known type, on the heap: their keys for maps, and call keys of any length for a table.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

use super::key::{CallKey, KeyWriter};
use super::known::Known;
use super::known_call::{KnownCall, choose, write, write_call_key, write_rest};
use crate::base::bytes::equal;
use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::base::try_error::UserError;
use crate::tree::stream::{BLOCK, Blocks, Stream};

/// What a [`KnownKey`] is found by in a map: a call, and its key on the stack.
///
/// A key of at most 128 bytes is written there by one walk. A longer one is hashed block by block, and compared by a second walk
/// over the tree, so it has no bound. A [`Known`](crate::cache::Known) walks once whatever its `R` is.
///
/// A call whose value has no key, such as one that is too deep, is never found.
///
/// # Examples
///
/// [`KnownKey`] has an example.
pub struct KnownRef<T: ?Sized, C> {
    call: C,
    /// The bytes of the key, if they are no more than these.
    bytes: [u8; BLOCK],
    /// The number of bytes; `usize::MAX` if there is no key.
    len: usize,
    hash: u64,
    of: PhantomData<fn(&T)>,
}

debug_struct!([T: ?Sized, C] KnownRef<T, C> { len, hash });

impl<T: ?Sized, C: KnownCall<T>> KnownRef<T, C> {
    /// Writes or hashes the key of a call.
    #[inline]
    #[must_use]
    pub fn new(call: C) -> Self {
        let (bytes, len) = ([0; BLOCK], usize::MAX);
        let mut key = Self { call, bytes, len, hash: 0, of: PhantomData };
        if let Some(end) = stream(&key.call, &mut key.bytes, None) {
            (key.len, key.hash) = (end.len, end.hash);
        }
        key
    }

    /// The key on the heap, to be stored.
    ///
    /// # Errors
    ///
    /// What keeps the value from having a key: [`Error::TooDeep`], [`Error::ValueChanged`] and those of
    /// [`KeyWriter::finish`](crate::cache::KeyWriter::finish).
    pub fn to_key(&self) -> Result<KnownKey<T>, Error> {
        let mut bytes = vec![0; if self.len == usize::MAX { 0 } else { self.len }];
        match write(&self.call, &mut bytes)?.len() == self.len {
            true => Ok(KnownKey { bytes: bytes.into(), hash: self.hash, of: PhantomData }),
            false => Err(Error::ValueChanged),
        }
    }

    /// Whether the key has these bytes.
    #[inline]
    fn has(&self, key: &[u8]) -> bool {
        if let Some(bytes) = self.bytes.get(..self.len) {
            return equal(bytes, key);
        }
        let mut block = [0; BLOCK];
        stream(&self.call, &mut block, Some(key)).is_some_and(|end| end.is_as_expected())
    }
}

/// Writes the key of a call to a block, and passes the block on each time that it is full. `None` if there is none.
#[inline]
fn stream<'e, T: ?Sized>(
    call: &impl KnownCall<T>,
    block: &'e mut [u8; BLOCK],
    expected: Option<&'e [u8]>,
) -> Option<Stream<'e>> {
    let mut stream = Stream::new(expected);
    let Blocks { at, .. } = choose(call, Blocks { block, at: 0, stream: &mut stream }).ok()?;
    let mut key = KeyWriter::after(block, at);
    key.stream = Some(stream);
    write_rest(call, &mut key);
    let mut stream = key.stream.take()?;
    stream.pass(key.written().ok()?);
    Some(stream)
}

/// The key of a call whose arguments are a `T`, which owns its bytes: for maps.
///
/// The maps of `hashbrown`, `indexmap`, `moka` and `quick_cache` are asked with a [`KnownRef`]. Those of `dashmap` 6 and of `std` are
/// asked with a key, which [`KnownRef::to_key`] makes. `examples/recipes/maps` in the repository has each of them.
///
/// Two keys are equal exactly if the [call keys](crate::CallKey) of their calls are, which [`KnownCall`] describes. They mean
/// nothing for other types, so each type has its map. The hash is no secret:
/// [`ByFingerprint`](crate::cache::ByFingerprint) says what follows, and [`FingerprintState`](crate::cache::FingerprintState) passes it on to
/// a map.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "hashbrown")] {
/// use hashbrown::HashMap;
/// use treedef::cache::{FingerprintState, KnownKey, KnownRef};
///
/// let mut codes = HashMap::<KnownKey<Vec<Option<f32>>>, &str, FingerprintState>::default();
/// let (one, other) = (vec![Some(1.0); 300], vec![Some(2.0); 300]);
/// codes.insert(KnownRef::new(&one).to_key()?, "code");
/// assert_eq!(codes.get(&KnownRef::new(&other)), Some(&"code"));
/// assert_eq!(codes.get(&KnownRef::new(&vec![None])), None);
/// # }
/// # Ok::<(), treedef::Error>(())
/// ```
pub struct KnownKey<T: ?Sized> {
    bytes: Box<[u8]>,
    hash: u64,
    of: PhantomData<fn(&T)>,
}

debug_struct!([T: ?Sized] KnownKey<T> { bytes, hash });

impl<T: ?Sized> Clone for KnownKey<T> {
    fn clone(&self) -> Self {
        Self { bytes: self.bytes.clone(), ..*self }
    }
}

impl<T: ?Sized> PartialEq for KnownKey<T> {
    fn eq(&self, other: &Self) -> bool {
        equal(&self.bytes, &other.bytes)
    }
}

impl<T: ?Sized> Eq for KnownKey<T> {}

impl<T: ?Sized> Hash for KnownKey<T> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl<T: ?Sized, C> Hash for KnownRef<T, C> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl<T: ?Sized, C: KnownCall<T>> equivalent::Equivalent<KnownKey<T>> for KnownRef<T, C> {
    #[inline]
    fn equivalent(&self, key: &KnownKey<T>) -> bool {
        self.len == key.bytes.len() && self.has(&key.bytes)
    }
}

impl<T: ?Sized, V, const N: usize, const R: usize> Known<T, V, N, R> {
    /// As [`Known::get_or_insert_with_bytes`], with a call key on the heap.
    ///
    /// # Errors
    ///
    /// As [`Known::get_or_insert_with_bytes`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Error;
    /// use treedef::cache::Known;
    ///
    /// let mut texts = Known::<Vec<Option<f32>>, String, 16>::new();
    /// let text = texts.get_or_insert_with(&vec![None], |key| Ok::<_, Error>(key.to_string()))?;
    /// assert_eq!(text, "PyTreeDef([None])");
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    pub fn get_or_insert_with<E: UserError>(
        &mut self,
        call: impl KnownCall<T>,
        build: impl FnOnce(CallKey<'_>) -> Result<V, E>,
    ) -> Result<&mut V, E> {
        self.or_insert_with(&call, || {
            build(CallKey::build(&mut Vec::new(), |key| write_call_key(&call, key))?)
        })
    }
}
