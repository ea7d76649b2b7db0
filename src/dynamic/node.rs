//! Defines nodes: trees of borrowed slices.

use core::mem::discriminant;
use core::{fmt, slice};

use crate::base::error::Error;
use crate::dynamic::keep::Keep;
use crate::dynamic::object::{Object, Open};
use crate::format::entry::{Entries, KeyEntry};
use crate::format::head::{self, Head, Kind};
use crate::format::heading::{Entry, HeadSpec, KnownHead};

/// A tree built at run time from borrowed slices: without a heap, `Copy`, usable in `const`.
///
/// Write literals with [`tree!`](crate::tree!), rebuild a tree in a slab with
/// [`unflatten_into`](crate::dynamic::unflatten_into), and make nodes of any kind from an encoded head with
/// [`Node::keyed`]. A node takes five words if a leaf takes at most four.
///
/// [`Flatten`](crate::dynamic::Flatten) flattens a node in one pass, compares its structure, and visits its leaves.
///
/// # Examples
///
/// ```
/// use treedef::Node;
/// use treedef::dynamic::Flatten;
///
/// let pair = [Node::Leaf(1.0), Node::Leaf(2.0)];
/// let tree = Node::List(&[Node::Tuple(&pair), Node::None, Node::Leaf(3.0)]);
/// let (mut bytes, mut leaves) = ([0; 8], [0.0; 3]);
/// let (def, count) = Flatten::new().flatten_into(&tree, &mut bytes, &mut leaves)?;
/// assert_eq!(def.as_bytes(), [0x43, 0x22, 0x01, 0xC0, 0x00]);
/// assert_eq!((count, leaves), (3, [1.0, 2.0, 3.0]));
/// # Ok::<(), treedef::Error>(())
/// ```
#[derive(Clone, Copy)]
pub enum Node<'a, L> {
    /// A leaf.
    Leaf(L),
    /// Python's `None`.
    None,
    /// Rust's `Some` around a tree that can itself be `None`.
    Some(&'a Node<'a, L>),
    /// A tuple.
    Tuple(&'a [Node<'a, L>]),
    /// A list.
    List(&'a [Node<'a, L>]),
    /// A node of any other kind, with an encoded head.
    Keyed(Keyed<'a, L>),
}

impl<'a, L> Node<'a, L> {
    /// Makes a node with this head.
    ///
    /// # Errors
    ///
    /// [`Error::Arity`] if the head has another number of children, or is a leaf's.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::Flatten;
    /// use treedef::head::head_into;
    /// use treedef::{Node, head};
    ///
    /// let mut bytes = [0; 32];
    /// let pid = head::Struct { name: "Pid", fields: &["kp", "ki"], meta: &[] };
    /// let head = head_into(&pid, &mut bytes)?;
    /// let gains = [Node::Leaf(1.0f32), Node::Leaf(0.1)];
    /// let node = Node::keyed(head, &gains)?;
    /// let mut bytes = [0; 32];
    /// let def = Flatten::new().structure_into(&node, &mut bytes)?;
    /// assert_eq!((def.head(), def.num_leaves()), (head, 2));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn keyed(head: Head<'a>, children: &'a [Node<'a, L>]) -> Result<Self, Error> {
        let (expected, found) = (head.num_children(), children.len());
        match (head.kind(), children) {
            _ if expected != found => Err(Error::Arity { expected, found }),
            // The head of a leaf is refused for any number of children.
            (Kind::Leaf, _) => Err(Error::Arity { expected: 1, found }),
            (Kind::None, _) => Ok(Node::None),
            (Kind::Some, [child]) => Ok(Node::Some(child)),
            (Kind::Tuple, _) => Ok(Node::Tuple(children)),
            (Kind::List, _) => Ok(Node::List(children)),
            _ => Ok(Node::Keyed(Keyed {
                __label: Label(Order::Sorted(head.as_bytes())),
                __children: children,
            })),
        }
    }

    /// Returns the leaf, if the node is a leaf.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Node;
    ///
    /// assert_eq!(Node::Leaf(1).as_leaf(), Some(&1));
    /// assert_eq!(Node::<i32>::None.as_leaf(), None);
    /// ```
    #[must_use]
    pub const fn as_leaf(&self) -> Option<&L> {
        match self {
            Node::Leaf(leaf) => Some(leaf),
            _ => None,
        }
    }

    /// Returns the kind of the node.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Kind, Node, tree};
    ///
    /// let dict: Node<'_, i32> = tree!({"a": 1});
    /// assert_eq!(dict.kind(), Kind::Dict);
    /// ```
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Node::Leaf(_) => Kind::Leaf,
            Node::None => Kind::None,
            Node::Some(_) => Kind::Some,
            Node::Tuple(_) => Kind::Tuple,
            Node::List(_) => Kind::List,
            Node::Keyed(keyed) => keyed.head().kind(),
        }
    }
}

/// Shows one level only: a tree has no bound of depth, and printing all of it would recurse without a bound.
impl<L: fmt::Debug> fmt::Debug for Node<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Node::Leaf(leaf) => {
                f.write_str("Leaf(")?;
                leaf.fmt(f)?;
                f.write_str(")")
            }
            Node::None => f.write_str("None"),
            Node::Some(_) => f.write_str("Some(..)"),
            Node::Tuple(children) => write!(f, "Tuple({} children)", children.len()),
            Node::List(children) => write!(f, "List({} children)", children.len()),
            Node::Keyed(keyed) => keyed.fmt(f),
        }
    }
}

/// A node with an encoded head; see [`Node::keyed`].
///
/// # Examples
///
/// ```
/// use treedef::{Kind, Node, tree};
///
/// let Node::Keyed(dict) = tree!({"w": 1, "b": 2}) else { unreachable!() };
/// assert_eq!((dict.head().kind(), dict.children().count()), (Kind::Dict, 2));
/// ```
#[derive(Clone, Copy)]
pub struct Keyed<'a, L> {
    // The fields are public so that `tree!` can use a struct expression. Temporaries in it live as long as the
    // variable; the arguments of a function call would be dropped at the end of the statement.
    #[doc(hidden)]
    pub __label: Label<'a>,
    #[doc(hidden)]
    pub __children: &'a [Node<'a, L>],
}

impl<'a, L> Keyed<'a, L> {
    /// Returns the head.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Node, Value, tree};
    ///
    /// let Node::Keyed(dict) = tree!({"w": 1, "b": 2}) else { unreachable!() };
    /// assert!(dict.head().keys().eq(["b", "w"].map(Value::from)));
    /// ```
    #[must_use]
    pub fn head(&self) -> Head<'a> {
        self.__label.head()
    }

    /// Iterates over the children in the order of the head's keys.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Node, tree};
    ///
    /// let Node::Keyed(dict) = tree!({"w": 1, "b": 2}) else { unreachable!() };
    /// assert!(dict.children().filter_map(Node::as_leaf).eq(&[2, 1]));
    /// ```
    pub fn children(&self) -> impl Iterator<Item = &'a Node<'a, L>> + Clone + use<'a, L> {
        let children = self.__children;
        let (order, sorted) = match self.__label.order() {
            None => ([].as_slice(), children),
            Some(order) => (order, [].as_slice()),
        };
        order.iter().filter_map(move |index| children.get(*index as usize)).chain(sorted)
    }
}

impl<L> fmt::Debug for Keyed<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.__children.len();
        write!(f, "{:?}({count} children)", self.head().kind())
    }
}

/// An encoded head and the order of the children: two words. It is a part of [`Keyed`], from [`Node::keyed`].
#[derive(Clone, Copy)]
pub struct Label<'a>(Order<'a>);

#[derive(Clone, Copy)]
enum Order<'a> {
    /// The children are in the order of the keys.
    Sorted(&'a [u8]),
    /// The children are in another order, as in a literal in the source.
    Permuted(&'a Permuted<'a>),
}

/// A valid head, and the index of the child for each of its keys.
#[derive(Clone, Copy)]
pub struct Permuted<'a> {
    /// The bytes of the head.
    pub head: &'a [u8],
    /// The indices.
    pub order: &'a [u32],
}

impl<'a> Label<'a> {
    pub(super) const fn permuted(permuted: &'a Permuted<'a>) -> Self {
        Self(Order::Permuted(permuted))
    }

    pub(crate) const fn as_bytes(&self) -> &'a [u8] {
        match self.0 {
            Order::Sorted(head) => head,
            Order::Permuted(permuted) => permuted.head,
        }
    }

    /// Returns the index of the child for each key, or `None` if the children are in the order of the keys.
    pub(crate) const fn order(&self) -> Option<&'a [u32]> {
        match self.0 {
            Order::Sorted(_) => None,
            Order::Permuted(permuted) => Some(permuted.order),
        }
    }

    fn head(&self) -> Head<'a> {
        Head::trusted(self.as_bytes())
    }
}

impl fmt::Debug for Label<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.head().fmt(f)
    }
}

/// One level of a node: its head, which is copied and not parsed, and its children as they are stored.
pub(super) struct OneLevel<'n, L> {
    /// Empty for a tuple or list.
    pub(super) head: &'n [u8],
    kind: u8,
    pub(super) children: &'n [Node<'n, L>],
    /// The index of the child for each key, if the children are not in the order of the keys.
    pub(super) order: Option<&'n [u32]>,
}

impl<'n, L> OneLevel<'n, L> {
    /// The level of a node that is not a leaf.
    #[inline(always)]
    pub(super) const fn of(node: &'n Node<'n, L>) -> Self {
        let (head, kind, children): (_, _, &[_]) = match node {
            Node::Keyed(Keyed { __label: label, __children: children }) => {
                let (head, order) = (label.as_bytes(), label.order());
                return Self { head, kind: 0, children, order };
            }
            Node::Tuple(list) => ([].as_slice(), head::TUPLE, list),
            Node::List(list) => ([].as_slice(), head::LIST, list),
            Node::Some(child) => (Head::SOME.as_bytes(), 0, slice::from_ref(child)),
            Node::Leaf(_) | Node::None => (Head::NONE.as_bytes(), 0, &[]),
        };
        Self { head, kind, children, order: None }
    }

    #[inline(always)]
    const fn known(&self) -> KnownHead<'n> {
        match self.head {
            [] => KnownHead::Counted(self.kind, self.children.len()),
            head => KnownHead::Bytes(head),
        }
    }
}

/// Iterates over the children of a node in the order of its keys.
struct InOrder<'n, L> {
    /// The children that are left, if they are stored in this order.
    sorted: slice::Iter<'n, Node<'n, L>>,
    /// The node, and the index of its next key, if they are not.
    unsorted: Option<(&'n Node<'n, L>, usize)>,
}

impl<'n, L> InOrder<'n, L> {
    #[inline]
    fn of(node: &'n Node<'n, L>, level: &OneLevel<'n, L>) -> Self {
        match level.order {
            None => Self { sorted: level.children.iter(), unsorted: None },
            Some(_) => Self { sorted: [].iter(), unsorted: Some((node, 0)) },
        }
    }

    #[inline(always)]
    fn next_unsorted(&mut self) -> Option<&'n Node<'n, L>> {
        let (node, next) = self.unsorted?;
        self.unsorted = Some((node, next.wrapping_add(1)));
        child(node, next)
    }
}

impl<'n, L> Iterator for InOrder<'n, L> {
    type Item = &'n Node<'n, L>;

    #[inline]
    fn next(&mut self) -> Option<&'n Node<'n, L>> {
        self.sorted.next().or_else(|| self.next_unsorted())
    }

    /// Sorted children are searched first, in a simpler loop.
    #[inline]
    fn find<P: FnMut(&Self::Item) -> bool>(&mut self, mut is_found: P) -> Option<Self::Item> {
        if let Some(found) = self.sorted.find(&mut is_found) {
            return Some(found);
        }
        while let Some(child) = self.next_unsorted() {
            if is_found(&child) {
                return Some(child);
            }
        }
        None
    }
}

/// Returns the child for the key with this index of a node whose children are not in the order of the keys.
#[inline(never)]
fn child<'n, L>(node: &'n Node<'n, L>, key: usize) -> Option<&'n Node<'n, L>> {
    let OneLevel { order, children, .. } = OneLevel::of(node);
    children.get(*order?.get(key)? as usize)
}

impl<L> HeadSpec for OneLevel<'_, L> {
    #[inline]
    fn arity(&self) -> usize {
        self.children.len()
    }

    #[inline]
    fn known_head(&self) -> Option<KnownHead<'_>> {
        Some(self.known())
    }
}

impl<L> Entry for OneLevel<'_, L> {
    fn entries(&self) -> impl Iterator<Item = KeyEntry<'_>> {
        match self.known() {
            KnownHead::Bytes(head) => Head::trusted(head).entries(),
            KnownHead::Counted(_, _) => Entries::positions(self.arity()),
        }
    }
}

impl<'n, L> Object for &'n Node<'n, L> {
    type Leaf = &'n L;

    #[inline]
    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
        match self {
            Node::Leaf(leaf) => open.leaf(leaf),
            Node::None => open.none(),
            // A single call for all kinds, so that it is compiled once.
            _ => {
                let level = OneLevel::of(self);
                open.node(&level, InOrder::of(self, &level))
            }
        }
    }

    #[inline]
    fn as_leaf(self) -> Option<&'n L> {
        Node::as_leaf(self)
    }

    #[inline]
    fn is_like(
        self,
        before: Self,
        seen: &mut impl FnMut(Self, Option<Self::Leaf>),
    ) -> Option<bool> {
        // Most siblings that differ have another kind or number of children.
        Some(
            discriminant(self) == discriminant(before)
                && OneLevel::of(self).children.len() == OneLevel::of(before).children.len()
                && is_like(self, before, seen),
        )
    }
}

/// Whether two nodes have the same structure, as [`Object::is_like`] says.
///
/// The recursion is bounded: it goes no deeper than `before`, which was already walked within the bound of depth.
#[inline(never)]
fn is_like<'n, L>(
    node: &'n Node<'n, L>,
    before: &'n Node<'n, L>,
    seen: &mut impl FnMut(&'n Node<'n, L>, Option<&'n L>),
) -> bool {
    let (level, level_before) = (OneLevel::of(node), OneLevel::of(before));
    let (children, children_before) = (level.children, level_before.children);
    if children.len() != children_before.len() || !level.known().is(&level_before.known()) {
        return false;
    }
    seen(node, None);
    let is_same = |(child, before): (&'n _, &'n _)| match (child, before) {
        (Node::Leaf(leaf), Node::Leaf(_)) => {
            seen(child, Some(leaf));
            true
        }
        (Node::None, Node::None) => {
            seen(child, None);
            true
        }
        (Node::Leaf(_) | Node::None, _) | (_, Node::Leaf(_) | Node::None) => false,
        _ => is_like(child, before, seen),
    };
    match (level.order, level_before.order) {
        (None, None) => children.iter().zip(children_before).all(is_same),
        _ => {
            let before = InOrder::of(before, &level_before);
            InOrder::of(node, &level).zip(before).all(is_same)
        }
    }
}

/// Keeps the value of a leaf, and `None` for a Python `None` or a subtree that a predicate calls a leaf.
impl<'n, L: Clone> Keep<&'n Node<'n, L>> for Option<L> {
    fn keep(node: &'n Node<'n, L>) -> Self {
        node.as_leaf().cloned()
    }
}
