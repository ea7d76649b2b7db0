//! Settings that are saved, loaded by the version that saved them, and loaded from the records of two older versions.
#![no_std]
#![no_main]

use core::hint::black_box;

use table::measured;
use table::versions::{ALIASES, FIRST, RECORDS, SCHEMAS, SECOND, checked, v3::Settings};
use treedef::record::{load, load_older, save_into};

board::bare_image!(run);

fn run() -> u32 {
    let is_right = |record| checked(black_box(record)).is_some();
    let is_right = is_right(FIRST) && is_right(SECOND);
    let (settings, mut bytes) = (Settings::third(), [0; 160]);
    let saved = measured!("save", save_into(black_box(&settings), &mut bytes));
    let record = saved.ok().and_then(|len| bytes.get(..len)).unwrap_or(&[]);
    let same = measured!("load the same version", load::<Settings>(black_box(record)));
    let ([first, second], [v1, v2]) = (RECORDS, SCHEMAS);
    let (defaults, mut room) = (Settings::default(), [0; 1024]);
    let mut load = |record, schema| load_older(record, schema, &defaults, &ALIASES, &mut room);
    let first = measured!("load version 1", load(black_box(first), v1));
    let second = measured!("load version 2", load(black_box(second), v2));
    let is_third = [(first, 11), (second, 12)].into_iter().all(|(loaded, kept)| {
        loaded.is_ok_and(|(loaded, migrated)| loaded == settings && migrated.moved == kept)
    });
    u32::from(!(is_right && is_third && same == Ok(settings)))
}
