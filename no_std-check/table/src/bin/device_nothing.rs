//! The image that the settings of a device are subtracted from: it has the settings of version 3, and the records of versions 1 and 2.
#![no_std]
#![no_main]

use core::hint::black_box;

use table::device::{RECORDS, v3::Settings};

board::bare_image!(run);

fn run() -> u32 {
    let settings = [Settings::third(), Settings::default()];
    let [settings, defaults] = black_box(&settings);
    let is_there = RECORDS.iter().all(|record| !black_box(*record).is_empty());
    u32::from(settings == defaults || !is_there)
}
