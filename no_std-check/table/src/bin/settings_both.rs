//! Settings that are saved as records and loaded by the version that saved them, and loaded from what two older versions stored, each with
//! its treedef: the release in which a program moves to records.
#![no_std]
#![no_main]

use core::hint::black_box;

use table::measured;
use table::versions::{FIRST, Room, SECOND, checked, load as load_before, v3::Settings};
use treedef::record::{load, save_into};

board::bare_image!(run);

/// What is loaded from what an older version stored, and the number of leaves that were moved.
#[inline(never)]
fn migrate(stored: &[u8], defaults: &Settings, room: &mut Room) -> Option<(Settings, usize)> {
    let (settings, migrated) = load_before(stored, defaults, room, |_| {})?;
    Some((settings, migrated.moved))
}

fn run() -> u32 {
    let (settings, mut bytes) = (Settings::third(), [0; 160]);
    let saved = measured!("save", save_into(black_box(&settings), &mut bytes));
    let record = saved.ok().and_then(|len| bytes.get(..len)).unwrap_or(&[]);
    let same = measured!("load the same version", load::<Settings>(black_box(record)));
    let (Some(first), Some(second)) = (checked(black_box(FIRST)), checked(black_box(SECOND)))
    else {
        return 2;
    };
    let (defaults, mut room) = (Settings::default(), Room::default());
    let first = measured!("load version 1", migrate(first, &defaults, &mut room));
    let second = measured!("load version 2", migrate(second, &defaults, &mut room));
    let is_third = [(first, 11), (second, 12)].into_iter().all(|(loaded, kept)| {
        loaded.is_some_and(|(loaded, moved)| loaded == settings && moved == kept)
    });
    u32::from(!(is_third && same == Ok(settings)))
}
