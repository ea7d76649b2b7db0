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
