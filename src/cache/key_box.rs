//! Keys of any length, on the heap.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::key::{CallKey, KeyWriter};
use crate::base::bytes::{as_its_view, into_bytes};
use crate::base::error::Error;
use crate::encode::treedef_box::grow;

impl<'b> CallKey<'b> {
    /// The key that `write` writes, in `bytes`, which grow until the key fits and can be used for the next key again.
    ///
    /// The key replaces what `bytes` held. Nothing is allocated if `bytes` held a key of that length before.
    ///
    /// Where `bytes` are too short, they grow and `write` is called again with an empty writer: once if the lengths of
    /// all parts are known, several times if the key ends within a [`KeyWriter::structure`]. So `write` has to write the
    /// same parts every time.
    ///
    /// # Errors
    ///
    /// As [`KeyWriter::finish`], but for [`Error::Full`] and [`Error::CallKeyFull`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::{Dtype, KeyBox};
    /// use treedef::{Cache, CallKey, Error};
    ///
    /// let mut compiled = Cache::<KeyBox, usize, 8>::new();
    /// let mut bytes = Vec::new();
    /// for layers in [3, 40, 3] {
    ///     let params = vec![(0.5f32, None::<f32>); layers];
    ///     let key = CallKey::build(&mut bytes, |key| {
    ///         key.structure(&params).array(Dtype::Float32, false, &[layers]).meta(&true);
    ///     })?;
    ///     compiled.get_or_insert_with(key, || Ok::<_, Error>(layers))?;
    /// }
    /// assert_eq!((compiled.len(), compiled.stats().hits), (2, 1));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn build(
        bytes: &'b mut Vec<u8>,
        mut write: impl FnMut(&mut KeyWriter<'_>),
    ) -> Result<Self, Error> {
        let len = grow(bytes, &mut |bytes, _| {
            let own = bytes.as_ptr();
            let mut key = KeyWriter::new(bytes);
            write(&mut key);
            match key.written() {
                // `write` replaced the writer by that of another buffer.
                Ok(written) if written.as_ptr() != own => Err(Error::ValueChanged),
                written => written.map(<[u8]>::len),
            }
        })?;
        Ok(Self::new(bytes.get(..len).unwrap_or_default()))
    }
}

/// A key of any length that owns its bytes, on the heap.
///
/// It is the key of a map: `Eq`, `Ord` and `Hash` are those of the bytes, as for [`CallKey`]. The maps of `hashbrown`,
/// `indexmap`, `moka` and `quick_cache` are asked with a [`CallKey`], those of `std` with the bytes of one. The guide to
/// [`call_keys`](crate::guide::call_keys) says what a look-up costs in each.
///
/// # Examples
///
/// ```
/// use std::collections::HashMap;
/// use treedef::cache::KeyBox;
/// use treedef::{CallKey, Error, treedef};
///
/// let key = KeyBox::build(|key| {
///     key.treedef(treedef!((*, *))).meta(&"fused");
/// })?;
/// assert_eq!(key.to_string(), "PyTreeDef((*, *)), 'fused'");
///
/// let mut names = HashMap::from([(key, "first")]);
/// let list = CallKey::of(treedef!([*]));
/// names.insert(KeyBox::from(&list), "second");
/// assert_eq!(names.get(list.as_bytes()), Some(&"second"));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone)]
pub struct KeyBox {
    bytes: Box<[u8]>,
}

impl KeyBox {
    /// The key that `write` writes.
    ///
    /// `write` is called again until the key fits, as by [`CallKey::build`], which allocates less if many keys are looked
    /// up and few are kept.
    ///
    /// # Errors
    ///
    /// As [`CallKey::build`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::KeyBox;
    /// use treedef::treedef;
    ///
    /// let key = KeyBox::build(|key| {
    ///     key.treedef(treedef!((*, *))).leaves([1.0f32, 2.0]);
    /// })?;
    /// assert_eq!(key.to_string(), "PyTreeDef((*, *)), float32[], float32[]");
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn build(write: impl FnMut(&mut KeyWriter<'_>)) -> Result<Self, Error> {
        let mut bytes = Vec::new();
        let len = CallKey::build(&mut bytes, write)?.as_bytes().len();
        bytes.truncate(len);
        Ok(Self { bytes: bytes.into() })
    }

    /// The key. Its fingerprint is computed again.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::KeyBox;
    /// use treedef::{CallKey, TreeDef};
    ///
    /// let key = CallKey::of(TreeDef::LEAF);
    /// assert_eq!(KeyBox::try_from(key)?.as_key(), key);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub const fn as_key(&self) -> CallKey<'_> {
        CallKey::new(&self.bytes)
    }
}

/// Copies the bytes. [`Error::CallKeyFull`] if the heap has no room.
impl TryFrom<CallKey<'_>> for KeyBox {
    type Error = Error;

    fn try_from(key: CallKey<'_>) -> Result<Self, Error> {
        let mut bytes = Vec::new();
        let needed = key.as_bytes().len();
        bytes.try_reserve_exact(needed).map_err(|_| Error::CallKeyFull { needed, room: 0 })?;
        bytes.extend_from_slice(key.as_bytes());
        Ok(Self { bytes: bytes.into() })
    }
}

/// Copies the bytes, as `Box<[u8]>` does: without room on the heap, the program ends. `entry_ref` of `hashbrown` needs it.
impl From<&CallKey<'_>> for KeyBox {
    fn from(key: &CallKey<'_>) -> Self {
        Self { bytes: key.as_bytes().into() }
    }
}

into_bytes!(KeyBox, CallKey);
as_its_view!([] KeyBox, as_key: CallKey);
