//! A call whose argument has a known type, and its key: the choices of the value, what its leaves say, and a static argument.

use super::key::{CallKey, KeyWriter};
use super::leaf_keys::{KeyLeaves, Parts};
use crate::base::error::Error;
use crate::encode::schema::{Fields, Schema};
use crate::format::value::Value;
use crate::tree::choices::{Buffer, Receive, chosen};
use crate::tree::leaf_sink::visit_leaves;
use crate::tree::walk::TreeWalk;

pub struct KnownCall<'t, T: ?Sized> {
    tree: &'t T,
    /// The static argument.
    argument: Option<Value<'t>>,
}

impl<T: ?Sized> Clone for KnownCall<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for KnownCall<'_, T> {}

impl<'t, T: ?Sized> From<&'t T> for KnownCall<'t, T> {
    #[inline]
    fn from(tree: &'t T) -> Self {
        Self { tree, argument: None }
    }
}

/// With a static argument.
impl<'t, T: ?Sized> From<(&'t T, Value<'t>)> for KnownCall<'t, T> {
    #[inline]
    fn from((tree, argument): (&'t T, Value<'t>)) -> Self {
        Self { tree, argument: Some(argument) }
    }
}

impl<T: TreeWalk<KeyLeaves> + ?Sized> KnownCall<'_, T> {
    /// Writes its key among the calls of the type to the front of `bytes`.
    #[inline]
    pub(super) fn write<'b>(&self, bytes: &'b mut [u8]) -> Result<&'b [u8], Error> {
        let Buffer { at, .. } = self.choose(Buffer { bytes: &mut *bytes, at: 0 })?;
        let mut key = KeyWriter::after(bytes, at);
        self.write_rest(&mut key);
        key.written()
    }

    /// Gives the choices of the tree, with which the key begins.
    #[inline]
    pub(super) fn choose<R: Receive>(&self, to: R) -> Result<R, Error> {
        chosen::<KeyLeaves, _, _, false>(self.tree, to)
    }

    /// Writes what comes after the choices: what the leaves say, and the static argument.
    #[inline]
    pub(super) fn write_rest(&self, key: &mut KeyWriter<'_>) {
        if const { !has_only_numbers(T::SCHEMA) } {
            // Its levels were counted with the choices.
            let visited = visit_leaves::<KeyLeaves, _, _, false>(self.tree, Parts(key)).map(drop);
            visited.unwrap_or_else(|error| key.fail(error));
        }
        if let Some(value) = self.argument {
            key.value(value);
        }
    }

    pub fn write_call_key(&self, key: &mut KeyWriter<'_>) {
        key.tree(self.tree);
        if let Some(value) = self.argument {
            key.value(value);
        }
    }

    pub fn call_key<'b>(&self, bytes: &'b mut [u8]) -> Result<CallKey<'b>, Error> {
        let mut key = KeyWriter::new(bytes);
        self.write_call_key(&mut key);
        key.finish()
    }
}

/// Whether all leaves are numbers: then the type says all that a key has of its leaves.
const fn has_only_numbers(schema: &Schema) -> bool {
    let (mut records, mut others) = match schema {
        Schema::Leaf(_, dtype, _) => return dtype.is_some(),
        // What it is is around it, and is looked through.
        Schema::Recursive(_) => return true,
        Schema::Pointer(_) | Schema::Unknown => return false,
        _ => schema.parts(),
    };
    while let [Fields { children, .. }, rest @ ..] = records {
        if !has_only_numbers(&Schema::Tuple(*children)) {
            return false;
        }
        records = rest;
    }
    while let [child, rest @ ..] = others {
        if !has_only_numbers(child) {
            return false;
        }
        others = rest;
    }
    true
}
