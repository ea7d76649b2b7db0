//! Leaves of several types, by a set that is named; other calls do not see the set.

#[cfg(feature = "alloc")]
use treedef::tree::mixed;
use treedef::{Error, flatten_into, leaves_into, map, over, treedef, unflatten};

treedef::leaf_types! {
    /// All that the trees here have, and more.
    // The line `run` does nothing.
    struct Signal { owned Value, read Ref, write Mut, Float(f32), Double(f64), Count(u32) }
}

#[test]
fn a_set_changes_no_call_for_leaves_of_one_type() {
    let mut tree = (1.0f32, [2.0f32]);
    over(&mut tree).for_each(|x| *x = x.sqrt()).unwrap();
    let doubled = map(&tree, |x| x * 2.0).unwrap();
    over((&mut tree, &doubled)).for_each(|(a, b)| *a += b.abs()).unwrap();
    let (mut bytes, mut leaves) = ([0; 8], [0.0; 2]);
    let (def, _) = flatten_into(&tree, &mut bytes, &mut leaves).unwrap();
    assert_eq!((def, leaves_into(&tree, &mut [0.0; 2])), (treedef!((*, [*])), Ok(2)));
    let back: (f32, [f32; 1]) = unflatten(def, &[4.0, 5.0]).unwrap();
    let mut seen = Vec::new();
    over(&back).for_each(|x| seen.push(x.floor())).unwrap();
    assert_eq!((seen, over(&back).fold(0.0, |sum, x| sum + x)), (vec![4.0, 5.0], Ok(9.0)));
}

#[test]
fn a_visit_of_a_set_stops_at_the_first_error() {
    let mut tree = (1.0f32, [2u32, 3], 4.0f64);
    let mut seen = 0;
    let stopped = over(&tree).of::<Signal>().for_each(|leaf| match leaf {
        Ref::Count(_) => Err(Error::WrongLeaf { leaf: 1 }),
        Ref::Float(_) | Ref::Double(_) => {
            seen += 1;
            Ok(())
        }
    });
    assert_eq!((stopped, seen), (Err(Error::WrongLeaf { leaf: 1 }), 1));
    let stopped = over(&mut tree).of::<Signal>().for_each(|leaf| match leaf {
        Mut::Count(count) => count.checked_sub(3).map(|less| *count = less).ok_or(Error::TooLarge),
        Mut::Float(x) => {
            *x = -*x;
            Ok(())
        }
        Mut::Double(_) => Ok(()),
    });
    assert_eq!((stopped, tree), (Err(Error::TooLarge), (-1.0, [2, 3], 4.0)));
}

#[cfg(feature = "alloc")]
#[test]
fn a_set_is_built_of_choices_and_each_wrong_leaf_is_named() {
    type Tree = (Option<f64>, Vec<(f32, u32)>, [Option<u32>; 2], [f64; 2], Vec<Option<f32>>);
    let tree: Tree =
        (Some(0.5), vec![(1.0, 2), (3.0, 4)], [None, Some(5)], [6.0, 7.0], vec![None, Some(8.0)]);
    let (_, leaves) = mixed::flatten::<Signal>(&tree).unwrap();
    let mut choices = [0; 16];
    let len = treedef::tree::choices::choices_into(&tree, &mut choices).unwrap();
    let (choices, build) = (&choices[..len], mixed::unflatten_choices::<Signal, Tree>);
    assert_eq!(build(choices, &leaves), Ok(tree));

    for wrong in 0..leaves.len() {
        let mut leaves = leaves.clone();
        leaves[wrong] = match leaves[wrong] {
            Value::Count(_) => Value::Double(0.0),
            Value::Float(_) | Value::Double(_) => Value::Count(0),
        };
        assert_eq!(build(choices, &leaves), Err(Error::WrongLeaf { leaf: wrong as u32 }));
        let count = Err(Error::TooFewLeaves { expected: leaves.len(), found: wrong });
        assert_eq!(build(choices, &leaves[..wrong]), count);
    }
    let more = [&leaves[..], &[Value::Count(0)]].concat();
    let count = Err(Error::TooManyLeaves { expected: leaves.len(), found: more.len() });
    assert_eq!(build(choices, &more), count);
    let (last, fewer) = choices.split_last().unwrap();
    assert_eq!(build(fewer, &leaves), Err(Error::WrongChoices { at: fewer.len() }));
    let wrong = [fewer, &[last + 1]].concat();
    assert_eq!(build(&wrong, &leaves), Err(Error::WrongChoices { at: wrong.len() }));
}

#[cfg(feature = "alloc")]
#[test]
fn a_refused_key_is_no_wrong_leaf() {
    use std::collections::BTreeMap;

    type Tree = (u32, BTreeMap<u8, f32>);
    let build = mixed::unflatten_choices::<Signal, Tree>;
    let leaves = [Value::Count(1), Value::Float(2.0)];
    let tree: Tree = (1, BTreeMap::from([(7, 2.0)]));
    let mut choices = [0; 8];
    let len = treedef::tree::choices::choices_into(&tree, &mut choices).unwrap();
    assert_eq!(build(&choices[..len], &leaves), Ok(tree));
    // The key 300 is no `u8`.
    let other = (1u32, BTreeMap::from([(300u16, 2.0f32)]));
    let len = treedef::tree::choices::choices_into(&other, &mut choices).unwrap();
    let refused = build(&choices[..len], &leaves);
    assert!(matches!(refused, Err(Error::WrongChoices { .. })), "{refused:?}");
}
