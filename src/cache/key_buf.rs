//! Defines the stored form of a key in a cache.

use super::key::CallKey;
use crate::base::bytes::as_its_view;
use crate::base::bytes::copy;
use crate::base::error::Error;

/// A key of at most `N` bytes, stored inline. It takes `N` bytes and a word.
///
/// `Eq`, `Ord` and `Hash` use the bytes, as for [`CallKey`].
///
/// # Examples
///
/// ```
/// use treedef::cache::KeyBuf;
/// use treedef::{CallKey, Error, treedef};
///
/// let key = CallKey::of(treedef!((*, *)));
/// let last = KeyBuf::<4>::try_from(key)?;
/// assert_eq!(last, key);
/// assert_eq!(KeyBuf::<1>::try_from(key).unwrap_err(), Error::CallKeyFull { needed: 2, room: 1 });
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct KeyBuf<const N: usize> {
    pub(super) bytes: [u8; N],
    pub(super) len: usize,
}

impl<const N: usize> KeyBuf<N> {
    /// Returns the key, and computes its fingerprint again.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::KeyBuf;
    /// use treedef::{CallKey, TreeDef};
    ///
    /// let key = CallKey::of(TreeDef::LEAF);
    /// assert_eq!(KeyBuf::<8>::try_from(key)?.as_key(), key);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub fn as_key(&self) -> CallKey<'_> {
        CallKey::new(self.as_ref())
    }
}

impl<const N: usize> TryFrom<CallKey<'_>> for KeyBuf<N> {
    type Error = Error;

    fn try_from(key: CallKey<'_>) -> Result<Self, Error> {
        let (mut bytes, len) = ([0; N], key.as_bytes().len());
        let (target, _) =
            bytes.split_at_mut_checked(len).ok_or(Error::CallKeyFull { needed: len, room: N })?;
        copy(target, key.as_bytes());
        Ok(Self { bytes, len })
    }
}

impl<const N: usize> AsRef<[u8]> for KeyBuf<N> {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        // The length is never greater than `N`.
        self.bytes.get(..self.len).unwrap_or_default()
    }
}

as_its_view!([const N: usize] KeyBuf<N>, as_key: CallKey);
