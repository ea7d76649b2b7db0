//! Data that belongs to the structure: fields marked `#[tree(meta)]`.

use crate::value::Value;

/// A type whose values can stand in a treedef, as static data of a struct.
///
/// As the aux data of `jax.tree_util.register_pytree_node` and the meta fields of `register_dataclass`: two values
/// that differ make two structures. A value goes in by [`Static::with_value`] and comes back by
/// [`Static::from_value`]; floats go by their bits. `#[derive(Static)]` writes it for enums without data and for
/// small structs.
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
    note = "a borrowed string cannot be read back from a treedef: use `heapless::String<N>` or an enum, or leave the field out with `#[tree(skip)]`"
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
