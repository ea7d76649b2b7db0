//! As `device_older`, with plans of what becomes of the older versions, which are made while the program is compiled.
#![no_std]
#![no_main]

use core::hint::black_box;

use table::device::{ALIASES, RECORDS, SCHEMAS, v3::Settings};
use table::measured;
use treedef::record::{Upgrade, load, save_into, upgrade};

board::bare_image!(run);

static FIRST: Upgrade<Settings> = upgrade!(Settings, SCHEMAS[0].as_bytes(), ALIASES);
static SECOND: Upgrade<Settings> = upgrade!(Settings, SCHEMAS[1].as_bytes(), ALIASES);

fn run() -> u32 {
    let settings = [Settings::third(), Settings::default()];
    let [settings, defaults] = black_box(&settings);
    let is_there = RECORDS.iter().all(|record| !black_box(*record).is_empty());
    let mut bytes = [0; 160];
    let saved = measured!("save", save_into(black_box(settings), &mut bytes));
    let record = saved.ok().and_then(|len| bytes.get(..len)).unwrap_or(&[]);
    let same = measured!("load the same version", load::<Settings>(black_box(record)));
    let ([first, second], mut room) = (RECORDS, [0; 320]);
    let mut load = |record, upgrade: &Upgrade<Settings>| upgrade.load(record, defaults, &mut room);
    let first = measured!("load version 1", load(black_box(first), &FIRST));
    let second = measured!("load version 2", load(black_box(second), &SECOND));
    let is_third = [(first, 37), (second, 38)].into_iter().all(|(loaded, kept)| {
        loaded.is_ok_and(|(loaded, migrated)| loaded == *settings && migrated.moved == kept)
    });
    u32::from(settings == defaults || !is_there || !is_third || same.as_ref() != Ok(settings))
}
