//! The cases about structures: their bytes, what they answer, and what is made of them.
#![no_std]
#![no_main]

use board::Console;

board::image!(run);

fn run(console: &mut Console) -> bool {
    suite::run(
        console,
        &[
            ("golden", suite::golden::CASES),
            ("validate", suite::validate::CASES),
            ("paths", suite::paths::CASES),
            ("algebra", suite::algebra::CASES),
            ("corpus", suite::corpus::CASES),
        ],
    )
}
