//! Errors of walks that say where, and what the trees have there.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;

use crate::base::error::Error;
use crate::encode::treedef_box::TreeDefBox;
use crate::tree::leaf_types::LeafTypes;
use crate::tree::over::Over;
use crate::tree::over::beside::Joined;
use crate::tree::over::paths::Paths;
use crate::tree::over::pick::WalkedAs;
use crate::tree::over::trees::OverTrees;
use crate::tree::structure::structure_of;
use crate::tree::walk::TreeWalk;

/// A difference of trees, with its path and what both have there; from [`Over::explained`](crate::tree::Over::explained).
///
/// # Examples
///
/// ```
/// use treedef::{Error, over};
///
/// let (params, gradient) = ((1.0f32, Some(2.0f32)), (0.5f32, None));
/// let error = over((&params, &gradient)).explained().unwrap_err();
/// assert_eq!(error.error(), Error::TreesDiffer { node: 2, tree: 1 });
/// assert_eq!(error.to_string(), "at [1]: expected a leaf, found None (tree 1)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    error: Error,
    text: Box<str>,
}

impl Explained {
    /// The error without a text.
    ///
    /// # Examples
    ///
    /// [`Explained`] has an example.
    #[must_use]
    pub const fn error(&self) -> Error {
        self.error
    }

    /// Explains an error of a comparison of trees, by their structures.
    #[cold]
    fn new(error: Error, structure: impl Fn(u32) -> Option<TreeDefBox>) -> Self {
        let text = explain(error, structure).unwrap_or_else(|| error.to_string());
        Self { error, text: text.into() }
    }
}

/// The text of an error, if it is about a tree that differs from the first tree.
fn explain(error: Error, structure: impl Fn(u32) -> Option<TreeDefBox>) -> Option<String> {
    let (Error::TreesDiffer { tree, .. } | Error::NotPrefix { tree, .. }) = error else {
        return None;
    };
    let (first, other) = (structure(0)?, structure(tree)?);
    Some(match error {
        Error::NotPrefix { .. } => {
            let text = error.explain(other.as_treedef(), first.as_treedef());
            format!("{text} (expected by tree {tree}, a prefix)")
        }
        _ => format!("{} (tree {tree})", error.explain(first.as_treedef(), other.as_treedef())),
    })
}

impl fmt::Display for Explained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl core::error::Error for Explained {}

impl<L, S, P: Paths, B> Over<L, S, P, B> {
    /// As [`check`](Over::check), with an error that says where trees differ, and what both have there. It comes last before the walk.
    ///
    /// After it no structure differs, so a closure that returns a `Result` has the errors that it has without.
    ///
    /// Costs as `check`. For an error, the structures of two trees are written, on the heap.
    ///
    /// # Errors
    ///
    /// As [`check`](Over::check).
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Tree, over};
    ///
    /// #[derive(Tree)]
    /// struct Layer { weights: Vec<f32>, bias: Option<f32> }
    ///
    /// fn sgd(p: &mut Vec<Layer>, g: &Vec<Layer>) -> Result<(), Box<dyn std::error::Error>> {
    ///     over((p, g)).explained()?.for_each(|(p, g)| *p -= 0.1 * g)?;
    ///     Ok(())
    /// }
    ///
    /// let layer = |bias| Layer { weights: vec![1.0, 2.0], bias };
    /// let error = sgd(&mut vec![layer(None), layer(Some(1.0))], &vec![layer(None), layer(None)]).unwrap_err();
    /// assert_eq!(error.to_string(), "at [1].bias: expected a leaf, found None (tree 1)");
    /// ```
    #[inline]
    pub fn explained<'a, K, J>(self) -> Result<Self, Explained>
    where
        K: LeafTypes + 'a,
        L: OverTrees<'a, K, Tree: TreeWalk<K>>,
        S: WalkedAs<'a, K, L>,
        B: Joined<'a, K, L, P, J>,
    {
        let (trees, beside) = (&self.trees, &self.beside);
        let compared = trees.compare().and_then(|()| beside.compare(trees.first()));
        let at = |index| match trees.at(index) {
            Some(tree) => structure_of::<K, L::Tree>(tree),
            None => beside.structure(index),
        };
        compared.map_err(|error| Explained::new(error, at))?;
        Ok(self)
    }
}
