//! The image that the settings are subtracted from: it holds the records of versions 1 and 2, and checks their checksums.
#![no_std]
#![no_main]

use core::hint::black_box;

use table::versions::{FIRST, SECOND, checked};

board::bare_image!(run);

fn run() -> u32 {
    let is_right = |record| checked(black_box(record)).is_some();
    u32::from(!(is_right(FIRST) && is_right(SECOND)))
}
