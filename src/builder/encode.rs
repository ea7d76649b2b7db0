//! The sizes of heads and repeats, for measures.

use crate::builder::tape::Tape;
use crate::head;

/// The bytes of a head without a block, and how many of them count.
pub(crate) fn head_len(kind: u8, count: u32) -> ([u8; 6], usize) {
    copies_or_head(kind, count, None)
}

/// The bytes of a repeat, and how many of them count.
pub(crate) fn copies_len(count: u32, leaves: u32) -> ([u8; 11], usize) {
    copies_or_head(head::SAME, count, Some(leaves))
}

/// What a builder writes for a kind and a count, and for a repeat also the leaves of one copy.
fn copies_or_head<const N: usize>(kind: u8, count: u32, leaves: Option<u32>) -> ([u8; N], usize) {
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
