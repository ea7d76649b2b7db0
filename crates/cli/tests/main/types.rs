//! Types as JAX, NumPy and PyTorch write them.

use std::fs;
use std::io::Write as _;

use super::{file, output, treedef};

/// Path, dtype, shape and bytes of each leaf of a file.
fn leaves(file: &str) -> Vec<(String, String, String, Option<u64>)> {
    let report: serde_json::Value =
        serde_json::from_str(&output(&["inspect", "--json", file])).unwrap();
    let leaves = report["trees"][0]["leaves"].as_array().unwrap();
    let text = |leaf: &serde_json::Value, name: &str| leaf[name].as_str().unwrap().to_owned();
    leaves
        .iter()
        .map(|leaf| {
            (
                text(leaf, "path"),
                text(leaf, "dtype"),
                leaf["shape"].to_string(),
                leaf["bytes"].as_u64(),
            )
        })
        .collect()
}

#[test]
fn texts_of_jax_and_pytorch_are_arrays() {
    let texts = [
        ("float32[8@X,4@Y]", "f32", "[8,4]", Some(128)),
        ("float32[8@(X,Y),4]", "f32", "[8,4]", Some(128)),
        ("float32<host>[3]", "f32", "[3]", Some(12)),
        ("float32[8,1]{V:j}", "f32", "[8,1]", Some(32)),
        ("Ref{float32[3]}", "f32", "[3]", Some(12)),
        ("float32[b,3*n]", "f32", "[\"b\",\"3*n\"]", None),
        ("float32[max(b, 2),3]", "f32", "[\"max(b, 2)\",3]", None),
        ("ShapeDtypeStruct(shape=(2, 3), dtype=float32)", "f32", "[2,3]", Some(24)),
        ("ShapeDtypeStruct(shape=(), dtype=bfloat16, weak_type=True)", "bf16", "[]", Some(2)),
        ("torch.float32[2, 3]", "f32", "[2,3]", Some(24)),
        ("key<fry>[]", "key<fry>", "[]", Some(8)),
        ("ShapedArray(float32[2,3])", "f32", "[2,3]", Some(24)),
        ("ShapedArray(float32[], weak_type=True)", "f32", "[]", Some(4)),
        ("AbstractRef{float32[3]}", "f32", "[3]", Some(12)),
        ("float32 [2,3]", "f32", "[2,3]", Some(24)),
        ("key<urbg>[2]", "key<urbg>", "[2]", Some(32)),
        // As Equinox prints an array of NumPy.
        ("f32[3](numpy)", "f32", "[3]", Some(12)),
        // What f"{x.dtype}{x.shape}" makes.
        ("float32(2, 3)", "f32", "[2,3]", Some(24)),
        ("bfloat16(8,)", "bf16", "[8]", Some(16)),
        ("int4()", "i4", "[]", Some(1)),
        ("torch.float32(2, 3)", "f32", "[2,3]", Some(24)),
    ];
    let json = serde_json::to_vec(&texts.map(|(text, ..)| text)).unwrap();
    let json = file("types", "texts.json", &json);
    let expected: Vec<_> = texts
        .iter()
        .enumerate()
        .map(|(at, (_, dtype, shape, bytes))| {
            (format!("[{at}]"), dtype.to_string(), shape.to_string(), *bytes)
        })
        .collect();
    assert_eq!(leaves(&json), expected);
    let out = output(&["inspect", &json]);
    assert!(out.contains(" f32[8@X,4@Y] "), "{out}");
    assert!(!out.contains("not read"), "{out}");
    // Devices that divide an array are no difference.
    let [ours, theirs] = ["float32[8@X,4]", "float32[8,4]"].map(|text| {
        file("types", &format!("{}.json", text.len()), format!("[\"{text}\"]").as_bytes())
    });
    let diff = treedef(&["diff", &ours, &theirs]);
    assert_eq!(diff.out, "no differences in structure, dtypes and shapes\n");
}

#[test]
fn texts_that_look_like_arrays_are_counted() {
    let json = br#"["float32[8,,x=2]", "float7[2]", "f32[-1]", "float32[1e3]", "AbstractRef{x}",
        "see [1]", "float32(3)", "a text", "x < y", "list[int]", "a[0]", "f[1]"]"#;
    let out = output(&["inspect", &file("types", "like.json", json)]);
    let remark = "\nnot read     5 texts that look like arrays, such as \"float32[8,,x=2]\"\n";
    assert!(out.contains(remark), "{out}");
    let out = output(&["inspect", &file("types", "one.json", br#"["float7[2]"]"#)]);
    let remark = "\nnot read     a text that looks like an array: \"float7[2]\"\n";
    assert!(out.contains(remark), "{out}");
}

#[test]
fn memory_and_sharding_are_shown() {
    let sharded = "NamedSharding(mesh=Mesh('X': 8, axis_types=(Auto,)), spec=PartitionSpec('X', None), memory_kind=device)";
    let sharded = format!("ShapeDtypeStruct(shape=(8, 3), dtype=float32, sharding={sharded})");
    let last = "ShapeDtypeStruct(shape=(3,), dtype=float32, sharding=NamedSharding(mesh=Mesh('X': 8), spec=P(None, ('X', 'Y'))))";
    let single = "ShapeDtypeStruct(shape=(3,), dtype=float32, sharding=SingleDeviceSharding(device=CpuDevice(id=0)))";
    for (text, shown, memory, sharding) in [
        ("float32<host>[3]", "f32<host>[3]", Some("host"), None),
        ("float32[8,1]{V:j}", "f32[8,1]{V:j}", None, Some("{V:j}")),
        ("float32[8@X,1]{U:Y}", "f32[8@X,1]{U:Y}", None, Some("[8@X,1]{U:Y}")),
        (&*sharded, "f32[8,3]{P('X', None)}", None, Some("{P('X', None)}")),
        (last, "f32[3]{P(None, ('X', 'Y'))}", None, Some("{P(None, ('X', 'Y'))}")),
        (single, "f32[3]{SingleDeviceSharding}", None, Some("{SingleDeviceSharding}")),
        ("float32[3]", "f32[3]", None, None),
    ] {
        let json = serde_json::to_vec(&[text]).unwrap();
        let json = file("types", "place.json", &json);
        let out = output(&["inspect", &json]);
        assert!(out.contains(&format!("─ 0  {shown} ")), "{out}");
        let report: serde_json::Value =
            serde_json::from_str(&output(&["inspect", "--json", &json])).unwrap();
        let leaf = &report["trees"][0]["leaves"][0];
        assert_eq!((leaf["memory"].as_str(), leaf["sharding"].as_str()), (memory, sharding));
    }
}

/// The bytes of an `.npy` file with this description of the dtype and this shape.
fn npy(descr: &str, shape: &str, len: usize) -> Vec<u8> {
    let header = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes());
    bytes.resize(bytes.len() + len, 0);
    bytes
}

#[test]
fn headers_of_numpy_are_read_as_python_writes_them() {
    for (at, (descr, shape, len, dtype, sizes)) in [
        ("u'<f4'", "(3L, 4L)", 48, "f32", "[3,4]"),
        ("'>f4'", "(3,)", 12, ">f32", "[3]"),
        ("('<f4', (2, 2))", "(3,)", 48, "f32", "[3,2,2]"),
        (
            "[('a', '<f4'), ('b', '>i2', (2,)), ('', '|V4')]",
            "(2,)",
            24,
            "record{a:f32,b:>i16[2]}",
            "[2]",
        ),
        (
            "[('p', [('x', '<f8')]), (('title', 'q'), '|u1')]",
            "()",
            9,
            "record{p:record{x:f64},q:u8}",
            "[]",
        ),
        ("'bfloat16'", "(3,)", 6, "bf16", "[3]"),
        ("'int4'", "(3,)", 3, "i4", "[3]"),
        ("('<f4', 2)", "(3,)", 24, "f32", "[3,2]"),
        ("[('a', '<f4', 2)]", "(3,)", 24, "record{a:f32[2]}", "[3]"),
        (
            "{'names': ['a', 'b'], 'formats': ['<f4', '<i2'], 'offsets': [0, 6], 'itemsize': 8}",
            "(3,)",
            24,
            "record{a:f32,b:i16}",
            "[3]",
        ),
        (
            "{'names': ['a', 'b'], 'formats': ['<f4', '<i2']}",
            "(3,)",
            18,
            "record{a:f32,b:i16}",
            "[3]",
        ),
        ("'<f4', 'extra': -1, 'more': 0.5", "(3,)", 12, "f32", "[3]"),
        (r#"[('q"\'', '<f4'), ('\\', '<f4')]"#, "()", 8, r#"record{q"\':f32,\\:f32}"#, "[]"),
    ]
    .into_iter()
    .enumerate()
    {
        // One array is a tree of one leaf.
        let file = file("types", &format!("{at}.npy"), &npy(descr, shape, len));
        let expected = (String::new(), dtype.to_owned(), sizes.to_owned(), Some(len as u64));
        assert_eq!(leaves(&file), [expected], "{descr}");
        let piped = super::run(&["inspect", "-"], &[], &fs::read(&file).unwrap());
        assert_eq!((piped.code, piped.err.as_str()), (Some(0), ""));
    }
    let little = file("types", "little.npy", &npy("'<f4'", "(3,)", 12));
    let big = file("types", "big.npy", &npy("'>f4'", "(3,)", 12));
    let diff = treedef(&["diff", &little, &big]);
    assert_eq!(diff.code, Some(1));
    assert!(diff.out.ends_with("\n~ f32 → >f32, 1 leaf\n      [3]\n"), "{}", diff.out);
    for descr in [
        "'<f4",
        "['<f4'",
        "{}",
        "{'names': ['a'], 'formats': []}",
        "('<f4', -2)",
        "('<f4', (2,), 3)",
        "[('a',)]",
        "[[[[",
        "",
    ] {
        let broken = file("types", "broken.npy", &npy(descr, "(3,)", 12));
        let run = treedef(&["inspect", &broken]);
        assert_eq!(run.code, Some(1));
        assert!(
            run.err
                .starts_with(&format!("inspect: {broken}: file has an unknown header: {{'descr'")),
            "{}",
            run.err
        );
    }
}

#[test]
fn a_record_of_many_fields_is_cut_in_the_first_line() {
    let fields: Vec<_> = (0..20).map(|at| format!("('field_{at}', '<f4')")).collect();
    let bytes = npy(&format!("[{}]", fields.join(", ")), "(2,)", 160);
    let cut = "fields.npy  2 parameters · 160 B · record{field_0:f32,field_1:f32,field_2:…\n";
    let path = file("types", "fields.npy", &bytes);
    let out = output(&["inspect", &path]);
    assert!(out.starts_with(cut), "{out}");
    assert!(output(&["inspect", "--json", &path]).contains("field_19:f32}"));
}

#[test]
fn headers_of_numpy_are_latin_before_version_3() {
    for (version, name) in [(1, &b"\xfc"[..]), (3, "\u{fc}".as_bytes())] {
        let bytes = npy("[('a', '<f4')]", "(2,)", 8);
        let at = bytes.windows(3).position(|part| part == b"'a'").unwrap() + 1;
        let mut bytes = [&bytes[..at], name, &bytes[at + 1..]].concat();
        bytes[6] = version;
        bytes[8] += name.len() as u8 - 1;
        if version > 1 {
            bytes.splice(10..10, [0, 0]);
        }
        let file = file("types", &format!("version{version}.npy"), &bytes);
        assert_eq!(leaves(&file)[0].1, "record{\u{fc}:f32}");
    }
}

#[test]
fn objects_of_python_are_not_read() {
    // As `numpy.save` writes a dict.
    let dict = npy("'|O'", "()", 20);
    let record = npy("[('a', '|O'), ('b', '<f4')]", "(3,)", 30);
    let one = "an array of objects of Python, which are a pickle";
    for (bytes, dtype) in [(&dict, "object"), (&record, "record{a:object,b:f32}")] {
        let path = file("types", "objects.npy", bytes);
        let out = output(&["inspect", &path]);
        assert!(out.starts_with(&format!("objects.npy  1 leaf: 1 {dtype}\n")), "{out}");
        assert!(out.ends_with(&format!("\nnot read     {one}\n")), "{out}");
    }
    let numbers = npy("'<f4'", "(2,)", 8);
    let zip = super::zip(&[("a.npy", &dict), ("b.npy", &numbers), ("c.npy", &record)]);
    let out = output(&["inspect", &file("types", "objects.npz", &zip)]);
    assert!(out.starts_with("objects.npz  ≥ 2 parameters · ≥ 8 B · f32 100%, 1 object, "), "{out}");
    let two = "2 arrays of objects of Python, which are pickles, such as \"a\"";
    assert!(out.ends_with(&format!("\nnot read     {two}\n")), "{out}");
    let out = output(&["inspect", &file("types", "one.npz", &super::zip(&[("a.npy", &dict)]))]);
    assert!(out.ends_with(&format!("\nnot read     {one}: \"a\"\n")), "{out}");
}

#[test]
fn arrays_one_after_the_other_are_a_list() {
    // As Equinox writes the leaves of a tree.
    let arrays = [npy("'<f4'", "(2, 3)", 24), npy("'<i8'", "()", 8), npy("'|b1'", "(0,)", 0)];
    let bytes = arrays.concat();
    let with_line = [b"{\"width\": 3}\n", &bytes[..]].concat();
    let path = file("types", "leaves.npy", &bytes);
    let found: Vec<_> = leaves(&path).into_iter().map(|leaf| (leaf.0, leaf.1, leaf.2)).collect();
    let expected = [("[0]", "f32", "[2,3]"), ("[1]", "i64", "[]"), ("[2]", "bool", "[0]")];
    assert_eq!(
        found,
        expected.map(|(path, dtype, shape)| (path.into(), dtype.into(), shape.into()))
    );
    for (name, bytes) in [("leaves.eqx", &bytes), ("line.eqx", &with_line)] {
        let path = file("types", name, bytes);
        let out = output(&["inspect", "--treedef", &path]);
        assert!(out.contains("PyTreeDef([*, *, *])"), "{out}");
        let line = "\nbefore       {\"width\": 3}\n";
        assert_eq!(out.ends_with(line), name == "line.eqx", "{out}");
        let piped = super::run(&["inspect", "--treedef", "-"], &[], bytes);
        assert!(piped.out.contains("PyTreeDef([*, *, *])"), "{}", piped.err);
    }
    let one = [b"{}\n", &arrays[0][..]].concat();
    assert!(
        output(&["inspect", "--treedef", &file("types", "one.eqx", &one)])
            .contains("PyTreeDef([*])")
    );
    for (bytes, why) in [
        ([&bytes[..], b"x"].concat(), "has bytes after bool[0] that are no NumPy array"),
        (
            arrays[0][..arrays[0].len() - 1].to_vec(),
            "has 23 bytes for f32[2,3]; --partial reads the header alone",
        ),
        (
            [&arrays[1], &arrays[0][..arrays[0].len() - 1]].concat(),
            "has 23 bytes for f32[2,3]; --partial reads the header alone",
        ),
        (arrays[0][..40].to_vec(), "ends inside its header"),
        (arrays[0][..9].to_vec(), "ends inside its header"),
        ([&arrays[1], &arrays[0][..40]].concat(), "ends inside its header"),
    ] {
        let path = file("types", "cut.npy", &bytes);
        let run = treedef(&["inspect", &path]);
        assert_eq!((run.code, run.err), (Some(1), format!("inspect: {path}: file {why}\n")));
        let piped = super::run(&["inspect", "-"], &[], &bytes);
        assert_eq!((piped.code, piped.err), (Some(1), format!("inspect: -: file {why}\n")));
    }
}

/// A safetensors file with this header and this many bytes of tensors.
fn with_header(name: &str, header: &str, len: usize) -> String {
    let path = super::path("types", name);
    let mut file = fs::File::create(&path).unwrap();
    file.write_all(&(header.len() as u64).to_le_bytes()).unwrap();
    file.write_all(header.as_bytes()).unwrap();
    file.write_all(&vec![0; len]).unwrap();
    path
}

#[test]
fn small_floats_of_safetensors_have_the_names_of_jax() {
    for (name, short, len) in
        [("F4", "f4_e2m1fn", 4), ("F6_E2M3", "f6_e2m3fn", 6), ("F6_E3M2", "f6_e3m2fn", 6)]
    {
        let header =
            format!(r#"{{"a":{{"dtype":"{name}","shape":[8],"data_offsets":[0,{len}]}}}}"#);
        let file = with_header(&format!("{name}.safetensors"), &header, len);
        let expected = ("['a']".into(), short.into(), "[8]".into(), Some(len as u64));
        assert_eq!(leaves(&file), [expected]);
    }
    let own = file("types", "f4.json", br#"{"a": "float4_e2m1fn[8]"}"#);
    let of_file = super::path("types", "F4.safetensors");
    assert_eq!(treedef(&["diff", &own, &of_file]).code, Some(0));
}

#[test]
fn a_tensor_of_an_unknown_dtype_has_no_size() {
    let header = r#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"Q3_K","shape":[5],"data_offsets":[8,11]}}"#;
    let file = with_header("unknown.safetensors", header, 11);
    assert_eq!(
        leaves(&file),
        [("['a']", "f32", "[2]", Some(8)), ("['b']", "q3_k", "[5]", None)]
            .map(|(path, dtype, shape, bytes)| (path.into(), dtype.into(), shape.into(), bytes))
    );
    let out = output(&["inspect", &file]);
    assert!(out.contains("  7 parameters · ≥ 8 B · f32 100%, 1 q3_k\n"), "{out}");
}

#[test]
fn a_wrong_header_is_named() {
    let a = r#""a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}"#;
    for (header, len, why) in [
        (format!("{{{a},{}}}", a.replace("0,1", "1,2")), 2, "\"a\" comes twice\n"),
        (
            format!(r#"{{"__metadata__":{{"step":3}},{a}}}"#),
            1,
            "header: metadata: invalid type: integer `3`, expected a string at line 1 column 25\n",
        ),
        (a.replace("0,1", "0,2"), 2, "header: "),
        (
            format!("{{{}}}", a.replace("0,1", "0,2")),
            2,
            "header: tensor \"a\" has 2 bytes for u8[1]\n",
        ),
        (
            format!("{{{}}}", a.replace("0,1", "1,2")),
            2,
            "header: tensor \"a\" has data_offsets [1,2], after 0 bytes of others\n",
        ),
        (
            format!("{{{}}}", a.replace("\"U8\"", "8")),
            1,
            "header: tensor \"a\": invalid type: integer `8`, expected a string at line 1 column 15\n",
        ),
        (
            r#"{"a":{"dtype":"U8","shape":[1]}}"#.into(),
            1,
            "header: tensor \"a\": missing field `data_offsets` at line 1 column 31\n",
        ),
    ] {
        let file = with_header("wrong.safetensors", &header, len);
        let run = treedef(&["inspect", &file]);
        assert_eq!(run.code, Some(1), "{header}");
        assert!(run.err.starts_with(&format!("inspect: {file}: {why}")), "{header}: {}", run.err);
    }
}
