//! Counts the instructions of one case under callgrind: the program runs itself, once for each case.

use std::process::Command;
use std::{env, fs};

/// Runs a case; only what happens inside is counted.
#[inline(never)]
pub(crate) fn counted(run: &mut dyn FnMut()) {
    run();
}

/// The case that this process is to run, if it was started by [`count`].
pub(crate) fn chosen() -> Option<usize> {
    env::var(CASE).ok()?.parse().ok()
}

const CASE: &str = "COUNTS_CASE";

/// Runs one case in a process of its own and reads callgrind's total; `None` if that is not installed or the case fails.
pub(crate) fn count(index: usize) -> Option<u64> {
    let out = env::temp_dir().join(format!("treedef-counts-{}-{index}", std::process::id()));
    let status = Command::new("valgrind")
        .env_clear()
        .env(CASE, index.to_string())
        .args(["-q", "--tool=callgrind", "--collect-atstart=no", "--toggle-collect=*counted*"])
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(env::current_exe().ok()?)
        .status()
        .ok()?;
    if !status.success() {
        return None;
    }
    let text = fs::read_to_string(&out).ok()?;
    fs::remove_file(&out).ok()?;
    let total = text.lines().find_map(|line| line.strip_prefix("summary: "))?;
    total.trim().parse().ok()
}
