//! The image that those of frames are subtracted from: it holds three states and their frames.
#![no_std]
#![no_main]

use core::hint::black_box;

use table::measured;
use table::telemetry::{FRAMES, Telemetry};

board::bare_image!(run);

#[inline(never)]
fn nothing(state: &Telemetry, bytes: &mut [u8]) -> usize {
    black_box(state);
    black_box(bytes).len()
}

/// Whether these are the first bytes.
fn is_front(bytes: &[u8], len: usize, frame: Option<&&[u8]>) -> bool {
    bytes.get(..len) != frame.copied()
}

fn run() -> u32 {
    let [idle, running, faulty] = black_box([4, 13, 22].map(Telemetry::at));
    let frames = black_box(FRAMES);
    let mut bytes = [0; 64];
    measured!("nothing", ());
    let len = nothing(&idle, &mut bytes);
    let mut is_right = is_front(&bytes, len, frames.first());
    let len = nothing(&running, &mut bytes);
    is_right &= is_front(&bytes, len, frames.get(1));
    let len = nothing(&faulty, &mut bytes);
    is_right &= is_front(&bytes, len, frames.get(2));
    u32::from(!is_right)
}
