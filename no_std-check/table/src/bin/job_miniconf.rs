//! The nearest job that `miniconf` does: leaves are reached one by one, by keys, and their paths describe the structure.
//!
//! It has no structure as a value: kinds of containers and types of leaves are not in the paths, and the order of the
//! compact keys says what a leaf is. What it has and treedef has not: values as JSON or postcard by path, meta data of
//! nodes, setters. A panic is reachable, so this image has a handler of its own.
#![no_std]
#![no_main]

use core::fmt::Write;
use core::hint::black_box;

use heapless::String;
use miniconf::{ConstPath, Packed, TreeAny, TreeSchema};
use table::measured;
use table::motor::status;

board::entry!(board::exit(run()));

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    board::exit(101)
}

table::motor!(#[derive(Clone, Copy, miniconf::Tree)]);

/// What a peer sends that knows the same paths.
const HELLO: &str = "/speed/kp\n/speed/ki\n/speed/kd\n/current/kp\n/current/ki\n/current/kd\n/limits/current\n\
    /limits/speed\n/pole_pairs\n/dt\n/phase/0\n/phase/1\n";

/// Writes the own paths and compares them with the peer's.
#[inline(never)]
fn connect(text: &mut String<160>, peer: &str) -> bool {
    let mut paths = Motor::SCHEMA.nodes::<ConstPath<String<16>, '/'>, 2>();
    let written = paths.all(|path| path.is_ok_and(|path| writeln!(text, "{}", path.0).is_ok()));
    written && text.as_str() == peer
}

/// Reads all leaves by their compact keys, edits the one at a path, and sets them all in another motor.
#[inline(never)]
fn frame(motor: &Motor) -> Option<Motor> {
    let mut leaves = [0.0f32; 12];
    for (leaf, key) in leaves.iter_mut().zip(Motor::SCHEMA.nodes::<Packed, 2>()) {
        *leaf = *motor.ref_by_key(key.ok()?).ok()?;
    }
    let leaves = black_box(&mut leaves);
    let mut edited = *motor;
    for (leaf, key) in leaves.iter().zip(Motor::SCHEMA.nodes::<Packed, 2>()) {
        *edited.mut_by_key(key.ok()?).ok()? = *leaf;
    }
    *edited.mut_by_key::<f32>("/current/ki").ok()? *= 2.0;
    Some(edited)
}

fn run() -> u32 {
    static START: Motor = Motor::START;
    let (motor, hello, mut text) = (black_box(&START), black_box(HELLO), String::new());
    let accepted = measured!("connect", connect(&mut text, hello));
    let edited = measured!("frame", frame(motor));
    status(accepted, edited.map(|motor| motor.leaves()))
}
