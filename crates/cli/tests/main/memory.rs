//! What few bytes, and files of many leaves, take in memory. Linux bounds it.
#![cfg(target_os = "linux")]

use std::io::Read as _;
use std::process::{Command, Stdio};

use treedef::TreeDefBox;

use super::{file, output, safetensors, treedef};

/// Runs the program in `kilobytes` of memory, reads the beginning of its output, and returns that with its exit code.
fn within(kilobytes: usize, args: &[&str]) -> (String, Option<i32>) {
    let mut child = Command::new("sh")
        .args(["-c", &format!("ulimit -v {kilobytes}; exec \"$@\""), "sh"])
        .arg(env!("CARGO_BIN_EXE_treedef"))
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut start = Vec::new();
    child.stdout.take().unwrap().take(20_000).read_to_end(&mut start).unwrap();
    let mut why = String::new();
    child.stderr.take().unwrap().read_to_string(&mut why).unwrap();
    (String::from_utf8_lossy(&start).into_owned() + &why, child.wait().unwrap().code())
}

/// A list of equal nodes.
fn list(count: usize, name: Option<&str>) -> TreeDefBox {
    let def = TreeDefBox::build(|builder| {
        let list = builder.begin_list(count);
        match name {
            None => builder.leaves(count),
            Some(name) => {
                let node = builder.begin_struct(name, &["x"]);
                builder.leaves(1);
                builder.end(node);
                builder.repeat(count - 1)
            }
        };
        builder.end(list)
    });
    def.unwrap()
}

#[test]
fn few_bytes_take_little_memory() {
    let def = list(300_000, None);
    assert!(def.as_treedef().as_bytes().len() <= 10);
    let leaves = file("memory", "leaves.treedef", def.as_ref());
    let (out, code) = within(60_000, &["inspect", "--json", &leaves]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("\"path\": \"[7]\""), "{out}");
    let (out, code) = within(60_000, &["inspect", &leaves]);
    assert_eq!(code, Some(0), "{out}");
    // Each by itself: more than can be shown, and as many as can be.
    let many = file("memory", "many.treedef", list(3_000_000, None).as_ref());
    let (out, code) = within(60_000, &["inspect", "--full", &many]);
    let why = "tree of 3000001 nodes; at most 2000000 are shown by --full";
    assert_eq!((out, code), (format!("inspect: {many}: {why}\n"), Some(1)));
    let (out, code) = within(150_000, &["inspect", "--full", &leaves]);
    assert_eq!(code, Some(0), "{out}");
    // A name that is 90 MB long in all places together.
    let name = "a_long_name_".repeat(75);
    let named = file("memory", "named.treedef", list(100_000, Some(&name)).as_ref());
    for form in ["--html", "--svg", "--json", "--depth=3"] {
        let (out, code) = within(60_000, &["inspect", form, &named]);
        assert_eq!(code, Some(0), "{form}: {out}");
    }
}

#[cfg_attr(debug_assertions, ignore = "a minute without optimisation")]
#[test]
fn paths_of_unbounded_length_are_refused() {
    let name = "a_long_name_".repeat(5000);
    let long = TreeDefBox::build(|builder| {
        let list = builder.begin_list(10_000);
        let node = builder.begin_struct("S", &[&name]);
        builder.leaves(1);
        builder.end(node);
        builder.repeat(9_999);
        builder.end(list)
    });
    let long = file("memory", "long.treedef", long.unwrap().as_ref());
    let other = file("memory", "other.safetensors", &safetensors(&[("a", "U8", &[1], 1)]));
    let (out, code) = within(600_000, &["diff", &long, &other]);
    assert_eq!(
        (out.as_str(), code),
        ("diff: paths of all leaves are longer than 500.0 MB\n", Some(2))
    );
    let (out, code) = within(60_000, &["inspect", "--only", "b*", &long]);
    let why = format!("inspect: {long}: paths of all leaves are longer than 20.0 MB\n");
    assert_eq!((out, code), (why, Some(1)));
}

#[test]
fn repeats_are_summed_up_without_a_visit() {
    // Billions of leaves, alike in a list, and in pairs.
    let many = list(4_000_000_000, None);
    assert!(many.as_treedef().as_bytes().len() <= 12);
    let leaves = file("memory", "billions.treedef", many.as_ref());
    let out = output(&["inspect", &leaves]);
    let lines: Vec<_> =
        out.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(lines[0], "billions.treedef 4,000,000,000 leaves");
    assert!(lines[3].starts_with("└─ 0-3999999999 4,000,000,000 × * 4,000,000,000 100%"), "{out}");
    assert_eq!(lines[5], "leaves 4,000,000,000 of 4,000,000,001 nodes, 1 level deep");
    let pairs = TreeDefBox::build(|builder| {
        let list = builder.begin_list(2_000_000_003);
        builder.leaves(1);
        builder.none();
        let pair = builder.begin_tuple(2);
        builder.leaves(2);
        builder.end(pair);
        builder.repeat(999_999_999);
        builder.leaves(1_000_000_000);
        builder.none();
        builder.end(list);
    });
    let pairs = file("memory", "pairs.treedef", pairs.unwrap().as_ref());
    let out = output(&["inspect", &pairs]);
    let expected = [
        "├─ 0 ",
        "├─ 1 ",
        "├─ 2-1000000001 ",
        "│  └─ 0, 1 ",
        "├─ 1000000002-2000000001 ",
        "└─ 2000000002 ",
        "",
    ];
    for (row, expected) in out.lines().skip(3).zip(expected) {
        assert!(row.starts_with(expected), "{out}");
    }
    assert!(
        out.contains("\nleaves       3,000,000,001 of 4,000,000,004 nodes, 2 levels deep\n"),
        "{out}"
    );
    // What needs every path is refused.
    for (args, why) in [
        (&["--only", "x"][..], "tree of 4000000000 leaves; --only searches at most 1000000"),
        (&["--json"], "tree of 4000000000 leaves; the paths of at most 10000000 are read"),
        (&["--full"], "tree of 4000000001 nodes; at most 2000000 are shown by --full"),
    ] {
        let run = treedef(&[&["inspect"], args, &[&leaves]].concat());
        assert_eq!((run.code, run.err), (Some(1), format!("inspect: {leaves}: {why}\n")));
    }
}

#[test]
fn a_tensor_takes_some_hundred_bytes() {
    let names: Vec<_> = (0..60_000).map(|at| format!("{:x}", at * 7_919_317_u64)).collect();
    let tensors: Vec<_> = names.iter().map(|name| (name.as_str(), "F32", &[4, 4][..], 0)).collect();
    // The header alone: its tensors have no bytes.
    let tensors: Vec<_> =
        tensors.into_iter().map(|(name, dtype, _, _)| (name, dtype, &[0][..], 4)).collect();
    let one = file("memory", "one.safetensors", &safetensors(&tensors));
    let two = file("memory", "two.safetensors", &safetensors(&tensors[1..]));
    // 500 bytes a tensor, and some megabytes for the program.
    for args in [&["inspect", &one][..], &["inspect", "--json", &one], &["diff", &one, &two]] {
        let (out, code) = within(30_000 + 15_000, args);
        assert_eq!(code, Some(i32::from(args[0] == "diff")), "{out}");
    }
}
