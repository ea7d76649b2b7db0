//! Defines a treedef that owns its bytes without a heap.

use crate::base::attempt::ok;
use crate::base::bytes::{as_its_view, copy, first};
use crate::base::error::Error;
use crate::encode::structure::{Structure, written};
use crate::encode::writer::Writer;
use crate::format::head;
use crate::treedef::treedef::TreeDef;

/// A treedef of at most `N` bytes that is stored inline, for fields, meta fields and keys of maps.
///
/// `Eq`, `Ord` and `Hash` use the bytes, as for [`TreeDef`].
///
/// # Examples
///
/// ```
/// use treedef::{Error, TreeDef, TreeDefBuf};
///
/// struct Function {
///     input: TreeDefBuf<16>,
/// }
/// let function = Function { input: TreeDefBuf::structure(&([1.0f32; 3], 2.0f32))? };
/// assert_eq!(function.input.as_treedef().as_bytes(), [0x22, 0x43, 0x02, 0x00]);
///
/// const PAIR: TreeDefBuf<8> = match TreeDefBuf::tuple(&[TreeDef::LEAF, TreeDef::LEAF]) {
///     Ok(pair) => pair,
///     Err(_) => panic!("`PAIR` holds too few bytes"),
/// };
/// assert_eq!(PAIR.as_treedef().as_bytes(), [0x22, 0x01]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct TreeDefBuf<const N: usize> {
    bytes: [u8; N],
    len: usize,
    /// The number of leaves and of nodes, as [`TreeDef::sizes`] returns them.
    sizes: (u32, u32),
}

impl<const N: usize> TreeDefBuf<N> {
    /// Copies a treedef.
    ///
    /// # Errors
    ///
    /// [`Error::BufferFull`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Error, TreeDef, TreeDefBuf};
    ///
    /// const NONE: Result<TreeDefBuf<1>, Error> = TreeDefBuf::from_treedef(TreeDef::NONE);
    /// assert_eq!(NONE?.as_treedef(), TreeDef::NONE);
    /// let error = TreeDefBuf::<0>::from_treedef(TreeDef::LEAF).unwrap_err();
    /// assert_eq!(error, Error::BufferFull { needed: 1, room: 0 });
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn from_treedef(def: TreeDef<'_>) -> Result<Self, Error> {
        let (mut bytes, len) = ([0; N], def.as_bytes().len());
        match bytes.split_at_mut_checked(len) {
            Some((target, _)) => copy(target, def.as_bytes()),
            None => return Err(Error::BufferFull { needed: len, room: N }),
        }
        Ok(Self { bytes, len, sizes: def.sizes() })
    }

    /// The structure of `tree`.
    ///
    /// # Errors
    ///
    /// As [`structure_into`](crate::structure_into); an `N` of [`structure_bound`](crate::encode::structure_bound) is always enough.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{TreeDefBuf, treedef};
    ///
    /// let def = TreeDefBuf::<8>::structure(&(1.0f32, None::<f32>))?;
    /// assert_eq!(def.as_treedef(), treedef!((*, None)));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn structure<T: Structure + ?Sized>(tree: &T) -> Result<Self, Error> {
        Self::build(|out| tree.describe(out))
    }

    /// The treedef that `build` writes.
    ///
    /// # Errors
    ///
    /// Those of [`Writer::finish`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{TreeDefBuf, head};
    ///
    /// let def = TreeDefBuf::<8>::build(|out| out.node(&head::List(2), |out| out.leaves(2)))?;
    /// assert_eq!(def.as_treedef().as_bytes(), [0x42, 0x01]);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn build(build: impl FnOnce(&mut Writer<'_>)) -> Result<Self, Error> {
        let mut bytes = [0; N];
        let def = written(&mut bytes, build)?;
        let sizes = (def.as_bytes().len(), def.sizes());
        Ok(Self::of(bytes, sizes))
    }

    /// What a writer wrote to `bytes`, with the result of [`Writer::finish_sizes`].
    pub(crate) const fn of(bytes: [u8; N], (len, sizes): (usize, (u32, u32))) -> Self {
        Self { bytes, len, sizes }
    }

    /// The tuple of these children, like `jax.tree_util.treedef_tuple`.
    ///
    /// # Errors
    ///
    /// [`Error::Full`] if it has more than `N` bytes; [`Error::TooLarge`] beyond 2³² leaves or nodes.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{TreeDefBuf, treedef};
    ///
    /// let call = TreeDefBuf::<16>::tuple(&[treedef!([*, *]), treedef!(None)])?;
    /// assert_eq!(call.as_treedef(), treedef!(([*, *], None)));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[doc(alias("treedef_tuple", "treespec_tuple"))]
    pub const fn tuple(children: &[TreeDef<'_>]) -> Result<Self, Error> {
        Self::node(head::TUPLE, &[], children)
    }

    /// The list of these children.
    ///
    /// # Errors
    ///
    /// As [`TreeDefBuf::tuple`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Error, TreeDef, TreeDefBuf};
    ///
    /// const LIST: Result<TreeDefBuf<4>, Error> = TreeDefBuf::list(&[TreeDef::LEAF, TreeDef::NONE]);
    /// assert_eq!(LIST?.as_treedef().as_bytes(), [0x42, 0x00, 0xC0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias = "treespec_list")]
    pub const fn list(children: &[TreeDef<'_>]) -> Result<Self, Error> {
        Self::node(head::LIST, &[], children)
    }

    /// The dictionary of these children with these keys, which have to be in sorted order.
    ///
    /// # Errors
    ///
    /// [`Error::UnsortedKeys`]; [`Error::DuplicateKey`]; [`Error::Arity`] if `keys` and `children` differ in length;
    /// those of [`TreeDefBuf::tuple`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Error, TreeDef, TreeDefBuf};
    ///
    /// const LAYER: Result<TreeDefBuf<8>, Error> =
    ///     TreeDefBuf::dict(&["b", "w"], &[TreeDef::LEAF, TreeDef::LEAF]);
    /// assert_eq!(LAYER?.as_treedef().as_bytes(), [0x62, 4, 1, b'b', 1, b'w', 0x01]);
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias = "treespec_dict")]
    pub const fn dict(keys: &[&str], children: &[TreeDef<'_>]) -> Result<Self, Error> {
        Self::node(head::DICT, keys, children)
    }

    /// The node of this kind with these children, and, if it is a dictionary, these keys.
    const fn node(kind: u8, keys: &[&str], mut children: &[TreeDef<'_>]) -> Result<Self, Error> {
        let mut bytes = [0; N];
        let mut out = Writer::new(&mut bytes);
        let (root, arity) = match kind {
            head::DICT => (out.begin_dict(keys), keys.len()),
            _ => (out.begin_sequence(kind, children.len()), children.len()),
        };
        while let [child, rest @ ..] = children {
            out.subtree(*child);
            children = rest;
        }
        out.end_with_arity(&root, arity);
        let size = ok!(out.finish_sizes());
        Ok(Self::of(bytes, size))
    }

    /// The treedef.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{TreeDef, TreeDefBuf};
    ///
    /// let def = TreeDefBuf::<1>::from_treedef(TreeDef::LEAF)?;
    /// assert_eq!(def.as_treedef(), TreeDef::LEAF);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub const fn as_treedef(&self) -> TreeDef<'_> {
        TreeDef::of_sizes(first(&self.bytes, self.len), self.sizes)
    }
}

impl<const N: usize> AsRef<[u8]> for TreeDefBuf<N> {
    fn as_ref(&self) -> &[u8] {
        self.as_treedef().as_bytes()
    }
}

as_its_view!([const N: usize] TreeDefBuf<N>, as_treedef: TreeDef);
