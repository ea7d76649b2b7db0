//! A call whose argument has a known type, and its key among the calls of that type.

use core::iter::empty;

use super::key::KeyWriter;
use super::leaf_keys::{KeyLeaves, KeyPart};
use crate::base::error::Error;
use crate::encode::schema::{Schema, each_inside};
use crate::encode::structure::HasSchema;
use crate::format::value::Value;
use crate::tree::choices::{Buffer, ReceiveLeaf, chosen};
use crate::tree::leaf_sink::visit_leaves;
use crate::tree::stream::Receive;
use crate::tree::walk::TreeWalk;

/// A call whose arguments are a `T`: a reference to it; a tuple of references to the fields of `T`, if that is a tuple; or a pair of such a
/// call and a static argument, a [`Value`] that is no part of the tree. With two static arguments it is `((&tree, one), other)`. Other
/// static arguments are meta fields.
///
/// The call key of a call has the parts that [`KeyWriter::tree`] writes of the tree, and [`KeyWriter::value`] of each static argument, in
/// order.
///
/// # Examples
///
/// ```
/// use treedef::cache::Known;
/// use treedef::{Error, Value};
///
/// let mut names = Known::<(Option<f32>, f32), &str, 8>::new();
/// let (scale, offset, mut bytes) = (None, 1.0, [0; 32]);
/// let call = ((&scale, &offset), Value::Bool(true));
/// let built = names.get_or_insert_with_bytes(call, &mut bytes, |key| {
///     assert_eq!(key.to_string(), "PyTreeDef((None, *)), float32[], True");
///     Ok::<_, Error>("training")
/// });
/// assert_eq!(built, Ok(&mut "training"));
/// assert_eq!(names.get((&(None, 2.0), Value::Bool(true))), Some(&mut "training"));
/// assert_eq!(names.get((&scale, &offset)), None);
/// ```
pub trait KnownCall<T: ?Sized> {
    /// What is walked.
    #[doc(hidden)]
    type Tree: TreeWalk<KeyLeaves> + ?Sized;

    /// What is walked, and the static arguments.
    #[doc(hidden)]
    fn parts(&self) -> (&Self::Tree, impl Iterator<Item = Value<'_>>);
}

impl<T: TreeWalk<KeyLeaves> + ?Sized> KnownCall<T> for &T {
    type Tree = T;

    #[inline]
    fn parts(&self) -> (&T, impl Iterator<Item = Value<'_>>) {
        (self, empty())
    }
}

/// With one more static argument, after those of `C`.
impl<T: ?Sized, C: KnownCall<T>> KnownCall<T> for (C, Value<'_>) {
    type Tree = C::Tree;

    #[inline]
    fn parts(&self) -> (&C::Tree, impl Iterator<Item = Value<'_>>) {
        let (tree, arguments) = self.0.parts();
        (tree, arguments.chain([self.1]))
    }
}

macro_rules! tuples {
    ($(($($T:ident)*))*) => {$(
        impl<$($T: TreeWalk<KeyLeaves>),*> KnownCall<($($T,)*)> for ($(&$T,)*) {
            type Tree = Self;

            #[inline]
            fn parts(&self) -> (&Self, impl Iterator<Item = Value<'_>>) {
                (self, empty())
            }
        }
    )*};
}
tuples!((A)(A B)(A B C)(A B C D)(A B C D E)(A B C D E F));

/// Writes the parts of the call key.
pub(super) fn write_call_key<T: ?Sized>(call: &impl KnownCall<T>, key: &mut KeyWriter<'_>) {
    let (tree, arguments) = call.parts();
    key.tree(tree);
    arguments.for_each(|value| _ = key.value(value));
}

/// Writes the key of a call among those of its type to the front of `bytes`.
#[inline]
pub(super) fn write<'b, T: ?Sized>(
    call: &impl KnownCall<T>,
    bytes: &'b mut [u8],
) -> Result<&'b [u8], Error> {
    let Buffer { at, .. } = choose(call, Buffer { bytes: &mut *bytes, at: 0 })?;
    let mut key = KeyWriter::after(bytes, at);
    write_rest(call, &mut key);
    key.written()
}

/// Gives the choices of the tree, with which that key begins.
#[inline]
pub(super) fn choose<T: ?Sized, R>(call: &impl KnownCall<T>, to: R) -> Result<R, Error>
where
    R: Receive + for<'a> ReceiveLeaf<'a, KeyLeaves>,
{
    chosen::<KeyLeaves, _, _>(call.parts().0, to)
}

/// Writes what comes after the choices: the parts of the leaves, unless the type says all of them, and the static arguments.
// The choices end by themselves, so two keys of a type are equal exactly if choices and parts are, which make the call key.
#[inline]
pub(super) fn write_rest<T: ?Sized, C: KnownCall<T>>(call: &C, key: &mut KeyWriter<'_>) {
    let (tree, arguments) = call.parts();
    if const { !has_only_numbers(C::Tree::SCHEMA) } {
        // The levels were counted with the choices.
        let write = |leaf: &dyn KeyPart| leaf.write_key(key);
        let visited = visit_leaves::<KeyLeaves, _, _, false>(tree, write).map(drop);
        visited.unwrap_or_else(|error| key.fail(error));
    }
    arguments.for_each(|value| _ = key.value(value));
}

/// Whether all leaves are numbers, whose parts the type says.
const fn has_only_numbers(schema: &Schema) -> bool {
    match schema {
        Schema::Leaf(_, dtype, _) => return dtype.is_some(),
        Schema::Pointer(_) | Schema::Unknown => return false,
        // What is recursive is around it.
        _ => {}
    }
    each_inside!(schema, child => if !has_only_numbers(&child) { return false });
    true
}
