//! A structure against the one that is expected: matched, refused, explained.

use treedef::dynamic::Flatten;
use treedef::tree::flatten_expected;
use treedef::{Error, Node, TreeDef, matches, tree, treedef, treedef_of};

use crate::dynamic::{DEF, TREE};
use crate::golden::{self, LONGEST};
use crate::report::{Case, Digest, Missing, Outcome, Report};

pub const CASES: &[Case] = &[
    ("typed", typed),
    ("dynamic", dynamic),
    ("golden structures against each other", golden_pairs),
];

fn typed(report: &mut Report<'_>) -> Outcome {
    let expected = treedef_of::<([f32; 3], (f32, f32))>();
    let tree = ([1.0f32, 2.0, 3.0], (4.0f32, 5.0f32));
    matches(&tree, expected)?;
    let mut leaves = [0.0f32; 5];
    report.same(flatten_expected(&tree, expected, &mut leaves)?, 5)?;
    report.leaves("leaves", &leaves);
    let slice = [[1.0f32; 3]; 2];
    let error = matches(slice.as_slice(), expected).err().ok_or(Missing)?;
    report.fact("a list", error.explain_at(expected));
    let wanted = treedef!([*, [*, None]]);
    for (tree, name) in [([None, Some(1.0f32)], "at the leaf"), ([Some(1.0), None], "at the list")]
    {
        let error = matches(&tree, wanted).err().ok_or(Missing)?;
        report.fact(name, error.explain_at(wanted));
    }
    Ok(())
}

/// Literals that differ from the expected one at one place.
fn dynamic(report: &mut Report<'_>) -> Outcome {
    const OTHERS: [Node<'static, f32>; 6] = [
        tree!([1.0, {"b": (2.0, 3.0), "a": None}]),
        tree!([1.0, {"b": (2.0, 3.0), "c": None}, 4.0]),
        tree!([1.0, {"b": [2.0, 3.0], "a": None}, 4.0]),
        tree!([1.0, {"b": (2.0, 3.0), "a": 0.0}, 4.0]),
        tree!([1.0, {"b": (2.0, 3.0), "a": None}, {}]),
        tree!((1.0, {"b": (2.0, 3.0), "a": None}, 4.0)),
    ];
    let options = Flatten::new();
    options.matches(&TREE, DEF)?;
    for other in &OTHERS {
        let (mut bytes, mut leaves) = ([0; 64], [0.0f32; 4]);
        let found = options.structure_into(other, &mut bytes)?;
        let error = options.matches(other, DEF).err().ok_or(Missing)?;
        report.fact("refused", error.explain(DEF, found));
        report.same(options.flatten_expected(other, DEF, &mut leaves), Err(error))?;
    }
    Ok(())
}

/// A structure matches itself and no other.
fn golden_pairs(report: &mut Report<'_>) -> Outcome {
    let (mut digest, mut copy) = (Digest::default(), [0; LONGEST]);
    golden::each(|name, bytes, _| {
        let found = copy.get_mut(..bytes.len()).ok_or(Missing)?;
        found.copy_from_slice(bytes);
        let found = TreeDef::from_bytes(found)?;
        golden::each(|other, bytes, _| {
            let expected = TreeDef::from_bytes(bytes)?;
            let answer = matches(&found, expected);
            report.same(answer.is_ok(), name == other)?;
            if let Err(Error::Mismatch { node }) = answer {
                digest.bytes(&u64::from(node).to_le_bytes());
            }
            Ok(())
        })
    })?;
    report.fact("nodes", digest);
    Ok(())
}
