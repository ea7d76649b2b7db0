//! What changed between two structures.

use core::hint::black_box;

use treedef::diff::{Difference, Differences};
use treedef::{Error, KeyPath, TreeDef};

use super::build::sample;
use super::{Done, keep, print, print_debug};

/// All differences of parts of the sample, in every relation.
pub(super) fn differences() -> Done {
    let mut bytes = [0; 512];
    let sample = sample(&mut bytes)?;
    for expected in sample.children() {
        for found in sample.children() {
            told(TreeDef::differences(expected, found))?;
            told(TreeDef::prefix_errors(expected, found))?;
            told(TreeDef::common_suffix_errors(expected, found))?;
        }
    }
    told(TreeDef::differences(sample, black_box(TreeDef::LEAF)))?;
    // [[(*, *), *], *] and [[[*, *], *], *].
    let expected = TreeDef::from_bytes(black_box(&[0x42, 0x42, 0x22, 0x01, 0x00, 0x00])).ok()?;
    let found = TreeDef::from_bytes(black_box(&[0x42, 0x42, 0x42, 0x01, 0x00, 0x00])).ok()?;
    told(TreeDef::differences(expected, found))
}

/// Asks and prints everything about some differences.
fn told(differences: Differences<'_>) -> Done {
    print_debug(&differences)?;
    let summary = Differences::summary(differences.clone());
    print(&summary)?;
    print_debug(&summary)?;
    Differences::deep(differences.clone()).filter_map(Result::ok).for_each(keep);
    for difference in differences {
        let difference = difference.ok()?;
        print(&difference)?;
        print_debug(&difference)?;
        print_debug(&Difference::kind(&difference))?;
        let path = Difference::path(&difference);
        keep((KeyPath::found(&path), KeyPath::entries(&path).next()));
        keep((Difference::expected(&difference), Difference::found(&difference)));
        keep((Difference::expected_leaves(&difference), Difference::found_leaves(&difference)));
        Difference::missing(&difference).for_each(keep);
        Difference::unexpected(&difference).for_each(keep);
    }
    Some(())
}

/// Errors of the algebra with both structures, and with one.
pub(super) fn errors() -> Done {
    let mut bytes = [0; 512];
    let sample = sample(&mut bytes)?;
    let node = black_box(2);
    let error = Error::Mismatch { node };
    print(&Error::explain_type::<(f32, [Option<[f32; 2]>; 2])>(&error, &sample))?;
    print(&Error::explain_trees(error, &(1.0f32, black_box(None::<f32>)), &sample))?;
    for error in black_box([Error::NotPrefix { node, tree: node }, Error::NoCommonSuffix { node }])
    {
        print(&Error::explain_at(&error, sample))?;
        for found in sample.children() {
            print(&Error::explain(&error, sample, found))?;
        }
    }
    Some(())
}
