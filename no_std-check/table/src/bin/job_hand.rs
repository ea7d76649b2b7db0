//! The job by hand: copies, and a number that whoever changes the structure must remember to change.
#![no_std]
#![no_main]

use core::hint::black_box;

use table::measured;
use table::motor::{Motor, flatten_by_hand, start, status, unflatten_by_hand};

board::bare_image!(run);

/// The structure, in this firmware.
const VERSION: u64 = 0x0007_2026;

#[inline(never)]
fn connect(peer: u64) -> bool {
    peer == VERSION
}

#[inline(never)]
fn frame(motor: &Motor, peer: u64) -> Option<Motor> {
    let mut leaves = [0.0; 12];
    if peer != VERSION || !flatten_by_hand(motor, &mut leaves) {
        return None;
    }
    let leaves = black_box(&mut leaves);
    *leaves.get_mut(4)? *= 2.0;
    unflatten_by_hand(leaves)
}

fn run() -> u32 {
    let (motor, peer) = (start(), black_box(VERSION));
    let accepted = measured!("connect", connect(peer));
    let edited = measured!("frame", frame(motor, peer));
    status(accepted, edited.map(|motor| motor.leaves()))
}
