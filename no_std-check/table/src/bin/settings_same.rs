//! Settings that are saved, and loaded if they have the same structure.
#![no_std]
#![no_main]

use core::hint::black_box;

use table::measured;
use table::versions::{FIRST, Room, SECOND, checked, contents, load_same, v3::Settings};

board::bare_image!(run);

fn run() -> u32 {
    let is_right = |record| checked(black_box(record)).is_some();
    let (settings, mut room) = (Settings::third(), Room::default());
    let record = measured!("save", contents(black_box(&settings), &mut room));
    let Some(record) = record else { return 2 };
    let same = measured!("load if same", load_same(black_box(&record), &settings, &mut room));
    let is_same = same.and_then(|same| contents(&same, &mut room)) == Some(record);
    u32::from(!(is_right(FIRST) && is_right(SECOND) && is_same))
}
