//! Defines a treedef that owns its bytes on the heap.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::iter::FusedIterator;

use crate::base::bytes::{as_its_view, into_bytes};
use crate::base::decode_error::DecodeError;
use crate::base::error::Error;
use crate::encode::structure::{Structure, written};
use crate::encode::treedef_buf::TreeDefBuf;
use crate::encode::writer::Writer;
use crate::format::entry::KeyEntry;
use crate::format::head::{Head, Kind};
use crate::treedef::children::Children;
use crate::treedef::differences::Differences;
use crate::treedef::find::Found;
use crate::treedef::key_path::KeyPath;
use crate::treedef::nodes::Nodes;
use crate::treedef::treedef::TreeDef;

/// A treedef of any length that owns its bytes.
///
/// `Eq`, `Ord` and `Hash` use the bytes, as for [`TreeDef`], so that a map can be asked with bytes. It is made
/// from a view, from a [`TreeDefBuf`], and from bytes from outside, which are checked; `Vec::from` gives the bytes back. It has
/// the methods of a treedef that look into it: its paths, leaves by name, differences from another one.
///
/// # Examples
///
/// ```
/// use std::collections::HashMap;
/// use treedef::{TreeDefBox, treedef};
///
/// struct Function {
///     input: TreeDefBox,
/// }
/// let function = Function { input: treedef!((*, [*])).into() };
/// assert_eq!(function.input.as_treedef().num_leaves(), 2);
/// assert_eq!(function.input.to_string(), "PyTreeDef((*, [*]))");
///
/// let received = vec![0x22, 0x00, 0x41, 0x00];
/// let names = HashMap::from([(function.input, "apply")]);
/// assert_eq!(names.get(received.as_slice()), Some(&"apply"));
/// let own = TreeDefBox::try_from(received)?;
/// assert_eq!(own, treedef!((*, [*])));
/// # Ok::<(), treedef::DecodeError>(())
/// ```
#[derive(Clone)]
pub struct TreeDefBox {
    bytes: Box<[u8]>,
    sizes: (u32, u32),
}

impl TreeDefBox {
    /// The treedef that `build` writes.
    ///
    /// If the treedef does not fit, `build` is called again with an empty writer that has more room. So `build`
    /// has to write the same treedef every time.
    ///
    /// # Errors
    ///
    /// Those of [`Writer::finish`], but for [`Error::Full`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{TreeDefBox, head};
    ///
    /// let def = TreeDefBox::build(|out| out.node(&head::List(2), |out| out.leaves(2)))?;
    /// assert_eq!(def.as_treedef().as_bytes(), [0x42, 0x01]);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn build(mut build: impl FnMut(&mut Writer<'_>)) -> Result<Self, Error> {
        Self::written_by(&mut |out| build(out))
    }

    /// The treedef that `describe` describes, each time it is called. It knows no type of tree, so a program has it once.
    pub(crate) fn written_by(describe: &mut dyn FnMut(&mut Writer<'_>)) -> Result<Self, Error> {
        let mut bytes = Vec::new();
        let (len, sizes) = grow(&mut bytes, &mut |bytes, needed| {
            let def = written(bytes, |out| {
                describe(out);
                *needed = out.len();
            })?;
            Ok((def.as_bytes().len(), def.sizes()))
        })?;
        bytes.truncate(len);
        Ok(Self { bytes: bytes.into(), sizes })
    }

    /// The treedef.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{TreeDef, TreeDefBox};
    ///
    /// assert_eq!(TreeDefBox::from(TreeDef::LEAF).as_treedef(), TreeDef::LEAF);
    /// ```
    #[must_use]
    pub const fn as_treedef(&self) -> TreeDef<'_> {
        TreeDef::of_sizes(&self.bytes, self.sizes)
    }
}

/// Returns the structure of `tree` on the heap, as `jax.tree.structure`.
///
/// It is written into a buffer of 2 kB, which doubles until it is large enough, and then copied. A larger buffer is never twice
/// as long as writing needs.
///
/// # Errors
///
/// As [`structure_into`](crate::structure_into), but for [`Error::Full`].
///
/// # Examples
///
/// ```
/// use treedef::{structure, treedef};
///
/// let def = structure(&vec![Some(1.0f32), None])?;
/// assert_eq!(def.as_treedef(), treedef!([*, None]));
/// # Ok::<(), treedef::Error>(())
/// ```
#[doc(alias = "tree_structure")]
pub fn structure<T: Structure + ?Sized>(tree: &T) -> Result<TreeDefBox, Error> {
    TreeDefBox::written_by(&mut |out| tree.describe(out))
}

/// Gives an owned treedef the methods of the borrowed one.
macro_rules! as_treedef {
    ($($(#[$must:meta])? $method:ident$(<$life:lifetime $(, $more:lifetime)?>)?($($argument:ident: $Argument:ty),*) -> $Result:ty;)*) => {
        /// The methods of [`TreeDef`] that look into it. Those that make another treedef are called on [`TreeDefBox::as_treedef`].
        ///
        /// # Examples
        ///
        /// ```
        /// use treedef::flatten;
        ///
        /// let (def, leaves) = flatten(&[1.0f32, 2.0])?;
        /// assert_eq!((def.num_leaves(), def.as_bytes()), (2, &[0x42, 0x01][..]));
        /// assert_eq!(leaves[def.find_str("[1]")?.leaves()], [2.0]);
        /// assert!(def.paths().map(|path| path.to_string()).eq(["[0]", "[1]"]));
        ///
        /// let other = treedef::structure(&(1.0f32, 2.0f32))?;
        /// let text = def.differences(&other).summary().to_string();
        /// assert!(text.ends_with("at the root: expected a list of 2, found a tuple of 2"), "{text}");
        /// # Ok::<(), treedef::Error>(())
        /// ```
        impl TreeDefBox {
            $(
                #[doc = concat!("As [`TreeDef::", stringify!($method), "`], which has an example.")]
                $(#[$must])?
                pub fn $method$(<$life $(, $more)?>)?(&$($life)? self, $($argument: $Argument),*) -> $Result {
                    self.as_treedef().$method($($argument),*)
                }
            )*
        }
    };
}
as_treedef! {
    #[must_use] as_bytes() -> &[u8];
    #[must_use] num_leaves() -> usize;
    #[must_use] num_nodes() -> usize;
    #[must_use] num_children() -> usize;
    #[must_use] is_leaf() -> bool;
    #[must_use] fingerprint() -> u64;
    #[must_use] kind() -> Kind;
    #[must_use] head() -> Head<'_>;
    #[must_use] child(index: usize) -> Option<TreeDef<'_>>;
    #[must_use] path(leaf: usize) -> Option<KeyPath<'_, '_>>;
    children() -> Children<'_>;
    nodes() -> Nodes<'_>;
    #[must_use] node_path(node: usize) -> Option<KeyPath<'_, '_>>;
    paths() -> impl ExactSizeIterator<Item = KeyPath<'_, '_>> + DoubleEndedIterator + FusedIterator + Clone;
    find<'a, 'k>(entries: impl IntoIterator<Item = KeyEntry<'k>>) -> Result<Found<'a>, Error>;
    find_at(indices: impl IntoIterator<Item = usize>) -> Option<Found<'_>>;
    find_str(text: &str) -> Result<Found<'_>, Error>;
    find_keystr(text: &str) -> Result<Found<'_>, Error>;
    differences<'a>(found: impl Into<TreeDef<'a>>) -> Differences<'a>;
    prefix_errors<'a>(full: impl Into<TreeDef<'a>>) -> Differences<'a>;
    common_suffix_errors<'a>(other: impl Into<TreeDef<'a>>) -> Differences<'a>;
    check_prefix_of<'a>(full: impl Into<TreeDef<'a>>) -> Result<(), Error>;
    prefix_cmp<'a>(other: impl Into<TreeDef<'a>>) -> Result<Option<Ordering>, Error>;
}

/// Writes to bytes, and says how many it needs at least if they are full.
type Write<'w, T> = dyn FnMut(&mut [u8], &mut usize) -> Result<T, Error> + 'w;

/// Calls `write` with `bytes`, and again with more bytes while it returns that they are full.
///
/// `write` is `dyn`, so that a program has this once, and not for each type of tree.
pub(crate) fn grow<T>(bytes: &mut Vec<u8>, write: &mut Write<'_, T>) -> Result<T, Error> {
    // Enough for the treedefs of most models, which are then written once.
    let mut needed = 2048;
    loop {
        let len = bytes.len().max(needed);
        if len > bytes.len() {
            // What was written is not kept.
            *bytes = vec![0; len];
        }
        let mut least = 0;
        match write(bytes, &mut least) {
            // What follows may take a little more.
            Err(Error::Full { room }) if room == len => {
                needed = len.saturating_mul(2).max(least.saturating_add(least / 8));
            }
            Err(Error::CallKeyFull { needed: exact, room }) if room == len => needed = exact,
            done => return done,
        }
    }
}

/// Copies the bytes.
impl From<TreeDef<'_>> for TreeDefBox {
    fn from(def: TreeDef<'_>) -> Self {
        Self { bytes: def.as_bytes().into(), sizes: def.sizes() }
    }
}

/// Takes bytes from outside over, checked as by [`TreeDef::from_bytes`].
impl TryFrom<Vec<u8>> for TreeDefBox {
    type Error = DecodeError;

    fn try_from(bytes: Vec<u8>) -> Result<Self, DecodeError> {
        let sizes = TreeDef::from_bytes(&bytes)?.sizes();
        Ok(Self { bytes: bytes.into(), sizes })
    }
}

into_bytes!(TreeDefBox, TreeDef);

impl From<&TreeDef<'_>> for TreeDefBox {
    fn from(def: &TreeDef<'_>) -> Self {
        (*def).into()
    }
}

impl<const N: usize> From<TreeDefBuf<N>> for TreeDefBox {
    fn from(def: TreeDefBuf<N>) -> Self {
        def.as_treedef().into()
    }
}

as_its_view!([] TreeDefBox, as_treedef: TreeDef);
