//! The runner of the conformance corpus drops no line.

use crate::support;

use serde_json::Value as Json;
use support::corpus::integer;
use support::harness::{Outcome, run_lines};

#[test]
fn each_committed_file_has_the_lines_of_the_manifest() {
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let manifest: Json =
        serde_json::from_slice(&std::fs::read(directory.join("MANIFEST.json")).unwrap()).unwrap();
    let mut files = 0;
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "jsonl") {
            let (name, text) =
                (path.file_name().unwrap().to_str().unwrap(), std::fs::read(&path).unwrap());
            let tally = run_lines(&text, |_| Outcome::Passed);
            let about = &manifest["files"][name];
            assert_eq!(
                (integer(&about["bytes"]), integer(&about["lines"])),
                (Ok(text.len() as i64), Ok(tally.passed as i64))
            );
            files += 1;
        }
    }
    assert!(files >= 7);
}

#[test]
fn no_line_is_dropped() {
    let text = b"{\"id\":\"a\"}\n{\"id\":\"b\"}\n\n{\"id\":\n\xff\n{\"id\":\"c\"}\n{\"id\":\"d\"}\n{\"id\":\"e\"}";
    let tally = run_lines(text, |line| match line["id"].as_str() {
        Some("a") => Outcome::Passed,
        Some("b") => Outcome::Different("spelling"),
        Some("c") => Outcome::Skipped("colour"),
        Some("d") => Outcome::Failed("wrong".into()),
        _ => panic!("no such letter"),
    });
    assert_eq!((tally.total(), tally.passed, tally.different(), tally.skipped()), (8, 1, 1, 1));
    let report = tally.report("letters");
    let mut lines = report.lines();
    assert_eq!(lines.next(), Some("letters: 1 passed, 1 different, 5 failed, 1 skipped"));
    assert_eq!(lines.next(), Some("  1 different: spelling"));
    assert_eq!(lines.next(), Some("  1 skipped: colour"));
    assert!(lines.next().unwrap().starts_with("  failed: line 3: unreadable"));
    assert!(lines.next().unwrap().starts_with("  failed: line 4: unreadable"));
    assert!(lines.next().unwrap().starts_with("  failed: line 5: unreadable"));
    assert_eq!(lines.next(), Some("  failed: d: wrong"));
    assert_eq!(lines.next(), Some("  failed: e: panic: no such letter"));
    assert_eq!(run_lines(b"", |_| Outcome::Passed).total(), 0);
}
