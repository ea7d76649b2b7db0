//! Keys of maps and dictionaries.

use crate::format::value::{BigInt, Value};

/// A type whose values are keys of a map.
///
/// Strings, integers, `bool` and `char` (to Python a string of one character) are keys of typed maps. Such a map stands
/// in a treedef with its keys in the order of `Ord`, which has to be Python's ([`Value::compare`]); a key type of one's
/// own whose order is another gives [`Error::UnsortedKeys`](crate::Error::UnsortedKeys) when its map is flattened.
///
/// # Examples
///
/// ```
/// use treedef::{Key, Value};
///
/// /// A controller area network identifier.
/// #[derive(PartialEq, Eq, PartialOrd, Ord)]
/// struct CanId(u16);
///
/// impl Key for CanId {
///     fn with_key<R>(&self, lend: impl FnOnce(Value<'_>) -> R) -> R {
///         lend(Value::Int(self.0.into()))
///     }
/// }
/// assert!(CanId(7).with_key(|key| key == Value::Int(7)));
/// assert!('é'.with_key(|key| key == Value::Str("é")));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the key of a map in a tree",
    note = "keys are strings, integers, `bool`, `char`, and types with an implementation of `treedef::Key`"
)]
pub trait Key {
    /// Lends the value that stands for the key.
    fn with_key<R>(&self, lend: impl FnOnce(Value<'_>) -> R) -> R;
}

/// A key that can be read back from a treedef, so that its map can be rebuilt.
///
/// # Examples
///
/// ```
/// use treedef::{BuildKey, Value};
///
/// assert_eq!(u8::from_key(Value::Int(7)), Some(7));
/// assert_eq!(u8::from_key(Value::Int(700)), None);
/// assert_eq!(char::from_key(Value::Str("é")), Some('é'));
/// ```
///
/// The map of a key that only borrows can be flattened, changed in place and mapped, but not rebuilt:
///
/// ```compile_fail,E0277
/// use heapless::LinearMap;
///
/// let def = treedef::TreeDef::from_bytes(&[0x61, 2, 1, b'a', 0x00]).unwrap(); // {'a': *}
/// let map: LinearMap<&str, f32, 4> = treedef::unflatten(def, &[1.0f32]).unwrap();
/// ```
#[diagnostic::on_unimplemented(
    message = "a key of type `{Self}` cannot be read back from a treedef",
    label = "the map can be flattened but not rebuilt",
    note = "a borrowed string has nothing to borrow from: use `heapless::String<N>`, or `String` with the feature `alloc`",
    note = "implement `treedef::BuildKey` for a key type of yours"
)]
pub trait BuildKey: Key + Sized {
    /// Reads a key back; `None` if the value is not one of this type.
    ///
    /// A map refuses two keys of a treedef that become equal with
    /// [`Error::DuplicateKey`](crate::Error::DuplicateKey).
    fn from_key(value: Value<'_>) -> Option<Self>;
}

impl<K: Key + ?Sized> Key for &K {
    #[inline]
    fn with_key<R>(&self, lend: impl FnOnce(Value<'_>) -> R) -> R {
        (**self).with_key(lend)
    }
}

impl Key for Value<'_> {
    #[inline]
    fn with_key<R>(&self, lend: impl FnOnce(Value<'_>) -> R) -> R {
        lend(*self)
    }
}

impl Key for str {
    #[inline]
    fn with_key<R>(&self, lend: impl FnOnce(Value<'_>) -> R) -> R {
        lend(Value::Str(self))
    }
}

impl Key for [u8] {
    #[inline]
    fn with_key<R>(&self, lend: impl FnOnce(Value<'_>) -> R) -> R {
        lend(Value::Bytes(self))
    }
}

impl Key for char {
    #[inline]
    fn with_key<R>(&self, lend: impl FnOnce(Value<'_>) -> R) -> R {
        let (bytes, len) = utf8(*self);
        let text = bytes.get(..len).and_then(|bytes| core::str::from_utf8(bytes).ok());
        lend(Value::Str(text.unwrap_or_default()))
    }
}

/// The UTF-8 of a character and its length.
///
/// `char::encode_utf8` slices its buffer with a check that stays in the program.
pub(crate) fn utf8(char: char) -> ([u8; 4], usize) {
    let code = u32::from(char);
    // The six bits above `shift`.
    let tail = |shift: u32| u8::try_from(code >> shift & 63).unwrap_or(0) | 0x80;
    let lead = |mark: u8, shift: u32| u8::try_from(code >> shift).unwrap_or(0) | mark;
    match char.len_utf8() {
        1 => ([lead(0, 0), 0, 0, 0], 1),
        2 => ([lead(0xC0, 6), tail(0), 0, 0], 2),
        3 => ([lead(0xE0, 12), tail(6), tail(0), 0], 3),
        _ => ([lead(0xF0, 18), tail(12), tail(6), tail(0)], 4),
    }
}

impl BuildKey for char {
    fn from_key(value: Value<'_>) -> Option<Self> {
        let Value::Str(text) = value else { return None };
        let mut chars = text.chars();
        chars.next().filter(|_| chars.next().is_none())
    }
}

impl Key for bool {
    #[inline]
    fn with_key<R>(&self, lend: impl FnOnce(Value<'_>) -> R) -> R {
        lend(Value::Bool(*self))
    }
}

impl BuildKey for bool {
    fn from_key(value: Value<'_>) -> Option<Self> {
        match value {
            Value::Bool(key) => Some(key),
            _ => None,
        }
    }
}

macro_rules! floats {
    ($($float:ty => $variant:ident),*) => {$(
        impl Key for $float {
            #[inline]
            fn with_key<R>(&self, lend: impl FnOnce(Value<'_>) -> R) -> R {
                lend(Value::$variant(*self))
            }
        }
    )*};
}
floats!(f32 => Float32, f64 => Float);

macro_rules! integers {
    ($($int:ty)*) => {$(
        impl Key for $int {
            #[inline]
            fn with_key<R>(&self, lend: impl FnOnce(Value<'_>) -> R) -> R {
                lend(Value::Int(i64::from(*self)))
            }
        }

        impl BuildKey for $int {
            fn from_key(value: Value<'_>) -> Option<Self> {
                match value {
                    Value::Int(key) => Self::try_from(key).ok(),
                    _ => None,
                }
            }
        }
    )*};
}
integers!(i8 i16 i32 i64 u8 u16 u32);

impl Key for isize {
    #[inline]
    fn with_key<R>(&self, lend: impl FnOnce(Value<'_>) -> R) -> R {
        // No machine has an `isize` beyond 64 bits.
        lend(Value::Int(i64::try_from(*self).unwrap_or(i64::MAX)))
    }
}

impl BuildKey for isize {
    fn from_key(value: Value<'_>) -> Option<Self> {
        i64::from_key(value)?.try_into().ok()
    }
}

impl Key for u64 {
    #[inline]
    fn with_key<R>(&self, lend: impl FnOnce(Value<'_>) -> R) -> R {
        match BigInt::new(false, &self.to_le_bytes()) {
            Some(key) => lend(Value::BigInt(key)),
            // What is no big integer fits an `i64`.
            None => lend(Value::Int(self.cast_signed())),
        }
    }
}

impl BuildKey for u64 {
    fn from_key(value: Value<'_>) -> Option<Self> {
        match value {
            Value::Int(key) => Self::try_from(key).ok(),
            Value::BigInt(key) if !key.is_negative() => {
                Some(Self::from_le_bytes(key.magnitude().try_into().ok()?))
            }
            _ => None,
        }
    }
}

impl Key for usize {
    #[inline]
    fn with_key<R>(&self, lend: impl FnOnce(Value<'_>) -> R) -> R {
        // No machine has a `usize` beyond 64 bits.
        u64::try_from(*self).unwrap_or(u64::MAX).with_key(lend)
    }
}

impl BuildKey for usize {
    fn from_key(value: Value<'_>) -> Option<Self> {
        u64::from_key(value)?.try_into().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::utf8;

    #[test]
    fn every_character_has_its_utf8() {
        for char in '\0'..=char::MAX {
            let (bytes, len) = utf8(char);
            assert_eq!(&bytes[..len], char.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
}
