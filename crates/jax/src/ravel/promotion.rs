//! Finds the common dtype of several arrays.

use treedef::cache::Dtype;

/// The dtypes of the lattice, each to the left of all that promote to it. `None` is JAX's float without a width, which
/// is between the integers and the floats.
const LATTICE: [Option<Dtype>; 16] = [
    Some(Dtype::Bool),
    Some(Dtype::Uint8),
    Some(Dtype::Uint16),
    Some(Dtype::Uint32),
    Some(Dtype::Uint64),
    Some(Dtype::Int8),
    Some(Dtype::Int16),
    Some(Dtype::Int32),
    Some(Dtype::Int64),
    None,
    Some(Dtype::Bfloat16),
    Some(Dtype::Float16),
    Some(Dtype::Float32),
    Some(Dtype::Float64),
    Some(Dtype::Complex64),
    Some(Dtype::Complex128),
];

/// Returns the dtypes to which `dtype` promotes, including itself: a bit for each index in [`LATTICE`].
///
/// These are the rows of the table in JAX's documentation ("type promotion semantics").
#[expect(clippy::unusual_byte_groupings, reason = "a group for each kind of number")]
const fn upper(dtype: Dtype) -> Option<u16> {
    Some(match dtype {
        // Columns: complex128 complex64 float64 float32 float16 bfloat16 f*, int64 to int8, uint64 to uint8, bool.
        Dtype::Bool => 0b1111111_1111_1111_1,
        Dtype::Uint8 => 0b1111111_1110_1111_0,
        Dtype::Uint16 => 0b1111111_1100_1110_0,
        Dtype::Uint32 => 0b1111111_1000_1100_0,
        Dtype::Uint64 => 0b1111111_0000_1000_0,
        Dtype::Int8 => 0b1111111_1111_0000_0,
        Dtype::Int16 => 0b1111111_1110_0000_0,
        Dtype::Int32 => 0b1111111_1100_0000_0,
        Dtype::Int64 => 0b1111111_1000_0000_0,
        Dtype::Bfloat16 => 0b1111010_0000_0000_0,
        Dtype::Float16 => 0b1111100_0000_0000_0,
        Dtype::Float32 => 0b1111000_0000_0000_0,
        Dtype::Float64 => 0b1010000_0000_0000_0,
        Dtype::Complex64 => 0b1100000_0000_0000_0,
        Dtype::Complex128 => 0b1000000_0000_0000_0,
        _ => return None,
    })
}

/// Returns the common dtype of arrays with these dtypes, as `jax.numpy.result_type` with 64-bit types enabled.
///
/// It cannot be found pair by pair, as the example shows. Dtypes are never weak: `ravel_pytree` converts Python's
/// numbers to arrays first.
///
/// Returns `None` if there are no dtypes, or if one of them has no [`Element`](super::Element): integers of 4 bits,
/// floats of at most 8 bits, keys. `DIFFERENCE`: JAX promotes integers to such floats.
///
/// # Examples
///
/// ```
/// use treedef::cache::Dtype::{Bfloat16, Float16, Float32, Float64, Int8, Int16, Int64, Uint8, Uint64};
/// use treedef_jax::ravel::result_type;
///
/// assert_eq!(result_type([Uint8, Int8]), Some(Int16));
/// assert_eq!(result_type([Bfloat16, Float16]), Some(Float32));
/// // No integer type holds both, so the result is a float; with a 16-bit float it has 16 bits.
/// assert_eq!(result_type([Int64, Uint64]), Some(Float64));
/// assert_eq!(result_type([Int64, Uint64, Float16]), Some(Float16));
/// ```
#[must_use]
pub fn result_type(dtypes: impl IntoIterator<Item = Dtype>) -> Option<Dtype> {
    let uppers: Option<Vec<u16>> = dtypes.into_iter().map(upper).collect();
    let bounds = uppers?.into_iter().reduce(|all, upper| all & upper)?;
    // The set contains everything to which its least dtype promotes, so that dtype is the rightmost bit.
    let least = LATTICE.get(bounds.trailing_zeros() as usize)?;
    // The float without a width alone becomes the widest float.
    Some(least.unwrap_or(Dtype::Float64))
}
