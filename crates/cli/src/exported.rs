//! Reports on an artifact of `jax.export`.

use std::fmt::{self, Write as _};

use treedef::TreeDef;
use treedef_jax::{Aval, Exported};

use crate::report::{MAX_TEXT, drawing, shortened};

/// The largest number of leaves that are shown for a side.
const MAX_LEAVES: usize = 100;

/// Writes the report: the function, its inputs and its outputs, with the type of each leaf.
pub(crate) fn text(artifact: &[u8]) -> Result<String, String> {
    let exported = Exported::from_bytes(artifact).map_err(|error| error.to_string())?;
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut out, &exported);
    Ok(out)
}

fn write(out: &mut String, exported: &Exported<'_>) -> fmt::Result {
    writeln!(out, "function     {}", plain(exported.function_name))?;
    writeln!(out, "platforms    {}", plain(&exported.platforms.join(", ")))?;
    writeln!(
        out,
        "versions     {} of the artifact, {} of the calling convention, JAX {}",
        exported.serialization_version,
        exported.calling_convention_version,
        plain(exported.jax_version.unwrap_or("unknown"))
    )?;
    let used = |leaf: usize| exported.module_kept_var_idx.binary_search(&leaf).is_ok();
    side(out, "inputs", exported.in_tree.as_treedef(), exported.in_avals(), used)?;
    side(out, "outputs", exported.out_tree.as_treedef(), exported.out_avals(), |_| true)
}

/// Writes one side. `used` returns whether the compiled module uses a leaf.
fn side<'a>(
    out: &mut String,
    name: &str,
    def: TreeDef<'_>,
    avals: impl Iterator<Item = &'a Aval<'a>>,
    used: impl Fn(usize) -> bool,
) -> fmt::Result {
    let (bytes, leaves) = (def.as_bytes().len(), def.num_leaves());
    writeln!(out, "\n{name}: {leaves} leaves, treedef of {bytes} bytes")?;
    writeln!(out, "JAX text     {}", shortened(MAX_TEXT, format_args!("{def}")))?;
    drawing(out, def)?;
    for (path, aval) in def.paths().zip(avals).take(MAX_LEAVES) {
        let unused =
            if path.as_leaf().is_some_and(&used) { "" } else { ", not used by the module" };
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

/// Returns a text of an untrusted file, shortened and with control characters escaped.
fn plain(text: &str) -> String {
    shortened(MAX_TEXT, format_args!("{}", text.escape_debug()))
}
