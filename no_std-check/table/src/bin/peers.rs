//! The nearest operations of `miniconf` and `postcard` on the motor, each counted by itself.
#![no_std]
#![no_main]

use core::hint::black_box;

use miniconf::{Packed, TreeAny, TreeSchema};
use postcard_schema::key::Key;
use table::measured;
use table::motor::LEAVES;

board::entry!(board::exit(run()));

/// `miniconf` can panic here.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    board::exit(101)
}

table::motor!(#[derive(Clone, Copy, miniconf::Tree)]);

/// The motor for `postcard`: traits of both have a constant of the same name.
mod wire {
    table::motor!(#[derive(Clone, Copy, serde::Deserialize, postcard_schema::Schema, serde::Serialize)]);
}

const KEY: Key = Key::for_path::<wire::Motor>("");

/// All leaves in order, by the compact keys that the schema counts up.
#[inline(never)]
fn read_all(motor: &Motor, leaves: &mut [f32]) -> bool {
    let keys = Motor::SCHEMA.nodes::<Packed, 2>();
    leaves.iter_mut().zip(keys).all(|(leaf, key)| {
        let found = key.ok().and_then(|key| motor.ref_by_key(key).ok());
        found.map(|found| *leaf = *found).is_some()
    })
}

#[inline(never)]
fn find_text(motor: &Motor, path: &str) -> Option<f32> {
    motor.ref_by_key(path).ok().copied()
}

#[inline(never)]
fn find_key(motor: &Motor, key: Packed) -> Option<f32> {
    motor.ref_by_key(key).ok().copied()
}

#[inline(never)]
fn serialize(motor: &wire::Motor, bytes: &mut [u8]) -> bool {
    postcard::to_slice(motor, bytes).is_ok()
}

#[inline(never)]
fn deserialize(bytes: &[u8]) -> Option<wire::Motor> {
    postcard::from_bytes(bytes).ok()
}

#[inline(never)]
fn is_known(key: [u8; 8]) -> bool {
    key == KEY.to_bytes()
}

fn run() -> u32 {
    static START: Motor = Motor::START;
    let (motor, mut leaves, mut bytes) = (black_box(&START), [0.0; 12], [0; 48]);
    let all = measured!("`miniconf`: all leaves by keys", read_all(motor, &mut leaves));
    let path = black_box("/current/ki");
    let by_text = measured!("`miniconf`: leaf by text", find_text(motor, path));
    let Ok(key) = Motor::SCHEMA.transcode::<Packed>([1, 1]) else { return 2 };
    let key = black_box(key);
    let by_key = measured!("`miniconf`: leaf by key", find_key(motor, key));
    static WIRE: wire::Motor = wire::Motor::START;
    let motor = black_box(&WIRE);
    let written = measured!("`postcard`: serialize", serialize(motor, &mut bytes));
    let bytes = black_box(bytes);
    let read = measured!("`postcard`: deserialize", deserialize(&bytes));
    let key = black_box(KEY.to_bytes());
    let known = measured!("`postcard-schema`: key compare", is_known(key));
    let read = read.is_some_and(|read| read.leaves() == LEAVES);
    let found = [by_text, by_key] == [Some(400.0); 2];
    u32::from(!(all && black_box(leaves) == LEAVES && found && written && read && known))
}
