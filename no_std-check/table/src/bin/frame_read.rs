//! Frames that are read by a receiver with the type.
#![no_std]
#![no_main]

use core::hint::black_box;

use table::measured;
use table::telemetry::{FRAMES, Telemetry};
use treedef::record::frame::read_frame;

board::bare_image!(run);

#[inline(never)]
fn read(bytes: &[u8], state: &mut Option<Telemetry>) {
    *state = read_frame(bytes).ok();
}

fn run() -> u32 {
    let [idle, running, faulty] = black_box([4, 13, 22].map(Telemetry::at));
    let frames = black_box(FRAMES);
    let [one, other, last] = frames;
    let mut found = None;
    measured!("idle", read(one, &mut found));
    let mut is_right = found == Some(idle);
    measured!("running", read(other, &mut found));
    is_right &= found == Some(running);
    measured!("faulty", read(last, &mut found));
    is_right &= found == Some(faulty);
    u32::from(!is_right)
}
