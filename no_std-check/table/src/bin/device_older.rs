//! Settings of a device that are saved, loaded by the version that saved them, and loaded from the records of two older versions.
#![no_std]
#![no_main]

use core::hint::black_box;

use table::device::{ALIASES, RECORDS, SCHEMAS, v3::Settings};
use table::measured;
use treedef::record::{load, load_older, save_into};

board::bare_image!(run);

fn run() -> u32 {
    let settings = [Settings::third(), Settings::default()];
    let [settings, defaults] = black_box(&settings);
    let is_there = RECORDS.iter().all(|record| !black_box(*record).is_empty());
    let mut bytes = [0; 160];
    let saved = measured!("save", save_into(black_box(settings), &mut bytes));
    let record = saved.ok().and_then(|len| bytes.get(..len)).unwrap_or(&[]);
    let same = measured!("load the same version", load::<Settings>(black_box(record)));
    let ([first, second], [v1, v2], mut room) = (RECORDS, SCHEMAS, [0; 1600]);
    let mut load = |record, schema| load_older(record, schema, defaults, &ALIASES, &mut room);
    let first = measured!("load version 1", load(black_box(first), v1));
    let second = measured!("load version 2", load(black_box(second), v2));
    let is_third = [(first, 37), (second, 38)].into_iter().all(|(loaded, kept)| {
        loaded.is_ok_and(|(loaded, migrated)| loaded == *settings && migrated.moved == kept)
    });
    u32::from(settings == defaults || !is_there || !is_third || same.as_ref() != Ok(settings))
}
