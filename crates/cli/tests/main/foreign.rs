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

#[test]
fn a_checkpoint_of_orbax_is_its_tree() {
    let array = r#"{"value_type": "jax.Array", "skip_deserialize": false, "write_shape": [4, 3]}"#;
    let json = metadata(&[
        entry(&[("params", 2), ("w", 2)], array),
        entry(&[("opt", 2), ("10", 1)], r#"{"value_type": "scalar"}"#),
        entry(&[("opt", 2), ("2", 1)], array),
        entry(&[("none", 2)], r#"{"value_type": "None"}"#),
        entry(&[("empty", 2)], r#"{"value_type": "Dict"}"#),
    ]);
    let path = file("orbax", "_METADATA", json.as_bytes());
    let folder = path.strip_suffix("/_METADATA").unwrap();
    let expected = [
        "['opt'][0] \"jax.Array\" [4,3]",
        "['opt'][1] \"scalar\" null",
        "['params']['w'] \"jax.Array\" [4,3]",
    ];
    for name in [&path, folder] {
        let (format, found) = leaves(name);
        assert_eq!(
            (format.as_str(), found),
            ("Orbax metadata", expected.map(String::from).to_vec())
        );
    }
    let out = output(&["inspect", "--full", folder]);
    assert!(
        out.contains("PyTreeDef({'empty': {}, 'none': None, 'opt': [*, *], 'params': {'w': *}})"),
        "{out}"
    );
    // A step of several checkpoints.
    file("orbax_step/default", "_METADATA", json.as_bytes());
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
    let out = output(&["inspect", &path]);
    assert!(out.contains("\nJAX          PyTreeDef({'a': {'x': *}, 'b': [*, (*,)]})\n"), "{out}");
    let own =
        file("torch", "own.treedef", treedef::treedef!({"a": {"x": *}, "b": [*, (*,)]}).as_bytes());
    assert_eq!(treedef(&["diff", &path, &own]).code, Some(0));
    for (json, why) in [
        (
            dict.replace("builtins.list", "mine.Pair"),
            "tree spec with a node of type mine.Pair, which treedef does not read",
        ),
        (
            dict.replace(r#"[\"x\"]"#, "null"),
            "collections.OrderedDict of a tree spec without its keys",
        ),
    ] {
        let path = file("torch", "broken.json", json.as_bytes());
        let run = treedef(&["inspect", &path]);
        assert_eq!((run.code, run.err), (Some(1), format!("inspect: {path}: {why}\n")));
    }
}
