//! The code size of nothing: subtracted from that of the others.
#![no_std]
#![no_main]

use core::hint::black_box;

use table::size::Work;

board::bare_image!(run);

fn run() -> u32 {
    let work = Work::new(true, true);
    let well = black_box(true);
    work.status(well)
}
