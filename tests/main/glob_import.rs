//! `use treedef::*` leaves the methods of the standard library as they are: the traits are implemented for arrays,
//! `Option`, tuples and numbers, and no method of theirs has the name of one of those.
#![cfg(feature = "derive")]
// What is tried is globs, also of modules of which nothing is used here.
#![allow(clippy::wildcard_imports, unused_imports)]

use std::collections::{BTreeMap, HashMap};

use treedef::cache::*;
use treedef::dynamic::*;
use treedef::encode::*;
use treedef::format::*;
use treedef::tree::*;
use treedef::*;

/// A tree with methods of its own, named as those of containers.
#[derive(Clone, Debug, PartialEq, Tree)]
struct Pair<T> {
    a: T,
    b: T,
}

impl<T: Copy> Pair<T> {
    fn fill(&mut self, with: T) {
        (self.a, self.b) = (with, with);
    }

    fn take(&mut self) -> T {
        self.a
    }

    fn zip(self, other: Self) -> (Self, Self) {
        (self, other)
    }

    fn map<U>(self, map: impl Fn(T) -> U) -> Pair<U> {
        Pair { a: map(self.a), b: map(self.b) }
    }

    fn build(a: T) -> Self {
        Self { a, b: a }
    }
}

#[test]
fn arrays_and_slices_keep_their_methods() {
    let mut page = [0u8; 4];
    page.fill(0xFF);
    assert_eq!(page, [0xFF; 4]);
    page.as_mut_slice().fill(7);
    assert_eq!(page.map(|x| x + 1), [8; 4]);
    let mut rows = [[0.0f32; 2]; 3];
    rows.fill([1.0, 2.0]);
    rows[0].fill(3.0);
    assert_eq!(rows, [[3.0, 3.0], [1.0, 2.0], [1.0, 2.0]]);
    let mut next = 0u8;
    page.fill_with(|| {
        next += 1;
        next
    });
    page.swap(0, 3);
    page.reverse();
    page.sort_unstable();
    assert_eq!((page.first(), page.last(), page.len()), (Some(&1), Some(&4), 4));
    assert_eq!((page.get(1), page.contains(&3), page.to_vec()), (Some(&2), true, vec![1, 2, 3, 4]));
    assert_eq!(page.each_ref().map(|x| *x), page);
    assert_eq!(([1.0f32, 2.0].as_slice(), page.is_empty()), (&[1.0f32, 2.0][..], false));
}

#[test]
fn options_and_boxes_keep_their_methods() {
    let mut some = Some(3.0f32);
    assert_eq!(some.take(), Some(3.0));
    assert_eq!((some, some.zip(Some(1u8)), some.or(Some(1.0))), (None, None, Some(1.0)));
    assert_eq!(Some(2.0f32).zip(Some([1u8; 2])), Some((2.0, [1, 1])));
    assert_eq!(Some([1u8, 2]).map(|[a, b]| a + b), Some(3));
    assert_eq!(some.insert(4.0), &mut 4.0);
    assert_eq!((some.replace(5.0), some.get_or_insert(0.0)), (Some(4.0), &mut 5.0));
    assert_eq!(Some(1u8).filter(|x| *x > 1).into_iter().min(), None);
    let mut slots = [Some(1.0f32), None];
    let taken: Vec<_> = slots.iter_mut().map(Option::take).collect();
    assert_eq!((taken, slots), (vec![Some(1.0), None], [None, None]));
    let mut boxed = Box::new(Some(1u8));
    assert_eq!((boxed.take(), *boxed), (Some(1), None));
    let (lent, shared) = (&mut Some(2u8), &Some(3u8));
    assert_eq!((lent.take(), lent.take()), (Some(2), None));
    assert_eq!((shared.zip(Some(1.0f32)), shared.map(|x| x + 1)), (Some((3, 1.0)), Some(4)));
}

#[test]
fn collections_and_tuples_keep_their_methods() {
    let mut list = vec![1.0f32, 2.0];
    list.fill(0.5);
    list.resize(3, 1.0);
    assert_eq!(
        (list.pop(), list.split_first(), list.len()),
        (Some(1.0), Some((&0.5, &[0.5][..])), 2)
    );
    list.extend([3.0].iter());
    assert_eq!(list.drain(..).map(|x| x * 2.0).collect::<Vec<_>>(), [1.0, 1.0, 6.0]);
    let mut map = BTreeMap::from([("a", 1.0f32)]);
    *map.entry("a").or_insert(0.0) += 1.0;
    assert_eq!((map.get("a"), map.values().copied().sum::<f32>()), (Some(&2.0), 2.0));
    let mut hashed = HashMap::from([(1u8, 2.0f32)]);
    assert_eq!((hashed.insert(1, 3.0), hashed.keys().max()), (Some(2.0), Some(&1)));
    let pair = (1u8, [2u8]);
    assert_eq!((pair.1.len(), pair.max((0, [9])), pair.min((0, [9])).0), (1, pair, 0));
    assert_eq!("b".to_string().as_bytes(), b"b");
    let mut few = heapless::Vec::<u8, 4>::from_slice(&[1, 2]).unwrap_or_default();
    few.fill(3);
    assert_eq!((few.iter().sum::<u8>(), few.pop(), few.as_slice()), (6, Some(3), &[3][..]));
}

#[test]
fn a_tree_keeps_the_methods_that_it_has() {
    let mut pair = Pair::build(1.0f32);
    pair.fill(2.0);
    assert_eq!((pair.take(), pair.clone().map(|x| x as u8)), (2.0, Pair { a: 2, b: 2 }));
    assert_eq!(pair.clone().zip(pair.clone()), (pair.clone(), pair.clone()));
    // And it is a tree.
    assert_eq!(over(&pair).fold(0.0, |sum, x| sum + x), Ok(4.0));
    assert_eq!(treedef_of::<Pair<f32>>().num_leaves(), 2);
}
