//! Settings that are saved, loaded if they have the same structure, and migrated from three versions.
#![no_std]
#![no_main]

use core::hint::black_box;

use table::measured;
use table::versions::{
    FIRST, Record, Room, SECOND, checked, contents, load, load_same, v3::Settings,
};

board::bare_image!(run);

/// What is loaded from a record, and the number of leaves that were moved.
#[inline(never)]
fn migrate(record: &[u8], defaults: &Settings, room: &mut Room) -> Option<(Settings, usize)> {
    let (settings, migrated) = load(record, defaults, room, |_| {})?;
    Some((settings, migrated.moved))
}

/// Whether the settings were loaded that this record has, and this number of leaves was moved.
#[inline(never)]
fn has(loaded: Option<(Settings, usize)>, kept: usize, record: &Record, room: &mut Room) -> bool {
    loaded.is_some_and(|(settings, moved)| {
        moved == kept && contents(&settings, room).as_ref() == Some(record)
    })
}

fn run() -> u32 {
    let (settings, defaults, mut room) = (Settings::third(), Settings::default(), Room::default());
    let record = measured!("save", contents(black_box(&settings), &mut room));
    let (Some(record), Some(first), Some(second)) =
        (record, checked(black_box(FIRST)), checked(black_box(SECOND)))
    else {
        return 2;
    };
    let same = measured!("load if same", load_same(black_box(&record), &settings, &mut room));
    let is_same = has(same.map(|same| (same, 14)), 14, &record, &mut room);
    let first = measured!("load version 1", migrate(first, &defaults, &mut room));
    let is_first = has(first, 11, &record, &mut room);
    let second = measured!("load version 2", migrate(second, &defaults, &mut room));
    let is_second = has(second, 12, &record, &mut room);
    let third = measured!("load version 3", migrate(black_box(&record), &defaults, &mut room));
    u32::from(!(is_same && is_first && is_second && has(third, 14, &record, &mut room)))
}
