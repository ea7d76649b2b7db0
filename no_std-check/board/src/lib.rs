//! What every image of these checks needs and none is about: start-up, console, exit status.
//!
//! An image is a `no_std`, `no_main` program. On bare metal `cortex-m-rt` or `riscv-rt` calls its `main`, and console and
//! exit status go through semihosting to the emulator; on the host libc does all three, so that the same source gives the
//! output that every target is compared with.
#![no_std]

mod console;
pub mod uart;

#[cfg(target_arch = "arm")]
mod stack;

/// Runs `run`; how many bytes of stack it used is known on ARM only.
#[cfg(not(target_arch = "arm"))]
pub fn stack_used<R>(run: impl FnOnce() -> R) -> (R, usize) {
    (run(), 0)
}

#[cfg(target_arch = "arm")]
use cortex_m as _;
#[cfg(target_arch = "arm")]
use cortex_m_rt as _;
#[cfg(target_arch = "riscv32")]
use riscv as _;
#[cfg(target_arch = "riscv32")]
use riscv_rt as _;

pub use console::{Console, exit, note, write};
#[cfg(target_arch = "arm")]
pub use stack::{on_process_stack, stack_used};

/// The exit status of an image that ran out of stack or used an address where nothing is.
pub const FAULT: u32 = 102;

/// Makes `$run`, a `fn(&mut Console) -> bool`, an image: exit status 0 where it answers true, 1 where not, 101 after a
/// panic and 102 after a fault, each with a message on the console.
#[macro_export]
macro_rules! image {
    ($run:path) => {
        $crate::entry!($crate::exit(if $run(&mut $crate::Console) { 0 } else { 1 }));

        $crate::on_fault!({
            let message = "fault: the stack overflowed, or nothing is at an address\n";
            let _ = core::fmt::Write::write_str(&mut $crate::Console, message);
        });

        #[panic_handler]
        fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
            let _ = core::fmt::Write::write_fmt(&mut $crate::Console, format_args!("{info}\n"));
            $crate::exit(101)
        }
    };
}

/// Makes `$run`, a `fn() -> u32`, an image with nothing around it, whose size and instructions are its own: the exit
/// status is what it answers. It links only where no panic is reachable, and prints nothing of its own.
#[macro_export]
macro_rules! bare_image {
    ($run:path) => {
        $crate::entry!($crate::exit($run()));

        $crate::on_fault!({});

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
            extern "C" fn body() -> ! {
                $body
            }
            #[cfg(target_arch = "arm")]
            $crate::on_process_stack(body);
            #[cfg(not(target_arch = "arm"))]
            body()
        }
    };
}

/// Makes the block the answer to a fault, before the image ends with status 102. On the host that is the system's.
#[macro_export]
macro_rules! on_fault {
    ($message:block) => {
        #[cfg(target_os = "none")]
        // SAFETY: an image has one handler of this name, and its signature is that of the vector table.
        #[expect(unsafe_code, reason = "start-up code finds the handler by its unmangled name")]
        #[cfg_attr(target_arch = "arm", unsafe(export_name = "HardFault"))]
        #[cfg_attr(target_arch = "riscv32", unsafe(export_name = "ExceptionHandler"))]
        extern "C" fn fault() -> ! {
            $message
            $crate::exit($crate::FAULT)
        }
    };
}
