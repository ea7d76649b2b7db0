//! The one trait of object models: one level, what an object is and what its children are.

use crate::base::error::Error;
use crate::dynamic::flatten::{At, Leaves};
use crate::dynamic::rule::Rule;
use crate::dynamic::trail::Laid;
use crate::encode::encoder::Encode;
use crate::format::heading::{self, Entry, HeadSpec};
use crate::format::value::Value;

/// A handle to an object of some model that can be taken for a tree: it says of one level what it is.
///
/// This is `jax.tree_util.register_pytree_node` for values that are not Rust types of yours: a JSON value, a node of a
/// scripting language, a row of a table. The handle is `Copy`, mostly a reference in a newtype. [`&Node`](crate::Node)
/// and [`View`](crate::View) are objects; the methods of [`Flatten`](crate::dynamic::Flatten) work on every object.
///
/// # Examples
///
/// ```
/// use serde_json::Value;
/// use treedef::dynamic::{Flatten, Open};
/// use treedef::{Error, Object};
///
/// #[derive(Clone, Copy)]
/// struct Json<'v>(&'v Value);
///
/// impl<'v> Object for Json<'v> {
///     type Leaf = &'v Value;
///
///     fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
///         match self.0 {
///             Value::Null => open.none(),
///             Value::Array(items) => open.list(items.iter().map(Json)),
///             Value::Object(map) => open.dict(map.iter().map(|(key, value)| (key.as_str(), Json(value)))),
///             leaf => open.leaf(leaf),
///         }
///     }
/// }
///
/// let json = serde_json::json!({"w": [1, 2], "b": null});
/// let (mut bytes, mut leaves) = ([0; 32], [&Value::Null; 2]);
/// let (def, count) = Flatten::new().flatten_into(Json(&json), &mut bytes, &mut leaves)?;
/// assert_eq!(def.as_bytes(), [0x62, 4, 1, b'b', 1, b'w', 0xC0, 0x42, 0x01]);
/// assert_eq!((count, leaves), (2, [&1.into(), &2.into()]));
/// # Ok::<(), Error>(())
/// ```
pub trait Object: Copy {
    /// What a leaf is, mostly a reference to it.
    type Leaf;

    /// Calls the one method of `open` that says what this object is, and returns what it returns.
    ///
    /// # Errors
    ///
    /// Those of `open`, and what the model finds wrong with the object.
    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error>;

    /// The leaf, if this is one and shows it before it is opened.
    #[doc(hidden)]
    #[inline]
    fn __as_leaf(self) -> Option<Self::Leaf> {
        None
    }

    /// Goes over the object in a walk, with `levels` that may still be entered; `false` where something went wrong,
    /// which the walk keeps.
    #[doc(hidden)]
    #[inline]
    fn __walk<E, R, K, T>(self, at: At<'_, '_, E, R, K, T>, levels: u32) -> bool
    where
        E: Encode,
        R: Rule<Self>,
        K: Leaves<R::Item>,
        T: Laid,
    {
        at.open(self, levels)
    }

    /// Whether this is a node of the same structure as its sibling `before`. `seen` gets each leaf on the way and, with
    /// `None`, each node that is none; what it got counts for nothing if the two differ.
    ///
    /// A model that has no quick way to find out says that it does not know.
    #[doc(hidden)]
    #[inline]
    fn __repeats<S>(
        self,
        _before: Self,
        _state: &mut S,
        _seen: impl Fn(&mut S, Self, Option<Self::Leaf>) + Copy,
    ) -> bool {
        false
    }
}

/// Receives what an [`Object`] says of itself.
pub trait Open<O: Object>: Sized {
    /// What is made of it.
    type Output;

    /// The object is a leaf.
    ///
    /// # Errors
    ///
    /// As the receiver has them, here and below.
    fn leaf(self, leaf: O::Leaf) -> Result<Self::Output, Error>;

    /// The object is `None`.
    ///
    /// # Errors
    ///
    /// As the receiver has them.
    fn none(self) -> Result<Self::Output, Error>;

    /// The object has this head and these children, in the order of the head's keys.
    ///
    /// # Errors
    ///
    /// As the receiver has them; those that write or compare a structure have [`Error::Arity`] and what is wrong with
    /// the keys.
    fn node<H: HeadSpec + Entry>(
        self,
        heading: &H,
        children: impl IntoIterator<Item = O>,
    ) -> Result<Self::Output, Error>;

    /// The object is a dictionary with these entries, in any order.
    ///
    /// Entries that come in the order of their keys, as those of a `BTreeMap` do, are passed on. Others are sorted on
    /// the stack, at most [`MAX_UNSORTED_KEYS`] of them: 2 kB that are free again before the children are visited, then
    /// 64 bytes, and a step over the entries for each child.
    ///
    /// # Errors
    ///
    /// [`Error::TooManyKeys`]; [`Error::DuplicateKey`], [`Error::Unordered`] with indices into `entries`, for
    /// [`Error::explain_keys`], also where only the leaves are asked for, whose order is that of the keys;
    /// [`Error::ValueTooDeep`].
    fn dict<'k, K, I>(self, entries: I) -> Result<Self::Output, Error>
    where
        K: Into<Value<'k>> + 'k,
        I: IntoIterator<Item = (K, O), IntoIter: ExactSizeIterator + Clone>;

    /// The object is a tuple.
    ///
    /// # Errors
    ///
    /// As [`Open::node`].
    #[inline]
    fn tuple<I>(self, children: I) -> Result<Self::Output, Error>
    where
        I: IntoIterator<Item = O, IntoIter: ExactSizeIterator>,
    {
        let children = children.into_iter();
        self.node(&heading::Tuple(children.len()), children)
    }

    /// The object is a list.
    ///
    /// # Errors
    ///
    /// As [`Open::node`].
    #[inline]
    fn list<I>(self, children: I) -> Result<Self::Output, Error>
    where
        I: IntoIterator<Item = O, IntoIter: ExactSizeIterator>,
    {
        let children = children.into_iter();
        self.node(&heading::List(children.len()), children)
    }

    /// The object is Rust's `Some` around a child that can itself be `None`.
    ///
    /// # Errors
    ///
    /// As [`Open::node`].
    #[inline]
    fn some(self, child: O) -> Result<Self::Output, Error> {
        self.node(&heading::Some, [child])
    }
}

/// The entries that [`Open::dict`] can sort.
pub const MAX_UNSORTED_KEYS: usize = 64;
