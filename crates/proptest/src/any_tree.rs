//! Generates dynamic trees: treedefs with leaf values.

use proptest::collection::vec as many;
use proptest::prelude::*;
use proptest::strategy::{NewTree, ValueTree};
use proptest::test_runner::TestRunner;
use treedef::{TreeDef, View};

use crate::any_treedef::AnyTreeDef;
use crate::model::{Model, models};
use crate::shrink::Shrinking;
use crate::size::Size;

/// A generated tree: a treedef and its leaves.
///
/// [`AnyTree::as_view`] returns it as a [`View`], which is an [`Object`](treedef::Object).
/// [`unflatten_into`](treedef::dynamic::unflatten_into) converts it to [`Node`](treedef::Node)s.
///
/// # Examples
///
/// ```
/// use proptest::prelude::*;
/// use treedef_proptest::{AnyTree, Size, trees_of};
///
/// let small = Size { depth: 3, children: 4, nodes: 20 };
/// proptest!(|(tree in trees_of(small, 0..10))| {
///     let tree: AnyTree<i32> = tree;
///     prop_assert_eq!(tree.leaves().len(), tree.as_treedef().num_leaves());
/// });
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct AnyTree<L> {
    def: AnyTreeDef,
    leaves: Vec<L>,
}

impl<L> AnyTree<L> {
    /// Returns the tree.
    ///
    /// # Examples
    ///
    /// ```
    /// use proptest::prelude::*;
    /// use treedef::dynamic::Flatten;
    /// use treedef_proptest::{Size, trees_of};
    ///
    /// let small = Size { depth: 3, children: 4, nodes: 20 };
    /// proptest!(|(tree in trees_of(small, 0..10))| {
    ///     prop_assert_eq!(Flatten::new().num_leaves(tree.as_view()), Ok(tree.leaves().len()));
    /// });
    /// ```
    #[must_use]
    pub fn as_view(&self) -> View<'_, L> {
        View::new(self.as_treedef(), &self.leaves).expect("generated with a value for each leaf")
    }

    /// Returns the structure.
    ///
    /// # Examples
    ///
    /// ```
    /// use proptest::prelude::*;
    /// use treedef::dynamic::Flatten;
    /// use treedef_proptest::{Size, trees_of};
    ///
    /// let small = Size { depth: 3, children: 4, nodes: 20 };
    /// proptest!(|(tree in trees_of(small, 0..10))| {
    ///     prop_assert_eq!(Flatten::new().matches(tree.as_view(), tree.as_treedef()), Ok(()));
    /// });
    /// ```
    #[must_use]
    pub fn as_treedef(&self) -> TreeDef<'_> {
        self.def.as_treedef()
    }

    /// Returns the leaves, in order.
    ///
    /// # Examples
    ///
    /// ```
    /// use proptest::prelude::*;
    /// use treedef_proptest::{Size, trees_of};
    ///
    /// let small = Size { depth: 3, children: 4, nodes: 20 };
    /// proptest!(|(tree in trees_of(small, 0..10))| {
    ///     prop_assert!(tree.leaves().iter().all(|leaf| (0..10).contains(leaf)));
    /// });
    /// ```
    #[must_use]
    pub fn leaves(&self) -> &[L] {
        &self.leaves
    }

    /// Returns the leaves, to change them.
    ///
    /// # Examples
    ///
    /// ```
    /// use proptest::prelude::*;
    /// use treedef_proptest::{Size, trees_of};
    ///
    /// let small = Size { depth: 3, children: 4, nodes: 20 };
    /// proptest!(|(mut tree in trees_of(small, 0..10))| {
    ///     tree.leaves_mut().fill(10);
    ///     prop_assert!(tree.as_view().leaves().iter().all(|leaf| *leaf == 10));
    /// });
    /// ```
    pub fn leaves_mut(&mut self) -> &mut [L] {
        &mut self.leaves
    }
}

/// Trees of the default [`Size`], with leaves from the strategy `leaf`.
///
/// A failure shrinks first to a small structure, in which each leaf keeps its value, then to simple values.
///
/// # Examples
///
/// ```
/// use proptest::prelude::*;
/// use treedef::dynamic::Flatten;
/// use treedef_proptest::trees;
///
/// proptest!(|(tree in trees(any::<i32>()))| {
///     let view = tree.as_view();
///     let mut bytes = vec![0; Flatten::new().structure_bound(view).unwrap()];
///     prop_assert_eq!(Flatten::new().structure_into(view, &mut bytes), Ok(tree.as_treedef()));
///     prop_assert_eq!(view.leaves(), tree.leaves());
/// });
/// ```
pub fn trees<S: Strategy>(leaf: S) -> impl Strategy<Value = AnyTree<S::Value>> {
    trees_of(Size::default(), leaf)
}

/// Trees with leaves from the strategy `leaf`.
///
/// # Examples
///
/// ```
/// use proptest::prelude::*;
/// use treedef_proptest::{Size, trees_of};
///
/// let small = Size { depth: 3, children: 4, nodes: 20 };
/// proptest!(|(tree in trees_of(small, any::<bool>()))| {
///     prop_assert!(tree.as_treedef().num_nodes() <= 20);
/// });
/// ```
pub fn trees_of<S: Strategy>(size: Size, leaf: S) -> impl Strategy<Value = AnyTree<S::Value>> {
    let trees = Trees { models: models(size), leaf };
    trees.prop_filter_map("too large", |(model, leaves)| {
        Some(AnyTree { def: AnyTreeDef::of(&model)?, leaves })
    })
}

/// Leaves for a treedef, from a strategy for one leaf.
///
/// # Examples
///
/// ```
/// use proptest::prelude::*;
/// use treedef::{View, treedef};
/// use treedef_proptest::leaves_of;
///
/// let def = treedef!({"b": *, "w": [*, *]});
/// proptest!(|(leaves in leaves_of(def, 0.0..1.0f32))| {
///     prop_assert_eq!(View::new(def, &leaves).unwrap().children().len(), 2);
/// });
/// ```
pub fn leaves_of<S: Strategy>(
    def: TreeDef<'_>,
    leaf: S,
) -> impl Strategy<Value = Vec<S::Value>> + use<S> {
    many(leaf, def.num_leaves())
}

/// Generates models with the values of their leaves.
#[derive(Debug)]
struct Trees<M, S> {
    models: M,
    leaf: S,
}

impl<M: Strategy<Value = Model>, S: Strategy> Strategy for Trees<M, S> {
    type Tree = Shape<S::Tree>;
    type Value = (Model, Vec<S::Value>);

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let mut count = 0;
        let model = self.models.new_tree(runner)?.current().written_out(&mut count);
        // A `None` may shrink to a leaf, so at least one value is needed.
        let leaves = (0..count.max(1)).map(|_| self.leaf.new_tree(runner));
        let leaves = leaves.collect::<Result<_, _>>()?;
        Ok(Shape { model: Shrinking::new(model), leaves, at: 0 })
    }
}

/// A model and the values of its leaves. The model shrinks first, then the values.
#[derive(Debug)]
struct Shape<T> {
    model: Shrinking,
    /// The value for each index in a leaf of the model.
    leaves: Vec<T>,
    /// The index of the leaf whose value shrinks, in the order of the model.
    at: usize,
}

impl<T: ValueTree> Shape<T> {
    /// Returns the leaf whose value shrinks, or `None` at the end.
    fn leaf(&mut self) -> Option<&mut T> {
        let id = *self.model.current().leaves().get(self.at)?;
        self.leaves.get_mut(id)
    }
}

impl<T: ValueTree> ValueTree for Shape<T> {
    type Value = (Model, Vec<T::Value>);

    fn current(&self) -> Self::Value {
        let model = self.model.current();
        let leaves = model.leaves().into_iter().filter_map(|id| self.leaves.get(id));
        let leaves = leaves.map(ValueTree::current).collect();
        (model, leaves)
    }

    fn simplify(&mut self) -> bool {
        if self.model.simplify() {
            return true;
        }
        while let Some(leaf) = self.leaf() {
            if leaf.simplify() {
                return true;
            }
            self.at += 1;
        }
        false
    }

    fn complicate(&mut self) -> bool {
        match self.model.is_smallest() {
            false => self.model.complicate(),
            true => self.leaf().is_some_and(ValueTree::complicate),
        }
    }
}
