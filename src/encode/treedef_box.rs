//! A treedef that owns its bytes on the heap.

use alloc::boxed::Box;
use alloc::vec;

use crate::base::error::Error;
use crate::encode::builder::{Builder, finish_here};
use crate::encode::treedef_buf::as_its_treedef;
use crate::treedef::treedef::TreeDef;

/// A treedef of any length that owns its bytes.
///
/// `Eq`, `Ord` and `Hash` are those of the bytes, as for [`TreeDef`].
///
/// # Examples
///
/// ```
/// use treedef::{TreeDefBox, treedef};
///
/// struct Function {
///     input: TreeDefBox,
/// }
/// let function = Function { input: treedef!((*, [*])).into() };
/// assert_eq!(function.input.as_treedef().num_leaves(), 2);
/// assert_eq!(function.input.to_string(), "PyTreeDef((*, [*]))");
/// ```
#[derive(Clone)]
pub struct TreeDefBox {
    bytes: Box<[u8]>,
    sizes: (u32, u32),
}

impl TreeDefBox {
    /// The treedef that `build` writes.
    ///
    /// `build` is called again, with an empty builder that has at least twice the room, until the treedef fits. So it
    /// has to write the same treedef every time.
    ///
    /// # Errors
    ///
    /// Those of `build` and of [`Builder::finish`], but for the [`Error::Full`] of the builder.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::TreeDefBox;
    ///
    /// let def = TreeDefBox::build(|builder| {
    ///     let root = builder.begin_list(2)?;
    ///     builder.leaves(2)?;
    ///     builder.end(root)
    /// })?;
    /// assert_eq!(def.as_treedef().as_bytes(), [0x42, 0x01]);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn build(
        mut build: impl FnMut(&mut Builder<'_>) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        let mut bytes = vec![0; 64];
        loop {
            let (room, own) = (bytes.len(), bytes.as_ptr());
            let mut builder = Builder::new(&mut bytes);
            if let Err(error) = build(&mut builder)
                && !builder.is_full()
            {
                return Err(error);
            }
            match finish_here(builder, own) {
                Err(Error::Full { needed, .. }) => {
                    bytes.resize(needed.max(room.saturating_mul(2)), 0);
                }
                def => return def.map(Self::from),
            }
        }
    }

    /// The treedef.
    pub const fn as_treedef(&self) -> TreeDef<'_> {
        TreeDef::of_sizes(&self.bytes, self.sizes)
    }
}

/// Copies the bytes.
impl From<TreeDef<'_>> for TreeDefBox {
    fn from(def: TreeDef<'_>) -> Self {
        Self { bytes: def.as_bytes().into(), sizes: def.sizes() }
    }
}

as_its_treedef!([] TreeDefBox);
