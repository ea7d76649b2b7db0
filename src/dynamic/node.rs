//! Defines nodes: trees of borrowed slices.

use core::{fmt, mem, ptr, slice};

use crate::base::bytes::{equal, equal_short};
use crate::base::error::Error;
use crate::base::show::Shown;
use crate::base::target::SMALL_CODE;
use crate::dynamic::branch::walk_next;
use crate::dynamic::flatten::{At, LEVELS_OF_NONE};
use crate::dynamic::leaves::Leaves;
use crate::dynamic::object::{Object, Open};
use crate::dynamic::rule::Rule;
use crate::dynamic::trail::Laid;
use crate::encode::encoder::Encode;
use crate::format::entry::{Entries, KeyEntry};
use crate::format::head::{self, Head, Item, Kind, read_item};
use crate::format::heading::sealed::Sealed;
use crate::format::heading::{self, Entry, HeadSpec, Known};
use crate::format::value::Stop;

/// A tree built at run time from borrowed slices: without a heap, `Copy`, usable in `const`.
///
/// Write literals with [`tree!`](crate::tree!), rebuild a tree in a slab with
/// [`unflatten_into`](crate::dynamic::unflatten_into), and make nodes of any kind from an encoded head with
/// [`Node::keyed`]. A node takes five words if a leaf takes at most four.
///
/// [`Flatten`](crate::dynamic::Flatten) flattens a node in one pass. A node is also a
/// [`Structure`](crate::tree::Structure), so the free functions accept it, and it can be a field of a typed tree.
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
    /// [`Error::Arity`] if the number of children is not that of the head, or if the head is that of a leaf.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::head::head_into;
    /// use treedef::{Node, head, structure_into};
    ///
    /// let mut bytes = [0; 32];
    /// let pid = head::Struct { name: "Pid", fields: &["kp", "ki"], meta: &[] };
    /// let head = head_into(&pid, &mut bytes)?;
    /// let gains = [Node::Leaf(1.0f32), Node::Leaf(0.1)];
    /// let node = Node::keyed(head, &gains)?;
    /// let mut bytes = [0; 32];
    /// let def = structure_into(&node, &mut bytes)?;
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
            Node::Tuple(children) => write!(f, "Tuple({} children)", Shown(children.len())),
            Node::List(children) => write!(f, "List({} children)", Shown(children.len())),
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
        let (order, sorted) = match self.__label.0 {
            Order::Sorted(_) => ([].as_slice(), children),
            Order::Permuted(permuted) => (permuted.order, [].as_slice()),
        };
        order.iter().filter_map(move |index| children.get(*index as usize)).chain(sorted)
    }
}

impl<L> fmt::Debug for Keyed<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.__children.len();
        write!(f, "{:?}({} children)", self.head().kind(), Shown(count))
    }
}

/// An encoded head and the order of the children: two words. It is a part of [`Keyed`]; [`Node::keyed`] has an example.
#[derive(Clone, Copy)]
pub struct Label<'a>(Order<'a>);

#[derive(Clone, Copy)]
enum Order<'a> {
    /// The children are in the order of the keys.
    Sorted(&'a [u8]),
    /// The children are in another order: that of a literal in the source.
    Permuted(&'a Permuted<'a>),
}

/// An encoded head, and the index of the child for each of its keys.
#[derive(Clone, Copy)]
pub struct Permuted<'a> {
    pub(crate) head: &'a [u8],
    pub(crate) order: &'a [u32],
}

impl<'a> Label<'a> {
    /// Makes a label of a valid head whose children are in the order of the keys.
    pub(crate) const fn sorted(head: &'a [u8]) -> Self {
        Self(Order::Sorted(head))
    }

    /// Makes a label of a valid head with a valid order.
    pub(crate) const fn permuted(permuted: &'a Permuted<'a>) -> Self {
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

    /// Whether two labels are known to be equal. Labels with another order of children are not compared.
    #[inline]
    fn is_seen_as(&self, other: &Self) -> bool {
        match (self.0, other.0) {
            (Order::Sorted(own), Order::Sorted(their)) => {
                ptr::eq(own, their)
                    || if SMALL_CODE { equal(own, their) } else { equal_short(own, their) }
            }
            _ => false,
        }
    }

    /// Whether the labels are not seen to be different at once.
    #[inline]
    fn can_be(&self, other: &Self) -> bool {
        match (self.0, other.0) {
            (Order::Sorted(own), Order::Sorted(their)) => {
                own.len() == their.len()
                    && (SMALL_CODE || own.last_chunk::<8>() == their.last_chunk())
            }
            _ => true,
        }
    }

    fn head(&self) -> Head<'a> {
        match read_item(self.as_bytes()) {
            Ok((Item::Node(head), _)) => head,
            _ => Head::NONE,
        }
    }
}

impl fmt::Debug for Label<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.head().fmt(f)
    }
}

/// One level of a node as a [`HeadSpec`]. An encoded head is copied and not parsed.
pub(crate) struct OneLevel<'n, L>(pub(crate) &'n Node<'n, L>);

impl<'n, L> OneLevel<'n, L> {
    /// Returns the children as they are stored.
    #[inline]
    pub(crate) fn children(&self) -> &'n [Node<'n, L>] {
        match self.0 {
            Node::Leaf(_) | Node::None => &[],
            Node::Some(child) => slice::from_ref(child),
            Node::Tuple(children) | Node::List(children) => children,
            Node::Keyed(keyed) => keyed.__children,
        }
    }

    /// Returns the order of the children, if it is not the order of the keys.
    #[inline]
    pub(super) fn permuted(&self) -> Option<&'n Permuted<'n>> {
        match self.0 {
            Node::Keyed(Keyed { __label: Label(Order::Permuted(permuted)), .. }) => Some(permuted),
            _ => None,
        }
    }
}

impl<L> Sealed for OneLevel<'_, L> {}

impl<L> HeadSpec for OneLevel<'_, L> {
    #[inline]
    fn arity(&self) -> usize {
        self.children().len()
    }

    #[inline]
    fn check(&self) -> Result<(), Error> {
        Ok(())
    }

    #[inline]
    fn pieces(&self, put: &mut impl FnMut(&[u8]) -> Result<(), Stop>) -> Result<(), Stop> {
        match self.0 {
            Node::Leaf(_) => put(Head::LEAF.as_bytes()),
            Node::None => put(Head::NONE.as_bytes()),
            Node::Some(_) => put(Head::SOME.as_bytes()),
            Node::Tuple(children) => heading::Tuple(children.len()).pieces(put),
            Node::List(children) => heading::List(children.len()).pieces(put),
            Node::Keyed(keyed) => put(keyed.__label.as_bytes()),
        }
    }

    #[inline]
    fn __known(&self) -> Option<Known<'_>> {
        Some(match self.0 {
            Node::None => Known::Counted(head::EXT, head::EXT_NONE.into()),
            Node::Tuple(children) => Known::Counted(head::TUPLE, children.len()),
            Node::List(children) => Known::Counted(head::LIST, children.len()),
            // Small code writes them in pieces, so that the walk of nodes needs less stack.
            _ if SMALL_CODE => return None,
            Node::Leaf(_) => Known::Bytes(Head::LEAF.as_bytes()),
            Node::Some(_) => Known::Bytes(Head::SOME.as_bytes()),
            Node::Keyed(keyed) => Known::Bytes(keyed.__label.as_bytes()),
        })
    }
}

impl<L> Entry for OneLevel<'_, L> {
    fn entries(&self) -> impl Iterator<Item = KeyEntry<'_>> {
        match self.0 {
            Node::Keyed(keyed) => keyed.head().entries(),
            Node::Some(_) => Head::SOME.entries(),
            _ => Entries::positions(self.arity()),
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
            Node::Keyed(keyed) => open.node(&OneLevel(self), keyed.children()),
            _ => open.node(&OneLevel(self), OneLevel(self).children()),
        }
    }

    #[inline]
    fn as_leaf(self) -> Option<&'n L> {
        Node::as_leaf(self)
    }

    const __FIXED: bool = true;

    #[inline]
    fn __walk<E, R, K, T>(self, at: At<'_, '_, E, R, K, T>, levels: u32) -> bool
    where
        E: Encode,
        R: Rule<Self>,
        K: Leaves<R::Item>,
        T: Laid,
    {
        match self {
            Node::Leaf(leaf) => at.take(self, leaf),
            // In a function of its own, it takes a quarter of the instructions.
            Node::None if !SMALL_CODE => at.walk.none(self, at.list),
            _ if SMALL_CODE || R::ASKS => walk_any(self, at, levels),
            _ => {
                let At { walk, list, .. } = at;
                walk.out.flush(list, walk.leaves.count()) && walk_next(self, walk, list, levels)
            }
        }
    }

    #[inline]
    fn __can_repeat(self, before: Self) -> bool {
        mem::discriminant(self) == mem::discriminant(before)
            && match (self, before) {
                (Node::Keyed(own), Node::Keyed(their)) => own.__label.can_be(&their.__label),
                _ => OneLevel(self).children().len() == OneLevel(before).children().len(),
            }
    }

    #[inline]
    fn __repeats<S>(
        self,
        before: Self,
        state: &mut S,
        seen: impl Fn(&mut S, Self, Option<&'n L>) + Copy,
    ) -> bool {
        same_branch(self, before, state, seen)
    }
}

/// Walks over a node that is no leaf, as over any object.
#[inline(never)]
fn walk_any<'n, L, E, R, K, T>(
    branch: &'n Node<'n, L>,
    at: At<'_, '_, E, R, K, T>,
    mut levels: u32,
) -> bool
where
    E: Encode,
    R: Rule<&'n Node<'n, L>>,
    K: Leaves<R::Item>,
    T: Laid,
{
    if SMALL_CODE && matches!(branch, Node::None) {
        if at.walk.takes_none(branch) {
            return true;
        }
        levels = LEVELS_OF_NONE;
    }
    // A single call for all kinds, so that the function is compiled once.
    let (node, mut next) = (OneLevel(branch), 0);
    let first = || match node.permuted() {
        None => node.children().iter(),
        Some(_) => [].iter(),
    };
    let more = || {
        let child = permuted_child(branch, next)?;
        next = next.wrapping_add(1);
        Some(slice::from_ref(child).iter())
    };
    at.enter(&node, first, more, true, levels)
}

/// Returns the child for the key with this index, if the node has its children in another order. Returns `None` for all
/// other nodes.
#[inline(never)]
fn permuted_child<'n, L>(node: &'n Node<'n, L>, index: usize) -> Option<&'n Node<'n, L>> {
    let at = OneLevel(node).permuted()?.order.get(index)?;
    OneLevel(node).children().get(*at as usize)
}

/// Whether two nodes are known to have the same structure. `seen` is called with what the first contains, up to the
/// first difference.
///
/// The recursion is bounded: it goes no deeper than `other`, which was already walked within the bound of depth. Two
/// kinds of node count as different: those with another order of children, which only literals have, and `Some`, which
/// is rare.
#[inline(never)]
fn same_branch<'n, L, S>(
    node: &'n Node<'n, L>,
    other: &'n Node<'n, L>,
    state: &mut S,
    seen: impl Fn(&mut S, &'n Node<'n, L>, Option<&'n L>) + Copy,
) -> bool {
    let (children, others): (&[_], &[_]) = match (node, other) {
        (Node::Tuple(children), Node::Tuple(others))
        | (Node::List(children), Node::List(others)) => (children, others),
        (Node::Keyed(keyed), Node::Keyed(other)) if keyed.__label.is_seen_as(&other.__label) => {
            (keyed.__children, other.__children)
        }
        _ => return false,
    };
    if children.len() != others.len() {
        return false;
    }
    seen(state, node, None);
    children.iter().zip(others).all(|(child, other)| match (child, other) {
        (Node::Leaf(own), Node::Leaf(_)) => {
            seen(state, child, Some(own));
            true
        }
        (Node::None, Node::None) => {
            seen(state, child, None);
            true
        }
        _ => same_branch(child, other, state, seen),
    })
}
