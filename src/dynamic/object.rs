//! The one trait of object models: one level, what an object is and what its children are.

use core::iter;

use crate::base::error::Error;
use crate::format::head::Head;
use crate::format::heading::{Entry, Heading, ListOf, SomeOf, TupleOf};
use crate::format::value::Value;

/// A handle to an object of some model that can be taken for a tree: it says of one level what it is.
///
/// This is `jax.tree_util.register_pytree_node` for values that are not Rust types of yours: a JSON value, a node of a
/// scripting language, a row of a table. The handle is `Copy`, mostly a reference in a newtype. [`&Node`](crate::Node)
/// and [`View`](crate::View) are objects; the methods of [`Options`](crate::Options) work on every object.
///
/// # Examples
///
/// ```
/// use serde_json::Value;
/// use treedef::{Error, Object, Open, Options};
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
/// let (def, count) = Options::new().flatten_into(Json(&json), &mut bytes, &mut leaves)?;
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

    /// As [`Object::open`] to what answers with a flag; so many levels may still be entered.
    #[doc(hidden)]
    #[inline]
    fn __tell<S: Steps<Self>>(self, mut steps: S, levels: u32) -> bool {
        let opened = Opened { steps: &mut steps, object: self, levels };
        self.open(opened).unwrap_or_else(|error| steps.fail(error))
    }

    /// Whether this is a node of the same structure as its sibling `before`; what is handed over on the way has to be
    /// taken back if it is not.
    ///
    /// A model that has no quick way to see it says that it does not know.
    #[doc(hidden)]
    #[inline]
    fn __repeats(self, _before: Self, _taker: &mut impl Take<Self>) -> bool {
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
    fn node<H: Heading + Entry>(
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
        self.node(&TupleOf(children.len()), children)
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
        self.node(&ListOf(children.len()), children)
    }

    /// The object is Rust's `Some` around a child that can itself be `None`.
    ///
    /// # Errors
    ///
    /// As [`Open::node`].
    #[inline]
    fn some(self, child: O) -> Result<Self::Output, Error> {
        self.node(&SomeOf, [child])
    }
}

/// As [`Open`], with a flag for an answer: what went wrong is kept by who is told.
#[doc(hidden)]
pub trait Steps<O: Object> {
    fn leaf(&mut self, object: O, leaf: O::Leaf) -> bool;

    /// Whether the object, which is `None`, is taken for a leaf.
    fn takes_none(&mut self, object: O) -> bool;

    /// The children come from the iterator of `first`, and then from those that `more` gives. Where they are `counted`,
    /// they are known to be as many as the heading says.
    fn node<H: Heading + Entry, I: Iterator<Item = O>>(
        &mut self,
        heading: &H,
        first: impl FnOnce() -> I,
        more: impl FnMut() -> Option<I>,
        counted: bool,
        levels: u32,
    ) -> bool;

    fn dict<'k, K, I>(&mut self, entries: I, levels: u32) -> bool
    where
        K: Into<Value<'k>> + 'k,
        I: IntoIterator<Item = (K, O), IntoIter: ExactSizeIterator + Clone>;

    fn fail(&mut self, error: Error) -> bool;
}

/// Receives the leaves of a subtree, and hears of each node that is no leaf.
#[doc(hidden)]
pub trait Take<O: Object> {
    fn take(&mut self, object: O, leaf: O::Leaf);

    fn enter(&mut self);
}

/// [`Steps`] to which a model speaks that knows of no others than [`Open`].
struct Opened<'s, S, O> {
    steps: &'s mut S,
    object: O,
    levels: u32,
}

impl<O: Object, S: Steps<O>> Open<O> for Opened<'_, S, O> {
    type Output = bool;

    #[inline]
    fn leaf(self, leaf: O::Leaf) -> Result<bool, Error> {
        Ok(self.steps.leaf(self.object, leaf))
    }

    #[inline]
    fn none(self) -> Result<bool, Error> {
        let none = || None;
        Ok(self.steps.takes_none(self.object)
            || self.steps.node(&Head::NONE, iter::empty, none, true, LEVELS_OF_NONE))
    }

    #[inline]
    fn node<H: Heading + Entry>(
        self,
        heading: &H,
        children: impl IntoIterator<Item = O>,
    ) -> Result<bool, Error> {
        Ok(self.steps.node(heading, || children.into_iter(), || None, false, self.levels))
    }

    #[inline]
    fn dict<'k, K, I>(self, entries: I) -> Result<bool, Error>
    where
        K: Into<Value<'k>> + 'k,
        I: IntoIterator<Item = (K, O), IntoIter: ExactSizeIterator + Clone>,
    {
        Ok(self.steps.dict(entries, self.levels))
    }
}

/// What a `None` is told that it may enter: one level, its own, so that it never is too deep. Nothing can be inside it.
pub(crate) const LEVELS_OF_NONE: u32 = 1;

/// The entries that [`Open::dict`] can sort.
pub const MAX_UNSORTED_KEYS: usize = 64;
