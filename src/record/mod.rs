// Values as stored bytes: the key of a type, leaves and choices. It imports from `base`, `format`, `encode` and `tree`.
//
// - `save`: one walk that writes leaves and choices; `load`: builds a value from them;
// - `leaf`: the set of leaf types that records hold, and leaf types of the program; `leaves`: the bytes of each leaf type;
// - `bound`: the largest records of a type.

#![doc = include_str!("../docs/record.md")]

mod bound;
pub(crate) mod leaf;
pub(crate) mod leaves;
mod load;
pub(crate) mod save;

use crate::encode::schema_of::{assert_key, assert_named, schema_of};
use crate::encode::structure::HasSchema;

pub use bound::{record_bytes, record_bytes_with};
pub use leaf::{RecordLeaf, RecordLeaves};
pub use load::{LoadError, load};
#[cfg(feature = "alloc")]
pub use save::save;
pub use save::save_into;

/// The first byte of form 1, which no treedef begins with.
const FORM: u8 = 0xE1;

/// The bytes of a form and a key.
const HEAD: usize = 9;

/// The key of a type, for which it has to have a name and say all that its values can be.
const fn key<T: HasSchema + ?Sized>() -> u64 {
    const {
        assert_named::<T>();
        assert_key::<T>();
        schema_of::<T>().fingerprint()
    }
}
