//! The trees that both suites run their tests over, with what is known of each.

use treedef::format::ValueTuple;
use treedef::head::ChildKey;
use treedef::{TreeDef, Value};

use crate::suites::model::{
    Leaf, Tree, custom, dataclass, defaultdict, dict, flatten, list, named, ordered, py,
};

/// A tree of a suite and what the suite says of it.
pub(crate) struct Row {
    pub(crate) tree: Tree,
    /// `str` of the treedef, without what stands around it.
    pub(crate) text: &'static str,
    pub(crate) num_leaves: usize,
    pub(crate) num_nodes: usize,
    /// The key paths of the leaves.
    pub(crate) paths: &'static [&'static str],
}

fn row(
    tree: Tree,
    text: &'static str,
    num_leaves: usize,
    num_nodes: usize,
    paths: &'static [&'static str],
) -> Row {
    Row { tree, text, num_leaves, num_nodes, paths }
}

/// A named tuple of JAX's suite.
pub(crate) fn a_tuple(first: Tree, second: Tree) -> Tree {
    named("ATuple", &["foo", "bar"], [first, second])
}

/// Another of the same fields.
pub(crate) fn a_tuple_2(first: Tree, second: Tree) -> Tree {
    named("ATuple2", &["foo", "bar"], [first, second])
}

/// A registered class without keys; `z` is aux data.
pub(crate) fn an_object(x: Tree, y: Tree, z: Value<'_>) -> Tree {
    custom("AnObject", z, None, [x, y])
}

/// The same, with plain strings for keys.
pub(crate) fn an_object_2(x: Tree, y: Tree, z: Value<'_>) -> Tree {
    custom("AnObject2", z, Some(&[ChildKey::Raw("x"), ChildKey::Raw("y")]), [x, y])
}

/// A registered class without keys and aux data.
pub(crate) fn special(x: Tree, y: Tree) -> Tree {
    custom("Special", Value::None, None, [x, y])
}

/// The same, with attributes for keys.
pub(crate) fn special_with_keys(x: Tree, y: Tree) -> Tree {
    custom(
        "SpecialWithKeys",
        Value::None,
        Some(&[ChildKey::Attr("x"), ChildKey::Attr("y")]),
        [x, y],
    )
}

/// A registered static type: a value that is all structure.
pub(crate) fn static_value(name: &str, value: Value<'_>) -> Tree {
    custom(name, value, None, [])
}

/// A node whose children are the leaves of `content` and whose aux data is the treedef of `content`, which stands
/// there as its text.
pub(crate) fn flat_cache(content: &Tree, text: impl Fn(TreeDef<'_>) -> String) -> Tree {
    let (leaves, def) = flatten(content);
    custom("FlatCache", Value::Opaque(&text(def)), None, leaves)
}

/// The same with JAX's text.
pub(crate) fn jax_flat_cache(content: &Tree) -> Tree {
    flat_cache(content, |def| def.to_string())
}

/// `[4, 'foo']` as aux data: values have no lists, so it is one by its text.
pub(crate) const AUX: Value<'static> = Value::Opaque("[4, 'foo']");

fn something() -> [(&'static str, Tree); 3] {
    [("foo", py!(34)), ("baz", py!(101)), ("something", py!((-42)))]
}

/// `TREES` of JAX's suite.
pub(crate) fn jax_trees() -> Vec<Row> {
    let inner = a_tuple(py!((3, (a_tuple(py!(3), py!(None))))), py!({"baz": 34}));
    vec![
        row(py!(None), "None", 0, 1, &[]),
        row(py!((None,)), "(None,)", 0, 2, &[]),
        row(py!(()), "()", 0, 1, &[]),
        row(py!([()]), "[()]", 0, 2, &[]),
        row(py!((1, 2)), "(*, *)", 2, 3, &["[0]", "[1]"]),
        row(
            py!(((1, "foo"), ["bar", (3, None, 7)])),
            "((*, *), [*, (*, None, *)])",
            5,
            10,
            &["[0][0]", "[0][1]", "[1][0]", "[1][1][0]", "[1][1][2]"],
        ),
        row(py!([3]), "[*]", 1, 2, &["[0]"]),
        row(
            list([py!(3), inner]),
            "[*, CustomNode(namedtuple[ATuple], [(*, CustomNode(namedtuple[ATuple], [*, None])), {'baz': *}])]",
            4,
            10,
            &["[0]", "[1].foo[0]", "[1].foo[1].foo", "[1].bar['baz']"],
        ),
        row(
            list([an_object(py!(3), py!(None), AUX)]),
            "[CustomNode(AnObject[[4, 'foo']], [*, None])]",
            1,
            4,
            &["[0][<flat index 0>]"],
        ),
        row(
            list([an_object_2(py!(3), py!(None), AUX)]),
            "[CustomNode(AnObject2[[4, 'foo']], [*, None])]",
            1,
            4,
            &["[0]x"],
        ),
        row(
            special(py!(2), py!(3.0)),
            "CustomNode(Special[None], [*, *])",
            2,
            3,
            &["[<flat index 0>]", "[<flat index 1>]"],
        ),
        row(py!({"a": 1, "b": 2}), "{'a': *, 'b': *}", 2, 3, &["['a']", "['b']"]),
        row(static_value("StaticInt", Value::Int(1)), "CustomNode(StaticInt[1], [])", 0, 1, &[]),
        row(
            static_value(
                "StaticTuple",
                Value::Tuple(ValueTuple::new(&[Value::Int(2), Value::Int(3)])),
            ),
            "CustomNode(StaticTuple[(2, 3)], [])",
            0,
            1,
            &[],
        ),
        row(
            static_value("StaticDict", Value::Opaque("{'foo': 4, 'bar': 5}")),
            "CustomNode(StaticDict[{'foo': 4, 'bar': 5}], [])",
            0,
            1,
            &[],
        ),
        row(
            dataclass("ADataclass", &["x", "y"], &[], [py!((1, 2)), py!(3)]),
            "CustomNode(ADataclass[()], [(*, *), *])",
            3,
            5,
            &[".x[0]", ".x[1]", ".y"],
        ),
        row(
            dataclass(
                "ADataclassWithMeta",
                &["x", "y"],
                &[("z", Value::Int(4))],
                [py!((1, 2)), py!(3)],
            ),
            "CustomNode(ADataclassWithMeta[(4,)], [(*, *), *])",
            3,
            5,
            &[".x[0]", ".x[1]", ".y"],
        ),
        row(
            ordered(something()),
            "CustomNode(OrderedDict[('foo', 'baz', 'something')], [*, *, *])",
            3,
            4,
            &["['foo']", "['baz']", "['something']"],
        ),
        row(
            defaultdict("<class 'dict'>", something()),
            "CustomNode(defaultdict[(<class 'dict'>, ('baz', 'foo', 'something'))], [*, *, *])",
            3,
            4,
            &["['baz']", "['foo']", "['something']"],
        ),
        row(
            named("ANamedTupleSubclass", &["foo", "bar"], [py!("hello"), py!(3.5)]),
            "CustomNode(namedtuple[ANamedTupleSubclass], [*, *])",
            2,
            3,
            &[".foo", ".bar"],
        ),
        row(jax_flat_cache(&py!(None)), "CustomNode(FlatCache[PyTreeDef(None)], [])", 0, 1, &[]),
        row(
            jax_flat_cache(&py!(1)),
            "CustomNode(FlatCache[PyTreeDef(*)], [*])",
            1,
            2,
            &["[<flat index 0>]"],
        ),
        row(
            jax_flat_cache(&py!({"a": [1, 2]})),
            "CustomNode(FlatCache[PyTreeDef({'a': [*, *]})], [*, *])",
            2,
            3,
            &["[<flat index 0>]", "[<flat index 1>]"],
        ),
        row(
            static_value("BlackBox", Value::Opaque("BlackBox(value=2)")),
            "CustomNode(BlackBox[BlackBox(value=2)], [])",
            0,
            1,
            &[],
        ),
    ]
}

/// `TREES_WITH_KEYPATH` of JAX's suite: trees and the key paths of their leaves.
pub(crate) fn jax_trees_with_keypath() -> Vec<(Tree, &'static [&'static str])> {
    let mut rows = jax_trees();
    let again = [0, 1, 2, 3, 5, 6, 7, 9, 12, 13, 14, 17, 18, 19, 23];
    let mut trees: Vec<_> = again
        .map(|index| {
            let row = &mut rows[index];
            (core::mem::replace(&mut row.tree, Tree::None), row.paths)
        })
        .into();
    trees.push((py!((1, 0)), &["[0]", "[1]"]));
    trees.push((special_with_keys(py!(2), py!(3.0)), &[".x", ".y"]));
    trees.push((py!({"a": 1, "b": 0}), &["['a']", "['b']"]));
    trees
}

/// `LEAVES` of both suites: a string, a float, an integer and an object without a structure.
pub(crate) fn leaves() -> Vec<Tree> {
    let object = Tree::Leaf(Leaf(Value::Opaque("<object object>")));
    vec![py!("foo"), py!(0.1), py!(1), object]
}

/// A list of pairs as a dictionary with integer keys.
pub(crate) fn integer_dict(entries: impl IntoIterator<Item = (i64, Tree)>) -> Tree {
    dict(entries.into_iter().map(|(key, tree)| (Value::Int(key), tree)))
}
