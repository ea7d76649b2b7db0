//! Keys that a cache owns.

use core::fmt;

use super::key::CallKey;
use super::part::Parts;
use crate::base::error::Error;
use crate::base::show::show_by_debug;

/// What a cache keeps of a key.
///
/// [`KeyBuf<N>`](KeyBuf) keeps up to `N` bytes in place and `Box<[u8]>` (feature `alloc`) any number on the heap.
/// `CallKey<'a>` keeps the reference: for keys in flash, where comparing a `const` key is comparing its address, and
/// for keys in an [`Arena`](crate::Arena) or a `Bump` ([`CallKey::to_store`]), which do not give the bytes of an
/// evicted key back.
///
/// `AsRef<[u8]>` gives the bytes that were kept. A type that gives others misses keys.
pub trait CacheKey<'a>: AsRef<[u8]> + Sized {
    /// Keeps a key.
    ///
    /// # Errors
    ///
    /// [`Error::CallKeyFull`] if it is too long.
    fn keep(key: CallKey<'a>) -> Result<Self, Error>;
}

impl<'a> CacheKey<'a> for CallKey<'a> {
    fn keep(key: CallKey<'a>) -> Result<Self, Error> {
        Ok(key)
    }
}

#[cfg(feature = "alloc")]
impl CacheKey<'_> for alloc::boxed::Box<[u8]> {
    fn keep(key: CallKey<'_>) -> Result<Self, Error> {
        let mut bytes = alloc::vec::Vec::new();
        let needed = key.as_bytes().len();
        bytes.try_reserve_exact(needed).map_err(|_| Error::CallKeyFull { needed, room: 0 })?;
        bytes.extend_from_slice(key.as_bytes());
        Ok(bytes.into_boxed_slice())
    }
}

/// A key of at most `N` bytes that is stored inline; it takes `N` bytes and a word.
///
/// # Examples
///
/// ```
/// use treedef::cache::{CacheKey, KeyBuf};
/// use treedef::{CallKey, Error, treedef};
///
/// let key = CallKey::of(treedef!((*, *)));
/// let last = KeyBuf::<4>::keep(key)?;
/// assert_eq!(last.as_key(), key);
/// assert_eq!(KeyBuf::<1>::keep(key).unwrap_err(), Error::CallKeyFull { needed: 2, room: 1 });
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct KeyBuf<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

impl<const N: usize> KeyBuf<N> {
    /// The key. Its fingerprint is computed again.
    #[must_use]
    pub fn as_key(&self) -> CallKey<'_> {
        CallKey::new(self.as_ref())
    }
}

impl<const N: usize> CacheKey<'_> for KeyBuf<N> {
    fn keep(key: CallKey<'_>) -> Result<Self, Error> {
        let (mut bytes, len) = ([0; N], key.as_bytes().len());
        let (target, _) =
            bytes.split_at_mut_checked(len).ok_or(Error::CallKeyFull { needed: len, room: N })?;
        target.copy_from_slice(key.as_bytes());
        Ok(Self { bytes, len })
    }
}

impl<const N: usize> AsRef<[u8]> for KeyBuf<N> {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        // The length is never above `N`.
        self.bytes.get(..self.len).unwrap_or_default()
    }
}

impl<const N: usize> PartialEq for KeyBuf<N> {
    fn eq(&self, other: &Self) -> bool {
        self.as_ref() == other.as_ref()
    }
}

impl<const N: usize> Eq for KeyBuf<N> {}

impl<const N: usize> fmt::Debug for KeyBuf<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyBuf(")?;
        fmt::Display::fmt(&Parts::new(self.as_ref()), f)?;
        f.write_str(")")
    }
}

show_by_debug!([const N: usize] KeyBuf<N>);
