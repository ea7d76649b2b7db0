//! The cases whose stack is deeper than the memory of the smallest board.
#![no_std]
#![no_main]

use board::Console;

board::image!(run);

fn run(console: &mut Console) -> bool {
    suite::run(console, &[("deep", suite::deep::CASES)])
}
