//! Trees with leaves of any types, of which a program wants those of one type.

use core::any::Any;

use crate::tree::leaf_trait::leaf_trait;

leaf_trait! {
    /// The leaf types of a tree with leaves of any types that are `'static`.
    ///
    /// They are those of [`TreeWalk`](crate::tree::TreeWalk) and [`TreeWrite`](crate::tree::TreeWrite) without a parameter: code of a
    /// library that has never seen a model uses the bound `T: TreeWalk` to read it, and `T: TreeWrite` to change it in place.
    /// [`Over::only`](crate::tree::Over::only) then shows the leaves of one type, and passes
    /// over the others, and [`map_of`](crate::tree::map_of) maps them.
    ///
    /// # Examples
    ///
    /// ```
    /// # #[cfg(feature = "derive")] {
    /// use treedef::tree::TreeWrite;
    /// use treedef::{Error, Tree, over};
    ///
    /// /// A step of gradient descent, for models that also have counters and flags.
    /// fn step<T>(model: &mut T, gradients: &T, rate: f32) -> Result<(), Error>
    /// where
    ///     T: TreeWrite,
    /// {
    ///     over((model, gradients)).only::<f32>().for_each(|(weight, gradient)| *weight -= rate * gradient)
    /// }
    ///
    /// #[derive(Tree, Debug, PartialEq)]
    /// struct Model { weights: [f32; 2], steps: u64, is_frozen: bool }
    ///
    /// let mut model = Model { weights: [1.0, 2.0], steps: 7, is_frozen: false };
    /// let gradients = Model { weights: [2.0, 4.0], steps: 0, is_frozen: true };
    /// step(&mut model, &gradients, 0.5)?;
    /// assert_eq!(model, Model { weights: [0.0, 0.0], steps: 7, is_frozen: false });
    /// # }
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub struct AnyLeaves: dyn Any
}
