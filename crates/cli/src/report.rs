//! Writes what `treedef inspect` shows: the sizes, the tree, and the facts of the treedef.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use serde_json::json;

use crate::leaf::{Leaf, Size};
use crate::model::{self, Node, Sizes};
use crate::source::{Source, TreeOf};
use crate::style::{self, Style, bar, columns, cut, grouped, pad, pad_left, percent};

/// The number of rows of a tree without `--full` and `--depth`. A deeper tree shows its upper levels.
const MAX_ROWS: usize = 60;

/// The largest number of dtypes in the first line.
const MAX_DTYPES: usize = 4;

/// The widest bar.
const MAX_BAR: usize = 20;

/// How much of the trees is shown.
#[derive(Clone, Copy, Default)]
pub(crate) struct Extent {
    pub(crate) depth: Option<usize>,
    pub(crate) full: bool,
}

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

/// The rows of a tree.
struct Table {
    root: Row,
    rows: Vec<Row>,
    /// The number of rows that were left out.
    more: usize,
}

/// A node or a run of nodes in the table.
struct Row {
    /// The lines of the drawing before the label.
    lines: String,
    label: String,
    /// Whether there are nodes below that are not shown.
    hides: bool,
    kind: String,
    /// The sizes of the nodes with all copies.
    sizes: Sizes,
}

impl Table {
    fn new(tree: &Node, extent: Extent) -> Self {
        let depths = 1..=usize::try_from(tree.sizes.depth).unwrap_or(usize::MAX);
        let depth = match extent {
            Extent { depth: Some(depth), .. } => depth,
            Extent { full: true, .. } => usize::MAX,
            // The deepest level with which all rows fit.
            _ => depths.rev().find(|depth| tree.rows(*depth) <= MAX_ROWS).unwrap_or(1),
        };
        let mut rows = Vec::new();
        below(tree, "", 1, depth, &mut rows);
        let most = if extent.full || extent.depth.is_some() { usize::MAX } else { MAX_ROWS };
        let more = rows.len().saturating_sub(most);
        rows.truncate(most);
        let root = Row {
            lines: String::new(),
            label: if tree.is_leaf { kind(tree, 1) } else { tree.kind.clone() },
            hides: false,
            kind: String::new(),
            sizes: tree.sizes,
        };
        Self { root, rows, more }
    }

    /// Writes the table in the width of the style: the bar has what the other columns leave.
    fn write(&self, out: &mut String, style: Style, extent: Extent) -> fmt::Result {
        let all = || self.rows.iter().chain([&self.root]);
        let most = |width: &dyn Fn(&Row) -> usize| all().map(width).max().unwrap_or(0);
        let total = self.root.sizes;
        let is_sized = total.sized > 0;
        // Without sizes the share is one of leaves.
        let part = |sizes: Sizes| if is_sized { sizes.bytes } else { sizes.leaves };
        let whole = part(total);
        let numbers = |compact: bool| {
            let number: fn(u64) -> String = if compact { style::compact } else { grouped };
            move |sizes: Sizes| match (is_sized, sizes.leaves) {
                (_, 0) => [String::new(), String::new()],
                (false, leaves) => [number(leaves), String::new()],
                // Of leaves whose size is not known.
                _ if sizes.sized == 0 => [String::new(), String::new()],
                _ => [number(sizes.parameters), style::bytes(sizes.bytes)],
            }
        };
        let heads = |compact: bool| match (is_sized, compact) {
            (false, _) => ["leaves", ""],
            (true, false) => ["parameters", "bytes"],
            (true, true) => ["params", "bytes"],
        };
        let mut tree = most(&|row| columns(&row.lines) + columns(&row.text()));
        let mut kinds = most(&|row| columns(&row.kind));
        let widths = |compact: bool| {
            let numbers = numbers(compact);
            [0, 1].map(|at| {
                most(&|row| columns(&numbers(row.sizes)[at])).max(columns(heads(compact)[at]))
            })
        };
        // Two columns before each of the next ones; the share takes five.
        let room = |tree: usize, kinds: usize, widths: [usize; 2]| {
            let gap = |width: usize| if width == 0 { 0 } else { width + 2 };
            style.width as isize
                - (tree + gap(kinds) + gap(widths[0]) + gap(widths[1]) + gap(5)) as isize
        };
        let mut is_compact = false;
        let mut widths_now = widths(false);
        if room(tree, kinds, widths_now) < 8 {
            (is_compact, widths_now) = (true, widths(true));
        }
        // A narrow terminal takes from the types first, then the bytes, then the labels.
        if !extent.full {
            let lacks =
                |tree, kinds, widths| usize::try_from(-room(tree, kinds, widths)).unwrap_or(0);
            kinds -= lacks(tree, kinds, widths_now).min(kinds.saturating_sub(16));
            if lacks(tree, kinds, widths_now) > 0 {
                widths_now[1] = 0;
            }
            let least = most(&|row| columns(&row.lines)) + 4;
            tree -= lacks(tree, kinds, widths_now).min(tree.saturating_sub(least));
        }
        let bars = usize::try_from(room(tree, kinds, widths_now) - 2).unwrap_or(0).min(MAX_BAR);
        let bars = if bars < 4 { 0 } else { bars };
        let (numbers, heads) = (numbers(is_compact), heads(is_compact));
        let line = |out: &mut String, cells: [String; 6]| {
            let line: String = cells.concat();
            writeln!(out, "{}", line.trim_end())
        };
        let kind_cell = |text: &str| {
            if kinds == 0 { String::new() } else { format!("  {}", pad(&cut(text, kinds), kinds)) }
        };
        let number_cell = |text: &str, width: usize| {
            if width == 0 { String::new() } else { format!("  {}", pad_left(text, width)) }
        };
        line(
            out,
            [
                style.dim(pad(&cut(&self.root.text(), tree), tree)),
                kind_cell(""),
                style.dim(number_cell(heads[0], widths_now[0])),
                style.dim(number_cell(heads[1], widths_now[1])),
                style.dim("  share"),
                String::new(),
            ],
        )?;
        for row in &self.rows {
            let label = cut(&row.text(), tree.saturating_sub(columns(&row.lines)).max(1));
            let used = columns(&row.lines) + columns(&label);
            let [first, second] = numbers(row.sizes);
            let share = match (is_sized, row.sizes) {
                (true, Sizes { sized: 0, .. }) | (false, Sizes { leaves: 0, .. }) => String::new(),
                _ => percent(part(row.sizes), whole),
            };
            let share = format!("  {}", pad_left(&share, 5));
            line(
                out,
                [
                    style.dim(&row.lines) + &label + &" ".repeat(tree.saturating_sub(used)),
                    style.dim(kind_cell(&row.kind)),
                    number_cell(&first, widths_now[0]),
                    number_cell(&second, widths_now[1]),
                    share,
                    match bars {
                        0 => String::new(),
                        _ => format!("  {}", style.bar(bar(part(row.sizes), whole, bars))),
                    },
                ],
            )?;
        }
        if self.more > 0 {
            writeln!(out, "{}", style.dim(format!("… and {} more", grouped(self.more as u64))))?;
        }
        if extent.depth.is_none() && (self.more > 0 || self.rows.iter().any(|row| row.hides)) {
            writeln!(out, "{}", style.dim("… --depth N shows more levels, --full everything"))?;
        }
        Ok(())
    }
}

impl Row {
    fn text(&self) -> String {
        if self.hides { format!("{} …", self.label) } else { self.label.clone() }
    }
}

/// Adds the rows of at most `depth` levels below a node, of which there are `copies`.
fn below(node: &Node, lines: &str, copies: u64, depth: usize, rows: &mut Vec<Row>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    for (at, child) in node.children.iter().enumerate() {
        let is_last = at + 1 == node.children.len();
        let end = child.end();
        let copies = copies.saturating_mul(child.copies);
        rows.push(Row {
            lines: format!("{lines}{}", if is_last { "└─ " } else { "├─ " }),
            label: child.label(),
            hides: depth == 0 && !end.children.is_empty(),
            kind: kind_of_run(child, end, copies),
            sizes: child.sizes.times(copies),
        });
        let lines = format!("{lines}{}", if is_last { "   " } else { "│  " });
        below(end, &lines, copies, depth, rows);
    }
}

/// Describes a run of nodes: leaves with the number of all copies, so that the numbers of the row follow from it, and
/// other nodes with that of the run.
pub(crate) fn kind_of_run(first: &Node, end: &Node, copies: u64) -> String {
    match (end.is_leaf, first.copies) {
        (true, _) => kind(end, copies),
        (false, 1) if end.is_dict => String::new(),
        (false, 1) => end.kind.clone(),
        (false, run) if end.is_dict => format!("× {}", grouped(run)),
        (false, run) => format!("{} × {}", end.kind, grouped(run)),
    }
}

/// Describes a leaf, of which there are `copies`.
fn kind(leaf: &Node, copies: u64) -> String {
    let text = match &leaf.leaf {
        None => leaf.kind.clone(),
        Some(known) => match &known.value {
            Some(value) if copies == 1 && known.kind.dtype == "str" => format!("{value:?}"),
            Some(value) if copies == 1 => value.clone(),
            _ => known.kind.to_string(),
        },
    };
    if copies == 1 { text } else { format!("{} × {text}", grouped(copies)) }
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
