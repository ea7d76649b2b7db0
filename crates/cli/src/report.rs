//! Writes what `treedef inspect` shows: the sizes, the tree, and the facts of the treedef.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use serde_json::json;

use crate::leaf::{Leaf, Size};
use crate::model::{self, Node, Sizes};
use crate::source::{Source, TreeOf};
use crate::style::{self, Style, cut, grouped, pad, percent};
use crate::table::{Extent, Table};

/// The largest number of dtypes in the first line.
const MAX_DTYPES: usize = 4;

/// Writes the report on a file.
pub(crate) fn text(
    name: &str,
    source: &Source,
    extent: Extent,
    style: Style,
) -> Result<String, String> {
    let mut out = String::new();
    for (at, part) in source.parts.iter().enumerate() {
        let tree = model::tree(part.def.as_treedef(), part.leaves.as_deref(), !extent.full)?;
        let title = match (at, part.title.as_str()) {
            (0, "") => name.into(),
            (0, title) => format!("{name}, {title}"),
            (_, title) => title.into(),
        };
        // Writing to a string cannot fail.
        let _ = write_part(&mut out, &title, part, &tree, extent, style);
    }
    if source.parts.is_empty() {
        let _ = writeln!(out, "{}", style.bold(name));
    }
    if source.parts.len() > 1 && !source.facts.is_empty() {
        out.push('\n');
    }
    for (name, text) in &source.facts {
        let _ = fact(&mut out, name, text, extent, style);
    }
    Ok(out)
}

fn write_part(
    out: &mut String,
    title: &str,
    part: &TreeOf,
    tree: &Node,
    extent: Extent,
    style: Style,
) -> fmt::Result {
    if !out.is_empty() {
        out.push('\n');
    }
    writeln!(out, "{}  {}\n", style.bold(title), summary(tree))?;
    Table::new(tree, extent).write(out, style, extent)?;
    let (def, sizes) = (part.def.as_treedef(), tree.sizes);
    writeln!(out)?;
    let levels = if sizes.depth == 1 { "level" } else { "levels" };
    let nodes = if sizes.nodes == 1 { "node" } else { "nodes" };
    let counts = format!(
        "{} of {} {nodes}, {} {levels} deep",
        grouped(sizes.leaves),
        grouped(sizes.nodes),
        sizes.depth
    );
    fact(out, "leaves", &counts, extent, style)?;
    let len = def.as_bytes().len() as u64;
    let plain = if sizes.plain == len {
        String::new()
    } else {
        format!(", {} with repeats written out", grouped(sizes.plain))
    };
    fact(out, "treedef", &format!("{} bytes{plain}", grouped(len)), extent, style)?;
    fact(out, "fingerprint", &format!("{:016x}", def.fingerprint()), extent, style)?;
    let room = if extent.full { usize::MAX } else { style.width };
    fact(out, "JAX", &shortened(room, format_args!("{def}")), extent, style)
}

/// Writes a line with a name in front.
fn fact(out: &mut String, name: &str, text: &str, extent: Extent, style: Style) -> fmt::Result {
    let room = if extent.full { usize::MAX } else { style.width.saturating_sub(13).max(20) };
    writeln!(out, "{}{}", style.dim(pad(name, 13)), cut(text, room))
}

/// Summarizes a tree in a line: the parameters, the bytes and the dtypes.
pub(crate) fn summary(tree: &Node) -> String {
    let sizes = tree.sizes;
    let dtypes = dtypes(tree);
    let leaves = if sizes.leaves == 1 { "leaf" } else { "leaves" };
    if sizes.sized == 0 {
        let kinds: Vec<_> =
            dtypes.iter().map(|(name, of)| format!("{} {name}", grouped(of.leaves))).collect();
        let kinds =
            if kinds.is_empty() { String::new() } else { format!(": {}", kinds.join(", ")) };
        return format!("{} {leaves}{kinds}", grouped(sizes.leaves));
    }
    let parameters = if sizes.parameters == 1 { "parameter" } else { "parameters" };
    let kinds = dtypes.iter().map(|(name, of)| match dtypes.len() {
        1 => name.clone(),
        _ if of.sized == 0 => format!("{} {name}", grouped(of.leaves)),
        _ => format!("{name} {}", percent(of.bytes, sizes.bytes)),
    });
    let mut kinds: Vec<_> = kinds.collect();
    if let Some(more) = kinds.len().checked_sub(MAX_DTYPES).filter(|more| *more > 0) {
        kinds.truncate(MAX_DTYPES);
        kinds.push(format!("{more} more"));
    }
    format!(
        "{} {parameters} · {} · {}",
        at_least(sizes, grouped(sizes.parameters)),
        at_least(sizes, style::bytes(sizes.bytes)),
        kinds.join(", ")
    )
}

/// Writes the report as JSON.
pub(crate) fn json(name: &str, source: &Source) -> Result<String, String> {
    let mut trees = Vec::new();
    for part in &source.parts {
        let def = part.def.as_treedef();
        let tree = model::tree(def, part.leaves.as_deref(), true)?;
        let sizes = tree.sizes;
        let dtypes = dtypes(&tree).into_iter().map(|(dtype, sizes)| {
            let sizes = json!({
                "leaves": sizes.leaves, "parameters": sizes.parameters, "bytes": sizes.bytes,
            });
            (dtype, sizes)
        });
        let paths = def.paths().enumerate().map(|(at, path)| {
            let leaf = part.leaves.as_ref().and_then(|leaves| leaves.get(at));
            let mut item = json!({ "path": path.keystr().to_string() });
            if let Some(Leaf { kind, value }) = leaf {
                let shape = kind.shape.as_ref().map(|sizes| {
                    sizes.iter().map(|size| match size {
                        Size::Known(size) => json!(size),
                        Size::Symbol(text) => json!(text),
                    })
                });
                item["dtype"] = json!(kind.dtype);
                item["shape"] = json!(shape.map(Iterator::collect::<Vec<_>>));
                item["parameters"] = json!(kind.elements());
                item["bytes"] = json!(kind.bytes());
                if let Some(value) = value {
                    item["value"] = json!(value);
                }
            }
            item
        });
        trees.push(json!({
            "title": part.title,
            "parameters": sizes.parameters,
            "bytes": sizes.bytes,
            "leaves_without_size": sizes.leaves - sizes.sized,
            "dtypes": dtypes.collect::<serde_json::Map<_, _>>(),
            "num_leaves": sizes.leaves,
            "num_nodes": sizes.nodes,
            "depth": sizes.depth,
            "treedef": {
                "bytes": def.as_bytes().len(),
                "bytes_without_repeats": sizes.plain,
                "fingerprint": format!("{:016x}", def.fingerprint()),
                "jax": def.to_string(),
            },
            "leaves": paths.collect::<Vec<_>>(),
        }));
    }
    let facts: Vec<_> = source.facts.iter().map(|(name, text)| json!([name, text])).collect();
    let report = json!({ "file": name, "format": source.format, "facts": facts, "trees": trees });
    Ok(format!("{report:#}\n"))
}

/// Returns the dtypes of a tree, that with the most bytes first.
pub(crate) fn dtypes(tree: &Node) -> Vec<(String, Sizes)> {
    let mut dtypes = BTreeMap::new();
    tree.add_dtypes(1, &mut dtypes);
    let mut dtypes: Vec<_> = dtypes.into_iter().collect();
    dtypes.sort_by_key(|(_, sizes)| std::cmp::Reverse((sizes.bytes, sizes.leaves)));
    dtypes
}

/// Marks a number to which some leaves add what is not known.
fn at_least(sizes: Sizes, number: String) -> String {
    if sizes.sized < sizes.leaves { format!("≥ {number}") } else { number }
}

/// Returns at most `most` characters of a text. Formatting stops there.
fn shortened(most: usize, text: fmt::Arguments<'_>) -> String {
    struct Short {
        text: String,
        left: usize,
    }
    impl fmt::Write for Short {
        fn write_str(&mut self, part: &str) -> fmt::Result {
            for c in part.chars() {
                self.left = self.left.checked_sub(1).ok_or(fmt::Error)?;
                self.text.push(c);
            }
            Ok(())
        }
    }
    let mut short = Short { text: String::new(), left: most };
    if short.write_fmt(text).is_err() {
        short.text.push('…');
    }
    short.text
}
