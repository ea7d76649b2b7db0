//! Runs the cases on the target and prints what each found; the exit status says whether all of them passed.
#![no_std]
#![no_main]

use core::fmt::Write;

use board::Console;

board::image!(run);

fn run(console: &mut Console) -> bool {
    let found = treedef::treedef_of::<[f32; 3]>();
    writeln!(console, "{found} {:#x}", found.fingerprint()).is_ok()
}
