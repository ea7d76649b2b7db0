//! What is said about an artifact of `jax.export`.

use std::fmt::{self, Write as _};

use treedef::jax::{Avals, Exported, ExportedTree};
use treedef::{TreeDef, structure_into, structure_len};

use crate::report::{MAX_TEXT, drawing, shortened};

/// The most leaves of either side that are shown.
const MAX_LEAVES: usize = 100;

/// Writes the report: the function, and both its sides with the type of each leaf.
pub(crate) fn text(artifact: &[u8]) -> Result<String, String> {
    let exported = Exported::from_bytes(artifact).map_err(|error| error.to_string())?;
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    let in_tree = treedef(exported.in_tree(), &mut inputs)?;
    let out_tree = treedef(exported.out_tree(), &mut outputs)?;
    let mut out = String::new();
    // A string takes every line.
    let _ = write(&mut out, &exported, in_tree, out_tree);
    Ok(out)
}

fn treedef<'b>(tree: ExportedTree<'_>, bytes: &'b mut Vec<u8>) -> Result<TreeDef<'b>, String> {
    let say = |error: treedef::Error| error.to_string();
    bytes.resize(structure_len(&tree).map_err(say)?, 0);
    structure_into(&tree, bytes).map_err(say)
}

fn write(
    out: &mut String,
    exported: &Exported<'_>,
    in_tree: TreeDef<'_>,
    out_tree: TreeDef<'_>,
) -> fmt::Result {
    let platforms: Vec<_> = exported.platforms().collect();
    writeln!(out, "function     {}", plain(exported.function_name()))?;
    writeln!(out, "platforms    {}", plain(&platforms.join(", ")))?;
    writeln!(
        out,
        "versions     {} of the artifact, {} of the calling convention, JAX {}",
        exported.serialization_version(),
        exported.calling_convention_version(),
        plain(exported.jax_version().unwrap_or("not named"))
    )?;
    let kept: Vec<_> = exported.module_kept_var_idx().collect();
    side(out, "inputs", in_tree, exported.in_avals(), |leaf| kept.binary_search(&leaf).is_ok())?;
    side(out, "outputs", out_tree, exported.out_avals(), |_| true)
}

/// Writes one side; `used` tells whether the compiled module has this leaf.
fn side(
    out: &mut String,
    name: &str,
    def: TreeDef<'_>,
    avals: Avals<'_>,
    used: impl Fn(usize) -> bool,
) -> fmt::Result {
    let (bytes, leaves) = (def.as_bytes().len(), def.num_leaves());
    writeln!(out, "\n{name}: {leaves} leaves, treedef of {bytes} bytes")?;
    writeln!(out, "JAX text     {}", shortened(MAX_TEXT, format_args!("{def}")))?;
    drawing(out, def)?;
    for (path, aval) in def.paths().zip(avals).take(MAX_LEAVES) {
        let unused = if used(path.leaf()) { "" } else { ", not used by the module" };
        let aval = plain(&shortened(MAX_TEXT, format_args!("{aval}")));
        match path.entries().next() {
            None => writeln!(out, "  the tree itself: {aval}{unused}")?,
            Some(_) => writeln!(out, "  {path}: {aval}{unused}")?,
        }
    }
    match leaves.checked_sub(MAX_LEAVES) {
        None | Some(0) => Ok(()),
        Some(more) => writeln!(out, "… and {more} more leaves"),
    }
}

/// A text of a file that anybody may have made, short and without what moves a terminal's cursor.
fn plain(text: &str) -> String {
    shortened(MAX_TEXT, format_args!("{}", text.escape_debug()))
}
