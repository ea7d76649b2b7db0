//! Makes leaves of the numbers of `fixed`, which are also parts of keys, and leaves of records.

use fixed::types::extra::{LeEqU8, LeEqU16, LeEqU32, LeEqU64};
use fixed::{FixedI8, FixedI16, FixedI32, FixedI64, FixedU8, FixedU16, FixedU32, FixedU64};

use crate::base::dtype::Dtype;
use crate::cache::key::KeyWriter;
use crate::cache::leaf_keys::KeyPart;
use crate::cache::shape_dtype::ShapeDtype;
use crate::record::leaf::{RecordLeaves, StoredLeaf};
use crate::record::leaves::leaves;
use crate::tree::leaf::leaf;

/// The name of a type with `Frac` fraction bits, such as `FixedI16<U8>`.
macro_rules! name {
    ($type:ident) => {
        name!($type:
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35
            36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64
        )
    };
    ($type:ident: $($bits:literal)*) => {
        match Frac::U32 {
            $($bits => concat!(stringify!($type), "<U", $bits, ">"),)*
            _ => stringify!($type),
        }
    };
}

/// The dtype is that of the integer with the same bits. The name of the leaf type has the number of fraction bits, so that the
/// schemas of two scales differ.
macro_rules! numbers {
    ($($type:ident, $bound:ident, $dtype:ident;)*) => {$(
        leaf!(@number [Frac: $bound + 'static,] $type<Frac>, name!($type), $dtype);

        /// Writes the dtype of the integer. [`KeyWriter::named`] adds the number of fraction bits, if compiled code depends on it.
        impl<Frac> KeyPart for $type<Frac> {
            #[inline]
            fn write_key(&self, key: &mut KeyWriter<'_>) {
                ShapeDtype::new(Dtype::$dtype, &[]).write_key(key);
            }
        }

        leaves! {
            [Frac: $bound + 'static] $type<Frac>: |self, out| StoredLeaf::<RecordLeaves>::save(&self.to_bits(), out), |bytes| {
                StoredLeaf::<RecordLeaves>::load(bytes).map(Self::from_bits)
            };
        }
    )*};
}
numbers! {
    FixedI8, LeEqU8, Int8;
    FixedU8, LeEqU8, Uint8;
    FixedI16, LeEqU16, Int16;
    FixedU16, LeEqU16, Uint16;
    FixedI32, LeEqU32, Int32;
    FixedU32, LeEqU32, Uint32;
    FixedI64, LeEqU64, Int64;
    FixedU64, LeEqU64, Uint64;
}
