//! Frames that are checked by a receiver with a schema that was made at compile time.
#![no_std]
#![no_main]

use core::hint::black_box;

use table::measured;
use table::telemetry::{FRAMES, Telemetry};
use treedef::record::frame::{FrameError, FrameSchema};
use treedef::schema_of;

board::bare_image!(run);

static SCHEMA: Result<FrameSchema<32>, FrameError> = FrameSchema::new(schema_of::<Telemetry>());

#[inline(never)]
fn check(schema: &FrameSchema<32>, bytes: &[u8]) -> usize {
    schema.parts(bytes).map_or(0, |parts| parts.leaves.len())
}

fn run() -> u32 {
    let [idle, running, faulty] = black_box([4, 13, 22].map(Telemetry::at));
    let frames = black_box(FRAMES);
    black_box([idle, running, faulty]);
    let [one, other, last] = frames;
    let Ok(schema) = &SCHEMA else { return 2 };
    let first = measured!("idle", check(schema, one));
    let second = measured!("running", check(schema, other));
    let third = measured!("faulty", check(schema, last));
    u32::from([first, second, third] != [22, 34, 32])
}
