//! Keys of calls whose argument has a known type, for maps on the heap.

use alloc::boxed::Box;
use alloc::vec;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

use super::key::KeyWriter;
use super::known_call::KnownCall;
use super::leaf_keys::KeyLeaves;
use super::stream::{Blocks, Stream};
use crate::base::bytes::equal;
use crate::base::error::Error;
use crate::base::show::record;
use crate::tree::walk::TreeWalk;

/// The number of bytes of a key that are kept on the stack.
const ROOM: usize = 128;

pub struct KnownRef<'t, T: ?Sized> {
    call: KnownCall<'t, T>,
    /// The bytes of the key, if they are no more than these.
    bytes: [u8; ROOM],
    /// The number of bytes; `usize::MAX` if the call has no key.
    len: usize,
    hash: u64,
}

impl<'t, T: TreeWalk<KeyLeaves> + ?Sized> KnownRef<'t, T> {
    #[inline]
    pub fn new(call: impl Into<KnownCall<'t, T>>) -> Self {
        let mut key = Self { call: call.into(), bytes: [0; ROOM], len: usize::MAX, hash: 0 };
        if let Ok(Some(end)) = stream(&key.call, &mut key.bytes, &[]) {
            (key.len, key.hash) = (end.len, end.hash);
        }
        key
    }

    /// Whether the key has these bytes.
    #[inline]
    fn has(&self, key: &[u8]) -> bool {
        match self.bytes.get(..self.len) {
            Some(bytes) => equal(bytes, key),
            None => {
                self.len == key.len()
                    && matches!(stream(&self.call, &mut [0; ROOM], key), Ok(Some(end)) if end.is_as_expected())
            }
        }
    }

    pub fn to_key(&self) -> Result<KnownKey<T>, Error> {
        let bytes = match self.bytes.get(..self.len) {
            Some(bytes) => bytes.into(),
            None if self.len == usize::MAX => {
                stream(&self.call, &mut [0; ROOM], &[])?;
                return Err(Error::ValueChanged);
            }
            None => {
                let mut bytes = vec![0; self.len].into_boxed_slice();
                if self.call.write(&mut bytes)?.len() != self.len {
                    return Err(Error::ValueChanged);
                }
                bytes
            }
        };
        Ok(KnownKey { bytes, hash: self.hash, of: PhantomData })
    }
}

/// Writes the key of a call into a block, again and again, and compares it with what is expected.
#[inline]
fn stream<'e, T: TreeWalk<KeyLeaves> + ?Sized>(
    call: &KnownCall<'_, T>,
    block: &'e mut [u8; ROOM],
    expected: &'e [u8],
) -> Result<Option<Stream<'e>>, Error> {
    let mut stream = Stream::new(expected);
    let Blocks { at, .. } = call.choose(Blocks { block, at: 0, stream: &mut stream })?;
    let mut key = KeyWriter::after(block, at);
    key.stream = Some(stream);
    call.write_rest(&mut key);
    key.end()
}

impl<T: ?Sized> Hash for KnownRef<'_, T> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl<T: TreeWalk<KeyLeaves> + ?Sized> equivalent::Equivalent<KnownKey<T>> for KnownRef<'_, T> {
    #[inline]
    fn equivalent(&self, key: &KnownKey<T>) -> bool {
        self.hash == key.hash && self.has(&key.bytes)
    }
}

impl<T: ?Sized> fmt::Debug for KnownRef<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        record(f, "KnownRef", &[("len", &self.len), ("hash", &self.hash)])
    }
}

pub struct KnownKey<T: ?Sized> {
    bytes: Box<[u8]>,
    hash: u64,
    of: PhantomData<fn(&T)>,
}

impl<T: ?Sized> Clone for KnownKey<T> {
    fn clone(&self) -> Self {
        Self { bytes: self.bytes.clone(), hash: self.hash, of: PhantomData }
    }
}

impl<T: ?Sized> PartialEq for KnownKey<T> {
    fn eq(&self, other: &Self) -> bool {
        equal(&self.bytes, &other.bytes)
    }
}

impl<T: ?Sized> Eq for KnownKey<T> {}

impl<T: ?Sized> Hash for KnownKey<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl<T: ?Sized> fmt::Debug for KnownKey<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        record(f, "KnownKey", &[("len", &self.bytes.len()), ("hash", &self.hash)])
    }
}
