//! Settings of a device that are saved, and loaded by the version that saved them.
#![no_std]
#![no_main]

use core::hint::black_box;

use table::device::{RECORDS, v3::Settings};
use table::measured;
use treedef::record::{load, save_into};

board::bare_image!(run);

fn run() -> u32 {
    let settings = [Settings::third(), Settings::default()];
    let [settings, defaults] = black_box(&settings);
    let is_there = RECORDS.iter().all(|record| !black_box(*record).is_empty());
    let mut bytes = [0; 160];
    let saved = measured!("save", save_into(black_box(settings), &mut bytes));
    let record = saved.ok().and_then(|len| bytes.get(..len)).unwrap_or(&[]);
    let same = measured!("load the same version", load::<Settings>(black_box(record)));
    u32::from(settings == defaults || !is_there || same.as_ref() != Ok(settings))
}
