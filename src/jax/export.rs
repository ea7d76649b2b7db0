//! Artifacts of `jax.export`: the structures and shapes of an exported function's inputs and outputs.

use core::fmt;

use super::aval::Avals;
use super::export_error::{ExportError, ExportErrorKind as Fault};
use super::exported_tree::ExportedTree;
use super::flatbuffer::{Budget, Strings, Table, Vector};
use crate::base::show::{debug_struct, list};

/// The fields of `table Exported` that are read, by their numbers in `jax/_src/export/serialization.fbs`.
const SERIALIZATION_VERSION: u8 = 0;
const FUNCTION_NAME: u8 = 1;
const IN_TREE: u8 = 2;
const IN_AVALS: u8 = 3;
const OUT_TREE: u8 = 4;
const OUT_AVALS: u8 = 5;
const PLATFORMS: u8 = 9;
const CALLING_CONVENTION_VERSION: u8 = 14;
const MODULE_KEPT_VAR_IDX: u8 = 15;
const VJP: u8 = 17;
const UNIQUE_AVALS: u8 = 19;
const IN_AVALS_IDXS: u8 = 22;
const OUT_AVALS_IDXS: u8 = 23;
const JAX_VERSION: u8 = 26;

/// An artifact of `jax.export`, as `jax.export.Exported.serialize` writes it: what the exported function takes and
/// gives.
///
/// Nothing is copied, names and trees are read where they stand. With [`matches`](crate::matches) a program sees that
/// the values it holds have the structure a function was exported for, [`structure_into`](crate::structure_into) writes
/// the structures as treedefs, whose paths name the leaves; no Python is needed.
///
/// The format is FlatBuffers by the schema `jax/_src/export/serialization.fbs`, in every version of it from the first
/// (November 2023) on; the compiled module and the shardings are not read.
///
/// # Examples
///
/// ```
/// use treedef::jax::{Dim, Exported};
/// use treedef::structure_into;
///
/// // sgd_step(params, batch, learning_rate)
/// let artifact = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/docs/sgd_step.jax_export"));
/// let exported = Exported::from_bytes(artifact)?;
/// assert_eq!(exported.function_name(), "sgd_step");
///
/// let mut bytes = [0; 64];
/// let def = structure_into(&exported.in_tree(), &mut bytes)?;
/// let params = "{'dense': {'bias': *, 'kernel': *}, 'scale': *}";
/// assert_eq!(def.to_string(), format!("PyTreeDef((({params}, ((*, *), [*]), *), {{}}))"));
/// let (path, aval) = def.paths().zip(exported.in_avals()).nth(1).unwrap();
/// assert_eq!(path.keystr().to_string(), "[0][0]['dense']['kernel']");
/// assert_eq!(aval.to_string(), "float32[3,2]");
/// assert!(aval.shape().eq([Dim::Size(3), Dim::Size(2)]));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Exported<'a> {
    table: Table<'a>,
    versions: (u16, u16),
    function_name: &'a str,
    jax_version: Option<&'a str>,
    platforms: Strings<'a>,
    in_tree: ExportedTree<'a>,
    out_tree: ExportedTree<'a>,
    in_avals: Avals<'a>,
    out_avals: Avals<'a>,
    kept: Vector<'a, 2>,
}

debug_struct!([] Exported<'_> { function_name, platforms, in_tree, in_avals, out_tree, out_avals });

impl<'a> Exported<'a> {
    /// Reads an artifact and checks all of it that this type offers.
    ///
    /// One pass over the names, trees and abstract values, linear in their bytes, with about 3 kB of stack. A tree may
    /// be [`MAX_DEPTH`](crate::MAX_DEPTH) levels deep. What is shared counts as often as it is reached, and all
    /// together may not be more than the bytes hold, so that tables which share tables cannot grow beyond measure.
    ///
    /// `DIFFERENCE`: `jax.export.deserialize` trusts its input. Here keys of a dict in no sorted order (which JAX would
    /// sort, and the leaves with them), children of a leaf or `None`, and abstract values that are not as many as the
    /// leaves are errors; JAX writes none of them.
    ///
    /// # Errors
    ///
    /// [`ExportError`] says what is wrong and where; see [`ExportErrorKind`](super::ExportErrorKind).
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, ExportError> {
        Self::read(Table::root(bytes)?, &mut Budget::new(bytes))
    }

    fn read(table: Table<'a>, budget: &mut Budget) -> Result<Self, ExportError> {
        let required = |field, found: Option<_>| table.required(field, found);
        let function_name = table.required(FUNCTION_NAME, table.string(FUNCTION_NAME)?)?;
        let in_tree = ExportedTree::new(required(IN_TREE, table.table(IN_TREE)?)?, budget)?;
        let out_tree = ExportedTree::new(required(OUT_TREE, table.table(OUT_TREE)?)?, budget)?;
        let distinct = table.vector(UNIQUE_AVALS)?;
        Avals::direct(distinct, budget)?;
        let mut avals = |tree: ExportedTree<'a>, field, indices| {
            // JAX takes the indices where there are any; older artifacts have only the values.
            let indices = table.vector(indices)?;
            let avals = match indices.num_left() {
                0 => Avals::direct(table.vector(field)?, budget)?,
                _ => Avals::indexed(indices, distinct)?,
            };
            let (expected, found) = (tree.leaves(), avals.num_left());
            match expected == found {
                true => Ok(avals),
                false => Err(table.fault(Fault::AvalCount { expected, found })),
            }
        };
        let (in_avals, out_avals) =
            (avals(in_tree, IN_AVALS, IN_AVALS_IDXS)?, avals(out_tree, OUT_AVALS, OUT_AVALS_IDXS)?);
        Ok(Self {
            table,
            versions: (
                u16::from_le_bytes(table.number(SERIALIZATION_VERSION)?),
                u16::from_le_bytes(table.number(CALLING_CONVENTION_VERSION)?),
            ),
            function_name,
            jax_version: table.string(JAX_VERSION)?,
            platforms: Strings::new(table.vector(PLATFORMS)?, budget)?,
            in_tree,
            out_tree,
            in_avals,
            out_avals,
            kept: kept_inputs(table.vector(MODULE_KEPT_VAR_IDX)?, in_tree.leaves())?,
        })
    }

    /// The number in the field `serialization_version`.
    ///
    /// It tells nothing before version 12: JAX wrote 3 for every version from 3 to 11, so that old readers take them.
    pub const fn serialization_version(&self) -> u16 {
        self.versions.0
    }

    /// The version of the calling convention of the compiled module.
    pub const fn calling_convention_version(&self) -> u16 {
        self.versions.1
    }

    /// The version of JAX that wrote the artifact; `None` from before serialization version 12.
    pub const fn jax_version(&self) -> Option<&'a str> {
        self.jax_version
    }

    /// The name of the exported function.
    pub const fn function_name(&self) -> &'a str {
        self.function_name
    }

    /// The platforms the function was lowered for, such as `cpu`.
    pub const fn platforms(&self) -> Strings<'a> {
        self.platforms
    }

    /// The structure of the arguments: a tuple of the positional ones and the dict of the named ones.
    pub const fn in_tree(&self) -> ExportedTree<'a> {
        self.in_tree
    }

    /// The structure of the result.
    pub const fn out_tree(&self) -> ExportedTree<'a> {
        self.out_tree
    }

    /// What is known of each leaf of [`Exported::in_tree`], in order.
    pub const fn in_avals(&self) -> Avals<'a> {
        self.in_avals
    }

    /// What is known of each leaf of [`Exported::out_tree`], in order.
    pub const fn out_avals(&self) -> Avals<'a> {
        self.out_avals
    }

    /// The leaves of [`Exported::in_tree`] that the compiled module takes, as increasing indices.
    ///
    /// The module's flat inputs are these leaves and no others: JAX drops arguments that the function does not use.
    pub const fn module_kept_var_idx(&self) -> KeptInputs<'a> {
        KeptInputs(self.kept)
    }

    /// The function that the reverse derivative was exported as, where the artifact has one.
    ///
    /// # Errors
    ///
    /// As [`Exported::from_bytes`], which does not look at it.
    pub fn vjp(&self) -> Result<Option<Exported<'a>>, ExportError> {
        let table = self.table.table(VJP)?;
        table.map(|table| Self::read(table, &mut Budget::new(table.bytes()))).transpose()
    }
}

fn kept_inputs(kept: Vector<'_, 2>, inputs: u32) -> Result<Vector<'_, 2>, ExportError> {
    let (mut rest, mut least) = (kept, 0);
    loop {
        let here = rest;
        let Some(index) = rest.next_number().map(u16::from_le_bytes).map(u32::from) else {
            return Ok(kept);
        };
        if index < least || index >= inputs {
            return Err(here.fault(Fault::BadIndex { index }));
        }
        least = index.saturating_add(1);
    }
}

/// Indices of kept inputs; see [`Exported::module_kept_var_idx`].
#[derive(Clone, Copy)]
pub struct KeptInputs<'a>(Vector<'a, 2>);

impl Iterator for KeptInputs<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        self.0.next_number().map(u16::from_le_bytes).map(usize::from)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.num_left() as usize, Some(self.0.num_left() as usize))
    }
}

impl ExactSizeIterator for KeptInputs<'_> {}

impl fmt::Debug for KeptInputs<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        list(f, *self)
    }
}
