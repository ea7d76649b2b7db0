//! The largest records of a type, at compile time.

use core::slice;

use crate::base::message::Message;
use crate::encode::max_sizes::{max_choices, max_values, number_len};
use crate::encode::schema::{Fields, Schema};
use crate::encode::structure::HasSchema;
use crate::record::HEAD;
use crate::record::leaf::RecordLeafList;

/// The number of bytes of the largest record of a value of type `T`.
///
/// A type without a bound does not compile: it holds a `Vec`, a `String` or a map on the heap, or a meta field or key that is an option, a
/// tuple, an array or a type of the program, or contains itself. Nor does one with a leaf type of the program: [`record_bytes_with`].
///
/// # Examples
///
/// ```
/// use treedef::record::{record_bytes, save_into};
///
/// type Samples = heapless::Vec<(u16, Option<bool>), 4>;
/// let mut bytes = [0; record_bytes::<Samples>()];
/// // The head, the number of choices, four elements of 4 bytes, and 5 choices.
/// assert_eq!(bytes.len(), 9 + 1 + 4 * 4 + 5);
///
/// let samples = Samples::from_slice(&[(u16::MAX, Some(true)); 4]).unwrap();
/// assert_eq!(save_into(&samples, &mut bytes), Ok(bytes.len()));
/// ```
#[must_use]
pub const fn record_bytes<T: HasSchema>() -> usize {
    record_bytes_with::<T, ()>()
}

/// As [`record_bytes`], of a type with leaf types of the program: `Own` is a tuple of them, of up to eight.
///
/// # Examples
///
/// [`RecordLeaf`](crate::record::RecordLeaf) has an example.
#[must_use]
pub const fn record_bytes_with<T: HasSchema, Own: RecordLeafList>() -> usize {
    const {
        let choices = max_choices(T::SCHEMA);
        let leaves = match T::SCHEMA.leaf_bytes(Some(Own::SIZES)) {
            Ok(bytes) => bytes,
            Err(name) => {
                let advice = "` is one of the program: name it for `record_bytes_with`";
                panic!("{}", Message::new(&["the leaf type `", name, advice]).as_str())
            }
        };
        if choices == usize::MAX || leaves == usize::MAX {
            let why = " holds a `Vec`, a `String`, a map on the heap, a leaf type without `MAX_LEN`, a meta field or key that is an \
                       option, a tuple, an array or a type of the program, or itself";
            panic!("{}", no_bound("the records", T::SCHEMA, Some(Own::SIZES), why).as_str());
        }
        let bytes = leaves.saturating_add(choices);
        bytes.saturating_add(HEAD).saturating_add(number_len(choices))
    }
}

/// Says that what is made of the values of a type has no bound, and which field is the cause.
pub(super) const fn no_bound(
    what: &str,
    schema: &Schema,
    own: Option<&[(&str, usize)]>,
    why: &str,
) -> Message {
    match cause(schema, own) {
        Some([name, field]) => {
            Message::new(&[what, " of this type have no bound: `", field, "` of `", name, "`", why])
        }
        None => Message::new(&[what, " of this type have no bound: it", why]),
    }
}

/// The innermost struct or variant with a field that has no bound, and the first such field.
const fn cause<'s>(schema: &'s Schema, own: Option<&[(&str, usize)]>) -> Option<[&'s str; 2]> {
    let (mut records, mut others) = schema.parts();
    while let [Fields { name, fields, children, meta, .. }, rest @ ..] = records {
        let (mut fields, mut children, mut meta) = (*fields, children.as_slice(), *meta);
        while let ([field, other_fields @ ..], [child, other_children @ ..]) = (fields, children) {
            if is_unbounded(child, own) {
                let inside = cause(child, own);
                return if inside.is_some() { inside } else { Some([name, field]) };
            }
            (fields, children) = (other_fields, other_children);
        }
        while let [first @ (field, _), other_meta @ ..] = meta {
            if max_values(slice::from_ref(first)) == usize::MAX {
                return Some([name, field]);
            }
            meta = other_meta;
        }
        records = rest;
    }
    while let [child, rest @ ..] = others {
        if is_unbounded(child, own) {
            return cause(child, own);
        }
        others = rest;
    }
    None
}

const fn is_unbounded(schema: &Schema, own: Option<&[(&str, usize)]>) -> bool {
    max_choices(schema) == usize::MAX || matches!(schema.leaf_bytes(own), Ok(usize::MAX))
}
