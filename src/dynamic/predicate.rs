//! Defines which objects count as leaves besides those that say so.

use crate::base::show::debug_struct;
use crate::dynamic::object::Object;
use crate::treedef::key_path::KeyPath;

/// Which further objects are leaves, and what a caller receives for a leaf. It is the type parameter of
/// [`Flatten`](crate::dynamic::Flatten), whose methods set it.
///
/// # Examples
///
/// As the bound of code that passes options on:
///
/// ```
/// use treedef::dynamic::{Flatten, Predicate};
/// use treedef::{Error, Node, Object, tree};
///
/// fn has_leaves<O: Object, P: Predicate<O>>(options: Flatten<P>, object: O) -> Result<bool, Error> {
///     Ok(options.num_leaves(object)? > 0)
/// }
///
/// let tree: Node<'_, i32> = tree!([None]);
/// assert_eq!(has_leaves(Flatten::new(), &tree), Ok(false));
/// assert_eq!(has_leaves(Flatten::new().none_is_leaf(), &tree), Ok(true));
/// ```
pub trait Predicate<O: Object> {
    /// What a caller receives for a leaf: [`Object::Leaf`], or with a predicate the object, since a whole subtree can be a
    /// leaf.
    type Item;

    /// Whether an object can be a leaf for another reason than that it says so. If not, no object is asked about.
    const ASKS: bool = true;

    /// Whether [`Predicate::is_leaf`] reads the path. If not, the walk makes none, and the path is empty.
    const TAKES_PATH: bool = true;

    /// Whether the object and everything below it counts as one leaf.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::{NoPredicate, Predicate};
    /// use treedef::{KeyPath, tree};
    ///
    /// assert!(!NoPredicate.is_leaf(KeyPath::new(&[]), &tree!((1, 2))));
    /// ```
    fn is_leaf(&mut self, path: KeyPath<'_, '_>, object: O) -> bool;

    /// Returns what a caller receives for an object that is a leaf. `leaf` is its value, if the object says that it is one.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Node;
    /// use treedef::dynamic::{NoPredicate, Predicate};
    ///
    /// assert_eq!(NoPredicate::item(&Node::Leaf(1), Some(&1)), Some(&1));
    /// ```
    fn item(object: O, leaf: Option<O::Leaf>) -> Option<Self::Item>;
}

/// No predicate: only objects that say so are leaves.
///
/// # Examples
///
/// ```
/// use treedef::dynamic::{Flatten, NoPredicate};
/// use treedef::tree;
///
/// let options: Flatten<NoPredicate> = Flatten::new();
/// assert_eq!(options.num_leaves(&tree!([1, (2, 3)])), Ok(3));
/// ```
#[derive(Clone, Copy)]
pub struct NoPredicate;

debug_struct!([] NoPredicate {});

impl<O: Object> Predicate<O> for NoPredicate {
    type Item = O::Leaf;

    const ASKS: bool = false;
    const TAKES_PATH: bool = false;

    #[inline]
    fn is_leaf(&mut self, _: KeyPath<'_, '_>, _: O) -> bool {
        false
    }

    #[inline]
    fn item(_: O, leaf: Option<O::Leaf>) -> Option<O::Leaf> {
        leaf
    }
}

/// Leaves are objects, so that `None` can be one.
#[derive(Clone, Copy)]
pub struct Objects<P>(pub(super) P);

debug_struct!([P] Objects<P> {});

impl<O: Object, P: Predicate<O>> Predicate<O> for Objects<P> {
    type Item = O;

    const TAKES_PATH: bool = P::TAKES_PATH;

    #[inline]
    fn is_leaf(&mut self, path: KeyPath<'_, '_>, object: O) -> bool {
        self.0.is_leaf(path, object)
    }

    #[inline]
    fn item(object: O, _: Option<O::Leaf>) -> Option<O> {
        Some(object)
    }
}

/// Objects are leaves if `P` says so, or if a closure does: of the object, or with `PATH` of its path and the object.
#[derive(Clone, Copy)]
pub struct Or<P, F, const PATH: bool>(pub(super) P, pub(super) F);

debug_struct!([P, F, const PATH: bool] Or<P, F, PATH> {});

impl<O: Object, P: Predicate<O>, F: FnMut(O) -> bool> Predicate<O> for Or<P, F, false> {
    type Item = O;

    const TAKES_PATH: bool = P::TAKES_PATH;

    #[inline]
    fn is_leaf(&mut self, path: KeyPath<'_, '_>, object: O) -> bool {
        self.0.is_leaf(path, object) || (self.1)(object)
    }

    #[inline]
    fn item(object: O, _: Option<O::Leaf>) -> Option<O> {
        Some(object)
    }
}

impl<O, P, F> Predicate<O> for Or<P, F, true>
where
    O: Object,
    P: Predicate<O>,
    F: FnMut(KeyPath<'_, '_>, O) -> bool,
{
    type Item = O;

    #[inline]
    fn is_leaf(&mut self, path: KeyPath<'_, '_>, object: O) -> bool {
        self.0.is_leaf(path, object) || (self.1)(path, object)
    }

    #[inline]
    fn item(object: O, _: Option<O::Leaf>) -> Option<O> {
        Some(object)
    }
}
