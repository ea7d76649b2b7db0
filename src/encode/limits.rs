//! Bounds the sizes of all values of a type, at compile time.

use crate::encode::writer::Writer;
use crate::format::heading::{self, count_len};
use crate::format::value::Value;

/// The largest sizes that any value of a type can have; `None` where there is no bound.
///
/// [`max_leaves`](crate::tree::max_leaves), [`max_bytes`](crate::tree::max_bytes) and
/// [`max_path_len`](crate::tree::max_path_len) return one of them as a number, for the lengths of buffers.
///
/// Types with bounds are leaves, arrays, tuples, `Option`, the vectors of `heapless`, and structs and enums of these. A
/// map of `heapless` bounds only its leaves, because its keys can be of any length. `Vec`, slices and maps of the standard
/// library have no bounds. A pointer such as `Box` bounds leaves and bytes if it points to a type of constant structure; it
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
pub(super) const fn index_len(index: usize) -> usize {
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
    pub(super) const fn node(bytes: Option<usize>) -> Self {
        Self { leaves: Some(0), bytes, path_len: Some(0) }
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
        let mut head = Writer::count();
        let bytes = match meta {
            Some(meta) if head.begin_struct_with(name, fields, meta).is_open() => Some(head.len()),
            _ => None,
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
    pub(super) const fn and(self, child: Self, entry: usize, count: usize) -> Self {
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
