//! The links of the repository's pages to its own files lead somewhere. `rustdoc` checks those of the documentation.

use std::fs;
use std::path::Path;

const PAGES: [&str; 13] = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "RELEASING.md",
    "SECURITY.md",
    "benches/README.md",
    "crates/cli/README.md",
    "crates/derive/README.md",
    "crates/jax/README.md",
    "crates/proptest/README.md",
    "examples/data/README.md",
    "no_std-check/README.md",
    "tests/README.md",
];

/// The targets of `[..](target)`, outside code.
fn links(page: &str) -> Vec<&str> {
    let (mut found, mut code) = (Vec::new(), false);
    for line in page.lines() {
        code ^= line.trim_start().starts_with("```");
        let parts = if code { "" } else { line }.split("](").skip(1);
        found.extend(parts.filter_map(|part| part.split_once(')')).map(|(target, _)| target));
    }
    found
}

/// The anchors of a page's headings, as GitHub makes them.
fn anchors(page: &str) -> Vec<String> {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    let kept = |c: &char| c.is_alphanumeric() || *c == ' ' || *c == '-' || *c == '_';
    let anchor = |line: &str| {
        line.trim_start_matches('#').trim().to_lowercase().chars().filter(kept).collect::<String>()
    };
    headings.map(|line| anchor(line).replace(' ', "-")).collect()
}

/// The links of `page` that lead nowhere. Those to other sites are not followed.
fn broken(root: &Path, page: &str) -> Vec<String> {
    let path = root.join(page);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{page}: {error}"));
    let leads = |target: &str| {
        let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
        let file = if file.is_empty() {
            path.clone()
        } else {
            path.parent().expect("a folder").join(file)
        };
        let has = |page: String| anchors(&page).iter().any(|found| found == anchor);
        file.exists() && (anchor.is_empty() || fs::read_to_string(file).is_ok_and(has))
    };
    let own = links(&text).into_iter().filter(|target| !target.contains("://"));
    own.filter(|target| !leads(target)).map(|target| format!("{page}: {target}")).collect()
}

#[test]
fn links_to_own_files_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let broken: Vec<_> = PAGES.iter().flat_map(|page| broken(root, page)).collect();
    assert!(broken.is_empty(), "{broken:#?}");
    assert!(links(&fs::read_to_string(root.join("README.md")).unwrap()).len() > 10);
}
