//! Defines the trait that an object model implements: it says what an object is and what its children are.

use crate::base::error::Error;
use crate::format::heading::{self, Entry, HeadSpec};
use crate::format::value::Value;

/// A handle to an object of some data model that can be read as a tree. It describes one level: what the object is and
/// what its children are.
///
/// Implementing it is what `jax.tree_util.register_pytree_node` does, for values that are not types of your own: a JSON
/// value, a value of a scripting language, a row of a table. The handle is `Copy`, usually a reference in a newtype.
/// [`&Node`](crate::Node) and [`View`](crate::View) are objects. The methods of [`Flatten`](crate::dynamic::Flatten)
/// work on every object.
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
#[doc(alias = "register_pytree_node")]
pub trait Object: Copy {
    /// The type of a leaf, usually a reference.
    type Leaf;

    /// Calls the method of `open` for the kind of this object, and returns its result.
    ///
    /// A walk can open an object several times, because it compares siblings before it writes them. So this should be cheap,
    /// and describe the same each time.
    ///
    /// # Errors
    ///
    /// The errors of `open`. A model that fails by itself, such as a value that cannot be read, returns
    /// [`Error::Unsupported`] and keeps its own error.
    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error>;

    /// Returns the leaf, if the object is one.
    ///
    /// A walk calls this for each child, and opens only those that it returns `None` for. So leaves need no call, and a
    /// flat list costs little more than its leaves. The default opens the object, asks for nothing but a leaf, and
    /// ignores errors: opening the object again returns them.
    ///
    /// An object that does work before it calls a method of [`Open`], such as reading all its keys, should override
    /// this. `None` is always correct.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::Open;
    /// use treedef::{Error, Object};
    ///
    /// #[derive(Clone, Copy)]
    /// enum Cell<'c> {
    ///     Number(f32),
    ///     Row(&'c [f32]),
    /// }
    ///
    /// impl Object for Cell<'_> {
    ///     type Leaf = f32;
    ///
    ///     fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
    ///         match self {
    ///             Cell::Number(number) => open.leaf(number),
    ///             Cell::Row(row) => open.list(row.iter().map(|number| Cell::Number(*number))),
    ///         }
    ///     }
    /// }
    ///
    /// assert_eq!(Cell::Number(2.0).as_leaf(), Some(2.0));
    /// assert_eq!(Cell::Row(&[1.0]).as_leaf(), None);
    /// ```
    #[inline]
    fn as_leaf(self) -> Option<Self::Leaf> {
        match self.open(ByKind) {
            Ok(Opened::Leaf(leaf)) => Some(leaf),
            _ => None,
        }
    }

    /// Whether this has the same structure as its sibling `before`, which was already walked; `None` if they have to be
    /// opened to know. Calls `seen` with each leaf, and with `None` for each other node, up to the first difference.
    ///
    /// Siblings of one structure are written once, with their number. An object that is expensive to open, and so to compare,
    /// returns `Some(false)`, which is always correct. The default is `None`.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::Open;
    /// use treedef::{Error, Object};
    ///
    /// #[derive(Clone, Copy)]
    /// struct Row<'r>(&'r [f32]);
    ///
    /// impl<'r> Object for Row<'r> {
    ///     type Leaf = &'r [f32];
    ///
    ///     fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
    ///         open.leaf(self.0)
    ///     }
    ///
    ///     fn is_like(self, _: Self, _: &mut impl FnMut(Self, Option<&'r [f32]>)) -> Option<bool> {
    ///         Some(false)
    ///     }
    /// }
    ///
    /// assert_eq!(Row(&[1.0]).is_like(Row(&[2.0]), &mut |_, _| ()), Some(false));
    /// ```
    #[inline]
    fn is_like(
        self,
        _before: Self,
        _seen: &mut impl FnMut(Self, Option<Self::Leaf>),
    ) -> Option<bool> {
        None
    }
}

/// Receives the description of an [`Object`].
///
/// # Examples
///
/// ```
/// use treedef::dynamic::Open;
/// use treedef::head::{Entry, HeadSpec};
/// use treedef::{Error, Object, Value, tree};
///
/// /// Counts the children of an object.
/// struct CountChildren;
///
/// impl<O: Object> Open<O> for CountChildren {
///     type Output = usize;
///
///     fn leaf(self, _: O::Leaf) -> Result<usize, Error> {
///         Ok(0)
///     }
///
///     fn none(self) -> Result<usize, Error> {
///         Ok(0)
///     }
///
///     fn node<H: HeadSpec + Entry>(self, _: &H, children: impl IntoIterator<Item = O>) -> Result<usize, Error> {
///         Ok(children.into_iter().count())
///     }
///
///     fn dict<'k, K, I>(self, entries: I) -> Result<usize, Error>
///     where
///         K: Into<Value<'k>> + 'k,
///         I: IntoIterator<Item = (K, O), IntoIter: ExactSizeIterator + Clone>,
///     {
///         Ok(entries.into_iter().len())
///     }
/// }
///
/// assert_eq!((&tree!([1, (2, 3)])).open(CountChildren), Ok(2));
/// ```
pub trait Open<O: Object>: Sized {
    /// The result of a description.
    type Output;

    /// The object is a leaf.
    ///
    /// # Errors
    ///
    /// The errors of the receiver.
    fn leaf(self, leaf: O::Leaf) -> Result<Self::Output, Error>;

    /// The object is `None`.
    ///
    /// # Errors
    ///
    /// The errors of the receiver.
    fn none(self) -> Result<Self::Output, Error>;

    /// The object has this head and these children, in the order of the head's keys.
    ///
    /// # Errors
    ///
    /// The errors of the receiver. A receiver that writes or compares a structure returns [`Error::Arity`] and the errors of
    /// keys.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::{Flatten, Open};
    /// use treedef::{Error, Object, head};
    ///
    /// #[derive(Clone, Copy)]
    /// enum Complex {
    ///     Number(f32, f32),
    ///     Part(f32),
    /// }
    ///
    /// impl Object for Complex {
    ///     type Leaf = f32;
    ///
    ///     fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
    ///         let head = head::NamedTuple { name: "Complex", fields: &["re", "im"] };
    ///         match self {
    ///             Complex::Number(re, im) => open.node(&head, [re, im].map(Complex::Part)),
    ///             Complex::Part(part) => open.leaf(part),
    ///         }
    ///     }
    /// }
    ///
    /// let mut bytes = [0; 32];
    /// let def = Flatten::new().structure_into(Complex::Number(1.0, 2.0), &mut bytes)?;
    /// assert_eq!(def.path(1).map(|path| path.to_string()).as_deref(), Some(".im"));
    /// # Ok::<(), Error>(())
    /// ```
    fn node<H: HeadSpec + Entry>(
        self,
        spec: &H,
        children: impl IntoIterator<Item = O>,
    ) -> Result<Self::Output, Error>;

    /// The object is a dictionary with these entries, in any order.
    ///
    /// Entries in the order of their keys, such as those of a `BTreeMap`, are used as they are. Other entries are
    /// sorted on the stack, at most [`MAX_UNSORTED_KEYS`](crate::dynamic::MAX_UNSORTED_KEYS) of them. Sorting takes 2 kB of stack; while the children are
    /// visited 64 bytes remain, and each child takes one pass over the entries.
    ///
    /// With the feature `alloc`, more entries are sorted in one list on the heap, which is freed after the children are
    /// visited. Without it, they are an error.
    ///
    /// # Errors
    ///
    /// [`Error::TooManyKeys`], with `alloc` only if the heap has no room; [`Error::DuplicateKey`] and [`Error::Unordered`] with indices into `entries`, for
    /// [`Error::explain_keys`]; [`Error::ValueTooDeep`]. Operations on leaves alone return these errors too, since the
    /// keys decide the order of the leaves.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::{Flatten, Open};
    /// use treedef::{Error, Object, treedef};
    ///
    /// #[derive(Clone, Copy)]
    /// enum Gains {
    ///     All,
    ///     One(f32),
    /// }
    ///
    /// impl Object for Gains {
    ///     type Leaf = f32;
    ///
    ///     fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
    ///         match self {
    ///             Gains::All => open.dict([("kp", Gains::One(2.0)), ("kd", Gains::One(0.5))]),
    ///             Gains::One(gain) => open.leaf(gain),
    ///         }
    ///     }
    /// }
    ///
    /// let (mut bytes, mut leaves) = ([0; 16], [0.0; 2]);
    /// let (def, _) = Flatten::new().flatten_into(Gains::All, &mut bytes, &mut leaves)?;
    /// assert_eq!((def, leaves), (treedef!({"kd": *, "kp": *}), [0.5, 2.0]));
    /// # Ok::<(), Error>(())
    /// ```
    fn dict<'k, K, I>(self, entries: I) -> Result<Self::Output, Error>
    where
        K: Into<Value<'k>> + 'k,
        I: IntoIterator<Item = (K, O), IntoIter: ExactSizeIterator + Clone>;

    /// The object is a tuple.
    ///
    /// # Errors
    ///
    /// As [`Open::node`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::{Flatten, Open};
    /// use treedef::{Error, Object, treedef};
    ///
    /// #[derive(Clone, Copy)]
    /// enum Complex {
    ///     Number(f32, f32),
    ///     Part(f32),
    /// }
    ///
    /// impl Object for Complex {
    ///     type Leaf = f32;
    ///
    ///     fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
    ///         match self {
    ///             Complex::Number(re, im) => open.tuple([re, im].map(Complex::Part)),
    ///             Complex::Part(part) => open.leaf(part),
    ///         }
    ///     }
    /// }
    ///
    /// assert_eq!(Flatten::new().matches(Complex::Number(1.0, 2.0), treedef!((*, *))), Ok(()));
    /// ```
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
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::{Flatten, Open};
    /// use treedef::{Error, Object};
    ///
    /// /// A setting that is not stored, stored as nothing, or stored as a number.
    /// #[derive(Clone, Copy)]
    /// struct Setting(Option<Option<f32>>);
    ///
    /// impl Object for Setting {
    ///     type Leaf = f32;
    ///
    ///     fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
    ///         match self.0 {
    ///             None => open.none(),
    ///             Some(None) => open.some(Setting(None)),
    ///             Some(Some(number)) => open.leaf(number),
    ///         }
    ///     }
    /// }
    ///
    /// let mut bytes = [[0; 4]; 2];
    /// let [missing, nothing] = &mut bytes;
    /// assert_ne!(
    ///     Flatten::new().structure_into(Setting(None), missing)?,
    ///     Flatten::new().structure_into(Setting(Some(None)), nothing)?,
    /// );
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    fn some(self, child: O) -> Result<Self::Output, Error> {
        self.node(&heading::Some, [child])
    }
}

/// What an object is, without its children.
pub(super) enum Opened<L> {
    Leaf(L),
    None,
    Node,
}

/// Receives an object without its children.
pub(super) struct ByKind;

impl<O: Object> Open<O> for ByKind {
    type Output = Opened<O::Leaf>;

    #[inline]
    fn leaf(self, leaf: O::Leaf) -> Result<Opened<O::Leaf>, Error> {
        Ok(Opened::Leaf(leaf))
    }

    #[inline]
    fn none(self) -> Result<Opened<O::Leaf>, Error> {
        Ok(Opened::None)
    }

    #[inline]
    fn node<H: HeadSpec + Entry>(
        self,
        _: &H,
        _: impl IntoIterator<Item = O>,
    ) -> Result<Opened<O::Leaf>, Error> {
        Ok(Opened::Node)
    }

    #[inline]
    fn dict<'k, K, I>(self, _: I) -> Result<Opened<O::Leaf>, Error>
    where
        K: Into<Value<'k>> + 'k,
        I: IntoIterator<Item = (K, O), IntoIter: ExactSizeIterator + Clone>,
    {
        Ok(Opened::Node)
    }
}
