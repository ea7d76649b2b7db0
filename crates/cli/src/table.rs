//! The table of a tree: labels with the lines of a drawing, types, numbers and bars, in the width of a terminal.

use std::fmt::{self, Write as _};

use crate::model::{Node, Sizes};
use crate::style::{self, Style, bar, columns, cut, cut_middle, grouped, pad, pad_left, percent};

/// How much of a tree is shown.
#[derive(Clone, Copy, Default)]
pub(crate) struct Extent {
    pub(crate) depth: Option<usize>,
    pub(crate) full: bool,
}

/// The number of rows of a tree without `--full` and `--depth`. A deeper tree shows its upper levels.
const MAX_ROWS: usize = 60;

/// The widest bar, and the narrowest one that says something.
const MAX_BAR: usize = 20;
const MIN_BAR: usize = 4;

/// The columns of a percentage.
const PERCENT: usize = 5;

/// The rows of a tree.
pub(crate) struct Table {
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
    pub(crate) fn new(tree: &Node, extent: Extent) -> Self {
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

    /// Writes the table in the width of the style.
    pub(crate) fn write(&self, out: &mut String, style: Style, extent: Extent) -> fmt::Result {
        let layout = Layout::of(self, style.width, extent.full);
        let heads = self.heads(layout.is_compact);
        let line = |out: &mut String, cells: [String; 5]| {
            let line: String = cells.concat();
            writeln!(out, "{}", line.trim_end())
        };
        line(
            out,
            [
                style.dim(pad(&cut(&self.root.label, layout.left), layout.left)),
                style.dim(layout.number(0, heads[0])),
                style.dim(layout.number(1, heads[1])),
                style.dim(format_args!("  {}", pad_left("share", PERCENT))),
                String::new(),
            ],
        )?;
        for row in &self.rows {
            let [first, second] = self.numbers(row, layout.is_compact);
            let (part, whole) = (self.part(row.sizes), self.part(self.root.sizes));
            let share = if first.is_empty() { String::new() } else { percent(part, whole) };
            line(
                out,
                [
                    layout.label(row, style),
                    layout.number(0, &first),
                    layout.number(1, &second),
                    format!("  {}", pad_left(&share, PERCENT)),
                    match layout.bars {
                        0 => String::new(),
                        bars => format!("  {}", style.bar(bar(part, whole, bars))),
                    },
                ],
            )?;
        }
        if self.more > 0 {
            writeln!(
                out,
                "{}",
                style.dim(format_args!("… and {} more", grouped(self.more as u64)))
            )?;
        }
        if extent.depth.is_none() && (self.more > 0 || self.rows.iter().any(|row| row.hides)) {
            writeln!(out, "{}", style.dim("… --depth N shows more levels, --full everything"))?;
        }
        Ok(())
    }

    /// Whether any size is known. Otherwise the leaves are counted.
    fn is_sized(&self) -> bool {
        self.root.sizes.sized > 0
    }

    /// What the shares and the bars compare.
    fn part(&self, sizes: Sizes) -> u64 {
        if self.is_sized() { sizes.bytes } else { sizes.leaves }
    }

    /// The names of the columns of numbers.
    fn heads(&self, is_compact: bool) -> [&'static str; 2] {
        match (self.is_sized(), is_compact) {
            (false, _) => ["leaves", ""],
            (true, false) => ["parameters", "bytes"],
            (true, true) => ["params", "bytes"],
        }
    }

    /// The numbers of a row: empty if nothing is known.
    fn numbers(&self, row: &Row, is_compact: bool) -> [String; 2] {
        let number: fn(u64) -> String = if is_compact { style::compact } else { grouped };
        let sizes = row.sizes;
        match (self.is_sized(), sizes) {
            (_, Sizes { leaves: 0, .. }) | (true, Sizes { sized: 0, .. }) => Default::default(),
            (false, _) => [number(sizes.leaves), String::new()],
            (true, _) => [number(sizes.parameters), style::bytes(sizes.bytes)],
        }
    }
}

/// The columns of a table.
///
/// Exact numbers come first, then a bar in what is left. If there is too little for a bar, numbers are short; if there is too
/// little for labels and types, the bytes go; then labels that collide with their types lose letters in the middle.
struct Layout {
    /// The columns of labels and types, and the column at which types begin: later after a long label.
    left: usize,
    types: usize,
    /// The columns of both numbers.
    numbers: [usize; 2],
    is_compact: bool,
    /// The columns of a whole bar.
    bars: usize,
}

/// Returns the columns of a cell with the space before it; an empty one takes none.
fn with_gap(width: usize) -> usize {
    if width == 0 { 0 } else { width + 2 }
}

impl Layout {
    fn of(table: &Table, width: usize, is_full: bool) -> Self {
        let most = |width: &dyn Fn(&Row) -> usize| table.rows.iter().map(width).max().unwrap_or(0);
        let numbers = |is_compact: bool| {
            let heads = table.heads(is_compact);
            [0, 1].map(|at| {
                most(&|row| columns(&table.numbers(row, is_compact)[at])).max(columns(heads[at]))
            })
        };
        let right =
            |[first, second]: [usize; 2]| with_gap(first) + with_gap(second) + with_gap(PERCENT);
        let kinds = with_gap(most(&|row| columns(&row.kind)));
        let mut left = columns(&table.root.label).max(most(&|row| row.columns()) + kinds);
        let (mut is_compact, mut numbers_now) = (false, numbers(false));
        if left + right(numbers_now) + with_gap(MIN_BAR) + 2 > width {
            (is_compact, numbers_now) = (true, numbers(true));
        }
        if !is_full && left + right(numbers_now) > width {
            // A label may lose some letters.
            let needed =
                most(&|row| row.columns() + with_gap(columns(&row.kind))).saturating_sub(8);
            if needed + right(numbers_now) > width {
                numbers_now[1] = 0;
            }
            left = left.min(width.saturating_sub(right(numbers_now)));
        }
        let bars = width.saturating_sub(left + right(numbers_now) + 2).min(MAX_BAR);
        Self {
            left,
            types: left.saturating_sub(kinds),
            numbers: numbers_now,
            is_compact,
            bars: if bars < MIN_BAR { 0 } else { bars },
        }
    }

    /// The cell of a number.
    fn number(&self, at: usize, text: &str) -> String {
        match self.numbers[at] {
            0 => String::new(),
            width => format!("  {}", pad_left(text, width)),
        }
    }

    /// The cell of the label and the type of a row.
    fn label(&self, row: &Row, style: Style) -> String {
        let lines = columns(&row.lines);
        // Four letters of a label remain.
        let room = self.left.saturating_sub(lines + with_gap(columns(&row.kind))).max(4);
        let label = cut_middle(&row.text(), room);
        let used = lines + columns(&label);
        let start = used.max(self.types);
        let kind = match self.left.saturating_sub(start + 2) {
            0 => String::new(),
            room => format!("  {}", pad(&cut(&row.kind, room), room)),
        };
        let space = " ".repeat(start - used);
        style.dim(&row.lines) + &label + &space + &style.dim(kind)
    }
}

impl Row {
    /// The columns of the lines and the label.
    fn columns(&self) -> usize {
        columns(&self.lines) + columns(&self.text())
    }

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
