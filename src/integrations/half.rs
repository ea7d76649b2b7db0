//! Makes leaves of the floats of `half`, which are also parts of keys.

use half::{bf16, f16};

use crate::base::dtype::Dtype;
use crate::cache::key::{KeyPart, KeyWriter};
use crate::cache::leaf_keys::scalars;
use crate::cache::shape_dtype::ShapeDtype;
use crate::tree::leaf::leaf;

leaf!(f16 as Float16, bf16 as Bfloat16);

scalars!(f16: Float16, bf16: Bfloat16);

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use half::{bf16, f16};

    use crate::{CallKey, flatten_into, map, unflatten};

    #[test]
    fn floats_are_leaves_and_parts_of_keys() {
        let (mut bytes, mut leaves) = ([0; 16], [f16::ZERO; 2]);
        let pair = [f16::ONE, f16::PI];
        let (def, _) = flatten_into(&pair, &mut bytes, &mut leaves).unwrap();
        assert_eq!(unflatten(def, &leaves), Ok(pair));
        let narrow = map(&pair, |x: &f16| bf16::from_f32(x.to_f32())).unwrap();
        let key = |bytes: &CallKey<'_>| bytes.to_string();
        assert_eq!(
            key(&CallKey::of_tree(&pair, &mut [0; 16]).unwrap()),
            "PyTreeDef([*, *]), float16[], float16[]"
        );
        assert_eq!(
            key(&CallKey::of_tree(&narrow, &mut [0; 16]).unwrap()),
            "PyTreeDef([*, *]), bfloat16[], bfloat16[]"
        );
    }
}
