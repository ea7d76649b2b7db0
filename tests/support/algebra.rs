//! The algebra of structures on plain trees, each operation as it is defined: by recursion, with copies, however slow.
//!
//! A path is the indices of the children on the way down. Two nodes are the *same node* if they differ in nothing but
//! what stands below them.

use super::def::Def;
use std::ops::Range;

/// A place where two structures part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference<'d> {
    /// The way to it, in both.
    pub path: Vec<usize>,
    /// What the first has there.
    pub left: &'d Def,
    /// What the second has there.
    pub right: &'d Def,
}

/// Which places are differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// All where two nodes are not the same.
    Equal,
    /// Those where the first does not have a leaf.
    Prefix,
}

/// A part of a full tree that a leaf of its prefix stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part<'d> {
    /// Its structure.
    pub def: &'d Def,
    /// Its leaves among those of the full tree.
    pub leaves: Range<usize>,
}

/// Whether two nodes differ in nothing but what stands below them.
pub fn same_node(a: &Def, b: &Def) -> bool {
    use Def::{
        Custom, DefaultDict, Dict, Leaf, List, NamedTuple, None, OrderedDict, Some, Struct, Tuple,
    };
    let own = match (a, b) {
        (Leaf, Leaf)
        | (None, None)
        | (Some(_), Some(_))
        | (Tuple(_), Tuple(_))
        | (List(_), List(_)) => true,
        (Dict { keys: a, .. }, Dict { keys: b, .. })
        | (OrderedDict { keys: a, .. }, OrderedDict { keys: b, .. }) => a == b,
        (DefaultDict { factory: f, keys: a, .. }, DefaultDict { factory: g, keys: b, .. }) => {
            (f, a) == (g, b)
        }
        (NamedTuple { name: n, fields: a, .. }, NamedTuple { name: m, fields: b, .. }) => {
            (n, a) == (m, b)
        }
        (
            Struct { name: n, fields: a, meta: s, .. },
            Struct { name: m, fields: b, meta: t, .. },
        ) => (n, a, s) == (m, b, t),
        (
            Custom { name: n, aux: x, child_keys: a, .. },
            Custom { name: m, aux: y, child_keys: b, .. },
        ) => (n, x, a) == (m, y, b),
        _ => false,
    };
    own && a.children().len() == b.children().len()
}

/// The structure with a tree for each leaf, which is asked for by the leaf's index.
pub fn map_leaves(def: &Def, with: &mut impl FnMut(usize) -> Def) -> Def {
    fn go(def: &Def, next: &mut usize, with: &mut impl FnMut(usize) -> Def) -> Def {
        if *def == Def::Leaf {
            *next += 1;
            return with(*next - 1);
        }
        let children = def.children().iter().map(|child| go(child, next, with)).collect();
        def.clone().with_children(children)
    }
    go(def, &mut 0, with)
}

/// `outer` with `inner` in the place of each leaf.
pub fn compose(outer: &Def, inner: &Def) -> Def {
    map_leaves(outer, &mut |_| inner.clone())
}

/// The places where two structures part, from left to right; what stands below one is not looked at.
pub fn differences<'d>(left: &'d Def, right: &'d Def, relation: Relation) -> Vec<Difference<'d>> {
    fn go<'d>(
        left: &'d Def,
        right: &'d Def,
        relation: Relation,
        path: &mut Vec<usize>,
        found: &mut Vec<Difference<'d>>,
    ) {
        if relation == Relation::Prefix && *left == Def::Leaf {
            return;
        }
        if !same_node(left, right) {
            return found.push(Difference { path: path.clone(), left, right });
        }
        for (i, (left, right)) in left.children().iter().zip(right.children()).enumerate() {
            path.push(i);
            go(left, right, relation, path, found);
            path.pop();
        }
    }
    let mut found = Vec::new();
    go(left, right, relation, &mut Vec::new(), &mut found);
    found
}

/// Whether `full` is `prefix` with some tree in the place of each leaf.
pub fn is_prefix(prefix: &Def, full: &Def) -> bool {
    *prefix == Def::Leaf
        || same_node(prefix, full)
            && prefix.children().iter().zip(full.children()).all(|(a, b)| is_prefix(a, b))
}

/// The smallest structure of which both are prefixes.
///
/// # Errors
/// The first place where both have a node and not the same.
pub fn common_suffix<'d>(a: &'d Def, b: &'d Def) -> Result<Def, Difference<'d>> {
    match (a, b) {
        (Def::Leaf, other) | (other, Def::Leaf) => return Ok(other.clone()),
        _ if !same_node(a, b) => {
            return Err(Difference { path: Vec::new(), left: a, right: b });
        }
        _ => {}
    }
    let pairs = a.children().iter().zip(b.children()).enumerate();
    let children = pairs.map(|(i, (a, b))| {
        common_suffix(a, b).map_err(|mut difference| {
            difference.path.insert(0, i);
            difference
        })
    });
    Ok(a.clone().with_children(children.collect::<Result<_, _>>()?))
}

/// The parts of `full` that the leaves of `prefix` stand for, in order.
///
/// # Errors
/// The first place where `prefix` has a node that `full` has not.
pub fn flatten_up_to<'d>(prefix: &'d Def, full: &'d Def) -> Result<Vec<Part<'d>>, Difference<'d>> {
    fn go<'d>(prefix: &Def, full: &'d Def, start: &mut usize, parts: &mut Vec<Part<'d>>) {
        if *prefix == Def::Leaf {
            let end = *start + full.leaves() as usize;
            parts.push(Part { def: full, leaves: *start..end });
            *start = end;
        }
        for (prefix, full) in prefix.children().iter().zip(full.children()) {
            go(prefix, full, start, parts);
        }
    }
    if let Some(first) = differences(prefix, full, Relation::Prefix).into_iter().next() {
        return Err(first);
    }
    let mut parts = Vec::new();
    go(prefix, full, &mut 0, &mut parts);
    Ok(parts)
}

/// For each leaf of `full` the index of the leaf of `prefix` that stands for it.
///
/// # Errors
/// As [`flatten_up_to`].
pub fn broadcast<'d>(prefix: &'d Def, full: &'d Def) -> Result<Vec<usize>, Difference<'d>> {
    let parts = flatten_up_to(prefix, full)?;
    Ok(parts.iter().enumerate().flat_map(|(i, part)| vec![i; part.leaves.len()]).collect())
}

/// `inner` of `outer`s from an `outer` of `inner`s, and for each of its leaves the index of the leaf it was; `None` if
/// `tree` is no `outer` of `inner`s.
pub fn transpose(outer: &Def, inner: &Def, tree: &Def) -> Option<(Def, Vec<usize>)> {
    if *tree != compose(outer, inner) {
        return None;
    }
    let (rows, columns) = (outer.leaves() as usize, inner.leaves() as usize);
    let leaves = (0..columns).flat_map(|column| (0..rows).map(move |row| row * columns + column));
    Some((compose(inner, outer), leaves.collect()))
}

/// The paths of all nodes, in preorder.
pub fn paths(def: &Def) -> Vec<Vec<usize>> {
    let mut paths = vec![Vec::new()];
    for (i, child) in def.children().iter().enumerate() {
        paths.extend(self::paths(child).into_iter().map(|mut path| {
            path.insert(0, i);
            path
        }));
    }
    paths
}
