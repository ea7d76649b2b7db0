//! The table of a tree: labels with the lines of a drawing, types, numbers and bars, in the width of a terminal.

use std::io::{self, Write};

use crate::model::{Node, Sizes};
use crate::source::TreeOf;
use crate::style::{
    self, Style, bar, columns, cut, cut_middle, grouped, pad, pad_left, percent, plain,
};

/// How much of a tree is shown.
#[derive(Clone, Copy, Default)]
pub(crate) struct Extent {
    pub(crate) depth: Option<usize>,
    pub(crate) full: bool,
    /// Whether the facts of the treedef are shown.
    pub(crate) treedef: bool,
}

impl Extent {
    /// Whether the facts of a treedef are shown. Of a file without types of leaves there are no others.
    pub(crate) fn shows_treedef(self, part: &TreeOf) -> bool {
        self.treedef || part.leaves.is_none()
    }
}

/// The number of rows of a tree without `--full` and `--depth`. A deeper tree shows its upper levels.
const MAX_ROWS: usize = 60;

/// The widest bar, and the narrowest one that says something.
const MAX_BAR: usize = 20;
const MIN_BAR: usize = 4;

/// The columns of a percentage.
const PERCENT: usize = 5;

/// The rows of a tree. They are made when they are written, and before that when they are measured.
pub(crate) struct Table<'t, 'a> {
    tree: &'t Node<'a>,
    /// What is between the parts of a name in the file.
    separator: Option<&'static str>,
    root: Row,
    /// The number of levels that are shown.
    depth: usize,
    /// The number of rows that are shown, and of those that are left out.
    most: usize,
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

impl<'t, 'a> Table<'t, 'a> {
    pub(crate) fn new(tree: &'t Node<'a>, separator: Option<&'static str>, extent: Extent) -> Self {
        let mut levels = Vec::new();
        tree.count_rows(0, &mut levels);
        let rows = |depth: usize| -> usize { levels.iter().take(depth).sum() };
        let depth = match extent {
            Extent { depth: Some(depth), .. } => depth,
            Extent { full: true, .. } => usize::MAX,
            // The deepest level with which all rows fit.
            _ => (1..=levels.len()).rev().find(|depth| rows(*depth) <= MAX_ROWS).unwrap_or(1),
        };
        let most = if extent.full || extent.depth.is_some() { usize::MAX } else { MAX_ROWS };
        let root = Row {
            lines: String::new(),
            label: if tree.is_leaf() { kind(tree, 1) } else { tree.kind() },
            hides: false,
            kind: String::new(),
            sizes: tree.sizes,
        };
        Self { tree, separator, root, depth, most, more: rows(depth).saturating_sub(most) }
    }

    /// Calls a function with each row that is shown.
    fn rows(&self, row: &mut dyn FnMut(Row) -> io::Result<()>) -> io::Result<()> {
        let mut below = Below { separator: self.separator, left: self.most, row };
        below.rows(self.tree, "", 1, self.depth)
    }

    /// Writes the table in the width of the style.
    pub(crate) fn write(
        &self,
        out: &mut dyn Write,
        style: Style,
        extent: Extent,
    ) -> io::Result<()> {
        let layout = Layout::of(self, style.width, extent.full);
        let heads = self.heads(layout.is_compact);
        let line = |out: &mut dyn Write, cells: [String; 5]| {
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
        let mut hides = false;
        self.rows(&mut |row| {
            hides |= row.hides;
            let [first, second] = self.numbers(&row, layout.is_compact);
            let (part, whole) =
                (row.sizes.part(self.root.sizes), self.root.sizes.part(self.root.sizes));
            let share = if self.is_known(row.sizes) { percent(part, whole) } else { String::new() };
            line(
                out,
                [
                    layout.label(&row, style),
                    layout.number(0, &first),
                    layout.number(1, &second),
                    format!("  {}", pad_left(&share, PERCENT)),
                    match layout.bars {
                        0 => String::new(),
                        bars => format!("  {}", style.bar(bar(part, whole, bars))),
                    },
                ],
            )
        })?;
        if self.more > 0 {
            writeln!(
                out,
                "{}",
                style.dim(format_args!("… and {} more", grouped(self.more as u64)))
            )?;
        }
        if extent.depth.is_none() && (self.more > 0 || hides) {
            writeln!(out, "{}", style.dim("… --depth N shows more levels, --full everything"))?;
        }
        Ok(())
    }

    /// Whether what the shares compare is known of a row.
    fn is_known(&self, sizes: Sizes) -> bool {
        match self.root.sizes {
            Sizes { sized: 1.., .. } => sizes.sized > 0,
            Sizes { counted: 1.., .. } => sizes.counted > 0,
            _ => sizes.leaves > 0,
        }
    }

    /// The names of the columns of numbers.
    fn heads(&self, is_compact: bool) -> [&'static str; 2] {
        let parameters = if is_compact { "params" } else { "parameters" };
        match self.root.sizes {
            Sizes { sized: 1.., .. } => [parameters, "bytes"],
            Sizes { counted: 1.., .. } => ["leaves", parameters],
            _ => ["leaves", ""],
        }
    }

    /// The numbers of a row: empty if nothing is known.
    fn numbers(&self, row: &Row, is_compact: bool) -> [String; 2] {
        let number: fn(u64) -> String = if is_compact { style::compact } else { grouped };
        let sizes = row.sizes;
        let some = |known: u64, text: String| if known > 0 { text } else { String::new() };
        let leaves = some(sizes.leaves, number(sizes.leaves));
        let parameters = some(sizes.counted, number(sizes.parameters));
        match self.root.sizes.sized {
            0 => [leaves, parameters],
            _ => [parameters, some(sizes.sized, style::bytes(sizes.bytes))],
        }
    }
}

/// The columns of a table.
///
/// Exact numbers come first, then a bar in what is left. If there is too little for a bar, numbers are short; if there is too
/// little for labels and types, the bytes go, because a label is a name that a reader copies; only if that is not enough, labels
/// that collide with their types lose letters in the middle.
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

/// The columns of the widest cells: numbers, labels with their lines, types, and both of these in a row.
#[derive(Default)]
struct Widths {
    exact: [usize; 2],
    compact: [usize; 2],
    label: usize,
    kind: usize,
    both: usize,
}

impl Widths {
    /// Measures a table in which types have at most `widest` columns.
    fn of(table: &Table<'_, '_>, widest: usize) -> Self {
        let mut most = Self::default();
        let add = |most: &mut [usize; 2], cells: [&str; 2]| {
            for (most, cell) in most.iter_mut().zip(cells) {
                *most = columns(cell).max(*most);
            }
        };
        add(&mut most.exact, table.heads(false));
        add(&mut most.compact, table.heads(true));
        // Measuring does not fail.
        let _ = table.rows(&mut |row| {
            add(&mut most.exact, table.numbers(&row, false).each_ref().map(String::as_str));
            add(&mut most.compact, table.numbers(&row, true).each_ref().map(String::as_str));
            let (label, kind) = (row.columns(), columns(&row.kind).min(widest));
            most.label = most.label.max(label);
            most.kind = most.kind.max(kind);
            most.both = most.both.max(label + with_gap(kind));
            Ok(())
        });
        most
    }
}

impl Layout {
    fn of(table: &Table<'_, '_>, width: usize, is_full: bool) -> Self {
        // A value can be a long text.
        let most = Widths::of(table, if is_full { usize::MAX } else { width / 2 });
        let right =
            |[first, second]: [usize; 2]| with_gap(first) + with_gap(second) + with_gap(PERCENT);
        let kinds = with_gap(most.kind);
        let mut left = columns(&table.root.label).max(most.label + kinds);
        let (mut is_compact, mut numbers) = (false, most.exact);
        if left + right(numbers) + with_gap(MIN_BAR) + 2 > width {
            (is_compact, numbers) = (true, most.compact);
        }
        if !is_full && left + right(numbers) > width {
            // A label is a name, which is read whole.
            if most.both + right(numbers) > width {
                numbers[1] = 0;
            }
            left = left.min(width.saturating_sub(right(numbers)));
        }
        let bars = width.saturating_sub(left + right(numbers) + 2).min(MAX_BAR);
        Self {
            left,
            types: left.saturating_sub(kinds),
            numbers,
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
        let kind = with_gap(columns(&row.kind)).min(self.left - self.types);
        let room = self.left.saturating_sub(lines + kind).max(4);
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

/// A function that is called with rows, until none is `left`.
struct Below<'b> {
    separator: Option<&'static str>,
    left: usize,
    row: &'b mut dyn FnMut(Row) -> io::Result<()>,
}

impl Below<'_> {
    /// Calls the function with the rows of at most `depth` levels below a node, of which there are `copies`.
    fn rows(&mut self, node: &Node<'_>, lines: &str, copies: u64, depth: usize) -> io::Result<()> {
        let Some(depth) = depth.checked_sub(1) else { return Ok(()) };
        for (at, child) in node.children.iter().enumerate() {
            self.left = match self.left.checked_sub(1) {
                None => return Ok(()),
                Some(left) => left,
            };
            let is_last = at + 1 == node.children.len();
            let end = child.end();
            let copies = copies.saturating_mul(child.copies);
            (self.row)(Row {
                lines: format!("{lines}{}", if is_last { "└─ " } else { "├─ " }),
                label: child.label(self.separator),
                hides: depth == 0 && !end.children.is_empty(),
                kind: kind_of_run(child, end, copies),
                sizes: child.sizes.times(copies),
            })?;
            let lines = format!("{lines}{}", if is_last { "   " } else { "│  " });
            self.rows(end, &lines, copies, depth)?;
        }
        Ok(())
    }
}

/// Describes a run of nodes: leaves with the number of all copies, so that the numbers of the row follow from it, and
/// other nodes with that of the run.
pub(crate) fn kind_of_run(first: &Node<'_>, end: &Node<'_>, copies: u64) -> String {
    match (end.is_leaf(), first.copies) {
        (true, _) => kind(end, copies),
        (false, 1) if end.is_dict() => String::new(),
        (false, 1) => end.kind(),
        (false, run) if end.is_dict() => format!("× {}", grouped(run)),
        (false, run) => format!("{} × {}", end.kind(), grouped(run)),
    }
}

/// Describes a leaf, of which there are `copies`.
fn kind(leaf: &Node<'_>, copies: u64) -> String {
    let text = match leaf.leaf {
        None => leaf.kind(),
        Some(known) => match &known.value {
            Some(value) if copies == 1 && known.kind.dtype == "str" => plain(&format!("{value:?}")),
            Some(value) if copies == 1 => value.to_string(),
            _ => known.kind.to_string(),
        },
    };
    if copies == 1 { text } else { format!("{} × {text}", grouped(copies)) }
}
