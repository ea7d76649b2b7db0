//! Writes treedefs and keys with `serde`: as bytes, and as hexadecimal digits in formats for people. A path is its text.
//!
//! What is read is validated. `TreeDef` and `CallKey` can be written, and read into a type that owns its bytes.

use core::fmt;
use core::iter::from_fn;
use core::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::cache::key::CallKey;
#[cfg(feature = "alloc")]
use crate::cache::key_box::KeyBox;
use crate::cache::key_buf::KeyBuf;
#[cfg(feature = "alloc")]
use crate::encode::treedef_box::TreeDefBox;
use crate::encode::treedef_buf::TreeDefBuf;
#[cfg(feature = "alloc")]
use crate::text::key_path_buf::KeyPathBuf;
use crate::tree::vector::Vector;
use crate::treedef::treedef::TreeDef;

/// Bytes as hexadecimal digits.
struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

fn write<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable() {
        return serializer.collect_str(&Hex(bytes));
    }
    serializer.serialize_bytes(bytes)
}

/// Implements `Serialize` for types that have bytes.
macro_rules! written {
    ($([$($generics:tt)*] $type:ty;)*) => {$(
        /// As bytes, in a format for people as hexadecimal digits.
        impl<$($generics)*> Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                write(self.as_ref(), serializer)
            }
        }
    )*};
}
written!([] TreeDef<'_>; [] CallKey<'_>;);

/// Collects bytes.
struct Bytes<V>(PhantomData<V>);

impl<V: Vector<u8>> Bytes<V> {
    fn collect<E: Error>(bytes: impl Iterator<Item = Result<u8, E>>) -> Result<V, E> {
        let mut all = V::with_room(0);
        for byte in bytes {
            if !all.add(byte?) {
                return Err(E::custom("more bytes than there is room for"));
            }
        }
        Ok(all)
    }
}

impl<'de, V: Vector<u8>> Visitor<'de> for Bytes<V> {
    type Value = V;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes, or a string of hexadecimal digits")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<V, E> {
        Self::collect(bytes.iter().copied().map(Ok))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<V, E> {
        let (pairs, rest) = text.as_bytes().as_chunks();
        let digit =
            |digit: u8| char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        let bytes = Self::collect(pairs.iter().map(|[high, low]| {
            let byte = digit(*high).zip(digit(*low)).map(|(high, low)| high << 4 | low);
            byte.ok_or_else(|| E::custom("not a hexadecimal digit"))
        }))?;
        if rest.is_empty() {
            Ok(bytes)
        } else {
            Err(E::custom("an odd number of hexadecimal digits"))
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut bytes: A) -> Result<V, A::Error> {
        Self::collect(from_fn(|| bytes.next_element().transpose()))
    }
}

fn read<'de, D: Deserializer<'de>, V: Vector<u8>>(deserializer: D) -> Result<V, D::Error> {
    let bytes = Bytes(PhantomData);
    if deserializer.is_human_readable() {
        return deserializer.deserialize_str(bytes);
    }
    deserializer.deserialize_bytes(bytes)
}

/// Implements both directions for types that own the bytes of a view, which are collected in a vector.
macro_rules! owners {
    ($([$($generics:tt)*] $type:ty, $vector:ty, $view:ident, $make:ident;)*) => {$(
        written!([$($generics)*] $type;);

        impl<'de, $($generics)*> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let bytes: $vector = read(deserializer)?;
                let view = $view::from_bytes(&bytes).map_err(Error::custom)?;
                Self::$make(view).map_err(Error::custom)
            }
        }
    )*};
}
owners! {
    [const N: usize] TreeDefBuf<N>, heapless::Vec<u8, N>, TreeDef, from_treedef;
    [const N: usize] KeyBuf<N>, heapless::Vec<u8, N>, CallKey, try_from;
}
#[cfg(feature = "alloc")]
owners! {
    [] TreeDefBox, alloc::vec::Vec<u8>, TreeDef, try_from;
    [] KeyBox, alloc::vec::Vec<u8>, CallKey, try_from;
}

/// As the text.
#[cfg(feature = "alloc")]
impl Serialize for KeyPathBuf {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// From the text, as by `parse`.
#[cfg(feature = "alloc")]
impl<'de> Deserialize<'de> for KeyPathBuf {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(PathText)
    }
}

/// Reads the text of a path.
#[cfg(feature = "alloc")]
struct PathText;

#[cfg(feature = "alloc")]
impl Visitor<'_> for PathText {
    type Value = KeyPathBuf;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the text of a path")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<KeyPathBuf, E> {
        text.parse().map_err(Error::custom)
    }
}
