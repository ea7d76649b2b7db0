//! The code size of encoder, matcher and validator of the plain kinds.
#![no_std]
#![no_main]

use table::size::Work;
use treedef::TreeDef;
use treedef::dynamic::Flatten;

board::bare_image!(run);

fn run() -> u32 {
    let mut work = Work::new(false, false);
    let well = Flatten::new().flatten_into(work.tree, &mut work.bytes, &mut work.leaves).is_ok()
        && Flatten::new().flatten_expected(work.tree, work.def, &mut work.leaves).is_ok()
        && TreeDef::from_plain_bytes(work.written()).is_ok();
    work.status(well)
}
