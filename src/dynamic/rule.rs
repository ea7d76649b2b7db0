//! Defines which objects count as leaves besides those that say so.

use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::dynamic::object::{Object, Open};
use crate::dynamic::trail::Trail;
use crate::format::heading::{Entry, HeadSpec};
use crate::format::value::Value;

/// Decides which objects are leaves besides those that say so, and what the receiver gets for a leaf.
/// [`Flatten`](crate::dynamic::Flatten) implements it.
///
/// # Examples
///
/// As the bound of code that passes options on:
///
/// ```
/// use treedef::dynamic::{Flatten, Rule};
/// use treedef::{Error, Node, Object, tree};
///
/// fn has_leaves<O: Object, P, const OBJECTS: bool>(options: Flatten<P, OBJECTS>, object: O) -> Result<bool, Error>
/// where
///     Flatten<P, OBJECTS>: Rule<O>,
/// {
///     Ok(options.num_leaves(object)? > 0)
/// }
///
/// let tree: Node<'_, i32> = tree!([None]);
/// assert_eq!(has_leaves(Flatten::new(), &tree), Ok(false));
/// assert_eq!(has_leaves(Flatten::new().none_is_leaf(), &tree), Ok(true));
/// ```
pub trait Rule<O: Object> {
    /// What the receiver gets for a leaf.
    type Item;

    /// Whether [`Rule::whole`] uses the trail. If not, the walk makes none.
    const TRAIL: bool;

    /// Whether [`Rule::whole`] can make an object a leaf. If not, it is never called.
    const ASKS: bool;

    /// Returns the item if the object, with all below it, counts as a leaf.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::{Flatten, Rule, Trail};
    /// use treedef::{Kind, Node, tree};
    ///
    /// let mut tuples = Flatten::new().is_leaf(|node: &Node<i32>| node.kind() == Kind::Tuple);
    /// assert!(tuples.whole(&tree!((1, 2)), Trail::default()).is_some());
    /// assert!(tuples.whole(&tree!([1, 2]), Trail::default()).is_none());
    /// ```
    fn whole(&mut self, object: O, trail: Trail<'_>) -> Option<Self::Item>;

    /// Returns the item if the object, which is `None`, counts as a leaf.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Node;
    /// use treedef::dynamic::{Flatten, Rule};
    ///
    /// let none = Node::<i32>::None;
    /// assert!(Flatten::new().none(&none).is_none());
    /// assert!(Flatten::new().none_is_leaf().none(&none).is_some());
    /// ```
    fn none(&mut self, object: O) -> Option<Self::Item>;

    /// Returns the item of an object that says that it is a leaf.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Node;
    /// use treedef::dynamic::{Flatten, Rule};
    ///
    /// assert_eq!(<Flatten as Rule<&Node<i32>>>::leaf(&Node::Leaf(1), &1), &1);
    /// ```
    fn leaf(object: O, leaf: O::Leaf) -> Self::Item;
}

/// Decides which objects are leaves with all below them: a closure of the object, a closure of its path and the object,
/// or no predicate.
pub trait Predicate<O> {
    /// Whether the predicate uses the trail.
    const TRAIL: bool;

    /// Whether the object is a leaf with all below it.
    fn is_leaf(&mut self, object: O, trail: Trail<'_>) -> bool;
}

/// No predicate.
#[derive(Clone, Copy)]
pub struct Plain;

debug_struct!([] Plain {});

impl<O> Predicate<O> for Plain {
    const TRAIL: bool = false;

    #[inline]
    fn is_leaf(&mut self, _: O, _: Trail<'_>) -> bool {
        false
    }
}

impl<O, F: FnMut(O) -> bool> Predicate<O> for F {
    const TRAIL: bool = false;

    #[inline]
    fn is_leaf(&mut self, object: O, _: Trail<'_>) -> bool {
        self(object)
    }
}

/// A predicate that also receives the trail.
#[derive(Clone, Copy)]
pub struct WithTrail<F>(pub(crate) F);

debug_struct!([F] WithTrail<F> {});

impl<O, F: FnMut(Trail<'_>, O) -> bool> Predicate<O> for WithTrail<F> {
    const TRAIL: bool = true;

    #[inline]
    fn is_leaf(&mut self, object: O, trail: Trail<'_>) -> bool {
        (self.0)(trail, object)
    }
}

/// Two predicates: an object is a leaf if either says so.
#[derive(Clone, Copy)]
pub struct Either<A, B>(pub(crate) A, pub(crate) B);

debug_struct!([A, B] Either<A, B> {});

impl<O: Copy, A: Predicate<O>, B: Predicate<O>> Predicate<O> for Either<A, B> {
    const TRAIL: bool = A::TRAIL || B::TRAIL;

    #[inline]
    fn is_leaf(&mut self, object: O, trail: Trail<'_>) -> bool {
        self.0.is_leaf(object, trail) || self.1.is_leaf(object, trail)
    }
}

/// Asks an object whether it is a leaf.
pub(crate) struct AsksLeaf<'r, R, O> {
    pub(crate) rule: &'r mut R,
    pub(crate) object: O,
}

impl<O: Object, R: Rule<O>> Open<O> for AsksLeaf<'_, R, O> {
    type Output = bool;

    fn leaf(self, _: O::Leaf) -> Result<bool, Error> {
        Ok(true)
    }

    fn none(self) -> Result<bool, Error> {
        Ok(self.rule.none(self.object).is_some())
    }

    fn node<H: HeadSpec + Entry>(
        self,
        _: &H,
        _: impl IntoIterator<Item = O>,
    ) -> Result<bool, Error> {
        Ok(false)
    }

    fn dict<'k, K, I>(self, _: I) -> Result<bool, Error>
    where
        K: Into<Value<'k>> + 'k,
        I: IntoIterator<Item = (K, O), IntoIter: ExactSizeIterator + Clone>,
    {
        Ok(false)
    }
}
