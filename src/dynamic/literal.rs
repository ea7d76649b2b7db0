//! Defines the literals `tree!` and `treedef!`, and the code that evaluates them at compile time.

use crate::base::attempt::ok;
use crate::base::bytes::less;
use crate::base::error::Error;
pub use crate::dynamic::node::Permuted;
use crate::dynamic::node::{Label, Node, OneLevel};
use crate::encode::treedef_buf::TreeDefBuf;
use crate::encode::writer::Writer;

/// Makes a [`Node`](crate::Node) from a tree literal, in `const` or on the stack, without a heap.
///
/// Lists, tuples, `None` and dictionaries with string literals as keys look as in Python. Every other expression is a
/// leaf. Keys can be in any order; two equal keys do not compile. Leaves are evaluated in the order of the source. As
/// in Rust, `(x,)` is a tuple and `(x)` is `x`. The heads are constants in flash.
///
/// A literal lives as long as the variable it is bound to: `let t = tree!(..)`. If a level has more than about a
/// hundred elements, raise `#![recursion_limit]`.
///
/// # Examples
///
/// ```
/// use treedef::dynamic::Flatten;
/// use treedef::{Node, tree};
///
/// const TREE: Node<'static, i32> = tree!([1, {"k1": 2, "k2": (3, 4)}, 5]);
/// let (mut bytes, mut leaves) = ([0; 16], [0; 5]);
/// let (def, _) = Flatten::new().flatten_into(&TREE, &mut bytes, &mut leaves)?;
/// assert_eq!(def.as_bytes(), [0x43, 0x00, 0x62, 6, 2, b'k', b'1', 2, b'k', b'2', 0x00, 0x22, 0x01, 0x00]);
/// assert_eq!(leaves, [1, 2, 3, 4, 5]);
///
/// let gain = leaves.iter().sum::<i32>();
/// let tree = tree!({"w": (gain, -gain), "b": None});
/// assert_eq!(Flatten::new().num_leaves(&tree)?, 2);
/// # Ok::<(), treedef::Error>(())
/// ```
///
/// ```compile_fail
/// let tree = treedef::tree!({"a": 1, "a": 2}); // two keys of this dictionary are equal
/// ```
#[macro_export]
macro_rules! tree {
    ($($tree:tt)+) => { $crate::__tree!(@tree $($tree)+) };
}

/// Makes a treedef from a literal in the notation of JAX's text, with string literals as keys. The treedef is a
/// constant; its bytes are in flash.
///
/// # Examples
///
/// ```
/// use treedef::{TreeDef, treedef};
///
/// const DEF: TreeDef<'static> = treedef!([*, {"a": (*, *)}, None]);
/// assert_eq!(DEF.as_bytes(), [0x43, 0x00, 0x61, 2, 1, b'a', 0x22, 0x01, 0xC0]);
/// assert_eq!(DEF.num_leaves(), 3);
/// ```
#[macro_export]
macro_rules! treedef {
    ($($tree:tt)+) => {
        const {
            const TREE: $crate::Node<'static, ()> = $crate::__tree!(@tree $($tree)+);
            const ROOM: ::core::primitive::usize = $crate::__private::treedef_bound(&TREE);
            const WRITTEN: $crate::TreeDefBuf<ROOM> = match $crate::__private::write(&TREE) {
                ::core::result::Result::Ok(def) => def,
                ::core::result::Result::Err(_) => ::core::panic!("this treedef is deeper than 64 levels"),
            };
            // The program holds only the bytes that are used.
            const DEF: &$crate::TreeDefBuf<{ WRITTEN.as_treedef().as_bytes().len() }> =
                &match $crate::TreeDefBuf::from_treedef(WRITTEN.as_treedef()) {
                    ::core::result::Result::Ok(def) => def,
                    ::core::result::Result::Err(_) => ::core::panic!("this treedef changed its length"),
                };
            DEF.as_treedef()
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __tree {
    (@tree None) => { $crate::Node::None };
    (@tree *) => { $crate::Node::Leaf(()) };
    (@tree [$($inner:tt)*]) => { $crate::__tree!(@items List [] $($inner)*) };
    (@tree {$($inner:tt)*}) => { $crate::__tree!(@dict {} [] $($inner)*) };
    (@tree ()) => { $crate::Node::Tuple(&[]) };
    (@tree ($($inner:tt)+)) => { $crate::__tree!(@items Paren [] $($inner)+) };
    (@tree $leaf:expr) => { $crate::Node::Leaf($leaf) };

    // Parentheses around one element without a comma make no tuple.
    (@items Paren [$one:expr,]) => { $one };
    (@items Paren [] $($items:tt)*) => { $crate::__tree!(@item Paren [] $($items)*) };
    (@items $kind:ident [$($done:expr,)*]) => { $crate::Node::$kind(&[$($done),*]) };
    (@items $kind:ident [$($done:expr,)*] $($items:tt)+) => {
        $crate::__tree!(@item $kind [$($done,)*] $($items)+)
    };

    // A literal, a name, `*`, and what is in brackets of any kind are one token; other expressions are leaves.
    (@item $kind:tt [$($done:expr,)*] $one:tt $(, $($rest:tt)*)?) => {
        $crate::__tree!(@next $kind [$($done,)* $crate::__tree!(@tree $one),] $(, $($rest)*)?)
    };
    (@item $kind:tt [$($done:expr,)*] $leaf:expr $(, $($rest:tt)*)?) => {
        $crate::__tree!(@next $kind [$($done,)* $crate::Node::Leaf($leaf),] $(, $($rest)*)?)
    };

    // The first comma inside parentheses makes a tuple.
    (@next Paren $done:tt , $($rest:tt)*) => { $crate::__tree!(@items Tuple $done $($rest)*) };
    (@next Paren [$one:expr,]) => { $one };
    (@next {$($key:literal,)*} $done:tt $(, $($rest:tt)*)?) => {
        $crate::__tree!(@dict {$($key,)*} $done $($($rest)*)?)
    };
    (@next $kind:ident $done:tt $(, $($rest:tt)*)?) => {
        $crate::__tree!(@items $kind $done $($($rest)*)?)
    };

    (@dict {$($key:literal,)*} $done:tt $new:literal : $($rest:tt)+) => {
        $crate::__tree!(@item {$($key,)* $new,} $done $($rest)+)
    };
    (@dict {$($key:literal,)*} [$($done:expr,)*]) => {
        $crate::Node::Keyed($crate::dynamic::Keyed {
            __label: const {
                const KEYS: &[&::core::primitive::str] = &[$($key),*];
                const SORTED: ([&::core::primitive::str; KEYS.len()], [::core::primitive::u32; KEYS.len()]) = match $crate::__private::sort(&[$($key),*]) {
                    ::core::option::Option::Some(sorted) => sorted,
                    ::core::option::Option::None => ::core::panic!("two keys of this dictionary are equal"),
                };
                const LEN: ::core::primitive::usize = $crate::__private::dict_len(&SORTED.0);
                const DICT: &$crate::__private::Permuted<'static> = &$crate::__private::Permuted {
                    head: &$crate::__private::dict_head::<LEN>(&SORTED.0),
                    order: &SORTED.1,
                };
                $crate::__private::label(DICT)
            },
            __children: &[$($done),*],
        })
    };
}

/// Returns the keys in sorted order, and the index of each in `keys`, or `None` if two are equal.
#[must_use]
pub const fn sort<'k, const N: usize>(keys: &[&'k str; N]) -> Option<([&'k str; N], [u32; N])> {
    let (mut sorted, mut order) = ([""; N], [0; N]);
    let (mut slots, mut places) = (sorted.as_mut_slice(), order.as_mut_slice());
    let mut last = None;
    while let ([slot, slots_left @ ..], [place, places_left @ ..]) = (slots, places) {
        // If no remaining key is greater than the last one, the last one is there twice.
        let Some((key, index)) = least_above(last, keys) else { return None };
        (*slot, *place, last) = (key, index, Some(key));
        (slots, places) = (slots_left, places_left);
    }
    Some((sorted, order))
}

/// Returns the least of the keys that are greater than `floor`, and its index.
const fn least_above<'k>(floor: Option<&str>, mut keys: &[&'k str]) -> Option<(&'k str, u32)> {
    let (mut least, mut index): (Option<(&str, u32)>, u32) = (None, 0);
    while let [key, rest @ ..] = keys {
        let above = match floor {
            Some(floor) => less(floor.as_bytes(), key.as_bytes()),
            None => true,
        };
        let below = match least {
            Some((least, _)) => less(key.as_bytes(), least.as_bytes()),
            None => true,
        };
        if above && below {
            least = Some((key, index));
        }
        (keys, index) = (rest, index.wrapping_add(1));
    }
    least
}

/// Returns the length of a dictionary's head in bytes.
#[must_use]
pub const fn dict_len(keys: &[&str]) -> usize {
    let mut out = Writer::count();
    _ = out.begin_dict(keys);
    out.len()
}

/// Returns a dictionary's head. `keys` are sorted, and `LEN` is the result of [`dict_len`].
#[must_use]
pub const fn dict_head<const LEN: usize>(keys: &[&str]) -> [u8; LEN] {
    let mut head = [0; LEN];
    _ = Writer::new(&mut head).begin_dict(keys);
    head
}

/// Returns the label of a node with this head and order.
#[must_use]
pub const fn label<'a>(dict: &'a Permuted<'a>) -> Label<'a> {
    Label::permuted(dict)
}

/// Describes a node. Works in `const`.
const fn describe<L>(node: &Node<'_, L>, out: &mut Writer<'_>) {
    let OneLevel { head, children, order, .. } = OneLevel::of(node);
    let begun = match node {
        Node::Leaf(_) => return out.leaves(1),
        Node::None => return out.none(),
        Node::Tuple(_) => out.begin_tuple(children.len()),
        Node::List(_) => out.begin_list(children.len()),
        Node::Some(_) | Node::Keyed(_) => out.begin_encoded(head, children.len()),
    };
    if !begun.is_open() {
        return;
    }
    if let Some(mut order) = order {
        while let [index, after @ ..] = order {
            if let Some((_, [child, ..])) = children.split_at_checked(*index as usize) {
                describe(child, out);
            }
            order = after;
        }
    } else {
        let mut rest = children;
        while let [child, after @ ..] = rest {
            describe(child, out);
            rest = after;
        }
    }
    out.end(begun);
}

/// Returns a number of bytes that is enough for [`write()`]; 0 if the node is too deep.
#[must_use]
pub const fn treedef_bound<L>(node: &Node<'_, L>) -> usize {
    let mut out = Writer::count();
    describe(node, &mut out);
    match out.finish_len() {
        Ok(bytes) => bytes,
        Err(_) => 0,
    }
}

/// Writes the structure of a node.
///
/// # Errors
///
/// [`Error::TooDeep`]; [`Error::Full`] if `N` is less than [`treedef_bound`].
pub const fn write<L, const N: usize>(node: &Node<'_, L>) -> Result<TreeDefBuf<N>, Error> {
    let mut bytes = [0; N];
    let mut out = Writer::new(&mut bytes);
    describe(node, &mut out);
    let sizes = ok!(out.finish_sizes());
    Ok(TreeDefBuf::of(bytes, sizes))
}
