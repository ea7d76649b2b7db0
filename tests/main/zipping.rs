//! Several typed trees at once, against what the treedefs say.

use core::marker::PhantomData;

#[cfg(feature = "alloc")]
use treedef::tree::TryError;
use treedef::tree::{AsLeaf, TreeRead, ZipPrefix};
use treedef::{Error, TreeDef, over, structure_into};

/// Zips, and has the treedefs say whether that is right; gives the number of calls.
#[track_caller]
fn under<T, O>(prefix: &T, full: &O) -> Result<usize, Error>
where
    T: ZipPrefix<f32, f32, O>,
    O: TreeRead<f32>,
{
    let (mut ours, mut theirs) = ([0; 64], [0; 64]);
    let first: TreeDef<'_> = structure_into(prefix, &mut ours).unwrap();
    let second: TreeDef<'_> = structure_into(full, &mut theirs).unwrap();
    let mut calls = 0;
    let zipped = over(full).under(prefix).for_each(|_| calls += 1);
    // In a zip the prefix is the tree after the first.
    let checked = first.check_prefix_of(second).map_err(|error| match error {
        Error::NotPrefix { node, tree: 0 } => Error::NotPrefix { node, tree: 1 },
        error => error,
    });
    assert_eq!(zipped, checked, "{first} and {second}");
    zipped.map(|()| {
        assert_eq!(calls, second.num_leaves(), "{first} and {second}");
        calls
    })
}

#[test]
fn a_leaf_of_a_prefix_in_a_some_is_above_none() {
    let leaf = Some(1.0f32);
    assert_eq!(under(&leaf, &None::<f32>), Ok(0));
    assert_eq!(under(&leaf, &None::<[f32; 2]>), Ok(0));
    assert_eq!(under(&leaf, &Some([1.0f32, 2.0])), Ok(2));
    assert_eq!(under(&Some(&1.0f32), &None::<&f32>), Ok(0));
    // The node that differs is after those that do not.
    let places = (leaf, leaf, 1.0f32, None::<f32>);
    assert_eq!(under(&places, &(None::<f32>, leaf, [1.0f32; 3], None::<f32>)), Ok(4));
    let refused = under(&places, &(None::<f32>, None::<f32>, 1.0f32, leaf));
    assert_eq!(refused, Err(Error::NotPrefix { node: 4, tree: 1 }));
    // Inside another `Option` it is different from `None`.
    assert_eq!(under(&Some(leaf), &Some(None::<f32>)), Ok(0));
    assert_eq!(
        under(&Some(leaf), &None::<Option<f32>>),
        Err(Error::NotPrefix { node: 0, tree: 1 })
    );
    assert_eq!(
        under(&Some(None::<f32>), &None::<Option<f32>>),
        Err(Error::NotPrefix { node: 0, tree: 1 })
    );
}

#[test]
fn containers_in_a_some_are_none_of_none() {
    let not_prefix = Err(Error::NotPrefix { node: 0, tree: 1 });
    assert_eq!(under(&Some([1.0f32; 2]), &None::<[f32; 2]>), not_prefix);
    assert_eq!(under(&Some([1.0f32; 1]), &None::<[f32; 1]>), not_prefix);
    assert_eq!(under(&Some((1.0f32,)), &None::<(f32,)>), not_prefix);
    assert_eq!(under(&None::<f32>, &Some(1.0f32)), not_prefix);
    assert_eq!(under(&None::<f32>, &None::<f32>), Ok(0));
}

#[test]
fn a_marker_counts_as_the_node_that_it_is() {
    let prefix = (PhantomData::<u16>, None::<f32>);
    assert_eq!(under(&prefix, &(PhantomData::<u8>, None::<f32>)), Ok(0));
    let refused = under(&prefix, &(PhantomData::<u8>, Some(1.0f32)));
    assert_eq!(refused, Err(Error::NotPrefix { node: 2, tree: 1 }));
}

#[test]
fn an_option_that_is_a_leaf_is_above_all_of_a_some_and_of_none() {
    let axes = Some(AsLeaf(None::<u8>));
    let mut calls = 0;
    let mut count = |_: (&f32, &AsLeaf<Option<u8>>)| calls += 1;
    assert_eq!(over(&Some([1.0f32; 3])).under(&axes).for_each(&mut count), Ok(()));
    assert_eq!(over(&None::<[f32; 3]>).under(&axes).for_each(&mut count), Ok(()));
    assert_eq!(calls, 3);
}

/// A few structures of one type, no two of them alike.
type Tree = (f32, Option<[f32; 2]>, heapless::Vec<Option<f32>, 3>, Option<Option<f32>>);

fn trees() -> Vec<Tree> {
    let lists = [&[][..], &[None], &[Some(1.0)], &[Some(1.0), None]];
    let mut trees = Vec::new();
    for some in [None, Some([2.0, 3.0])] {
        for list in lists {
            for nested in [None, Some(None), Some(Some(4.0))] {
                trees.push((5.0, some, heapless::Vec::from_slice(list).unwrap(), nested));
            }
        }
    }
    trees
}

/// The first node in preorder where two treedefs differ.
fn first_difference(first: &TreeDef<'_>, other: &TreeDef<'_>) -> Option<u32> {
    let mut others = other.nodes();
    (0..).zip(first.nodes()).find_map(|(index, node)| match others.next() {
        Some(other) if other.unwrap().head == node.unwrap().head => None,
        _ => Some(index),
    })
}

#[test]
fn trees_of_other_structures_are_refused_at_the_first_node_that_differs() {
    for first in trees() {
        for other in trees() {
            let (mut ours, mut theirs) = ([0; 64], [0; 64]);
            let def = structure_into(&first, &mut ours).unwrap();
            let found = structure_into(&other, &mut theirs).unwrap();
            let difference = first_difference(&def, &found);
            let wanted =
                |tree| difference.map_or(Ok(()), |node| Err(Error::TreesDiffer { node, tree }));
            let mut changed = other.clone();
            let what = format!("{def} and {found}");
            assert_eq!(over((&first, &other)).for_each(|_| ()), wanted(1), "{what}");
            let zipped = over((&first, &first, &mut changed)).for_each(|_| ());
            assert_eq!(zipped, wanted(2), "{what}");
            let mapped =
                over((&first, &first, &first, &changed)).map(|(a, _, _, _): (&f32, _, _, _)| *a);
            assert_eq!(mapped.map(drop), wanted(3), "{what}");
            let zipped = over((&first, &first)).with(&mut changed).for_each(|_| ());
            assert_eq!(zipped, wanted(2), "{what}");
            let zipped = over((&first, &other)).with(&first).for_each(|_| ());
            assert_eq!(zipped, wanted(1), "{what}");
            let zipped = over((&first, &other)).under(&1.0f32).for_each(|_| ());
            assert_eq!(zipped, wanted(1), "{what}");
            if let Err(error) = wanted(1) {
                let explained = error.explain(def, found).to_string();
                assert_eq!(error.explain_trees(&first, &other).to_string(), explained);
                assert!(explained.contains(": expected "), "{explained}");
            }
        }
    }
}

#[test]
fn a_missing_gradient_is_refused() {
    let (mut params, gradient) = ((1.0f32, Some(2.0f32)), (0.5f32, None));
    let sgd = over((&mut params, &gradient)).for_each(|(p, g): (&mut f32, _)| *p -= g);
    assert_eq!(sgd, Err(Error::TreesDiffer { node: 2, tree: 1 }));
    let back = over((&gradient, &params)).for_each(|_| ());
    assert_eq!(back, Err(Error::TreesDiffer { node: 2, tree: 1 }));
    let (mut bytes, mut other) = ([0; 8], [0; 8]);
    let def = structure_into(&params, &mut bytes).unwrap();
    let found = structure_into(&gradient, &mut other).unwrap();
    let error = sgd.unwrap_err();
    assert_eq!(error.to_string(), "tree 1 differs from the first at node 2");
    assert_eq!(error.explain(def, found).to_string(), "at [1]: expected a leaf, found None");
    assert_eq!(error.explain_at(def).to_string(), "structure differs at [1]");
}

#[cfg(feature = "alloc")]
#[test]
fn structures_of_any_length_are_explained() {
    let long = |last| {
        let mut rows: Vec<_> = (0..2000).map(|row| vec![1.0f32; row % 7]).collect();
        rows.push(vec![1.0; last]);
        rows
    };
    let error = over((&long(1), &long(2))).for_each(|_| ()).unwrap_err();
    assert_eq!(
        error.explain_trees(&long(1), &long(2)).to_string(),
        "at [2000]: expected a list of 1, found a list of 2"
    );
}

#[test]
fn six_trees_are_read_and_changed_in_any_mix() {
    let tree = (1.0f32, [2.0f32, 3.0], Some(4.0f32));
    let (mut first, mut last, mut mask) = (tree, tree, (0u8, [0u8; 2], Some(0u8)));
    let six = over((&mut first, &tree, &tree, &tree, &tree, &mut last)).with(&mut mask);
    six.for_each(|((a, b, c, d, e, f), count)| {
        (*a, *f) = (b + c + d + e, -*f);
        *count += 1;
    })
    .unwrap();
    assert_eq!(first, (4.0, [8.0, 12.0], Some(16.0)));
    assert_eq!(last, (-1.0, [-2.0, -3.0], Some(-4.0)));
    assert_eq!(mask, (1, [1, 1], Some(1)));
    let sums = over((&tree, &tree, &tree, &tree, &tree, &mut last)).map(
        |(a, b, c, d, e, f): (&f32, _, _, _, _, _)| {
            *f = 0.0;
            f64::from(a + b + c + d + e)
        },
    );
    assert_eq!((sums, last), (Ok((5.0, [10.0, 15.0], Some(20.0))), (0.0, [0.0; 2], Some(0.0))));
    let dot = |x: f32, (a, b): (&f32, &f32)| x + a * b;
    assert_eq!(over((&tree, &tree)).fold(0.0, dot), Ok(30.0));
    let weighted = over((&tree, &tree)).under(&(1.0f32, 0.0f32, 10.0f32));
    let sum = weighted.fold(0.0, |x, ((a, b), w)| x + a * b * w);
    assert_eq!(sum, Ok(161.0));
}

#[test]
fn errors_of_the_function_end_the_walk() {
    #[derive(Debug, PartialEq)]
    enum Failed {
        Odd(i32),
        Tree(Error),
    }
    impl From<Error> for Failed {
        fn from(error: Error) -> Self {
            Self::Tree(error)
        }
    }
    let even = |x: &i32| if x % 2 == 0 { Ok(()) } else { Err(Failed::Odd(*x)) };
    let (tree, other) = ((2, [4, 5], Some(7)), (2, [4, 5], None));
    assert_eq!(over((&tree, &tree)).for_each(|(a, _): (&i32, _)| even(a)), Err(Failed::Odd(5)));
    let refused = over((&other, &tree)).for_each(|_| Ok::<_, Failed>(()));
    assert_eq!(refused, Err(Failed::Tree(Error::TreesDiffer { node: 5, tree: 1 })));
    let mapped = over((&tree, &tree)).try_map(|(a, b): (&i32, _)| even(a).map(|()| a * b));
    assert_eq!(mapped, Err(Failed::Odd(5)));
    let mapped =
        over((&tree, &tree)).try_map(|(a, b): (&i32, _)| Ok::<_, Failed>(i64::from(a * b)));
    assert_eq!(mapped, Ok((4i64, [16i64, 25], Some(49i64))));
    let mut calls = 0;
    let masked = over(&tree).with(&tree).for_each(|(a, _): (&i32, &i32)| {
        calls += 1;
        even(a)
    });
    assert_eq!((masked, calls), (Err(Failed::Odd(5)), 3));
    let mut changed = tree;
    let stopped = over(&mut changed).for_each(|x: &mut i32| {
        even(x)?;
        *x = 0;
        Ok::<_, Failed>(())
    });
    assert_eq!((stopped, changed), (Err(Failed::Odd(5)), (0, [0, 5], Some(7))));
    assert_eq!(over(&tree).try_map(|x: &i32| even(x).map(|()| *x)), Err(Failed::Odd(5)));
}

#[cfg(feature = "alloc")]
#[test]
fn errors_of_other_crates_come_back_as_they_were() {
    let number = |text: &String| text.parse::<i32>().map_err(TryError::User);
    let text = |first: &str| (first.to_owned(), Some("2".to_owned()));
    let sum = |one, other| {
        over((&one, &other))
            .try_map(|(a, b): (&String, _)| Ok::<_, TryError<_>>(number(a)? + number(b)?))
    };
    assert_eq!(sum(text("1"), text("3")), Ok((4, Some(4))));
    let wrong = "x".parse::<i32>().unwrap_err();
    assert_eq!(sum(text("1"), text("x")), Err(TryError::User(wrong.clone())));
    let differs = sum(text("1"), ("3".to_owned(), None)).unwrap_err();
    assert_eq!(differs, TryError::Tree(Error::TreesDiffer { node: 2, tree: 1 }));
    assert_eq!(differs.to_string(), "tree 1 differs from the first at node 2");
    // As the error of the other crate, if that can be made of one of treedef.
    assert_eq!(differs.into_user(|_| wrong.clone()), wrong);
    let user = TryError::User(wrong.clone());
    assert_eq!(user.to_string(), "invalid digit found in string");
    assert_eq!(user.into_user(|_| unreachable!()), wrong);
}

#[test]
fn a_leaf_beside_a_subtree_is_refused_unless_it_is_a_prefix() {
    let params = ([1.0f32, 2.0], [[3.0f32]]);
    let rates = (0.5f32, [10.0f32]);
    let beside = over(&params).with(&rates).for_each(|_| ());
    assert_eq!(beside, Err(Error::TreesDiffer { node: 1, tree: 1 }));
    let mut seen = Vec::new();
    let under = over((&params, &params)).under(&rates);
    under.for_each(|((a, b), rate)| seen.push((*a, *b, *rate))).unwrap();
    assert_eq!(seen, [(1.0, 1.0, 0.5), (2.0, 2.0, 0.5), (3.0, 3.0, 10.0)]);
    // Lists are longer: the place in a prefix counts the nodes of the prefix, that in the trees those of the trees.
    let rows = [vec![[1.0f32; 4]; 3], vec![[1.0f32; 4]; 2]].map(heapless::Vec::<_, 3>::from_iter);
    let [three, two] = (rows.each_ref()).map(|rows| (1.0f32, rows.clone(), Some(1.0f32)));
    let prefix = (1.0f32, heapless::Vec::<f32, 3>::from_slice(&[1.0; 3]).unwrap(), None::<f32>);
    let refused = over(&three).under(&prefix).for_each(|_| ());
    assert_eq!(refused, Err(Error::NotPrefix { node: 6, tree: 1 }));
    let refused = over(&two).under(&prefix).for_each(|_| ());
    assert_eq!(refused, Err(Error::NotPrefix { node: 2, tree: 1 }));
    let text = refused.unwrap_err().explain_trees(&prefix, &two).to_string();
    assert_eq!(text, "at [1]: expected a list of 3, found a list of 2");
    let prefix = (1.0f32, prefix.1, Some(1.0f32));
    let none = (1.0f32, three.1.clone(), None);
    let refused = over((&three, &none)).under(&prefix).for_each(|_| ());
    assert_eq!(refused, Err(Error::TreesDiffer { node: 18, tree: 1 }));
}

#[test]
fn trees_that_share_their_leaves_are_read_together() {
    let (a, b) = ([1.0f32, 2.0], [3.0f32, 4.0]);
    let dot = |x: f32, (a, b): (&f32, &f32)| x + a * b;
    assert_eq!(over((a.as_slice(), b.as_slice())).fold(0.0, dot), Ok(11.0));
    assert_eq!(over((&(&a, &1.0), &(&b, &2.0))).fold(0.0, dot), Ok(13.0));
    let refused = over((a.as_slice(), &b[..1])).for_each(|_| ());
    assert_eq!(refused, Err(Error::TreesDiffer { node: 0, tree: 1 }));
    let (mut x, y) = ([1.0f32, 2.0], [true, false]);
    let masked = over((x.as_mut_slice(), &a[..])).with(y.as_slice());
    masked.for_each(|((x, a), keep)| *x += if *keep { *a } else { 0.0 }).unwrap();
    assert_eq!(x, [2.0, 2.0]);
}

#[cfg(feature = "alloc")]
#[test]
fn a_check_compares_and_changes_nothing() {
    let (params, other) = ((1.0f32, vec![[2.0f32; 2]; 3]), (1.0f32, vec![[2.0f32; 2]; 2]));
    let (mut changed, differs) = (params.clone(), Error::TreesDiffer { node: 2, tree: 2 });
    let refused = over((&mut changed, &params, &other)).check().map(drop);
    assert_eq!(refused, Err(differs));
    // Without the check, the first leaf is changed before the walk finds the list.
    let half =
        over((&mut changed, &params, &other)).for_each(|(x, _, _): (&mut f32, _, _)| *x = 0.0);
    assert_eq!((half, changed.0), (Err(differs), 0.0));
    let checked =
        over((&mut changed, &params)).check().and_then(|over| over.for_each(|(x, y)| *x = *y));
    assert_eq!((checked, changed), (Ok(()), params.clone()));

    // Further trees are compared with the first, and have the index that a walk would name.
    let (mask, short) = (treedef::map(&params, |x| *x > 1.0), treedef::map(&other, |_| true));
    let (mask, short) = (mask.unwrap(), short.unwrap());
    assert_eq!(over(&params).with(&mask).with(&short).check().map(drop), Err(differs));
    let walked = over(&params).with(&mask).with(&short).for_each(|_| ());
    assert_eq!(walked, Err(differs));
    let mapped = over((&params, &params)).with(&short).map(|((x, _), _): ((&f32, _), _)| *x);
    assert_eq!(mapped, Err(differs));
    let under = over((&params, &params)).under(&short).check().map(drop);
    assert_eq!(under, Err(Error::NotPrefix { node: 2, tree: 2 }));
    assert!(over((&params, &params)).with(&mask).under(&(1u8, 2u8)).check().is_ok());

    let (mut model, shorter) = ((vec![1.0f32], 7u64), (vec![0.0f32; 2], 7u64));
    let refused = over((&mut model, &shorter)).only::<f32>().check().map(drop);
    assert_eq!(refused, Err(Error::TreesDiffer { node: 1, tree: 1 }));
}

/// Elements without a constant structure are compared one by one, also if they have a fixed number of leaves.
#[cfg(feature = "alloc")]
#[test]
fn a_check_compares_the_elements_of_lists() {
    let list = |last| vec![vec![1.0f32], vec![2.0], vec![3.0; last]];
    let refused = over((&list(1), &list(2))).check().map(drop);
    assert_eq!(refused, Err(Error::TreesDiffer { node: 5, tree: 1 }));
    assert!(over((&list(2), &list(2))).check().is_ok());
}

#[cfg(feature = "alloc")]
#[test]
fn masks_and_prefixes_combine_in_any_order() {
    let mut params = ([1.0f32, 2.0], vec![3.0f32, 4.0]);
    let grads = ([0.5f32, 0.5], vec![0.5f32, 1.0]);
    let (mask, rates) = (([true, false], vec![true, true]), (10.0f32, 100.0f32));
    let names = ('a', 'b');
    let mut seen = Vec::new();
    let zipped = over((&mut params, &grads)).with(&mask).under(&rates).under(&names);
    let visited = zipped.for_each(|((((p, g), keep), rate), name)| {
        seen.push((*name, *keep, *rate));
        if *keep {
            *p -= rate * g;
        }
    });
    assert_eq!((visited, &params), (Ok(()), &([-4.0, 2.0], vec![-47.0, -96.0])));
    let (first, second) = ([('a', true, 10.0), ('a', false, 10.0)], ('b', true, 100.0));
    assert_eq!(seen, [first[0], first[1], second, second]);

    let other =
        over(&params).under(&rates).with(&mask).map(|((p, rate), keep)| (*p < *rate, *keep));
    let flags = [(true, true), (true, false)];
    assert_eq!(other, Ok((flags, vec![(true, true), (true, true)])));
    let sum = over(&params).under(&rates).with(&mask).fold(0.0, |sum, ((_, rate), _)| sum + rate);
    assert_eq!(sum, Ok(220.0));
    let failed = over(&params).with(&mask).under(&rates).for_each(|((_, keep), _)| match keep {
        true => Ok(()),
        false => Err(Error::TooLarge),
    });
    assert_eq!(failed, Err(Error::TooLarge));

    // A further tree can be changed, too, and each of its leaves is changed once; so can trees that are mapped.
    let mut counts = ([0u8; 2], vec![0u8; 2]);
    let doubled = over(&mut params).with(&mut counts).under(&rates).map(|((p, count), rate)| {
        *count += 1;
        *p = 0.0;
        2.0 * *rate
    });
    assert_eq!(doubled, Ok(([20.0, 20.0], vec![200.0, 200.0])));
    assert_eq!((params, counts), (([0.0; 2], vec![0.0; 2]), ([1; 2], vec![1; 2])));
}

/// Leaves without a size are at one address: each is shown for its own place.
#[cfg(feature = "alloc")]
#[test]
fn leaves_without_a_size_are_shown_once() {
    use treedef::tree::AsLeaf;
    let (values, mut marks) = ([1.0f32, 2.0, 3.0], [AsLeaf(()), AsLeaf(()), AsLeaf(())]);
    let marked = over(&values).with(&mut marks).map(|(x, _): (_, &mut AsLeaf<()>)| 2.0 * x);
    assert_eq!(marked, Ok([2.0, 4.0, 6.0]));
    let under = over(&[values; 2]).under(&[AsLeaf(()), AsLeaf(())]).map(|(x, _)| 2.0 * x);
    assert_eq!(under, Ok([[2.0, 4.0, 6.0]; 2]));
}

#[cfg(feature = "alloc")]
#[test]
fn slices_are_beside_vectors_and_arrays() {
    let (mut params, flat) = (vec![1.0f32, 2.0], [0.5f32, 1.0].as_slice());
    over((&mut params, flat)).for_each(|(p, g)| *p -= g).unwrap();
    assert_eq!(params, [0.5, 1.0]);
    let mut array = [1.0f32, 2.0];
    over((flat, &mut array, flat)).for_each(|(g, p, _)| *p -= g).unwrap();
    assert_eq!(array, [0.5, 1.0]);
    let kept = heapless::Vec::<f32, 4>::from_slice(&[3.0, 4.0]).unwrap();
    let masked = over((&kept, flat)).with(&[true, false][..]);
    assert_eq!(
        masked.fold(0.0, |sum, ((a, b), keep)| sum + if *keep { a * b } else { 0.0 }),
        Ok(1.5)
    );
    let short = over((&mut params, &flat[..1])).check().map(drop);
    assert_eq!(short, Err(Error::TreesDiffer { node: 0, tree: 1 }));
    let mut counts = (vec![1u8, 2], 3u8);
    let added = over((&mut counts.0, &[1u8, 1][..])).only::<u8>().for_each(|(a, b)| *a += b);
    assert_eq!((added, counts), (Ok(()), (vec![2, 3], 3)));
}

/// `MapTree` is the only bound that a generic map needs.
#[test]
fn a_generic_map_needs_one_bound() {
    use treedef::tree::MapTree;
    fn sum<T: MapTree<f32, f32, Output = T>>(a: &T, b: &T) -> Result<T, Error> {
        over((a, b)).map(|(a, b)| a + b)
    }
    fn is_larger<T: MapTree<f32, bool>>(a: &T, b: &T) -> Result<T::Output, Error> {
        over((a, b)).map(|(a, b)| a > b)
    }
    let (a, b) = ((1.0f32, [2.0f32, 3.0]), (2.0f32, [1.0f32, 1.0]));
    assert_eq!(sum(&a, &b), Ok((3.0, [3.0, 4.0])));
    assert_eq!(is_larger(&a, &b), Ok((false, [true, true])));
}

#[cfg(feature = "derive")]
mod derived {
    use treedef::tree::ZipPrefix;
    use treedef::{Error, Tree, over, structure_into};

    /// Adam, over any tree of floats.
    fn adam<T: Tree<f32>>(p: &mut T, g: &T, m: &mut T, v: &mut T, t: i32) -> Result<(), Error> {
        let (rate, b1, b2) = (0.1f32, 0.9f32, 0.999f32);
        let (c1, c2) = (1.0 - b1.powi(t), 1.0 - b2.powi(t));
        over((p, g, m, v)).for_each(|(p, g, m, v): (&mut f32, _, _, _)| {
            *m = b1 * *m + (1.0 - b1) * g;
            *v = b2 * *v + (1.0 - b2) * g * g;
            *p -= rate * (*m / c1) / ((*v / c2).sqrt() + 1e-8);
        })
    }

    #[derive(Clone, Debug, PartialEq, Tree)]
    struct Layer<T> {
        w: [T; 2],
        b: Option<T>,
        #[tree(meta)]
        units: u32,
        #[tree(skip)]
        calls: u8,
    }

    fn layer(by: f32, units: u32) -> Layer<f32> {
        Layer { w: [by, 2.0 * by], b: Some(-by), units, calls: 7 }
    }

    #[test]
    fn adam_finds_the_minimum() {
        let target = (layer(1.0, 2), [layer(3.0, 4)]);
        let mut p = treedef::map(&target, |_: &f32| 0.0f32).unwrap();
        let (mut m, mut v) = (p.clone(), p.clone());
        for t in 1..400 {
            let g = over((&p, &target)).map(|(p, x): (&f32, _)| 2.0 * (p - x)).unwrap();
            adam(&mut p, &g, &mut m, &mut v, t).unwrap();
        }
        let off =
            over((&p, &target)).fold(0.0f32, |x, (p, t): (&f32, _)| x.max((p - t).abs())).unwrap();
        assert!(off < 0.01, "{off}: {p:?}");
    }

    #[test]
    fn static_data_is_compared_and_kept_and_skipped_fields_are_copied() {
        let (tree, other) = ((1.0f32, layer(1.0, 2)), (1.0f32, layer(1.0, 3)));
        let differs = Error::TreesDiffer { node: 2, tree: 1 };
        let mut changed = other.clone();
        assert_eq!(over((&tree, &mut changed)).for_each(|_| ()), Err(differs));
        assert_eq!(over((&tree, &other)).map(|(a, _): (&f32, _)| *a), Err(differs));
        assert_eq!(over(&tree).with(&other).for_each(|_| ()), Err(differs));
        let refused = over(&tree).under(&other).for_each(|_| ());
        assert_eq!(refused, Err(Error::NotPrefix { node: 2, tree: 1 }));
        // Meta fields is compared in all elements of a list, though they have one number of leaves.
        let lists = [2, 3].map(|units| [layer(1.0, 2), layer(1.0, units)]);
        let lists = lists.each_ref().map(|list| over((&lists[0], list)).for_each(|_| ()));
        assert_eq!(lists, [Ok(()), Err(Error::TreesDiffer { node: 6, tree: 1 })]);
        let (mut bytes, mut found) = ([0; 128], [0; 128]);
        let def = structure_into(&tree, &mut bytes).unwrap();
        let found = structure_into(&other, &mut found).unwrap();
        let text = differs.explain(def, found).to_string();
        assert_eq!(text, "at [1]: expected units = 2, found units = 3");
        let sum = over((&tree, &tree)).map(|(a, b): (&f32, _)| a + b).unwrap();
        assert_eq!(sum, (2.0, layer(2.0, 2)));
    }

    #[derive(Clone, Debug, PartialEq, Tree)]
    enum Filter<T> {
        Low { hz: T },
        Band(T, T),
        Off,
    }

    #[test]
    fn variants_are_compared() {
        let all = [Filter::Low { hz: 1.0f32 }, Filter::Band(1.0, 2.0), Filter::Off];
        for (i, first) in all.iter().enumerate() {
            for (j, other) in all.iter().enumerate() {
                let (first, mut other) = ((0.0f32, first.clone()), (0.0f32, other.clone()));
                let differs = Error::TreesDiffer { node: 2, tree: 1 };
                let wanted = if i == j { Ok(()) } else { Err(differs) };
                assert_eq!(over((&first, &other)).for_each(|_| ()), wanted);
                assert_eq!(over((&first, &mut other)).for_each(|_| ()), wanted);
                assert_eq!(over((&first, &other)).map(|(a, _): (&f32, _)| *a).map(drop), wanted);
                assert_eq!(over(&first).with(&other).for_each(|_| ()), wanted);
                let above = over(&other).under(&first).for_each(|_| ());
                assert_eq!(above.is_ok(), i == j);
            }
        }
        let text = {
            let (mut bytes, mut found) = ([0; 128], [0; 128]);
            let def = structure_into(&all[0], &mut bytes).unwrap();
            let found = structure_into(&all[2], &mut found).unwrap();
            Error::TreesDiffer { node: 0, tree: 1 }.explain(def, found).to_string()
        };
        assert!(text.contains("Filter::Low") && text.contains("Filter::Off"), "{text}");
    }

    #[cfg(feature = "alloc")]
    #[derive(Clone, Debug, PartialEq, Tree)]
    struct Chain<T> {
        value: T,
        next: Option<Box<Chain<T>>>,
    }

    #[cfg(feature = "alloc")]
    #[test]
    fn recursive_types_are_walked_together() {
        let chain = |len: u8| {
            let next = (1..len)
                .rev()
                .fold(None, |next, i| Some(Box::new(Chain { value: f32::from(i), next })));
            Chain { value: 0.0f32, next }
        };
        let (mut sum, tree) = (chain(3), chain(3));
        over((&mut sum, &tree)).for_each(|(a, b): (&mut f32, _)| *a += b).unwrap();
        assert_eq!(over((&tree, &tree)).map(|(a, b): (&f32, _)| a + b), Ok(sum.clone()));
        let mask = treedef::map(&tree, |x: &f32| *x > 1.0).unwrap();
        over(&mut sum)
            .with(&mask)
            .for_each(|(x, keep): (&mut f32, &bool)| *x *= f32::from(*keep))
            .unwrap();
        assert_eq!(over(&sum).fold(0.0, |sum, x| sum + x), Ok(4.0));
        // A node and a leaf for each link, and the `None` or the link that differs.
        assert_eq!(
            over((&tree, &tree, &chain(2))).for_each(|_| ()),
            Err(Error::TreesDiffer { node: 4, tree: 2 })
        );
        let refused = over(&tree).with(&chain(4)).for_each(|_| ());
        assert_eq!(refused, Err(Error::TreesDiffer { node: 6, tree: 1 }));
    }

    /// A type whose bounds name itself.
    #[derive(Clone, Debug, PartialEq, Tree)]
    struct Bounded<T>
    where
        Self: Sized,
    {
        value: T,
    }

    #[test]
    fn types_whose_bounds_name_themselves_are_walked_together() {
        let (mut a, b) = (Bounded { value: 1.0f32 }, Bounded { value: 2.0f32 });
        over((&mut a, &b)).for_each(|(a, b): (&mut f32, _)| *a += b).unwrap();
        assert_eq!(a, Bounded { value: 3.0 });
    }

    /// Generic over the mask.
    fn decay<T: Tree<f32>, M: ZipPrefix<bool, f32, T>>(p: &mut T, mask: &M) -> Result<(), Error> {
        over(p).with(mask).for_each(|(p, keep): (&mut f32, &bool)| {
            if *keep {
                *p *= 0.5;
            }
        })
    }

    #[cfg(feature = "alloc")]
    #[test]
    fn a_new_tree_is_made_of_trees_with_several_leaf_types() {
        let layers: Vec<_> = (0..3u8).map(|n| layer(f32::from(n), n.into())).collect();
        let mask = treedef::map(&layers, |x: &f32| *x > 1.0).unwrap();
        let kept = over(&layers).with(&mask).map(|(x, keep): (&f32, &bool)| keep.then_some(*x));
        let wanted = treedef::map(&layers, |x: &f32| (*x > 1.0).then_some(*x));
        assert_eq!(kept, wanted);

        // Each leaf of the added tree is changed once, with the new leaf of its place.
        let mut names = treedef::map(&layers, |x: &f32| format!("{x}")).unwrap();
        let sums = over((&layers, &layers)).with(&mut names).map(
            |((a, b), name): ((&f32, _), &mut String)| {
                name.push('!');
                f64::from(a + b)
            },
        );
        assert_eq!(sums, treedef::map(&layers, |x: &f32| f64::from(2.0 * x)));
        assert_eq!(names, treedef::map(&layers, |x: &f32| format!("{x}!")).unwrap());

        let rates = vec![10.0f32, 20.0, 30.0];
        let scaled = over(&layers).under(&rates).map(|(x, rate): (&f32, &f32)| x * rate).unwrap();
        let mut expected = layers.clone();
        over(&mut expected)
            .under(&rates)
            .for_each(|(x, rate): (&mut f32, &f32)| *x *= rate)
            .unwrap();
        assert_eq!(Ok(scaled), treedef::map(&expected, |x: &f32| *x));

        let short =
            over(&layers).under(&rates[..2].to_vec()).map(|(x, rate): (&f32, &f32)| x * rate);
        assert_eq!(short, Err(Error::NotPrefix { node: 0, tree: 1 }));
        let other = over((&layers, &layers[..2].to_vec()))
            .with(&mask)
            .map(|((x, _), _): ((&f32, _), &bool)| *x);
        assert_eq!(other, Err(Error::TreesDiffer { node: 0, tree: 1 }));
        let mut seen = 0;
        let stopped = over(&layers).with(&mask).try_map(|(x, _): (&f32, &bool)| {
            seen += 1;
            if seen == 4 { Err(Error::WrongLeaf { leaf: 3 }) } else { Ok(*x) }
        });
        assert_eq!((stopped, seen), (Err(Error::WrongLeaf { leaf: 3 }), 4));
    }

    #[derive(Clone, Debug, PartialEq, Tree)]
    struct Mlp {
        encoder: Layer<f32>,
        decoder: [Layer<f32>; 2],
        scale: f32,
    }

    #[derive(Tree)]
    struct Rates {
        encoder: f64,
        decoder: Parts,
        scale: f64,
    }

    type Parts = [f64; 2];

    treedef::prefix!(Rates { encoder, decoder, scale }: f64, of Mlp: f32);

    #[test]
    fn a_struct_is_a_prefix_of_another_struct() {
        let mut mlp =
            Mlp { encoder: layer(1.0, 1), decoder: [layer(1.0, 2), layer(1.0, 3)], scale: 1.0 };
        let rates = Rates { encoder: 2.0, decoder: [3.0, 4.0], scale: 5.0 };
        let times = |(x, rate): (&mut f32, &f64)| *x *= *rate as f32;
        over(&mut mlp).under(&rates).for_each(times).unwrap();
        let decoder = [layer(3.0, 2), layer(4.0, 3)];
        assert_eq!(mlp, Mlp { encoder: layer(2.0, 1), decoder, scale: 5.0 });
        // As trees of one structure they are refused at the first field: it is a leaf in one of them.
        let with = over(&mlp).with(&rates).check().map(drop);
        assert_eq!(with, Err(Error::TreesDiffer { node: 1, tree: 1 }));
    }

    #[test]
    fn a_prefix_of_another_struct_has_no_meta_and_skipped_fields() {
        #[derive(Debug, PartialEq, Tree)]
        struct Net {
            #[tree(meta)]
            kind: u8,
            first: [f32; 2],
            #[tree(name = "second")]
            last: f32,
            #[tree(skip)]
            steps: u64,
        }

        #[derive(Tree)]
        struct Rates {
            first: f32,
            last: f32,
        }

        treedef::prefix!(Rates { first, last }: f32, of Net: f32);
        let mut net = Net { kind: 1, first: [1.0, 2.0], last: 3.0, steps: 7 };
        let rates = Rates { first: 2.0, last: 10.0 };
        over(&mut net).under(&rates).for_each(|(x, rate)| *x *= rate).unwrap();
        assert_eq!(net, Net { kind: 1, first: [2.0, 4.0], last: 30.0, steps: 7 });
    }

    #[test]
    fn a_prefix_of_another_struct_is_explained_at_its_node() {
        // Names that a macro could have for its type parameters.
        #[derive(Tree)]
        struct P {
            first: f32,
            blocks: heapless::Vec<f32, 4>,
        }

        #[derive(Tree)]
        struct L {
            first: [f32; 2],
            blocks: heapless::Vec<f32, 4>,
        }

        treedef::prefix!(P { first, blocks }: f32, of L: f32);
        let blocks = P { first: 1.0, blocks: [1.0; 3].into() };
        let net = L { first: [1.0; 2], blocks: [1.0; 2].into() };
        let error = over(&net).under(&blocks).check().map(drop).unwrap_err();
        assert_eq!(error, Error::NotPrefix { node: 2, tree: 1 });
        assert_eq!(
            error.explain_trees(&blocks, &net).to_string(),
            "at .blocks: expected a list of 3, found a list of 2"
        );
    }

    #[test]
    fn a_mask_has_leaves_of_another_type() {
        let mut tree = [layer(2.0, 1), layer(4.0, 1)];
        let mask = treedef::map(&tree, |x: &f32| *x > 3.0).unwrap();
        decay(&mut tree, &mask).unwrap();
        assert_eq!(tree[0].w, [2.0, 2.0]);
        assert_eq!(tree[1], Layer { w: [2.0, 4.0], b: Some(-4.0), ..layer(4.0, 1) });
    }
}

/// Vectors are mapped some elements at a time: lengths around these numbers, for elements of several sizes.
#[cfg(all(feature = "alloc", feature = "derive"))]
mod groups {
    use treedef::{Error, Tree, map, over};

    #[derive(Clone, Debug, PartialEq, Tree)]
    struct Gains<T> {
        kp: T,
        ki: [T; 2],
    }

    fn gains(i: f32) -> Gains<f32> {
        Gains { kp: i, ki: [i + 0.25, i + 0.5] }
    }

    fn numbers(len: u16) -> impl Iterator<Item = f32> {
        (0..len).map(f32::from)
    }

    #[test]
    fn vectors_of_every_length_are_mapped() {
        for len in 0..40u16 {
            let floats: Vec<f32> = numbers(len).collect();
            let expected: Vec<f64> = numbers(len).map(|x| f64::from(x) + 1.0).collect();
            assert_eq!(map(&floats, |x: &f32| f64::from(*x) + 1.0), Ok(expected));
            let structs: Vec<_> = numbers(len).map(gains).collect();
            let mapped: Vec<_> = numbers(len).map(|x| gains(x + 1.0)).collect();
            assert_eq!(map(&structs, |x: &f32| x + 1.0), Ok(mapped));
            let more: Vec<_> = numbers(len).map(|x| gains(x + 2.0)).collect();
            let of_two = over((&structs, &more)).map(|(a, b): (&f32, _)| (a + b) / 2.0);
            assert_eq!(of_two, map(&structs, |x: &f32| x + 1.0));
            let large: Vec<_> = numbers(len).map(|x| [x; 20]).collect();
            assert_eq!(map(&large, |x: &f32| *x), Ok(large.clone()));
        }
    }

    #[test]
    fn a_map_ends_at_the_first_error_in_order() {
        let floats: Vec<f32> = numbers(39).collect();
        for stop in 0..39u32 {
            let mut seen = 0;
            let mapped = over(&floats).try_map(|x: &f32| {
                seen += 1;
                if seen <= stop { Ok(*x) } else { Err(Error::TooLarge) }
            });
            assert_eq!((mapped, seen), (Err(Error::TooLarge), stop + 1));
        }
    }

    #[test]
    fn a_difference_after_a_vector_is_at_its_node() {
        for len in 0..40u16 {
            let structs: Vec<_> = numbers(len).map(gains).collect();
            let first = (structs.clone(), vec![0.5f32; 2]);
            let second = (structs, vec![0.5f32; 3]);
            let differs = over((&first, &second)).map(|(a, b): (&f32, _)| a + b);
            // The tuple, the list, and five nodes for each of its elements.
            let node = 2 + 5 * u32::from(len);
            assert_eq!(differs.err(), Some(Error::TreesDiffer { tree: 1, node }));
        }
    }
}
