//! Makes leaves of the floats of `half`, which are also parts of keys, and leaves of records.

use half::{bf16, f16};

use crate::base::dtype::Dtype;
use crate::cache::key::KeyWriter;
use crate::cache::leaf_keys::KeyPart;
use crate::cache::leaf_keys::scalars;
use crate::cache::shape_dtype::ShapeDtype;
use crate::record::bytes::take;
use crate::record::leaves::leaves;
use crate::tree::leaf::leaf;

leaf!(@numbers f16 as Float16, bf16 as Bfloat16);

scalars!(f16: Float16, bf16: Bfloat16);

leaves! {
    [] f16: |self, out| out.all(&self.to_le_bytes()), |bytes| take(bytes).map(Self::from_le_bytes);
    [] bf16: |self, out| out.all(&self.to_le_bytes()), |bytes| take(bytes).map(Self::from_le_bytes);
}
