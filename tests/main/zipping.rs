//! Typed trees as prefixes of others: `zip_prefix` against what the treedefs say.

use treedef::{Error, Read, TreeDef, Whole, ZipPrefix, structure_into, zip_prefix};

/// Zips, and has the treedefs say whether that is right; gives the number of calls.
#[track_caller]
fn zip<T, O>(prefix: &T, full: &O) -> Result<usize, Error>
where
    T: ZipPrefix<f32, f32, O>,
    O: Read<f32>,
{
    let (mut ours, mut theirs) = ([0; 64], [0; 64]);
    let first: TreeDef<'_> = structure_into(prefix, &mut ours).unwrap();
    let second: TreeDef<'_> = structure_into(full, &mut theirs).unwrap();
    let mut calls = 0;
    let zipped = zip_prefix(prefix, full, |_: &f32, _: &f32| calls += 1);
    let expected = first.check_prefix_of(second).map_err(|error| match error {
        Error::NotPrefix { node } => Error::Mismatch { node },
        other => other,
    });
    assert_eq!(zipped, expected, "{first} and {second}");
    zipped.map(|()| {
        assert_eq!(calls, second.num_leaves(), "{first} and {second}");
        calls
    })
}

#[test]
fn a_leaf_in_a_some_stands_above_none() {
    let leaf = Some(1.0f32);
    assert_eq!(zip(&leaf, &None::<f32>), Ok(0));
    assert_eq!(zip(&leaf, &None::<[f32; 2]>), Ok(0));
    assert_eq!(zip(&leaf, &Some([1.0f32, 2.0])), Ok(2));
    assert_eq!(zip(&Some(&1.0f32), &None::<&f32>), Ok(0));
    // The node that differs stands behind those that do not.
    let behind = (leaf, leaf, 1.0f32, None::<f32>);
    assert_eq!(zip(&behind, &(None::<f32>, leaf, [1.0f32; 3], None::<f32>)), Ok(4));
    let told = zip(&behind, &(None::<f32>, None::<f32>, 1.0f32, leaf));
    assert_eq!(told, Err(Error::Mismatch { node: 4 }));
    // Inside another `Option` it is told from `None`.
    assert_eq!(zip(&Some(leaf), &Some(None::<f32>)), Ok(0));
    assert_eq!(zip(&Some(leaf), &None::<Option<f32>>), Err(Error::Mismatch { node: 0 }));
    assert_eq!(zip(&Some(None::<f32>), &None::<Option<f32>>), Err(Error::Mismatch { node: 0 }));
}

#[test]
fn containers_in_a_some_are_none_of_none() {
    let mismatch = Err(Error::Mismatch { node: 0 });
    assert_eq!(zip(&Some([1.0f32; 2]), &None::<[f32; 2]>), mismatch);
    assert_eq!(zip(&Some([1.0f32; 1]), &None::<[f32; 1]>), mismatch);
    assert_eq!(zip(&Some((1.0f32,)), &None::<(f32,)>), mismatch);
    assert_eq!(zip(&None::<f32>, &Some(1.0f32)), mismatch);
    assert_eq!(zip(&None::<f32>, &None::<f32>), Ok(0));
}

#[test]
fn an_option_that_is_a_leaf_stands_above_all_of_a_some_and_of_none() {
    let axes = Some(Whole(None::<u8>));
    let mut calls = 0;
    let mut count = |_: &Whole<Option<u8>>, _: &f32| calls += 1;
    assert_eq!(zip_prefix(&axes, &Some([1.0f32; 3]), &mut count), Ok(()));
    assert_eq!(zip_prefix(&axes, &None::<[f32; 3]>, &mut count), Ok(()));
    assert_eq!(calls, 3);
}
