//! One value from all leaves: order, early exit, leaves of several types, and trees that are too deep.
#![cfg(feature = "derive")]

#[cfg(feature = "std")]
use std::collections::{BTreeMap, HashMap};

use treedef::encode::MAX_DEPTH;
use treedef::{Error, Tree, leaf, over};
#[cfg(feature = "std")]
use treedef::{View, structure};

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
    let first = over(&tree).fold(None, |all: Option<Term>, x: &Term| {
        Some(all.map_or(x.clone(), |all| join(all, x.clone())))
    });
    assert_eq!(first, Ok(Some(Term("((a b) c)".into()))));
    // The value may be of any type, also one that is not copied.
    let text = over(&tree).fold(String::from("i"), |text, x: &Term| text + &x.0);
    assert_eq!(text, Ok("iabc".into()));
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
    assert_eq!(over(&list).fold(0.0, |sum, x: &f32| sum + x), Err(deep));
    assert_eq!(over(&list).count(), Err(deep));
    assert_eq!(list.v, 1.0);
}

/// Its own value comes after that of what is below.
#[derive(Tree)]
struct Stack<'a> {
    below: Option<&'a Stack<'a>>,
    v: f32,
}

#[test]
fn no_leaf_is_visited_after_too_many_levels() {
    let mut stack = Stack { below: None, v: 0.0 };
    for _ in 0..100 {
        stack = Stack { below: Some(Box::leak(Box::new(stack))), v: 1.0 };
    }
    let (deep, mut seen) = (Err(Error::TooDeep { limit: MAX_DEPTH }), 0);
    assert_eq!(over(&(2.0f32, &stack)).for_each(|_: &f32| seen += 1), deep);
    assert_eq!(over(&(2.0f32, &stack)).runs().for_each(|_: &[f32]| seen += 1), deep);
    assert_eq!((seen, stack.v), (2, 1.0));
}

#[test]
fn paths_are_those_of_the_structure() {
    let tree = (1.0f32, Some([2.0f32, 3.0]));
    let mut found = Vec::new();
    over(&tree).paths().for_each(|path, x: &f32| found.push((path.to_string(), *x))).unwrap();
    let found: Vec<_> = found.iter().map(|(path, x)| (path.as_str(), *x)).collect();
    assert_eq!(found, [("[0]", 1.0), ("[1][0]", 2.0), ("[1][1]", 3.0)]);
    let texts = over(&tree).paths().map(|path, x: &f32| format!("{path}:{x}"));
    assert_eq!(texts, Ok(("[0]:1".into(), Some(["[1][0]:2".into(), "[1][1]:3".into()]))));
}

#[cfg(feature = "std")]
#[derive(Clone, Debug, PartialEq, Tree)]
struct Point {
    x: f32,
    y: f32,
}

#[cfg(feature = "std")]
#[derive(Clone, Debug, PartialEq, Tree)]
enum Gain {
    Off,
    Fixed(f32),
    Between { low: Point, high: Point },
}

/// A dictionary whose keys become values for a call alone.
#[cfg(feature = "std")]
type ByPair = BTreeMap<(u64, String), (Vec<f32>, Option<Point>)>;

/// Fixed shapes among shapes that vary: in lists and fields, equal neighbours of both, without leaves, nested.
#[cfg(feature = "std")]
#[derive(Clone, Debug, PartialEq, Tree)]
struct Robot {
    corners: Vec<Point>,
    left: Point,
    right: Point,
    idle: (),
    rows: Vec<Vec<(Point, [f32; 2])>>,
    optional: Vec<Option<Point>>,
    gains: [Gain; 4],
    named: BTreeMap<String, [Point; 2]>,
    keyed: BTreeMap<char, ByPair>,
    numbered: HashMap<i8, Vec<f32>>,
    nested: Option<Option<Point>>,
    tuple: (Point, Vec<f32>, Point),
    lists: [Vec<f32>; 2],
    grid: [[Point; 2]; 2],
}

#[cfg(feature = "std")]
#[test]
fn paths_by_the_type_are_those_of_the_treedef() {
    let point = || Point { x: 1.0, y: 2.0 };
    let pair = || [point(), point()];
    let keyed = |key| {
        let inner = [(u64::MAX, format!("{key}")), (0, String::new())];
        inner.map(|key| (key, (vec![0.5; 2], Some(point())))).into()
    };
    let mut robot = Robot {
        corners: vec![point(); 3],
        left: point(),
        right: point(),
        idle: (),
        rows: vec![vec![(point(), [0.0; 2]); 2], Vec::new(), vec![(point(), [0.0; 2]); 2]],
        optional: vec![Some(point()), Some(point()), None, Some(point())],
        gains: [Gain::Off, Gain::Fixed(1.0), Gain::Fixed(2.0), Gain::Off],
        named: [("a".to_owned(), pair()), ("b".to_owned(), pair())].into(),
        keyed: ['é', 'y', '\''].map(|key| (key, keyed(key))).into(),
        numbered: [(2, vec![1.0; 2]), (-1, vec![1.0])].into(),
        nested: Some(Some(point())),
        tuple: (point(), vec![1.0; 3], point()),
        lists: [vec![1.0; 2], vec![1.0; 2]],
        grid: [pair(), pair()],
    };
    robot.gains[0] = Gain::Between { low: point(), high: point() };
    let def = structure(&robot).unwrap();
    let expected: Vec<_> = def.as_treedef().paths().map(|path| path.to_string()).collect();
    let mut found = Vec::new();
    over(&robot).paths().for_each(|path, _: &f32| found.push(path.to_string())).unwrap();
    assert_eq!(found, expected);
    found.clear();
    over(&mut robot)
        .paths()
        .for_each(|path, x: &mut f32| {
            *x += 1.0;
            found.push(path.to_string());
            Ok::<_, Error>(())
        })
        .unwrap();
    assert_eq!(found, expected);
    found.clear();
    let mut next = robot.clone();
    over((&mut next, &robot))
        .paths()
        .for_each(|path, (x, y): (&mut f32, _)| {
            *x += y;
            found.push(path.to_string());
        })
        .unwrap();
    assert_eq!(found, expected);
    found.clear();
    let mapped = over(&next).paths().map(|path, x: &f32| {
        found.push(path.to_string());
        *x / 2.0
    });
    assert_eq!((mapped, &found), (Ok(robot), &expected));
    // A view has no type.
    let (leaves, mut found) = (vec![0.0f32; expected.len()], Vec::new());
    let view = View::new(&def, &leaves).unwrap();
    view.for_each_with_path(|path, _| found.push(path.to_string())).unwrap();
    assert_eq!(found, expected);
}

/// A list of one element around another type.
type Around<T> = [[[[[[[[T; 1]; 1]; 1]; 1]; 1]; 1]; 1]; 1];

#[test]
fn a_leaf_below_too_many_levels_has_no_path() {
    type Deep = Around<Around<Around<Around<Around<Around<Around<Around<f32>>>>>>>>;
    let deep: Deep = Default::default();
    over(&deep).paths().for_each(|path, _: &f32| assert_eq!(path.len(), 64)).unwrap();
    let deeper = (1.0f32, [deep], 3.0f32);
    let mut seen = Vec::new();
    let error = over(&deeper).paths().for_each(|path, x: &f32| seen.push((path.to_string(), *x)));
    assert_eq!((error, seen), (Err(Error::TooDeep { limit: 64 }), vec![("[0]".to_owned(), 1.0)]));
}

/// What a dictionary left on the path is gone at the next child, wherever that is.
#[cfg(feature = "std")]
#[test]
fn keys_of_a_dictionary_before_are_not_on_the_path() {
    #[derive(Tree)]
    struct Net {
        first: BTreeMap<String, f32>,
        second: (BTreeMap<String, f32>,),
        third: BTreeMap<String, Vec<BTreeMap<u8, f32>>>,
        last: [f32; 1],
    }

    let map = |key: &str| BTreeMap::from([(key.to_string(), 1.0f32)]);
    let inner = vec![BTreeMap::new(), BTreeMap::from([(7u8, 1.0f32)])];
    let net = Net {
        first: map("x"),
        second: (map("y"),),
        third: BTreeMap::from([("empty".to_string(), vec![]), ("z".to_string(), inner)]),
        last: [1.0],
    };
    let mut found = Vec::new();
    over(&net).paths().for_each(|path, _: &f32| found.push(path.to_string())).unwrap();
    let expected: Vec<_> = structure(&net).unwrap().paths().map(|path| path.to_string()).collect();
    assert_eq!(found, expected);
    assert_eq!(found, [".first['x']", ".second[0]['y']", ".third['z'][1][7]", ".last[0]"]);
}

#[test]
fn a_list_without_leaves_has_no_path_that_is_too_deep() {
    macro_rules! nest {
        ($value:expr;) => { $value };
        ($value:expr; $first:literal $($rest:literal)*) => { nest!((($value,),); $($rest)*) };
    }
    let deep = nest!([0.0f32; 0]; 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32);
    assert_eq!(over(&deep).paths().for_each(|_, _: &f32| ()), Ok(()));
    assert!(over(&deep).paths().map(|_, x: &f32| *x).is_ok());
}
