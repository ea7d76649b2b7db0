//! Settings that are saved.
#![no_std]
#![no_main]

use core::hint::black_box;

use table::measured;
use table::versions::{FIRST, SECOND, checked, v3::Settings};
use treedef::record::save_into;

board::bare_image!(run);

fn run() -> u32 {
    let is_right = |record| checked(black_box(record)).is_some();
    let is_right = is_right(FIRST) && is_right(SECOND);
    let mut bytes = [0; 160];
    let saved = measured!("save", save_into(black_box(&Settings::third()), &mut bytes));
    u32::from(!(is_right && saved.is_ok()))
}
