//! Frames that are written.
#![no_std]
#![no_main]

use core::hint::black_box;

use table::measured;
use table::telemetry::{FRAMES, Telemetry};
use treedef::record::frame::frame_into;

board::bare_image!(run);

#[inline(never)]
fn write(state: &Telemetry, bytes: &mut [u8]) -> usize {
    frame_into(state, bytes).unwrap_or(0)
}

/// Whether these are the first bytes.
fn is_front(bytes: &[u8], len: usize, frame: Option<&&[u8]>) -> bool {
    bytes.get(..len) == frame.copied()
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
