//! The code size of the encoder: dynamic flatten.
#![no_std]
#![no_main]

use table::size::Work;
use treedef::dynamic::Flatten;

board::bare_image!(run);

fn run() -> u32 {
    let mut work = Work::new(false, false);
    let well = Flatten::new().flatten_into(work.tree, &mut work.bytes, &mut work.leaves).is_ok();
    work.status(well)
}
