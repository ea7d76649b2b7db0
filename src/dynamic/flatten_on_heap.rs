//! Flattens objects to owned treedefs and vectors of leaves.

use alloc::vec::Vec;

use crate::base::error::Error;
use crate::dynamic::flatten::Flatten;
use crate::dynamic::keep::Keep;
use crate::dynamic::object::Object;
use crate::dynamic::predicate::Predicate;
use crate::encode::treedef_box::TreeDefBox;

impl<P> Flatten<P> {
    /// Returns the structure and the leaves, both on the heap, as `jax.tree.flatten`. A treedef of any length fits.
    ///
    /// A predicate can be called more than once for an object.
    ///
    /// # Errors
    ///
    /// As [`Flatten::flatten_into`], except [`Error::Full`] and [`Error::LeavesFull`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::Flatten;
    /// use treedef::{tree, treedef};
    ///
    /// let (def, leaves): (_, Vec<i32>) = Flatten::new().flatten(&tree!({"b": 1, "a": [2, 3]}))?;
    /// assert_eq!(def, treedef!({"a": [*, *], "b": *}));
    /// assert_eq!(leaves, [2, 3, 1]);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn flatten<O, T>(mut self, object: O) -> Result<(TreeDefBox, Vec<T>), Error>
    where
        O: Object,
        P: Predicate<O>,
        T: Keep<P::Item>,
    {
        let mut leaves = Vec::new();
        let def = TreeDefBox::written_by(&mut |out| {
            // The structure can be written more than once, and the leaves with it.
            leaves.clear();
            self.walk(object, out, |index, leaf| {
                leaves.truncate(index);
                leaves.push(T::keep(leaf));
            });
        })?;
        Ok((def, leaves))
    }

    /// Returns the structure, on the heap, as `jax.tree.structure`.
    ///
    /// # Errors
    ///
    /// As [`Flatten::flatten`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::Flatten;
    /// use treedef::{tree, treedef};
    ///
    /// assert_eq!(Flatten::new().structure(&tree!([1, (2, 3)]))?, treedef!([*, (*, *)]));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn structure<O: Object>(mut self, object: O) -> Result<TreeDefBox, Error>
    where
        P: Predicate<O>,
    {
        TreeDefBox::written_by(&mut |out| {
            self.walk(object, out, |_, _| ());
        })
    }
}
