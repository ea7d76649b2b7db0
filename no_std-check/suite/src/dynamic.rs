//! Trees made at run time: literals, objects of another model, views, slabs and folds.

use treedef::dynamic::{Flatten, Open, fold, fold_len, unflatten_into, unflatten_len};
use treedef::{Error, KeyEntry, KeyPath, Node, Object, TreeDef, Value, View, tree, treedef};

use crate::report::{Case, Missing, Outcome, Report};

pub const CASES: &[Case] =
    &[("round trips", round_trips), ("rules", rules), ("views", views), ("folds", folds)];

pub const DEF: TreeDef<'static> = treedef!([*, {"b": (*, *), "a": None}, *]);
pub const TREE: Node<'static, f32> = tree!([1.0, {"b": (2.0, 3.0), "a": None}, 4.0]);

/// An object of another model: a text is a dictionary, a list of one is an option.
#[derive(Clone, Copy)]
enum Json {
    Number(f32),
    Null,
    Array(&'static [Json]),
    Object(&'static [(&'static str, Json)]),
}

impl Object for Json {
    type Leaf = f32;

    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
        match self {
            Json::Number(number) => open.leaf(number),
            Json::Null => open.none(),
            Json::Array([one]) => open.some(*one),
            Json::Array(items) => open.list(items.iter().copied()),
            Json::Object(entries) => open.dict(entries.iter().copied()),
        }
    }
}

/// Keys out of order, a repeat, an option.
const JSON: Json = Json::Array(&[
    Json::Object(&[("w", Json::Number(1.0)), ("b", Json::Null)]),
    Json::Object(&[("b", Json::Null), ("w", Json::Number(2.0))]),
    Json::Array(&[Json::Number(3.0)]),
]);

fn round_trips(report: &mut Report<'_>) -> Outcome {
    let (mut bytes, mut leaves) = ([0; 64], [0.0f32; 4]);
    let options = Flatten::new();
    let (def, _) = options.flatten_into(&TREE, &mut bytes, &mut leaves)?;
    report.treedef("a literal", def);
    report.leaves("leaves", &leaves);
    report.same(def, DEF)?;
    options.matches(&TREE, DEF)?;
    let mut again = [0.0f32; 4];
    report.same(options.flatten_expected(&TREE, DEF, &mut again)?, 4)?;
    report.same(again, leaves)?;

    let mut slab = [Node::None; 8];
    report.fact("slab", unflatten_len(DEF));
    let rebuilt = unflatten_into(DEF, &leaves, &mut slab)?;
    options.matches(&rebuilt, DEF)?;
    options.leaves_into(&rebuilt, &mut again)?;
    report.same(again, leaves)?;
    let full = unflatten_into(DEF, &leaves, &mut [Node::None; 2]).err().ok_or(Missing)?;
    report.fact("slab too small", full);

    let (def, count) = options.flatten_into(JSON, &mut bytes, &mut leaves)?;
    report.treedef("an object", def);
    report.leaves("leaves", &leaves[..count]);
    options.matches(JSON, def)?;
    // What is written fits the bound.
    let (written, enough) = (def.as_bytes().len(), options.structure_bound(JSON)?);
    report.fact("room that is enough", enough);
    for room in 0..written {
        let error = options.structure_into(JSON, &mut bytes[..room]).err().ok_or(Missing)?;
        report.same(error, Error::Full { room })?;
    }
    options.structure_into(JSON, &mut bytes[..enough])?;
    Ok(())
}

fn rules(report: &mut Report<'_>) -> Outcome {
    let (mut bytes, mut leaves) = ([0; 64], [None::<&Node<'_, f32>>; 8]);
    let nones = Flatten::new().none_is_leaf();
    let (def, count) = nones.flatten_into(&TREE, &mut bytes, &mut leaves)?;
    report.treedef("None as a leaf", def);
    report.same(count, 5)?;
    let pairs = Flatten::new().is_leaf(|node: &Node<'_, f32>| matches!(node, Node::Tuple(_)));
    let (def, count) = pairs.flatten_into(&TREE, &mut bytes, &mut leaves)?;
    report.treedef("pairs as leaves", def);
    report.same(count, 3)?;
    let mut objects = [None::<Json>; 8];
    let deep = Flatten::new().is_leaf_at(|path: KeyPath<'_, '_>, _: Json| !path.is_empty());
    let (def, count) = deep.flatten_into(JSON, &mut bytes, &mut objects)?;
    report.treedef("one level", def);
    report.same(count, 3)
}

fn views(report: &mut Report<'_>) -> Outcome {
    let leaves = [1.0f32, 2.0, 3.0, 4.0];
    report.fact("too few leaves", View::new(DEF, &leaves[..3]).err().ok_or(Missing)?);
    let view = View::new(DEF, &leaves)?;
    let dict = view.child(1).ok_or(Missing)?;
    report.same(dict.get("b").ok_or(Missing)?.leaves(), [2.0, 3.0].as_slice())?;
    let none = dict.entry(KeyEntry::Key(Value::Str("a"))).ok_or(Missing)?;
    report.same(none.treedef(), TreeDef::NONE)?;
    report.same(view.find_str("[1]['b'][1]")?.as_leaf(), Some(&3.0))?;
    for (path, leaf) in DEF.paths().zip(&leaves) {
        report.fact("leaf", format_args!("{} {leaf:?}", path.keystr()));
    }
    // A view is itself an object.
    let (mut bytes, mut again) = ([0; 64], [0.0f32; 4]);
    report.same(Flatten::new().flatten_into(view, &mut bytes, &mut again)?, (DEF, 4))?;
    report.same(again, leaves)
}

fn folds(report: &mut Report<'_>) -> Outcome {
    let mut stack = [None::<f32>; 4];
    report.fact("stack", fold_len(DEF)?);
    let sum = |_, children: treedef::dynamic::FoldChildren<'_, f32>| {
        Ok::<_, Error>(children.sum::<f32>())
    };
    let total = fold(DEF, [1.0f32, 2.0, 3.0, 4.0], &mut stack, |leaf| leaf, sum)?;
    report.same(total, 10.0)?;
    let error = fold(DEF, [1.0f32; 3], &mut stack, |leaf| leaf, sum).err().ok_or(Missing)?;
    report.fact("too few leaves", error);
    let error = fold(DEF, [1.0f32; 4], &mut stack[..1], |leaf| leaf, sum).err().ok_or(Missing)?;
    report.fact("stack too small", error);
    Ok(())
}
