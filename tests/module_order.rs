//! A module of `src/` imports only from modules above it.
//!
//! The order is that of the `mod` lines in `src/lib.rs`, and inside a module that of its own `mod` lines. The test reads
//! the source: `use` declarations and paths that start at `crate`, `self` or `super`, outside of comments, literals and
//! `#[cfg(test)]` items. A parent and its descendants may use each other. An item re-exported by an ancestor is counted
//! where it is declared; at the crate root such a detour is an error, because it hides the order.
//!
//! `$crate::` is left alone: it stands for the place where a macro is used.
#![allow(
    clippy::indexing_slicing,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may panic"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use scan::{Mention, Name, Scan, scan};

// By path, because a file directly in `tests/` would be a test of its own.
#[path = "module_order/scan.rs"]
mod scan;

#[test]
fn modules_import_only_from_modules_above_them() {
    let mut sources = Sources::default();
    let found = sources.load_crate(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let stray: Vec<_> = found.difference(&sources.read).collect();
    assert!(stray.is_empty(), "files that no `mod` line reaches: {stray:?}");
    let violations = sources.violations();
    assert!(violations.is_empty(), "\n{}\n", violations.join("\n"));
}

/// The modules of a crate and what they mention.
#[derive(Default)]
struct Sources {
    /// Each module's place among its siblings, and the file it stands in.
    modules: BTreeMap<Name, (usize, PathBuf)>,
    mentions: Vec<Mention>,
    macros: BTreeMap<String, Name>,
    read: BTreeSet<PathBuf>,
}

impl Sources {
    /// Loads the crate below `src` and returns all its source files.
    fn load_crate(&mut self, src: &Path) -> BTreeSet<PathBuf> {
        self.load(&src.join("lib.rs"), src, &[]);
        let (mut files, mut folders) = (BTreeSet::new(), vec![src.to_owned()]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("a folder of the source") {
                let path = entry.expect("an entry of the source").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    files.insert(path);
                }
            }
        }
        files
    }

    /// Loads `module` from `file` and the modules below it.
    fn load(&mut self, file: &Path, src: &Path, module: &[&str]) {
        let text =
            fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        self.read.insert(file.to_owned());
        let scan = self.add(scan(&text, module), file);
        for child in &scan.test_modules {
            self.read.insert(file_of(src, child));
        }
        for (child, _) in scan.modules.iter().filter(|(_, own_file)| *own_file) {
            let names: Vec<&str> = child.iter().map(String::as_str).collect();
            self.load(&file_of(src, child), src, &names);
        }
    }

    /// Adds what a file holds; the order of calls does not matter.
    fn add(&mut self, scan: Scan, file: &Path) -> Scan {
        self.modules.entry(Vec::new()).or_insert_with(|| (0, file.to_owned()));
        for (place, (child, _)) in scan.modules.iter().enumerate() {
            self.modules.insert(child.clone(), (place, file.to_owned()));
        }
        self.mentions.extend(scan.mentions.iter().cloned());
        self.macros.extend(scan.macros.iter().cloned());
        scan
    }

    /// The path from the crate root that a mention means; none if it leaves the crate.
    fn absolute(&self, mention: &Mention) -> Option<Name> {
        let mut at = mention.module.clone();
        let mut rest = mention.path.as_slice();
        match rest.first()?.as_str() {
            "crate" => at.clear(),
            "self" | "super" => {
                while let Some("super" | "self") = rest.first().map(String::as_str) {
                    if rest[0] == "super" {
                        at.pop();
                    }
                    rest = &rest[1..];
                }
                at.extend(rest.iter().cloned());
                return Some(at);
            }
            // A bare name is a child module or another crate.
            name => {
                at.push(name.to_owned());
                self.modules.contains_key(&at).then_some(())?;
            }
        }
        at.extend(rest[1..].iter().cloned());
        Some(at)
    }

    /// The deepest module on `path`.
    fn module_of(&self, path: &Name) -> Name {
        let mut module = path.clone();
        while !module.is_empty() && !self.modules.contains_key(&module) {
            module.pop();
        }
        module
    }

    /// Follows names that a module on the path takes from somewhere else, to the module that declares the item.
    fn declared_in(&self, mut path: Name) -> Name {
        // Bounded, because re-exports may go in a circle.
        for _ in 0..8 {
            let module = self.module_of(&path);
            let Some(name) = path.get(module.len()) else { break };
            let taken = |m: &&Mention| m.module == module && m.binds.as_ref() == Some(name);
            let Some(target) = self.mentions.iter().find(taken).and_then(|m| self.absolute(m))
            else {
                break;
            };
            path = [target.as_slice(), &path[module.len() + 1..]].concat();
        }
        self.module_of(&path)
    }

    /// One line for each import that goes down or hides where it goes.
    fn violations(&self) -> Vec<String> {
        let mut violations = Vec::new();
        for mention in self.mentions.iter().filter(|mention| !mention.module.is_empty()) {
            let Some(path) = self.absolute(mention) else { continue };
            let place = |what: String| {
                let (_, file) = &self.modules[&mention.module];
                format!(
                    "{}:{}: {what}",
                    self.file_of_module(&mention.module, file).display(),
                    mention.line
                )
            };
            let written = mention.path.join("::");
            let module = self.module_of(&path);
            let is_glob =
                path.last().is_some_and(|last| last == "*") && path.len() == module.len() + 1;
            let target = match self.macros.get(path.first().map_or("", String::as_str)) {
                Some(home) if module.is_empty() => home.clone(),
                _ if module.is_empty() => {
                    violations.push(place(format!(
                        "`{written}` goes through the crate root: name the module that declares it"
                    )));
                    continue;
                }
                _ if is_glob && module != mention.module && mention.module.starts_with(&module) => {
                    violations
                        .push(place(format!("`{written}` takes all of a parent: name the items")));
                    continue;
                }
                _ => self.declared_in(path),
            };
            let shared = mention.module.iter().zip(&target).take_while(|(a, b)| a == b).count();
            let (Some(_), Some(_)) = (mention.module.get(shared), target.get(shared)) else {
                continue;
            };
            let order =
                |name: &Name| self.modules.get(&name[..=shared]).map_or(0, |(place, _)| *place);
            if order(&target) >= order(&mention.module) {
                let (from, to) = (mention.module.join("::"), target.join("::"));
                violations.push(place(format!(
                    "`{from}` imports `{written}` from `{to}`, which stands below it"
                )));
            }
        }
        violations
    }

    /// The file a module's text stands in: its own, or that of the module around it.
    fn file_of_module(&self, module: &Name, declared: &Path) -> PathBuf {
        let src = self.modules[&Vec::new()].1.parent().unwrap_or(Path::new("")).to_owned();
        let own = file_of(&src, module);
        if own.exists() { own } else { declared.to_owned() }
    }
}

/// The file of a module that is not inline.
fn file_of(src: &Path, module: &Name) -> PathBuf {
    let path = module.iter().fold(src.to_owned(), |path, name| path.join(name));
    let folder = path.join("mod.rs");
    if folder.exists() { folder } else { path.with_extension("rs") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The violations of a crate given as modules and their text.
    fn violations(files: &[(&[&str], &str)]) -> Vec<String> {
        let mut sources = Sources::default();
        for (module, text) in files {
            sources.add(scan(text, module), Path::new("src/lib.rs"));
        }
        sources.violations()
    }

    #[test]
    fn an_import_upwards_passes_and_one_downwards_is_named() {
        let root: (&[&str], _) = (&[], "mod a;\nmod b;\npub use b::B;");
        assert_eq!(
            violations(&[root, (&["b"], "use crate::a::A; use crate::b::C; use core::fmt;")]),
            Vec::<String>::new()
        );
        let found = violations(&[root, (&["a"], "\nuse crate::{a::C, b::B};")]);
        assert_eq!(
            found,
            ["src/lib.rs:2: `a` imports `crate::b::B` from `b`, which stands below it"]
        );
        assert_eq!(violations(&[root, (&["a"], "fn f() { super::b::B }")]).len(), 1);
    }

    #[test]
    fn an_import_through_the_crate_root_is_reported_and_a_macro_counts_where_it_is_defined() {
        let root: (&[&str], _) = (&[], "mod a;\nmod b;\nmod c;\npub use b::B;");
        let with_macro: (&[&str], _) = (&["b"], "macro_rules! m { () => {} }");
        assert_eq!(violations(&[root, (&["c"], "use crate::B;")]).len(), 1);
        assert_eq!(violations(&[root, (&["c"], "use crate::*;")]).len(), 1);
        assert_eq!(violations(&[root, with_macro, (&["c"], "fn f() { crate::m!() }")]).len(), 0);
        assert_eq!(violations(&[root, with_macro, (&["a"], "fn f() { crate::m!() }")]).len(), 1);
    }

    #[test]
    fn siblings_have_an_order_and_a_parent_is_no_detour() {
        let root: (&[&str], _) = (&[], "mod t;");
        let parent: (&[&str], _) =
            (&["t"], "mod x;\nmod y;\npub use y::{Y, Z as W};\nstruct Own;\nuse x::X;");
        assert_eq!(
            violations(&[root, parent, (&["t", "y"], "use super::{x::X, Own};")]),
            Vec::<String>::new()
        );
        for source in ["use super::y::Y;", "use super::Y;", "use crate::t::W;", "use super::*;"] {
            assert_eq!(violations(&[root, parent, (&["t", "x"], source)]).len(), 1, "{source}");
        }
    }
}
