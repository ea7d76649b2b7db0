//! What the compiler says about wrong programs: each file in `tests/ui/` names, in `//~` lines, texts that must stand in
//! the errors, and in `//~!` lines what must not; a `//~#` line is the number of errors. `compiles.rs` must compile, also
//! in an older edition, without a warning.
//!
//! The compiler is called on each file with the library that this test was linked with.
#![cfg(feature = "derive")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Type checks a file against a build of the library and gives what the compiler says, and whether it is content.
fn check(file: &Path, library: &Path, edition: &str) -> (bool, String) {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ui");
    fs::create_dir_all(&out).unwrap();
    let mut with = std::ffi::OsString::from("treedef=");
    with.push(library);
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(compiler)
        .args(["--crate-type=lib", "--emit=metadata", "--color=never", "--edition", edition])
        .arg("--out-dir")
        .arg(out)
        .arg("-L")
        .arg(library.parent().unwrap())
        .arg("--extern")
        .arg(with)
        .arg(file)
        .output()
        .expect("the compiler starts");
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The builds of the library beside this test, the newest first.
fn libraries() -> Vec<PathBuf> {
    let directory = env::current_exe().unwrap().parent().unwrap().to_path_buf();
    let is_library = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with("libtreedef-") && name.ends_with(".rlib")
    };
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<_> = entries.filter(is_library).collect();
    found.sort_by_key(|path| fs::metadata(path).unwrap().modified().unwrap());
    found.reverse();
    found
}

#[test]
fn wrong_programs_get_helpful_errors() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let control = directory.join("compiles.rs");
    // Builds with other features lie there too: the control tells them apart.
    let mut said = Vec::new();
    let library = libraries().into_iter().find(|library| {
        let (fine, output) = check(&control, library, "2024");
        said.push(output);
        fine
    });
    let library = library.unwrap_or_else(|| panic!("compiles.rs does not: {said:#?}"));
    for edition in ["2018", "2021", "2024"] {
        let (fine, output) = check(&control, &library, edition);
        assert!(fine && output.is_empty(), "edition {edition}: {output}");
    }

    let mut failures = Vec::new();
    let mut files: Vec<_> = fs::read_dir(directory).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    for file in files.iter().filter(|file| **file != control) {
        let source = fs::read_to_string(file).unwrap();
        let expected: Vec<_> = source.lines().filter_map(|l| l.strip_prefix("//~ ")).collect();
        let (fine, output) = check(file, &library, "2024");
        let missing: Vec<_> = expected.iter().filter(|text| !output.contains(**text)).collect();
        let said: Vec<_> = source.lines().filter_map(|l| l.strip_prefix("//~! ")).collect();
        let said = said.iter().any(|text| output.contains(*text));
        // The last line that begins with `error` counts the others.
        let count =
            output.lines().filter(|line| line.starts_with("error")).count().saturating_sub(1);
        let number = source.lines().find_map(|line| line.strip_prefix("//~# "));
        let other_number = number.is_some_and(|number| number.parse() != Ok(count));
        if fine || expected.is_empty() || !missing.is_empty() || said || other_number {
            failures.push(format!("{}: not said: {missing:#?}, or said\n{output}", file.display()));
        }
    }
    assert!(files.len() > 10, "{files:?}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
