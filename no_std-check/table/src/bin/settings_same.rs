//! Settings that are saved, and loaded by the version that saved them.
#![no_std]
#![no_main]

use core::hint::black_box;

use table::measured;
use table::versions::{FIRST, SECOND, checked, v3::Settings};
use treedef::record::{load, save_into};

board::bare_image!(run);

fn run() -> u32 {
    let is_right = |record| checked(black_box(record)).is_some();
    let is_right = is_right(FIRST) && is_right(SECOND);
    let (settings, mut bytes) = (Settings::third(), [0; 160]);
    let saved = measured!("save", save_into(black_box(&settings), &mut bytes));
    let record = saved.ok().and_then(|len| bytes.get(..len)).unwrap_or(&[]);
    let same = measured!("load the same version", load::<Settings>(black_box(record)));
    u32::from(!(is_right && same == Ok(settings)))
}
