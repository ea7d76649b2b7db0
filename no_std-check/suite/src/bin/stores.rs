//! The cases about where structures and leaves are kept, arenas and caches; and how what comes is matched with what is expected.
#![no_std]
#![no_main]

use board::Console;

board::image!(run);

fn run(console: &mut Console) -> bool {
    suite::run(
        console,
        &[
            ("matching", suite::matching::CASES),
            ("arena", suite::arena::CASES),
            ("cache", suite::cache::CASES),
        ],
    )
}
