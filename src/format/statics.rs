//! Data that belongs to the structure: fields marked `#[tree(meta)]`.

use crate::format::key::Key;
use crate::format::value::{BigInt, Tuple, Value};

/// A type whose values can stand in a treedef, as static data of a struct.
///
/// As the aux data of `jax.tree_util.register_pytree_node` and the meta fields of `register_dataclass`: two values
/// that differ make two structures. A value goes in by [`Static::with_value`] and comes back by
/// [`Static::from_value`], which reads back exactly what the first wrote; floats go by their bits. `#[derive(Static)]`
/// writes it for enums without data and for small structs.
///
/// Integers stand as integers, whatever their width; `char` is a string of one character, arrays and tuples (of up to
/// 12 elements) are tuples, `None` is `None` and `Some` a tuple of one. Strings of fixed capacity
/// (`heapless::String<N>`) are strings. With the feature `alloc` so is `String`, and `Vec<T>` and `Box<[T]>` are tuples,
/// for which each call of [`Static::with_value`] allocates.
///
/// # Examples
///
/// ```
/// use treedef::{Static, Value};
///
/// assert!(7u8.with_value(|value| value == Value::Int(7)));
/// assert_eq!(u8::from_value(Value::Int(7)), Some(7));
/// assert_eq!(u8::from_value(Value::Int(700)), None);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be static data of a tree",
    note = "derive it for a type of yours: `#[derive(treedef::Static)]`",
    note = "a borrowed string cannot be read back from a treedef: use `heapless::String<N>`, `String` (feature `alloc`) or an enum, or leave the field out with `#[tree(skip)]`"
)]
pub trait Static: Sized {
    /// Lends the value that stands for `self`.
    fn with_value<R>(&self, lend: impl FnOnce(Value<'_>) -> R) -> R;

    /// Reads a value back; `None` if it is not one of this type.
    fn from_value(value: Value<'_>) -> Option<Self>;
}

macro_rules! integers {
    ($($int:ty)*) => {$(
        impl Static for $int {
            fn with_value<R>(&self, lend: impl FnOnce(Value<'_>) -> R) -> R {
                lend(Value::Int(i64::from(*self)))
            }

            fn from_value(value: Value<'_>) -> Option<Self> {
                match value {
                    Value::Int(int) => Self::try_from(int).ok(),
                    _ => None,
                }
            }
        }
    )*};
}
integers!(i8 i16 i32 i64 u8 u16 u32);

macro_rules! plain {
    ($($type:ty => $variant:ident),*) => {$(
        impl Static for $type {
            fn with_value<R>(&self, lend: impl FnOnce(Value<'_>) -> R) -> R {
                lend(Value::$variant(*self))
            }

            fn from_value(value: Value<'_>) -> Option<Self> {
                match value {
                    Value::$variant(value) => Some(value),
                    _ => None,
                }
            }
        }
    )*};
}
plain!(bool => Bool, f32 => Float32, f64 => Float);

/// Integers that `i64` does not hold all of: those beyond it are big integers.
macro_rules! wide_integers {
    ($($int:ty)*) => {$(
        impl Static for $int {
            fn with_value<R>(&self, lend: impl FnOnce(Value<'_>) -> R) -> R {
                if let Ok(int) = i64::try_from(*self) {
                    return lend(Value::Int(int));
                }
                #[allow(unused_comparisons)]
                let negative = *self < 0;
                let magnitude = self.abs_diff(0);
                let bytes = magnitude.to_le_bytes();
                let zeros = usize::try_from(magnitude.leading_zeros() / 8).unwrap_or(0);
                let len = bytes.len().saturating_sub(zeros);
                // Beyond `i64` as it is, it is never `None`.
                let big = BigInt::new(negative, bytes.get(..len).unwrap_or(&[]));
                lend(big.map_or(Value::None, Value::BigInt))
            }

            fn from_value(value: Value<'_>) -> Option<Self> {
                match value {
                    Value::Int(int) => Self::try_from(int).ok(),
                    Value::BigInt(big) => {
                        let mut bytes = [0; size_of::<Self>()];
                        bytes.get_mut(..big.magnitude().len())?.copy_from_slice(big.magnitude());
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
    )*};
}
wide_integers!(u64 i128 u128 usize isize);

impl Static for char {
    fn with_value<R>(&self, lend: impl FnOnce(Value<'_>) -> R) -> R {
        self.with_key(lend)
    }

    fn from_value(value: Value<'_>) -> Option<Self> {
        let Value::Str(text) = value else { return None };
        let mut chars = text.chars();
        let first = chars.next()?;
        chars.next().is_none().then_some(first)
    }
}

impl<T: Static> Static for Option<T> {
    fn with_value<R>(&self, lend: impl FnOnce(Value<'_>) -> R) -> R {
        match self {
            None => lend(Value::None),
            Some(value) => value.with_value(|value| lend(Value::Tuple(Tuple::new(&[value])))),
        }
    }

    fn from_value(value: Value<'_>) -> Option<Self> {
        match value {
            Value::None => Some(None),
            value => <(T,)>::from_value(value).map(|(value,)| Some(value)),
        }
    }
}

/// Lends the value of each element inside the one before, then all of them.
macro_rules! lend_all {
    ($lend:ident [$($value:ident)*]) => {
        $lend(Value::Tuple(Tuple::new(&[$($value),*])))
    };
    ($lend:ident [$($value:ident)*] $first:ident $($rest:ident)*) => {
        $first.with_value(|$first| lend_all!($lend [$($value)* $first] $($rest)*))
    };
}

macro_rules! tuples {
    ($($T:ident $t:ident),*) => {
        impl<$($T: Static),*> Static for ($($T,)*) {
            fn with_value<R__>(&self, lend: impl FnOnce(Value<'_>) -> R__) -> R__ {
                let ($($t,)*) = self;
                lend_all!(lend [] $($t)*)
            }

            fn from_value(value: Value<'_>) -> Option<Self> {
                let Value::Tuple(tuple) = value else { return None };
                let mut elements = tuple.iter();
                let value = ($($T::from_value(elements.next()?)?,)*);
                elements.next().is_none().then_some(value)
            }
        }
    };
}
tuples!();
tuples!(A a);
tuples!(A a, B b);
tuples!(A a, B b, C c);
tuples!(A a, B b, C c, D d);
tuples!(A a, B b, C c, D d, E e);
tuples!(A a, B b, C c, D d, E e, F f);
tuples!(A a, B b, C c, D d, E e, F f, G g);
tuples!(A a, B b, C c, D d, E e, F f, G g, H h);
tuples!(A a, B b, C c, D d, E e, F f, G g, H h, I i);
tuples!(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j);
tuples!(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, K k);
tuples!(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, K k, L l);

/// Lends the values of `rest` behind those that are lent already, which are the first ones of `lent`.
///
/// One frame and one array of `N` values for each element: arrays in static data are short.
fn lend_array<T: Static, R, L: FnOnce(Value<'_>) -> R, const N: usize>(
    rest: &[T],
    lent: [Value<'_>; N],
    lend: L,
) -> R {
    let Some((first, rest)) = rest.split_first() else {
        return lend(Value::Tuple(Tuple::new(&lent)));
    };
    first.with_value(|value| {
        let mut lent: [Value<'_>; N] = lent;
        let at = N.saturating_sub(rest.len()).saturating_sub(1);
        if let Some(slot) = lent.get_mut(at) {
            *slot = value;
        }
        lend_array(rest, lent, lend)
    })
}

impl<T: Static, const N: usize> Static for [T; N] {
    fn with_value<R>(&self, lend: impl FnOnce(Value<'_>) -> R) -> R {
        lend_array(self, [Value::None; N], lend)
    }

    fn from_value(value: Value<'_>) -> Option<Self> {
        let Value::Tuple(tuple) = value else { return None };
        let mut elements = heapless::Vec::<T, N>::new();
        for element in tuple.iter() {
            elements.push(T::from_value(element)?).ok()?;
        }
        elements.into_array().ok()
    }
}
