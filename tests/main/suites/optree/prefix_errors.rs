//! `test_prefix_errors.py`.
//!
//! Where optree says "different pytree keys", the kind is that of JAX: other keys are metadata, more or fewer children.
//! `DIFFERENCE`: dictionaries of another kind, another order, or another default factory are different nodes here, as
//! for JAX, and so is all metadata, such as the bound of a deque; each has an error where optree has none.

use treedef::diff::DifferenceKind as Kind;
use treedef::diff::DifferenceKind::{Children, Length, Metadata, Type};
use treedef::dynamic::Flatten;
use treedef::head::{ChildKey, DictKind};
use treedef::{KeyEntry, Value, head};

use super::trees::cases;
use super::types::{custom_tuple, deque, optree_flat_cache, struct_time};
use crate::suites::model::{
    Tree, custom, defaultdict, flatten, flatten_nones, list, map, ordered, py, structure, tuple,
    unflatten,
};
use crate::suites::trees::integer_dict;

/// Sees that there are these errors and no others.
#[track_caller]
fn errors<const N: usize>(prefix: Tree, full: Tree, expected: [(Kind, &str); N]) {
    crate::suites::jax::prefix_errors::errors(&prefix, &full, &expected);
}

#[test]
fn different_types() {
    errors(py!((1, 2)), py!([1, 2]), [(Type, "")]);
    errors(py!({"a": 1, "b": 2}), py!([1, 2]), [(Type, "")]);
    let other = ordered([("a", py!(1)), ("b", py!([2, 3]))]);
    errors(py!({"a": 1, "b": 2}), other, [(Type, "")]);
    let other = defaultdict("int", [("a", py!(1)), ("b", py!([2, 3]))]);
    errors(py!({"a": 1, "b": 2}), other, [(Type, "")]);
}

#[test]
fn different_types_nested() {
    errors(py!(((1,), (2,))), py!(([3], (4,))), [(Type, "[0]")]);
    let (prefix, full) = (py!({"a": 1, "b": None}), py!({"a": 1, "b": 2}));
    let (_, leaf) = flatten_nones(&prefix);
    assert_eq!(leaf.prefix_errors(flatten_nones(&full).1).count(), 0);
    errors(prefix, full, [(Type, "['b']")]);
}

#[test]
fn different_types_multiple() {
    errors(py!(((1,), (2,))), py!(([3], [4])), [(Type, "[0]"), (Type, "[1]")]);
}

#[test]
fn different_num_children() {
    errors(py!((1,)), py!((2, 3)), [(Length, "")]);
}

#[test]
fn different_num_children_nested() {
    errors(py!([[1]]), py!([[2, 3]]), [(Length, "[0]")]);
}

#[test]
fn different_num_children_multiple() {
    errors(py!([[1], [2]]), py!([[3, 4], [5, 6]]), [(Length, "[0]"), (Length, "[1]")]);
}

#[test]
fn different_metadata() {
    errors(integer_dict([(1, py!(2))]), integer_dict([(3, py!(4))]), [(Metadata, "")]);
    let prefix = || ordered([("a", py!(1)), ("b", py!(2))]);
    errors(prefix(), ordered([("a", py!(3)), ("c", py!(4))]), [(Metadata, "")]);
    errors(prefix(), ordered([("a", py!(3))]), [(Children, "")]);
    let more = ordered([("a", py!(3)), ("b", py!(4)), ("c", py!(5))]);
    errors(prefix(), more, [(Children, "")]);

    let turned = || ordered([("b", py!([5, [6]])), ("a", py!(4))]);
    errors(prefix(), turned(), [(Metadata, "")]);
    errors(turned(), py!({"a": 4, "b": [5, [6]]}), [(Type, "")]);
    let of = |factory, b| defaultdict(factory, [("b", b), ("a", py!(4))]);
    errors(of("list", py!([2, 3])), of("set", py!([5, [6]])), [(Metadata, "")]);
    errors(of("list", py!([2, 3])), of("list", py!([5, [6]])), []);
    errors(py!({"a": 1, "b": [2, 3]}), of("list", py!([5, [6]])), [(Type, "")]);
    errors(py!({"a": 1, "b": [2, 3]}), py!({"b": [5, [6]], "a": 4}), []);
    let three = |maxlen| deque(maxlen, [py!(3), py!([4, 5])]);
    errors(deque(None, [py!(1), py!(2)]), three(None), []);
    errors(deque(None, [py!(1), py!(2)]), three(Some(3)), [(Metadata, "")]);

    let (prefix, full) = (optree_flat_cache(&py!([None, 1])), optree_flat_cache(&py!(1)));
    errors(prefix, full, [(Metadata, "")]);
}

/// Sorted dictionaries cannot have such keys (`DIFFERENCE`); where the keys have an order of their own, each is told.
#[test]
fn different_metadata_heterogeneous_keys() {
    let keys = |number, text| [Value::Int(number), Value::Str(text)];
    let unsorted = crate::suites::model::dict(keys(1, "a").map(|key| (key, py!(0))));
    assert!(Flatten::new().structure_bound(&unsorted).is_err());

    let of = |number, text| {
        Tree::new(&head::Dict::new(DictKind::Ordered, keys(number, text)), [py!(0), py!(0)])
    };
    errors(of(1, "a"), of(2, "b"), [(Metadata, "")]);
    let (prefix, full) = (structure(&of(1, "a")), structure(&of(2, "b")));
    let error = prefix.prefix_errors(full).next().unwrap().unwrap();
    assert!(error.missing().eq(keys(1, "a").map(KeyEntry::Key)));
    assert!(error.unexpected().eq(keys(2, "b").map(KeyEntry::Key)));
    assert_eq!(error.to_string(), "at the root: missing keys 1, 'a' and unexpected keys 2, 'b'");
}

#[test]
fn different_metadata_nested() {
    let (prefix, full) = (integer_dict([(1, py!(2))]), integer_dict([(3, py!(4))]));
    errors(py!([(prefix)]), py!([(full)]), [(Metadata, "[0]")]);
}

#[test]
fn different_metadata_multiple() {
    let of = |key, leaf| integer_dict([(key, Tree::from(leaf))]);
    let (prefix, full) = (py!([(of(1, 2)), (of(3, 4))]), py!([(of(3, 4)), (of(5, 6))]));
    errors(prefix, full, [(Metadata, "[0]"), (Metadata, "[1]")]);
}

/// The tree with the entries of every dictionary inserted the other way round.
fn turned(tree: &Tree) -> Tree {
    match tree {
        Tree::Node(head, children) => Tree::Node(*head, children.iter().map(turned).collect()),
        Tree::Dict(entries) => {
            Tree::Dict(entries.iter().rev().map(|(key, child)| (*key, turned(child))).collect())
        }
        leaf => leaf.clone(),
    }
}

/// In which order the entries of a plain dictionary were inserted is no matter.
#[test]
fn standard_dictionary() {
    for case in cases() {
        let mut count = 0;
        let suffix = unflatten(
            case.def,
            case.leaves.into_iter().map(|x| {
                count += 1;
                match count % 5 {
                    0 => x,
                    1 => tuple([x]),
                    2 => list([x.clone(), x]),
                    3 => tuple([x.clone(), list([x])]),
                    _ => py!({"a": (x.clone()), "b": [(x)]}),
                }
            }),
        );
        let flat = if case.none_is_leaf { flatten_nones } else { flatten };
        let (_, prefix) = flat(&turned(&case.tree));
        let (_, full) = flat(&turned(&suffix));
        assert_eq!(prefix.check_prefix_of(full), Ok(()));
        assert_eq!(prefix.prefix_errors(full).count(), 0);
    }
}

#[test]
fn namedtuple() {
    let (prefix, full) = (custom_tuple(py!(1), py!([2, [3]])), custom_tuple(py!(4), py!([5, 6])));
    errors(prefix, full, [(Type, ".bar[1]")]);
}

#[test]
fn structseq() {
    let prefix = struct_time(py!((1, [2, [3]], 0, 1, 2, 3, 4, 5, 6)));
    let full = struct_time(py!((4, [5, 6], 0, 1, 2, 3, 4, 5, 6)));
    errors(prefix, full, [(Type, ".tm_mon[1]")]);
}

#[test]
fn fallback() {
    let vector = |x, y| custom("Vector2D", Value::None, None, [x, y]);
    let (prefix, full) = (vector(py!(1), py!([2])), vector(py!(3), py!(4)));
    errors(prefix, full, [(Type, "[<flat index 1>]")]);
}

#[test]
fn no_errors() {
    errors(py!((1, 2)), py!(((11, 12, 13), 2)), []);
    errors(py!({"a": 1, "b": 2}), py!({"b": (11, 12, 13), "a": 2}), []);
}

/// `DIFFERENCE`: the keys of its children are part of a node, and other keys are an error.
#[test]
fn no_errors_for_custom_node_with_value_dependent_entries() {
    let tagged = |tags: &[&'static str], children: Vec<Tree>| {
        let tags: Vec<_> = tags.iter().map(|tag| ChildKey::Key(Value::Str(tag))).collect();
        custom("Tagged", Value::None, Some(&tags), children)
    };
    let prefix = || tagged(&["x", "y"], vec![py!(1), py!(2)]);
    errors(prefix(), map(&prefix(), |x| tuple([x.clone(), x])), []);
    errors(prefix(), tagged(&["p", "q"], vec![py!((1, 1)), py!((2, 2))]), [(Metadata, "")]);
    errors(prefix(), tagged(&["x", "y", "z"], vec![py!(1), py!(2), py!(3)]), [(Children, "")]);
}

#[test]
fn different_structure_no_children() {
    errors(py!(()), py!(([],)), [(Length, "")]);
    errors(py!({}), py!({"a": []}), [(Children, "")]);
}
