//! The code size of the encoder onto a builder, and the matcher.
#![no_std]
#![no_main]

use table::size::Work;
use treedef::{Builder, Options};

board::bare_image!(run);

fn run() -> u32 {
    let mut work = Work::new(false, false);
    let mut builder = Builder::new(&mut work.bytes);
    let well = Options::new().flatten_onto(work.tree, &mut builder, &mut work.leaves).is_ok()
        && builder.finish().is_ok()
        && Options::new().flatten_expected(work.tree, work.def, &mut work.leaves).is_ok();
    work.status(well)
}
