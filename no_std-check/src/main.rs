//! Reaches the functions of `treedef` from `_start` with arguments and results the optimiser cannot see through.
//!
//! The program is linked and never run. The panic handler calls a symbol that nothing defines, so it links only if no
//! panic is reachable in that build; there is no allocator, so it links only if nothing allocates.
#![no_std]
#![no_main]

#[cfg(feature = "broken")]
mod breaks;
#[cfg(not(feature = "broken"))]
mod calls;
#[cfg(not(feature = "broken"))]
mod foreign;

#[expect(
    unsafe_code,
    reason = "a declared symbol that nothing defines is what makes a reachable panic break the link"
)]
unsafe extern "C" {
    // SAFETY: a call never runs: a program that holds one does not link.
    safe fn a_panic_is_reachable() -> !;
}

/// Keeps the undefined symbol in the program if, and only if, a panic is reachable.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    a_panic_is_reachable()
}

/// Where the linker starts to look for what is reachable.
// SAFETY: no other symbol of this program is called `_start`: it is linked without start files and without libc.
#[expect(unsafe_code, reason = "the linker finds the entry by its unmangled name")]
#[unsafe(no_mangle)]
pub extern "C" fn _start() -> ! {
    #[cfg(not(feature = "broken"))]
    for (_, call) in calls::ALL {
        core::hint::black_box(call());
    }
    #[cfg(not(feature = "broken"))]
    for call in foreign::ALL {
        core::hint::black_box(call());
    }
    #[cfg(all(feature = "heapless_arithmetic", not(feature = "broken")))]
    for (_, call) in calls::HEAPLESS {
        core::hint::black_box(call());
    }
    // Nothing but the broken promise, so that it alone is what keeps the program from linking.
    #[cfg(feature = "broken")]
    breaks::all();
    loop {
        core::hint::spin_loop();
    }
}
