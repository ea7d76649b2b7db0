//! Settings that are saved, loaded by the version that saved them, and loaded from the records of two older versions.
#![no_std]
#![no_main]

use core::hint::black_box;

use table::measured;
use table::versions::{ALIASES, FIRST, RECORDS, SCHEMAS, SECOND, checked, v3::Settings};
use treedef::record::{Upgrade, load, save_into, upgrade};

board::bare_image!(run);

static VERSION_1: Upgrade<Settings> = upgrade!(Settings, SCHEMAS[0].as_bytes(), ALIASES);
static VERSION_2: Upgrade<Settings> = upgrade!(Settings, SCHEMAS[1].as_bytes(), ALIASES);

fn run() -> u32 {
    let is_right = |record| checked(black_box(record)).is_some();
    let is_right = is_right(FIRST) && is_right(SECOND);
    let (settings, mut bytes) = (Settings::third(), [0; 160]);
    let saved = measured!("save", save_into(black_box(&settings), &mut bytes));
    let record = saved.ok().and_then(|len| bytes.get(..len)).unwrap_or(&[]);
    let same = measured!("load the same version", load::<Settings>(black_box(record)));
    let [first, second] = RECORDS;
    let (defaults, mut room) = (Settings::default(), [0; 320]);
    let mut load = |record, upgrade: &Upgrade<Settings>| upgrade.load(record, &defaults, &mut room);
    let first = measured!("load version 1", load(black_box(first), &VERSION_1));
    let second = measured!("load version 2", load(black_box(second), &VERSION_2));
    let is_third = [(first, 11), (second, 12)].into_iter().all(|(loaded, kept)| {
        loaded.is_ok_and(|(loaded, migrated)| loaded == settings && migrated.moved == kept)
    });
    u32::from(!(is_right && is_third && same == Ok(settings)))
}
