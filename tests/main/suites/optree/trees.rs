//! The trees that optree's suite runs its tests over, with what is known of each.

use treedef::{TreeDef, Value};

use super::types::{
    custom_tuple, deque, float_info, my_another_dataclass, my_dataclass, my_dict,
    my_other_dataclass, optree_flat_cache, something, struct_time,
};
use crate::suites::model::{
    Leaf, Tree, custom, defaultdict, flatten, flatten_nones, list, named, ordered, py,
};
use crate::suites::trees::AUX;

/// A tree of the suite and what the suite says of it.
pub(super) struct Row {
    pub(super) tree: Tree,
    pub(super) num_nodes: usize,
    /// `repr` of the spec, without what stands around it.
    pub(super) text: &'static str,
    /// The code that takes each leaf out of a tree called `t`.
    pub(super) codify: &'static [&'static str],
    /// The same two with `none_is_leaf=True`, where there is a `None`.
    pub(super) nones: Option<(&'static str, &'static [&'static str])>,
}

/// A tree flattened in one of the two modes, with what the suite says of it.
pub(super) struct Case {
    pub(super) tree: Tree,
    pub(super) leaves: Vec<Tree>,
    pub(super) def: TreeDef<'static>,
    pub(super) none_is_leaf: bool,
    pub(super) text: &'static str,
    pub(super) codify: &'static [&'static str],
    pub(super) num_nodes: usize,
}

/// Every tree with `None` as a node and, where there is one, as a leaf.
pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for row in trees() {
        let Row { tree, num_nodes, text, codify, nones } = row;
        let (leaves, def) = flatten(&tree);
        if let Some((text, codify)) = nones {
            let ((leaves, def), tree) = (flatten_nones(&tree), tree.clone());
            cases.push(Case { tree, leaves, def, none_is_leaf: true, text, codify, num_nodes });
        }
        cases.push(Case { tree, leaves, def, none_is_leaf: false, text, codify, num_nodes });
    }
    cases
}

/// `TREES`. The registry is no part of a tree: the one that is registered in a namespace alone is a leaf.
pub(super) fn trees() -> Vec<Row> {
    vec![
        // 0
        Row { tree: py!(1), num_nodes: 1, text: "*", codify: &["t"], nones: None },
        // 1
        Row {
            tree: py!(None),
            num_nodes: 1,
            text: "None",
            codify: &[],
            nones: Some(("*", &["t"])),
        },
        // 2
        Row {
            tree: py!((None,)),
            num_nodes: 2,
            text: "(None,)",
            codify: &[],
            nones: Some(("(*,)", &["t[0]"])),
        },
        // 3
        Row {
            tree: py!((1, None)),
            num_nodes: 3,
            text: "(*, None)",
            codify: &["t[0]"],
            nones: Some(("(*, *)", &["t[0]", "t[1]"])),
        },
        // 4
        Row { tree: py!(()), num_nodes: 1, text: "()", codify: &[], nones: None },
        // 5
        Row { tree: py!([]), num_nodes: 1, text: "[]", codify: &[], nones: None },
        // 6
        Row { tree: py!([()]), num_nodes: 2, text: "[()]", codify: &[], nones: None },
        // 7
        Row {
            tree: py!((1, 2)),
            num_nodes: 3,
            text: "(*, *)",
            codify: &["t[0]", "t[1]"],
            nones: None,
        },
        // 8
        Row {
            tree: py!(((1, "foo"), ["bar", (3, None, 7)])),
            num_nodes: 10,
            text: "((*, *), [*, (*, None, *)])",
            codify: &["t[0][0]", "t[0][1]", "t[1][0]", "t[1][1][0]", "t[1][1][2]"],
            nones: Some((
                "((*, *), [*, (*, *, *)])",
                &["t[0][0]", "t[0][1]", "t[1][0]", "t[1][1][0]", "t[1][1][1]", "t[1][1][2]"],
            )),
        },
        // 9
        Row { tree: py!([3]), num_nodes: 2, text: "[*]", codify: &["t[0]"], nones: None },
        // 10
        Row {
            tree: named("EmptyTuple", &[], []),
            num_nodes: 1,
            text: "EmptyTuple()",
            codify: &[],
            nones: None,
        },
        // 11
        Row {
            tree: list([
                py!(3),
                custom_tuple(py!((3, (custom_tuple(py!(3), py!(None))))), py!({"baz": 34})),
            ]),
            num_nodes: 10,
            text: "[*, CustomTuple(foo=(*, CustomTuple(foo=*, bar=None)), bar={'baz': *})]",
            codify: &["t[0]", "t[1].foo[0]", "t[1].foo[1].foo", "t[1].bar['baz']"],
            nones: Some((
                "[*, CustomTuple(foo=(*, CustomTuple(foo=*, bar=*)), bar={'baz': *})]",
                &["t[0]", "t[1].foo[0]", "t[1].foo[1].foo", "t[1].foo[1].bar", "t[1].bar['baz']"],
            )),
        },
        // 12
        Row {
            tree: struct_time(py!([1, 2, None, 3, 4, 5, 6, 7, 8])),
            num_nodes: 10,
            text: "time.struct_time(tm_year=*, tm_mon=*, tm_mday=None, tm_hour=*, tm_min=*, tm_sec=*, tm_wday=*, tm_yday=*, tm_isdst=*)",
            codify: &[
                "t.tm_year",
                "t.tm_mon",
                "t.tm_hour",
                "t.tm_min",
                "t.tm_sec",
                "t.tm_wday",
                "t.tm_yday",
                "t.tm_isdst",
            ],
            nones: Some((
                "time.struct_time(tm_year=*, tm_mon=*, tm_mday=*, tm_hour=*, tm_min=*, tm_sec=*, tm_wday=*, tm_yday=*, tm_isdst=*)",
                &[
                    "t.tm_year",
                    "t.tm_mon",
                    "t.tm_mday",
                    "t.tm_hour",
                    "t.tm_min",
                    "t.tm_sec",
                    "t.tm_wday",
                    "t.tm_yday",
                    "t.tm_isdst",
                ],
            )),
        },
        // 13
        Row {
            tree: float_info(py!([
                1,
                2,
                3,
                4,
                5,
                6,
                7,
                8,
                9,
                None,
                (struct_time(py!([10, 11, 12, 13, 14, None, 15, 16, 17])))
            ])),
            num_nodes: 21,
            text: "sys.float_info(max=*, max_exp=*, max_10_exp=*, min=*, min_exp=*, min_10_exp=*, dig=*, mant_dig=*, epsilon=*, radix=None, rounds=time.struct_time(tm_year=*, tm_mon=*, tm_mday=*, tm_hour=*, tm_min=*, tm_sec=None, tm_wday=*, tm_yday=*, tm_isdst=*))",
            codify: &[
                "t.max",
                "t.max_exp",
                "t.max_10_exp",
                "t.min",
                "t.min_exp",
                "t.min_10_exp",
                "t.dig",
                "t.mant_dig",
                "t.epsilon",
                "t.rounds.tm_year",
                "t.rounds.tm_mon",
                "t.rounds.tm_mday",
                "t.rounds.tm_hour",
                "t.rounds.tm_min",
                "t.rounds.tm_wday",
                "t.rounds.tm_yday",
                "t.rounds.tm_isdst",
            ],
            nones: Some((
                "sys.float_info(max=*, max_exp=*, max_10_exp=*, min=*, min_exp=*, min_10_exp=*, dig=*, mant_dig=*, epsilon=*, radix=*, rounds=time.struct_time(tm_year=*, tm_mon=*, tm_mday=*, tm_hour=*, tm_min=*, tm_sec=*, tm_wday=*, tm_yday=*, tm_isdst=*))",
                &[
                    "t.max",
                    "t.max_exp",
                    "t.max_10_exp",
                    "t.min",
                    "t.min_exp",
                    "t.min_10_exp",
                    "t.dig",
                    "t.mant_dig",
                    "t.epsilon",
                    "t.radix",
                    "t.rounds.tm_year",
                    "t.rounds.tm_mon",
                    "t.rounds.tm_mday",
                    "t.rounds.tm_hour",
                    "t.rounds.tm_min",
                    "t.rounds.tm_sec",
                    "t.rounds.tm_wday",
                    "t.rounds.tm_yday",
                    "t.rounds.tm_isdst",
                ],
            )),
        },
        // 14
        Row {
            tree: list([custom("Vector3D", AUX, None, [py!(3), py!(None)])]),
            num_nodes: 4,
            text: "[CustomTreeNode(Vector3D[[4, 'foo']], [*, None])]",
            codify: &["t[0][<flat index 0>]"],
            nones: Some((
                "[CustomTreeNode(Vector3D[[4, 'foo']], [*, *])]",
                &["t[0][<flat index 0>]", "t[0][<flat index 1>]"],
            )),
        },
        // 15
        Row {
            tree: custom("Vector2D", Value::None, None, [py!(2), py!(3.0)]),
            num_nodes: 3,
            text: "CustomTreeNode(Vector2D[None], [*, *])",
            codify: &["t[<flat index 0>]", "t[<flat index 1>]"],
            nones: None,
        },
        // 16
        Row { tree: py!({}), num_nodes: 1, text: "{}", codify: &[], nones: None },
        // 17
        Row {
            tree: py!({"a": 1, "b": 2}),
            num_nodes: 3,
            text: "{'a': *, 'b': *}",
            codify: &["t['a']", "t['b']"],
            nones: None,
        },
        // 18
        Row {
            tree: py!({"b": (2, 3), "a": 1, "c": None, "d": {"f": 4, "e": None}}),
            num_nodes: 9,
            text: "{'a': *, 'b': (*, *), 'c': None, 'd': {'e': None, 'f': *}}",
            codify: &["t['a']", "t['b'][0]", "t['b'][1]", "t['d']['f']"],
            nones: Some((
                "{'a': *, 'b': (*, *), 'c': *, 'd': {'e': *, 'f': *}}",
                &["t['a']", "t['b'][0]", "t['b'][1]", "t['c']", "t['d']['e']", "t['d']['f']"],
            )),
        },
        // 19
        Row { tree: ordered([]), num_nodes: 1, text: "OrderedDict()", codify: &[], nones: None },
        // 20
        Row {
            tree: something(py!((-42))),
            num_nodes: 4,
            text: "OrderedDict({'foo': *, 'baz': *, 'something': *})",
            codify: &["t['foo']", "t['baz']", "t['something']"],
            nones: None,
        },
        // 21
        Row {
            tree: something(deque(None, [py!(None), py!(2), py!(3)])),
            num_nodes: 7,
            text: "OrderedDict({'foo': *, 'baz': *, 'something': deque([None, *, *])})",
            codify: &["t['foo']", "t['baz']", "t['something'][1]", "t['something'][2]"],
            nones: Some((
                "OrderedDict({'foo': *, 'baz': *, 'something': deque([*, *, *])})",
                &[
                    "t['foo']",
                    "t['baz']",
                    "t['something'][0]",
                    "t['something'][1]",
                    "t['something'][2]",
                ],
            )),
        },
        // 22
        Row {
            tree: something(deque(Some(2), [py!(None), py!(3)])),
            num_nodes: 6,
            text: "OrderedDict({'foo': *, 'baz': *, 'something': deque([None, *], maxlen=2)})",
            codify: &["t['foo']", "t['baz']", "t['something'][1]"],
            nones: Some((
                "OrderedDict({'foo': *, 'baz': *, 'something': deque([*, *], maxlen=2)})",
                &["t['foo']", "t['baz']", "t['something'][0]", "t['something'][1]"],
            )),
        },
        // 23
        Row {
            tree: something(deque(Some(2), [py!(2), py!(3)])),
            num_nodes: 6,
            text: "OrderedDict({'foo': *, 'baz': *, 'something': deque([*, *], maxlen=2)})",
            codify: &["t['foo']", "t['baz']", "t['something'][0]", "t['something'][1]"],
            nones: None,
        },
        // 24
        Row {
            tree: defaultdict("None", []),
            num_nodes: 1,
            text: "defaultdict(None, {})",
            codify: &[],
            nones: None,
        },
        // 25
        Row {
            tree: defaultdict("<class 'int'>", []),
            num_nodes: 1,
            text: "defaultdict(<class 'int'>, {})",
            codify: &[],
            nones: None,
        },
        // 26
        Row {
            tree: defaultdict(
                "<class 'dict'>",
                [("foo", py!(34)), ("baz", py!(101)), ("something", py!((-42)))],
            ),
            num_nodes: 4,
            text: "defaultdict(<class 'dict'>, {'baz': *, 'foo': *, 'something': *})",
            codify: &["t['baz']", "t['foo']", "t['something']"],
            nones: None,
        },
        // 27
        Row { tree: deque(None, []), num_nodes: 1, text: "deque()", codify: &[], nones: None },
        // 28
        Row {
            tree: deque(Some(0), []),
            num_nodes: 1,
            text: "deque(maxlen=0)",
            codify: &[],
            nones: None,
        },
        // 29
        Row {
            tree: deque(None, [py!(None), py!(2), py!(3)]),
            num_nodes: 4,
            text: "deque([None, *, *])",
            codify: &["t[1]", "t[2]"],
            nones: Some(("deque([*, *, *])", &["t[0]", "t[1]", "t[2]"])),
        },
        // 30
        Row {
            tree: deque(Some(2), [py!(None), py!(3)]),
            num_nodes: 3,
            text: "deque([None, *], maxlen=2)",
            codify: &["t[1]"],
            nones: Some(("deque([*, *], maxlen=2)", &["t[0]", "t[1]"])),
        },
        // 31
        Row {
            tree: my_dict(
                "['foo', 'baz']",
                [
                    (
                        "foo",
                        my_dict(
                            "['c', 'b', 'a']",
                            [("c", py!(None)), ("b", py!(2)), ("a", py!(1))],
                        ),
                    ),
                    ("baz", py!(101)),
                ],
            ),
            num_nodes: 6,
            text: "CustomTreeNode(MyDict[['foo', 'baz']], [CustomTreeNode(MyDict[['c', 'b', 'a']], [None, *, *]), *])",
            codify: &["t['foo']['b']", "t['foo']['a']", "t['baz']"],
            nones: Some((
                "CustomTreeNode(MyDict[['foo', 'baz']], [CustomTreeNode(MyDict[['c', 'b', 'a']], [*, *, *]), *])",
                &["t['foo']['c']", "t['foo']['b']", "t['foo']['a']", "t['baz']"],
            )),
        },
        // 32
        Row {
            tree: Tree::Leaf(Leaf(Value::Opaque("MyAnotherDict({'baz': 101})"))),
            num_nodes: 1,
            text: "*",
            codify: &["t"],
            nones: None,
        },
        // 33
        Row {
            tree: named("CustomNamedTupleSubclass", &["foo", "bar"], [py!("hello"), py!(3.5)]),
            num_nodes: 3,
            text: "CustomNamedTupleSubclass(foo=*, bar=*)",
            codify: &["t.foo", "t.bar"],
            nones: None,
        },
        // 34
        Row {
            tree: my_dataclass([py!(2), py!(None), py!(3), py!(5)]),
            num_nodes: 5,
            text: "CustomTreeNode(MyDataclass[None], [*, None, *, *])",
            codify: &["t.alpha", "t.gamma", "t.delta"],
            nones: Some((
                "CustomTreeNode(MyDataclass[None], [*, *, *, *])",
                &["t.alpha", "t.beta", "t.gamma", "t.delta"],
            )),
        },
        // 35
        Row {
            tree: my_other_dataclass("(11, 13)", [py!(7), py!(None)]),
            num_nodes: 3,
            text: "CustomTreeNode(MyOtherDataclass[(11, 13)], [*, None])",
            codify: &["t.a"],
            nones: Some(("CustomTreeNode(MyOtherDataclass[(11, 13)], [*, *])", &["t.a", "t.c"])),
        },
        // 36
        Row {
            tree: my_another_dataclass([
                my_dataclass([py!(2), py!(3), py!(None), py!(5)]),
                py!(7),
                my_other_dataclass("(None, 19)", [py!(11), py!(13)]),
            ]),
            num_nodes: 10,
            text: "CustomTreeNode(MyAnotherDataclass[None], [CustomTreeNode(MyDataclass[None], [*, *, None, *]), *, CustomTreeNode(MyOtherDataclass[(None, 19)], [*, *])])",
            codify: &["t.x.alpha", "t.x.beta", "t.x.delta", "t.y", "t.z.a", "t.z.c"],
            nones: Some((
                "CustomTreeNode(MyAnotherDataclass[None], [CustomTreeNode(MyDataclass[None], [*, *, *, *]), *, CustomTreeNode(MyOtherDataclass[(None, 19)], [*, *])])",
                &["t.x.alpha", "t.x.beta", "t.x.gamma", "t.x.delta", "t.y", "t.z.a", "t.z.c"],
            )),
        },
        // 37
        Row {
            tree: optree_flat_cache(&py!(None)),
            num_nodes: 1,
            text: "CustomTreeNode(FlatCache[PyTreeSpec(None)], [])",
            codify: &[],
            nones: None,
        },
        // 38
        Row {
            tree: optree_flat_cache(&py!(1)),
            num_nodes: 2,
            text: "CustomTreeNode(FlatCache[PyTreeSpec(*)], [*])",
            codify: &["t[0]"],
            nones: None,
        },
        // 39
        Row {
            tree: optree_flat_cache(&py!({"a": [1, 2]})),
            num_nodes: 3,
            text: "CustomTreeNode(FlatCache[PyTreeSpec({'a': [*, *]})], [*, *])",
            codify: &["t[0]", "t[1]"],
            nones: None,
        },
    ]
}
