//! The job: nothing. The motor is copied and edited, so that start, check and exit are those of the other jobs.
#![no_std]
#![no_main]

use core::hint::black_box;

use table::measured;
use table::motor::{Motor, start, status};

board::bare_image!(run);

#[inline(never)]
fn connect() -> bool {
    black_box(true)
}

#[inline(never)]
fn frame(motor: &Motor) -> Option<Motor> {
    let mut motor = *motor;
    motor.current.ki = 2.0 * black_box(400.0);
    Some(motor)
}

fn run() -> u32 {
    let motor = start();
    let accepted = measured!("connect", connect());
    let edited = measured!("frame", frame(motor));
    status(accepted, edited.map(|motor| motor.leaves()))
}
