//! Settings that are saved by hand with `postcard`. A panic is reachable, so this image has a handler of its own.
#![no_std]
#![no_main]

use core::hint::black_box;

use by_hand::{Settings, save};
use table::measured;
use table::versions::{FIRST, SECOND, checked};

#[path = "../by_hand.rs"]
mod by_hand;

board::entry!(board::exit(run()));

board::on_fault!({});

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    board::exit(101)
}

fn run() -> u32 {
    let is_right = |record| checked(black_box(record)).is_some();
    let is_right = is_right(FIRST) && is_right(SECOND);
    let (settings, mut bytes) = (Settings::third(), [0; 160]);
    let saved = measured!("save", save(black_box(&settings), &mut bytes));
    u32::from(!(is_right && saved.is_some()))
}
