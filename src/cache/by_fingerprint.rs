//! Keys of other maps whose hash is their fingerprint.

use core::fmt;
use core::hash::{BuildHasherDefault, Hash, Hasher};

use super::key::CallKey;
#[cfg(feature = "alloc")]
use super::key_box::KeyBox;
use crate::base::bytes::same;
#[cfg(feature = "alloc")]
use crate::encode::treedef_box::TreeDefBox;
use crate::format::fingerprint;
use crate::treedef::treedef::TreeDef;

/// A key whose hash is the fingerprint that is stored in it: a map neither reads nor hashes the bytes of a key that it has not
/// found yet.
///
/// Give the map [`FingerprintState`] as its hasher: it passes the fingerprint on. Keys with the same bytes are equal, so give
/// all keys of a map one kind of fingerprint. `K` is `KeyBox` in the map and [`CallKey`] in
/// a look-up, or `TreeDefBox` and [`TreeDef`].
///
/// Fingerprints are not secret. Whoever chooses the keys of a program can make many with one fingerprint, without a search,
/// and each look-up then compares with all of them: 16,384 such keys of 480 bytes made a hit some 1,000 times slower, 0.2 ms.
/// A wrong value is never returned. For keys from strangers use the keys themselves, which a map hashes with its own seed:
/// `HashMap<KeyBox, V>`.
///
/// # Examples
///
/// ```
/// # #[cfg(all(feature = "hashbrown", feature = "alloc"))] {
/// use hashbrown::HashMap;
/// use treedef::cache::{ByFingerprint, FingerprintState, KeyBox};
/// use treedef::{CallKey, treedef};
///
/// let mut compiled = HashMap::<ByFingerprint<KeyBox>, &str, FingerprintState>::default();
/// let key = ByFingerprint::from(CallKey::of(treedef!((*, *))));
/// compiled.insert((&key).into(), "code");
/// assert_eq!(compiled.get(&key), Some(&"code"));
/// assert_eq!(compiled.get(&ByFingerprint::from(CallKey::of(treedef!([*])))), None);
///
/// // By structure alone.
/// let mut layouts = HashMap::<ByFingerprint<treedef::TreeDefBox>, u32, FingerprintState>::default();
/// let def = ByFingerprint::from(treedef!((*, *)));
/// layouts.insert((&def).into(), 2);
/// assert_eq!(layouts.get(&def), Some(&2));
/// # }
/// ```
#[derive(Clone, Copy)]
pub struct ByFingerprint<K> {
    fingerprint: u64,
    key: K,
}

impl<K: AsRef<[u8]>> ByFingerprint<K> {
    /// The key. If it was made from a treedef, it is [`CallKey::of`] the treedef.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::ByFingerprint;
    /// use treedef::{CallKey, TreeDef};
    ///
    /// let key = CallKey::of(TreeDef::LEAF);
    /// assert_eq!(ByFingerprint::from(key).as_key(), key);
    /// ```
    #[must_use]
    pub fn as_key(&self) -> CallKey<'_> {
        CallKey::from_parts(self.key.as_ref(), self.fingerprint)
    }
}

macro_rules! keys {
    ($View:ident, $Owned:ident, $as_view:ident) => {
        impl<'a> From<$View<'a>> for ByFingerprint<$View<'a>> {
            fn from(key: $View<'a>) -> Self {
                Self { fingerprint: key.fingerprint(), key }
            }
        }

        /// Copies the bytes.
        #[cfg(feature = "alloc")]
        impl From<&ByFingerprint<$View<'_>>> for ByFingerprint<$Owned> {
            fn from(key: &ByFingerprint<$View<'_>>) -> Self {
                Self { fingerprint: key.fingerprint, key: (&key.key).into() }
            }
        }

        #[cfg(feature = "alloc")]
        impl From<$Owned> for ByFingerprint<$Owned> {
            fn from(key: $Owned) -> Self {
                Self { fingerprint: key.$as_view().fingerprint(), key }
            }
        }

        #[cfg(feature = "alloc")]
        impl equivalent::Equivalent<ByFingerprint<$Owned>> for ByFingerprint<$View<'_>> {
            #[inline]
            fn equivalent(&self, other: &ByFingerprint<$Owned>) -> bool {
                same(self.key.as_ref(), other.key.as_ref())
            }
        }
    };
}
keys!(CallKey, KeyBox, as_key);
keys!(TreeDef, TreeDefBox, as_treedef);

impl<K: AsRef<[u8]>> PartialEq for ByFingerprint<K> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        same(self.key.as_ref(), other.key.as_ref())
    }
}

impl<K: AsRef<[u8]>> Eq for ByFingerprint<K> {}

impl<K> Hash for ByFingerprint<K> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.fingerprint);
    }
}

impl<K: AsRef<[u8]>> fmt::Debug for ByFingerprint<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.as_key(), f)
    }
}

/// A [`Hasher`] that passes the fingerprint of a [`ByFingerprint`] on.
#[derive(Clone, Copy, Debug, Default)]
pub struct FingerprintHasher(u64);

/// The state of the hasher of a map whose keys are [`ByFingerprint`]. It is for keys of your own program:
/// strangers can make many keys with one fingerprint, which makes look-ups slow, but never wrong.
pub type FingerprintState = BuildHasherDefault<FingerprintHasher>;

impl Hasher for FingerprintHasher {
    #[inline]
    fn write_u64(&mut self, fingerprint: u64) {
        self.0 = self.0.rotate_left(1) ^ fingerprint;
    }

    /// Hashes what is no fingerprint.
    fn write(&mut self, bytes: &[u8]) {
        self.0 = self.0.rotate_left(1) ^ fingerprint::of(bytes);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}
