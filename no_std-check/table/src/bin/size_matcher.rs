//! The code size of the matcher: dynamic flatten against an expected treedef.
#![no_std]
#![no_main]

use table::size::Work;
use treedef::dynamic::Flatten;

board::bare_image!(run);

fn run() -> u32 {
    let mut work = Work::new(true, false);
    let well = Flatten::new().flatten_expected(work.tree, work.def, &mut work.leaves).is_ok();
    work.status(well)
}
