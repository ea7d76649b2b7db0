//! Trees that other programs describe in JSON.

use super::{file, output, treedef};

/// Paths, dtypes and shapes of the leaves of a file, and its format.
fn leaves(file: &str) -> (String, Vec<String>) {
    let report: serde_json::Value =
        serde_json::from_str(&output(&["inspect", "--json", file])).unwrap();
    let leaves = report["trees"][0]["leaves"].as_array().unwrap();
    let text = |leaf: &serde_json::Value| {
        format!("{} {} {}", leaf["path"].as_str().unwrap(), leaf["dtype"], leaf["shape"])
    };
    (report["format"].as_str().unwrap().into(), leaves.iter().map(text).collect())
}

/// An entry of Orbax's metadata: keys with their types, and the metadata of the value.
fn entry(keys: &[(&str, u8)], value: &str) -> String {
    let keys: Vec<_> = keys
        .iter()
        .map(|(key, kind)| format!(r#"{{"key": "{key}", "key_type": {kind}}}"#))
        .collect();
    format!(r#"{{"key_metadata": [{}], "value_metadata": {value}}}"#, keys.join(", "))
}

/// The file `_METADATA` with these entries.
fn metadata(entries: &[String]) -> String {
    let entries: Vec<_> =
        entries.iter().enumerate().map(|(at, entry)| format!("\"('{at}',)\": {entry}")).collect();
    format!(r#"{{"tree_metadata": {{{}}}, "use_zarr3": false}}"#, entries.join(", "))
}

/// Writes the metadata of a checkpoint, of which all arrays are on one device, into a folder. Returns the path of `_METADATA`.
fn checkpoint(folder: &str, entries: &[String]) -> String {
    let single = r#"{"sharding_type": "SingleDeviceSharding", "device_str": "cpu:0"}"#;
    sharding(folder, &vec![single; entries.len()]);
    file(folder, "_METADATA", metadata(entries).as_bytes())
}

/// Writes the file that says how devices divide the arrays of a checkpoint.
fn sharding(folder: &str, arrays: &[&str]) {
    let arrays: serde_json::Map<_, _> =
        arrays.iter().enumerate().map(|(at, text)| (at.to_string(), (*text).into())).collect();
    file(folder, "_sharding", serde_json::to_string(&arrays).unwrap().as_bytes());
}

#[test]
fn shapes_of_the_parts_of_arrays_are_not_those_of_arrays() {
    let scalar = r#"{"value_type": "jax.Array", "write_shape": []}"#;
    let entries = [entry(&[("w", 2)], ARRAY), entry(&[("count", 2)], scalar)];
    let path = checkpoint("orbax_parts", &entries);
    let single = r#"{"sharding_type": "SingleDeviceSharding", "device_str": "cpu:0"}"#;
    let named = |shape: &str| {
        format!(
            r#"{{"sharding_type": "NamedSharding", "shape": {shape}, "axis_names": ["x", "y"]}}"#
        )
    };
    let known = ["['count'] \"jax.Array\" []", "['w'] \"jax.Array\" [4,3]"];
    let unknown = ["['count'] \"jax.Array\" null", "['w'] \"jax.Array\" null"];
    let remark = "\nremark       arrays may be on several devices: the file has shapes of parts\n";
    for (arrays, expected) in [
        (vec![single, single], known),
        (vec![single, &named("[1, 1]")], known),
        (vec![], unknown),
        (vec![single, &named("[4, 2]")], unknown),
        (vec![&named("4")], unknown),
        (vec![r#"{"sharding_type": "PositionalSharding"}"#], unknown),
        (vec!["{"], unknown),
    ] {
        sharding("orbax_parts", &arrays);
        assert_eq!(leaves(&path).1, expected, "{arrays:?}");
        assert_eq!(output(&["inspect", &path]).ends_with(remark), expected == unknown);
    }
    // Elsewhere nothing says it.
    let copy = file("orbax_parts", "copy.json", metadata(&entries).as_bytes());
    assert_eq!(leaves(&copy).1, unknown);
    std::fs::remove_file(super::path("orbax_parts", "_sharding")).unwrap();
    assert_eq!(leaves(&path).1, unknown);
}

#[test]
fn a_checkpoint_of_orbax_is_its_tree() {
    let array = r#"{"value_type": "jax.Array", "skip_deserialize": false, "write_shape": [4, 3]}"#;
    let path = checkpoint(
        "orbax",
        &[
            entry(&[("params", 2), ("w", 2)], array),
            entry(&[("opt", 2), ("10", 1)], r#"{"value_type": "scalar"}"#),
            entry(&[("opt", 2), ("2", 1)], array),
            entry(&[("none", 2)], r#"{"value_type": "None"}"#),
            entry(&[("empty", 2)], r#"{"value_type": "Dict"}"#),
        ],
    );
    let folder = path.strip_suffix("/_METADATA").unwrap();
    let expected = [
        "['opt'][2] \"jax.Array\" [4,3]",
        "['opt'][10] \"scalar\" null",
        "['params']['w'] \"jax.Array\" [4,3]",
    ];
    for name in [&path, folder] {
        let (format, found) = leaves(name);
        assert_eq!(
            (format.as_str(), found),
            ("Orbax metadata", expected.map(String::from).to_vec())
        );
    }
    let out = output(&["inspect", "--full", "--treedef", folder]);
    assert!(
        out.contains(
            "PyTreeDef({'empty': {}, 'none': None, 'opt': {2: *, 10: *}, 'params': {'w': *}})"
        ),
        "{out}"
    );
    // A step of several checkpoints.
    checkpoint("orbax_step/default", &[entry(&[("w", 2)], array)]);
    let step = super::path("orbax_step", "");
    assert_eq!(leaves(&step).0, "Orbax metadata");
    for entries in [
        vec![entry(&[("a", 2)], array), entry(&[("a", 2)], array)],
        vec![entry(&[("a", 2)], array), entry(&[("a", 2), ("b", 2)], array)],
        vec![entry(&[("a", 2)], array), entry(&[("0", 1)], array)],
        vec![entry(&[("a", 3)], array)],
        vec![entry(&[("x", 1)], array)],
    ] {
        let at = entries.len() - 1;
        let broken = file("orbax", "broken.json", metadata(&entries).as_bytes());
        let why = format!("inspect: {broken}: entry \"('{at}',)\" of the metadata is unknown\n");
        let run = treedef(&["inspect", &broken]);
        assert_eq!((run.code, run.err), (Some(1), why));
    }
}

#[test]
fn a_tree_spec_of_pytorch_is_its_tree() {
    // What `treespec_dumps(tree_structure({"b": [1, (2,)], "a": OrderedDict(x=3)}))` writes.
    let leaf = r#"{"type": null, "context": null, "children_spec": []}"#;
    let tuple =
        format!(r#"{{"type": "builtins.tuple", "context": "null", "children_spec": [{leaf}]}}"#);
    let list = format!(
        r#"{{"type": "builtins.list", "context": "null", "children_spec": [{leaf}, {tuple}]}}"#
    );
    let ordered = format!(
        r#"{{"type": "collections.OrderedDict", "context": "[\"x\"]", "children_spec": [{leaf}]}}"#
    );
    let dict = format!(
        r#"[1, {{"type": "builtins.dict", "context": "[\"b\", \"a\"]", "children_spec": [{list}, {ordered}]}}]"#
    );
    let path = file("torch", "spec.json", dict.as_bytes());
    let out = output(&["inspect", "--full", &path]);
    let jax = "PyTreeDef({'a': CustomNode(OrderedDict[('x',)], [*]), 'b': [*, (*,)]})";
    let remark = "dicts have their keys in order, not as they were inserted";
    assert!(out.ends_with(&format!("\nJAX          {jax}\nremark       {remark}\n")), "{out}");
}

/// The last lines of the report on a tree spec of PyTorch: JAX's text and remarks.
fn spec(json: &str) -> String {
    let path = file("torch", "node.json", format!("[1, {json}]").as_bytes());
    let out = output(&["inspect", "--full", &path]);
    out.split_once("\nJAX          ").unwrap().1.into()
}

#[test]
fn nodes_of_a_tree_spec_keep_keys_and_leaves() {
    let node = |class: &str, context: &str, count: usize| {
        let leaf = r#"{"type": null, "context": null, "children_spec": []}"#;
        let leaves = vec![leaf; count].join(", ");
        spec(&format!(
            r#"{{"type": "{class}", "context": {context}, "children_spec": [{leaves}]}}"#
        ))
    };
    // What Python takes for two keys, and cannot put in order.
    let mixed = "remark       dicts whose keys have no order are shown as ordered dicts\n";
    assert_eq!(
        node("builtins.dict", r#""[\"1\", 1]""#, 2),
        format!("PyTreeDef(CustomNode(OrderedDict[('1', 1)], [*, *]))\n{mixed}")
    );
    let remark = "remark       dicts have their keys in order, not as they were inserted\n";
    assert_eq!(
        node("builtins.dict", r#""[1, 0]""#, 2),
        format!("PyTreeDef({{0: *, 1: *}})\n{remark}")
    );
    // A text that is a type.
    assert_eq!(node("builtins.dict", r#""[\"f32[2]\"]""#, 1), "PyTreeDef({'f32[2]': *})\n");
    assert_eq!(
        node("collections.OrderedDict", r#""[\"b\", \"a\"]""#, 2),
        "PyTreeDef(CustomNode(OrderedDict[('b', 'a')], [*, *]))\n"
    );
    let context = r#"{"default_factory_module": "builtins", "default_factory_name": "int", "dict_context": ["a"]}"#;
    assert_eq!(
        node("collections.defaultdict", context, 1),
        "PyTreeDef(CustomNode(defaultdict[(<class 'int'>, ('a',))], [*]))\n"
    );
    assert_eq!(
        node("collections.namedtuple", r#"{"class_name": "Point", "fields": ["x", "y"]}"#, 2),
        "PyTreeDef(CustomNode(namedtuple[Point], [*, *]))\n"
    );
    assert_eq!(
        node("collections.namedtuple", r#""mine.Point""#, 1),
        "PyTreeDef(CustomNode(namedtuple[Point], [*]))\n\
         remark       named tuples have no names of fields in the file\n"
    );
    assert_eq!(
        node("torch.Size", r#""null""#, 2),
        "PyTreeDef(CustomNode(Size[None], [*, *]))\n\
         remark       nodes of other classes have no keys in the file\n"
    );
    assert_eq!(
        node("mine.Pair", r#""[[\"a\"], 1]""#, 1),
        "PyTreeDef(CustomNode(Pair[[[\"a\"], 1]], [*]))\n\
         remark       nodes of other classes have no keys in the file\n"
    );
    assert_eq!(
        node("collections.deque", r#""null""#, 1),
        "PyTreeDef([*])\nremark       deques are shown as lists\n"
    );
}

/// A dict of leaves with these keys, as PyTorch writes it.
fn dict_of(keys: &str, count: usize) -> String {
    let leaf = r#"{"type": null, "context": null, "children_spec": []}"#;
    let context = serde_json::Value::from(keys).to_string();
    let leaves = vec![leaf; count].join(", ");
    format!(r#"{{"type": "builtins.dict", "context": {context}, "children_spec": [{leaves}]}}"#)
}

/// Tuples, floats and members of enumerations are keys of Python as well.
#[test]
fn any_key_of_a_tree_spec_is_read() {
    for (keys, count, expected) in [
        (
            "[[1, 2], [0, \"a\"]]",
            2,
            "PyTreeDef({(0, 'a'): *, (1, 2): *})\nremark       dicts have their keys in order, not as they were inserted\n",
        ),
        ("[0.5, 1.5]", 2, "PyTreeDef({0.5: *, 1.5: *})\n"),
        (
            "[true, null]",
            2,
            "PyTreeDef(CustomNode(OrderedDict[(True, None)], [*, *]))\nremark       dicts whose keys have no order are shown as ordered dicts\n",
        ),
        (
            r#"[{"__enum__": true, "fqn": "my.module:Color", "name": "RED"}]"#,
            1,
            "PyTreeDef({Color.RED: *})\nremark       a key is shown as a text: \"[Color.RED]\"\n",
        ),
        (
            r#"[[1, {"a": 2}], [[3], 4]]"#,
            2,
            "PyTreeDef(CustomNode(OrderedDict[((1, {\"a\":2}), ((3,), 4))], [*, *]))\n\
             remark       dicts whose keys have no order are shown as ordered dicts\n\
             remark       2 keys are shown as texts, such as \"[(1, {\\\"a\\\":2})]\"\n",
        ),
    ] {
        assert_eq!(spec(&dict_of(keys, count)), expected, "{keys}");
    }
    // The path of the key, and of what is wrong, is in the message.
    let inner = dict_of(r#"[{"__enum__": true, "fqn": "m:E", "name": "A"}]"#, 1);
    let outer = dict_of(r#"["a"]"#, 1)
        .replace(r#"{"type": null, "context": null, "children_spec": []}"#, &inner);
    assert!(
        spec(&outer).ends_with("\nremark       a key is shown as a text: \"['a'][E.A]\"\n"),
        "{outer}"
    );
    let wrong = outer.replace("[{\\\"__enum__\\\"", "[1, {\\\"__enum__\\\"");
    let path = file("torch", "deep.json", format!("[1, {wrong}]").as_bytes());
    let why = "builtins.dict of a tree spec without its keys, at ['a']";
    assert_eq!(treedef(&["inspect", &path]).err, format!("inspect: {path}: {why}\n"));
}

#[test]
fn names_of_fields_that_are_in_the_file_are_used() {
    // A dataclass: the names of its fields, and those of the fields that are None.
    let leaf = r#"{"type": null, "context": null, "children_spec": []}"#;
    let class = format!(
        r#"{{"type": "mine.Config", "context": "[[\"a\", \"b\"], [\"c\"]]", "children_spec": [{leaf}, {leaf}]}}"#
    );
    let path = file("torch", "class.json", format!("[1, {class}]").as_bytes());
    assert_eq!(leaves(&path).1, [".a null null", ".b null null"]);
    assert!(!output(&["inspect", &path]).contains("remark"));
    // The tree of Orbax with its tuples and named tuples.
    let value = r#"{"category": "custom", "clazz": "ValueMetadataEntry", "data": {"value_type": "scalar"}}"#;
    let state = format!(
        r#"{{"category": "namedtuple", "module": "optax.transform", "clazz": "State", "entries": [{{"key": "mu", "value": {value}}}, {{"key": "count", "value": {value}}}]}}"#
    );
    let typed = format!(
        r#"{{"opt": {{"category": "custom", "clazz": "tuple", "entries": [{state}, [{value}]]}}}}"#
    );
    let scalar = r#"{"value_type": "scalar"}"#;
    let entries = [
        entry(&[("opt", 2), ("0", 1), ("mu", 2)], scalar),
        entry(&[("opt", 2), ("0", 1), ("count", 2)], scalar),
        entry(&[("opt", 2), ("1", 1), ("0", 1)], scalar),
    ];
    let json = |typed: &str| {
        let typed = serde_json::Value::from(typed);
        metadata(&entries).replacen('{', &format!("{{\"value_metadata_tree\": {typed}, "), 1)
    };
    let jax = |json: &str| {
        let path = file("orbax_typed", "_METADATA", json.as_bytes());
        let out = output(&["inspect", "--treedef", "--full", &path]);
        assert!(out.contains("\nleaves       3") || out.contains("\nleaves       3,"), "{out}");
        let remark = out.contains("not read     a key beside the tree: \"value_metadata_tree\"");
        (out.split_once("JAX          ").unwrap().1.lines().next().unwrap().to_owned(), remark)
    };
    let named = "PyTreeDef({'opt': (CustomNode(namedtuple[State], [*, *]), [*])})";
    assert_eq!(jax(&json(&typed)), (named.into(), false));
    let path = file("orbax_typed", "_METADATA", json(&typed).as_bytes());
    assert_eq!(leaves(&path).1[0], "['opt'][0].mu \"scalar\" null");
    assert!(output(&["inspect", &path]).contains("─ 0             State "));
    // What is not known there is in the entries.
    let plain = "PyTreeDef({'opt': [{'count': *, 'mu': *}, [*]]})";
    assert_eq!(jax(&json(&typed.replace("tuple", "other"))), (plain.into(), true));
}

#[test]
fn tree_specs_that_are_not_read_have_a_reason() {
    let leaf = r#"{"type": null, "context": null, "children_spec": []}"#;
    let node = |class: &str, context: &str| {
        format!(
            r#"[1, {{"type": "{class}", "context": {context}, "children_spec": [{leaf}, {leaf}]}}]"#
        )
    };
    for (json, why) in [
        (format!("[2, {leaf}]"), "PyTorch tree spec of version 2; treedef reads version 1"),
        (
            r#"[2, [null, ["builtins.list", "null", 1, 1, 2]]]"#.into(),
            "PyTorch tree spec of version 2; treedef reads version 1",
        ),
        (node("builtins.dict", r#""[\"a\", \"a\"]""#), "key 'a' of a dict comes twice"),
        (
            node("collections.OrderedDict", r#""null""#),
            "collections.OrderedDict of a tree spec without its keys",
        ),
        (node("builtins.dict", r#""[\"a\"]""#), "builtins.dict of a tree spec without its keys"),
        (
            node("collections.namedtuple", r#"{"class_name": "P", "fields": ["x"]}"#),
            "collections.namedtuple of a tree spec without its fields",
        ),
        (
            format!(r#"[1, {{"type": null, "context": null, "children_spec": [{leaf}]}}]"#),
            "node of a tree spec without a type",
        ),
    ] {
        let path = file("torch", "refused.json", json.as_bytes());
        let run = treedef(&["inspect", &path]);
        assert_eq!((run.code, run.err), (Some(1), format!("inspect: {path}: {why}\n")), "{json}");
    }
    // Lists that only begin with a number.
    for json in ["[1, {\"children_spec\": []}]", "[2, [null]]", "[2, [[1, 2]]]"] {
        let path = file("torch", "other.json", json.as_bytes());
        assert_eq!(leaves(&path).0, "JSON", "{json}");
    }
}

const ARRAY: &str =
    r#"{"value_type": "jax.Array", "skip_deserialize": false, "write_shape": [4, 3]}"#;

#[test]
fn nodes_of_orbax_without_children_are_no_leaves() {
    let empty = |kind: &str| format!(r#"{{"value_type": "{kind}"}}"#);
    let json = metadata(&[
        entry(&[("a", 2)], &empty("NamedTuple")),
        entry(&[("b", 2)], &empty("Tuple")),
        entry(&[("c", 2)], &empty("List")),
        entry(&[("w", 2)], ARRAY),
    ]);
    let out = output(&[
        "inspect",
        "--full",
        "--treedef",
        &file("orbax_empty", "_METADATA", json.as_bytes()),
    ]);
    let jax = "PyTreeDef({'a': CustomNode(namedtuple[NamedTuple], []), 'b': (), 'c': [], 'w': *})";
    assert!(out.contains(&format!("\nJAX          {jax}\n")), "{out}");
}

#[test]
fn parameters_are_counted_without_a_dtype() {
    let scalar = entry(&[("step", 2)], r#"{"value_type": "scalar"}"#);
    let arrays = [entry(&[("a", 2), ("w", 2)], ARRAY), entry(&[("a", 2), ("x", 2)], ARRAY)];
    let all = checkpoint("orbax_count", &arrays);
    let out = output(&["inspect", &all]);
    assert!(out.starts_with("_METADATA  24 parameters in 2 leaves: 2 jax.Array\n"), "{out}");
    let some = checkpoint("orbax_some", &[&arrays[..], &[scalar]].concat());
    let out = output(&["inspect", &some]);
    let table = "\
_METADATA  ≥ 24 parameters in 3 leaves: 2 jax.Array, 1 scalar

dict                            leaves  parameters  share
├─ a                                 2          24   100%  ████████████████████
│  └─ w, x  2 × jax.Array[4,3]       2          24   100%  ████████████████████
└─ step     scalar                   1
";
    assert!(out.starts_with(table), "{out}");
    let json: serde_json::Value =
        serde_json::from_str(&output(&["inspect", "--json", &some])).unwrap();
    let tree = &json["trees"][0];
    assert_eq!((&tree["parameters"], &tree["leaves_without_size"]), (&24.into(), &3.into()));
    assert!(output(&["inspect", "--svg", &some]).contains("24 parameters"));
    let page = output(&["inspect", "--html", &some]);
    assert!(page.contains(r#"<span class="number">2</span><span class="number">24</span>"#));
}

#[test]
fn keys_of_orbax_are_texts_or_numbers() {
    let key = r#"{"key": "7", "key_type": 2, "key_python_type": "int"}"#;
    let int = format!(r#"{{"key_metadata": [{key}], "value_metadata": {ARRAY}}}"#);
    let text = entry(&[("i8[3]", 2)], ARRAY);
    for (entries, path) in [(int, "[7]"), (text, "['i8[3]']")] {
        let path_of = checkpoint("orbax_keys", &[entries]);
        assert_eq!(leaves(&path_of).1, [format!("{path} \"jax.Array\" [4,3]")]);
    }
}

#[test]
fn an_array_of_any_dtype_is_no_difference_of_dtype() {
    let array = |shape: &str| format!(r#"{{"value_type": "jax.Array"{shape}}}"#);
    let orbax = |shape: &str| {
        checkpoint(&format!("orbax_dtype/{}", shape.len()), &[entry(&[("w", 2)], &array(shape))])
    };
    let json = file("orbax_dtype", "own.json", br#"{"w": "float32[4,3]"}"#);
    let shaped = orbax(r#", "write_shape": [4, 3]"#);
    let run = treedef(&["diff", &shaped, &json]);
    let text = format!("no differences in structure; {shaped} lacks dtypes\n");
    assert_eq!((run.code, run.out), (Some(0), text));
    let class = orbax("");
    let run = treedef(&["diff", &json, &class]);
    let text = format!("no differences in structure; {class} lacks dtypes and shapes\n");
    assert_eq!((run.code, run.out), (Some(0), text));
    // The shape is known.
    let run = treedef(&["diff", &orbax(r#", "write_shape": [4, 30]"#), &json]);
    assert!(run.out.ends_with("~ jax.Array[4,30] → f32[4,3], 1 leaf\n    w\n"), "{}", run.out);
}

#[test]
fn containers_that_orbax_does_not_keep_are_no_difference() {
    let leaf = r#"{"type": null, "context": null, "children_spec": []}"#;
    let spec = format!(
        r#"[1, {{"type": "builtins.tuple", "context": "null", "children_spec": [{leaf}, {{"type": "collections.namedtuple", "context": {{"class_name": "State", "fields": ["mu"]}}, "children_spec": [{leaf}]}}]}}]"#
    );
    let spec = file("orbax_kinds", "spec.json", spec.as_bytes());
    let orbax = |name: &str, last: &str| {
        let entries = [
            entry(&[("0", 1)], ARRAY),
            entry(&[("1", 1), ("mu", 2)], ARRAY),
            entry(&[("2", 1)], &format!(r#"{{"value_type": "{last}"}}"#)),
        ];
        checkpoint(&format!("orbax_kinds/{name}"), &entries)
    };
    let [none, empty] = [orbax("none", "None"), orbax("empty", "Dict")];
    let run = treedef(&["diff", &spec, &none]);
    let text = format!(
        "no differences in structure; {spec} lacks dtypes and shapes, {none} lacks dtypes\n"
    );
    assert_eq!((run.code, run.out), (Some(0), text));
    // Both files have these.
    let run = treedef(&["diff", &none, &empty]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.out.ends_with("\n  at [2]: expected None, found a dict with no keys\n"),
        "{}",
        run.out
    );
    assert_eq!(treedef(&["diff", &none, &none]).code, Some(0));
}

#[test]
fn json_is_of_orbax_only_if_all_of_it_is() {
    for json in [
        r#"{"tree_metadata": {"a": 1}, "w": 2}"#,
        r#"{"tree_metadata": {"a": {"key_metadata": 1, "value_metadata": {}}}}"#,
        r#"{"tree_metadata": {}}"#,
    ] {
        let path = file("orbax_shape", "own.json", json.as_bytes());
        assert_eq!(leaves(&path).0, "JSON", "{json}");
    }
    let empty = file("orbax_shape", "empty.json", br#"{"tree_metadata": {}, "use_zarr3": true}"#);
    assert_eq!(leaves(&empty), ("Orbax metadata".into(), Vec::new()));
    let json = metadata(&[entry(&[("w", 2)], ARRAY)]).replace("use_zarr3", "w");
    let out = output(&["inspect", &file("orbax_shape", "beside.json", json.as_bytes())]);
    assert!(out.contains("\nnot read     a key beside the tree: \"w\"\n"), "{out}");
}

#[test]
fn checkpoints_in_a_folder_are_found_or_named() {
    let json = metadata(&[entry(&[("w", 2)], ARRAY)]);
    let add = |folder: &str| file(&format!("orbax_steps/{folder}"), "_METADATA", json.as_bytes());
    let root = super::path("orbax_steps", "");
    let _ = std::fs::remove_dir_all(&root);
    file("orbax_steps/9/metrics", "metrics", b"{}");
    let run = treedef(&["inspect", &root]);
    let why = format!("inspect: {root}: is a directory without files that are read\n");
    assert_eq!((run.code, run.err), (Some(1), why));
    add("9/state");
    let out = output(&["inspect", &root]);
    assert!(out.ends_with("\nfile         9/state/_METADATA\n"), "{out}");
    let step = format!("{root}9");
    let out = output(&["inspect", &step]);
    assert!(out.ends_with("\nfile         state/_METADATA\n"), "{out}");
    add("10/state");
    let run = treedef(&["inspect", &root]);
    let why = "is a directory with several checkpoints; name one: 9/state, 10/state";
    assert_eq!((run.code, run.err), (Some(1), format!("inspect: {root}: {why}\n")));
}

/// A checkpoint with a folder of zarr for each array, as Orbax writes it without a database.
#[test]
fn arrays_of_zarr_have_their_dtypes_and_shapes() {
    let sharded = r#"{"value_type": "jax.Array", "write_shape": [2, 3]}"#;
    let scalar = r#"{"value_type": "scalar"}"#;
    let root = super::path("orbax_zarr/in", "");
    std::fs::remove_dir_all(&root).unwrap();
    let zarr = [
        ("params.w", r#"{"dtype": "bfloat16", "shape": [4, 3]}"#),
        ("l.0", r#"{"dtype": "<i8", "shape": []}"#),
    ];
    for (name, text) in zarr {
        file(&format!("orbax_zarr/in/{name}"), ".zarray", text.as_bytes());
    }
    let third = br#"{"data_type": "float32", "shape": [5], "node_type": "array"}"#;
    file("orbax_zarr/in/v", "zarr.json", third);
    // Nothing outside of the checkpoint is read.
    file("orbax_zarr", ".zarray", br#"{"dtype": "<f4", "shape": [7]}"#);
    let entries = [
        entry(&[("params", 2), ("w", 2)], sharded),
        entry(&[("l", 2), ("0", 1)], scalar),
        entry(&[("v", 2)], sharded),
        entry(&[("..", 2)], scalar),
    ];
    let path = file("orbax_zarr/in", "_METADATA", metadata(&entries).as_bytes());
    let expected = [
        "['..'] \"scalar\" null",
        "['l'][0] \"i64\" []",
        "['params']['w'] \"bf16\" [4,3]",
        "['v'] \"f32\" [5]",
    ];
    assert_eq!(leaves(&path).1, expected);
    assert_eq!(leaves(&root).1, expected);
    // The shapes are those of whole arrays.
    assert!(!output(&["inspect", &path]).contains("several devices"));
    std::fs::remove_dir_all(format!("{root}v")).unwrap();
    assert!(output(&["inspect", &path]).contains("several devices"));
}
