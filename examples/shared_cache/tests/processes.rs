//! Processes that are started one after the other, and the commands.

use std::path::Path;
use std::process::{Command, Output};

fn run(store: &Path, arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_shared_cache"));
    program.arg("--store").arg(store).args(arguments).output().expect("the program runs")
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

#[test]
fn the_second_process_prints_0_compiled() {
    let directory = std::env::temp_dir().join(format!("shared_cache-{}", std::process::id()));
    let (first, second) = (run(&directory, &[]), run(&directory, &[]));
    assert!(text(&first).ends_with("\n6 compiled, 0 from the store\n"), "{}", text(&first));
    assert!(text(&first).contains("unlike the nearest: part 2: expected 0.5, found 0.25"));
    assert!(text(&second).ends_with("\n0 compiled, 6 from the store\n"), "{}", text(&second));
    assert_eq!((first.stderr.len(), second.stderr.len()), (0, 0), "no progress without a terminal");

    let listed = text(&run(&directory, &["list"]));
    assert_eq!(listed.lines().count(), 6);
    let add = listed.lines().find(|line| line.contains("'scale_add', float32[1000], 0.25"));
    let name = &add.expect("it is listed")[..12];
    let explained = text(&run(&directory, &["explain", name]));
    assert!(explained.starts_with("'scale_add'\nfloat32[1000]\n0.25\n"), "{explained}");
    assert!(explained.contains("found 0.25"), "{explained}");
    assert!(!run(&directory, &["explain", ""]).status.success());

    assert_eq!(text(&run(&directory, &["prune", "0"])), "6 removed\n");
    assert_eq!(text(&run(&directory, &["list"])), "");
    std::fs::remove_dir_all(directory).expect("it is there");
}

#[test]
fn without_a_store_all_is_compiled() {
    let file = std::env::temp_dir().join(format!("shared_cache-file-{}", std::process::id()));
    std::fs::write(&file, b"no directory").expect("a file");
    let output = run(&file, &[]);
    assert!(text(&output).ends_with("\n6 compiled, 0 from the store\n"));
    let warning = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(warning.lines().count(), 1, "{warning}");
    std::fs::remove_file(file).expect("it is there");
}
