//! Writes keys of typed trees: the structure and the type of each leaf.
//!
//! [`KeyLeaves`] accepts leaves of every type that implements [`KeyPart`], so one walk reads all of them. The key of
//! `(1.0f32, [2u8, 3])` has four parts: `PyTreeDef((*, [*, *]))`, `float32[]`, `uint8[]`, `uint8[]`.

use core::net::{Ipv4Addr, Ipv6Addr};
use core::num::NonZero;
use core::time::Duration;

use crate::base::dtype::Dtype;
use crate::base::error::Error;
use crate::cache::key::{CallKey, KeyWriter};
use crate::cache::shape_dtype::ShapeDtype;
use crate::tree::leaf::AsLeaf;
use crate::tree::leaf_sink::visit_leaves;
use crate::tree::leaf_trait::leaf_trait;
use crate::tree::structure::ByLeaves;
use crate::tree::walk::TreeWalk;

/// Writes what compiled code needs to know of a leaf: for a tensor its dtype and shape, not its elements.
///
/// # Examples
///
/// ```
/// use treedef::cache::{Dtype, KeyPart, KeyWriter};
///
/// struct Tensor {
///     shape: [usize; 2],
///     data: Vec<f32>,
/// }
///
/// impl KeyPart for Tensor {
///     fn write_key(&self, key: &mut KeyWriter<'_>) {
///         key.array(Dtype::Float32, false, &self.shape);
///     }
/// }
///
/// let tensor = Tensor { shape: [2, 3], data: vec![0.0; 6] };
/// let mut bytes = [0; 16];
/// let mut key = KeyWriter::new(&mut bytes);
/// key.leaves([&tensor]);
/// assert_eq!(key.finish()?.to_string(), "float32[2,3]");
/// # Ok::<(), treedef::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "a leaf `{Self}` cannot be a part of a key",
    label = "`KeyPart` is not implemented",
    note = "numbers, `bool` and `char` implement it; `usize` and `isize` do not, because they differ between machines",
    note = "implement `treedef::cache::KeyPart` for a leaf type of your own; wrap a type of another crate in one"
)]
pub trait KeyPart {
    /// Writes the parts of this leaf. Two leaves that need different code must write different parts. [`KeyPart`] has
    /// an example.
    fn write_key(&self, key: &mut KeyWriter<'_>);
}

impl<T: KeyPart + ?Sized> KeyPart for &T {
    fn write_key(&self, key: &mut KeyWriter<'_>) {
        (**self).write_key(key);
    }
}

/// Writes the array as [`KeyWriter::array`] does.
impl KeyPart for ShapeDtype<'_> {
    #[inline]
    fn write_key(&self, key: &mut KeyWriter<'_>) {
        key.put_array(self);
    }
}

leaf_trait! {
    /// The leaf types of a tree whose leaves implement [`KeyPart`], of any number of types.
    ///
    /// Code that makes keys of any tree uses the bound `T: TreeWalk<KeyLeaves>`; see [`CallKey::of_tree`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::KeyLeaves;
    /// use treedef::tree::TreeWalk;
    /// use treedef::{CallKey, Error};
    ///
    /// fn fingerprint<T: TreeWalk<KeyLeaves>>(tree: &T) -> Result<u64, Error> {
    ///     CallKey::of_tree(tree, &mut [0; 64]).map(|key| key.fingerprint())
    /// }
    ///
    /// assert_ne!(fingerprint(&[1.0f32, 2.0])?, fingerprint(&[1.0f64, 2.0])?);
    /// # Ok::<(), Error>(())
    /// ```
    pub struct KeyLeaves: dyn KeyPart
}

impl KeyWriter<'_> {
    /// Adds the parts of leaves, in order.
    pub fn leaves<S: KeyPart>(&mut self, leaves: impl IntoIterator<Item = S>) -> &mut Self {
        leaves.into_iter().for_each(|leaf| leaf.write_key(self));
        self
    }

    /// Adds the structure of `tree`, as [`KeyWriter::structure`], and the parts of each leaf. In generic code the bound is
    /// `T: TreeWalk<KeyLeaves>`.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::KeyWriter;
    ///
    /// let mut bytes = [0; 32];
    /// let mut key = KeyWriter::new(&mut bytes);
    /// key.tree(&(1.0f32, [2u8, 3])).meta(&true);
    /// let text = "PyTreeDef((*, [*, *])), float32[], uint8[], uint8[], True";
    /// assert_eq!(key.finish()?.to_string(), text);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn tree<T: TreeWalk<KeyLeaves> + ?Sized>(&mut self, tree: &T) -> &mut Self {
        self.structure(&ByLeaves::<KeyLeaves, _>::new(tree)).leaves_of(tree)
    }

    /// Adds the parts of each leaf of `tree`, without its structure.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::KeyWriter;
    /// use treedef::treedef;
    ///
    /// // A structure that is known, and leaves that come from elsewhere.
    /// let mut bytes = [0; 64];
    /// let mut key = KeyWriter::new(&mut bytes);
    /// key.treedef(treedef!((*, *))).leaves_of(&(1.0f32, 2u8));
    /// assert_eq!(key.finish()?.to_string(), "PyTreeDef((*, *)), float32[], uint8[]");
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn leaves_of<T: TreeWalk<KeyLeaves> + ?Sized>(&mut self, tree: &T) -> &mut Self {
        let write = |leaf: &dyn KeyPart| leaf.write_key(self);
        if let Err(error) = visit_leaves::<KeyLeaves, T, _, true>(tree, write).map(drop) {
            self.fail(error);
        }
        self
    }
}

impl<'b> CallKey<'b> {
    /// Writes the key of a typed tree into `bytes`: its structure, and the type of each leaf.
    ///
    /// A treedef does not contain the types of leaves: the treedefs of `[f32; 3]` and `[f64; 3]` are equal, and so are
    /// their keys by [`CallKey::of`]. Use this key if compiled code or stored leaves depend on the types. The values of the
    /// leaves are not in the key. Each leaf adds three bytes; an `i128`, `u128` or `char` adds six. So
    /// [`structure_bound`](crate::encode::structure_bound) and three bytes a leaf are enough for other numbers and `bool`.
    /// Implement [`KeyPart`] for leaf types of your own. `usize` and `isize` differ between machines and have no key: wrap
    /// them in a leaf type.
    ///
    /// # Errors
    ///
    /// As [`KeyWriter::finish`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{CallKey, treedef_of};
    ///
    /// let (mut bytes, mut other) = ([0; 16], [0; 16]);
    /// let floats = CallKey::of_tree(&[1.0f32, 2.0], &mut bytes)?;
    /// let doubles = CallKey::of_tree(&[1.0f64, 2.0], &mut other)?;
    /// assert_ne!(floats, doubles);
    /// assert_eq!(CallKey::of(treedef_of::<[f32; 2]>()), CallKey::of(treedef_of::<[f64; 2]>()));
    /// assert_eq!(floats.to_string(), "PyTreeDef([*, *]), float32[], float32[]");
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn of_tree<T: TreeWalk<KeyLeaves> + ?Sized>(
        tree: &T,
        bytes: &'b mut [u8],
    ) -> Result<Self, Error> {
        let mut key = KeyWriter::new(bytes);
        key.tree(tree);
        key.finish()
    }
}

/// Implements [`KeyPart`] for numbers, as arrays of rank 0.
macro_rules! scalars {
    ($($type:ty: $dtype:ident),*) => {$(
        impl KeyPart for $type {
            #[inline]
            fn write_key(&self, key: &mut KeyWriter<'_>) {
                ShapeDtype::new(Dtype::$dtype, &[]).write_key(key);
            }
        }
    )*};
}
#[cfg(feature = "half")]
pub(crate) use scalars;
scalars!(
    f32: Float32, f64: Float64, i8: Int8, i16: Int16, i32: Int32, i64: Int64, u8: Uint8, u16: Uint16, u32: Uint32,
    u64: Uint64, bool: Bool
);
scalars!(
    NonZero<i8>: Int8, NonZero<i16>: Int16, NonZero<i32>: Int32, NonZero<i64>: Int64, NonZero<u8>: Uint8,
    NonZero<u16>: Uint16, NonZero<u32>: Uint32, NonZero<u64>: Uint64
);

/// Implements [`KeyPart`] for types without a dtype, which write their names.
macro_rules! named {
    ($($type:ty: $name:literal),*) => {$(
        impl KeyPart for $type {
            fn write_key(&self, key: &mut KeyWriter<'_>) {
                key.bytes($name);
            }
        }
    )*};
}
named!(
    i128: b"i128", u128: b"u128", char: b"char", NonZero<i128>: b"i128", NonZero<u128>: b"u128",
    Duration: b"Duration", Ipv4Addr: b"Ipv4Addr", Ipv6Addr: b"Ipv6Addr"
);
#[cfg(feature = "alloc")]
named!(alloc::string::String: b"String");

/// Writes the name of the type and the capacity.
impl<const N: usize> KeyPart for heapless::String<N> {
    fn write_key(&self, key: &mut KeyWriter<'_>) {
        key.bytes(b"String").meta(&N);
    }
}

/// Writes the parts of the value inside.
impl<T: KeyPart> KeyPart for AsLeaf<T> {
    fn write_key(&self, key: &mut KeyWriter<'_>) {
        self.0.write_key(key);
    }
}
