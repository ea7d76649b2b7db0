//! What the compiler says about wrong programs: each file in `tests/ui/` names, in `//~` lines, texts that must stand in
//! the errors, and in `//~!` lines what must not; a `//~#` line is the number of errors. `compiles.rs` and `hygiene.rs`
//! must compile, also in an older edition, without a warning.
//!
//! The compiler is called on each file with the library that this test was linked with.
#![cfg(feature = "derive")]

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// The editions that a user can have.
const EDITIONS: [&str; 3] = ["2018", "2021", "2024"];

/// The compiler, to type check a file against a build of the library.
fn compiler(file: &Path, library: &Path, edition: &str) -> Command {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ui");
    fs::create_dir_all(&out).unwrap();
    let mut with = std::ffi::OsString::from("treedef=");
    with.push(library);
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(compiler);
    command
        .args(["--crate-type=lib", "--emit=metadata", "--color=never", "--edition", edition])
        .arg("--out-dir")
        .arg(out)
        .arg("-L")
        .arg(library.parent().unwrap())
        .arg("--extern")
        .arg(with)
        .arg(file);
    command
}

/// Gives what the compiler says about a file, and whether it is content.
fn check(file: &Path, library: &Path, edition: &str) -> (bool, String) {
    let output = compiler(file, library, edition).output().expect("the compiler starts");
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

/// The library that this test was linked with. Builds with other features lie there too: the control tells them apart.
fn library(control: &Path) -> PathBuf {
    let mut said = Vec::new();
    let library = libraries().into_iter().find(|library| {
        let (fine, output) = check(control, library, "2024");
        said.push(output);
        fine
    });
    library.unwrap_or_else(|| panic!("compiles.rs does not: {said:#?}"))
}

#[test]
fn wrong_programs_get_helpful_errors() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let control = directory.join("compiles.rs");
    let library = library(&control);
    let hygiene = directory.join("hygiene.rs");
    for (file, edition) in
        [&control, &hygiene].into_iter().flat_map(|file| EDITIONS.map(|edition| (file, edition)))
    {
        let (fine, output) = check(file, &library, edition);
        assert!(fine && output.is_empty(), "{}, edition {edition}: {output}", file.display());
    }

    let mut failures = Vec::new();
    let mut files: Vec<_> = fs::read_dir(directory).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    for file in files.iter().filter(|file| ![&control, &hygiene].contains(file)) {
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

/// Compiles a program without what an earlier run left, of which the compiler would take over the most.
fn compiles_within(seconds: u64, name: &str, source: &str, emit: &str) {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&out);
    fs::create_dir_all(&out).unwrap();
    let file = out.join("main.rs");
    fs::write(&file, source).unwrap();
    let library = library(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui/compiles.rs"));
    let mut compiler = compiler(&file, &library, "2024");
    compiler.arg(format!("-Cincremental={}", out.join("incremental").display()));
    compiler.arg(format!("--emit={emit}"));
    let (start, mut child) = (Instant::now(), compiler.spawn().unwrap());
    while start.elapsed() < Duration::from_secs(seconds) {
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success());
            return;
        }
        thread::sleep(Duration::from_millis(100));
    }
    child.kill().unwrap();
    panic!("the compiler takes too long");
}

/// Billions of ways lead to the first of these structs. An incremental compiler hashes what a constant points to once for each
/// way, and so would take hours.
#[test]
fn structs_in_many_levels_compile_in_little_time() {
    let mut source =
        "#![allow(dead_code)]\n#[derive(treedef::Tree)]\nstruct S0(f32);\n".to_string();
    for level in 0..16 {
        let (next, field) = (level + 1, format!("Option<S{level}>"));
        writeln!(
            source,
            "#[derive(treedef::Tree)]\nstruct S{next}({field}, {field}, {field}, {field});"
        )
        .unwrap();
    }
    compiles_within(100, "levels", &source, "metadata");
}

/// A bound that the compiler proves for each field twice, and for its fields again, would double the time at each level.
#[test]
fn maps_of_structs_in_many_levels_compile_in_little_time() {
    let mut source = "#[derive(treedef::Tree)]\npub struct S0(f32);\n".to_string();
    for level in 0..24 {
        let next = level + 1;
        writeln!(
            source,
            "#[derive(treedef::Tree)]\npub struct S{next}(S{level}, f32, Option<f32>);"
        )
        .unwrap();
    }
    source += "pub fn map(tree: &S24) -> S24 { treedef::over(tree).map(|x| x * 2.0).unwrap() }\n";
    source += "pub fn zip(one: &S24, other: &S24) -> S24 { treedef::over((one, other)).map(|(a, b)| a * b).unwrap() }\n";
    // A public function of a library has code.
    compiles_within(10, "maps", &source, "obj");
}
