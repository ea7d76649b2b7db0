//! Runs one family of the conformance corpus and counts what came of each line.

use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// The environment variable that names another directory to read the families from.
const DIRECTORY: &str = "TREEDEF_CONFORMANCE";

/// What came of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Our answers are the recorded ones.
    Passed,
    /// We deliberately answer otherwise, for a reason found in the input, and our own answer was asserted.
    Different(&'static str),
    /// The input cannot be stated.
    Skipped(&'static str),
    /// What is wrong.
    Failed(String),
}

/// The outcomes of a family.
#[derive(Debug, Default)]
pub struct Tally {
    /// How many lines passed.
    pub passed: usize,
    /// How many lines differ for each reason.
    pub different: BTreeMap<&'static str, usize>,
    /// How many lines were skipped for each reason.
    pub skipped: BTreeMap<&'static str, usize>,
    /// Line and message of each failure.
    pub failed: Vec<String>,
}

/// The lines of `family`.
///
/// They are read from `tests/conformance/` of this package or of the one around it, where they must be, or from the
/// directory in `TREEDEF_CONFORMANCE`, where they may be missing.
pub fn family_text(family: &str) -> Option<Vec<u8>> {
    let file = Path::new(family).with_extension("jsonl");
    let path = match std::env::var_os(DIRECTORY).map(PathBuf::from) {
        Some(elsewhere) => {
            assert!(elsewhere.is_dir(), "{DIRECTORY} names no directory: {}", elsewhere.display());
            elsewhere.join(&file)
        }
        None => {
            let packages = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
            let mut places = packages.map(|package| package.join("tests/conformance").join(&file));
            places.find(|path| path.exists()).unwrap_or_else(|| panic!("no {}", file.display()))
        }
    };
    if !path.exists() {
        println!("{family}: no such file in {DIRECTORY}");
        return None;
    }
    Some(std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
}

/// Runs `check` on each line of `family`, prints the tally and fails the test if a line failed.
///
/// There is no tally where [`family_text`] finds nothing. Files without a test are not looked at.
pub fn run_family(family: &str, check: impl FnMut(&Json) -> Outcome) -> Option<Tally> {
    let text = family_text(family)?;
    let tally = run_lines(&text, check);
    print!("{}", tally.report(family));
    assert_eq!(tally.total(), number_of_lines(&text), "{family}: not each line has one outcome");
    assert!(tally.failed.is_empty(), "{family}: {} lines failed", tally.failed.len());
    Some(tally)
}

/// Runs `check` on each line of a text; an unreadable line and a panic count as failed.
pub fn run_lines(text: &[u8], mut check: impl FnMut(&Json) -> Outcome) -> Tally {
    let mut tally = Tally::default();
    let lines = text.strip_suffix(b"\n").unwrap_or(text).split(|byte| *byte == b'\n');
    for (i, line) in lines.enumerate().take(if text.is_empty() { 0 } else { usize::MAX }) {
        let place = format!("line {}", i + 1);
        let (place, outcome) = match serde_json::from_slice::<Json>(line) {
            Err(e) => (place, Outcome::Failed(format!("unreadable: {e}"))),
            Ok(json) => {
                let id = json.get("id").and_then(Json::as_str).map_or(place, str::to_owned);
                let outcome = catch_unwind(AssertUnwindSafe(|| check(&json)));
                (
                    id,
                    outcome.unwrap_or_else(|panic| {
                        Outcome::Failed(format!("panic: {}", message(&*panic)))
                    }),
                )
            }
        };
        match outcome {
            Outcome::Passed => tally.passed += 1,
            Outcome::Different(reason) => *tally.different.entry(reason).or_default() += 1,
            Outcome::Skipped(reason) => *tally.skipped.entry(reason).or_default() += 1,
            Outcome::Failed(why) => tally.failed.push(format!("{place}: {why}")),
        }
    }
    tally
}

impl Tally {
    /// How many lines have an outcome.
    pub fn total(&self) -> usize {
        self.passed + self.different() + self.failed.len() + self.skipped()
    }

    /// How many lines differ.
    pub fn different(&self) -> usize {
        self.different.values().sum()
    }

    /// How many lines were skipped.
    pub fn skipped(&self) -> usize {
        self.skipped.values().sum()
    }

    /// The line of a family, then the reasons and the first ten failures.
    pub fn report(&self, family: &str) -> String {
        let (passed, different, failed, skipped) =
            (self.passed, self.different(), self.failed.len(), self.skipped());
        let mut text = format!(
            "{family}: {passed} passed, {different} different, {failed} failed, {skipped} skipped\n"
        );
        let mut add = |line: String| text.extend(["  ", &line, "\n"]);
        self.different.iter().for_each(|(reason, n)| add(format!("{n} different: {reason}")));
        self.skipped.iter().for_each(|(reason, n)| add(format!("{n} skipped: {reason}")));
        self.failed.iter().take(10).for_each(|why| add(format!("failed: {why}")));
        text
    }
}

/// How many lines a text has, by its line ends.
fn number_of_lines(text: &[u8]) -> usize {
    let ends = text.iter().filter(|byte| **byte == b'\n').count();
    ends + usize::from(text.last().is_some_and(|byte| *byte != b'\n'))
}

/// What a panic said.
fn message(panic: &(dyn std::any::Any + Send)) -> &str {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => text,
        (_, Some(text)) => text,
        _ => "without a text",
    }
}
