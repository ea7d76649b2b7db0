//! Text out and the end of the program: through the emulator on bare metal, through libc on the host.

use core::fmt;

/// The console of the image; what cannot be written is dropped.
pub struct Console;

impl fmt::Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        write(text.as_bytes());
        Ok(())
    }
}

/// Writes bytes to the console; what cannot be written is dropped.
#[cfg(target_os = "none")]
pub fn write(bytes: &[u8]) {
    use semihosting::io::Write as _;
    let _ = semihosting::io::stdout().and_then(|mut out| out.write_all(bytes));
}

/// Writes a line that is not compared with that of other targets to the emulator's standard error.
#[cfg(target_os = "none")]
pub fn note(text: fmt::Arguments<'_>) {
    struct Notes;

    impl fmt::Write for Notes {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            use semihosting::io::Write as _;
            let written =
                semihosting::io::stderr().and_then(|mut out| out.write_all(text.as_bytes()));
            written.map_err(|_| fmt::Error)
        }
    }

    // What cannot be written is dropped.
    let _ = fmt::Write::write_fmt(&mut Notes, text);
}

/// On the host there is nothing to note.
#[cfg(not(target_os = "none"))]
pub fn note(_: fmt::Arguments<'_>) {}

/// Ends the program with `status`, which becomes the emulator's.
#[cfg(target_os = "none")]
pub fn exit(status: u32) -> ! {
    semihosting::process::exit(status.cast_signed())
}

#[cfg(not(target_os = "none"))]
#[expect(unsafe_code, reason = "libc is C")]
mod libc {
    use core::ffi::{c_int, c_void};

    // SAFETY: as in POSIX.
    unsafe extern "C" {
        pub(super) fn write(file: c_int, bytes: *const c_void, len: usize) -> isize;
        pub(super) safe fn exit(status: c_int) -> !;
    }
}

/// Writes bytes to the console; what cannot be written is dropped.
#[cfg(not(target_os = "none"))]
#[expect(unsafe_code, reason = "libc is C")]
pub fn write(mut bytes: &[u8]) {
    while !bytes.is_empty() {
        // SAFETY: pointer and length are those of a slice.
        let written = unsafe { libc::write(1, bytes.as_ptr().cast(), bytes.len()) };
        match usize::try_from(written).ok().and_then(|written| bytes.get(written..)) {
            Some(rest) if written > 0 => bytes = rest,
            _ => return,
        }
    }
}

/// Ends the program with `status`.
#[cfg(not(target_os = "none"))]
pub fn exit(status: u32) -> ! {
    libc::exit(status.cast_signed())
}
