//! The largest sizes of a type's values, and of lists of them.

use crate::encode::limits::{Limits, index_len};
use crate::encode::structure::Structure;
use crate::format::heading::count_len;
use crate::format::varint;

impl Limits {
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
/// use treedef::for_each_with_path;
/// use treedef::tree::max_path_len;
///
/// type Gains = [(f32, [f32; 12]); 3];
/// assert_eq!(max_path_len::<Gains>(), "[2][1][11]".len());
///
/// let mut longest = heapless::String::<{ max_path_len::<Gains>() }>::new();
/// for_each_with_path(&Gains::default(), |path, _| {
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
