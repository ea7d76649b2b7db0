//! Writes what `treedef diff --json` prints.

use serde_json::{Value as Json, json};

use crate::diff::Pair;
use crate::leaf::{Size, Type};
use crate::output::{Escaped, print};
use crate::pairs::{Path, only};
use crate::progress::Progress;
use crate::source::{Source, TreeOf};

/// What was compared.
pub(crate) struct Report<'r> {
    pub(crate) names: &'r [String; 2],
    pub(crate) sources: &'r [Source; 2],
    pub(crate) pairs: &'r [Pair<'r>],
    /// Describes the differences of the structures of two trees.
    pub(crate) structure: &'r dyn Fn(&Pair<'_>) -> Vec<String>,
    /// The leaves of two records that have other values: paths, and both values.
    pub(crate) values: &'r [(&'r str, [&'r str; 2])],
    /// The differences of call keys.
    pub(crate) keys: Vec<String>,
    pub(crate) are_equal_keys: bool,
}

impl Report<'_> {
    /// Prints the report, and returns whether there are differences.
    pub(crate) fn print(&self, progress: Progress) -> Result<bool, String> {
        let trees: Vec<_> = self.pairs.iter().map(|pair| self.tree(pair)).collect();
        let counts = self.sources.each_ref().map(|source| source.parts.len());
        let differs = counts[0] != counts[1]
            || !self.are_equal_keys
            || !self.values.is_empty()
            || trees.iter().any(|(_, differs)| *differs);
        let files: Vec<_> = self.names.iter().zip(self.sources).map(file).collect();
        let trees: Vec<_> = trees.into_iter().map(|(tree, _)| tree).collect();
        let value =
            |(name, [from, to]): &(&str, [&str; 2])| json!({"from": from, "name": name, "to": to});
        let values: Vec<_> = self.values.iter().map(value).collect();
        let report = json!({
            "call_keys": self.keys, "equal": !differs, "files": files, "trees": trees,
            "values": values,
        });
        print(progress, |out| {
            let escaped = Escaped { out: &mut *out, is_json: true };
            serde_json::to_writer_pretty(escaped, &report)?;
            writeln!(out)
        })?;
        Ok(differs)
    }

    /// Describes the differences of two trees, and returns whether there are some.
    fn tree(&self, pair: &Pair<'_>) -> (Json, bool) {
        let [ours, theirs] = &pair.paths;
        let structure = (self.structure)(pair);
        let differs = !structure.is_empty() || !pair.has_equal_names();
        let changes = pair
            .changed()
            .map(|(name, from, to)| json!({"from": kind(from), "name": name, "to": kind(to)}));
        let prefix = pair.alignment.prefix.as_ref();
        let rename = pair.alignment.rename.as_ref();
        let tree = json!({
            "changed": changes.collect::<Vec<_>>(),
            "missing": only(ours, theirs).map(leaf).collect::<Vec<_>>(),
            "prefix": prefix.map(|(side, prefix)| json!({"file": self.names[*side], "prefix": prefix})),
            "rename": rename.map(|rename| {
                json!({"leaves": rename.count, "new": rename.new, "old": rename.old})
            }),
            "structure": structure,
            "title": pair.ours.title,
            "unexpected": only(theirs, ours).map(leaf).collect::<Vec<_>>(),
        });
        (tree, differs)
    }
}

/// Describes a file.
fn file((name, source): (&String, &Source)) -> Json {
    let tree = |part: &TreeOf| {
        let sizes = part.sizes().0;
        json!({
            "bytes": sizes.bytes, "lacks": part.lacks(), "num_leaves": sizes.leaves,
            "parameters": sizes.parameters, "title": part.title,
        })
    };
    let trees: Vec<_> = source.parts.iter().map(tree).collect();
    json!({"file": name, "format": source.format, "trees": trees})
}

/// Describes a leaf that only one file has.
fn leaf(path: &Path<'_>) -> Json {
    let kind = path.kind.map_or_else(|| json!({}), kind);
    json!({"dtype": kind["dtype"], "name": path.shown(), "shape": kind["shape"]})
}

fn kind(kind: &Type) -> Json {
    let size = |size: &Size| match size.value() {
        Ok(size) => json!(size),
        Err(text) => json!(text),
    };
    let shape = kind.shape.as_ref().map(|shape| shape.iter().map(size).collect::<Vec<_>>());
    json!({"dtype": kind.dtype_text(), "shape": shape})
}
