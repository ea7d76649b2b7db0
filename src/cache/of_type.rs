//! Makes the key of a typed tree at compile time.
//!
//! A type with a constant treedef is a graph of constants, [`Schema`], which also knows the dtypes of numbers. So the key is
//! the treedef and, for each leaf of the graph, the part that a number writes. For `(f32, [u8; 2])`:
//!
//! ```text
//! 22 00 42 01    (*, [*, *])
//! E2 0B 00       f32: an array of rank 0
//! E2 06 00       u8, in the list
//! E2 06 00       the second u8
//! ```

use core::marker::PhantomData;

use crate::base::attempt::attempt;
use crate::base::bytes::{copy, first};
use crate::cache::key::CallKey;
use crate::cache::part::ARRAY;
use crate::encode::const_bytes::{MAX_CONST_BYTES, in_buckets};
use crate::encode::constant::treedef_of;
use crate::encode::schema::{Schema, each_inside};
use crate::encode::structure::HasSchema;
use crate::treedef::treedef::TreeDef;

impl CallKey<'static> {
    /// The key of a type whose structure and leaf types the compiler can see: a constant, without work at run time.
    ///
    /// It has the bytes of [`CallKey::of_tree`] of a value of the type, so firmware can compare the key of stored leaves
    /// with its own without writing one.
    ///
    /// It does not compile for a type whose structure depends on the value, as [`treedef_of`](crate::treedef_of); for
    /// leaves whose type has no [`Dtype`](crate::cache::Dtype), such as `char`, `u128` and types of other crates, because the
    /// compiler cannot call [`KeyPart::write_key`](crate::cache::KeyPart::write_key); and for a key above
    /// [`MAX_CONST_BYTES`](crate::tree::MAX_CONST_BYTES).
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::CallKey;
    ///
    /// const FLOATS: CallKey<'static> = CallKey::of_type::<(f32, [u8; 2])>();
    /// assert_eq!(FLOATS.to_string(), "PyTreeDef((*, [*, *])), float32[], uint8[], uint8[]");
    ///
    /// let mut bytes = [0; 16];
    /// assert_eq!(CallKey::of_tree(&(1.0f32, [2u8, 3]), &mut bytes)?, FLOATS);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub const fn of_type<T: HasSchema>() -> Self {
        const {
            let _ = treedef_of::<T>();
            let (len, mut parts) = (Constant::<T>::LEN, [0; MAX_CONST_BYTES]);
            if len > MAX_CONST_BYTES || write_leaves(T::SCHEMA, &mut parts).is_none() {
                panic!(
                    "a leaf of this type has no dtype, or the key is above MAX_CONST_BYTES: use CallKey::of_tree"
                );
            }
            CallKey::new(first(Constant::<T>::BYTES, len))
        }
    }
}

struct Constant<T>(PhantomData<T>);

impl<T: HasSchema> Constant<T> {
    const LEN: usize = match T::TREEDEF {
        Some(def) => def.num_leaves().saturating_mul(3).saturating_add(def.as_bytes().len()),
        None => 0,
    };

    const BYTES: &'static [u8] = match T::TREEDEF {
        Some(def) => in_buckets!(Self::LEN, write(def, T::SCHEMA)),
        None => &[],
    };
}

/// The first `N` bytes of the key.
const fn write<const N: usize>(def: TreeDef<'_>, schema: &Schema) -> [u8; N] {
    let mut bytes = [0; N];
    if let Some((structure, leaves)) = bytes.split_at_mut_checked(def.as_bytes().len()) {
        copy(structure, def.as_bytes());
        _ = write_leaves(schema, leaves);
    }
    bytes
}

/// Writes the parts of the leaves in order, and returns the bytes after them; `None` if they have no room, or if a leaf
/// has no dtype.
const fn write_leaves<'b>(schema: &Schema, mut free: &'b mut [u8]) -> Option<&'b mut [u8]> {
    match schema {
        Schema::Leaf(_, Some(dtype), _) => {
            let (part, rest) = attempt!(free.split_at_mut_checked(3));
            // An array of rank 0.
            copy(part, &[ARRAY, dtype.code(), 0]);
            free = rest;
        }
        Schema::Array(count, of) => {
            let mut left = *count;
            while let Some(after) = left.checked_sub(1) {
                free = attempt!(write_leaves(of, free));
                left = after;
            }
        }
        Schema::Tuple(_) | Schema::Struct(_) => {
            each_inside!(schema, child => free = attempt!(write_leaves(&child, free)));
        }
        _ => return None,
    }
    Some(free)
}
