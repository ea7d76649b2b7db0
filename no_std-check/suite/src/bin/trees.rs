//! The cases about trees: typed ones, with derives and macros, constants, and trees made at run time.
#![no_std]
#![no_main]

use board::Console;

board::image!(run);

fn run(console: &mut Console) -> bool {
    suite::run(
        console,
        &[
            ("typed", suite::typed::CASES),
            ("derived", suite::derived::CASES),
            ("consts", suite::consts::CASES),
            ("dynamic", suite::dynamic::CASES),
        ],
    )
}
