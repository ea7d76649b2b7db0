//! Reports on a treedef.

use std::fmt::{self, Write as _};

use treedef::dynamic::Flatten;
use treedef::{Kind, TreeDef, TreeDefBox, View};

use crate::source::{self, Source};

/// The largest lengths of the JAX text, of the drawing and of the list of leaves.
pub(crate) const MAX_TEXT: usize = 200;
const MAX_LINES: usize = 40;
const MAX_LEAVES: usize = 5;

/// Writes the report, and checks that the tree survives a round trip.
pub(crate) fn text(source: &Source) -> Result<String, String> {
    let def = source.def.as_treedef();
    let measured = measure(def, 0).ok_or("tree is deeper than 1000 levels")?;
    let trip = round_trip(source, def)?;
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut out, source, def, &measured, &trip);
    Ok(out)
}

fn write(
    out: &mut String,
    source: &Source,
    def: TreeDef<'_>,
    measured: &Measured,
    trip: &str,
) -> fmt::Result {
    let bytes = def.as_bytes().len();
    writeln!(out, "leaves       {}", def.num_leaves())?;
    writeln!(out, "nodes        {}", measured.nodes)?;
    writeln!(out, "depth        {}", measured.depth)?;
    writeln!(
        out,
        "treedef      {bytes} bytes; plain preorder takes {} ({:.1} times as many)",
        measured.plain,
        measured.plain as f64 / bytes as f64
    )?;
    writeln!(out, "fingerprint  {:016x}", def.fingerprint())?;
    writeln!(out, "JAX text     {}", shortened(MAX_TEXT, format_args!("{def}")))?;
    if let Some(leaves) = &source.leaves
        && !leaves.is_empty()
    {
        writeln!(out, "first leaves")?;
        for (path, leaf) in def.paths().zip(leaves).take(MAX_LEAVES) {
            let leaf = shortened(60, format_args!("{leaf}"));
            if path.entries().next().is_none() {
                writeln!(out, "  {leaf}, the tree itself")?;
            } else {
                writeln!(out, "  {path}: {leaf}")?;
            }
        }
    }
    writeln!(out)?;
    drawing(out, def)?;
    writeln!(out, "\n{trip}")
}

/// Draws the first lines of the tree.
pub(crate) fn drawing(out: &mut String, def: TreeDef<'_>) -> fmt::Result {
    let drawing = format!("{def:#}");
    let lines = drawing.lines().count();
    for line in drawing.lines().take(MAX_LINES) {
        writeln!(out, "{line}")?;
    }
    if lines > MAX_LINES {
        writeln!(out, "… and {} more lines", lines - MAX_LINES)?;
    }
    Ok(())
}

/// Flattens the tree of the treedef and the leaves again, and compares. Without leaves, reads the bytes of the treedef
/// again.
fn round_trip(source: &Source, def: TreeDef<'_>) -> Result<String, String> {
    let Some(leaves) = &source.leaves else {
        return match source::treedef(def.as_bytes()) {
            Ok(again) if again == def => Ok("round trip: the bytes are in canonical form".into()),
            _ => Err("round trip: the bytes read back as another treedef".into()),
        };
    };
    let say = |error: treedef::Error| error.to_string();
    let view = View::new(def, leaves).map_err(say)?;
    let mut out = leaves.first().map_or_else(Vec::new, |first| vec![first; leaves.len()]);
    let again = TreeDefBox::build(|builder| {
        Flatten::new().max_depth(u32::MAX).flatten_onto(view, builder, &mut out).map(drop)
    });
    if again.map_err(say)? != source.def || !out.into_iter().eq(leaves) {
        return Err("round trip: the tree came back changed".into());
    }
    Ok(format!(
        "round trip: flatten, unflatten, flatten gave the same treedef of {} bytes and the same leaves",
        def.as_bytes().len()
    ))
}

/// The sizes of a tree with its repeats written out. Each repeat is measured only once.
struct Measured {
    nodes: u64,
    depth: usize,
    /// The length of plain preorder in bytes: a byte for every leaf, the head for every other node.
    plain: u64,
}

fn measure(def: TreeDef<'_>, depth: usize) -> Option<Measured> {
    let head = def.head();
    let own = if head.kind() == Kind::Leaf { 1 } else { head.as_bytes().len() as u64 };
    let mut sum = Measured { nodes: 1, depth: 0, plain: own };
    let mut last: Option<(TreeDef<'_>, Measured)> = None;
    for child in def.children() {
        let known = last
            .take()
            .filter(|(before, _)| before.as_bytes().as_ptr() == child.as_bytes().as_ptr());
        let child = match known {
            Some(known) => known,
            None if depth == 1000 => return None,
            None => (child, measure(child, depth + 1)?),
        };
        sum.nodes += child.1.nodes;
        sum.plain += child.1.plain;
        sum.depth = sum.depth.max(child.1.depth + 1);
        last = Some(child);
    }
    Some(sum)
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
    if short.write_fmt(text).is_err() {
        short.text.push('…');
    }
    short.text
}
