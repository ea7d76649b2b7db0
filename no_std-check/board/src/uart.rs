//! The serial port of the LM3S6965, the Cortex-M3 board: its UART0, a PL011. No other board has it at this address.
//!
//! Polled: one byte is waited for, and one place for a byte to send. Clock and baud rate are left as they are, since the
//! emulated line has none.

use core::ptr;

/// A register of the UART.
///
/// From the data sheet of the LM3S6965, section 12.4.
#[derive(Clone, Copy)]
enum Register {
    /// The next byte that came, or the next to send.
    Data = 0x4000_C000,
    /// What can be read and written.
    Flags = 0x4000_C018,
    /// Word length and queues.
    LineControl = 0x4000_C02C,
    /// What is switched on.
    Control = 0x4000_C030,
}

/// In [`Register::Flags`]: nothing came.
const NOTHING_CAME: u32 = 1 << 4;

/// In [`Register::Flags`]: no room to send.
const NO_ROOM: u32 = 1 << 5;

#[expect(unsafe_code, reason = "registers are memory that the hardware changes")]
impl Register {
    fn read(self) -> u32 {
        // SAFETY: the address is that of an aligned register of the board, which lives as long as the program; only this
        // module uses it, on one core and not in interrupts.
        unsafe { ptr::read_volatile(ptr::with_exposed_provenance(self as usize)) }
    }

    fn write(self, value: u32) {
        // SAFETY: as in `read`; none of the values that this module writes has an effect on memory.
        unsafe { ptr::write_volatile(ptr::with_exposed_provenance_mut(self as usize), value) }
    }
}

/// Switches the port on: words of 8 bits, with queues, both directions.
pub fn enable() {
    Register::LineControl.write(0b0111_0000);
    Register::Control.write(0b11_0000_0001);
}

/// Waits for the next byte.
pub fn read() -> u8 {
    while Register::Flags.read() & NOTHING_CAME != 0 {}
    // The byte stands in the low bits, below those that report errors of the line: the checksum finds these too.
    Register::Data.read() as u8
}

/// Sends bytes, waiting for room for each.
pub fn write(bytes: &[u8]) {
    for byte in bytes {
        while Register::Flags.read() & NO_ROOM != 0 {}
        Register::Data.write(u32::from(*byte));
    }
}
