//! Leaves of several types, by a set that is named; other calls do not see the set.

use treedef::tree::mixed;
use treedef::{
    Error, flatten_into, for_each, for_each_mut, leaves_into, map, reduce, treedef, unflatten, zip,
};

treedef::leaf_types! {
    /// All that the trees here have, and more.
    // The line `run` does nothing.
    struct Signal { owned Value, read Ref, write Mut, run Run, Float(f32), Double(f64), Count(u32) }
}

#[test]
fn a_set_changes_no_call_for_leaves_of_one_type() {
    let mut tree = (1.0f32, [2.0f32]);
    for_each_mut(&mut tree, |x| *x = x.sqrt()).unwrap();
    let doubled = map(&tree, |x| x * 2.0).unwrap();
    zip((&mut tree, &doubled)).for_each(|a, b| *a += b.abs()).unwrap();
    let (mut bytes, mut leaves) = ([0; 8], [0.0; 2]);
    let (def, _) = flatten_into(&tree, &mut bytes, &mut leaves).unwrap();
    assert_eq!((def, leaves_into(&tree, &mut [0.0; 2])), (treedef!((*, [*])), Ok(2)));
    let back: (f32, [f32; 1]) = unflatten(def, &[4.0, 5.0]).unwrap();
    let mut seen = Vec::new();
    for_each(&back, |x| seen.push(x.floor())).unwrap();
    assert_eq!((seen, reduce(&back, 0.0, |sum, x| sum + x)), (vec![4.0, 5.0], Ok(9.0)));
}

#[test]
fn a_visit_of_a_set_stops_at_the_first_error() {
    let mut tree = (1.0f32, [2u32, 3], 4.0f64);
    let mut seen = 0;
    let stopped = mixed::try_for_each::<Signal, Error>(&tree, |leaf| match leaf {
        Ref::Count(_) => Err(Error::WrongLeaf { leaf: 1 }),
        Ref::Float(_) | Ref::Double(_) => {
            seen += 1;
            Ok(())
        }
    });
    assert_eq!((stopped, seen), (Err(Error::WrongLeaf { leaf: 1 }), 1));
    let stopped = mixed::try_for_each_mut::<Signal, Error>(&mut tree, |leaf| match leaf {
        Mut::Count(count) => count.checked_sub(3).map(|less| *count = less).ok_or(Error::TooLarge),
        Mut::Float(x) => {
            *x = -*x;
            Ok(())
        }
        Mut::Double(_) => Ok(()),
    });
    assert_eq!((stopped, tree), (Err(Error::TooLarge), (-1.0, [2, 3], 4.0)));
}
