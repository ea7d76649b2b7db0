//! Writes the treedef of a type at compile time, into an array that is nearly as short.

use crate::base::attempt::attempt;
use crate::base::error::Error;
use crate::encode::schema::{Fields, Schema};
use crate::encode::writer::Writer;
use crate::format::validate::Sizes;

/// The largest treedef that is made at compile time, in bytes; a larger one is made from the value at run time.
pub const MAX_CONST_BYTES: usize = 16384;

/// The bytes that `make::<N>` makes, of which `len` are used. There is one array for each range of lengths, because the
/// length of an array cannot depend on a type parameter. Only the arm that is taken reaches the program.
macro_rules! in_buckets {
    ($len:expr, $make:ident $arguments:tt) => {
        in_buckets!($len, $make $arguments, 1 2 3 4 6 8 12 16 20 24 28 32 40 48 56 64 72 80 88 96 104 112 120 128 144
            160 176 192 208 224 240 256 288 320 352 384 416 448 480 512 576 640 704 768 832 896 960 1024 1152 1280 1408 1536
            1664 1792 1920 2048 2304 2560 2816 3072 3584 4096 5120 6144 8192)
    };
    ($len:expr, $make:ident $arguments:tt, $($n:literal)*) => {
        match $len {
            0 => &[],
            $(1..=$n => &$make::<$n> $arguments,)*
            _ => &$make::<{ $crate::encode::const_bytes::MAX_CONST_BYTES }> $arguments,
        }
    };
}
pub(crate) use in_buckets;

/// Writes the treedef of a schema; `None` if it is not constant, or too large.
pub(crate) const fn encode(schema: &Schema) -> Option<([u8; MAX_CONST_BYTES], Sizes)> {
    let mut bytes = [0; MAX_CONST_BYTES];
    let mut out = Writer::new(&mut bytes);
    schema.describe_value(&mut out);
    if let Ok(size) = out.finish_sizes() { Some((bytes, size)) } else { None }
}

/// Measures that of a schema.
pub(crate) const fn size_of_schema(schema: &Schema) -> Option<Sizes> {
    let (_, size) = attempt!(encode(schema));
    Some(size)
}

/// The first `N` bytes of a constant treedef. More can be needed to write it, because equal elements are written and then
/// made a repeat.
pub(crate) const fn take<const N: usize>(bytes: &[u8; MAX_CONST_BYTES]) -> [u8; N] {
    if let Some(first) = bytes.first_chunk() { *first } else { [0; N] }
}

/// The error of a description that would depend on the value.
const VARIES: Error = Error::ValueChanged;

impl Schema {
    /// Whether all values have one structure.
    pub(crate) const fn is_const(&self) -> bool {
        !matches!(self.describe_any(), Err(VARIES))
    }

    /// Describes the structure of every value, without its bytes.
    pub(crate) const fn describe_any(&self) -> Result<(), Error> {
        let mut out = Writer::count_leaves();
        self.describe_value(&mut out);
        out.outcome()
    }

    /// Describes the structure of every value.
    const fn describe_value(&self, out: &mut Writer<'_>) {
        let (node, children) = match self {
            Schema::Leaf(..) => return out.leaves(1),
            Schema::Array(count, of) => {
                let node = out.begin_list(*count);
                if let Some(copies) = count.checked_sub(1) {
                    of.describe_value(out);
                    out.repeat(copies);
                }
                return out.end(node);
            }
            Schema::Tuple(children) => (out.begin_tuple(children.as_slice().len()), children),
            Schema::Struct(Fields { head: Some(head), meta: [], children, .. }) => {
                (out.begin_head(head), children)
            }
            Schema::Struct(record) => {
                let Some(meta) = record.constants() else { return out.fail(VARIES) };
                (out.begin_struct_with(record.name, record.fields, meta), &record.children)
            }
            _ => return out.fail(VARIES),
        };
        let mut rest = children.as_slice();
        while let [child, others @ ..] = rest {
            child.describe_value(out);
            rest = others;
        }
        out.end(node);
    }
}
