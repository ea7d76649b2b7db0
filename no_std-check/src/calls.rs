//! The calls: one line for each function, with the argument and the result in [`black_box`].

use core::hint::black_box;

/// Calls every function that must neither panic nor allocate.
pub fn all() {
    let bytes: &[u8] = black_box(&[0x43, 0x42, 0x22, 0x01, 0xA0, 0x02, 0xA1, 0x04]);
    black_box(bytes.first());
}

/// Indexes without a check the optimiser could remove.
#[cfg(feature = "break_index")]
pub fn unchecked_index() {
    let bytes: &[u8] = black_box(&[0; 4]);
    black_box(bytes[black_box(2)]);
}
