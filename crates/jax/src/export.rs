//! Reads artifacts of `jax.export`: the structures and shapes of an exported function's inputs and outputs.

use treedef::TreeDefBox;

use crate::aval::Aval;
use crate::export_error::{ExportError, ExportErrorKind as Fault};
use crate::exported_tree;
use crate::flatbuffer::{Budget, Table};

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

/// An artifact of `jax.export`, as `jax.export.Exported.serialize` writes it: the inputs and outputs of an exported
/// function.
///
/// Use [`matches()`](treedef::matches()) to check that a value has the structure that a function was exported for, and
/// the paths of the treedefs to name the leaves.
///
/// The format is FlatBuffers with the schema `jax/_src/export/serialization.fbs`, in all versions since the first
/// (November 2023). The compiled module and the shardings are not read.
///
/// Tuples, lists, dicts, `None` and `collections.OrderedDict` are read as such. Every other node becomes a custom node.
/// Its name is the name under which its type was registered for serialization, its aux data are the serialized bytes of
/// JAX's aux data ([`Value::Bytes`](treedef::Value::Bytes)), and its children have no keys. `DIFFERENCE`: this includes
/// named tuples and dataclasses, since an artifact does not distinguish them from other types. So a path through them
/// shows positions where JAX shows fields.
///
/// # Examples
///
/// ```
/// use treedef::treedef;
/// use treedef_jax::{Dim, Exported};
///
/// // sgd_step(params, batch, learning_rate)
/// let artifact = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/sgd_step.jax_export"));
/// let exported = Exported::from_bytes(artifact)?;
/// assert_eq!(exported.function_name, "sgd_step");
///
/// let inputs = exported.in_tree.as_treedef();
/// let params = treedef!(({"dense": {"bias": *, "kernel": *}, "scale": *}, ((*, *), [*]), *));
/// assert_eq!(inputs.child(0), Some(params));
/// let (path, aval) = inputs.paths().zip(exported.in_avals()).nth(1).expect("seven inputs");
/// assert_eq!(path.to_string(), "[0][0]['dense']['kernel']");
/// assert_eq!(aval.to_string(), "float32[3,2]");
/// assert_eq!(aval.shape, [Dim::Size(3), Dim::Size(2)]);
/// # Ok::<(), treedef_jax::ExportError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Exported<'a> {
    /// The number in the field `serialization_version`.
    ///
    /// It is exact only from version 12 on: JAX wrote 3 for all versions from 3 to 11, so that old readers accept them.
    pub serialization_version: u16,
    /// The version of the calling convention of the compiled module.
    pub calling_convention_version: u16,
    /// The version of JAX that wrote the artifact; `None` before serialization version 12.
    pub jax_version: Option<&'a str>,
    /// The name of the exported function.
    pub function_name: &'a str,
    /// The platforms for which the function was lowered, such as `cpu`.
    pub platforms: Vec<&'a str>,
    /// The structure of the arguments: a pair of the tuple of positional arguments and the dict of keyword arguments.
    pub in_tree: TreeDefBox,
    /// The structure of the result.
    pub out_tree: TreeDefBox,
    /// The indices of the leaves of `in_tree` that the compiled module takes, in increasing order.
    ///
    /// JAX drops arguments that the function does not use, so the flat inputs of the module are only these leaves.
    pub module_kept_var_idx: Vec<usize>,
    /// The abstract values. Leaves that share one in the artifact share it here, since a shape can be long.
    avals: Vec<Aval<'a>>,
    in_avals: Vec<usize>,
    out_avals: Vec<usize>,
    table: Table<'a>,
}

impl<'a> Exported<'a> {
    /// Reads an artifact, and checks all parts that this type returns.
    ///
    /// A tree can be [`MAX_DEPTH`](treedef::encode::MAX_DEPTH) levels deep. Time and memory are linear in the bytes: a
    /// shared table counts each time it is read, and the sum must not exceed the bytes.
    ///
    /// `DIFFERENCE`: `jax.export.deserialize` trusts its input. Here unsorted keys of a dict (which JAX would sort,
    /// together with the leaves), children of a leaf or `None`, and a number of abstract values that is not the number
    /// of leaves are errors. JAX writes none of them.
    ///
    /// # Errors
    ///
    /// [`ExportError`] says what is wrong and where; see [`ExportErrorKind`](crate::ExportErrorKind).
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, ExportError> {
        Self::read(Table::root(bytes)?)
    }

    fn read(table: Table<'a>) -> Result<Self, ExportError> {
        let budget = &mut Budget::new(table.bytes());
        let function_name = table.required(FUNCTION_NAME, table.string(FUNCTION_NAME)?)?;
        let in_tree = exported_tree::read(table.required(IN_TREE, table.table(IN_TREE)?)?, budget)?;
        let out_tree =
            exported_tree::read(table.required(OUT_TREE, table.table(OUT_TREE)?)?, budget)?;
        let mut avals = Vec::new();
        read_avals(&table, UNIQUE_AVALS, &mut avals, budget)?;
        let unique = avals.len();
        let mut side = |tree: &TreeDefBox, direct, indices| {
            // Artifacts of older versions have the values instead of indices. As JAX, use the indices if there are any.
            let places: Vec<usize> = match table.vector(indices, 4)? {
                none if none.len() == 0 => {
                    let first = avals.len();
                    read_avals(&table, direct, &mut avals, budget)?;
                    (first..avals.len()).collect()
                }
                places => {
                    places.map(|at| read_index(&table, at, unique)).collect::<Result<_, _>>()?
                }
            };
            let (expected, found) = (tree.as_treedef().num_leaves(), places.len());
            match expected == found {
                true => Ok(places),
                false => Err(table.fault(Fault::AvalCount { expected, found })),
            }
        };
        let in_avals = side(&in_tree, IN_AVALS, IN_AVALS_IDXS)?;
        let out_avals = side(&out_tree, OUT_AVALS, OUT_AVALS_IDXS)?;
        Ok(Self {
            serialization_version: u16::from_le_bytes(table.number(SERIALIZATION_VERSION)?),
            calling_convention_version: u16::from_le_bytes(
                table.number(CALLING_CONVENTION_VERSION)?,
            ),
            jax_version: table.string(JAX_VERSION)?,
            function_name,
            platforms: budget.strings(&table, PLATFORMS)?,
            module_kept_var_idx: read_kept(&table, in_avals.len())?,
            in_tree,
            out_tree,
            avals,
            in_avals,
            out_avals,
            table,
        })
    }

    /// Iterates over the abstract values of the leaves of `in_tree`, in order.
    #[must_use]
    pub fn in_avals(&self) -> impl ExactSizeIterator<Item = &Aval<'a>> + Clone {
        self.avals_at(&self.in_avals)
    }

    /// Iterates over the abstract values of the leaves of `out_tree`, in order.
    #[must_use]
    pub fn out_avals(&self) -> impl ExactSizeIterator<Item = &Aval<'a>> + Clone {
        self.avals_at(&self.out_avals)
    }

    #[expect(clippy::indexing_slicing, reason = "the indices were checked")]
    fn avals_at<'s>(
        &'s self,
        indices: &'s [usize],
    ) -> impl ExactSizeIterator<Item = &'s Aval<'a>> + Clone {
        indices.iter().map(|index| &self.avals[*index])
    }

    /// Reads the exported function for the reverse derivative, if the artifact has one.
    ///
    /// # Errors
    ///
    /// As [`Exported::from_bytes`], which does not check this function.
    pub fn vjp(&self) -> Result<Option<Self>, ExportError> {
        self.table.table(VJP)?.map(Self::read).transpose()
    }
}

fn read_avals<'a>(
    table: &Table<'a>,
    field: u8,
    avals: &mut Vec<Aval<'a>>,
    budget: &mut Budget,
) -> Result<(), ExportError> {
    for at in table.vector(field, 4)? {
        avals.push(Aval::read(&table.table_at(at)?, budget)?);
    }
    Ok(())
}

/// Reads the index of one of `count` abstract values.
fn read_index(table: &Table<'_>, at: usize, count: usize) -> Result<usize, ExportError> {
    let index = u32::from_le_bytes(table.number_at(at)?);
    let place = usize::try_from(index).ok().filter(|index| *index < count);
    place.ok_or(ExportError::new(Fault::BadIndex { index }, at))
}

/// Reads increasing indices of `inputs`.
fn read_kept(table: &Table<'_>, inputs: usize) -> Result<Vec<usize>, ExportError> {
    let mut kept: Vec<usize> = Vec::new();
    for at in table.vector(MODULE_KEPT_VAR_IDX, 2)? {
        let number = u16::from_le_bytes(table.number_at(at)?);
        let index = usize::from(number);
        if index >= inputs || kept.last().is_some_and(|before| *before >= index) {
            return Err(ExportError::new(Fault::BadIndex { index: number.into() }, at));
        }
        kept.push(index);
    }
    Ok(kept)
}
