//! Treedefs that are constants: in flash, with bytes, counts and fingerprint done by the compiler.

use treedef::container::Schema;
use treedef::tree::HasSchema;
use treedef::{Tree, TreeDef, TreeDefBuf, Writer, structure_into, treedef, treedef_of};

use crate::report::{Case, Outcome, Report};

pub const CASES: &[Case] =
    &[("of types", of_types), ("literals", literals), ("built by hand", built), ("shapes", shapes)];

#[derive(Tree)]
#[tree(name = "motor::Axis")]
struct Axis<T> {
    gains: [T; 3],
    limits: (T, T),
}

const AXIS: TreeDef<'static> = treedef_of::<Axis<f32>>();
const AXES: TreeDef<'static> = treedef_of::<[Axis<f32>; 3]>();
const FINGERPRINT: u64 = AXES.fingerprint();
const LEAVES: usize = AXES.num_leaves();
static MANY: TreeDef<'static> = treedef_of::<[[(f32, ()); 1000]; 1000]>();

/// A tree of axes as the run-time functions write it.
fn axes() -> [Axis<f32>; LEAVES / 5] {
    [1.0, 2.0, 3.0].map(|gain| Axis { gains: [gain; 3], limits: (-gain, gain) })
}

fn of_types(report: &mut Report<'_>) -> Outcome {
    let mut bytes = [0; 96];
    report.treedef("an axis", AXIS);
    report.treedef("axes", AXES);
    report.treedef(
        "a million",
        MANY.child(0).unwrap_or(TreeDef::NONE).child(1).unwrap_or(TreeDef::NONE),
    );
    report.same((MANY.num_leaves(), MANY.num_nodes()), (1_000_000, 3_001_001))?;
    report.same(structure_into(&axes(), &mut bytes)?, AXES)?;
    report.same(structure_into(axes().as_slice(), &mut bytes)?.fingerprint(), FINGERPRINT)?;
    report.same(AXES.child(1), Some(AXIS))
}

const LITERAL: TreeDef<'static> = treedef!([*, {"b": (*, *), "a": None}, *]);

fn literals(report: &mut Report<'_>) -> Outcome {
    report.treedef("a literal", LITERAL);
    report.prints(LITERAL, "PyTreeDef([*, {'a': None, 'b': (*, *)}, *])")?;
    report.prints(TreeDef::LEAF, "PyTreeDef(*)")?;
    report.prints(TreeDef::NONE, "PyTreeDef(None)")
}

/// `[(*, *) * 4]` by a writer in `const`.
const BUILT: ([u8; 8], usize) = {
    let mut bytes = [0; 8];
    let len = match pairs(&mut bytes) {
        Ok(len) => len,
        Err(_) => panic!("the pairs do not fit"),
    };
    (bytes, len)
};

const fn pairs(bytes: &mut [u8]) -> Result<usize, treedef::Error> {
    let mut out = Writer::new(bytes);
    let (list, pair) = (out.begin_list(4), out.begin_tuple(2));
    out.leaves(2);
    out.end(pair);
    out.repeat(3);
    out.end(list);
    match out.finish() {
        Ok(def) => Ok(def.as_bytes().len()),
        Err(error) => Err(error),
    }
}

fn built(report: &mut Report<'_>) -> Outcome {
    let def = TreeDef::from_bytes(&BUILT.0[..BUILT.1])?;
    report.treedef("by the writer", def);
    report.same(def, treedef_of::<[(f32, f32); 4]>())?;
    let owned = TreeDefBuf::<8>::from_treedef(def)?;
    report.same(owned.as_treedef(), def)
}

fn shapes(report: &mut Report<'_>) -> Outcome {
    report.same(Schema::num_leaves(<Axis<f32>>::SCHEMA), Some(5))?;
    report.same(Schema::num_leaves(<(f32, Option<f32>)>::SCHEMA), None)
}
