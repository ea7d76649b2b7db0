//! Nodes of every kind, alone and in typed trees.

use super::*;

#[test]
fn a_node_is_at_most_five_words() {
    assert!(size_of::<Node<'_, f32>>() <= 5 * size_of::<usize>());
    assert!(size_of::<Node<'_, [usize; 4]>>() <= 5 * size_of::<usize>());
}

#[test]
fn some_is_told_from_none() {
    check(&Node::Some(&Node::None), &[0xC1, 1, 0, 0xC0], &[]);
    check(&Node::Some(&Node::Some(&Node::Leaf(1))), &[0xC1, 1, 0, 0xC1, 1, 0, 0x00], &[1]);
}

#[test]
fn heads_of_every_kind_make_nodes() {
    let mut bytes = [0; 16];
    let head = head::head_into(&head::Dict::new(DictKind::Ordered, [2i64, 1]), &mut bytes).unwrap();
    let children = [Node::Leaf(1), Node::Leaf(2)];
    let node = Node::keyed(head, &children).unwrap();
    check(&node, &[0xC5, 2, 2, 4, 2, 0x01], &[1, 2]);
    for def in [treedef!((*, *)), treedef!([*, *]), treedef!({"a": *, "b": *})] {
        let node = Node::keyed(def.head(), &children).unwrap();
        assert_eq!(node.kind(), def.kind());
        check(&node, def.as_bytes(), &[1, 2]);
    }
    assert!(matches!(Node::<i32>::keyed(TreeDef::NONE.head(), &[]), Ok(Node::None)));
}

#[test]
fn heads_and_children_must_agree() {
    let children = [Node::Leaf(1), Node::Leaf(2)];
    let error = Node::keyed(treedef!({"a": *}).head(), &children).unwrap_err();
    assert_eq!(error, Error::Arity { expected: 1, found: 2 });
    let error = Node::<i32>::keyed(TreeDef::LEAF.head(), &[]).unwrap_err();
    assert_eq!(error, Error::Arity { expected: 1, found: 0 });
}

#[test]
fn a_head_needs_exactly_what_is_said() {
    let heading = head::Dict::new(DictKind::Default("<class 'int'>"), ["a", "b"]);
    let needed = head::head_len(&heading);
    for room in 0..needed {
        let mut bytes = vec![0; room];
        let error = head::head_into(&heading, &mut bytes).unwrap_err();
        assert_eq!(error, Error::BufferFull { needed, room });
    }
    let mut bytes = vec![0; needed];
    let head = head::head_into(&heading, &mut bytes).unwrap();
    assert_eq!((head.as_bytes().len(), head.factory()), (needed, Some("<class 'int'>")));
    let unsorted = head::Dict::new(DictKind::Sorted, ["b", "a"]);
    let error = head::head_into(&unsorted, &mut [0; 32]).unwrap_err();
    assert_eq!(error, Error::UnsortedKeys { first: 0, second: 1 });
}

#[test]
fn debug_shows_one_level() {
    let shown = format!("{:?}", tree!([[1], {"a": 2}]));
    assert_eq!(shown, "List(2 children)");
    assert_eq!(format!("{:?}", tree!({"a": [2]})), "Dict(1 children)");
    assert_eq!(format!("{:?}", tree!(2)), "Leaf(2)");
}

#[test]
fn nodes_stand_in_typed_trees() {
    let tree = tree!({"b": 1.5f32, "a": (2.5, None)});
    let state = (0.5f32, [tree, tree], Some(tree!(None) as Node<'_, f32>));
    let (mut bytes, mut leaves) = ([0; 64], [0f32; 5]);
    let (def, _) = flatten_into(&state, &mut bytes, &mut leaves).unwrap();
    let expected = [
        0x23, 0x00, // (*, ..
        0x42, 0x62, 4, 1, b'a', 1, b'b', 0x22, 0x00, 0xC0, 0x00, 0xA0, 2, // [{..}, {..}]
        0xC1, 1, 0, 0xC0, // Some(None)
    ];
    assert_eq!(def.as_bytes(), expected);
    assert_eq!(leaves, [0.5, 2.5, 1.5, 2.5, 1.5]);
    assert_eq!(matches(&state, def), Ok(()));
    // While it is written, the second dictionary of ten bytes is beside the first.
    let full = structure_into(&state, &mut [0; 22]).unwrap_err();
    assert_eq!(full, Error::Full { room: 22 });
    assert!(structure_into(&state, &mut [0; 3 + 10 + 10]).is_ok());
    // Described one by one, nothing is known to be a copy.
    assert_eq!(structure_bound(&state), Ok(3 + 10 + 10 + 4));
    let view = View::new(def, &leaves).unwrap();
    let (mut bytes, mut again) = ([0; 64], [0f32; 10]);
    let (twice, count) = flatten_into(&[view, view], &mut bytes, &mut again).unwrap();
    assert_eq!((twice.child(1), count), (Some(def), 10));
    assert_eq!(again, [leaves, leaves].concat()[..]);
}
