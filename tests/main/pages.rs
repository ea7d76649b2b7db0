//! The pages that a newcomer reads first: that they are short, begin with what is needed, and name what exists.

use std::fs;
use std::path::Path;

fn page(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

/// The first block of code of a language.
fn block<'p>(page: &'p str, language: &str) -> &'p str {
    let rest = page.split_once(&format!("\n```{language}\n")).unwrap().1;
    rest.split_once("\n```").unwrap().0
}

#[test]
fn the_readme_is_short_and_in_order() {
    let readme = page("README.md");
    let words = readme.split_whitespace().count();
    assert!(words <= 1000, "{words} words");
    let order = [
        "*Pytree* is",
        "](src/docs/flow.svg)",
        "```rust",
        "CallKey",
        "| what is counted",
        "## The tool",
        "(CONTRIBUTING.md)",
    ];
    let places: Vec<_> = order.iter().map(|part| readme.find(part).expect(part)).collect();
    assert!(places.is_sorted(), "{places:?}");
}

/// Until the package is published, `cargo add treedef` finds nothing.
#[test]
fn the_first_command_works_before_the_release() {
    assert!(block(&page("README.md"), "sh").starts_with("cargo add treedef --path "));
}

#[test]
fn pages_begin_with_what_a_newcomer_needs() {
    let front = page("src/docs/front.md");
    let first = front.lines().skip_while(|line| *line != "|---|---|").nth(1).unwrap();
    assert!(first.contains("[The idea in five minutes](mod@guide)"), "{first}");
    let (tasks, _) = front.split_once("\n# Where to look\n").unwrap();
    for task in tasks.split("\n## ").skip(1) {
        let code = task.split("\n```\n").nth(1).expect(task);
        let shown = code.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")).count();
        assert!(shown <= 11, "{shown} lines: {task}");
    }
    assert_eq!(tasks.matches("\n## ").count(), 10);
    let derive = page("src/docs/derive_tree.md");
    assert!(derive.lines().nth(2).unwrap().starts_with("```"), "{derive}");
    let changes = page("CHANGELOG.md");
    assert!(changes.lines().filter(|line| line.starts_with("- ")).count() <= 15, "{changes}");
}

#[test]
fn files_that_contributors_are_sent_to_exist() {
    let text = page("CONTRIBUTING.md");
    let (mut found, mut folder) = (0, "");
    for name in text
        .lines()
        .filter(|line| line.starts_with("| "))
        .flat_map(|row| row.split('`').skip(1).step_by(2))
    {
        // A name without a folder is in that of the name before.
        let is_file = !name.contains(' ')
            && (name.ends_with(".rs") || name.ends_with(".md") || name.ends_with('/'));
        if !is_file {
            continue;
        }
        let place = if name.contains('/') { name.into() } else { format!("{folder}/{name}") };
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(&place).exists(), "{place}");
        folder = name.rsplit_once('/').map_or(folder, |(folder, _)| folder);
        found += 1;
    }
    assert!(found > 25, "{found}");
}

#[test]
fn every_part_of_the_long_checks_runs_each_week() {
    let (long, weekly) = (page(".ci/long"), page(".github/workflows/weekly.yml"));
    let parts = |text: &str, begin: &str, end: char| -> Vec<String> {
        let list = text.split_once(begin).unwrap().1.split(end).next().unwrap();
        list.split_whitespace().map(|part| part.trim_matches(',').into()).collect()
    };
    let known = parts(&long, "\nall=(", ')');
    assert!(known.len() > 15, "{known:?}");
    assert_eq!(parts(&weekly, " part: [", ']'), known);
}
