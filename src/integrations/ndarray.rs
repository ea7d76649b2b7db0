//! Makes leaves of `ndarray::Array`, which are also parts of keys: their element type and shape.

use ndarray::{Array, Dimension};

use crate::base::dtype::Dtype;
use crate::cache::key::KeyWriter;
use crate::cache::leaf_keys::KeyPart;
use crate::tree::leaf::leaf;

leaf!(@library [A, D,] Array<A, D> where [D: Dimension]);

/// Implements [`KeyPart`] for arrays of numbers.
macro_rules! arrays {
    ($($type:ty: $dtype:ident),*) => {$(
        /// Writes the element type and the shape, as [`KeyWriter::array`].
        impl<D: Dimension> KeyPart for Array<$type, D> {
            fn write_key(&self, key: &mut KeyWriter<'_>) {
                key.array(Dtype::$dtype, false, self.shape());
            }
        }
    )*};
}
arrays!(
    f32: Float32, f64: Float64, i8: Int8, i16: Int16, i32: Int32, i64: Int64, u8: Uint8, u16: Uint16, u32: Uint32,
    u64: Uint64, bool: Bool
);
#[cfg(feature = "half")]
arrays!(half::f16: Float16, half::bf16: Bfloat16);
