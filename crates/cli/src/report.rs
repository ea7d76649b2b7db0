//! Writes what `treedef inspect` shows: the sizes, the tree, and the facts of the treedef.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};

use serde::ser::{Serialize, SerializeMap, Serializer};
use treedef::KeyPath;

use crate::facts;
use crate::leaf::{Leaf, Size};
use crate::model::{Node, Sizes};
use crate::output::Escaped;
use crate::record;
use crate::source::{Row, Source, TreeOf};
use crate::style::{self, Style, columns, cut, cut_middle, grouped, pad, percent, plain};
use crate::table::{Extent, Table};

/// The largest number of dtypes in the first line.
const MAX_DTYPES: usize = 4;

/// The largest number of columns of a dtype there. That of a record has all names of its fields.
const MAX_DTYPE: usize = 40;

/// Writes the report on a file.
pub(crate) fn text(
    out: &mut dyn Write,
    name: &str,
    source: &Source,
    trees: &[Node<'_>],
    extent: Extent,
    style: Style,
) -> io::Result<()> {
    for (at, (part, tree)) in source.parts.iter().zip(trees).enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        let title = match (at, part.title.as_str()) {
            (0, "") => name.into(),
            (0, title) => format!("{name}, {title}"),
            (_, title) => title.into(),
        };
        if source.rows.is_empty() || extent.depth.is_some() {
            write_part(out, &title, part, tree, extent, style)?;
        } else {
            write_values(out, &title, part, &source.rows, style)?;
        }
    }
    if source.parts.is_empty() {
        writeln!(out, "{}", style.bold(name))?;
    }
    if source.parts.len() > 1 && !source.facts.is_empty() {
        writeln!(out)?;
    }
    for (name, text) in &source.facts {
        fact(out, name, text, extent, style)?;
    }
    Ok(())
}

fn write_part(
    out: &mut dyn Write,
    title: &str,
    part: &TreeOf,
    tree: &Node<'_>,
    extent: Extent,
    style: Style,
) -> io::Result<()> {
    let width = if extent.full { usize::MAX } else { style.width };
    let (title, summary) = heading(title, &summary(part), width);
    writeln!(out, "{}  {summary}\n", style.bold(title))?;
    Table::new(tree, part.separator, extent).write(out, style, extent)?;
    writeln!(out)?;
    for (name, text) in facts::of_model(part) {
        fact(out, name, &text, extent, style)?;
    }
    if !extent.shows_treedef(part) {
        return Ok(());
    }
    for (name, text) in facts::of_treedef(part, tree.sizes) {
        fact(out, name, &text, extent, style)?;
    }
    let def = part.def.as_treedef();
    if extent.full {
        return writeln!(out, "{}{def}", style.dim(pad("JAX", 13)));
    }
    fact(out, "JAX", &shortened(style.width, format_args!("{def}")), extent, style)
}

/// Writes the values of a record, a line each: path, type, value.
fn write_values(
    out: &mut dyn Write,
    title: &str,
    part: &TreeOf,
    rows: &[Row],
    style: Style,
) -> io::Result<()> {
    writeln!(out, "{}  {}\n", style.bold(title), summary(part))?;
    let width = |text: fn(&Row) -> &str| rows.iter().map(|row| columns(text(row))).max();
    let widths = [width(|row| &row.path), width(|row| &row.kind)].map(Option::unwrap_or_default);
    for Row { path, kind, value, .. } in rows {
        let kind = style.dim(pad(kind, widths[1]));
        writeln!(out, "{}  {kind}  {}", pad(&plain(path), widths[0]), plain(value))?;
    }
    writeln!(out)
}

/// The columns that a title keeps in a heading.
const MIN_TITLE: usize = 24;

/// Shortens a title and what is said of it, so that both have a place in a line: the title loses letters in the middle before the
/// rest loses its end.
fn heading(title: &str, text: &str, width: usize) -> (String, String) {
    let title = cut_middle(title, width.saturating_sub(columns(text) + 2).max(MIN_TITLE));
    let text = cut(text, width.saturating_sub(columns(&title) + 2).max(1));
    (title, text)
}

/// Writes a line with a name in front.
fn fact(
    out: &mut dyn Write,
    name: &str,
    text: &str,
    extent: Extent,
    style: Style,
) -> io::Result<()> {
    let room = if extent.full { usize::MAX } else { style.width.saturating_sub(13).max(20) };
    writeln!(out, "{}{}", style.dim(pad(name, 13)), cut(text, room))
}

/// Summarizes a tree in a line: the parameters, the bytes and the dtypes.
pub(crate) fn summary(part: &TreeOf) -> String {
    if let Some(page) = record::page(part.def.as_treedef()) {
        return page;
    }
    let (sizes, dtypes) = part.sizes();
    let dtypes: Vec<_> = dtypes.into_iter().map(|(name, of)| (cut(name, MAX_DTYPE), of)).collect();
    let leaves = if sizes.leaves == 1 { "leaf" } else { "leaves" };
    let s = if sizes.parameters == 1 { "" } else { "s" };
    let number = at_least(sizes, sizes.counted, grouped(sizes.parameters));
    let parameters = format!("{number} parameter{s}");
    if sizes.sized == 0 {
        let kinds: Vec<_> =
            dtypes.iter().map(|(name, of)| format!("{} {name}", grouped(of.leaves))).collect();
        let kinds =
            if kinds.is_empty() { String::new() } else { format!(": {}", kinds.join(", ")) };
        let counted = if sizes.counted > 0 { format!("{parameters} in ") } else { String::new() };
        return format!("{counted}{} {leaves}{kinds}", grouped(sizes.leaves));
    }
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
        "{parameters} · {} · {}",
        at_least(sizes, sizes.sized, style::bytes(sizes.bytes)),
        kinds.join(", ")
    )
}

/// Writes the report as JSON.
pub(crate) fn json(
    out: &mut dyn Write,
    name: &str,
    source: &Source,
    trees: &[Node<'_>],
) -> io::Result<()> {
    serde_json::to_writer_pretty(
        Escaped { out: &mut *out, is_json: true },
        &Report { name, source, trees },
    )?;
    writeln!(out)
}

/// A report for programs. The keys of its objects are in the order of their letters.
struct Report<'r> {
    name: &'r str,
    source: &'r Source,
    trees: &'r [Node<'r>],
}

impl Serialize for Report<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut map = out.serialize_map(None)?;
        if !self.source.rows.is_empty() {
            let choices = || self.source.rows.iter().filter(|row| !row.is_leaf);
            map.serialize_entry("choices", &Items(choices))?;
        }
        map.serialize_entry("facts", &self.source.facts)?;
        map.serialize_entry("file", self.name)?;
        map.serialize_entry("format", self.source.format)?;
        let trees = || self.source.parts.iter().zip(self.trees);
        map.serialize_entry(
            "trees",
            &Items(|| trees().map(|(part, tree)| TreeReport { part, tree })),
        )?;
        map.end()
    }
}

/// What the type of a record leaves open.
impl Serialize for Row {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut map = out.serialize_map(None)?;
        map.serialize_entry("kind", &self.kind)?;
        map.serialize_entry("path", &self.path)?;
        map.serialize_entry("value", &self.value)?;
        map.end()
    }
}

/// A list that is made while it is written.
struct Items<F>(F);

impl<I: IntoIterator<Item: Serialize>, F: Fn() -> I> Serialize for Items<F> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_seq((self.0)())
    }
}

/// A text that is made while it is written.
struct Text<T>(T);

impl<T: fmt::Display> Serialize for Text<T> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(&self.0)
    }
}

struct TreeReport<'r> {
    part: &'r TreeOf,
    tree: &'r Node<'r>,
}

impl Serialize for TreeReport<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let (def, sizes) = (self.part.def.as_treedef(), self.tree.sizes);
        let mut map = out.serialize_map(None)?;
        map.serialize_entry("bytes", &sizes.bytes)?;
        map.serialize_entry("depth", &sizes.depth)?;
        let dtypes: BTreeMap<_, _> = self.part.sizes().1.into_iter().collect();
        map.serialize_entry("dtypes", &dtypes)?;
        let separator = self.part.separator;
        let leaf = |at| self.part.leaves.as_ref().and_then(|leaves| leaves.get(at));
        let leaves = || {
            def.paths().enumerate().map(|(at, path)| LeafReport { path, leaf: leaf(at), separator })
        };
        map.serialize_entry("leaves", &Items(leaves))?;
        map.serialize_entry("leaves_without_size", &(sizes.leaves - sizes.sized))?;
        map.serialize_entry("num_leaves", &sizes.leaves)?;
        map.serialize_entry("num_nodes", &sizes.nodes)?;
        map.serialize_entry("parameters", &sizes.parameters)?;
        map.serialize_entry("title", &self.part.title)?;
        map.serialize_entry("treedef", &TreeDefReport { part: self.part, plain: sizes.plain })?;
        map.end()
    }
}

/// The sizes of the leaves of a dtype.
impl Serialize for Sizes {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut map = out.serialize_map(None)?;
        map.serialize_entry("bytes", &self.bytes)?;
        map.serialize_entry("leaves", &self.leaves)?;
        map.serialize_entry("parameters", &self.parameters)?;
        map.end()
    }
}

struct LeafReport<'r> {
    path: KeyPath<'r, 'r>,
    leaf: Option<&'r Leaf>,
    /// What is between the parts of a name in the file, if its leaves have names.
    separator: Option<&'r str>,
}

impl Serialize for LeafReport<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut map = out.serialize_map(None)?;
        if let Some(Leaf { kind, .. }) = self.leaf {
            map.serialize_entry("bytes", &kind.bytes())?;
            map.serialize_entry("dtype", &kind.dtype)?;
            if let Some(memory) = &kind.memory {
                map.serialize_entry("memory", memory)?;
            }
        }
        match (self.leaf.and_then(|leaf| leaf.name.as_ref()), self.separator) {
            (Some(name), _) => map.serialize_entry("name", name)?,
            (None, Some(sign)) => {
                map.serialize_entry("name", &Text(self.path.keystr_simple(sign)))?
            }
            _ => {}
        }
        if let Some(Leaf { kind, .. }) = self.leaf {
            map.serialize_entry("parameters", &kind.elements())?;
        }
        map.serialize_entry("path", &Text(self.path.keystr()))?;
        if let Some(Leaf { kind, value, .. }) = self.leaf {
            map.serialize_entry("shape", &kind.shape)?;
            if let Some(sharding) = kind.sharding() {
                map.serialize_entry("sharding", &sharding)?;
            }
            if let Some(value) = value {
                map.serialize_entry("value", value)?;
            }
            if kind.is_weak() {
                map.serialize_entry("weak_type", &true)?;
            }
        }
        map.end()
    }
}

impl Serialize for Size {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self.value() {
            Ok(size) => size.serialize(out),
            Err(text) => text.serialize(out),
        }
    }
}

struct TreeDefReport<'r> {
    part: &'r TreeOf,
    plain: u64,
}

impl Serialize for TreeDefReport<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let def = self.part.def.as_treedef();
        let mut map = out.serialize_map(None)?;
        map.serialize_entry("bytes", &def.as_bytes().len())?;
        map.serialize_entry("bytes_without_repeats", &self.plain)?;
        if let Some(print) = self.part.call_key() {
            map.serialize_entry("call_key_fingerprint", &Text(format_args!("{print:016x}")))?;
        }
        let print = def.fingerprint();
        map.serialize_entry("fingerprint", &Text(format_args!("{print:016x}")))?;
        map.serialize_entry("jax", &Text(def))?;
        map.end()
    }
}

/// Marks a number that is known of some leaves, if there are others.
fn at_least(sizes: Sizes, known: u64, number: String) -> String {
    if known < sizes.leaves { format!("≥ {number}") } else { number }
}

/// Returns at most `most` characters of a text. Formatting stops there.
pub(crate) fn shortened(most: usize, text: fmt::Arguments<'_>) -> String {
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
    if fmt::write(&mut short, text).is_err() {
        short.text.push('…');
    }
    short.text
}
