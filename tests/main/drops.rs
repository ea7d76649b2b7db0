//! A value that is not built to its end drops each leaf once.
#![cfg(all(feature = "derive", feature = "std"))]

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use treedef::tree::choices::{self, choices_of};
use treedef::tree::{TreeBuild, try_unflatten_from, unflatten_from};
use treedef::{Error, Tree, TreeDefBox, structure, unflatten};

thread_local! {
    /// How often each leaf was dropped, by its number.
    static DROPPED: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
    /// How many leaves are made before one panics.
    static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
}

#[derive(Debug)]
struct Counted(usize);

impl Counted {
    fn new() -> Self {
        Self(DROPPED.with_borrow_mut(|dropped| {
            dropped.push(0);
            dropped.len() - 1
        }))
    }

    fn or_panic() -> Self {
        let left = LEFT.get();
        LEFT.set(left.wrapping_sub(1));
        // Without the message of a panic.
        if left == 0 { resume_unwind(Box::new(())) } else { Self::new() }
    }
}

impl Clone for Counted {
    fn clone(&self) -> Self {
        Self::or_panic()
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        DROPPED.with_borrow_mut(|dropped| dropped[self.0] += 1);
    }
}

treedef::leaf!(Counted);

#[derive(Tree, Debug)]
enum Part {
    Pair { first: Counted, rest: [Option<Counted>; 2] },
}

#[derive(Tree, Debug)]
struct Parts {
    rows: Vec<(Counted, Option<Counted>)>,
    fixed: [[Counted; 2]; 2],
    part: Box<Part>,
    by_name: BTreeMap<String, Vec<Counted>>,
    many: Vec<Counted>,
}

/// The structure of some parts with rows that are copies, and of a list of two and a map behind it.
fn structure_of_parts() -> (TreeDefBox, usize) {
    let leaves = |count| (0..count).map(|_| Counted::new()).collect::<Vec<_>>();
    let parts = Parts {
        rows: (0..6).map(|_| (Counted::new(), Some(Counted::new()))).collect(),
        fixed: [(); 2].map(|()| [(); 2].map(|()| Counted::new())),
        part: Part::Pair { first: Counted::new(), rest: [None, Some(Counted::new())] }.into(),
        by_name: ["a", "b"].map(|name| (name.to_owned(), leaves(2))).into(),
        many: leaves(40),
    };
    let behind = (leaves(2), BTreeMap::from([(1, Counted::new()), (300, Counted::new())]));
    let def = structure(&(parts, behind)).unwrap();
    let count = def.num_leaves();
    (def, count)
}

/// The type with this structure, and two that refuse its last parts: the list, and the second key of the map.
type Whole = (Parts, (Vec<Counted>, BTreeMap<u16, Counted>));
type Short = (Parts, (heapless::Vec<Counted, 1>, BTreeMap<u16, Counted>));
type Small = (Parts, (Vec<Counted>, BTreeMap<u8, Counted>));

/// Builds a value in each way from `found` leaves, of which the one after `left` panics; says how many ways give a value. Whatever
/// happens, each leaf that was made was dropped once.
fn built<T: TreeBuild<Counted>>(found: usize, left: usize) -> usize {
    let (def, count) = structure_of_parts();
    let mut bytes = [0; 64];
    let len = choices_of::<T>(&def, &mut bytes).unwrap_or(0);
    let moved = || (0..found).map(|_| Counted::or_panic());
    let copied = || (0..found).map(|_| Counted::new()).collect::<Vec<_>>();
    let refused = || {
        let leaves = moved().map(Ok).chain((found < count).then_some(Err(Error::TooLarge)));
        try_unflatten_from::<Counted, Error, _, T>(&def, leaves)
    };
    let ways: [&dyn Fn() -> Result<T, Error>; 4] = [
        &|| unflatten(&def, &copied()),
        &|| choices::unflatten(&bytes[..len], &copied()),
        &|| unflatten_from(&def, moved()),
        &refused,
    ];
    let mut values = 0;
    for build in ways {
        LEFT.set(left);
        let result = catch_unwind(AssertUnwindSafe(build));
        values += usize::from(matches!(result, Ok(Ok(_))));
        drop(result);
        DROPPED.with_borrow_mut(|dropped| {
            assert!(dropped.iter().all(|times| *times == 1), "{found} {left}: {dropped:?}");
            dropped.clear();
        });
    }
    values
}

#[test]
fn a_panic_half_way_drops_each_leaf_once() {
    let (_, count) = structure_of_parts();
    for left in 0..count {
        assert_eq!(built::<Whole>(count, left), 0, "{left}");
    }
    assert_eq!(built::<Whole>(count, count), 4);
}

#[test]
fn a_refusal_half_way_drops_each_leaf_once() {
    let (_, count) = structure_of_parts();
    for found in 0..count + 2 {
        assert_eq!(built::<Whole>(found, usize::MAX) == 4, found == count, "{found}");
        assert_eq!(built::<Short>(found, usize::MAX), 0, "{found}");
        assert_eq!(built::<Small>(found, usize::MAX), 0, "{found}");
    }
}
