//! Runs the program on the files of `examples/data`, and on broken files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The output of a run, and its exit code.
struct Run {
    out: String,
    err: String,
    code: Option<i32>,
}

fn treedef(args: &[&str]) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_treedef")).args(args).output().unwrap();
    Run {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code(),
    }
}

fn data(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/data");
    folder.join(name).to_str().unwrap().into()
}

/// Writes a file for the test.
fn scratch(name: &str, bytes: &[u8]) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().into()
}

#[test]
fn every_file_of_the_data_is_read() {
    let mut count = 0;
    for file in fs::read_dir(data("")).unwrap() {
        let file = file.unwrap().path();
        if file.extension().is_some_and(|ending| ending == "md" || ending == "py") {
            continue;
        }
        let run = treedef(&["inspect", file.to_str().unwrap()]);
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", file.display());
        assert!(run.out.contains("JAX text     PyTreeDef("), "{}", run.out);
        count += 1;
    }
    assert_eq!(count, 14);
}

#[test]
fn a_report_names_sizes_and_leaves() {
    let run = treedef(&["inspect", &data("pid_cascade.json")]);
    for line in [
        "leaves       19\n",
        "round trip: flatten, unflatten, flatten gave the same treedef of ",
        "  ['inner'][0]['kd']: 6\n",
    ] {
        assert!(run.out.contains(line), "{line}: {}", run.out);
    }
    let run = treedef(&["inspect", &data("pid_step.jax_export")]);
    assert!(run.out.starts_with("function     pid\n"), "{}", run.out);
    // The JSON file and JAX's proto have the same structure.
    let files = [data("gpt2_small.json"), data("gpt2_small.treedef.pb")];
    let run = treedef(&["diff", &files[0], &files[1]]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), "no differences\n"));
}

#[test]
fn a_broken_file_costs_one_line() {
    let tensors = fs::read(data("tiny_gpt.safetensors")).unwrap();
    let exported = fs::read(data("pid_step.jax_export")).unwrap();
    let files: [(&str, &[u8]); 14] = [
        ("broken.json", b"{\"a\": [1, 2}"),
        ("empty.json", b""),
        ("cut_header.safetensors", &tensors[..100]),
        ("cut_length.safetensors", &tensors[..4]),
        // A header length of 2^64 - 1.
        ("long_header.safetensors", b"\xff\xff\xff\xff\xff\xff\xff\xff{}"),
        // Erased flash, a repeat without a node before it, and a tuple without its second child.
        ("erased.treedef", b"\xff\xff\xff\xff"),
        ("same.treedef", b"\xa0\x01"),
        ("short.treedef", b"\x22\x00"),
        ("empty.treedef", b""),
        // A leaf that announces a child: these bytes crash JAX 0.10.
        ("childless.treedef.pb", b"\x0a\x04\x08\x01\x10\x01"),
        ("cut.jax_export", &exported[..3000]),
        ("empty.bin", b""),
        ("no_tensor.safetensors", b"\x0b\0\0\0\0\0\0\0{\"a\": null}"),
        ("two.json", b"1 2"),
    ];
    let missing = data("missing.json");
    let files = files.map(|(name, bytes)| scratch(name, bytes));
    for file in files.iter().chain([&missing]) {
        let run = treedef(&["inspect", file]);
        assert_eq!((run.code, run.out.as_str()), (Some(1), ""), "{file}");
        assert!(run.err.starts_with(&format!("inspect: {file}: ")), "{}", run.err);
        assert_eq!(run.err.lines().count(), 1, "{}", run.err);
        if !file.ends_with(".jax_export") && !file.ends_with(".bin") {
            let run = treedef(&["diff", file, &data("pid_cascade.json")]);
            assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{file}");
            assert_eq!(run.err.lines().count(), 1, "{}", run.err);
        }
    }
}

#[test]
fn differences_decide_the_exit_code() {
    let (old, new) = (data("pid_cascade.json"), data("pid_cascade_edited.json"));
    // A leaf is a prefix of everything.
    let leaf = scratch("leaf.json", b"0");
    let code = |args: &[&str]| treedef(&[&["diff"], args].concat()).code;
    assert_eq!(code(&[&old, &old]), Some(0));
    assert_eq!(code(&[&old, &new]), Some(1));
    assert_eq!(code(&["--prefix", &leaf, &new]), Some(0));
    assert_eq!(code(&["--prefix", &new, &leaf]), Some(1));
    assert_eq!(code(&[&data("pairs.treedef"), &data("tiny_gpt.safetensors")]), Some(1));
    let summary = treedef(&["diff", &old, &new]).out;
    assert!(summary.contains("at ['outer']['kd']: expected None, found a leaf"), "{summary}");
    let all = treedef(&["diff", "--all", &old, &new]);
    assert_eq!(all.code, Some(1));
    assert!(all.out.contains(&format!(" in {old}\n")), "{}", all.out);
}

#[test]
fn a_wrong_command_line_is_answered_by_the_usage() {
    let file = data("pid_cascade.json");
    for args in [
        &[][..],
        &["draw", &file],
        &["inspect"],
        &["inspect", &file, &file],
        &["inspect", "--all", &file],
        &["diff", &file],
        &["diff", &file, &file, &file],
        &["diff", "--bad", &file, &file],
    ] {
        let run = treedef(args);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{args:?}");
        assert!(run.err.starts_with("usage: treedef inspect FILE"), "{}", run.err);
    }
    for args in [&["--help"][..], &["inspect", "--help"], &["diff", "--help"]] {
        let run = treedef(args);
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{args:?}");
        assert!(run.out.starts_with("usage: "));
    }
}
