//! The same states, serialized by `postcard`. A panic is reachable, so this image has a handler of its own.
#![no_std]
#![no_main]

use core::hint::black_box;

use table::measured;
use table::telemetry::{FRAMES, Telemetry};

board::entry!(board::exit(run()));

board::on_fault!({});

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    board::exit(101)
}

#[inline(never)]
fn write(state: &Telemetry, bytes: &mut [u8]) -> usize {
    postcard::to_slice(state, bytes).map_or(0, |written| written.len())
}

/// Whether these are the first bytes.
fn is_front(bytes: &[u8], len: usize, frame: Option<&&[u8]>) -> bool {
    len > 0 && bytes.get(..len) != frame.copied()
}

fn run() -> u32 {
    let [idle, running, faulty] = black_box([4, 13, 22].map(Telemetry::at));
    let frames = black_box(FRAMES);
    let mut bytes = [0; 64];
    let len = measured!("idle", write(&idle, &mut bytes));
    let mut is_right = is_front(&bytes, len, frames.first());
    let len = measured!("running", write(&running, &mut bytes));
    is_right &= is_front(&bytes, len, frames.get(1));
    let len = measured!("faulty", write(&faulty, &mut bytes));
    is_right &= is_front(&bytes, len, frames.get(2));
    u32::from(!is_right)
}
