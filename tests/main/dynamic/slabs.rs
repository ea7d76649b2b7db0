//! Trees rebuilt in slabs.

use super::*;

#[test]
fn repeats_are_written_out_and_the_need_is_exact() {
    let def =
        treedef!([[(*, *), (*, *)], [(*, *), (*, *)], [(*, *), (*, *)], {"a": (), "b": None}]);
    let leaves: Vec<i32> = (0..12).collect();
    // All nodes but the root: 3 lists of 2 pairs of 2 leaves, the dict and its two.
    let needed = 3 * (1 + 2 * 3) + 3;
    assert_eq!(unflatten_len(def), needed);
    for room in 0..needed {
        let mut slab = vec![Node::None; room];
        let error = unflatten_into(def, &leaves, &mut slab).unwrap_err();
        assert_eq!(error, Error::NodesFull { needed, room });
    }
    let mut slab = vec![Node::None; needed];
    let tree = unflatten_into(def, &leaves, &mut slab).unwrap();
    check(&tree, def.as_bytes(), &leaves);
}

#[test]
fn every_kind_comes_back() {
    let mut bytes = [0; 64];
    let mut builder = Writer::new(&mut bytes);
    let root = builder.begin(&head::List(3));
    // The second and the third are copies.
    for _ in 0..3 {
        let dict = builder.begin(&head::Dict::new(DictKind::Ordered, [true, false]));
        let some = builder.begin(&head::Some);
        builder.leaves(1);
        builder.end(some);
        let custom =
            head::Custom { name: "Vmap", aux: Value::Int(1), children: 3, child_keys: None };
        let custom = builder.begin(&custom);
        builder.leaves(2);
        let pair = builder.begin(&head::Tuple(2));
        builder.none();
        builder.leaves(1);
        builder.end(pair);
        builder.end(custom);
        builder.end(dict);
    }
    builder.end(root);
    let def = builder.finish().unwrap();
    let mut slab = [Node::None; 27];
    let leaves: [i32; 12] = std::array::from_fn(|leaf| i32::try_from(leaf).unwrap());
    let tree = unflatten_into(def, &leaves, &mut slab).unwrap();
    let Node::List(dicts) = tree else { panic!("{tree:?}") };
    assert!(dicts.iter().all(|dict| dict.kind() == Kind::OrderedDict));
    check(&tree, def.as_bytes(), &leaves);
}

#[test]
fn leaves_must_be_as_many_as_the_treedef_has() {
    let (def, mut slab) = (treedef!((*, *)), [Node::None; 2]);
    assert_eq!(
        unflatten_into(def, &[1], &mut slab).unwrap_err(),
        Error::TooFewLeaves { expected: 2, found: 1 }
    );
    let mut slab = [Node::None; 2];
    assert_eq!(
        unflatten_into(def, &[1; 3], &mut slab).unwrap_err(),
        Error::TooManyLeaves { expected: 2, found: 3 }
    );
}
