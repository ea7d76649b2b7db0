//! The logger: frames go raw to the console.

use core::cell::Cell;

use critical_section::Mutex;
use defmt::Encoder;

/// The encoder between two pieces of a frame. The image has one core and no interrupts, so that frames do not meet.
static ENCODER: Mutex<Cell<Encoder>> = Mutex::new(Cell::new(Encoder::new()));

#[defmt::global_logger]
struct Logger;

/// Lends the encoder.
fn encode(with: impl FnOnce(&mut Encoder)) {
    critical_section::with(|section| {
        let cell = ENCODER.borrow(section);
        let mut encoder = cell.replace(Encoder::new());
        with(&mut encoder);
        cell.set(encoder);
    });
}

// SAFETY: there is one core and no interrupt, so that nothing else logs between `acquire` and `release`.
#[expect(unsafe_code, reason = "the trait is unsafe, the functions are not")]
unsafe impl defmt::Logger for Logger {
    fn acquire() {
        encode(|encoder| encoder.start_frame(board::write));
    }

    unsafe fn flush() {}

    unsafe fn release() {
        encode(|encoder| encoder.end_frame(board::write));
    }

    unsafe fn write(bytes: &[u8]) {
        encode(|encoder| encoder.write(bytes, board::write));
    }
}
