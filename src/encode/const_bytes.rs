//! Writes the treedef of a shape at compile time, into an array that is nearly as short.

use crate::encode::shape::Shape;
use crate::encode::writer::Writer;

/// The largest treedef that is made at compile time, in bytes; a larger one is made from the value at run time.
pub const MAX_CONST_BYTES: usize = 16384;

/// The bytes that `make::<N>` makes, of which `len` are used. There is one array for each range of lengths, because the
/// length of an array cannot depend on a type parameter. Only the arm that is taken reaches the program.
macro_rules! in_buckets {
    ($len:expr, $make:ident $arguments:tt) => {
        in_buckets!($len, $make $arguments, 1 2 3 4 6 8 12 16 20 24 28 32 40 48 56 64 72 80 88 96 104 112 120 128 144
            160 176 192 208 224 240 256 320 384 448 512 768 1024 2048 4096)
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

/// As [`Writer::finish_sizes`] returns it.
pub(crate) type Size = (usize, (u32, u32));

/// Writes a shape to `N` bytes; `None` if it is not constant, or does not fit.
const fn encode<const N: usize>(shape: &Shape) -> Option<([u8; N], Size)> {
    let mut bytes = [0; N];
    let mut out = Writer::new(&mut bytes);
    shape.describe(&mut out);
    match out.finish_sizes() {
        Ok(size) => Some((bytes, size)),
        Err(_) => None,
    }
}

/// Measures a shape, with small buffers first, because evaluation at compile time is slow for large ones.
pub(crate) const fn size_of_shape(shape: &Shape) -> Option<Size> {
    macro_rules! tiers {
        ($($n:literal)*) => {
            $(if let Some((_, size)) = encode::<$n>(shape) {
                return Some(size);
            })*
        };
    }
    if shape.is_const() {
        tiers!(64 512 4096 16384);
    }
    None
}

/// The first `N` bytes of a constant treedef. `N` is nearly always enough to write it in; more is only needed for
/// equal elements, which are written and then made a repeat.
pub(crate) const fn take<const N: usize>(shape: &Shape) -> [u8; N] {
    macro_rules! tiers {
        ($($n:literal)*) => {
            $(if let Some((bytes, _)) = encode::<$n>(shape)
                && let Some((first, _)) = bytes.split_first_chunk()
            {
                return *first;
            })*
        };
    }
    if let Some((bytes, _)) = encode::<N>(shape) {
        return bytes;
    }
    tiers!(512 4096 16384);
    [0; N]
}
