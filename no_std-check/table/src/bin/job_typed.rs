//! The job with a derived type: treedef and fingerprint are constants in flash.
#![no_std]
#![no_main]

use core::hint::black_box;

use table::measured;
use table::motor::{Motor, flatten, start, status, unflatten};
use treedef::{TreeDef, treedef_of};

board::bare_image!(run);

const DEF: TreeDef<'static> = treedef_of::<Motor>();
const FINGERPRINT: u64 = DEF.fingerprint();

/// Equal bytes are an equal structure: there is nothing to validate.
#[inline(never)]
fn connect(peer: &[u8]) -> bool {
    peer == DEF.as_bytes()
}

#[inline(never)]
fn frame(motor: &Motor, peer: u64) -> Option<Motor> {
    let mut leaves = [0.0; 12];
    if peer != FINGERPRINT || !flatten(motor, &mut leaves) {
        return None;
    }
    let leaves = black_box(&mut leaves);
    *leaves.get_mut(4)? *= 2.0;
    unflatten(leaves)
}

fn run() -> u32 {
    let (motor, hello, peer) = (start(), black_box(DEF.as_bytes()), black_box(FINGERPRINT));
    let accepted = measured!("connect", connect(hello));
    let edited = measured!("frame", frame(motor, peer));
    status(accepted, edited.map(|motor| motor.leaves()))
}
