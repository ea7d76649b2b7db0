//! Where this crate tells two structures apart that JAX calls equal: rules on the two trees alone.

use super::corpus::Tree;
use super::value::Value;

/// How two trees are compared.
#[derive(Clone, Copy)]
struct Comparison {
    /// Whether values that Python calls equal are, whatever their types: `1 == True == 1.0`, `0.0 == -0.0`.
    python_values: bool,
    /// Whether two dataclasses of different types can be equal.
    any_dataclass: bool,
    /// Whether the leaves have to be the same ones.
    leaves: bool,
}

/// Structures as this crate has them: every type and every bit counts.
const STRICT: Comparison = Comparison { python_values: false, any_dataclass: false, leaves: false };
/// Values as Python has them, types as they are.
const PYTHON: Comparison = Comparison { python_values: true, any_dataclass: false, leaves: false };
/// As jax 0.10.2 has them.
const JAX: Comparison = Comparison { python_values: true, any_dataclass: true, leaves: false };

/// Whether two trees are the same, their leaves included; entries of a dict in any order.
pub fn same_tree(a: &Tree, b: &Tree) -> bool {
    Comparison { leaves: true, ..STRICT }.trees(a, b)
}

/// Whether two structures that Python rightly calls equal differ in the type (or the sign of zero) of a key or of
/// metadata.
pub fn python_equal_but_distinct(a: &Tree, b: &Tree) -> bool {
    PYTHON.trees(a, b) && !STRICT.trees(a, b)
}

/// Whether only jax's oversight makes two structures equal: it does not compare the classes of dataclass nodes.
pub fn jax_dataclass_bug(a: &Tree, b: &Tree) -> bool {
    JAX.trees(a, b) && !PYTHON.trees(a, b)
}

impl Comparison {
    /// Whether two structures are equal.
    fn trees(self, a: &Tree, b: &Tree) -> bool {
        match (a, b) {
            (Tree::Leaf(a), Tree::Leaf(b)) => a == b || !self.leaves,
            (Tree::None, Tree::None) => true,
            (Tree::Tuple(a), Tree::Tuple(b)) | (Tree::List(a), Tree::List(b)) => {
                self.children(a, b)
            }
            (Tree::Dict(a), Tree::Dict(b)) => self.unordered(a, b),
            (Tree::OrderedDict(a), Tree::OrderedDict(b)) => self.ordered(a, b),
            (
                Tree::DefaultDict { factory: f, items: a },
                Tree::DefaultDict { factory: g, items: b },
            ) => f == g && self.unordered(a, b),
            (
                Tree::NamedTuple { class: c, children: a },
                Tree::NamedTuple { class: d, children: b },
            ) => c == d && self.children(a, b),
            (
                Tree::Custom { class: c, aux: x, children: a },
                Tree::Custom { class: d, aux: y, children: b },
            ) => c == d && self.values(x, y) && self.children(a, b),
            (
                Tree::Dataclass { class: c, meta: x, children: a },
                Tree::Dataclass { class: d, meta: y, children: b },
            ) => {
                let same_meta =
                    x.len() == y.len() && x.iter().zip(y).all(|(x, y)| self.values(x, y));
                (c == d || self.any_dataclass) && same_meta && self.children(a, b)
            }
            // The class `Static` compares the types of its values, too.
            (Tree::Static(a), Tree::Static(b)) => a.same_type(b) && self.values(a, b),
            (Tree::Deque { maxlen: m, children: a }, Tree::Deque { maxlen: n, children: b }) => {
                m == n && self.children(a, b)
            }
            (
                Tree::StructSeq { name: m, children: a, .. },
                Tree::StructSeq { name: n, children: b, .. },
            ) => m == n && self.children(a, b),
            _ => false,
        }
    }

    /// Whether two lists of children are equal.
    fn children(self, a: &[Tree], b: &[Tree]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.trees(a, b))
    }

    /// Whether two ordered dicts have equal entries in the same order.
    fn ordered(self, a: &[(Value, Tree)], b: &[(Value, Tree)]) -> bool {
        let equal = |((k, a), (l, b)): (&(Value, Tree), &(Value, Tree))| {
            self.values(k, l) && self.trees(a, b)
        };
        a.len() == b.len() && a.iter().zip(b).all(equal)
    }

    /// Whether two dicts have equal entries; within each, the keys are distinct.
    fn unordered(self, a: &[(Value, Tree)], b: &[(Value, Tree)]) -> bool {
        let partner = |key| b.iter().find(|(k, _)| self.values(key, k));
        a.len() == b.len()
            && a.iter().all(|(key, a)| partner(key).is_some_and(|(_, b)| self.trees(a, b)))
    }

    /// Whether two keys, or two pieces of metadata, are equal.
    fn values(self, a: &Value, b: &Value) -> bool {
        if self.python_values { a.python_eq(b) } else { a == b }
    }
}
