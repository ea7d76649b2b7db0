//! Predicates, `None` as a leaf, expected treedefs, buffers that are too small.

use super::*;

fn is_tuple(node: &Node<'_, i32>) -> bool {
    node.kind() == Kind::Tuple
}

#[test]
fn a_predicate_makes_whole_subtrees_leaves() {
    // The rows of JAX's own test of tree representations, with `is_leaf` true of tuples.
    let rows: &[(Node<'_, i32>, TreeDef<'_>)] = &[
        (tree!(None), treedef!(None)),
        (tree!((None,)), treedef!(*)),
        (tree!(()), treedef!(*)),
        (tree!([()]), treedef!([*])),
        (tree!((1, 2)), treedef!(*)),
        (tree!(((1, 2), [3, (4, None, 5)])), treedef!(*)),
        (tree!([3]), treedef!([*])),
        (tree!([3, {"a": (1,), "b": None}]), treedef!([*, {"a": *, "b": None}])),
    ];
    for (tree, expected) in rows {
        let options = Flatten::new().is_leaf(is_tuple);
        let mut bytes = [0; 32];
        assert_eq!(options.structure_into(tree, &mut bytes), Ok(*expected));
        assert_eq!(options.matches(tree, *expected), Ok(()));
        assert_eq!(options.num_leaves(tree), Ok(expected.num_leaves()));
        let mut leaves = [Node::None; 4];
        let count = options.flatten_expected(tree, *expected, &mut leaves).unwrap();
        assert_eq!(count, expected.num_leaves());
    }
}

#[test]
fn leaves_are_the_objects_that_counted_as_leaves() {
    let tree = tree!([1, (2, 3), [None]]);
    let mut leaves = [None::<&Node<'_, i32>>; 4];
    let options = Flatten::new().is_leaf(is_tuple).none_is_leaf();
    let mut bytes = [0; 8];
    let (def, count) = options.flatten_into(&tree, &mut bytes, &mut leaves).unwrap();
    assert_eq!((def, count), (treedef!([*, *, [*]]), 3));
    let kinds = leaves.map(|leaf| leaf.map(Node::kind));
    assert_eq!(kinds, [Some(Kind::Leaf), Some(Kind::Tuple), Some(Kind::None), None]);
    assert_eq!(leaves[0].and_then(Node::as_leaf), Some(&1));
}

#[test]
fn predicates_are_asked_from_the_root_downwards() {
    // JAX asks of: the whole, 1, the dict, None (a), (2,) (b), 2, [].
    let tree = tree!([1, {"b": (2,), "a": None}, []]);
    let mut asked = Vec::new();
    let options = Flatten::new().is_leaf(|node: &Node<'_, i32>| {
        asked.push(node.kind());
        false
    });
    assert_eq!(options.num_leaves(&tree), Ok(2));
    let kinds =
        [Kind::List, Kind::Leaf, Kind::Dict, Kind::None, Kind::Tuple, Kind::Leaf, Kind::List];
    assert_eq!(asked, kinds);
}

#[test]
fn paths_tell_where_the_object_stands() {
    let tree = tree!({"b": [1, (2, None)], "a": {"c": 3}});
    let mut paths = Vec::new();
    let options = Flatten::new().is_leaf_at(|path: KeyPath<'_, '_>, _: &Node<'_, i32>| {
        paths.push(path.entries().map(|entry| format!("{entry:?}")).collect::<Vec<_>>());
        path.len() >= 2
    });
    let mut bytes = [0; 32];
    let def = options.structure_into(&tree, &mut bytes).unwrap();
    assert_eq!(def, treedef!({"a": {"c": *}, "b": [*, *]}));
    let key = |key| format!("{:?}", KeyEntry::Key(Value::Str(key)));
    let index = |index| format!("{:?}", KeyEntry::Index(index));
    let expected = [
        vec![],
        vec![key("a")],
        vec![key("a"), key("c")],
        vec![key("b")],
        vec![key("b"), index(0)],
        vec![key("b"), index(1)],
    ];
    assert_eq!(paths, expected);
}

#[test]
fn predicates_and_the_flag_add_up_in_any_order() {
    let tree = tree!([(1, 2), {"a": 3}, None]);
    let dict = |node: &Node<'_, i32>| node.kind() == Kind::Dict;
    let first = |path: KeyPath<'_, '_>, _: &Node<'_, i32>| path.first() == Some(KeyEntry::Index(0));
    assert_eq!(Flatten::new().num_leaves(&tree), Ok(3));
    assert_eq!(Flatten::new().is_leaf_at(first).num_leaves(&tree), Ok(2));
    let either = |path: KeyPath<'_, '_>, node: &Node<'_, i32>| first(path, node) || dict(node);
    assert_eq!(Flatten::new().is_leaf_at(either).num_leaves(&tree), Ok(2));
    assert_eq!(Flatten::new().is_leaf_at(either).none_is_leaf().num_leaves(&tree), Ok(3));
    assert_eq!(Flatten::new().none_is_leaf().is_leaf_at(either).num_leaves(&tree), Ok(3));
    assert_eq!(Flatten::new().none_is_leaf().is_leaf(dict).num_leaves(&tree), Ok(4));
    // A predicate is never lost to a later one.
    let none = |_: &Node<'_, i32>| false;
    let options = Flatten::new().is_leaf_at(first).none_is_leaf().max_depth(9).is_leaf(dict);
    assert_eq!(options.num_leaves(&tree), Ok(3));
    assert_eq!(options.is_leaf(none).num_leaves(&tree), Ok(3));
    assert_eq!(Flatten::new().is_leaf(dict).is_leaf_at(first).num_leaves(&tree), Ok(2));
    assert_eq!(Flatten::new().is_leaf(none).num_leaves(&tree), Ok(3));
    let shallow = Flatten::new().is_leaf(none).max_depth(1);
    assert_eq!(shallow.num_leaves(&tree), Err(Error::TooDeep { limit: 1 }));
}

#[test]
fn all_leaves_asks_each_object() {
    let objects = [Node::Leaf(1), tree!((1, 2))];
    assert_eq!(Flatten::new().all_leaves(&objects), Ok(false));
    assert_eq!(Flatten::new().is_leaf(is_tuple).all_leaves(&objects), Ok(true));
    assert_eq!(Flatten::new().all_leaves(&[] as &[Node<'_, i32>]), Ok(true));
    assert_eq!(Flatten::new().all_leaves(&[tree!({"a": 1})]), Ok(false));
    let map = Config::Map(vec![("a".into(), Config::Number(1))]);
    assert_eq!(Flatten::new().all_leaves([&map]), Ok(false));
    let nones = [Config::Null, Config::Number(1)];
    assert_eq!(Flatten::new().all_leaves(&nones), Ok(false));
    assert_eq!(Flatten::new().none_is_leaf().all_leaves(&nones), Ok(true));
}

#[test]
fn mismatches_name_the_node() {
    let def = treedef!([*, {"a": (*, *)}, None]);
    let cases: &[(Node<'_, i32>, u32)] = &[
        (tree!((1, {"a": (2, 3)}, None)), 0),
        (tree!([1, {"b": (2, 3)}, None]), 2),
        (tree!([1, {"a": [2, 3]}, None]), 3),
        (tree!([1, {"a": (2, None)}, None]), 5),
        (tree!([1, {"a": (2, 3)}, 4]), 6),
        (tree!([1, {"a": (2, 3)}, None, 1]), 0),
    ];
    for (tree, node) in cases {
        let error = Error::Mismatch { node: *node };
        assert_eq!(Flatten::new().matches(tree, def), Err(error), "{node}");
        assert_eq!(Flatten::new().flatten_expected(tree, def, &mut [0; 8]), Err(error), "{node}");
    }
    let tree = tree!([1, {"a": (2, 3)}, None]);
    let error = Flatten::new().flatten_expected(&tree, def, &mut [0; 2]).unwrap_err();
    assert_eq!(error, Error::LeavesFull { needed: 3, room: 2 });
    // Beyond the last slot the structure differs: that is the better answer.
    let tree = tree!([1, {"a": (2, 3)}, 4]);
    let error = Flatten::new().flatten_expected(&tree, def, &mut [0; 2]).unwrap_err();
    assert_eq!(error, Error::Mismatch { node: 6 });
}

#[test]
fn a_full_buffer_says_how_much_it_holds() {
    // Four nested repeats: nodes that repeat their sibling are not written.
    let pair = [Node::Leaf(1), Node::Leaf(2)];
    let a = [Node::Tuple(&pair); 2];
    let b = [Node::List(&a); 2];
    let c = [Node::List(&b); 2];
    let tree = Node::List(&c);
    let needed = Flatten::new().structure_bound(&tree).unwrap();
    for room in 0..needed {
        let mut bytes = vec![0; room];
        let full = Error::Full { room };
        assert_eq!(Flatten::new().structure_into(&tree, &mut bytes), Err(full));
        assert_eq!(Flatten::new().flatten_into(&tree, &mut bytes, &mut [0; 16]), Err(full));
    }
    let (mut bytes, mut leaves) = (vec![0; needed], [0; 16]);
    let (def, _) = Flatten::new().flatten_into(&tree, &mut bytes, &mut leaves).unwrap();
    assert_eq!(def.as_bytes().len(), needed);
    for room in 0..16 {
        let full = Error::LeavesFull { needed: 16, room };
        assert_eq!(Flatten::new().leaves_into(&tree, &mut vec![0; room]), Err(full));
        let mut bytes = [0; 64];
        assert_eq!(Flatten::new().flatten_into(&tree, &mut bytes, &mut vec![0; room]), Err(full));
    }
}

#[test]
fn an_object_goes_onto_a_writer_as_one_child() {
    let pair = tree!((1, 2));
    let (mut bytes, mut leaves) = ([0; 8], [0; 2]);
    let mut out = Writer::new(&mut bytes);
    let root = out.begin_list(3);
    // Where slots are missing, the structure is still added.
    assert_eq!(Flatten::new().flatten_onto(&pair, &mut out, &mut leaves), Ok(2));
    let error = Flatten::new().flatten_onto(&pair, &mut out, &mut leaves[..1]);
    assert_eq!(error, Err(Error::LeavesFull { needed: 2, room: 1 }));
    assert_eq!(Flatten::new().flatten_onto(&pair, &mut out, &mut leaves), Ok(2));
    let error = Flatten::new().flatten_onto(&pair, &mut out, &mut leaves);
    assert_eq!(error, Err(Error::Arity { expected: 0, found: 1 }));
    out.end(root);
    assert_eq!(out.finish(), Err(Error::Arity { expected: 0, found: 1 }));

    let mut bytes = [0; 1];
    let mut out = Writer::new(&mut bytes);
    let error = Flatten::new().flatten_onto(&pair, &mut out, &mut leaves);
    assert_eq!(error, Err(Error::Full { room: 1 }));
    assert_eq!(out.finish(), Err(Error::Full { room: 1 }));
}

#[test]
fn a_tree_has_levels_of_its_own_below_those_of_a_writer() {
    let tree: Node<'_, i32> = tree!([1, [[2]]]);
    let (mut bytes, mut leaves) = ([0; 16], [0; 2]);
    let mut out = Writer::new(&mut bytes);
    let pair = out.begin(&head::List(4));
    out.leaves(1);
    let options = Flatten::new();
    // A leaf goes on the run that was there, and equal trees become a repeat as everywhere.
    assert_eq!(options.flatten_onto(&tree!(7), &mut out, &mut leaves), Ok(1));
    for _ in 0..2 {
        assert_eq!(options.max_depth(3).flatten_onto(&tree, &mut out, &mut leaves), Ok(2));
    }
    out.end(pair);
    let expected = treedef!([*, *, [*, [[*]]], [*, [[*]]]]);
    assert_eq!(out.finish(), Ok(expected));

    let mut out = Writer::new(&mut bytes);
    let root = out.begin(&head::List(1));
    let error = options.max_depth(2).flatten_onto(&tree, &mut out, &mut leaves);
    assert_eq!(error, Err(Error::TooDeep { limit: 2 }));
    out.end(root);
    assert_eq!(out.finish(), Err(Error::TooDeep { limit: 2 }));
}

/// A pair whose head is wrong: it has a key for one child.
#[derive(Clone, Copy)]
struct Headless(bool);

impl Object for Headless {
    type Leaf = i32;

    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
        let child_keys: Option<&[ChildKey<'_>]> = Some(&[ChildKey::Index(0)]);
        let head = head::Custom { name: "Pair", aux: Value::None, children: 2, child_keys };
        if self.0 { open.leaf(3) } else { open.node(&head, [Headless(true); 2]) }
    }
}

#[test]
fn who_asks_for_leaves_alone_asks_for_no_heads() {
    let (options, pair, mut leaves) = (Flatten::new(), Headless(false), [0; 2]);
    let refused = Err(Error::Arity { expected: 2, found: 1 });
    assert_eq!(options.structure_bound(pair), refused);
    assert_eq!(options.structure_into(pair, &mut [0; 16]), refused.map(|_| TreeDef::LEAF));
    assert_eq!(options.num_leaves(pair), Ok(2));
    assert_eq!(options.leaves_into(pair, &mut leaves), Ok(2));
    assert_eq!(leaves, [3, 3]);
    let mut sum = 0;
    assert_eq!(options.for_each(pair, |leaf| sum += leaf), Ok(()));
    assert_eq!(sum, 6);
}

#[test]
fn a_predicate_gets_the_path_of_each_node_up_to_64_entries() {
    assert_eq!(nested(64), Ok(64));
    assert_eq!(nested(65), Err(Error::TooDeep { limit: 64 }));
}

/// Checks the paths of all nodes of `({'a': *, 'b': ({'a': *, 'b': (.. *, *)}, *)}, *)`, of `depth` nodes with children inside one another.
/// Returns the largest number of entries.
fn nested(depth: usize) -> Result<usize, Error> {
    let mut bytes = [0; 1024];
    let mut out = Writer::new(&mut bytes);
    out.set_max_depth(128);
    let keys = head::Dict::new(DictKind::Sorted, ["a", "b"]);
    let mut frames = Vec::new();
    for depth in 0..depth {
        if depth % 2 == 0 {
            frames.push(out.begin_tuple(2));
        } else {
            frames.push(out.begin(&keys));
            out.leaves(1);
        }
    }
    out.leaves(1);
    for (depth, frame) in frames.into_iter().enumerate().rev() {
        out.leaves((depth + 1) % 2);
        out.end(frame);
    }
    let def = out.finish().unwrap();
    let leaves = vec![(); def.num_leaves()];
    let (mut seen, mut deepest) = (0, 0);
    let check = |path: KeyPath<'_, '_>, view: View<'_, ()>| {
        let found = def.find(path).unwrap();
        assert_eq!((found.node(), found.treedef()), (seen, view.treedef()));
        (seen, deepest) = (seen + 1, deepest.max(path.len()));
        false
    };
    let options = Flatten::new().max_depth(128).is_leaf_at(check);
    assert_eq!(options.num_leaves(View::new(def, &leaves).unwrap())?, leaves.len());
    assert_eq!(seen, def.num_nodes());
    Ok(deepest)
}
