//! The image: the session on a serial port, until the host ends it.
//!
//! It links only if no panic is reachable: not by any byte of the line, not by any step of the drive.
#![no_std]
#![no_main]

use board::uart;
use device::session::Session;

board::bare_image!(run);

/// Answers the host; exit status 0 when the host ends the program.
fn run() -> u32 {
    uart::enable();
    let mut session = Session::default();
    while !session.stopped {
        if let Some(answer) = session.take(uart::read()) {
            uart::write(answer);
        }
    }
    0
}
