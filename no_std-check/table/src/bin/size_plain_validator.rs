//! The code size of the validator of the plain kinds: any bytes to a treedef.
#![no_std]
#![no_main]

use table::size::Work;
use treedef::TreeDef;

board::bare_image!(run);

fn run() -> u32 {
    let work = Work::new(true, true);
    let well = TreeDef::from_plain_bytes(work.written()).is_ok();
    work.status(well)
}
