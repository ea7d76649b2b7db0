//! Converts Rust types to values of a treedef and back: keys of maps, and fields with `#[tree(meta)]`.

#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
use alloc::sync::Arc;
#[cfg(feature = "alloc")]
use alloc::{boxed::Box, string::String, vec::Vec};
use core::marker::PhantomData;

use core::net::{Ipv4Addr, Ipv6Addr};
use core::num::{NonZero, Saturating, Wrapping};
use core::time::Duration;

use crate::base::bytes::copy;
use crate::base::fronts::each_front;
use crate::base::message::{Message, TextType};
use crate::base::slices::array_of;
use crate::format::value::{BigInt, Value, ValueTuple};

/// A type that becomes a [`Value`] of a treedef: a key of a map, or a field with `#[tree(meta)]`.
///
/// The value is borrowed for the duration of a call, because the bytes of a character, a wide integer or a tuple are
/// made for it. `#[derive(Meta)]` implements this trait and [`FromValue`] for structs and enums.
///
/// | Rust | value |
/// |---|---|
/// | integers of every width, also as `NonZero` | integers, whatever their width |
/// | `bool`, `f32`, `f64` | themselves; floats by their bits |
/// | `char`, `str`, `String`, `heapless::String`, `Box<str>`, `Arc<str>` | strings; a `char` is a string of one character |
/// | `[u8]` | bytes |
/// | `Ipv4Addr`, `Ipv6Addr` | their 4 or 16 bytes, the first one first |
/// | `Duration` | the tuple of its seconds and nanoseconds; 10⁹ and more nanoseconds are refused |
/// | `Wrapping<T>`, `Saturating<T>`, `Box<T>`, `&T` | that of the `T` |
/// | `Option` | `None`, or a tuple of one |
/// | tuples of up to 12 elements, arrays, `Vec`, `heapless::Vec`, `Box<[T]>` | tuples, also of `u8` |
/// | derived structs | tuples of their fields |
/// | derived enums | strings, the names of the variants; of a variant with data a tuple of its name and the data |
///
/// The elements of a tuple become values one by one when it is written, compared or printed. Each level of nested
/// tuples takes one stack frame, an element takes none, and the length is not bounded. The elements have to be
/// [`Sync`], as every value is.
///
/// A head reads its values three times, however deep they nest: to check the depth, to count the bytes and to write
/// them. The order of keys is checked before, and again in the written bytes. If a value differs each time, so that the
/// bytes would not be a treedef, the writer returns [`Error::ValueChanged`](crate::Error::ValueChanged).
///
/// # Examples
///
/// ```
/// use treedef::Value;
/// use treedef::format::ToValue;
///
/// /// A controller area network identifier.
/// struct CanId(u16);
///
/// impl ToValue for CanId {
///     fn with_value<R>(&self, take: impl FnOnce(Value<'_>) -> R) -> R {
///         take(Value::Int(self.0.into()))
///     }
/// }
/// assert!(CanId(7).with_value(|value| value == Value::Int(7)));
/// assert!('é'.with_value(|value| value == Value::Str("é")));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot become a value of a treedef",
    label = "neither a key of a map nor a meta field",
    note = "for a type of your own, write `#[derive(treedef::Meta)]`, or leave the field out with `#[tree(skip)]`"
)]
pub trait ToValue {
    /// The name of the type of its values, which the schema of a map has as that of its keys, and the schema of a struct as that
    /// of a meta field. It is `str` for strings of any length and `str<8>` for those of at most 8 bytes, and begins so only for
    /// types of which each value is a [`Value::Str`]. It is `tuple<u8, 8>` for a `heapless::Vec<u8, 8>`.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::format::ToValue;
    ///
    /// assert_eq!((u8::TYPE, <&str>::TYPE, heapless::String::<8>::TYPE), ("u8", "str", "str<8>"));
    /// ```
    const TYPE: &'static str = "value";

    /// Calls `take` with the value.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::format::ToValue;
    ///
    /// assert_eq!((1u8, 'x').with_value(|value| value.to_string()), "(1, 'x')");
    /// ```
    fn with_value<R>(&self, take: impl FnOnce(Value<'_>) -> R) -> R;
}

/// A type that is read back from a [`Value`]: a key of a map that is rebuilt, or a field with `#[tree(meta)]` of a
/// struct that is rebuilt.
///
/// It reads what [`ToValue`] of the same type wrote.
///
/// # Examples
///
/// ```
/// use treedef::Value;
/// use treedef::format::FromValue;
///
/// assert_eq!(u8::from_value(Value::Int(7)), Some(7));
/// assert_eq!(u8::from_value(Value::Int(700)), None);
/// assert_eq!(char::from_value(Value::Str("é")), Some('é'));
/// ```
///
/// A map whose keys are borrowed can be flattened, changed in place and mapped, but not rebuilt:
///
/// ```compile_fail,E0277
/// use heapless::LinearMap;
///
/// let def = treedef::TreeDef::from_bytes(&[0x61, 2, 1, b'a', 0x00]).unwrap(); // {'a': *}
/// let map: LinearMap<&str, f32, 4> = treedef::unflatten(def, &[1.0f32]).unwrap();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read back from a treedef",
    label = "can be flattened but not rebuilt",
    note = "a rebuilt value cannot borrow a string: use `heapless::String<N>`, `String` (feature `alloc`) or an enum, or leave the field out with `#[tree(skip)]`",
    note = "for a type of your own, write `#[derive(treedef::Meta)]` or implement `treedef::format::FromValue`"
)]
pub trait FromValue: Sized {
    /// Reads a value back; `None` if it is not one of this type.
    ///
    /// If two keys of a treedef become equal, rebuilding the map returns
    /// [`Error::DuplicateKey`](crate::Error::DuplicateKey).
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Value;
    /// use treedef::format::FromValue;
    ///
    /// assert_eq!(bool::from_value(Value::Bool(true)), Some(true));
    /// assert_eq!(bool::from_value(Value::Int(1)), None);
    /// ```
    fn from_value(value: Value<'_>) -> Option<Self>;

    /// As [`from_value`](FromValue::from_value), for a value that an older program can have stored: in a migration. `#[derive(Meta)]`
    /// takes the older names of variants, too: `#[tree(alias = "..")]`.
    ///
    /// # Examples
    ///
    /// ```
    /// # #[cfg(feature = "derive")] {
    /// use treedef::format::FromValue;
    /// use treedef::{Meta, Value};
    ///
    /// #[derive(Meta, Debug, PartialEq)]
    /// enum Window {
    ///     #[tree(alias = "Hanning")]
    ///     Hann,
    /// }
    ///
    /// assert_eq!(Window::from_stored(Value::Str("Hanning")), Some(Window::Hann));
    /// assert_eq!(Window::from_value(Value::Str("Hanning")), None);
    /// assert_eq!(<Option<Window>>::from_stored(Value::None), Some(None));
    /// # }
    /// ```
    #[must_use]
    fn from_stored(value: Value<'_>) -> Option<Self> {
        Self::from_value(value)
    }
}

/// A type whose [`Ord`] is the order of its values, as the keys of a typed map need it.
///
/// The order of values is Python's ([`Value::compare`]). Integers, strings, byte strings, characters, `bool` and tuples
/// of them have it. `Option` does not, because Python does not order `None`, and floats have no [`Ord`]. A derived enum
/// is ordered by its variants, but its values by their names. Implement this trait for your own key type if its `Ord`
/// is the order of its values; otherwise flattening a map returns [`Error::UnsortedKeys`](crate::Error::UnsortedKeys).
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use heapless::LinearMap;
/// use treedef::format::MapKey;
/// use treedef::{Meta, structure_into, treedef};
///
/// /// An axis of a robot, in the order of the alphabet.
/// #[derive(Meta, PartialEq, Eq, PartialOrd, Ord)]
/// enum Axis {
///     Elbow,
///     Shoulder,
///     Wrist,
/// }
/// impl MapKey for Axis {}
///
/// let mut angles = LinearMap::<Axis, f32, 3>::new();
/// let _ = angles.insert(Axis::Wrist, 0.5);
/// let _ = angles.insert(Axis::Elbow, 0.25);
/// let mut bytes = [0; 16];
/// assert_eq!(structure_into(&angles, &mut bytes)?, treedef!({"Elbow": *, "Wrist": *}));
/// # }
/// # Ok::<(), treedef::Error>(())
/// ```
///
/// ```compile_fail,E0277
/// let map = heapless::LinearMap::<Option<u8>, f32, 4>::new();
/// let _ = treedef::structure_into(&map, &mut [0; 8]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the key of a map in a tree",
    label = "its `Ord` is not known to be the order of its values",
    note = "keys are integers, strings, `char`, `bool` and tuples of these, but not `Option` or floats",
    note = "for a type of your own whose `Ord` is the order of its values, write `impl treedef::format::MapKey for {Self} {{}}`; the values of a derived enum are ordered by the names of its variants"
)]
pub trait MapKey: ToValue + Ord {}

/// Implements the traits for types with the value of the `T` inside, which the first expression returns. The second makes the type
/// of a `T`.
macro_rules! transparent {
    ($([$($generics:tt)*] $type:ty, |$own:ident| $read:expr $(, $new:expr)?;)*) => {$(
        impl<$($generics)*> ToValue for $type
        where
            T: ToValue,
        {
            const TYPE: &'static str = T::TYPE;

            #[inline]
            fn with_value<R>(&self, take: impl FnOnce(Value<'_>) -> R) -> R {
                let $own = self;
                $read.with_value(take)
            }
        }

        impl<$($generics)*> MapKey for $type where T: MapKey {}

        $(impl<T: FromValue> FromValue for $type {
            fn from_value(value: Value<'_>) -> Option<Self> {
                T::from_value(value).map($new)
            }

            fn from_stored(value: Value<'_>) -> Option<Self> {
                T::from_stored(value).map($new)
            }
        })?
    )*};
}
transparent! {
    ['r, T: ?Sized] &'r T, |own| **own;
    [T] Wrapping<T>, |own| own.0, Wrapping;
    [T] Saturating<T>, |own| own.0, Saturating;
}
#[cfg(feature = "alloc")]
transparent! {
    [T] Box<T>, |own| **own, Box::new;
}

macro_rules! borrowed {
    ($($type:ty as $name:literal => $value:expr),*) => {$(
        impl ToValue for $type {
            const TYPE: &'static str = $name;

            #[inline]
            fn with_value<R>(&self, take: impl FnOnce(Value<'_>) -> R) -> R {
                take($value(self))
            }
        }
    )*};
}
borrowed! {
    Value<'_> as "value" => Value::clone, str as "str" => Value::Str, [u8] as "bytes" => Value::Bytes
}

impl MapKey for str {}

impl MapKey for [u8] {}

macro_rules! copied {
    ($($type:ty => $variant:ident),*) => {$(
        impl ToValue for $type {
            const TYPE: &'static str = stringify!($type);

            #[inline]
            fn with_value<R>(&self, take: impl FnOnce(Value<'_>) -> R) -> R {
                take(Value::$variant(*self))
            }
        }

        impl FromValue for $type {
            fn from_value(value: Value<'_>) -> Option<Self> {
                if let Value::$variant(value) = value { Some(value) } else { None }
            }
        }
    )*};
}
copied!(bool => Bool, f32 => Float32, f64 => Float);

impl MapKey for bool {}

/// Implements the traits for types that are keys. Each has the name of its values, code that passes its value to `$take`, and code
/// that reads it back.
macro_rules! values {
    ($(
        [$($generics:tt)*] $type:ty, $name:expr, |$own:ident, $take:ident| $to:expr, |$value:ident| $from:expr;
    )*) => {$(
        impl<$($generics)*> ToValue for $type {
            const TYPE: &'static str = $name;

            #[inline]
            fn with_value<R>(&self, $take: impl FnOnce(Value<'_>) -> R) -> R {
                let $own = self;
                $to
            }
        }

        impl<$($generics)*> FromValue for $type {
            fn from_value($value: Value<'_>) -> Option<Self> {
                $from
            }
        }

        impl<$($generics)*> MapKey for $type {}
    )*};
}
values! {
    [] char, "char", |own, take| {
        let (bytes, len) = utf8(*own);
        let text = bytes.get(..len).and_then(|bytes| core::str::from_utf8(bytes).ok());
        take(Value::Str(text.unwrap_or_default()))
    }, |value| {
        let mut chars = value.as_str()?.chars();
        chars.next().filter(|_| chars.next().is_none())
    };
    [const N: usize] heapless::String<N>, TextType::<N>::NAME, |own, take| take(Value::Str(own)),
        |value| bounded_text(value.as_str()?);
    [] Duration, "Duration", |own, take| (own.as_secs(), own.subsec_nanos()).with_value(take), |value| {
        let (secs, nanos) = FromValue::from_value(value)?;
        (nanos < 1_000_000_000).then(|| Self::new(secs, nanos))
    };
    [] Ipv4Addr, "Ipv4Addr", |own, take| take(Value::Bytes(&own.octets())),
        |value| if let Value::Bytes(bytes) = value { <[u8; 4]>::try_from(bytes).ok().map(Self::from) } else { None };
    [] Ipv6Addr, "Ipv6Addr", |own, take| take(Value::Bytes(&own.octets())),
        |value| if let Value::Bytes(bytes) = value { <[u8; 16]>::try_from(bytes).ok().map(Self::from) } else { None };
}

/// `String::try_from`, without the additions of `heapless` that can panic where overflow checks are on.
pub(crate) fn bounded_text<const N: usize>(text: &str) -> Option<heapless::String<N>> {
    let mut bytes = heapless::Vec::new();
    for byte in text.bytes() {
        bytes.push(byte).ok()?;
    }
    heapless::String::from_utf8(bytes).ok()
}

#[cfg(feature = "alloc")]
values! {
    [] String, "str", |own, take| take(Value::Str(own)), |value| value.as_str().map(Self::from);
    [] Box<str>, "str", |own, take| take(Value::Str(own)), |value| value.as_str().map(Self::from);
}
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
values! {
    [] Arc<str>, "str", |own, take| take(Value::Str(own)), |value| value.as_str().map(Self::from);
}

/// Implements the traits for integers, and for those that are not zero; integers beyond `i64` become big integers.
macro_rules! integers {
    ($($int:ty)*) => {$(
        impl ToValue for $int {
            const TYPE: &'static str = stringify!($int);

            #[inline]
            fn with_value<R>(&self, take: impl FnOnce(Value<'_>) -> R) -> R {
                #[allow(irrefutable_let_patterns)]
                if let Ok(int) = i64::try_from(*self) {
                    return take(Value::Int(int));
                }
                #[allow(unused_comparisons)]
                let negative = *self < 0;
                let magnitude = self.abs_diff(0);
                let bytes = magnitude.to_le_bytes();
                let zeros = usize::try_from(magnitude.leading_zeros() / 8).unwrap_or(0);
                let len = bytes.len().saturating_sub(zeros);
                // The number is beyond `i64`, so this is never `None`.
                let big = BigInt::new(negative, bytes.get(..len).unwrap_or(&[]));
                take(big.map_or(Value::None, Value::BigInt))
            }
        }

        impl FromValue for $int {
            fn from_value(value: Value<'_>) -> Option<Self> {
                match value {
                    Value::Int(int) => Self::try_from(int).ok(),
                    Value::BigInt(big) => {
                        let mut bytes = [0; size_of::<Self>()];
                        copy(bytes.get_mut(..big.magnitude().len())?, big.magnitude());
                        let mut value = Self::from_le_bytes(bytes);
                        if big.is_negative() {
                            value = value.wrapping_neg();
                        }
                        // A magnitude that wrapped around has the wrong sign.
                        #[allow(unused_comparisons)]
                        (big.is_negative() == (value < 0)).then_some(value)
                    }
                    _ => None,
                }
            }
        }

        impl MapKey for $int {}

        values! {
            [] NonZero<$int>, concat!("NonZero<", stringify!($int), ">"), |own, take| own.get().with_value(take),
                |value| <$int>::from_value(value).and_then(Self::new);
        }
    )*};
}
integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

/// The UTF-8 of a character and its length.
///
/// `char::encode_utf8` slices its buffer with a check that the compiler does not remove.
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

impl<T: ToValue> ToValue for Option<T> {
    fn with_value<R>(&self, take: impl FnOnce(Value<'_>) -> R) -> R {
        match self {
            None => take(Value::None),
            Some(value) => value.with_value(|value| take(Value::Tuple(ValueTuple::new(&[value])))),
        }
    }
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: Value<'_>) -> Option<Self> {
        match value {
            Value::None => Some(None),
            value => <(T,)>::from_value(value).map(|(value,)| Some(value)),
        }
    }

    fn from_stored(value: Value<'_>) -> Option<Self> {
        match value {
            Value::None => Some(None),
            value => <(T,)>::from_stored(value).map(|(value,)| Some(value)),
        }
    }
}

macro_rules! tuples {
    ($(($T:ident $index:tt))*) => {
        impl<$($T: ToValue + Sync),*> ToValue for ($($T,)*) {
            #[allow(unused_variables)]
            fn with_value<R>(&self, take: impl FnOnce(Value<'_>) -> R) -> R {
                let indices: &[u8] = &[$($index),*];
                take(Value::Tuple(ValueTuple::of_data(indices.len(), &|index, take| match index {
                    $($index => self.$index.with_value(take),)*
                    _ => {}
                })))
            }
        }

        impl<$($T: FromValue),*> FromValue for ($($T,)*) {
            fn from_value(value: Value<'_>) -> Option<Self> {
                let Value::Tuple(tuple) = value else { return None };
                let mut elements = tuple.elements();
                let value = ($(elements.next($T::from_value)??,)*);
                elements.next(|_| ()).is_none().then_some(value)
            }

            fn from_stored(value: Value<'_>) -> Option<Self> {
                let Value::Tuple(tuple) = value else { return None };
                let mut elements = tuple.elements();
                let value = ($(elements.next($T::from_stored)??,)*);
                elements.next(|_| ()).is_none().then_some(value)
            }
        }

        impl<$($T: MapKey + Sync),*> MapKey for ($($T,)*) {}
    };
}
tuples!();
impl<T: MapKey + Sync, const N: usize> MapKey for [T; N] {}
each_front!(tuples; [] (A 0) (B 1) (C 2) (D 3) (E 4) (F 5) (G 6) (H 7) (I 8) (J 9) (K 10) (L 11));

/// Implements the traits for sequences, which are tuples. Each can have a name of the type of its values, and has code that makes it
/// of the elements that are read back.
macro_rules! sequences {
    ($([$($generics:tt)*] $type:ty, $($name:expr)?, |$elements:ident, $read:ident| $from:expr;)*) => {$(
        impl<T: ToValue + Sync $($generics)*> ToValue for $type {
            $(const TYPE: &'static str = $name;)?

            fn with_value<R>(&self, take: impl FnOnce(Value<'_>) -> R) -> R {
                take(Value::Tuple(ValueTuple::of_data(self.len(), &|index, take| {
                    if let Some(element) = self.get(index) {
                        element.with_value(take);
                    }
                })))
            }
        }

        impl<T: FromValue $($generics)*> FromValue for $type {
            fn from_value(value: Value<'_>) -> Option<Self> {
                let Value::Tuple(tuple) = value else { return None };
                let (mut $elements, $read) = (tuple.elements(), T::from_value);
                $from
            }

            fn from_stored(value: Value<'_>) -> Option<Self> {
                let Value::Tuple(tuple) = value else { return None };
                let (mut $elements, $read) = (tuple.elements(), T::from_stored);
                $from
            }
        }
    )*};
}
sequences! {
    [, const N: usize] [T; N], , |elements, read| {
        let array = array_of(|| elements.next(read)?)?;
        elements.next(|_| ()).is_none().then_some(array)
    };
    [, const N: usize] heapless::Vec<T, N>, TupleType::<T, N>::NAME, |elements, read| {
        let mut vector = Self::new();
        while let Some(element) = elements.next(read) {
            vector.push(element?).ok()?;
        }
        Some(vector)
    };
}
#[cfg(feature = "alloc")]
sequences! {
    [] Vec<T>, , |elements, read| core::iter::from_fn(|| elements.next(read)).collect();
    [] Box<[T]>, , |elements, read| core::iter::from_fn(|| elements.next(read)).collect();
}

/// The name of a tuple of at most `N` values of one type: `tuple<u8, 8>`.
struct TupleType<T, const N: usize>(PhantomData<T>);

impl<T: ToValue, const N: usize> TupleType<T, N> {
    const MESSAGE: Message = Message::new(&["tuple<", T::TYPE, ", ", TextType::<N>::ROOM]);
    const NAME: &'static str = Self::MESSAGE.as_str();
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
