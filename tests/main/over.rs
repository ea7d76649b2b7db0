//! What `over` adds to a walk: which leaves, what is beside them, how it ends.
#![cfg(all(feature = "alloc", feature = "derive"))]

use std::ops::{ControlFlow, MulAssign};

use treedef::tree::{TryError, Visit};
use treedef::{Error, Tree, over, visitor};

#[derive(Tree, Clone, Debug, PartialEq)]
struct Model {
    weights: Vec<Option<f32>>,
    bias: f64,
    steps: u64,
    last: [f32; 2],
}

fn model(x: f32) -> Model {
    Model { weights: vec![Some(x), None, Some(x)], bias: x.into(), steps: 7, last: [x; 2] }
}

#[test]
fn a_type_that_no_leaf_has_is_an_error_if_there_are_leaves() {
    let nothing = |_: &f32| ();
    assert_eq!(over(&()).only::<f32>().for_each(nothing), Ok(()));
    assert_eq!(over(&Vec::<u32>::new()).only::<f32>().for_each(nothing), Ok(()));
    assert_eq!(over(&None::<u32>).only::<f32>().for_each(nothing), Ok(()));
    let none = Err(Error::NoLeafOfType);
    assert_eq!(over(&1u32).only::<f32>().for_each(nothing), none);
    assert_eq!(over((&1u32, &2)).only::<f32>().paths().for_each(|_, _| ()), none);
    assert_eq!(over(&1u32).only::<f32>().with_leaves([1]).for_each(|_| ()), none);
    assert_eq!(over(&1u32).under(&1u8).only::<f32>().for_each(|_| ()), none);
    assert_eq!(over(&1u32).types::<(f32, f64)>().visit(visitor!([] <T: Copy> |x| _ = *x)), none);
    // Not an error: `or_none`, one value of all, and a closure that stopped before.
    assert_eq!(over(&1u32).only::<f32>().or_none().for_each(nothing), Ok(()));
    assert_eq!(over(&1u32).only::<f32>().fold(1, |n, _| n + 1), Ok(1));
    assert_eq!(over(&1u32).only::<f32>().paths().count(), Ok(0));
    let refused = over(&(1.0f32, 2u32)).only::<f32>().for_each(|_| Err(Error::TooLarge));
    assert_eq!(refused, Err(Error::TooLarge));
}

#[test]
fn items_stay_in_step_with_all_leaves() {
    let mut tree = model(1.0);
    let is_kept = [true, false, true, true, false, true];
    let kept = over(&mut tree).only::<f32>().with_leaves(is_kept);
    kept.for_each(|(x, keep)| *x *= f32::from(keep)).unwrap();
    let weights = vec![Some(1.0), None, Some(0.0)];
    assert_eq!(tree, Model { weights, last: [0.0, 1.0], ..model(1.0) });
}

#[cfg(feature = "alloc")]
#[test]
fn items_are_beside_paths_and_other_trees() {
    let (tree, mut seen) = (model(1.0), Vec::new());
    let walk = over(&tree).with_leaves(0..6).under(&true).only::<f32>().with_leaves('a'..='f');
    let walk = walk.paths();
    walk.for_each(|path, (((_, n), _), c)| seen.push((path.to_string(), n, c))).unwrap();
    let paths = [
        (".weights[0]", 0, 'a'),
        (".weights[2]", 1, 'b'),
        (".last[0]", 4, 'e'),
        (".last[1]", 5, 'f'),
    ];
    assert_eq!(seen, paths.map(|(path, n, c)| (path.to_string(), n, c)));
}

#[test]
fn too_few_and_too_many_items_are_errors() {
    let [none, short] = [0, 2].map(|found| Error::TooFewLeaves { expected: 3, found });
    let mut tree = [1, 2, 3];
    assert_eq!(over(&mut tree).with_leaves([7, 8]).for_each(|(x, y)| *x = y), Err(short));
    assert_eq!(tree, [7, 8, 3]);
    let long = Err(Error::TooManyLeaves { expected: 3, found: 4 });
    assert_eq!(over(&tree).with_leaves(0..).for_each(|_| ()), long);
    assert_eq!(over(&tree).with_leaves(0..).paths().for_each(|_, _| ()), long);
    assert_eq!(over(&tree).with_leaves(0..).map(|(x, y)| x + y), long.map(|()| [0; 3]));
    assert_eq!(over(&tree).with_leaves([1; 2]).map(|(x, y)| x + y), Err(short));
    assert_eq!(over(&vec![1; 3]).with_leaves([1; 0]).map(|(x, y)| x + y), Err(none));
    assert_eq!(over(&tree).with_leaves([1; 2]).with_leaves([1; 3]).count(), Err(short));
    // Lists of two lengths are counted; nothing is asked of the items after their end, and no leaf is shown.
    let (mut lists, lists2) = (vec![vec![1], vec![2, 3]], vec![vec![4], vec![5, 6]]);
    let mut ends = 0;
    let items = std::iter::from_fn(|| {
        ends += 1;
        (ends != 3).then_some(7)
    });
    let swap = over((&mut lists, &lists2)).with_leaves(items);
    assert_eq!(swap.for_each(|((x, y), by)| *x = y + by), Err(short));
    assert_eq!((lists, ends), (vec![vec![11], vec![12, 3]], 3));
    let sum = over(&lists2).with_leaves([7, 8]).fold(0, |sum, (x, by)| sum + x * by);
    assert_eq!(sum, Err(short));
    // An error of the closure comes first.
    let stopped = over(&tree).with_leaves([1]).for_each(|_| Err(Error::TooLarge));
    assert_eq!(stopped, Err(Error::TooLarge));
}

#[test]
fn a_closure_stops_the_walk_by_what_it_returns() {
    let (tree, mut seen) = ([1, 2, 3], 0);
    let found = over(&tree).for_each(|x| {
        seen += 1;
        if *x == 2 { ControlFlow::Break(*x) } else { ControlFlow::Continue(()) }
    });
    assert_eq!((found, seen), (Ok(ControlFlow::Break(2)), 2));
    let all = over(&tree).paths().for_each(|_, _| ControlFlow::<()>::Continue(()));
    assert_eq!(all, Ok(ControlFlow::Continue(())));
    let differ = over((&vec![1], &vec![])).for_each(|_| ControlFlow::Break(()));
    assert_eq!(differ, Err(Error::TreesDiffer { node: 0, tree: 1 }));
    #[expect(clippy::todo, reason = "a program that is being written compiles")]
    fn unfinished(tree: &[f32; 2]) -> Result<(), Error> {
        over(tree).for_each(|_| todo!())
    }
    assert!(std::panic::catch_unwind(|| unfinished(&[0.0; 2])).is_err());
}

/// Halves where the mask says so, until it is called too often.
struct Halving(u32);

impl<T: MulAssign + From<f32>> Visit<(&mut T, &bool)> for Halving {
    type Out = Result<(), Error>;

    fn visit(&mut self, (x, on): (&mut T, &bool)) -> Result<(), Error> {
        self.0 = self.0.checked_sub(1).ok_or(Error::TooLarge)?;
        if *on {
            *x *= T::from(0.5);
        }
        Ok(())
    }
}

#[test]
fn a_visitor_has_the_mask_beside_leaves_of_each_type() {
    let (mut tree, mask) = ((2.0f32, [2.0f64; 2], 2u8), (true, [false, true], true));
    assert_eq!(over(&mut tree).with(&mask).types::<(f64, f32)>().visit(Halving(3)), Ok(()));
    assert_eq!(tree, (1.0, [2.0, 1.0], 2));
    let mut two = Halving(2);
    let stopped = over(&mut tree).under(&true).types::<(f32, f64)>().visit(&mut two);
    assert_eq!((stopped, two.0), (Err(Error::TooLarge), 0));
    assert_eq!(tree, (0.5, [1.0, 1.0], 2));
}

#[cfg(feature = "alloc")]
#[test]
fn an_explained_error_says_what_both_trees_have() {
    #[derive(Tree)]
    struct Tagged(f32, #[tree(meta, name = "tag")] u8);
    let [mut one, mut two] = [7, 8].map(|tag| vec![Tagged(1.0, tag)]);
    let text = |error: treedef::tree::Explained| error.to_string();
    let meta = over((&mut one, &mut two)).explained().map(drop).map_err(text);
    let known = "at [0]: expected tag = 7, found tag = 8 (tree 1)";
    assert_eq!(meta, Err(known.into()));
    let (mut one, other) = (model(1.0), Model { weights: vec![None], ..model(1.0) });
    let third =
        over((&mut one, &model(1.0), &other)).types::<(f32, f64)>().paths().check().map(drop);
    assert_eq!(third, Err(Error::TreesDiffer { node: 1, tree: 2 }));
    let third = over((&mut one, &model(1.0), &other)).types::<(f32, f64)>().explained().map(drop);
    let known = "at .weights: expected a list of 3, found a list of 1 (tree 2)";
    assert_eq!(third.map_err(text), Err(known.into()));
    let (mut tree, none) = ((1.0f32, vec![2.0f32]), (true, Vec::<bool>::new()));
    let prefix = over(&mut tree).with_leaves([1]).under(&none).explained().map(drop);
    let known = "at [1]: expected a list of 0, found a list of 1 (expected by tree 1, a prefix)";
    assert_eq!(prefix.map_err(text), Err(known.into()));
    let stop = |path: treedef::KeyPath<'_, '_>| Err(TryError::User(path.to_string()));
    let gradient = (0.0, vec![0.5]);
    let walk = over((&mut tree, &gradient)).paths().explained().unwrap();
    let stopped = walk.for_each(|path, _| if path.len() > 1 { stop(path) } else { Ok(()) });
    assert_eq!(stopped, Err(TryError::User("[1][0]".to_string())));
}
