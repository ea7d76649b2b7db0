//! One value from all leaves, and leaves with their paths.

use core::hint::black_box;

use treedef::path::{PathPattern, path_pattern};
use treedef::tree::{
    TryError, Zip, for_each_mut_with_path, sum, try_for_each, try_for_each_mut_with_path,
    try_for_each_with_path, try_map_with_path,
};
use treedef::{Error, KeyPath, for_each_with_path, map_with_path, reduce, zip};

use super::{Done, keep, print};

type Tree = (f32, Option<[f32; 2]>, [Option<f32>; 2]);

fn tree() -> Tree {
    black_box((1.0, Some([2.0, 3.0]), [None, Some(4.0)]))
}

/// Folds.
pub(super) fn folds() -> Done {
    let tree = tree();
    keep(reduce(&tree, black_box(0.0), |sum, leaf: &f32| sum + leaf).ok()?);
    keep(sum::<f32, _>(&tree).ok()?);
    keep(sum::<f32, _>([tree, tree].as_slice()).ok()?);
    Some(())
}

/// A walk that stops.
pub(super) fn questions() -> Done {
    let tree = tree();
    let stop = |leaf: &f32| if *leaf > 2.0 { Err(Error::TooLarge) } else { Ok(()) };
    keep(try_for_each(&tree, stop).err()?);
    let other = try_for_each(&tree, |leaf: &f32| Err(TryError::User(leaf.to_bits()))).err()?;
    keep(TryError::into_user(other, |_| 0));
    print(&other)?;
    Some(())
}

/// Leaves with their paths.
pub(super) fn with_paths() -> Done {
    let tree = tree();
    for_each_with_path(&tree, |path, leaf: &f32| {
        keep(print(&KeyPath::keystr(&path)));
        keep(print(&KeyPath::typed(&path)));
        let pattern = PathPattern::new(black_box("**.a"));
        keep(pattern.is_ok_and(|pattern| PathPattern::matches(&pattern, path)));
        keep(print(&path_pattern!("[*].a")));
        keep((leaf, KeyPath::keystr_simple(&path, "/") == black_box("0")));
    })
    .ok()?;
    keep(map_with_path(&tree, |path, leaf: &f32| (path.last().copied(), *leaf).1).ok()?);
    let short = |path: KeyPath<'_, '_>| match path.len() > black_box(1) {
        true => Err(Error::TooLarge),
        false => Ok(()),
    };
    keep(try_for_each_with_path(&tree, |path, _: &f32| short(path)).is_ok());
    keep(try_map_with_path(&tree, |path, _: &f32| short(path)).is_ok());
    let mut copy = black_box(tree);
    let zipped = Zip::<(_, _)>::for_each_with_path(
        zip((&mut copy, &tree)),
        |path, leaf: &mut f32, other| {
            keep((path.len(), leaf, other));
        },
    );
    keep(zipped.is_ok());
    keep(Zip::<(_, _)>::map_with_path(zip((&tree, &tree)), |path, _: &f32, _| path.len()).is_ok());
    for_each_mut_with_path(&mut copy, |path, leaf: &mut f32| *leaf = path.len() as f32).ok()?;
    keep(try_for_each_mut_with_path(&mut copy, |path, _: &mut f32| short(path)).is_ok());
    Some(())
}
