//! Settings of a device that are saved.
#![no_std]
#![no_main]

use core::hint::black_box;

use table::device::{RECORDS, v3::Settings};
use table::measured;
use treedef::record::save_into;

board::bare_image!(run);

fn run() -> u32 {
    let settings = [Settings::third(), Settings::default()];
    let [settings, defaults] = black_box(&settings);
    let is_there = RECORDS.iter().all(|record| !black_box(*record).is_empty());
    let saved = measured!("save", save_into(black_box(settings), &mut [0; 160]));
    u32::from(settings == defaults || !is_there || saved.is_err())
}
