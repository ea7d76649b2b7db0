//! Draws trees for a browser: as an SVG picture, and as a page with the picture and a tree that opens and closes.
//!
//! In the picture every level has a column, and every node a block as tall as its share of the bytes, beside the block of
//! its parent. Blocks of equal height are equally large, wherever they are. The colour of a block is the dtype of its leaves; a
//! block with leaves of several dtypes is grey. The key below the blocks names the colours.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::facts::{self, Fact};
use crate::model::{Node, Sizes};
use crate::report::{shortened, summary};
use crate::source::{Source, TreeOf};
use crate::style::{bytes, cut, grouped, is_hidden, percent};
use crate::table::{Extent, kind_of_run};

/// The width of the picture, and the height of the blocks of a tree, in pixels.
const WIDTH: f64 = 1200.0;
const HEIGHT: f64 = 560.0;

/// The height of the heading above the blocks, and of the key below them.
const HEADING: f64 = 56.0;
const FOOT: f64 = 48.0;

/// The largest number of columns. Deeper nodes are too narrow to be read.
const MAX_LEVELS: usize = 12;

/// The height of the smallest block that is drawn, and of the smallest with a label.
const MIN_BLOCK: f64 = 0.5;
const MIN_LABEL: f64 = 13.0;

/// The width of a letter of a label. Fonts differ; this is wider than the mean of common ones.
const LETTER: f64 = 6.6;

/// The hues of common dtypes, of which each always has its own.
const HUES: [(&str, u32); 8] = [
    ("f32", 212),
    ("bf16", 150),
    ("f16", 182),
    ("f64", 245),
    ("i8", 42),
    ("u8", 62),
    ("i32", 22),
    ("i64", 2),
];

/// The hues of other dtypes, those with the most bytes first. What is left is grey.
const OTHER_HUES: [u32; 4] = [285, 322, 95, 265];

/// The largest length of JAX's text.
const MAX_TEXT: usize = 400;

const SVG_STYLE: &str = "\
svg { font: 12px system-ui, sans-serif; background: #fff; color: #1a1a1a; }
.name { font-size: 18px; font-weight: 600; fill: currentColor; }
.about { font-size: 13px; fill: currentColor; opacity: .7; }
rect { stroke: #fff; }
.size { opacity: .6; }
@media (prefers-color-scheme: dark) { svg { background: #16181c; color: #e8e8e8; } rect { stroke: #16181c; } }
";

const PAGE_STYLE: &str = "\
:root { color-scheme: light dark; }
body { font: 14px system-ui, sans-serif; max-width: 1200px; margin: 24px auto; padding: 0 16px; }
.picture { overflow-x: auto; }
.picture svg { display: block; width: 100%; min-width: 1000px; height: auto; background: none; }
.tree { font-size: 13px; margin: 16px 0 32px; }
.row { display: grid; grid-template-columns: minmax(14em, 1fr) 15em 9em 7em 4em 10em; gap: 0 1em; padding: 2px 0; }
.row:hover { background: #8882; }
.label, .type { overflow-wrap: anywhere; }
.label { padding-left: calc(var(--depth, 0) * 1.4em); }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.type, .head { opacity: .65; }
.bar { display: block; background: #4a8fc7; height: 10px; margin-top: 4px; border-radius: 2px; }
summary { list-style: none; cursor: pointer; }
summary .label::before { content: '▸ '; opacity: .5; }
details[open] > summary .label::before { content: '▾ '; }
div.row .label::before { content: '\\2003\\00a0'; }
table { font-size: 13px; border-spacing: 0 4px; }
th { text-align: left; font-weight: normal; opacity: .65; padding-right: 2em; vertical-align: top; }
td { overflow-wrap: anywhere; }
@media (max-width: 900px) {
  .row { grid-template-columns: minmax(0, 1fr) auto 3em; padding: 4px 0; }
  .label, .type { grid-column: 1; padding-left: calc(var(--depth, 0) * .9em); }
  .type { grid-row: 2; text-indent: 1.2em; }
  .type + .number { grid-area: 1 / 2 / 2 / 4; }
  .bar-of { grid-area: 3 / 1 / 4 / 4; }
  .bar { height: 3px; }
  th { padding-right: 1em; }
}
";

/// Writes the picture of the trees of a file.
pub(crate) fn svg(
    out: &mut dyn Write,
    name: &str,
    source: &Source,
    trees: &[Node<'_>],
) -> io::Result<()> {
    let each = HEADING + HEIGHT + FOOT;
    let height = each * trees.len() as f64;
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" role=\"img\">\n<style>\n{SVG_STYLE}</style>"
    )?;
    let colors = Colors::of(source);
    for (at, (part, tree)) in source.parts.iter().zip(trees).enumerate() {
        let top = each * at as f64;
        let (name, about) = (escape(&title(name, part)), escape(&summary(part)));
        writeln!(out, "<text class=\"name\" x=\"16\" y=\"{}\">{name}</text>", top + 24.0)?;
        writeln!(out, "<text class=\"about\" x=\"16\" y=\"{}\">{about}</text>", top + 44.0)?;
        let levels = levels(tree, 1, tree.sizes).clamp(1, MAX_LEVELS);
        let picture = Picture {
            root: tree.sizes,
            top: top + HEADING,
            column: (WIDTH - 32.0) / levels as f64,
            levels,
            separator: part.separator,
            colors: &colors,
        };
        picture.blocks(out, tree, 0, 0.0, 1, "")?;
        picture.key(out, part)?;
    }
    writeln!(out, "</svg>")
}

/// Returns the title of a tree of a file.
fn title(name: &str, part: &TreeOf) -> String {
    if part.title.is_empty() { name.into() } else { format!("{name}, {}", part.title) }
}

/// Returns the number of levels below `copies` of a node that have blocks. A chain of single children is one level.
fn levels(node: &Node<'_>, copies: u64, root: Sizes) -> usize {
    let below = node.children.iter().map(|child| {
        let copies = copies.saturating_mul(child.copies);
        let share = share(child.sizes.times(copies), root);
        if share * HEIGHT < MIN_BLOCK { 0 } else { 1 + levels(child.end(), copies, root) }
    });
    below.max().unwrap_or(0)
}

/// Returns the share of a node in the tree, from 0 to 1.
fn share(sizes: Sizes, root: Sizes) -> f64 {
    sizes.part(root) as f64 / root.part(root).max(1) as f64
}

/// The hue of each dtype of a file; `None` is grey.
struct Colors<'s>(BTreeMap<&'s str, Option<u32>>);

impl<'s> Colors<'s> {
    fn of(source: &'s Source) -> Self {
        let mut others = OTHER_HUES.into_iter();
        let mut hues = BTreeMap::new();
        for (dtype, _) in source.parts.iter().flat_map(|part| part.sizes().1) {
            let common = HUES.iter().find(|(known, _)| *known == dtype).map(|(_, hue)| *hue);
            hues.entry(dtype).or_insert_with(|| common.or_else(|| others.next()));
        }
        Self(hues)
    }

    /// Returns the colour of what has a dtype, or several. It is lighter on each level.
    fn fill(&self, dtype: Option<&str>, level: usize) -> String {
        let light = 84 - 2 * level.min(6);
        match dtype.and_then(|dtype| self.0.get(dtype).copied().flatten()) {
            Some(hue) => format!("hsl({hue} 52% {light}%)"),
            None => format!("hsl(215 8% {light}%)"),
        }
    }
}

/// Returns the dtype of all leaves below a node, if it is one.
fn dtype<'n>(node: &'n Node<'_>) -> Option<&'n str> {
    fn has_one<'n>(node: &'n Node<'_>, found: &mut Option<&'n str>) -> bool {
        let own = node.leaf.map(|leaf| leaf.kind.dtype.as_str());
        own.is_none_or(|own| *found.get_or_insert(own) == own)
            && node.children.iter().all(|child| has_one(child, found))
    }
    let mut found = None;
    if has_one(node, &mut found) { found } else { None }
}

/// The measures of the picture of a tree.
struct Picture<'p> {
    root: Sizes,
    top: f64,
    column: f64,
    levels: usize,
    separator: Option<&'static str>,
    colors: &'p Colors<'p>,
}

impl Picture<'_> {
    /// Draws the children of a node, from `start` on, a fraction of the height. There are `copies` of the node.
    fn blocks(
        &self,
        out: &mut dyn Write,
        node: &Node<'_>,
        level: usize,
        start: f64,
        copies: u64,
        path: &str,
    ) -> io::Result<()> {
        if level == self.levels {
            return Ok(());
        }
        let mut start = start;
        for child in &node.children {
            let copies = copies.saturating_mul(child.copies);
            let sizes = child.sizes.times(copies);
            let share = share(sizes, self.root);
            let label = child.label(self.separator);
            let path = if path.is_empty() {
                label.clone()
            } else {
                format!("{path}{}{label}", self.separator.unwrap_or("."))
            };
            if share * HEIGHT >= MIN_BLOCK {
                let end = child.end();
                let kind = kind_of_run(child, end, copies);
                self.block(out, (start, share), (level, end), [&label, &kind, &path], sizes)?;
                self.blocks(out, end, level + 1, start, copies, &path)?;
            }
            start += share;
        }
        Ok(())
    }

    /// Draws a block, with its label if there is room for it. A leaf reaches to the right end.
    fn block(
        &self,
        out: &mut dyn Write,
        (start, share): (f64, f64),
        (level, node): (usize, &Node<'_>),
        [label, kind, path]: [&str; 3],
        sizes: Sizes,
    ) -> io::Result<()> {
        let (x, y) = (16.0 + self.column * level as f64, self.top + start * HEIGHT);
        let height = share * HEIGHT;
        let is_leaf = node.is_leaf();
        let width = if is_leaf { WIDTH - 16.0 - x } else { self.column };
        let amount = amount(sizes, self.root);
        let of_whole = percent(sizes.part(self.root), self.root.part(self.root));
        let about: Vec<_> =
            [path, kind, &amount, &of_whole].into_iter().filter(|text| !text.is_empty()).collect();
        writeln!(
            out,
            "<g><title>{}</title><rect x=\"{x:.1}\" y=\"{y:.2}\" width=\"{:.1}\" height=\"{height:.2}\" \
             fill=\"{}\" stroke-width=\"{}\"/>",
            escape(&about.join("\n")),
            width,
            self.colors.fill(dtype(node), level),
            // Lines between the thinnest blocks would cover them.
            (height / 4.0).min(1.0),
        )?;
        if height >= MIN_LABEL {
            let letters = ((width - 12.0) / LETTER) as usize;
            let below = height >= 2.7 * MIN_LABEL;
            let label = match (below, kind) {
                (true, _) | (_, "") => label.into(),
                (false, kind) => format!("{label} · {kind}"),
            };
            let label = cut(&label, letters);
            let baseline = if below { y + height / 2.0 - 3.0 } else { y + height / 2.0 + 4.0 };
            let x = x + 6.0;
            writeln!(
                out,
                "<text x=\"{x:.1}\" y=\"{baseline:.1}\" fill=\"#1a1a1a\">{}</text>",
                escape(&label)
            )?;
            if below {
                let about = match (is_leaf, kind) {
                    (true, kind) => kind,
                    (false, "") => &amount,
                    (false, kind) => &format!("{kind} · {amount}"),
                };
                let about = escape(&cut(about, letters));
                let baseline = baseline + 15.0;
                writeln!(
                    out,
                    "<text class=\"size\" x=\"{x:.1}\" y=\"{baseline:.1}\" fill=\"#1a1a1a\">{about}</text>"
                )?;
            }
        }
        writeln!(out, "</g>")
    }

    /// Writes the key: the dtypes, each with its colour.
    fn key(&self, out: &mut dyn Write, part: &TreeOf) -> io::Result<()> {
        let dtypes = part.sizes().1.into_iter().map(|(dtype, _)| dtype);
        let is_named = |dtype: &&str| self.colors.0.get(dtype).copied().flatten().is_some();
        let (named, others): (Vec<&str>, Vec<&str>) = dtypes.partition(is_named);
        let mut entries: Vec<_> = named.iter().map(|dtype| (Some(*dtype), *dtype)).collect();
        match others.len() {
            0 if named.len() < 2 => {}
            0 => entries.push((None, "several")),
            _ => entries.push((None, "others, or several")),
        }
        let (mut x, y) = (16.0, self.top + HEIGHT + 14.0);
        for (dtype, name) in entries {
            let (fill, name) = (self.colors.fill(dtype, 0), cut(name, 24));
            writeln!(
                out,
                "<rect class=\"key\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"14\" height=\"14\" fill=\"{fill}\"/>\
                 <text class=\"about\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                x + 20.0,
                y + 11.5,
                escape(&name),
            )?;
            x += 44.0 + LETTER * name.chars().count() as f64;
        }
        Ok(())
    }
}

/// Returns the bytes of a node, or its elements or leaves if no bytes are known.
fn amount(sizes: Sizes, root: Sizes) -> String {
    match (root, sizes) {
        (Sizes { bytes: 1.., .. }, _) => bytes(sizes.bytes),
        (Sizes { parameters: 1.., .. }, Sizes { parameters: 1, .. }) => "1 parameter".into(),
        (Sizes { parameters: 1.., .. }, _) => format!("{} parameters", grouped(sizes.parameters)),
        (_, Sizes { leaves: 1, .. }) => "1 leaf".into(),
        _ => format!("{} leaves", grouped(sizes.leaves)),
    }
}

/// Writes a page with the picture, the trees and the facts of their treedefs.
pub(crate) fn html(
    out: &mut dyn Write,
    name: &str,
    source: &Source,
    trees: &[Node<'_>],
    extent: Extent,
) -> io::Result<()> {
    writeln!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n\
         <style>\n{PAGE_STYLE}</style>\n<div class=\"picture\">",
        escape(name)
    )?;
    svg(out, name, source, trees)?;
    writeln!(out, "</div>")?;
    for (tree, of) in trees.iter().zip(&source.parts) {
        if trees.len() > 1 {
            writeln!(out, "<h2>{}</h2>", escape(&title(name, of)))?;
        }
        let heads = match tree.sizes {
            Sizes { bytes: 1.., .. } => ["parameters", "bytes"],
            Sizes { parameters: 1.., .. } => ["leaves", "parameters"],
            _ => ["leaves", ""],
        };
        writeln!(
            out,
            "<div class=\"tree\">\n<div class=\"row head\"><span class=\"label\">{}</span><span class=\"type\"></span>\
             <span class=\"number\">{}</span><span class=\"number\">{}</span><span class=\"number\">share</span></div>",
            escape(&tree.kind()),
            heads[0],
            heads[1],
        )?;
        for child in &tree.children {
            branch(out, child, of.separator, tree.sizes, 0, 1)?;
        }
        let mut rows = facts::of_model(of);
        if extent.shows_treedef(of) {
            rows.extend(facts::of_treedef(of, tree.sizes));
            let def = of.def.as_treedef();
            rows.push(("JAX", shortened(MAX_TEXT, format_args!("{def}"))));
        }
        writeln!(out, "</div>")?;
        table(out, &rows)?;
    }
    table(out, &source.facts)?;
    writeln!(out, "</html>")
}

/// Writes facts.
fn table(out: &mut dyn Write, facts: &[Fact]) -> io::Result<()> {
    writeln!(out, "<table>")?;
    for (name, text) in facts {
        writeln!(out, "<tr><th>{}<td>{}", escape(name), escape(text))?;
    }
    writeln!(out, "</table>")
}

/// Writes a node of the page and the nodes below it. Upper levels are open.
fn branch(
    out: &mut dyn Write,
    node: &Node<'_>,
    separator: Option<&str>,
    root: Sizes,
    depth: usize,
    copies: u64,
) -> io::Result<()> {
    let copies = copies.saturating_mul(node.copies);
    let (end, sizes) = (node.end(), node.sizes.times(copies));
    let share = share(sizes, root) * 100.0;
    let some = |known: u64, text: String| if known > 0 { text } else { String::new() };
    let parameters = some(sizes.counted, grouped(sizes.parameters));
    let numbers = match root.bytes {
        0 => [grouped(sizes.leaves), parameters],
        _ => [parameters, some(sizes.sized, bytes(sizes.bytes))],
    };
    let row = format!(
        "<span class=\"label\">{}</span><span class=\"type\">{}</span>\
         <span class=\"number\">{}</span><span class=\"number\">{}</span><span class=\"number\">{}</span>\
         <span class=\"bar-of\"><span class=\"bar\" style=\"width:{share:.2}%\"></span></span>",
        escape(&node.label(separator)),
        escape(&kind_of_run(node, end, copies)),
        numbers[0],
        numbers[1],
        if sizes.leaves > 0 {
            escape(&percent(sizes.part(root), root.part(root)))
        } else {
            String::new()
        },
    );
    if end.children.is_empty() {
        return writeln!(out, "<div class=\"row\" style=\"--depth:{depth}\">{row}</div>");
    }
    let open = if depth < 3 { " open" } else { "" };
    writeln!(
        out,
        "<details{open}><summary class=\"row\" style=\"--depth:{depth}\">{row}</summary>"
    )?;
    for child in &end.children {
        branch(out, child, separator, root, depth + 1, copies)?;
    }
    writeln!(out, "</details>")
}

/// Escapes a text for XML and HTML.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            // XML may have no other control character, and a reader should see what is there.
            c if is_hidden(c) && c != '\n' => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}
