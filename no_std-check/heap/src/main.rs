//! The features that need a heap, on an allocator for firmware. Output is compared as that of the suite; how much heap
//! was used depends on the width of pointers and is noted only.
#![no_std]
#![no_main]

extern crate alloc;

mod bump;
mod containers;
mod keys;

use board::Console;
use embedded_alloc::LlffHeap;

board::image!(run);

#[global_allocator]
static HEAP: LlffHeap = LlffHeap::empty();

/// What the smallest of the boards has beside its stack.
const SIZE: usize = 32 * 1024;

fn run(console: &mut Console) -> bool {
    start();
    let unused = HEAP.used();
    let passed = suite::run(
        console,
        &[("containers", containers::CASES), ("bump", bump::CASES), ("keys", keys::CASES)],
    );
    let (used, free) = (HEAP.used(), HEAP.free());
    board::note(format_args!("heap: {used} bytes used, {free} free\n"));
    // Whatever was allocated has been given back.
    passed && used == unused
}

/// Gives the allocator its memory.
#[expect(unsafe_code, reason = "the allocator takes addresses")]
fn start() {
    // SAFETY: called once, before anything is allocated.
    unsafe {
        embedded_alloc::init!(HEAP, SIZE);
    }
}

/// On the host nothing interrupts the one thread.
#[cfg(not(target_os = "none"))]
#[expect(unsafe_code, reason = "that nothing else runs is for the program to promise")]
mod alone {
    struct Alone;

    critical_section::set_impl!(Alone);

    // SAFETY: the program has one thread and no signal handlers, so that every section is critical.
    unsafe impl critical_section::Impl for Alone {
        unsafe fn acquire() {}

        unsafe fn release((): ()) {}
    }
}
