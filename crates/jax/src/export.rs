//! Artifacts of `jax.export`: the structures and shapes of an exported function's inputs and outputs.

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

/// An artifact of `jax.export`, as `jax.export.Exported.serialize` writes it: what the exported function takes and
/// gives.
///
/// With [`matches()`](treedef::matches()) a program checks that its values have the structure that a function was
/// exported for; the paths of the treedefs name the leaves. No Python is needed.
///
/// The format is FlatBuffers by the schema `jax/_src/export/serialization.fbs`, in every version of it from the first
/// (November 2023) on; the compiled module and the shardings are not read.
///
/// In the trees, tuples, lists, dicts, `None` and `collections.OrderedDict` come back as they were. Every other node
/// becomes a custom node: its name is the one that its type was registered under for serialization, its aux the bytes
/// that the registered function made of its aux data ([`Value::Bytes`](treedef::Value::Bytes)), and its children have
/// no keys. `DIFFERENCE`: that holds for named tuples and dataclasses as well, since an artifact does not distinguish
/// them from other types, so a path through them shows positions where JAX shows fields.
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
    /// It says nothing before version 12: JAX wrote 3 for every version from 3 to 11, so that old readers take them.
    pub serialization_version: u16,
    /// The version of the calling convention of the compiled module.
    pub calling_convention_version: u16,
    /// The version of JAX that wrote the artifact; `None` from before serialization version 12.
    pub jax_version: Option<&'a str>,
    /// The name of the exported function.
    pub function_name: &'a str,
    /// The platforms that the function was lowered for, such as `cpu`.
    pub platforms: Vec<&'a str>,
    /// The structure of the arguments: a tuple of the positional ones and the dict of the named ones.
    pub in_tree: TreeDefBox,
    /// The structure of the result.
    pub out_tree: TreeDefBox,
    /// The leaves of `in_tree` that the compiled module takes, as increasing indices.
    ///
    /// The module's flat inputs are these leaves and no others: JAX drops arguments that the function does not use.
    pub module_kept_var_idx: Vec<usize>,
    /// The abstract values, each once where the artifact has it once: many leaves can share a long shape.
    avals: Vec<Aval<'a>>,
    in_avals: Vec<usize>,
    out_avals: Vec<usize>,
    table: Table<'a>,
}

impl<'a> Exported<'a> {
    /// Reads an artifact and checks all of it that this type offers.
    ///
    /// A tree may be [`MAX_DEPTH`](treedef::encode::MAX_DEPTH) levels deep. Time and memory are linear in the bytes:
    /// what is shared counts as often as it is reached, and all together may not be more than the bytes hold.
    ///
    /// `DIFFERENCE`: `jax.export.deserialize` trusts its input. Here keys of a dict in no sorted order (which JAX would
    /// sort, and the leaves with them), children of a leaf or `None`, and another number of abstract values than of
    /// leaves are errors; JAX writes none of them.
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
            // JAX takes the indices where there are any; older artifacts have only the values.
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

    /// What is known of each leaf of `in_tree`, in order.
    #[must_use]
    pub fn in_avals(&self) -> impl ExactSizeIterator<Item = &Aval<'a>> + Clone {
        self.avals_at(&self.in_avals)
    }

    /// What is known of each leaf of `out_tree`, in order.
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

    /// The function that the reverse derivative was exported as, where the artifact has one.
    ///
    /// # Errors
    ///
    /// As [`Exported::from_bytes`], which does not read it.
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
