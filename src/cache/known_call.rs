//! A call whose argument has a known type, and its key among the calls of that type.

use super::key::KeyWriter;
use super::leaf_keys::{KeyLeaves, Parts};
use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::encode::schema::Schema;
use crate::format::value::Value;
use crate::tree::choices::{Buffer, chosen};
use crate::tree::leaf_sink::visit_leaves;
use crate::tree::stream::Receive;
use crate::tree::walk::TreeWalk;

/// A call: its argument, a tree of a known type, and a static argument that is no part of the tree.
///
/// It is made of `&tree`, or of `(&tree, value)` for a static argument. Other static arguments are meta fields of the tree. Several
/// arguments are a tuple or a struct of references.
///
/// # Examples
///
/// ```
/// use treedef::cache::Known;
/// use treedef::{Error, Value};
///
/// let mut names = Known::<(Option<f32>, f32), &str, 8>::new();
/// let (tree, mut bytes) = ((None, 1.0), [0; 32]);
/// let built = names.get_or_insert_with_bytes((&tree, Value::Bool(true)), &mut bytes, |key| {
///     assert_eq!(key.to_string(), "PyTreeDef((None, *)), float32[], True");
///     Ok::<_, Error>("training")
/// });
/// assert_eq!(built, Ok(&mut "training"));
/// assert_eq!(names.get((&tree, Value::Bool(false))), None);
/// assert_eq!(names.get(&tree), None);
/// ```
pub struct KnownCall<'t, T: ?Sized> {
    tree: &'t T,
    argument: Option<Value<'t>>,
}

debug_struct!([T: ?Sized] KnownCall<'_, T> { argument });

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
    /// Adds the parts of the call, as [`KeyWriter::tree`] and [`KeyWriter::value`]: those of its call key. Calls of one type have equal
    /// call keys exactly if a [`Known`](crate::cache::Known) takes them for one.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::{KeyWriter, KnownCall};
    /// use treedef::{CallKey, Value};
    ///
    /// let (mut bytes, mut other) = ([0; 32], [0; 32]);
    /// let mut key = KeyWriter::new(&mut bytes);
    /// KnownCall::from(&[1.0f32, 2.0]).write_key(&mut key);
    /// assert_eq!(key.finish()?, CallKey::of_tree(&[1.0f32, 2.0], &mut other)?);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn write_key(&self, key: &mut KeyWriter<'_>) {
        key.tree(self.tree);
        if let Some(value) = self.argument {
            key.value(value);
        }
    }

    /// Writes its key among the calls of the type to the front of `bytes`.
    #[inline]
    pub(super) fn write<'b>(&self, bytes: &'b mut [u8]) -> Result<&'b [u8], Error> {
        let Buffer { at, .. } = self.choose(Buffer { bytes: &mut *bytes, at: 0 })?;
        let mut key = KeyWriter::after(bytes, at);
        self.write_rest(&mut key);
        key.written()
    }

    /// Gives the choices of the tree, with which that key begins.
    #[inline]
    pub(super) fn choose<R: Receive>(&self, to: R) -> Result<R, Error> {
        chosen::<KeyLeaves, _, _, false>(self.tree, to)
    }

    /// Writes what comes after the choices: the parts of the leaves, unless the type says all of them, and the static argument.
    // The choices end by themselves, so the key has as many meanings as the treedef and the parts that come after it.
    #[inline]
    pub(super) fn write_rest(&self, key: &mut KeyWriter<'_>) {
        if const { !has_only_numbers(T::SCHEMA) } {
            // The levels were counted with the choices.
            let visited = visit_leaves::<KeyLeaves, _, _, false>(self.tree, Parts(key)).map(drop);
            visited.unwrap_or_else(|error| key.fail(error));
        }
        if let Some(value) = self.argument {
            key.value(value);
        }
    }
}

/// Whether all leaves are numbers, whose parts the type says.
const fn has_only_numbers(schema: &Schema) -> bool {
    let (mut records, mut children) = match schema {
        Schema::Leaf(_, dtype, _) => return dtype.is_some(),
        Schema::Pointer(_) | Schema::Unknown => return false,
        // What is recursive is around it.
        _ => schema.parts(),
    };
    while let [record, rest @ ..] = records {
        if !has_only_numbers(&Schema::Tuple(record.children)) {
            return false;
        }
        records = rest;
    }
    while let [child, rest @ ..] = children {
        if !has_only_numbers(child) {
            return false;
        }
        children = rest;
    }
    true
}
