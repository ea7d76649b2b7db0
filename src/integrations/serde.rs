//! Writes treedefs and keys with `serde`: as bytes, and as hexadecimal digits in formats for people.
//!
//! What is read is validated. `TreeDef` and `CallKey` can be written, and read into a type that owns its bytes.

use core::fmt;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::cache::key::CallKey;
#[cfg(feature = "alloc")]
use crate::cache::key_box::KeyBox;
use crate::cache::key_buf::KeyBuf;
#[cfg(feature = "alloc")]
use crate::encode::treedef_box::TreeDefBox;
use crate::encode::treedef_buf::TreeDefBuf;
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

/// Implements `Serialize` for a type with the given bytes.
macro_rules! written {
    ($([$($generics:tt)*] $type:ty, |$value:ident| $bytes:expr;)*) => {$(
        /// As bytes, in a format for people as hexadecimal digits.
        impl<$($generics)*> Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let $value = self;
                write($bytes, serializer)
            }
        }
    )*};
}
written! {
    [] TreeDef<'_>, |def| def.as_bytes();
    [const N: usize] TreeDefBuf<N>, |def| def.as_treedef().as_bytes();
    [] CallKey<'_>, |key| key.as_bytes();
    [const N: usize] KeyBuf<N>, |key| key.as_ref();
}
#[cfg(feature = "alloc")]
written! {
    [] TreeDefBox, |def| def.as_ref();
    [] KeyBox, |key| key.as_ref();
}

/// Takes bytes one by one; `false` if there is no room.
struct Bytes<'a>(&'a mut dyn FnMut(u8) -> bool);

impl Bytes<'_> {
    fn push<E: Error>(&mut self, byte: u8) -> Result<(), E> {
        if (self.0)(byte) { Ok(()) } else { Err(E::custom("more bytes than there is room for")) }
    }
}

impl<'de> Visitor<'de> for Bytes<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes, or a string of hexadecimal digits")
    }

    fn visit_bytes<E: Error>(mut self, bytes: &[u8]) -> Result<(), E> {
        bytes.iter().try_for_each(|byte| self.push(*byte))
    }

    fn visit_str<E: Error>(mut self, text: &str) -> Result<(), E> {
        let (pairs, rest) = text.as_bytes().as_chunks();
        let digit =
            |digit: u8| char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        for [high, low] in pairs {
            let byte = digit(*high).zip(digit(*low)).map(|(high, low)| high << 4 | low);
            self.push(byte.ok_or_else(|| E::custom("not a hexadecimal digit"))?)?;
        }
        if rest.is_empty() { Ok(()) } else { Err(E::custom("an odd number of hexadecimal digits")) }
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut bytes: A) -> Result<(), A::Error> {
        while let Some(byte) = bytes.next_element()? {
            self.push(byte)?;
        }
        Ok(())
    }
}

fn read<'de, D: Deserializer<'de>>(
    deserializer: D,
    mut push: impl FnMut(u8) -> bool,
) -> Result<(), D::Error> {
    let bytes = Bytes(&mut push);
    if deserializer.is_human_readable() {
        return deserializer.deserialize_str(bytes);
    }
    deserializer.deserialize_bytes(bytes)
}

fn read_inline<'de, D: Deserializer<'de>, const N: usize>(
    deserializer: D,
) -> Result<heapless::Vec<u8, N>, D::Error> {
    let mut bytes = heapless::Vec::new();
    read(deserializer, |byte| bytes.push(byte).is_ok())?;
    Ok(bytes)
}

#[cfg(feature = "alloc")]
fn read_on_heap<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    let mut bytes = Vec::new();
    read(deserializer, |byte| {
        bytes.push(byte);
        true
    })?;
    Ok(bytes)
}

impl<'de, const N: usize> Deserialize<'de> for TreeDefBuf<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = read_inline::<D, N>(deserializer)?;
        let def = TreeDef::from_bytes(&bytes).map_err(Error::custom)?;
        Self::from_treedef(def).map_err(Error::custom)
    }
}

impl<'de, const N: usize> Deserialize<'de> for KeyBuf<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = read_inline::<D, N>(deserializer)?;
        let key = CallKey::from_bytes(&bytes).map_err(Error::custom)?;
        Self::try_from(key).map_err(Error::custom)
    }
}

#[cfg(feature = "alloc")]
impl<'de> Deserialize<'de> for TreeDefBox {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(read_on_heap(deserializer)?).map_err(Error::custom)
    }
}

#[cfg(feature = "alloc")]
impl<'de> Deserialize<'de> for KeyBox {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(read_on_heap(deserializer)?.as_slice()).map_err(Error::custom)
    }
}
