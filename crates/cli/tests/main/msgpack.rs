//! Checkpoints of Flax.

use super::{file, output, run, treedef};

/// A short text, list or dict of msgpack: its mark with the number of what is in it.
fn text(text: &str) -> Vec<u8> {
    [&[0xa0 + text.len() as u8], text.as_bytes()].concat()
}

fn list(items: &[Vec<u8>]) -> Vec<u8> {
    [&[0x90 + items.len() as u8][..], &items.concat()].concat()
}

fn dict(entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let entries: Vec<_> =
        entries.iter().map(|(key, value)| [text(key), value.clone()].concat()).collect();
    [&[0x80 + entries.len() as u8][..], &entries.concat()].concat()
}

/// What Flax adds to msgpack: a number and bytes.
fn extension(kind: u8, bytes: &[u8]) -> Vec<u8> {
    [&[0xc7, bytes.len() as u8, kind], bytes].concat()
}

/// The shape, the dtype and the bytes of an array.
fn parts(shape: &[u8], dtype: &str, bytes: usize) -> Vec<u8> {
    let sizes: Vec<_> = shape.iter().map(|size| vec![*size]).collect();
    list(&[list(&sizes), text(dtype), [&[0xc4, bytes as u8][..], &vec![7; bytes]].concat()])
}

fn array(shape: &[u8], dtype: &str, bytes: usize) -> Vec<u8> {
    extension(1, &parts(shape, dtype, bytes))
}

/// Path, dtype, shape and value of each leaf.
fn leaves(bytes: &[u8], name: &str) -> Vec<String> {
    let file = file("msgpack", name, bytes);
    let report: serde_json::Value =
        serde_json::from_str(&output(&["inspect", "--json", &file])).unwrap();
    assert_eq!(report["format"], "msgpack");
    let text = |leaf: &serde_json::Value| {
        let path = leaf["path"].as_str().unwrap();
        let dtype = leaf["dtype"].as_str().unwrap();
        format!("{path} {dtype} {} {}", leaf["shape"], leaf["value"])
    };
    report["trees"][0]["leaves"].as_array().unwrap().iter().map(text).collect()
}

#[test]
fn a_checkpoint_of_flax_is_its_tree() {
    let bytes = dict(&[
        ("step", extension(3, &parts(&[], "int32", 4))),
        (
            "params",
            dict(&[("w", array(&[2, 3], "float32", 24)), ("b", array(&[3], "bfloat16", 6))]),
        ),
        ("rate", [&[0xcb][..], &0.5f64.to_be_bytes()].concat()),
        ("half", [&[0xca][..], &0.5f32.to_be_bytes()].concat()),
        ("count", vec![0xd1, 0xff, 0x00]),
        ("large", [&[0xcf][..], &u64::MAX.to_be_bytes()].concat()),
        ("on", vec![0xc3]),
        ("none", vec![0xc0]),
        ("name", text("adam")),
        ("raw", vec![0xc4, 2, 0, 0]),
        ("z", extension(2, &list(&[vec![1], vec![2]]))),
        ("own", extension(9, b"x")),
        ("old", extension(1, &list(&[list(&[vec![2]]), text("uint8"), text("ab")]))),
    ]);
    let expected = [
        "['count'] int null \"-256\"",
        "['half'] float null \"0.5\"",
        "['large'] int null \"18446744073709551615\"",
        "['name'] str null \"adam\"",
        "['old'] u8 [2] null",
        "['on'] bool null \"true\"",
        "['own'] extension 9 null null",
        "['params']['b'] bf16 [3] null",
        "['params']['w'] f32 [2,3] null",
        "['rate'] float null \"0.5\"",
        "['raw'] bytes null null",
        "['step'] i32 [] null",
        "['z'] complex null null",
    ];
    for name in ["a.msgpack", "checkpoint_100", "a.bin"] {
        assert_eq!(leaves(&bytes, name), expected, "{name}");
    }
    let file = file("msgpack", "a.msgpack", &bytes);
    assert!(output(&["inspect", "--full", "--treedef", &file]).contains("'none': None"));
    let piped = run(&["inspect", "-"], &[], &bytes);
    assert!(piped.out.starts_with("standard input (msgpack)  ≥ 12 parameters"), "{}", piped.out);
}

#[test]
fn lists_and_numbers_can_be_the_root() {
    assert_eq!(
        leaves(&list(&[vec![1], array(&[2], "bool", 2)]), "list"),
        ["[0] int null \"1\"", "[1] bool [2] null"]
    );
    assert_eq!(
        leaves(&[0x82, 7, 1, 0xff, 2], "keys"),
        ["[-1] int null \"2\"", "[7] int null \"1\""]
    );
}

/// Keys that are bytes, and others that a dict of Python can have.
#[test]
fn any_key_is_read() {
    let half = [&[0xcb][..], &0.5f64.to_be_bytes()].concat();
    let large = [&[0xcf][..], &u64::MAX.to_be_bytes()].concat();
    for (key, path) in [
        (&[0xc4, 2, b'a', 0xff][..], "[b'a\\xff']"),
        (&half, "[0.5]"),
        (&large, "[18446744073709551615]"),
        (&[0xc0], "[None]"),
        (&[0xc3], "[True]"),
    ] {
        let bytes = [&[0x81], key, &[7]].concat();
        assert_eq!(leaves(&bytes, "key"), [format!("{path} int null \"7\"")]);
    }
    // In the order of Python.
    let bytes = [0x82, 0xc4, 1, b'b', 1, 0xc4, 1, b'a', 2];
    assert_eq!(leaves(&bytes, "bytes"), ["[b'a'] int null \"2\"", "[b'b'] int null \"1\""]);
}

#[test]
fn an_array_in_pieces_is_one() {
    let pieces = |second: &str, len: u8| {
        let chunks =
            [("0", array(&[4], "float32", 16)), ("1", array(&[len], second, 4 * usize::from(len)))];
        let shape = [("0", vec![3]), ("1", vec![2])];
        let chunked = [
            ("__msgpack_chunked_array__", list(&[])),
            ("shape", dict(&shape)),
            ("chunks", dict(&chunks)),
        ];
        dict(&[("w", dict(&chunked))])
    };
    assert_eq!(leaves(&pieces("float32", 2), "pieces"), ["['w'] f32 [3,2] null"]);
    for (bytes, name) in
        [(pieces("int32", 2), "other.msgpack"), (pieces("float32", 1), "fewer.msgpack")]
    {
        refused(name, &bytes, "dict with \"__msgpack_chunked_array__\" is no array, at ['w']");
    }
}

fn refused(name: &str, bytes: &[u8], why: &str) {
    let file = file("msgpack", name, bytes);
    let run = treedef(&["inspect", &file]);
    assert_eq!((run.code, run.err), (Some(1), format!("inspect: {file}: {why}\n")));
}

#[test]
fn msgpack_that_is_none_has_a_reason() {
    let whole = dict(&[("w", array(&[2, 3], "float32", 24))]);
    for len in 0..whole.len() {
        let why = if len == 0 { "file is empty" } else { "file ends inside a msgpack value" };
        refused("cut.msgpack", &whole[..len], why);
    }
    // Without a name that says it, too.
    refused("cut", &whole[..20], "file ends inside a msgpack value");
    refused("long.msgpack", &[&whole[..], b"xy"].concat(), "bytes follow the msgpack value");
    let twice = dict(&[("a", vec![1]), ("a", vec![2])]);
    refused("twice.msgpack", &twice, "key 'a' of a dict comes twice");
    let short = dict(&[("w", array(&[2, 3], "float32", 23))]);
    refused("short.msgpack", &short, "array has 23 bytes for f32[2,3], at ['w']");
    refused("mark.msgpack", &[0xc1], "msgpack has no value that begins with 0xc1");
    refused("key.msgpack", &[0x81, 0x80, 1], "key of a dict is no text, number or bytes");
    let deep = dict(&[("a", list(&[vec![1], vec![0x81, 0x90, 1]]))]);
    let why = "key of a dict is no text, number or bytes, at ['a'][1]";
    refused("deep_key.msgpack", &deep, why);
    refused("ext.msgpack", &extension(1, &[1]), "array without shape, dtype and bytes");
    let mut more = parts(&[1], "uint8", 1);
    more.push(0);
    refused("more.msgpack", &extension(1, &more), "array is shorter than its bytes");
    let deep = [vec![0x91; 600], vec![1]].concat();
    let place = |count: usize| "[0]".repeat(count);
    let why = format!("tree is deeper than 512 levels, at {}…{}", place(22), place(11));
    refused("deep.msgpack", &deep, &why);
}

#[test]
fn a_checkpoint_of_flax_is_compared_by_names() {
    let bytes = dict(&[(
        "h",
        dict(&[("0", array(&[2], "float32", 8)), ("1", array(&[3], "float32", 12))]),
    )]);
    let flax = file("msgpack", "named.msgpack", &bytes);
    let json = file("msgpack", "named.json", br#"{"h": ["f32[2]", "f32[3]"]}"#);
    let diff = treedef(&["diff", &json, &flax]);
    assert_eq!(
        (diff.code, diff.out.as_str()),
        (Some(0), "no differences in structure, dtypes and shapes\n")
    );
    // Nodes without leaves have no names, but two such files have both.
    let [none, empty] = [("none", vec![0xc0]), ("empty", dict(&[]))].map(|(name, node)| {
        let bytes = dict(&[("a", node), ("w", array(&[2], "float32", 8))]);
        file("msgpack", &format!("{name}.msgpack"), &bytes)
    });
    let diff = treedef(&["diff", &none, &empty]);
    assert_eq!(diff.code, Some(1));
    let text = "\n\n1 difference:\n  at ['a']: expected None, found a dict with no keys\n";
    assert!(diff.out.ends_with(text), "{}", diff.out);
    // As a shard it is named.
    let index = file("msgpack", "index.json", br#"{"weight_map": {"a": "named.msgpack"}}"#);
    let why = format!(
        "inspect: {index}: \"named.msgpack\", which the index names, cannot be read: this is a file of the format msgpack, not safetensors\n"
    );
    assert_eq!(treedef(&["inspect", &index]).err, why);
}
