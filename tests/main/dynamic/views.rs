//! Treedefs and leaves read as trees.

use super::*;

#[test]
fn children_take_their_part_of_the_leaves() {
    let def = treedef!([(*, *), (*, *), {"w": [*], "b": None}]);
    let view = View::new(def, &[1, 2, 3, 4, 5]).unwrap();
    assert!(view.children().map(|child| child.leaves()).eq([[1, 2].as_slice(), &[3, 4], &[5]]));
    assert_eq!(view.children().len(), 3);
    assert_eq!(view.child(1).map(|child| child.treedef()), Some(treedef!((*, *))));
    assert!(view.child(3).is_none());
    let w = view.child(2).and_then(|dict| dict.get("w")).unwrap();
    assert_eq!((w.kind(), w.leaves(), w.as_leaf()), (Kind::List, [5].as_slice(), None));
    assert_eq!(w.child(0).and_then(|leaf| leaf.as_leaf()), Some(&5));
    assert_eq!(view.entry(KeyEntry::Index(0)).map(|pair| pair.leaves()), Some([1, 2].as_slice()));
    assert!(view.entry(KeyEntry::Key(Value::Int(0))).is_none());
    assert!(view.get("w").is_none());
    // A child without a name has a position, which is no index.
    let mut bytes = [0; 16];
    let custom = head::Custom { name: "C", aux: Value::None, children: 2, child_keys: None };
    let mut out = Writer::new(&mut bytes);
    out.node(&custom, |out| out.leaves(2));
    let view = View::new(out.finish().unwrap(), &[1, 2]).unwrap();
    let second = view.entry(KeyEntry::FlatIndex(1)).and_then(|leaf| leaf.as_leaf());
    assert_eq!((second, view.entry(KeyEntry::Index(1)).is_none()), (Some(&2), true));
}

#[test]
fn paths_lead_to_their_leaves() {
    let def = treedef!([(*, {"x": *}), (*, {"x": *}), [[*, *], [*, *]], *]);
    let leaves: Vec<_> = (0..def.num_leaves()).collect();
    let view = View::new(def, &leaves).unwrap();
    for (path, leaf) in def.paths().zip(&leaves) {
        let found = path.entries().try_fold(view, |view, entry| view.entry(entry));
        assert_eq!(found.and_then(|found| found.as_leaf()), Some(leaf));
    }
    let mut seen = Vec::new();
    view.for_each_with_path(|path, leaf| {
        assert_eq!(view.find(path).unwrap().as_leaf(), Some(leaf));
        assert_eq!(path.to_string(), def.path(*leaf).unwrap().to_string());
        seen.push(*leaf);
    })
    .unwrap();
    assert_eq!(seen, leaves);
}

#[test]
fn the_path_of_a_bare_leaf_is_empty_and_that_of_nothing_is_not_asked_for() {
    let count = |def: TreeDef<'_>| {
        let mut lengths = Vec::new();
        View::bare(def).for_each_with_path(|path, ()| lengths.push(path.len())).unwrap();
        lengths
    };
    assert_eq!(count(TreeDef::LEAF), [0]);
    assert_eq!(count(treedef!(None)), [0; 0]);
    assert_eq!(count(treedef!([None, (), [[]], {}])), [0; 0]);
    assert_eq!(count(treedef!([None, *, [[]], [(), *, None], *])), [1, 2, 1]);
}

#[test]
fn leaves_must_be_as_many_as_the_treedef_has() {
    let def = treedef!((*, *));
    assert_eq!(View::new(def, &[1]).unwrap_err(), Error::TooFewLeaves { expected: 2, found: 1 });
    assert_eq!(
        View::new(def, &[1; 3]).unwrap_err(),
        Error::TooManyLeaves { expected: 2, found: 3 }
    );
}

#[test]
fn leaves_fill_slots_of_options() {
    let view = View::new(treedef!([*, {"a": *}]), &[1, 2]).unwrap();
    let (mut clones, mut references) = ([None::<i32>; 3], [None::<&i32>; 3]);
    assert_eq!(Flatten::new().leaves_into(view, &mut clones), Ok(2));
    assert_eq!(Flatten::new().leaves_into(view, &mut references), Ok(2));
    assert_eq!(clones, [Some(1), Some(2), None]);
    assert_eq!(references, [Some(&1), Some(&2), None]);
}
