//! Settings that are saved.
#![no_std]
#![no_main]

use core::hint::black_box;

use table::measured;
use table::versions::{FIRST, Room, SECOND, checked, contents, v3::Settings};

board::bare_image!(run);

fn run() -> u32 {
    let is_right = |record| checked(black_box(record)).is_some();
    let (settings, mut room) = (Settings::third(), Room::default());
    let record = measured!("save", contents(black_box(&settings), &mut room));
    u32::from(!(is_right(FIRST) && is_right(SECOND) && record.is_some()))
}
