//! Bounds the sizes of all values of a type, at compile time.

use crate::encode::arithmetic::{meta_len, strings_len};
use crate::encode::structure::Structure;
use crate::format::heading::{self, count_len};
use crate::format::value::Value;
use crate::format::varint;

/// The largest sizes that any value of a type can have; `None` where there is no bound.
///
/// [`max_leaves`], [`max_bytes`] and [`max_path_len`] return one of them as a number, for the lengths of buffers.
///
/// Types with bounds are leaves, arrays, tuples, `Option`, the vectors of `heapless`, and structs and enums of these. A
/// map of `heapless` bounds only its leaves, because its keys can be of any length. `Vec`, slices and maps of the standard
/// library have no bounds. A pointer such as `Box` bounds leaves and bytes if it points to a type of fixed structure; it
/// cannot pass on other bounds, because the type can contain itself. A struct with a meta field whose value is not a
/// constant has no bound for its bytes.
///
/// # Examples
///
/// A container of at most four trees:
///
/// ```
/// use treedef::container::Limits;
/// use treedef::tree::{Structure, max_leaves};
/// use treedef::{Writer, head};
///
/// struct UpToFour<T>([Option<T>; 4]);
///
/// impl<T: Structure> Structure for UpToFour<T> {
///     const LIMITS: Limits = Limits::list::<T>(4);
///
///     fn describe(&self, out: &mut Writer<'_>) {
///         let trees = self.0.iter().flatten();
///         out.node(&head::List(trees.clone().count()), |out| trees.for_each(|tree| tree.describe(out)));
///     }
/// }
///
/// assert_eq!(max_leaves::<UpToFour<(f32, f32)>>(), 8);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The number of leaves.
    pub leaves: Option<usize>,
    /// The number of bytes of the treedef.
    pub bytes: Option<usize>,
    /// The number of bytes of the text of a path, as [`KeyPath::keystr`](crate::KeyPath::keystr) writes it.
    pub path_len: Option<usize>,
}

/// Calls a checked operation for two bounds.
macro_rules! both {
    ($one:expr, $other:expr, $operation:ident) => {
        match ($one, $other) {
            (Some(one), Some(other)) => usize::$operation(one, other),
            _ => None,
        }
    };
}

/// The larger one of two bounds.
const fn larger(one: Option<usize>, other: Option<usize>) -> Option<usize> {
    match (one, other) {
        (Some(one), Some(other)) => Some(if one < other { other } else { one }),
        _ => None,
    }
}

/// The number of bytes of `[index]`.
const fn index_len(index: usize) -> usize {
    match index.checked_ilog10() {
        Some(digits) => (digits as usize).saturating_add(3),
        None => 3,
    }
}

impl Limits {
    /// No bounds.
    pub const NONE: Self = Self { leaves: None, bytes: None, path_len: None };

    /// The sizes of a leaf.
    pub const LEAF: Self = Self { leaves: Some(1), bytes: Some(1), path_len: Some(0) };

    /// A node without children, whose head has this number of bytes.
    const fn node(bytes: Option<usize>) -> Self {
        Self { leaves: Some(0), bytes, path_len: Some(0) }
    }

    /// The bounds of `T`; the bytes are exact if `T` has a constant treedef.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::container::Limits;
    ///
    /// assert_eq!(Limits::of::<Option<[f32; 3]>>().leaves, Some(3));
    /// ```
    #[must_use]
    pub const fn of<T: Structure + ?Sized>() -> Self {
        match T::TREEDEF {
            Some(def) => Self { bytes: Some(def.as_bytes().len()), ..T::LIMITS },
            None => T::LIMITS,
        }
    }

    /// The bounds of a list of at most `max` elements of type `T`; `usize::MAX` is no bound.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::container::Limits;
    ///
    /// let limits = Limits::list::<f32>(10);
    /// assert_eq!((limits.leaves, limits.path_len), (Some(10), Some("[9]".len())));
    /// ```
    #[must_use]
    pub const fn list<T: Structure>(max: usize) -> Self {
        if max == usize::MAX {
            // The bounds of `T` are not read, because they can depend on those of a list of `T`.
            return Self::NONE;
        }
        let each = Self::of::<T>();
        let bounds =
            Self::node(Some(count_len(max))).and(each, index_len(max.saturating_sub(1)), max);
        match (T::TREEDEF, max.checked_sub(2)) {
            // Equal elements are one and a repeat, which has a count and the leaves of the element.
            (Some(def), Some(copies)) if def.num_leaves() > 0 => {
                let repeat = count_len(copies).saturating_add(varint::len(def.num_leaves() as u64));
                let repeated =
                    count_len(max).saturating_add(def.as_bytes().len()).saturating_add(repeat);
                match bounds.bytes {
                    Some(bytes) if bytes <= repeated => bounds,
                    _ => Self { bytes: Some(repeated), ..bounds },
                }
            }
            _ => bounds,
        }
    }

    /// The bounds of a tuple of such elements.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::container::Limits;
    ///
    /// assert_eq!(Limits::tuple([Limits::LEAF, Limits::list::<f32>(4)]).leaves, Some(5));
    /// ```
    #[must_use]
    pub const fn tuple<const N: usize>(elements: [Self; N]) -> Self {
        let mut bounds = Self::node(Some(count_len(elements.len())));
        let (mut rest, mut index) = (elements.as_slice(), 0usize);
        while let [first, after @ ..] = rest {
            bounds = bounds.and(*first, index_len(index), 1);
            (rest, index) = (after, index.saturating_add(1));
        }
        bounds
    }

    /// The bounds of a struct with these fields, whose trees have the bounds `children`. `meta` are its meta fields;
    /// `None` if their values are not constants.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::container::Limits;
    ///
    /// let limits = Limits::fields("Pid", &["gain", "rate"], [Limits::LEAF; 2], Some(&[]));
    /// assert_eq!((limits.leaves, limits.path_len), (Some(2), Some(".gain".len())));
    /// ```
    #[must_use]
    pub const fn fields<const N: usize>(
        name: &str,
        fields: &[&str],
        children: [Self; N],
        meta: Option<&[(&str, Value<'_>)]>,
    ) -> Self {
        let meta = match meta {
            Some(meta) => meta_len(meta),
            None => None,
        };
        let bytes = match meta {
            Some(meta) => {
                let names = strings_len(&[name]).saturating_add(strings_len(fields));
                let block = names.saturating_add(meta);
                let head = count_len(fields.len()).saturating_add(varint::len(block as u64));
                Some(head.saturating_add(block))
            }
            None => None,
        };
        let mut bounds = Self::node(bytes);
        let (mut names, mut rest) = (fields, children.as_slice());
        while let ([name, others @ ..], [child, after @ ..]) = (names, rest) {
            bounds = bounds.and(*child, name.len().saturating_add(1), 1);
            (names, rest) = (others, after);
        }
        bounds
    }

    /// The bounds of an [`Option`] whose `Some` is a node: around a tree that can be `None` itself.
    pub(crate) const fn some(inner: Self) -> Self {
        Self::node(Some(heading::Some::BYTES.len())).and(inner, 0, 1)
    }

    /// The bounds of a value that is one of several.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::container::Limits;
    ///
    /// assert_eq!(Limits::one_of([Limits::LEAF, Limits::list::<f32>(4)]).leaves, Some(4));
    /// ```
    #[must_use]
    pub const fn one_of<const N: usize>(variants: [Self; N]) -> Self {
        let mut bounds = Self::node(Some(1));
        let mut rest = variants.as_slice();
        while let [first, after @ ..] = rest {
            bounds = Self {
                leaves: larger(bounds.leaves, first.leaves),
                bytes: larger(bounds.bytes, first.bytes),
                path_len: larger(bounds.path_len, first.path_len),
            };
            rest = after;
        }
        bounds
    }

    /// Adds `count` children, below entries of at most `entry` bytes.
    const fn and(self, child: Self, entry: usize, count: usize) -> Self {
        if count == 0 {
            return self;
        }
        let count = Some(count);
        Self {
            leaves: both!(self.leaves, both!(child.leaves, count, checked_mul), checked_add),
            bytes: both!(self.bytes, both!(child.bytes, count, checked_mul), checked_add),
            path_len: larger(self.path_len, both!(child.path_len, Some(entry), checked_add)),
        }
    }
}

/// The largest number of leaves that a value of type `T` can have.
///
/// A type without a bound does not compile; [`Limits`] lists those that have one.
///
/// # Examples
///
/// ```
/// use treedef::leaves_into;
/// use treedef::tree::max_leaves;
///
/// type Samples = heapless::Vec<(f32, Option<f32>), 8>;
/// let mut leaves = [0.0f32; max_leaves::<Samples>()];
/// assert_eq!(leaves.len(), 16);
///
/// let samples = Samples::from_slice(&[(1.0, None), (2.0, Some(3.0))]).unwrap();
/// assert_eq!(leaves_into(&samples, &mut leaves), Ok(3));
/// ```
#[must_use]
pub const fn max_leaves<T: Structure>() -> usize {
    const {
        match T::LIMITS.leaves {
            Some(leaves) => leaves,
            None => panic!(
                "the number of leaves of this type has no bound: it holds a `Vec`, a map or a pointer"
            ),
        }
    }
}

/// A number of bytes that is enough for the treedef of every value of type `T`.
///
/// A type without a bound does not compile; [`Limits`] lists those that have one. For one value
/// [`structure_bound`](crate::encode::structure_bound) gives no more than that.
///
/// # Examples
///
/// ```
/// use treedef::structure_into;
/// use treedef::tree::max_bytes;
///
/// type Samples = heapless::Vec<(f32, Option<f32>), 8>;
/// let mut bytes = [0; max_bytes::<Samples>()];
/// assert_eq!(bytes.len(), 25);
///
/// let samples = Samples::from_slice(&[(1.0, None), (2.0, Some(3.0))]).unwrap();
/// assert_eq!(structure_into(&samples, &mut bytes)?.to_string(), "PyTreeDef([(*, None), (*, *)])");
/// # Ok::<(), treedef::Error>(())
/// ```
#[must_use]
pub const fn max_bytes<T: Structure>() -> usize {
    const {
        match Limits::of::<T>().bytes {
            Some(bytes) => bytes,
            None => panic!(
                "the treedefs of this type have no bound: it holds a `Vec`, a map, a pointer, or a meta field that is not a \
                 constant"
            ),
        }
    }
}

/// The largest number of bytes of the text of a path in a value of type `T`, as
/// [`KeyPath::keystr`](crate::KeyPath::keystr) writes it.
///
/// A type without a bound does not compile; [`Limits`] lists those that have one.
///
/// # Examples
///
/// ```
/// use core::fmt::Write;
/// use treedef::tree::max_path_len;
/// use treedef::{for_each_with_path, treedef_of};
///
/// type Gains = [(f32, [f32; 12]); 3];
/// assert_eq!(max_path_len::<Gains>(), "[2][1][11]".len());
///
/// let mut longest = heapless::String::<{ max_path_len::<Gains>() }>::new();
/// for_each_with_path(&Gains::default(), treedef_of::<Gains>(), |path, _| {
///     longest.clear();
///     write!(longest, "{}", path.keystr()).unwrap();
/// })?;
/// assert_eq!(longest, "[2][1][11]");
/// # Ok::<(), treedef::Error>(())
/// ```
#[must_use]
pub const fn max_path_len<T: Structure>() -> usize {
    const {
        match T::LIMITS.path_len {
            Some(len) => len,
            None => {
                panic!("the paths of this type have no bound: it holds a `Vec`, a map or a pointer")
            }
        }
    }
}
