//! Texts of treedefs, key paths and errors, written by hand.

use crate::support::on_stack;

use treedef::encode::Level;
use treedef::format::BigInt;
use treedef::format::{DecodeErrorKind, MAX_VALUE_DEPTH, ToValue, ValueTuple};
use treedef::head::{ChildKey, DictKind, HeadSpec};
use treedef::text::MAX_TEXT_DEPTH;
use treedef::{Error, KeyEntry, TreeDef, TreeDefBuf, Value, Writer, head, matches, treedef};

/// Builds a treedef that lives as long as the test.
fn def(build: impl FnOnce(&mut Writer<'static>)) -> TreeDef<'static> {
    let mut out = Writer::new(Vec::leak(vec![0; 4096]));
    build(&mut out);
    out.finish().expect("the tree fits, and is complete")
}

/// Adds one node; `children` adds what is in it.
fn node(
    out: &mut Writer<'static>,
    head: &impl HeadSpec,
    children: impl FnOnce(&mut Writer<'static>),
) {
    let node = out.begin(head);
    children(out);
    out.end(node);
}

/// One node over leaves.
fn flat(heading: impl HeadSpec) -> TreeDef<'static> {
    def(|b| node(b, &heading, |b| b.leaves(heading.arity())))
}

fn dict<K: ToValue + Clone, const N: usize>(keys: [K; N]) -> impl HeadSpec {
    head::Dict::new(DictKind::Sorted, keys)
}

fn custom(name: &'static str, aux: Value<'static>, children: usize) -> head::Custom<'static> {
    head::Custom { name, aux, children, child_keys: None }
}

/// `depth` nodes with one child each around a leaf, where the first byte of each is `head`.
fn chain(head: u8, depth: usize) -> TreeDef<'static> {
    let mut bytes = vec![head; depth];
    bytes.push(0);
    TreeDef::from_bytes(bytes.leak()).expect("a chain of nodes")
}

/// `depth` pairs of a pair and a leaf around a leaf: every level is pending.
fn comb(depth: usize) -> TreeDef<'static> {
    let mut bytes = vec![0x22; depth];
    // The innermost pair holds a run of two leaves.
    bytes.push(1);
    bytes.resize(2 * depth, 0);
    let mut levels = vec![Level::default(); depth];
    TreeDef::from_bytes_with(bytes.leak(), &mut levels).expect("a comb of pairs")
}

/// Runs where little stack is left.
fn on_small_stack<R: Send>(run: impl FnOnce() -> R + Send) -> R {
    on_stack(64, run)
}

#[test]
fn plain_kinds_print_as_in_jax() {
    assert_eq!(TreeDef::LEAF.to_string(), "PyTreeDef(*)");
    assert_eq!(TreeDef::NONE.to_string(), "PyTreeDef(None)");
    assert_eq!(flat(head::Tuple(0)).to_string(), "PyTreeDef(())");
    assert_eq!(flat(head::Tuple(1)).to_string(), "PyTreeDef((*,))");
    assert_eq!(flat(head::Tuple(2)).to_string(), "PyTreeDef((*, *))");
    assert_eq!(flat(head::List(0)).to_string(), "PyTreeDef([])");
    assert_eq!(flat(head::List(1)).to_string(), "PyTreeDef([*])");
    assert_eq!(flat(dict([""; 0])).to_string(), "PyTreeDef({})");
    assert_eq!(flat(dict(["a", "b"])).to_string(), "PyTreeDef({'a': *, 'b': *})");
    assert_eq!(flat(dict([-7, 300])).to_string(), "PyTreeDef({-7: *, 300: *})");
    assert_eq!(flat(head::Some).to_string(), "PyTreeDef(Some(*))");
    assert_eq!(format!("{:?}", flat(head::Tuple(1))), "PyTreeDef((*,))");
}

#[test]
fn debug_writes_repeats_once() {
    let list = |children: &[TreeDef<'_>]| TreeDefBuf::<64>::list(children).unwrap();
    assert_eq!(format!("{:?}", treedef!((*, *))), "PyTreeDef((*, *))");
    let leaves = list(&[TreeDef::LEAF; 8]);
    assert_eq!(format!("{leaves:?}"), "PyTreeDef([*, *, *, *, *, *, *, *])");
    let leaves = list(&[TreeDef::LEAF; 9]);
    assert_eq!(format!("{leaves:?}"), "PyTreeDef([9 × *])");
    assert_eq!(format!("{:?}", list(&[TreeDef::NONE; 3])), "PyTreeDef([None, None, None])");
    let runs = list(&[TreeDef::LEAF, treedef!((*,)), treedef!((*,)), TreeDef::LEAF]);
    assert_eq!(format!("{runs:?}"), "PyTreeDef([*, 2 × (*,), *])");
    let nested = list(&[list(&[treedef!((*, *)); 5]).as_treedef(); 3]);
    assert_eq!(format!("{nested:?}"), "PyTreeDef([3 × [5 × (*, *)]])");
    let mixed = treedef!({"a": *, "b": (*, *), "c": (*, *), "d": None});
    assert_eq!(format!("{mixed:?}"), "PyTreeDef({'a': *, 'b', 'c': (*, *), 'd': None})");
    let keys: Vec<String> = (b'a'..=b'm').map(|key| char::from(key).to_string()).collect();
    let keys: [&str; 13] = std::array::from_fn(|i| keys[i].as_str());
    let leaves = keys.map(|key| format!("'{key}': *")).join(", ");
    assert_eq!(format!("{:?}", flat(dict(keys))), format!("PyTreeDef({{{leaves}}})"));
    let row = flat(head::NamedTuple { name: "Row", fields: &["x"; 12] });
    assert_eq!(format!("{row:?}"), "PyTreeDef(CustomNode(namedtuple[Row], [12 × *]))");
}

#[test]
fn debug_is_as_long_as_the_bytes() {
    // Lists of three lists of three lists: each level makes JAX's text three times as long.
    let mut def = TreeDefBuf::<256>::list(&[TreeDef::LEAF; 3]).unwrap();
    for _ in 0..12 {
        def = TreeDefBuf::list(&[def.as_treedef(); 3]).unwrap();
    }
    let def = def.as_treedef();
    assert_eq!(def.num_leaves(), 3usize.pow(13));
    assert!(format!("{def:?}").len() < 12 * def.as_bytes().len());
}

#[test]
fn custom_like_kinds_print_as_in_jax() {
    let ordered = head::Dict::new(DictKind::Ordered, ["b", "a"]);
    assert_eq!(flat(ordered).to_string(), "PyTreeDef(CustomNode(OrderedDict[('b', 'a')], [*, *]))");
    let ordered = head::Dict::new(DictKind::Ordered, [2]);
    assert_eq!(flat(ordered).to_string(), "PyTreeDef(CustomNode(OrderedDict[(2,)], [*]))");
    let default = head::Dict::new(DictKind::Default("<class 'int'>"), ["a", "b"]);
    assert_eq!(
        flat(default).to_string(),
        "PyTreeDef(CustomNode(defaultdict[(<class 'int'>, ('a', 'b'))], [*, *]))"
    );
    let point = head::NamedTuple { name: "geo::plane::Point", fields: &["x", "y"] };
    assert_eq!(flat(point).to_string(), "PyTreeDef(CustomNode(namedtuple[Point], [*, *]))");
    let meta = [("dt", Value::Float32(0.1)), ("mode", Value::Str("it's"))];
    let pid = head::Struct { name: "Pid", fields: &["kp"], meta: &meta };
    assert_eq!(flat(pid).to_string(), r#"PyTreeDef(CustomNode(Pid[(0.1, "it's")], [*]))"#);
    let pid = head::Struct { name: "control::Pid", fields: &["kp"], meta: &[] };
    assert_eq!(flat(pid).to_string(), "PyTreeDef(CustomNode(Pid[()], [*]))");
}

#[test]
fn aux_data_prints_by_str() {
    let cases = [
        (Value::None, "None"),
        (Value::Str("q's \n"), "q's \n"),
        (Value::Opaque("[4, 'foo']"), "[4, 'foo']"),
        (Value::Tuple(ValueTuple::new(&[Value::Str("q")])), "('q',)"),
    ];
    for (aux, text) in cases {
        let text = format!("PyTreeDef(CustomNode(Box[{text}], []))");
        assert_eq!(flat(custom("corpus::Box", aux, 0)).to_string(), text);
    }
}

#[test]
fn nested_nodes_and_repeats_are_written_out() {
    let tree = def(|b| {
        node(b, &head::List(5), |b| {
            for _ in 0..2 {
                node(b, &head::Tuple(3), |b| {
                    for _ in 0..2 {
                        node(b, &dict(["k1", "k2"]), |b| b.leaves(2));
                    }
                    b.none()
                });
            }
            b.leaves(2);
            node(b, &custom("Box", Value::Int(1), 1), |b| node(b, &head::List(0), |_| ()))
        })
    });
    let pair = "({'k1': *, 'k2': *}, {'k1': *, 'k2': *}, None)";
    let text = format!("PyTreeDef([{pair}, {pair}, *, *, CustomNode(Box[1], [[]])])");
    assert_eq!(tree.to_string(), text);
}

#[test]
fn values_print_by_repr() {
    let big = BigInt::new(true, &[0, 0, 0, 0, 0, 0, 0, 0, 1]).expect("2^64");
    let inner = [
        Value::Int(1),
        Value::Tuple(ValueTuple::new(&[])),
        Value::Tuple(ValueTuple::new(&[Value::None])),
    ];
    let cases = [
        (Value::None, "None"),
        (Value::Bool(true), "True"),
        (Value::Bool(false), "False"),
        (Value::Int(i64::MIN), "-9223372036854775808"),
        (Value::BigInt(big), "-18446744073709551616"),
        (Value::Float(1e16), "1e+16"),
        (Value::Float(-0.0), "-0.0"),
        (Value::Float(f64::NAN), "nan"),
        (Value::Float32(0.1), "0.1"),
        (Value::Float32(f32::NEG_INFINITY), "-inf"),
        (Value::Str("a\u{200b}é\\"), "'a\\u200bé\\\\'"),
        (Value::Bytes(b"\x00'\xff"), "b\"\\x00'\\xff\""),
        (Value::Tuple(ValueTuple::new(&inner)), "(1, (), (None,))"),
        (Value::Opaque("<En.A: 1>"), "<En.A: 1>"),
    ];
    for (value, text) in cases {
        assert_eq!(value.to_string(), text);
        // The same value read back from a treedef.
        let tree = flat(head::Dict::new(DictKind::Ordered, [value]));
        assert_eq!(tree.head().keys().map(|key| key.to_string()).collect::<Vec<_>>(), [text]);
    }
}

#[test]
fn values_deeper_than_a_treedef_holds_are_cut() {
    let mut value = Value::Int(1);
    for _ in 0..=MAX_VALUE_DEPTH {
        value = Value::Tuple(ValueTuple::new(vec![value].leak()));
    }
    let n = MAX_VALUE_DEPTH;
    assert_eq!(value.to_string(), format!("{}…{}", "(".repeat(n), ",)".repeat(n)));
}

#[test]
fn chains_are_exact_to_the_stated_depth() {
    let depth = MAX_TEXT_DEPTH;
    let text = on_small_stack(move || chain(0x21, depth).to_string());
    assert_eq!(text, format!("PyTreeDef({}*{})", "(".repeat(depth), ",)".repeat(depth)));
}

#[test]
fn deeper_chains_are_cut() {
    let (below, above) = ("(".repeat(MAX_TEXT_DEPTH), ",)".repeat(MAX_TEXT_DEPTH));
    let million = on_small_stack(|| chain(0x21, 1_000_000).to_string());
    assert_eq!(million, format!("PyTreeDef({below}…{above})"));
}

#[test]
fn siblings_go_on_behind_what_was_cut() {
    let depth = MAX_TEXT_DEPTH + 3;
    let text = on_small_stack(move || comb(depth).to_string());
    let (below, above) = ("(".repeat(MAX_TEXT_DEPTH), ", *)".repeat(MAX_TEXT_DEPTH));
    assert_eq!(text, format!("PyTreeDef({below}…{above})"));
    // Each of two such combs in a list is cut for itself; the second is a repeat of 1028 leaves.
    let unit = comb(MAX_TEXT_DEPTH + 3);
    let bytes = [&[0x42], unit.as_bytes(), &[0xA0, 0x84, 7]].concat();
    let mut levels = vec![Level::default(); MAX_TEXT_DEPTH + 4];
    let tree = TreeDef::from_bytes_with(bytes.leak(), &mut levels).expect("a list of combs");
    let text = on_small_stack(move || tree.to_string());
    let (below, above) = ("(".repeat(MAX_TEXT_DEPTH - 1), ", *)".repeat(MAX_TEXT_DEPTH - 1));
    assert_eq!(text, format!("PyTreeDef([{below}…{above}, {below}…{above}])"));
}

#[test]
fn keys_of_any_form_at_the_deepest_level_fit_a_small_stack() {
    let mut key = Value::Str("k");
    for _ in 0..MAX_VALUE_DEPTH {
        key = Value::Tuple(ValueTuple::new(vec![key].leak()));
    }
    let leaf = flat(head::Dict::new(DictKind::Sorted, [key]));
    let mut bytes = vec![0x41; MAX_TEXT_DEPTH - 1];
    bytes.extend(leaf.as_bytes());
    let tree = TreeDef::from_bytes(bytes.leak()).expect("a chain");
    let text = on_small_stack(move || tree.to_string());
    let key = format!("{}'k'{}", "(".repeat(MAX_VALUE_DEPTH), ",)".repeat(MAX_VALUE_DEPTH));
    let n = MAX_TEXT_DEPTH - 1;
    assert_eq!(text, format!("PyTreeDef({}{{{key}: *}}{})", "[".repeat(n), "]".repeat(n)));
}

#[test]
fn wide_dicts_print_in_linear_time() {
    let keys: Vec<i64> = (0..100_000).collect();
    let mut builder = Writer::new(Vec::leak(vec![0; 1 << 20]));
    let frame = builder.begin(&head::Dict::new(DictKind::Sorted, keys));
    builder.leaves(100_000);
    builder.end(frame);
    let text = builder.finish().expect("the tree is complete").to_string();
    assert!(text.starts_with("PyTreeDef({0: *, 1: *, 2: *,"));
    assert!(text.ends_with(", 99998: *, 99999: *})"));
}

#[test]
fn key_paths_as_in_jax() {
    let keys = [ChildKey::Attr("w"), ChildKey::Raw("plain"), ChildKey::Key(Value::Str("k"))];
    let tree = def(|b| {
        node(b, &dict(["foo", "it's", "s"]), |b| {
            node(b, &head::List(2), |b| {
                b.leaves(1);
                node(b, &head::NamedTuple { name: "P", fields: &["x", "y"] }, |b| b.leaves(2))
            });
            node(b, &custom("N", Value::None, 1), |b| {
                let keyed = head::Custom {
                    name: "K",
                    aux: Value::None,
                    children: 3,
                    child_keys: Some(&keys),
                };
                node(b, &keyed, |b| b.leaves(3))
            });
            node(b, &head::Some, |b| node(b, &head::Tuple(1), |b| b.leaves(1)))
        })
    });
    let texts = |text: fn(&treedef::KeyPath<'static, 'static>) -> String| {
        tree.paths().map(|p| text(&p)).collect::<Vec<_>>()
    };
    assert_eq!(
        texts(|path| path.keystr().to_string()),
        [
            "['foo'][0]",
            "['foo'][1].x",
            "['foo'][1].y",
            "[\"it's\"][<flat index 0>].w",
            "[\"it's\"][<flat index 0>]plain",
            "[\"it's\"][<flat index 0>]['k']",
            "['s'][0]",
        ]
    );
    assert_eq!(
        texts(|path| path.keystr_simple("/").to_string()),
        ["foo/0", "foo/1/x", "foo/1/y", "it's/0/w", "it's/0/plain", "it's/0/k", "s/0"]
    );
    assert_eq!(
        texts(|path| path.keystr().separated_by(".").to_string()).swap_remove(1),
        "['foo'].[1]..x"
    );
    assert_eq!(TreeDef::LEAF.path(0).map(|path| path.keystr().to_string()), Some(String::new()));
    assert_eq!(KeyEntry::Some.to_string(), "");
}

#[test]
fn key_paths_count_positions_instead_of_visiting_them() {
    let tree = flat(head::List(u32::MAX as usize - 1));
    let path = tree.path(u32::MAX as usize - 2).expect("the last leaf");
    assert_eq!(path.keystr().to_string(), "[4294967293]");
}

#[test]
fn key_path_of_a_long_chain_is_read_once() {
    let text = on_small_stack(|| {
        let path = chain(0x41, 200_000).path(0).expect("a leaf");
        path.keystr().to_string()
    });
    assert_eq!(text, "[0]".repeat(200_000));
}

fn explain(expected: TreeDef<'_>, found: TreeDef<'_>) -> String {
    matches(&found, expected).unwrap_err().explain(expected, found).to_string()
}

#[test]
fn mismatches_of_kind_are_explained() {
    assert_eq!(
        explain(flat(dict(["b", "w"])), flat(head::List(2))),
        "at the root: expected a dict with keys 'b', 'w', found a list of 2"
    );
    assert_eq!(explain(TreeDef::LEAF, TreeDef::NONE), "at the root: expected a leaf, found None");
    assert_eq!(explain(flat(dict(["b"])), flat(dict([""; 0]))), "at the root: missing key 'b'");
    assert_eq!(
        explain(flat(head::Tuple(2)), flat(dict([""; 0]))),
        "at the root: expected a tuple of 2, found a dict with no keys"
    );
    let wide: Vec<i64> = (0..20).collect();
    assert_eq!(
        explain(TreeDef::LEAF, flat(head::Dict::new(DictKind::Ordered, wide))),
        "at the root: expected a leaf, found an OrderedDict with keys 0, 1, 2, 3, 4, 5, 6, 7 and 12 more"
    );
    let point = head::NamedTuple { name: "geo::Point", fields: &["x"] };
    assert_eq!(
        explain(flat(point), flat(head::Some)),
        "at the root: expected a named tuple Point, found Some"
    );
}

#[test]
fn mismatches_below_repeats_are_found() {
    // Lists of twelve layers; in the other the eighth has a third field.
    let layers = |odd: usize| {
        def(|b| {
            node(b, &dict(["layers", "out"]), |b| {
                node(b, &head::List(12), |b| {
                    (0..12).for_each(|i| {
                        let keys: &[&str] = if i == odd { &["b", "s", "w"] } else { &["b", "w"] };
                        node(b, &head::Dict::new(DictKind::Sorted, keys.iter().copied()), |b| {
                            b.leaves(keys.len())
                        })
                    })
                });
                b.leaves(1)
            })
        })
    };
    let text = "at ['layers'][7]: unexpected key 's'";
    assert_eq!(explain(layers(99), layers(7)), text);
    assert_eq!(explain(layers(7), layers(99)), "at ['layers'][7]: missing key 's'");
    assert_eq!(explain(layers(3), layers(7)), "at ['layers'][3]: missing key 's'");
    assert_eq!(explain(layers(99), layers(11)), "at ['layers'][11]: unexpected key 's'");
    assert_eq!(explain(layers(99), layers(0)), "at ['layers'][0]: unexpected key 's'");
}

#[test]
fn mismatches_in_runs_of_leaves_are_found() {
    let with_none = |at: usize| {
        def(|b| {
            node(b, &head::List(5), |b| {
                b.leaves(at);
                b.none();
                b.leaves(4 - at)
            })
        })
    };
    assert_eq!(explain(flat(head::List(5)), with_none(3)), "at [3]: expected a leaf, found None");
    assert_eq!(explain(with_none(4), flat(head::List(5))), "at [4]: expected None, found a leaf");
    assert_eq!(explain(with_none(2), with_none(1)), "at [1]: expected a leaf, found None");
}

#[test]
fn mismatches_of_keys_are_explained() {
    let text = explain(flat(dict(["a", "b", "d", "e"])), flat(dict(["b", "c", "d"])));
    assert_eq!(text, "at the root: missing keys 'a', 'e' and unexpected key 'c'");
    let ordered = |keys: [&'static str; 3]| flat(head::Dict::new(DictKind::Ordered, keys));
    assert_eq!(
        explain(ordered(["b", "a", "c"]), ordered(["b", "c", "a"])),
        "at the root: expected key order 'b', 'a', 'c', found 'b', 'c', 'a'"
    );
    assert_eq!(
        explain(ordered(["b", "a", "c"]), ordered(["d", "c", "a"])),
        "at the root: missing key 'b' and unexpected key 'd'"
    );
    // Keys that are one key to Python, and keys that it cannot order.
    assert_eq!(
        explain(flat(dict([1, 2])), flat(dict([Value::Bool(true), Value::Int(2)]))),
        "at the root: missing key 1 and unexpected key True"
    );
    assert_eq!(
        explain(flat(dict([1, 2])), flat(dict(["1", "2"]))),
        "at the root: missing keys 1, 2 and unexpected keys '1', '2'"
    );
    let default = |factory| flat(head::Dict::new(DictKind::Default(factory), ["a"]));
    assert_eq!(
        explain(default("<class 'int'>"), default("None")),
        "at the root: expected default factory <class 'int'>, found None"
    );
}

#[test]
fn mismatches_of_types_and_data_are_explained() {
    let point = |name, fields| flat(head::NamedTuple { name, fields });
    assert_eq!(
        explain(point("a::P", &["x"]), point("b::Q", &["x"])),
        "at the root: expected a named tuple P, found a named tuple Q"
    );
    assert_eq!(
        explain(point("a::P", &["x"]), point("b::P", &["x"])),
        "at the root: expected a named tuple a::P, found a named tuple b::P"
    );
    assert_eq!(
        explain(point("a::P", &["x", "y"]), point("a::P", &["x", "z"])),
        "at the root: missing field y and unexpected field z"
    );
    assert_eq!(
        explain(point("a::P", &["x", "y", "z"]), point("a::P", &["y"])),
        "at the root: missing fields x, z"
    );
    assert_eq!(
        explain(point("a::P", &["x", "y"]), point("a::P", &["y", "x"])),
        "at the root: expected field order x, y, found y, x"
    );
    let pid = |meta: &'static [_]| {
        def(|b| {
            node(b, &dict(["ctl"]), |b| {
                node(b, &head::Struct { name: "control::Pid", fields: &["kp"], meta }, |b| {
                    b.leaves(1)
                })
            })
        })
    };
    let (slow, fast) = (&[("dt", Value::Float(0.25))], &[("dt", Value::Float32(0.5))]);
    assert_eq!(explain(pid(slow), pid(fast)), "at ['ctl']: expected dt = 0.25, found dt = 0.5");
    assert_eq!(explain(pid(slow), pid(&[])), "at ['ctl']: missing meta field dt");
    let boxed = |aux, children| flat(custom("Box", aux, children));
    assert_eq!(
        explain(boxed(Value::Int(1), 1), boxed(Value::Str("1"), 1)),
        "at the root: expected aux data 1, found '1'"
    );
    assert_eq!(
        explain(boxed(Value::None, 1), boxed(Value::None, 2)),
        "at the root: expected 1 child, found 2"
    );
    let keyed = |key: &'static [ChildKey<'static>]| {
        flat(head::Custom { name: "Box", aux: Value::None, children: 1, child_keys: Some(key) })
    };
    assert_eq!(
        explain(keyed(&[ChildKey::Attr("w")]), keyed(&[ChildKey::Index(3)])),
        "at the root: expected child key w, found [3]"
    );
}

#[test]
fn mismatches_of_variants_name_the_enum() {
    let of = |name| flat(head::Struct { name, fields: &[], meta: &[] });
    for (expected, found, text) in [
        ("m::Act::Relu", "m::Act::Leaky", "expected variant Act::Relu, found variant Act::Leaky"),
        ("Act::Relu", "Act::Leaky", "expected variant Act::Relu, found variant Act::Leaky"),
        // Types of one module, variants of two enums, and names with no path.
        ("m::act::Relu", "m::act::Leaky", "expected a struct Relu, found a struct Leaky"),
        ("m::Act::Relu", "m::Bar::Leaky", "expected variant Act::Relu, found variant Bar::Leaky"),
        (
            "m::Act::Relu",
            "n::Act::Relu",
            "expected variant m::Act::Relu, found variant n::Act::Relu",
        ),
        ("Relu", "Leaky", "expected a struct Relu, found a struct Leaky"),
        ("m::Act::Relu", "Leaky", "expected variant Act::Relu, found a struct Leaky"),
        ("", "A::", "expected a struct , found variant A::"),
        // Names of `#[tree(name = "..")]`.
        (
            "fw.Mode::Idle",
            "fw.Mode::Run",
            "expected variant fw.Mode::Idle, found variant fw.Mode::Run",
        ),
        (
            "fw/mode::Idle",
            "fw/mode::Run",
            "expected variant fw/mode::Idle, found variant fw/mode::Run",
        ),
        ("fw.Mode::Idle", "fw.Speed", "expected variant fw.Mode::Idle, found a struct fw.Speed"),
    ] {
        assert_eq!(explain(of(expected), of(found)), format!("at the root: {text}"));
    }
    assert_eq!(
        explain(of("fw.Mode::Idle"), TreeDef::LEAF),
        "at the root: expected variant fw.Mode::Idle, found a leaf"
    );
}

#[test]
fn mismatches_without_the_other_treedef_name_the_place() {
    // {'a': [*, *, *]}, which is no map of pairs.
    let tree = def(|b| node(b, &dict(["a"]), |b| node(b, &head::List(3), |b| b.leaves(3))));
    let at = |error: Error| error.explain_at(tree).to_string();
    assert_eq!(at(Error::Mismatch { node: 0 }), "structure differs at the root");
    assert_eq!(at(Error::Mismatch { node: 3 }), "structure differs at ['a'][1]");
    assert_eq!(
        at(Error::WrongLeaf { leaf: 2 }),
        "leaf 2 at ['a'][2] has the wrong type for its place"
    );
    for error in [Error::Mismatch { node: 5 }, Error::WrongLeaf { leaf: 3 }, Error::TooLarge] {
        assert_eq!(at(error), error.to_string());
    }

    type Pairs = (f32, (Option<f32>, [f32; 2]));
    let other = def(|b| {
        node(b, &head::Tuple(2), |b| {
            b.leaves(1);
            node(b, &head::Tuple(2), |b| {
                b.none();
                node(b, &head::List(3), |b| b.leaves(3))
            })
        })
    });
    let error = treedef::unflatten::<f32, Pairs>(other, &[0.0; 4]).expect_err("a list of three");
    assert_eq!(error.explain_at(other).to_string(), "structure differs at [1][1]");

    let rates = ([0.1f32], heapless::Vec::<f32, 2>::from([0.1, 0.2]));
    let params = ([1.0f64], heapless::Vec::<f64, 2>::from([1.0]));
    let error = treedef::over(&params)
        .under(&rates)
        .for_each(|_| {})
        .expect_err("lists of different lengths");
    let mut bytes = [0; 16];
    let prefix = treedef::structure_into(&rates, &mut bytes).expect("a prefix");
    assert_eq!(error.explain_at(prefix).to_string(), "structure differs at [1]");
}

#[test]
fn containers_that_are_too_small_are_named() {
    use heapless::index_map::FnvIndexMap;
    use heapless::{LinearMap, Vec};

    type Items<const N: usize> = Vec<[f32; 2], N>;
    type Deep<const N: usize> = (f32, (f32, Items<N>));
    fn explained<T: treedef::tree::TreeBuild<f32>>(def: TreeDef<'_>) -> (Error, String) {
        let leaves = vec![0.0f32; def.num_leaves()];
        let error = treedef::unflatten::<f32, T>(def, &leaves).err().expect("too many children");
        assert_eq!(treedef::tree::unflatten_from::<f32, _, T>(def, leaves).err(), Some(error));
        (error, error.explain_at(def).to_string())
    }
    fn told<T: treedef::tree::TreeBuild<f32>>(def: TreeDef<'_>) -> String {
        explained::<T>(def).1
    }

    let items = Items::<4>::from_iter([[1.0, 2.0]; 3]);
    let mut bytes = [0; 32];
    let built =
        treedef::structure_into(&(0.0f32, (0.0f32, items.clone())), &mut bytes).expect("a treedef");
    let (error, text) = explained::<Deep<2>>(built);
    assert_eq!(error, Error::Capacity { node: 4, room: 2 });
    assert_eq!(error.to_string(), "node 4 has more children than the 2 that its container holds");
    assert_eq!(text, "[1][1] has 3 children, its container holds 2");
    assert_eq!(told::<Deep<0>>(built), "[1][1] has 3 children, its container holds 0");
    assert!(treedef::unflatten::<f32, Deep<3>>(built, &[0.0; 8]).is_ok());
    // A treedef that lacks the node, or has one there that fits, says no more than the error.
    for other in [TreeDef::LEAF, built.child(1).expect("a tuple")] {
        assert_eq!(error.explain_at(other).to_string(), error.to_string());
    }

    let built = treedef::structure_into(&items, &mut bytes).expect("a treedef");
    assert_eq!(told::<Items<2>>(built), "the root has 3 children, its container holds 2");
    let one = def(|b| node(b, &head::List(1), |b| b.leaves(1)));
    assert_eq!(told::<Vec<f32, 0>>(one), "the root has 1 child, its container holds 0");
    let rows = [items.clone(), Items::from_iter([[0.0; 2]; 4])];
    let built = treedef::structure_into(&rows, &mut bytes).expect("a treedef");
    assert_eq!(told::<[Items<3>; 2]>(built), "[1] has 4 children, its container holds 3");

    // (*, {1: *, 2: *, 3: *, 4: *, 5: *})
    let def = def(|b| {
        node(b, &head::Tuple(2), |b| {
            b.leaves(1);
            node(b, &dict([1, 2, 3, 4, 5u8]), |b| b.leaves(5))
        })
    });
    let text = "[1] has 5 children, its container holds 4";
    assert_eq!(told::<(f32, LinearMap<u8, f32, 4>)>(def), text);
    assert_eq!(told::<(f32, FnvIndexMap<u8, f32, 4>)>(def), text);
    assert!(treedef::unflatten::<f32, (f32, FnvIndexMap<u8, f32, 8>)>(def, &[0.0; 6]).is_ok());
}

#[test]
fn mismatch_at_the_end_of_a_long_chain_is_found() {
    let text = on_small_stack(|| {
        let mut bytes = vec![0x41; 100_000];
        bytes.push(0xC0);
        let found = TreeDef::from_bytes(bytes.leak()).expect("a chain");
        Error::Mismatch { node: 100_000 }.explain(chain(0x41, 100_000), found).to_string()
    });
    assert_eq!(text, format!("at {}: expected a leaf, found None", "[0]".repeat(100_000)));
}

#[test]
fn errors_without_a_difference_print_themselves() {
    let tree = flat(dict(["a", "b"]));
    let error = Error::Mismatch { node: 3 };
    assert_eq!(error.explain(tree, tree).to_string(), error.to_string());
    let error = Error::TooLarge;
    assert_eq!(error.explain(tree, TreeDef::LEAF).to_string(), error.to_string());
    let error = Error::WrongLeaf { leaf: 1 };
    assert_eq!(
        error.explain(tree, tree).to_string(),
        "leaf 1 at ['b'] has the wrong type for its place"
    );
    assert_eq!(error.explain(TreeDef::LEAF, tree).to_string(), error.to_string());
}

#[test]
fn refused_keys_are_named() {
    let explain = |kind, keys: &[Value<'static>]| {
        let mut bytes = [0; 64];
        let keys = keys.iter().copied();
        let mut out = Writer::new(&mut bytes);
        let _ = out.begin(&head::Dict::new(kind, keys.clone()));
        let error = out.finish().expect_err("keys to be refused");
        error.explain_keys(keys).to_string()
    };
    let (one, a, b, yes) = (Value::Int(1), Value::Str("a"), Value::Str("b"), Value::Bool(true));
    assert_eq!(explain(DictKind::Sorted, &[one, a]), "keys 1 and 'a' cannot be ordered");
    assert_eq!(explain(DictKind::Sorted, &[a, b, one]), "keys 'b' and 1 cannot be ordered");
    let nan = Value::Float(f64::NAN);
    assert_eq!(explain(DictKind::Sorted, &[nan, a]), "keys nan and 'a' cannot be ordered");
    assert_eq!(explain(DictKind::Sorted, &[a, b, b]), "keys 'b' and 'b' are equal");
    assert_eq!(explain(DictKind::Sorted, &[b, a]), "keys 'b' and 'a' are not in sorted order");
    assert_eq!(explain(DictKind::Sorted, &[one, yes]), "keys 1 and True are equal");
    assert_eq!(Error::TooLarge.explain_keys([1]).to_string(), Error::TooLarge.to_string());
    // By itself an error has places and no keys, and says so: keys can be integers.
    let [first, second] = [0, 1];
    for (error, text) in [
        (Error::Unordered { first, second }, "the keys at 0 and 1 cannot be ordered"),
        (Error::DuplicateKey { first, second }, "the keys at 0 and 1 are equal"),
        (Error::UnsortedKeys { first, second }, "the keys at 0 and 1 are not in sorted order"),
    ] {
        assert_eq!(error.to_string(), text);
    }
    // Keys that are not those of the error.
    let error = Error::Unordered { first: 4, second: 5 };
    assert_eq!(error.explain_keys([1]).to_string(), error.to_string());
}

#[test]
fn one_child_is_no_plural() {
    let announced = |expected| Error::Arity { expected, found: 0 }.to_string();
    assert_eq!(announced(1), "node announced 1 child or key and got 0");
    assert_eq!(announced(2), "node announced 2 children or keys and got 0");
    // A tuple of one, and a run of two leaves in it.
    let error = TreeDef::from_bytes(&[0x21, 0x01]).expect_err("two children in a tuple of one");
    assert_eq!(error.to_string(), "item encodes 2 children, the node lacks 1 at byte 1");
}

#[test]
fn decoding_errors_name_both_keys() {
    let explain = |bytes: &[u8]| {
        let error = TreeDef::from_bytes(bytes).expect_err("bytes to be refused");
        error.explain(bytes).to_string()
    };
    // [*, {'b': *, 'a': *}]
    assert_eq!(
        explain(&[0x42, 0x00, 0x62, 4, 1, b'b', 1, b'a', 0x01]),
        "keys 'b' and 'a' are not in sorted order at byte 6"
    );
    // A dictionary with the keys 'a', 'b', 'b'.
    assert_eq!(
        explain(&[0x63, 6, 1, b'a', 1, b'b', 1, b'b', 0x02]),
        "keys 'b' and 'b' are equal at byte 6"
    );
    // A dictionary with the typed keys 1 and 'a'.
    assert_eq!(
        explain(&[0xC3, 2, 5, 3, 2, 6, 1, b'a', 0x01]),
        "keys 1 and 'a' cannot be ordered at byte 5"
    );
    let error = TreeDef::from_bytes(&[0xFF]).expect_err("erased flash");
    assert_eq!(error.kind(), DecodeErrorKind::UnknownKind(7));
    assert_eq!(error.explain(&[0xFF]).to_string(), error.to_string());
}
