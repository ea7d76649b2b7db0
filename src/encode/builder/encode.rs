//! The bytes of heads and repeats, for measures.

use crate::encode::builder::tape::Tape;
use crate::format::head;

/// The bytes of a head without a block, and how many of them count.
pub(crate) fn head_bytes(kind: u8, count: u32) -> ([u8; 6], usize) {
    head_or_repeat(kind, count, None)
}

/// The bytes of a repeat, and how many of them count.
pub(crate) fn repeat_bytes(count: u32, leaves: u32) -> ([u8; 11], usize) {
    head_or_repeat(head::SAME, count, Some(leaves))
}

/// What a builder writes for a kind and a count, and for a repeat also the leaves of one copy.
fn head_or_repeat<const N: usize>(kind: u8, count: u32, leaves: Option<u32>) -> ([u8; N], usize) {
    let mut bytes = [0; N];
    let mut scratch = Tape::written(&mut bytes);
    // The arrays hold the longest head and the longest repeat.
    let _ = scratch.put_head(kind, count as usize);
    if let Some(leaves) = leaves {
        let _ = scratch.put_varint(leaves as usize);
    }
    let len = scratch.at();
    (bytes, len)
}
