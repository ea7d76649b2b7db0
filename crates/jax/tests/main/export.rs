//! Tests artifacts of `jax.export` that are old, rare, broken or hostile. `tests/conformance` tests artifacts that JAX
//! wrote.

use std::time::{Duration, Instant};

use treedef::cache::Dtype;
use treedef::encode::MAX_DEPTH;
use treedef::head::{DictKind, head_into};
use treedef::{Head, Kind, TreeDef, Value, head, treedef};
use treedef_jax::{Dim, ExportErrorKind as Fault, Exported};

use crate::artifact::*;

/// Returns the text of a tree's treedef, or its error.
fn text(tree: &Node) -> Result<String, Fault> {
    let artifact = with_tree(tree);
    in_tree(&artifact).map(|def| def.to_string()).map_err(|error| {
        assert!(error.offset() < artifact.len(), "{error}");
        error.kind()
    })
}

#[test]
fn every_kind_of_node_is_read() {
    let custom = Node { custom: Some(("a.B".into(), b"\xff".into())), ..node(CUSTOM, &[leaf()]) };
    let all = node(
        TUPLE,
        &[node(LIST, &[leaf()]), node(NONE, &[]), dict(&["a", "é"]), custom, ordered("[]", 0)],
    );
    assert_eq!(
        text(&all).as_deref(),
        Ok(
            r"PyTreeDef(([*], None, {'a': *, 'é': *}, CustomNode(a.B[b'\xff'], [*]), CustomNode(OrderedDict[()], [])))"
        )
    );
    assert_eq!(text(&leaf()).as_deref(), Ok("PyTreeDef(*)"));
    assert_eq!(text(&dict(&[])).as_deref(), Ok("PyTreeDef({})"));
}

#[test]
fn equal_neighbours_are_folded() {
    let artifact = with_tree(&node(TUPLE, &[dict(&["a", "b"]), dict(&["a", "b"])]));
    let expected = treedef!(({"a": *, "b": *}, {"a": *, "b": *}));
    assert_eq!(in_tree(&artifact), Ok(expected.into()));
}

#[test]
fn keys_of_an_ordered_dict_are_those_that_json_says() {
    let keys = ["z", "é\"\n", "😀", ""];
    let artifact = with_tree(&ordered(r#"["z", "\u00e9\"\n", "\ud83d\ude00", ""]"#, 4));
    let (tree, mut head) = (in_tree(&artifact).unwrap(), [0; 64]);
    let def = tree.as_treedef();
    assert_eq!(def.kind(), Kind::OrderedDict);
    let head: Head<'_> = head_into(&head::Dict::new(DictKind::Ordered, keys), &mut head).unwrap();
    assert_eq!(def.head(), head);
    assert!(def.head().keys().eq(keys.map(Value::Str)));
    assert_eq!(TreeDef::from_bytes(def.as_bytes()), Ok(def));
}

#[test]
fn lists_of_strings_are_read_as_by_python() {
    let keys = |json: &str, count: usize| {
        let artifact = with_tree(&ordered(json, count));
        let tree = in_tree(&artifact).map_err(|error| error.kind())?;
        let keys = tree.as_treedef().head().keys().map(|key| match key {
            Value::Str(key) => key.to_owned(),
            other => panic!("{other}"),
        });
        Ok(keys.collect::<Vec<_>>())
    };
    let read = |json: &str, expected: &[&str]| {
        let expected: Vec<_> = expected.iter().map(|key| (*key).to_owned()).collect();
        assert_eq!(keys(json, expected.len()), Ok(expected), "{json}");
    };
    read("[]", &[]);
    read(" [ \"a\" ,\n\"\" ] ", &["a", ""]);
    // json.dumps(['é\n"\\', '😀'])
    read(r#"["\u00e9\n\"\\", "\ud83d\ude00"]"#, &["é\n\"\\", "😀"]);
    read(r#"["\b\f\r\t\/é"]"#, &["\u{8}\u{c}\r\t/é"]);
    for json in [
        "",
        "[",
        "]",
        "{}",
        "\"a\"",
        "[1]",
        "[,]",
        "[\"a\",]",
        "[\"a\" \"b\"]",
        "[\"a]",
        "[\"a\"",
        "[\"a\"] x",
        "[null]",
        "[[\"a\"]]",
        "[\"\n\"]",
        r#"["\x"]"#,
        r#"["\u12"]"#,
        r#"["\ud83d"]"#,
        r#"["\ude00"]"#,
        r#"["\ud83d\u0041"]"#,
        r#"["\ud83dxude00"]"#,
        "[] []",
    ] {
        assert_eq!(keys(json, 1), Err(Fault::BadKeys), "{json}");
    }
    // Equal strings, however they are written.
    let fault = Fault::DuplicateKey { first: 0, second: 2 };
    assert_eq!(keys(r#"["b", "a", "\u0062"]"#, 3), Err(fault));
}

#[test]
fn malformed_nodes_are_refused() {
    for (tree, fault) in [
        (node(6, &[]), Fault::UnknownNode(6)),
        (node(255, &[]), Fault::UnknownNode(255)),
        (node(NONE, &[leaf()]), Fault::Arity { expected: 0, found: 1 }),
        (node(DICT, &[leaf()]), Fault::Arity { expected: 0, found: 1 }),
        (dict(&["b", "a"]), Fault::UnsortedKeys { first: 0, second: 1 }),
        (dict(&["a", "b", "b"]), Fault::DuplicateKey { first: 1, second: 2 }),
        (node(CUSTOM, &[]), Fault::MissingField { field: 3 }),
        (ordered("", 0), Fault::BadKeys),
        (ordered("[1]", 1), Fault::BadKeys),
        (ordered("[\"a\"]", 2), Fault::Arity { expected: 1, found: 2 }),
        (ordered("[\"b\", \"a\", \"b\"]", 3), Fault::DuplicateKey { first: 0, second: 2 }),
        (
            Node { names: Some(vec!["a".into()]), ..node(DICT, &[]) },
            Fault::Arity { expected: 1, found: 0 },
        ),
    ] {
        assert_eq!(text(&tree), Err(fault));
        assert_eq!(text(&node(LIST, &[leaf(), tree])), Err(fault));
    }
    let mut bent = with_tree(&node(LEAF, &[leaf()]));
    // The inner leaf has an abstract value, but is not part of the tree.
    assert_eq!(
        Exported::from_bytes(&bent).unwrap_err().kind(),
        Fault::Arity { expected: 0, found: 1 }
    );
    bent.clear();
    assert_eq!(Exported::from_bytes(&bent).unwrap_err().kind(), Fault::OutOfBounds);
}

/// A large number of keys in descending order, with long common prefixes.
#[test]
fn many_long_unsorted_keys_do_not_hang() {
    let most = 50_000;
    let keys: Vec<_> = (0..most).rev().map(|key| format!("\"{key:064}\"")).collect();
    let artifact = with_tree(&ordered(&format!("[{}]", keys.join(",")), most));
    let start = Instant::now();
    assert_eq!(in_tree(&artifact).unwrap().as_treedef().num_leaves(), most);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn depth_is_bounded_as_for_every_tree() {
    let nested = |levels: u32| (0..levels).fold(leaf(), |inner, _| node(LIST, &[inner]));
    assert!(text(&nested(MAX_DEPTH)).is_ok());
    assert_eq!(text(&nested(MAX_DEPTH + 1)), Err(Fault::TooDeep { limit: MAX_DEPTH }));
    assert_eq!(text(&nested(500)), Err(Fault::TooDeep { limit: MAX_DEPTH }));
}

#[test]
fn every_element_type_has_the_name_that_jax_gives_it() {
    let read = |dtype: u8| {
        let (mut flat, fields) = artifact(&[]);
        leaf().write(&mut flat, fields[IN_TREE]);
        let at = flat.vector_at(fields[IN_AVALS], 1, 4)[0];
        let aval = flat.table_at(at, &[(1, 4), (2, 1)]);
        flat.write(aval.fields[1], &[dtype]);
        for (at, dim) in flat.vector_at(aval.fields[0], 4, 4).into_iter().zip([
            "12",
            "2*b + 1",
            "",
            "99999999999999999999",
        ]) {
            flat.string_at(at, dim);
        }
        let exported = Exported::from_bytes(&flat.0).map_err(|error| error.kind())?;
        let aval = exported.in_avals().next().unwrap();
        let dims = [
            Dim::Size(12),
            Dim::Symbolic("2*b + 1"),
            Dim::Symbolic(""),
            Dim::Symbolic("99999999999999999999"),
        ];
        assert_eq!(aval.shape, dims);
        assert_eq!(aval.as_shape_dtype().num_elements(), None);
        Ok(aval.to_string())
    };
    // From the schema: number and name there, then JAX's name.
    let names = [
        "bool",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
        "float16",
        "float32",
        "float64",
        "complex64",
        "complex128",
        "bfloat16",
        "int4",
        "uint4",
        "float8_e4m3b11fnuz",
        "float8_e4m3fn",
        "float8_e4m3fnuz",
        "float8_e5m2",
        "float8_e5m2fnuz",
        "float0",
        "float8_e4m3",
        "float8_e3m4",
        "float8_e8m0fnu",
        "float4_e2m1fn",
        "key<fry>",
        "key<rbg>",
        "key<urbg>",
    ];
    for (number, name) in (0..).zip(names) {
        assert_eq!(read(number), Ok(format!("{name}[12,2*b + 1,,99999999999999999999]")));
    }
    assert_eq!(read(30), Err(Fault::UnknownDtype(30)));
    // Each name is also that of a dtype in NumPy.
    assert!(
        names.iter().all(|name| Dtype::from_name(name).is_some_and(|dtype| dtype.name() == *name))
    );
}

#[test]
fn abstract_values_are_counted_and_indices_checked() {
    let (mut flat, fields) = artifact(&[]);
    node(TUPLE, &[leaf(), leaf()]).write(&mut flat, fields[IN_TREE]);
    let error = Exported::from_bytes(&flat.0).unwrap_err();
    assert_eq!(error.kind(), Fault::AvalCount { expected: 2, found: 0 });

    let (unique, indices, kept) = (5, 6, 7);
    let read = |number: [u32; 2], inputs: &[u16]| {
        let (mut flat, fields) = artifact(&[(19, 4), (22, 4), (15, 4)]);
        node(TUPLE, &[leaf(), leaf()]).write(&mut flat, fields[IN_TREE]);
        let at = flat.vector_at(fields[unique], 1, 4)[0];
        flat.table_at(at, &[]);
        for (at, index) in flat.vector_at(fields[indices], 2, 4).into_iter().zip(number) {
            flat.write(at, &index.to_le_bytes());
        }
        for (at, index) in flat.vector_at(fields[kept], inputs.len(), 2).into_iter().zip(inputs) {
            flat.write(at, &index.to_le_bytes());
        }
        let exported = Exported::from_bytes(&flat.0).map_err(|error| error.kind())?;
        assert!(exported.in_avals().map(|aval| aval.to_string()).eq(["bool[]"; 2]));
        assert_eq!(exported.module_kept_var_idx.len(), inputs.len());
        Ok(())
    };
    assert_eq!(read([0, 0], &[0, 1]), Ok(()));
    assert_eq!(read([0, 0], &[]), Ok(()));
    assert_eq!(read([0, 1], &[]), Err(Fault::BadIndex { index: 1 }));
    assert_eq!(read([0, 0], &[2]), Err(Fault::BadIndex { index: 2 }));
    assert_eq!(read([0, 0], &[1, 0]), Err(Fault::BadIndex { index: 0 }));
    assert_eq!(read([0, 0], &[1, 1]), Err(Fault::BadIndex { index: 1 }));
}

#[test]
fn the_derivative_and_the_version_of_jax_are_read_where_they_are() {
    let (mut flat, fields) = artifact(&[(17, 4), (26, 4)]);
    leaf().write(&mut flat, fields[IN_TREE]);
    let at = flat.vector_at(fields[IN_AVALS], 1, 4)[0];
    flat.table_at(at, &[]);
    flat.string_at(fields[6], "0.11.0");
    let vjp = flat.table_at(fields[5], &[(1, 4), (2, 4), (4, 4)]);
    flat.string_at(vjp.fields[0], "f_vjp");
    node(TUPLE, &[]).write(&mut flat, vjp.fields[1]);
    node(LIST, &[]).write(&mut flat, vjp.fields[2]);
    let exported = Exported::from_bytes(&flat.0).unwrap();
    assert_eq!(exported.jax_version, Some("0.11.0"));
    let derivative = exported.vjp().unwrap().unwrap();
    assert_eq!(derivative.function_name, "f_vjp");
    assert_eq!(derivative.out_tree.as_treedef(), treedef!([]));
    // The broken derivative is an error only when it is read.
    flat.write(vjp.fields[1], &[255; 4]);
    let exported = Exported::from_bytes(&flat.0).unwrap();
    assert_eq!(exported.vjp().unwrap_err().kind(), Fault::OutOfBounds);
}

#[test]
fn nothing_has_to_be_aligned() {
    for artifact in ARTIFACTS {
        for before in 1..8 {
            let moved = [&vec![0; before], artifact].concat();
            assert_eq!(in_tree(&moved[before..]), in_tree(artifact));
        }
    }
}
