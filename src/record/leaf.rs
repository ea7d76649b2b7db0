//! The set of leaf types that records hold, and what a program says of its own.

use crate::base::bytes::equal_words;
use crate::base::message::Message;
use crate::encode::schema::Schema;
use crate::encode::structure::HasSchema;
use crate::record::bytes::{RecordWriter, save_bytes, take_bytes};
use crate::tree::leaf_form::LeafForm;

/// A leaf type of the program, in records: as a byte string.
///
/// Leaf types of this crate need no implementation.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use treedef::record::{RecordLeaf, load, record_bytes_with, save_into};
///
/// #[derive(treedef::Leaf, Debug, PartialEq)]
/// #[tree(name = "app::Date")]
/// struct Date { year: u16, day: u16 }
///
/// impl RecordLeaf for Date {
///     const NAME: &'static str = "app::Date";
///     const MAX_LEN: usize = 4;
///
///     fn with_bytes<R>(&self, give: impl FnOnce(&[u8]) -> R) -> R {
///         let ([a, b], [c, d]) = (self.year.to_le_bytes(), self.day.to_le_bytes());
///         give(&[a, b, c, d])
///     }
///
///     fn from_bytes(bytes: &[u8]) -> Option<Self> {
///         let [a, b, c, d] = bytes.try_into().ok()?;
///         let day = u16::from_le_bytes([c, d]);
///         (day <= 366).then_some(Date { year: u16::from_le_bytes([a, b]), day })
///     }
/// }
///
/// let mut bytes = [0; record_bytes_with::<Option<Date>, (Date,)>()];
/// let len = save_into(&Some(Date { year: 2026, day: 333 }), &mut bytes)?;
/// assert_eq!(load(&bytes[..len]), Ok(Some(Date { year: 2026, day: 333 })));
/// # }
/// # Ok::<(), treedef::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "a leaf `{Self}` cannot be stored in a record",
    note = "implement `treedef::record::RecordLeaf` for a leaf type of your own; wrap a type of another crate in one"
)]
pub trait RecordLeaf: HasSchema + Sized {
    /// The name of the leaf type in its [`SCHEMA`](HasSchema::SCHEMA), which the compiler checks. So a type that is renamed does not
    /// compile, where its records would be those of another type.
    ///
    /// # Examples
    ///
    /// ```compile_fail
    /// use treedef::record::{RecordLeaf, save_into};
    ///
    /// #[derive(treedef::Leaf)]
    /// #[tree(name = "app::Date")]
    /// struct Date(u8);
    ///
    /// impl RecordLeaf for Date {
    ///     const NAME: &'static str = "app::Day";
    ///     fn with_bytes<R>(&self, give: impl FnOnce(&[u8]) -> R) -> R { give(&[self.0]) }
    ///     fn from_bytes(bytes: &[u8]) -> Option<Self> { bytes.first().map(|day| Date(*day)) }
    /// }
    ///
    /// let _ = save_into(&Date(1), &mut [0; 16]);
    /// ```
    const NAME: &'static str;

    /// The largest number of bytes of a leaf, for [`record_bytes_with`](crate::record::record_bytes_with); [`usize::MAX`] if there is none.
    const MAX_LEN: usize = usize::MAX;

    /// Passes the bytes of the leaf to `give`. [`RecordLeaf`] has an example.
    fn with_bytes<R>(&self, give: impl FnOnce(&[u8]) -> R) -> R;

    /// The leaf with these bytes; `None` if no leaf has them. [`RecordLeaf`] has an example.
    fn from_bytes(bytes: &[u8]) -> Option<Self>;
}

/// The set of all leaf types that can be stored in a record.
///
/// # Examples
///
/// ```
/// use treedef::Error;
/// use treedef::record::{RecordLeaves, save_into};
/// use treedef::tree::TreeWalk;
///
/// /// The number of bytes of a record.
/// fn len<T: TreeWalk<RecordLeaves>>(tree: &T) -> usize {
///     match save_into(tree, &mut []) {
///         Err(Error::BufferFull { needed, .. }) => needed,
///         _ => 0,
///     }
/// }
///
/// assert_eq!(len(&(1.0f32, true)), 15);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RecordLeaves;

/// A leaf that has bytes in records, or in frames. Its implementation for leaf types of the program is that of [`RecordLeaf`].
pub trait StoredLeaf<K = RecordLeaves> {
    /// Writes the bytes of the leaf.
    fn save(&self, out: &mut RecordWriter<'_>);

    /// Reads a leaf from the front.
    fn load(bytes: &mut &[u8]) -> Option<Self>
    where
        Self: Sized;
}

/// A set of leaves that have bytes. They are written and read in their tree, so that out of it a leaf is nothing.
macro_rules! set {
    ($set:ty) => {
        $crate::tree::leaf_trait::leaf_trait! { @impl $set, $crate::record::leaf::StoredLeaf<$set> {
            // In line, as `by_ref`.
            #[inline(always)]
            fn stored(bytes: &mut &[u8]) -> Option<Leaf__> {
                Leaf__::load(bytes)
            }
        } }
    };
}
set! { RecordLeaves }
pub(super) use set;

impl<T: RecordLeaf> StoredLeaf for T {
    fn save(&self, out: &mut RecordWriter<'_>) {
        const { check_name::<T>() };
        self.with_bytes(|bytes| save_bytes(bytes, out));
    }

    fn load(bytes: &mut &[u8]) -> Option<T> {
        const { check_name::<T>() };
        T::from_bytes(take_bytes(bytes)?)
    }
}

/// Leaf types of the program, as a tuple.
pub trait RecordLeafList {
    /// Their names, and the largest numbers of their bytes.
    const SIZES: &'static [(&'static str, usize)];
}

macro_rules! lists {
    ($(($($leaf:ident)*))*) => {$(
        impl<$($leaf: RecordLeaf),*> RecordLeafList for ($($leaf,)*) {
            const SIZES: &'static [(&'static str, usize)] = &[$({
                check_name::<$leaf>();
                ($leaf::NAME, $leaf::MAX_LEN)
            }),*];
        }
    )*};
}
lists! { () (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H) }

/// Checks at compile time that a leaf type has the name in its schema that its records have.
#[expect(clippy::panic, reason = "it is called at compile time")]
const fn check_name<T: RecordLeaf>() {
    // A record would not be read as it was written.
    if !matches!(LeafForm::of(T::NAME.as_bytes()), LeafForm::Run) {
        let parts = [
            "`",
            T::NAME,
            "` is the name of a leaf type of this crate: give `RecordLeaf` another one, by `#[tree(name = \"..\")]`",
        ];
        panic!("{}", Message::new(&parts).as_str())
    }
    match T::SCHEMA {
        Schema::Leaf(name, ..) if equal_words(name.as_bytes(), T::NAME.as_bytes()) => {}
        Schema::Leaf(name, ..) => {
            let parts = [
                "`NAME` of `RecordLeaf` is `",
                T::NAME,
                "`, and the schema of the leaf type says `",
                name,
                "`",
            ];
            panic!("{}", Message::new(&parts).as_str())
        }
        _ => panic!("`RecordLeaf` is implemented for a type that is no leaf"),
    }
}
