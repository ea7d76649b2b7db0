//! Errors of walks that say where, and what the trees have there.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;

use crate::base::error::Error;
use crate::encode::treedef_box::TreeDefBox;
use crate::text::sentences::{InFull, Place};
use crate::tree::leaf_types::LeafTypes;
use crate::tree::over::Over;
use crate::tree::over::beside::{Joined, JoinedMap};
use crate::tree::over::paths::NoPaths;
use crate::tree::over::pick::{Pick, PickAll};
use crate::tree::over::trees::{LeavesOf, MAX_TREES, OverTrees};
use crate::tree::structure::ByLeaves;
use crate::tree::traits::{Leaf, MapTree};
use crate::tree::walk::TreeWalk;

/// An error of a walk, with its path and what the trees have there; from [`Over::explained`](crate::tree::Over::explained).
///
/// # Examples
///
/// ```
/// use treedef::{Error, over};
///
/// let (params, gradient) = ((1.0f32, Some(2.0f32)), (0.5f32, None));
/// let error = over((&params, &gradient)).explained().for_each(|_| ()).unwrap_err();
/// assert_eq!(error.error(), Error::TreesDiffer { node: 2, tree: 1 });
/// assert_eq!(error.to_string(), "at [1]: expected a leaf, found None (tree 1)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    error: Error,
    text: Box<str>,
}

impl Explained {
    /// The error of the walk.
    ///
    /// # Examples
    ///
    /// [`Explained`] has an example.
    #[must_use]
    pub const fn error(&self) -> Error {
        self.error
    }

    /// Explains an error by the trees that are only read, each at its index.
    #[cold]
    fn new<K: LeafTypes, T: TreeWalk<K> + ?Sized>(
        error: Error,
        shared: [Option<&T>; MAX_TREES],
    ) -> Self {
        let text = explain::<K, T>(error, shared).unwrap_or_else(|| error.to_string());
        Self { error, text: text.into() }
    }
}

/// The text of an error, if it is about a node that one of the trees has.
fn explain<K: LeafTypes, T: TreeWalk<K> + ?Sized>(
    error: Error,
    shared: [Option<&T>; MAX_TREES],
) -> Option<String> {
    let Error::TreesDiffer { node, tree } = error else { return None };
    let at = |tree: usize| *shared.get(tree)?;
    if let (Some(first), Some(other)) = (at(0), at(tree as usize)) {
        let (first, other) = (ByLeaves::<K, T>::new(first), ByLeaves::<K, T>::new(other));
        return Some(format!("{} (tree {tree})", error.explain_trees(&first, &other)));
    }
    // Up to this node all trees are equal, so each has the path; and the one that differs, what it has there.
    let differs = (tree as usize, at(tree as usize));
    let (index, shown) = [differs]
        .into_iter()
        .chain((0..MAX_TREES).zip(shared))
        .find_map(|(index, tree)| Some((index, tree?)))?;
    let def = TreeDefBox::structure(&ByLeaves::<K, T>::new(shown)).ok()?;
    let mut nodes = def.as_treedef().nodes();
    let head = nodes.nth(node as usize)?.ok()?.head;
    let (at, has) = (Place(nodes.path()?), InFull(&head));
    Some(format!("at {at}: tree {tree} differs from tree 0; tree {index} has {has} there"))
}

impl fmt::Display for Explained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl core::error::Error for Explained {}

/// A walk whose errors say where; from [`Over::explained`](crate::tree::Over::explained). It has the methods of a walk without paths.
///
/// # Examples
///
/// ```
/// use treedef::over;
///
/// let (mut params, gradient) = ([1.0f32, 2.0].to_vec(), [0.5f32].to_vec());
/// let error = over((&mut params, &gradient)).explained().for_each(|(p, g)| *p -= g).unwrap_err();
/// assert_eq!(error.to_string(), "at the root: tree 1 differs from tree 0; tree 1 has a list of 1 there");
/// ```
#[must_use = "does nothing before `for_each`, `map` or `fold`"]
#[derive(Clone, Copy, Debug)]
pub struct Explain<O>(O);

impl<L, S, B> Over<L, S, NoPaths, B> {
    /// Lets errors of the walk have a path, and say what the trees have there. It comes last before the walk.
    ///
    /// Costs nothing before an error. Then the structures of trees that are read by `&` are written, on the heap. A tree that is changed
    /// cannot be read again: if the walk has only such trees, the text is that of the [`Error`](crate::Error).
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
    ///     over((p, g)).explained().for_each(|(p, g)| *p -= 0.1 * g)?;
    ///     Ok(())
    /// }
    ///
    /// let layer = |bias| Layer { weights: vec![1.0, 2.0], bias };
    /// let error = sgd(&mut vec![layer(None), layer(Some(1.0))], &vec![layer(None), layer(None)]).unwrap_err();
    /// assert_eq!(error.to_string(), "at [1].bias: tree 1 differs from tree 0; tree 1 has None there");
    /// ```
    pub const fn explained(self) -> Explain<Self> {
        Explain(self)
    }
}

impl<L, S, B> Explain<Over<L, S, NoPaths, B>> {
    /// As [`Over::for_each`](Over#method.for_each), for a closure without errors. [`Over::explained`] has an example.
    ///
    /// # Errors
    ///
    /// The same.
    #[inline]
    pub fn for_each<'a, K, J>(self, visit: impl FnMut(B::With<S::Leaves>)) -> Result<(), Explained>
    where
        K: LeafTypes + 'a,
        L: OverTrees<'a, K, Tree: TreeWalk<K>>,
        S: Pick<'a, K, L>,
        B: Joined<'a, K, L, NoPaths, J>,
    {
        let shared = self.0.trees.shared();
        self.0
            .for_each::<K, J, ()>(visit)
            .map_err(|error| Explained::new::<K, L::Tree>(error, shared))
    }

    /// As [`Over::check`].
    ///
    /// # Errors
    ///
    /// The same.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::over;
    ///
    /// let (mut params, gradient) = ([1.0f32, 2.0].to_vec(), [0.5f32].to_vec());
    /// let error = over((&mut params, &gradient)).explained().check().unwrap_err();
    /// assert_eq!(error.to_string(), "at the root: tree 1 differs from tree 0; tree 1 has a list of 1 there");
    /// ```
    #[inline]
    pub fn check<'a, K, J>(self) -> Result<Self, Explained>
    where
        K: LeafTypes + 'a,
        L: OverTrees<'a, K, Tree: TreeWalk<K>>,
        S: Pick<'a, K, L>,
        B: Joined<'a, K, L, NoPaths, J>,
    {
        let shared = self.0.trees.shared();
        let checked = self.0.check::<K, J>();
        checked.map(Self).map_err(|error| Explained::new::<K, L::Tree>(error, shared))
    }

    /// As [`Over::fold`](Over#method.fold).
    ///
    /// # Errors
    ///
    /// The same.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::over;
    ///
    /// let error = over((&vec![1.0f32], &vec![])).explained().fold(0.0, |dot, (a, b)| dot + a * b).unwrap_err();
    /// assert_eq!(error.to_string(), "at the root: expected a list of 1, found a list of 0 (tree 1)");
    /// ```
    #[inline]
    pub fn fold<'a, K, J, X>(
        self,
        initial: X,
        f: impl FnMut(X, B::With<S::Leaves>) -> X,
    ) -> Result<X, Explained>
    where
        K: LeafTypes + 'a,
        L: OverTrees<'a, K, Tree: TreeWalk<K>>,
        S: Pick<'a, K, L>,
        B: Joined<'a, K, L, NoPaths, J>,
    {
        let shared = self.0.trees.shared();
        self.0
            .fold::<K, J, X>(initial, f)
            .map_err(|error| Explained::new::<K, L::Tree>(error, shared))
    }

    /// As [`Over::map`](Over#method.map).
    ///
    /// # Errors
    ///
    /// The same.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::over;
    ///
    /// let error = over((&vec![1.0f32], &vec![])).explained().map(|(a, b)| a * b).unwrap_err();
    /// assert_eq!(error.to_string(), "at the root: expected a list of 1, found a list of 0 (tree 1)");
    /// ```
    #[inline]
    pub fn map<'a, K, J, M, T>(
        self,
        map: impl FnMut(B::With<LeavesOf<'a, L, K, K>>) -> M,
    ) -> Result<T::Output, Explained>
    where
        K: Leaf + 'a,
        L: OverTrees<'a, K, Tree = T>,
        T: MapTree<K, M> + TreeWalk<K> + 'a,
        S: PickAll<K>,
        B: JoinedMap<'a, K, L, NoPaths, J>,
    {
        let shared = self.0.trees.shared();
        self.0.map::<K, J, M, T>(map).map_err(|error| Explained::new::<K, L::Tree>(error, shared))
    }
}
