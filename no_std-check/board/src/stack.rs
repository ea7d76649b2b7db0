//! A stack whose overflow is noticed.
//!
//! The stack lies at the bottom of memory, below everything else (`link.rs`), so that an overflow leaves memory and
//! faults instead of changing data. Emulators may drop what is written there instead: so a stack of which nothing was left
//! is an overflow too. The handler of a fault needs a stack of its own: it keeps the main stack, and the program runs on the
//! process stack.

use core::fmt::Write;

/// What is left to the handlers of exceptions: the frame that the hardware pushes, and a message.
const HANDLERS: usize = 512;

/// What the free stack is filled with to see later what was used.
const PAINT: u32 = 0x5AFE_57AC;

/// How far below the stack pointer is looked, where there is that much stack.
const DEPTH: usize = 64 * 1024;

/// Runs `run` and says how many bytes of stack it used. Where it used all, the program ends as after a fault.
#[expect(unsafe_code, reason = "the free stack is no object of the program")]
pub fn stack_used<R>(run: impl FnOnce() -> R) -> (R, usize) {
    // SAFETY: the linker script defines the symbol; only its address is used.
    unsafe extern "C" {
        safe static mut _stack_end: u32;
    }
    let top: usize;
    // SAFETY: reads a register.
    unsafe { core::arch::asm!("mov {top}, sp", top = out(reg) top, options(nomem, nostack)) };
    let bottom = (&raw mut _stack_end).addr().max(top.saturating_sub(DEPTH));
    let words = (bottom..top).step_by(4).map(core::ptr::with_exposed_provenance_mut::<u32>);
    for word in words.clone() {
        // SAFETY: below the stack pointer, above the end of the stack: memory that nothing uses. This loop calls nothing
        // that is not inlined, so that it needs no more stack itself.
        unsafe { word.write_volatile(PAINT) };
    }
    let answer = run();
    // SAFETY: as above.
    let free = words.take_while(|word| unsafe { word.read_volatile() } == PAINT).count() * 4;
    if free == 0 {
        // The console drops what cannot be written.
        let _ = crate::Console.write_str("the stack overflowed\n");
        crate::exit(crate::FAULT);
    }
    (answer, top.saturating_sub(bottom).saturating_sub(free))
}

/// Runs `body` on the process stack.
#[expect(unsafe_code, reason = "stack pointers are registers")]
pub fn on_process_stack(body: extern "C" fn() -> !) -> ! {
    // SAFETY: the linker script defines the symbol; only its address is used.
    unsafe extern "C" {
        safe static _stack_start: u32;
    }
    let top = (&raw const _stack_start).addr().wrapping_sub(HANDLERS);
    // SAFETY: `top` is a multiple of 8 within the stack, below it nothing is in use but the frames of start-up code,
    // to which nothing returns; 2 selects the process stack for the program and leaves handlers the main stack.
    unsafe {
        core::arch::asm!(
            "msr psp, {top}",
            "msr control, {process}",
            "isb",
            "bx {body}",
            top = in(reg) top,
            process = in(reg) 2,
            body = in(reg) body,
            options(noreturn),
        )
    }
}
