//! What every image of these checks needs and none is about: start-up, console, exit status.
//!
//! An image is a `no_std`, `no_main` program. On bare metal `cortex-m-rt` or `riscv-rt` calls its `main`, and console and
//! exit status go through semihosting to the emulator; on the host libc does all three, so that the same source gives the
//! output that every target is compared with.
#![no_std]

mod console;
pub mod uart;

#[cfg(target_arch = "arm")]
use cortex_m as _;
#[cfg(target_arch = "arm")]
use cortex_m_rt as _;
#[cfg(target_arch = "riscv32")]
use riscv as _;
#[cfg(target_arch = "riscv32")]
use riscv_rt as _;

pub use console::{Console, exit, write};

/// Makes `$run`, a `fn(&mut Console) -> bool`, an image: exit status 0 where it answers true, 1 where not, and 101 after a
/// panic, whose message the console shows.
#[macro_export]
macro_rules! image {
    ($run:path) => {
        $crate::entry!($crate::exit(if $run(&mut $crate::Console) { 0 } else { 1 }));

        #[panic_handler]
        fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
            let _ = core::fmt::Write::write_fmt(&mut $crate::Console, format_args!("{info}\n"));
            $crate::exit(101)
        }
    };
}

/// Makes `$run`, a `fn() -> u32`, an image with nothing around it, whose size and instructions are its own: the exit
/// status is what it answers. It links only where no panic is reachable, and has no console.
#[macro_export]
macro_rules! bare_image {
    ($run:path) => {
        $crate::entry!($crate::exit($run()));

        #[expect(
            unsafe_code,
            reason = "a symbol that nothing defines makes a reachable panic break the link"
        )]
        unsafe extern "C" {
            // SAFETY: a call never runs: a program that holds one does not link.
            safe fn a_panic_is_reachable() -> !;
        }

        #[panic_handler]
        fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
            a_panic_is_reachable()
        }
    };
}

/// Makes the expression the body of `main`.
#[macro_export]
macro_rules! entry {
    ($body:expr) => {
        // SAFETY: an image has one `main`, and only the start-up code calls it.
        #[expect(unsafe_code, reason = "start-up code finds the entry by its unmangled name")]
        #[unsafe(no_mangle)]
        extern "C" fn main() -> ! {
            $body
        }
    };
}
