//! Nodes of every kind.

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
