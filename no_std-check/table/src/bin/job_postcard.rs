//! The nearest job that `postcard` and `postcard-schema` do: values as bytes behind a constant hash of the type's schema.
//!
//! The hash is all that is compared; `benches/peers` shows unlike structures of one hash.
//! Nothing but the type itself can write or read the bytes.
#![no_std]
#![no_main]

use core::hint::black_box;

use postcard_schema::{Schema, key::Key};
use serde::{Deserialize, Serialize};
use table::measured;
use table::motor::status;

board::bare_image!(run);

table::motor!(#[derive(Clone, Copy, Deserialize, Schema, Serialize)]);

const KEY: Key = Key::for_path::<Motor>("");

#[inline(never)]
fn connect(peer: [u8; 8]) -> bool {
    peer == KEY.to_bytes()
}

/// Writes the values, edits the fifth, and reads them.
#[inline(never)]
fn frame(motor: &Motor, peer: [u8; 8]) -> Option<Motor> {
    let mut bytes = [0; 48];
    if peer != KEY.to_bytes() {
        return None;
    }
    let written = postcard::to_slice(motor, &mut bytes).ok()?;
    let written = black_box(written);
    let ki = written.get_mut(16..20)?;
    let doubled = 2.0 * f32::from_le_bytes((&*ki).try_into().ok()?);
    ki.copy_from_slice(&doubled.to_le_bytes());
    postcard::from_bytes(written).ok()
}

fn run() -> u32 {
    static START: Motor = Motor::START;
    let (motor, peer) = (black_box(&START), black_box(KEY.to_bytes()));
    let accepted = measured!("connect", connect(peer));
    let edited = measured!("frame", frame(motor, peer));
    status(accepted, edited.map(|motor| motor.leaves()))
}
