//! The command line, and the README that shows it.

use super::{data, output, treedef};

#[test]
fn a_wrong_command_line_is_answered_by_the_usage() {
    let file = data("pid_cascade.json");
    for args in [
        &[][..],
        &["draw", &file],
        &["inspect"],
        &["inspect", &file, "-"],
        &["inspect", "--format", "json", &file, &file],
        &["help", "draw"],
        &["help", "--draw"],
        &["--draw", &file],
        &["inspect", "--all", &file],
        &["inspect", "--depth", &file],
        &["inspect", "--depth=x", &file],
        &["inspect", "--format", "xml", &file],
        &["inspect", "--color", "red", &file],
        &["inspect", "--sort", "name", &file],
        &["inspect", "--only", &file],
        &["inspect", "--schema", &file],
        &["inspect", "--schema", &file, &file, &file],
        &["inspect", "--schema", &file, "--format", "json", &file],
        &["inspect", "--schema", "-", "-"],
        &["inspect", "--json", "--html", &file],
        &["inspect", "--svg", "--json", &file],
        &["diff", "--strip"],
        &["diff", &file],
        &["diff", &file, &file, &file],
        &["diff", "--bad", &file, &file],
        &["diff", "-", "-"],
    ] {
        let run = treedef(args);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{args:?}");
        assert!(run.err.starts_with("treedef: "), "{}", run.err);
        assert!(run.err.contains("\nusage: treedef [inspect] [OPTIONS] FILE..\n"), "{}", run.err);
    }
}

#[test]
fn a_file_without_a_command_is_inspected() {
    let file = data("pid_cascade.json");
    let out = treedef(&["inspect", &file]).out;
    for args in [&[file.as_str()][..], &["--color", "never", &file], &[&file, "--color", "never"]] {
        assert_eq!(treedef(args).out, out, "{args:?}");
    }
    let input = std::fs::read(&file).unwrap();
    assert_eq!(super::run(&["-"], &[], &input).code, Some(0));
    // A file may have the name of a command, or none of its own.
    let folder = super::path("commands", "");
    for name in ["diff", "plain"] {
        super::file("commands", name, &input);
        let mut tool = std::process::Command::new(env!("CARGO_BIN_EXE_treedef"));
        let path = if name == "diff" { "./diff" } else { name };
        let status = tool.arg(path).current_dir(&folder).output().unwrap().status;
        assert_eq!(status.code(), Some(0), "{name}");
    }
    let run = treedef(&["missing.json"]);
    assert_eq!((run.code, run.err.as_str()), (Some(1), "inspect: missing.json: no such file\n"));
}

#[test]
fn help_is_a_command() {
    assert_eq!(treedef(&["help"]).out, treedef(&["--help"]).out);
    assert_eq!(treedef(&["help", "help"]).out, treedef(&["--help"]).out);
    for command in ["inspect", "diff"] {
        assert_eq!(treedef(&["help", command]).out, treedef(&[command, "--help"]).out);
    }
}

#[test]
fn what_was_meant_is_asked() {
    let folder = super::path("meant", "");
    super::file("meant", "model.safetensors", b"");
    let file = data("pid_cascade.json");
    let missing = format!("{folder}modle.safetensor");
    for (args, why) in [
        (
            &["inspct", &file][..],
            "treedef: \"inspct\" is no command and no file; did you mean inspect?",
        ),
        (&["draw", &file], "treedef: \"draw\" is no command and no file"),
        (&["help", "dif"], "treedef: \"dif\" is no command; did you mean diff?"),
        (
            &["inspect", "--dpeth", "2", &file],
            "treedef: invalid option '--dpeth'; did you mean --depth?",
        ),
        (
            &["diff", "--structre", &file, &file],
            "treedef: invalid option '--structre'; did you mean --structure?",
        ),
        (&["--zzz", &file], "treedef: invalid option '--zzz'"),
        (
            &["--format", "safetensor", &file],
            "treedef: unknown format \"safetensor\"; did you mean safetensors?",
        ),
        (&["--format", "xml", &file], "treedef: unknown format \"xml\""),
        (
            &[&missing],
            &format!("inspect: {missing}: no such file; did you mean model.safetensors?"),
        ),
    ] {
        let run = treedef(args);
        assert_eq!(run.err.lines().next(), Some(why), "{args:?}");
    }
}

#[test]
fn one_kind_of_output_is_printed() {
    let file = data("pid_cascade.json");
    let run = treedef(&["inspect", "--json", "--html", &file]);
    assert_eq!(
        run.err.lines().next(),
        Some("treedef: --html with another of --json, --svg and --html")
    );
    assert_eq!(treedef(&["inspect", "--json", "--json", &file]).code, Some(0));
}

#[test]
fn help_has_examples_and_says_what_the_exit_status_means() {
    for (args, usage) in [
        (&["--help"][..], "usage: treedef [inspect] [OPTIONS] FILE..\n"),
        (&["inspect", "--help"], "usage: treedef [inspect] [OPTIONS] FILE..\n"),
        (&["diff", "-h"], "usage: treedef diff [OPTIONS] A B\n"),
    ] {
        let run = treedef(args);
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{args:?}");
        assert!(run.out.contains(usage), "{}", run.out);
        assert!(run.out.lines().all(|line| line.chars().count() <= 80), "{}", run.out);
        assert!(run.out.contains("\nexamples:\n  treedef "), "{}", run.out);
        if args.len() > 1 {
            assert!(run.out.contains("\nExit status"), "{}", run.out);
        }
    }
    assert_eq!(treedef(&["--version"]).out, "treedef 0.1.0\n");
}

/// A full disk, and a pipe that nobody reads.
#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_said() {
    use std::fs::File;
    use std::process::{Command, Stdio};

    let full = || File::options().write(true).open("/dev/full").unwrap();
    let file = data("pid_cascade.json");
    for (args, command, code) in [
        (&["--help"][..], "treedef", 1),
        (&["--version"], "treedef", 1),
        (&["inspect", "--help"], "treedef", 1),
        (&["inspect", &file], "inspect", 1),
        (&["inspect", "--json", &file], "inspect", 1),
        (&["diff", &file, &file], "diff", 2),
    ] {
        let program = || {
            let mut program = Command::new(env!("CARGO_BIN_EXE_treedef"));
            program.args(args);
            program
        };
        let output = program().stdout(full()).output().unwrap();
        let why = format!("{command}: standard output: No space left on device (os error 28)\n");
        assert_eq!(
            (output.status.code(), String::from_utf8(output.stderr).unwrap()),
            (Some(code), why)
        );
        let mut child = program().stdout(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{args:?}");
    }
    for (args, code) in
        [(&["--bad"][..], 2), (&["inspect", "missing"], 1), (&["diff", "a", "b"], 2)]
    {
        let mut program = Command::new(env!("CARGO_BIN_EXE_treedef"));
        let status = program.args(args).stderr(full()).status().unwrap();
        assert_eq!(status.code(), Some(code), "{args:?}");
    }
}

#[test]
fn the_readmes_show_what_is_printed() {
    let table = output(&["inspect", "--depth", "4", &data("gpt2_small.json")]);
    let [a, b] = ["pid_cascade.json", "pid_cascade_edited.json"].map(data);
    let differences = treedef(&["diff", &a, &b]).out.replace(&data(""), "");
    let [root, own] = ["../../README.md", "../../crates/cli/README.md"]
        .map(|name| std::fs::read_to_string(data(name)).unwrap());
    for (shown, printed) in [(&own, &table), (&own, &differences), (&root, &differences)] {
        assert!(printed.lines().count() > 5, "{printed}");
        assert!(shown.contains(printed.trim_end()), "no README has:\n{printed}");
    }
    let picture = std::fs::read_to_string(data("../../crates/cli/gpt2_small.svg")).unwrap();
    let drawn = output(&["inspect", "--svg", &data("gpt2_small.json")]);
    assert!(picture == drawn, "crates/cli/gpt2_small.svg is not what --svg draws: {drawn}");
    assert!(own.contains("](gpt2_small.svg)") && root.contains("](crates/cli/gpt2_small.svg)"));
}

#[test]
fn the_readme_shows_a_difference() {
    let mut tool = std::process::Command::new(env!("CARGO_BIN_EXE_treedef"));
    let files = ["diff", "pid_cascade.json", "pid_cascade_edited.json"];
    let printed =
        tool.args(files).current_dir(data("")).env_remove("COLUMNS").output().unwrap().stdout;
    let printed = String::from_utf8(printed).unwrap();
    let readme = std::fs::read_to_string(data("../../crates/cli/README.md")).unwrap();
    assert!(printed.lines().count() > 5 && readme.contains(&printed), "{printed}");
}

/// The tool has the name of the library, whose pages `cargo doc --workspace` would mix with its own.
#[test]
fn the_tool_has_no_pages_in_the_documentation_of_the_library() {
    let manifest = std::fs::read_to_string(data("../../crates/cli/Cargo.toml")).unwrap();
    let bin = manifest.split_once("[[bin]]\nname = \"treedef\"\n").unwrap().1;
    assert!(bin.split("\n[").next().unwrap().contains("\ndoc = false\n"), "{bin}");
}
