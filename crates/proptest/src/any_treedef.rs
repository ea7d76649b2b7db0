//! Generates treedefs.

use std::fmt;

use proptest::prelude::*;
use treedef::TreeDef;

use crate::model::{Model, models};
use crate::shrink::Shrinkable;
use crate::size::Size;

/// A generated treedef that owns its bytes.
///
/// # Examples
///
/// ```
/// use proptest::prelude::*;
/// use treedef_proptest::{AnyTreeDef, Size, treedefs_of};
///
/// let small = Size { depth: 3, children: 4, nodes: 20 };
/// proptest!(|(any in treedefs_of(small))| {
///     let any: AnyTreeDef = any;
///     prop_assert!(any.as_treedef().num_leaves() <= any.as_treedef().num_nodes());
/// });
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AnyTreeDef {
    bytes: Vec<u8>,
}

impl AnyTreeDef {
    /// Returns the treedef.
    ///
    /// # Examples
    ///
    /// ```
    /// use proptest::prelude::*;
    /// use treedef::TreeDef;
    /// use treedef_proptest::{Size, treedefs_of};
    ///
    /// let small = Size { depth: 3, children: 4, nodes: 20 };
    /// proptest!(|(any in treedefs_of(small))| {
    ///     let def = any.as_treedef();
    ///     prop_assert_eq!(TreeDef::from_bytes(def.as_bytes()), Ok(def));
    /// });
    /// ```
    #[must_use]
    pub fn as_treedef(&self) -> TreeDef<'_> {
        TreeDef::from_bytes(&self.bytes).expect("written as a treedef")
    }

    /// Encodes a model. Returns `None` if it is too large for a treedef.
    pub(crate) fn of(model: &Model) -> Option<Self> {
        model.encode().map(|bytes| Self { bytes })
    }
}

/// Prints the text of the treedef and its bytes, for reports of failures.
impl fmt::Debug for AnyTreeDef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:02x?}", self.as_treedef(), self.bytes)
    }
}

/// Treedefs of every kind with every form of keys, of the default [`Size`].
///
/// # Examples
///
/// ```
/// use proptest::prelude::*;
/// use treedef::TreeDef;
/// use treedef_proptest::treedefs;
///
/// proptest!(|(any in treedefs())| {
///     let def = any.as_treedef();
///     prop_assert_eq!(TreeDef::from_bytes(def.as_bytes()), Ok(def));
/// });
/// ```
pub fn treedefs() -> impl Strategy<Value = AnyTreeDef> {
    treedefs_of(Size::default())
}

/// Treedefs of every kind with every form of keys.
///
/// # Examples
///
/// ```
/// use proptest::prelude::*;
/// use treedef_proptest::{Size, treedefs_of};
///
/// let small = Size { depth: 3, children: 4, nodes: 20 };
/// proptest!(|(any in treedefs_of(small))| prop_assert!(any.as_treedef().num_nodes() <= 20));
/// ```
pub fn treedefs_of(size: Size) -> impl Strategy<Value = AnyTreeDef> {
    Shrinkable(models(size)).prop_filter_map("too large", |model| AnyTreeDef::of(&model))
}
