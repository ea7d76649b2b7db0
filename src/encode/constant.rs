//! The treedefs of types that determine their structure.

use crate::base::message::Message;
use crate::encode::schema::{Fields, Schema, is_literal};
use crate::encode::structure::HasSchema;
use crate::format::value::Value;
use crate::treedef::treedef::TreeDef;

/// The treedef of a type that has a constant one, in the memory of the program, for functions that are compiled once.
///
/// Callers ask first whether there is one. For another type the result is a dummy and no panic, because the compiler also evaluates
/// the calls in a branch that `if const` leaves out.
#[inline]
pub(crate) const fn const_def<T: HasSchema + ?Sized>() -> &'static TreeDef<'static> {
    const {
        &match T::TREEDEF {
            Some(def) => def,
            None => TreeDef::NONE,
        }
    }
}

/// The treedef of a type that determines its structure: a constant, without work at run time.
///
/// A type whose structure depends on the value (an enum, `Option`, `Vec`, a meta field that is not a constant) does not
/// compile here; use [`structure_into`](crate::structure_into).
///
/// # Examples
///
/// ```
/// use treedef::TreeDef;
///
/// const PAIR: TreeDef<'static> = treedef::treedef_of::<(f32, [f32; 2])>();
/// assert_eq!(PAIR.as_bytes(), [0x22, 0x00, 0x42, 0x01]);
/// const FINGERPRINT: u64 = PAIR.fingerprint();
/// assert_eq!(FINGERPRINT, TreeDef::from_bytes(&[0x22, 0x00, 0x42, 0x01])?.fingerprint());
/// # Ok::<(), treedef::DecodeError>(())
/// ```
#[must_use]
pub const fn treedef_of<T: HasSchema>() -> TreeDef<'static> {
    const {
        match T::TREEDEF {
            Some(def) => def,
            None => panic!("{}", why_not_const(T::SCHEMA).as_str()),
        }
    }
}

/// Says why a type has no constant treedef. It names the type and its first meta field or field that is not constant.
const fn why_not_const(schema: &Schema) -> Message {
    type Named<'a> = (&'a [&'a str], &'a [&'a Schema], &'a [(&'a str, Value<'a>)]);
    let (quote, name, (mut fields, mut children, mut meta)): (_, _, Named<'_>) = match schema {
        Schema::Struct(Fields { name, fields, children, meta, .. }) => {
            ("`", *name, (fields, children.as_slice(), meta))
        }
        _ => ("", "this type", (&[], &[], &[])),
    };
    while let [(_, value), others @ ..] = meta
        && is_literal(value)
    {
        meta = others;
    }
    while let ([_, other_fields @ ..], [child, others @ ..]) = (fields, children)
        && child.is_const()
    {
        (fields, children) = (other_fields, others);
    }
    let varies = " depends on its value (an enum, `Option`, `Vec`, a map, a meta field)";
    let what = match (meta, fields) {
        _ if matches!(schema.describe_any(), Ok(())) => {
            ["it", "", "", " is above the 16384 bytes of MAX_CONST_BYTES"]
        }
        _ if schema.is_const() => ["it", "", "", " has more than 64 levels, or than 2^32 leaves"],
        ([(field, _), ..], _) => ["its meta field `", *field, "`", " has no constant value"],
        ([], [field, ..]) => ["its field `", *field, "`", varies],
        ([], []) => ["it", "", "", varies],
    };
    let [before, field, after, reason] = what;
    let advice = ": use structure_into, or CallKey::of_tree for a key";
    let parts =
        [quote, name, quote, " has no constant treedef: ", before, field, after, reason, advice];
    Message::new(&parts)
}
