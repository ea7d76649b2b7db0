//! The cases about records of settings, which newer versions load.
#![no_std]
#![no_main]

use board::Console;

board::image!(run);

fn run(console: &mut Console) -> bool {
    suite::run(
        console,
        &[
            ("settings", suite::settings::CASES),
            ("device", suite::device::CASES),
            ("upgrades", suite::upgrades::CASES),
        ],
    )
}
