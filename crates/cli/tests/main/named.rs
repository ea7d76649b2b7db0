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
