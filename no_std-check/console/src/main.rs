//! The image: answers lines on the serial port until one says `quit`.
//!
//! It links only if no panic is reachable: not by any byte of the line.
#![no_std]
#![no_main]

use core::fmt::{Result, Write};

use board::uart;

#[path = "../../../examples/console/console.rs"]
mod console;

board::bare_image!(run);

/// The serial port as text.
struct Port;

impl Write for Port {
    fn write_str(&mut self, text: &str) -> Result {
        uart::write(text.as_bytes());
        Ok(())
    }
}

/// Answers each line; exit status 0 after `quit`.
fn run() -> u32 {
    uart::enable();
    uart::write(console::HELP.as_bytes());
    uart::write(b"\n");
    let mut config = console::Config::default();
    let mut line = heapless::Vec::<u8, 80>::new();
    loop {
        match uart::read() {
            b'\n' => {
                let text = core::str::from_utf8(&line).unwrap_or_default();
                if text == "quit" {
                    return 0;
                }
                if console::answer(&mut config, text, &mut Port).is_err() {
                    return 1;
                }
                line.clear();
            }
            // What is too long for the buffer is cut off, and then no path.
            byte => drop(line.push(byte)),
        }
    }
}
