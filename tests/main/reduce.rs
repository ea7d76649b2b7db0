//! One value from all leaves: order, early exit, NaN, families, and trees that are too deep.
#![cfg(feature = "derive")]

use treedef::encode::MAX_DEPTH;
use treedef::tree::{all, any, max, min, reduce_associative, sum, try_for_each};
use treedef::{
    Error, KeyEntry, Tree, for_each_with_path, leaf, map_with_path, reduce, structure_into,
};

/// An expression over leaves.
#[derive(Clone, Debug, PartialEq)]
struct Term(String);

leaf!(Term);

fn terms(count: usize) -> Vec<Term> {
    (0..count).map(|i| Term(i.to_string())).collect()
}

/// The order in which JAX combines, as it is stated: halves, the left one rounded down.
fn halves(terms: &[Term]) -> Option<Term> {
    match terms {
        [] => None,
        [term] => Some(term.clone()),
        _ => {
            let (left, right) = terms.split_at(terms.len() / 2);
            Some(join(halves(left)?, halves(right)?))
        }
    }
}

fn join(left: Term, right: Term) -> Term {
    Term(format!("({} {})", left.0, right.0))
}

#[test]
fn associative_reduction_goes_by_halves() {
    for count in 0..200 {
        let terms = terms(count);
        assert_eq!(reduce_associative(terms.as_slice(), join), Ok(halves(&terms)));
    }
    let text = |count| reduce_associative(terms(count).as_slice(), join).unwrap().unwrap().0;
    // From JAX's documentation of the order.
    assert_eq!(text(5), "((0 1) (2 (3 4)))");
    assert_eq!(text(7), "((0 (1 2)) ((3 4) (5 6)))");
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
fn least_and_greatest_leave_nan_out_wherever_it_stands() {
    let nan = f32::NAN;
    for tree in [[nan, 2.0, 1.0], [2.0, nan, 1.0], [2.0, 1.0, nan]] {
        assert_eq!(min(&tree), Ok(Some(&1.0f32)));
        assert_eq!(max(&tree), Ok(Some(&2.0f32)));
    }
    let nans = [nan, nan];
    let only: Option<&f32> = max(&nans).unwrap();
    assert!(only.is_some_and(|x| x.is_nan()));
    // Of equals the first.
    let zeros = [0.0f32, -0.0];
    for found in [min(&zeros), max(&zeros)] {
        assert!(std::ptr::eq::<f32>(found.unwrap().unwrap(), &zeros[0]));
    }
    assert_eq!(max::<i32, _>(&()), Ok(None));
    assert_eq!(max(&(3i32, [7, -9])), Ok(Some(&7)));
    assert_eq!(min(&(3i32, [7, -9])), Ok(Some(&-9)));
}

#[test]
fn the_sum_of_nothing_is_zero() {
    assert_eq!(sum::<i64, _>(&()), Ok(0));
    assert_eq!(sum(&(1u64, [2, 3], Some(4))), Ok(10u64));
    // Begins with zero, as Python's.
    assert!(sum(&-0.0f32).is_ok_and(|zero: f32| zero.is_sign_positive()));
}

#[test]
fn all_and_any_stop_at_the_leaf_that_decides() {
    let (tree, mut seen) = ((1u32, [2u32, 3], 4u32), Vec::new());
    let mut below = |limit| {
        seen.clear();
        let answer = all(&tree, |x: &u32| {
            seen.push(*x);
            *x < limit
        });
        (answer, seen.clone())
    };
    assert_eq!(below(3), (Ok(false), vec![1, 2, 3]));
    assert_eq!(below(9), (Ok(true), vec![1, 2, 3, 4]));
    let mut seen = Vec::new();
    let found = any(&tree, |x: &u32| {
        seen.push(*x);
        *x == 2
    });
    assert_eq!((found, seen), (Ok(true), vec![1, 2]));
    assert_eq!(any(&tree, |x: &u32| *x > 4), Ok(false));
    let mut seen = 0;
    let stopped = try_for_each(&tree, |x: &u32| {
        seen += 1;
        if *x == 2 { Err(Error::WrongLeaf { leaf: 1 }) } else { Ok(()) }
    });
    assert_eq!((stopped, seen), (Err(Error::WrongLeaf { leaf: 1 }), 2));
}

treedef::leaf_types! {
    /// Floats and counts.
    pub struct Signal {
        owned Value,
        read ValueRef,
        write ValueMut,
        run ValueRun,
        Float(f32),
        Count(u32),
    }
}

#[test]
fn leaves_of_several_types_are_reduced_too() {
    let tree = (1.5f32, [2u32, 3]);
    let number = |leaf: ValueRef<'_>| match leaf {
        ValueRef::Float(x) => f64::from(*x),
        ValueRef::Count(x) => f64::from(*x),
    };
    assert_eq!(reduce(&tree, 0.0, |sum, leaf: ValueRef<'_>| sum + number(leaf)), Ok(6.5));
    assert_eq!(all(&tree, |leaf: ValueRef<'_>| number(leaf) > 1.0), Ok(true));
    let last = reduce_associative(&tree, |_: Value, right: Value| right);
    assert_eq!(last, Ok(Some(Value::Count(3))));
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
    assert_eq!(reduce_associative(&list, |a: f32, b: f32| a + b), Err(deep));
    assert_eq!(sum::<f32, _>(&list), Err(deep));
    assert_eq!(min::<f32, _>(&list), Err(deep));
    assert_eq!(all(&list, |_: &f32| true), Err(deep));
    // What decides stands above.
    assert_eq!(any(&list, |x: &f32| *x == 1.0), Ok(true));
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
