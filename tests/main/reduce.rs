//! One value from all leaves: order, early exit, leaves of several types, and trees that are too deep.
#![cfg(feature = "derive")]

use treedef::encode::MAX_DEPTH;
use treedef::tree::{sum, try_for_each};
use treedef::{
    Error, KeyEntry, Tree, for_each_with_path, leaf, map_with_path, reduce, structure_into,
};

/// An expression over leaves.
#[derive(Clone, Debug, PartialEq)]
struct Term(String);

leaf!(Term);

fn join(left: Term, right: Term) -> Term {
    Term(format!("({} {})", left.0, right.0))
}

#[test]
fn folds_go_from_left_to_right() {
    let tree = (Term("a".into()), [Term("b".into()), Term("c".into())]);
    let first = reduce(&tree, None, |all: Option<Term>, x: &Term| {
        Some(all.map_or(x.clone(), |all| join(all, x.clone())))
    });
    assert_eq!(first, Ok(Some(Term("((a b) c)".into()))));
    // The value may be of any type, also one that is not copied.
    let text = reduce(&tree, String::from("i"), |text, x: &Term| text + &x.0);
    assert_eq!(text, Ok("iabc".into()));
}

#[test]
fn the_sum_of_nothing_is_zero() {
    assert_eq!(sum::<i64, _>(&()), Ok(0));
    assert_eq!(sum(&(1u64, [2, 3], Some(4))), Ok(10u64));
    // Begins with zero, as Python's.
    assert!(sum(&-0.0f32).is_ok_and(|zero: f32| zero.is_sign_positive()));
}

#[test]
fn a_walk_stops_at_the_first_error() {
    let (tree, mut seen) = ((1u32, [2u32, 3], 4u32), 0);
    let stopped = try_for_each(&tree, |x: &u32| {
        seen += 1;
        if *x == 2 { Err(Error::WrongLeaf { leaf: 1 }) } else { Ok(()) }
    });
    assert_eq!((stopped, seen), (Err(Error::WrongLeaf { leaf: 1 }), 2));
}

#[derive(Tree)]
struct List<'a> {
    v: f32,
    next: Option<&'a List<'a>>,
}

#[test]
fn a_tree_that_is_too_deep_is_an_error() {
    let mut list = List { v: 0.0, next: None };
    for _ in 0..100 {
        list = List { v: 1.0, next: Some(Box::leak(Box::new(list))) };
    }
    let deep = Error::TooDeep { limit: MAX_DEPTH };
    assert_eq!(reduce(&list, 0.0, |sum, x: &f32| sum + x), Err(deep));
    assert_eq!(sum::<f32, _>(&list), Err(deep));
    assert_eq!(list.v, 1.0);
}

#[test]
fn paths_are_those_of_the_structure() {
    let tree = (1.0f32, Some([2.0f32, 3.0]));
    let mut bytes = [0; 8];
    let def = structure_into(&tree, &mut bytes).unwrap();
    let mut found = Vec::new();
    for_each_with_path(&tree, def, |path, x: &f32| found.push((path.to_string(), *x))).unwrap();
    let found: Vec<_> = found.iter().map(|(path, x)| (path.as_str(), *x)).collect();
    assert_eq!(found, [("[0]", 1.0), ("[1][0]", 2.0), ("[1][1]", 3.0)]);
    let texts = map_with_path(&tree, def, |path, x: &f32| format!("{path}:{x}"));
    assert_eq!(texts, Ok(("[0]:1".into(), Some(["[1][0]:2".into(), "[1][1]:3".into()]))));

    // Entries outlive what lends them.
    let mut last = None;
    for_each_with_path(&tree, def, |path, _: &f32| last = path.last().copied()).unwrap();
    assert_eq!(last, Some(KeyEntry::Index(1)));

    let other = (1.0f32, None::<[f32; 2]>);
    let differs = Err(Error::Mismatch { node: 2 });
    assert_eq!(for_each_with_path(&other, def, |_, _: &f32| ()), differs);
    assert_eq!(map_with_path(&other, def, |_, x: &f32| *x).err(), differs.err());
}
