//! One value from all leaves, and leaves with their paths.

use core::hint::black_box;

use treedef::path::{PathPattern, path_pattern};
use treedef::tree::TryError;
use treedef::{Error, KeyPath, over};

use super::{Done, keep, print};

type Tree = (f32, Option<[f32; 2]>, [Option<f32>; 2]);

fn tree() -> Tree {
    black_box((1.0, Some([2.0, 3.0]), [None, Some(4.0)]))
}

/// Folds.
pub(super) fn folds() -> Done {
    let tree = tree();
    keep(over(&tree).fold(black_box(0.0), |sum, leaf: &f32| sum + leaf).ok()?);
    keep(over([tree, tree].as_slice()).fold(black_box(0.0), |sum, leaf: &f32| sum + leaf).ok()?);
    keep(over(&tree).count().ok()?);
    Some(())
}

/// A walk that stops.
pub(super) fn questions() -> Done {
    let tree = tree();
    let stop = |leaf: &f32| if *leaf > 2.0 { Err(Error::TooLarge) } else { Ok(()) };
    keep(over(&tree).for_each(stop).err()?);
    let other = over(&tree).for_each(|leaf: &f32| Err(TryError::User(leaf.to_bits()))).err()?;
    keep(TryError::into_user(other, |_| 0));
    print(&other)?;
    Some(())
}

/// Leaves with their paths.
pub(super) fn with_paths() -> Done {
    let tree = tree();
    over(&tree)
        .paths()
        .for_each(|path, leaf: &f32| {
            keep(print(&KeyPath::keystr(&path)));
            keep(print(&KeyPath::typed(&path)));
            let pattern = PathPattern::new(black_box("**.a"));
            keep(pattern.is_ok_and(|pattern| PathPattern::matches(&pattern, path)));
            keep(print(&path_pattern!("[*].a")));
            keep((leaf, KeyPath::keystr_simple(&path, "/") == black_box("0")));
        })
        .ok()?;
    keep(over(&tree).paths().map(|path, leaf: &f32| (path.last(), *leaf).1).ok()?);
    let short = |path: KeyPath<'_, '_>| match path.len() > black_box(1) {
        true => Err(Error::TooLarge),
        false => Ok(()),
    };
    keep(over(&tree).paths().for_each(|path, _: &f32| short(path)).is_ok());
    keep(over(&tree).paths().try_map(|path, _: &f32| short(path)).is_ok());
    let mut copy = black_box(tree);
    let zipped = over((&mut copy, &tree)).paths().for_each(|path, (leaf, other): (&mut f32, _)| {
        keep((path.len(), leaf, other));
    });
    keep(zipped.is_ok());
    keep(over((&tree, &tree)).paths().map(|path, _: (&f32, _)| path.len()).is_ok());
    over(&mut copy).paths().for_each(|path, leaf: &mut f32| *leaf = path.len() as f32).ok()?;
    keep(over(&mut copy).paths().for_each(|path, _: &mut f32| short(path)).is_ok());
    Some(())
}
