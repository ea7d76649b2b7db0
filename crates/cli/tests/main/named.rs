//! Names of tensors: how they are split, and compared.

use super::{file, output, safetensors, treedef};

/// The paths of the tree of a file with tensors of these names.
fn paths(names: &[&str]) -> Vec<String> {
    let tensors: Vec<(&str, &str, &[usize], usize)> =
        names.iter().map(|name| (*name, "U8", &[1][..], 1)).collect();
    let file = file("named", "names.safetensors", &safetensors(&tensors));
    let report = output(&["inspect", "--json", &file]);
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let leaves = report["trees"][0]["leaves"].as_array().unwrap();
    leaves.iter().map(|leaf| leaf["path"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn names_are_split_as_they_were_joined() {
    assert_eq!(paths(&["h.0.w", "h.0.b"]), ["['h']['0']['b']", "['h']['0']['w']"]);
    // A slash anywhere: the dots belong to the parts.
    assert_eq!(
        paths(&["params/Dense_0/kernel", "v1.0"]),
        ["['params']['Dense_0']['kernel']", "['v1.0']"]
    );
    // Paths of JAX.
    assert_eq!(
        paths(&["['params']['w.x']", ".opt_state[0].mu['w/y']", ".step"]),
        ["['opt_state']['0']['mu']['w/y']", "['params']['w.x']", "['step']"]
    );
    assert_eq!(paths(&["[0][1]", "[\"it's\"]"]), ["['0']['1']", "[\"it's\"]"]);
    assert_eq!(paths(&[".a[0", ".b"]), ["['']['a[0']", "['']['b']"]);
    // A leaf beside longer names that begin with it.
    assert_eq!(
        paths(&["a/b", "a", "a/b/c", "a-x/d", "b"]),
        ["['a']", "['a-x']['d']", "['a/b']", "['a/b/c']", "['b']"]
    );
    assert_eq!(paths(&["['a']", "['a']['b']"]), ["['a']", "['a.b']"]);
    assert_eq!(paths(&[""]), ["['']"]);
    assert_eq!(paths(&[]), [""; 0]);
    let deep = "a.".repeat(600);
    let deep = file("named", "deep.safetensors", &safetensors(&[(&deep, "U8", &[1], 1)]));
    assert!(treedef(&["inspect", &deep]).err.ends_with("\" has more than 512 parts\n"));
}

/// A checkpoint with a prefix before each name.
fn checkpoint(prefix: &str) -> String {
    let names = ["h.0.w", "h.1.w", "head"].map(|name| format!("{prefix}{name}"));
    let tensors: Vec<(&str, &str, &[usize], usize)> =
        names.iter().map(|name| (name.as_str(), "F32", &[2][..], 4)).collect();
    file("named", &format!("{prefix}checkpoint.safetensors"), &safetensors(&tensors))
}

#[test]
fn a_prefix_of_all_names_is_one_difference() {
    let plain = checkpoint("");
    for prefix in ["_orig_mod.", "module.", "module.model."] {
        let other = checkpoint(prefix);
        for (ours, theirs) in [(&plain, &other), (&other, &plain)] {
            let run = treedef(&["diff", ours, theirs]);
            let found = run.out.split_once("\n\n").unwrap().1;
            let line = format!(
                "~ all names in {other} begin with {prefix}, which is left out below (--strip {prefix})\n"
            );
            assert_eq!((run.code, found), (Some(1), line.as_str()));
            let run = treedef(&["diff", "--strip", prefix, ours, theirs]);
            let same = "no differences in structure, dtypes and shapes\n";
            assert_eq!((run.code, run.out.as_str()), (Some(0), same));
        }
    }
    // What differs below the prefix is said, too.
    let fewer =
        file("named", "fewer.safetensors", &safetensors(&[("module.head", "F16", &[2], 2)]));
    let run = treedef(&["diff", &plain, &fewer]);
    let found = run.out.split_once("(--strip module.)\n").unwrap().1;
    let missing = format!("- missing in {fewer}, 2 leaves\n    h.{{0,1}}.w  2 × f32[2]\n");
    assert_eq!(found, missing + "~ f32 → f16, 1 leaf\n    head  [2]\n");
}

#[test]
fn tensors_that_are_one_in_memory_are_not_missing() {
    for separator in [".", "/"] {
        let [head, wte] = ["head", "wte"].map(|name| format!("m{separator}{name}"));
        let header = format!(
            r#"{{"__metadata__":{{"format":"pt","{head}":"{wte}"}},"{wte}":{{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}}}"#
        );
        let bytes = [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &[0; 8]].concat();
        let tied = file("named", "tied.safetensors", &bytes);
        let both = safetensors(&[(&head, "F32", &[2], 4), (&wte, "F32", &[2], 4)]);
        let both = file("named", "both.safetensors", &both);
        for (ours, theirs) in [(&tied, &both), (&both, &tied), (&tied, &tied)] {
            let run = treedef(&["diff", ours, theirs]);
            let same = "no differences in structure, dtypes and shapes\n";
            assert_eq!((run.code, run.out.as_str()), (Some(0), same));
        }
    }
}

/// A checkpoint with tensors of these names, and metadata.
fn with_metadata(name: &str, names: &[&str], metadata: &[(&str, &str)]) -> String {
    let tensors: Vec<(&str, &str, &[usize], usize)> =
        names.iter().map(|name| (*name, "U8", &[1][..], 1)).collect();
    let bytes = safetensors(&tensors);
    let header = &bytes[9..bytes.len() - names.len()];
    let metadata: serde_json::Map<_, _> =
        metadata.iter().map(|(key, text)| ((*key).to_owned(), (*text).into())).collect();
    let metadata = serde_json::Value::from(metadata).to_string();
    let header = [b"{\"__metadata__\":", metadata.as_bytes(), b",", header].concat();
    let len = (header.len() as u64).to_le_bytes();
    file("named", name, &[&len[..], &header, &bytes[bytes.len() - names.len()..]].concat())
}

/// What is found below the names of the files.
fn found(args: &[&str]) -> String {
    let run = treedef(args);
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""), "{args:?}");
    run.out.split_once("\n\n").unwrap().1.into()
}

#[test]
fn tensors_that_are_one_in_memory_are_found_below_a_prefix() {
    let both = with_metadata("both_names.safetensors", &["head", "wte"], &[]);
    let tied =
        with_metadata("tied_m.safetensors", &["m.wte", "m.x"], &[("m.head", "m.wte"), ("a", "b")]);
    let prefix =
        format!("~ all names in {tied} begin with m., which is left out below (--strip m.)\n");
    let only = format!("+ only in {tied}, 1 leaf\n    x  u8[1]\n");
    assert_eq!(found(&["diff", &both, &tied]), format!("{prefix}{only}"));
    assert_eq!(found(&["diff", "--strip", "m.", &both, &tied]), only);
    let missing = format!("- missing in {both}, 1 leaf\n    x  u8[1]\n");
    assert_eq!(found(&["diff", &tied, &both]), format!("{prefix}{missing}"));
}

#[test]
fn another_name_can_have_another_name() {
    let all = with_metadata("abc.safetensors", &["a", "b", "c"], &[]);
    let chain = with_metadata("chain.safetensors", &["c"], &[("a", "b"), ("b", "c")]);
    let same = "no differences in structure, dtypes and shapes\n";
    assert_eq!(treedef(&["diff", &all, &chain]).out, same);
    // A circle ends.
    let circle = with_metadata("circle.safetensors", &["c"], &[("a", "b"), ("b", "a")]);
    let missing = format!("- missing in {circle}, 2 leaves\n    a  u8[1]\n    b  u8[1]\n");
    assert_eq!(found(&["diff", &all, &circle]), missing);
}

#[test]
fn a_prefix_is_found_although_a_name_is_common() {
    let plain = with_metadata("plain_ab.safetensors", &["a.b", "b"], &[]);
    let other = with_metadata("other_ab.safetensors", &["a.a.b", "a.b"], &[]);
    let line =
        format!("~ all names in {other} begin with a., which is left out below (--strip a.)\n");
    assert_eq!(found(&["diff", &plain, &other]), line);
    // As many are common with it.
    let more = with_metadata("more_ab.safetensors", &["a.c", "a.b"], &[]);
    let lines = format!(
        "- missing in {more}, 1 leaf\n    b  u8[1]\n+ only in {more}, 1 leaf\n    a.c  u8[1]\n"
    );
    assert_eq!(found(&["diff", &plain, &more]), lines);
}

/// What `inspect` prints of a file with tensors of these names, row by row, without the bars.
fn rows(names: &[&str]) -> Vec<String> {
    let tensors: Vec<(&str, &str, &[usize], usize)> =
        names.iter().map(|name| (*name, "U8", &[1][..], 1)).collect();
    let out = output(&["inspect", &file("named", "rows.safetensors", &safetensors(&tensors))]);
    let rows = out.lines().filter_map(|line| line.split_once("─ ")?.1.split_once("  "));
    rows.map(|(label, _)| label.to_owned()).collect()
}

#[test]
fn a_row_has_the_name_that_is_in_the_file() {
    assert_eq!(rows(&["m/v1.0/w", "x y/(1)"]), ["m/v1.0/w", "x y/(1)"]);
    assert_eq!(rows(&["m.h.w", "a-b.$c"]), ["a-b.$c", "m.h.w"]);
    assert_eq!(rows(&["a", "a.b", "c..d", "e.\u{7}f"]), ["a, a.b", "c..d", "e.\\u{7}f"]);
    assert_eq!(rows(&["", "x."]), ["''", "x."]);
    assert_eq!(rows(&["['a']['b c']", ".d"]), ["a.b c", "d"]);
}

#[test]
fn json_has_the_names_of_the_file() {
    for names in [["a.b", "a.c.d"], ["a.0/b", "c"], ["['a'][0]", ".b"], ["a\0b.c", "b"]] {
        let mut found = Vec::new();
        let tensors: Vec<(&str, &str, &[usize], usize)> =
            names.iter().map(|name| (*name, "U8", &[1][..], 1)).collect();
        let path = file("named", "json.safetensors", &safetensors(&tensors));
        let report = output(&["inspect", "--json", &path]);
        let report: serde_json::Value = serde_json::from_str(&report).unwrap();
        for leaf in report["trees"][0]["leaves"].as_array().unwrap() {
            found.push(leaf["name"].as_str().unwrap().to_owned());
        }
        assert_eq!(found, names);
    }
    let json = file("named", "json.json", br#"{"a": [1]}"#);
    assert!(!output(&["inspect", "--json", &json]).contains("\"name\""));
}

#[test]
fn differences_have_the_names_of_their_files() {
    let pair = |ours: &[&str], theirs: &[&str]| {
        let ours = with_metadata("row_ours.safetensors", ours, &[("format", "pt")]);
        let theirs = with_metadata("row_theirs.safetensors", theirs, &[("format", "pt")]);
        let text = found(&["diff", &ours, &theirs]);
        text.replace(&theirs, "THEIRS")
    };
    let text = "- missing in THEIRS, 1 leaf\n    h/v1.0/w  u8[1]\n+ only in THEIRS, 1 leaf\n    h.new.w  u8[1]\n";
    assert_eq!(pair(&["h/v1.0/w", "h/b"], &["h.b", "h.new.w"]), text);
    let text = "- missing in THEIRS, 1 leaf\n    .h['w']  u8[1]\n+ only in THEIRS, 1 leaf\n    h/x  u8[1]\n";
    assert_eq!(pair(&[".h['w']", "['b']"], &["h/x", "b"]), text);
    // Below a prefix, too.
    let text = "~ all names in THEIRS begin with m., which is left out below (--strip m.)\n\
         - missing in THEIRS, 1 leaf\n    a.w  u8[1]\n+ only in THEIRS, 1 leaf\n    a/x.y  u8[1]\n";
    assert_eq!(pair(&["a.w", "a.b"], &["m/a/x.y", "m/a/b"]), text);
}

#[test]
fn a_name_with_a_nul_is_one_name() {
    let names = ["a\0b.c", "a.b", "a\u{1}b", "a\0", "\0"];
    let expected = ["['\\x00']", "['a']['b']", "['a\\x00']", "['a\\x00b.c']", "['a\\x01b']"];
    assert_eq!(paths(&names), expected);
    // Each keeps its own type.
    let tensors: Vec<(&str, &str, &[usize], usize)> = names
        .iter()
        .zip(["U8", "F16", "F32", "F64", "BF16"])
        .zip([1, 2, 4, 8, 2])
        .map(|((name, dtype), size)| (*name, dtype, &[1][..], size))
        .collect();
    let nul = file("named", "nul.safetensors", &safetensors(&tensors));
    let report: serde_json::Value =
        serde_json::from_str(&output(&["inspect", "--json", &nul])).unwrap();
    let leaves = report["trees"][0]["leaves"].as_array().unwrap();
    let dtypes: Vec<_> = leaves.iter().map(|leaf| leaf["dtype"].as_str().unwrap()).collect();
    assert_eq!(dtypes, ["bf16", "f16", "f64", "u8", "f32"]);
    let one = output(&["inspect", "--only", "a.b", "--treedef", &nul]);
    assert!(one.contains("PyTreeDef({'a': {'b': *}, 'a\\x00b.c': *})"), "{one}");
    assert_eq!(treedef(&["diff", &nul, &nul]).code, Some(0));
}

/// A map of msgpack with arrays of one byte.
fn flat_msgpack(names: &[&str]) -> Vec<u8> {
    let mut bytes = vec![0x80 + names.len() as u8];
    for name in names {
        bytes.push(0xa0 + name.len() as u8);
        bytes.extend(name.bytes());
        // An extension of type 1: the shape, the dtype and the bytes.
        bytes.extend([0xc7, 12, 1, 0x93, 0x91, 1, 0xa5]);
        bytes.extend(b"uint8");
        bytes.extend([0xc4, 1, 7]);
    }
    bytes
}

#[test]
fn flat_names_are_split_in_every_format() {
    let names = ["params/Dense_0/bias", "params/Dense_0/kernel"];
    let tensors: Vec<(&str, &str, &[usize], usize)> =
        names.iter().map(|name| (*name, "U8", &[1][..], 1)).collect();
    let model = file("named", "flat.safetensors", &safetensors(&tensors));
    let slashes = file("named", "flat.msgpack", &flat_msgpack(&names));
    let json = |name: &str, names: [&str; 2]| {
        let map = names.map(|name| (name.to_owned(), "uint8[1]".into()));
        let map = serde_json::Map::from_iter(map);
        file("named", name, serde_json::Value::from(map).to_string().as_bytes())
    };
    let paths = json("paths.json", ["['params']['Dense_0']['bias']", ".params.Dense_0['kernel']"]);
    let dots = json("dots.json", ["params.Dense_0.bias", "params.Dense_0.kernel"]);
    let same = "no differences in structure, dtypes and shapes\n";
    for flat in [&slashes, &paths, &dots] {
        for (ours, theirs) in [(flat, &model), (&model, flat)] {
            let run = treedef(&["diff", ours, theirs]);
            assert_eq!((run.code, run.out.as_str()), (Some(0), same), "{ours} {theirs}");
        }
    }
    let out = output(&["inspect", &slashes]);
    assert!(out.contains("└─ params/Dense_0 "), "{out}");
    assert!(out.contains("\nremark       names are split at \"/\"\n"), "{out}");
    // What has no arrays stays as it is, if no name begins with its key.
    for (json, jax) in [
        (
            r#"{"a.b": "u8[1]", "c.d": null, "e": {"f.g": 1}}"#,
            "{'a': {'b': *}, 'c': {'d': None}, 'e': {'f.g': *}}",
        ),
        (r#"{"a": "u8[1]", "a.b": "u8[1]", "a.b.c": "u8[2]"}"#, "{'a': *, 'a.b': *, 'a.b.c': *}"),
        (r#"{"a\u0000b": "u8[1]", "c.d": "u8[1]"}"#, "{'a\\x00b': *, 'c': {'d': *}}"),
        (r#"{"e": {"f": 1}, "e.g": "u8[1]"}"#, "{'e': {'f': *}, 'e.g': *}"),
        (r#"{"['a']": "u8[1]", ".a": "u8[1]"}"#, "{'.a': *, \"['a']\": *}"),
    ] {
        let out = output(&["inspect", "--treedef", &file("named", "other.json", json.as_bytes())]);
        assert!(out.contains(&format!("PyTreeDef({jax})\n")), "{jax} {out}");
    }
    let twice = file(
        "named",
        "twice.safetensors",
        &safetensors(&[("['a']", "U8", &[1], 1), (".a", "U8", &[1], 1)]),
    );
    assert!(treedef(&["inspect", &twice]).err.ends_with(": two names have the parts of \"a\"\n"));
    // Keys of which there is nothing to split, scalars, and arrays below are no names.
    for (json, jax) in [
        (r#"{"a": "u8[1]", "b": "u8[1]"}"#, "{'a': *, 'b': *}"),
        (r#"{"a.b": 1, "c.d": 2}"#, "{'a.b': *, 'c.d': *}"),
        (r#"{"a[0]": "u8[1]", "b": "u8[1]"}"#, "{'a[0]': *, 'b': *}"),
        (r#"{"a/b": "u8[1]", "c": {"d/e": "u8[1]"}}"#, "{'a/b': *, 'c': {'d/e': *}}"),
    ] {
        let out = output(&["inspect", "--treedef", &file("named", "other.json", json.as_bytes())]);
        assert!(out.contains(&format!("PyTreeDef({jax})\n")), "{out}");
    }
    // A structure alone has such keys, too.
    let def = treedef::treedef!({"params/Dense_0/bias": *, "params/Dense_0/kernel": *});
    let def = file("named", "flat.treedef", def.as_bytes());
    assert_eq!(treedef(&["diff", &def, &model]).code, Some(0));
}
