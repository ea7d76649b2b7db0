//! Makes leaves of `ndarray::Array`, which are also parts of keys: their element type and shape.

use ndarray::{Array, Dimension};

use crate::base::dtype::Dtype;
use crate::cache::key::{KeyPart, KeyWriter};
use crate::tree::leaf::leaf;

leaf!(impl [A, D,] Array<A, D> where [D: Dimension]);

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

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use ndarray::{Array1, Array2};

    use crate::{CallKey, flatten_into, map, unflatten};

    #[test]
    fn arrays_are_leaves_and_their_shapes_are_in_keys() {
        let weights = (Array2::from_elem((2, 3), 1.0f32), Array2::from_elem((3, 1), 2.0f32));
        let (mut bytes, mut leaves) = ([0; 16], [Array2::default((0, 0)), Array2::default((0, 0))]);
        let (def, _) = flatten_into(&weights, &mut bytes, &mut leaves).unwrap();
        assert_eq!(def, crate::treedef!((*, *)));
        assert_eq!(unflatten(def, &leaves).as_ref(), Ok(&weights));
        let sums = map(&weights, |array: &Array2<f32>| array.sum()).unwrap();
        assert_eq!(sums, (6.0, 6.0));

        let key = |array: Array1<u8>| {
            let tree = (weights.clone(), array);
            CallKey::of_tree(&tree, &mut [0; 32]).unwrap().to_string()
        };
        assert_eq!(
            key(Array1::zeros(4)),
            "PyTreeDef(((*, *), *)), float32[2,3], float32[3,1], uint8[4]"
        );
    }
}
