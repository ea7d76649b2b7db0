//! The stack that an operation takes on a tree of 64 levels: how much of a painted stack is not as it was painted.

use std::fs::File;
use std::hint::black_box;
use std::os::unix::fs::FileExt;
use std::thread;

use crate::input;
use crate::operations::Row;
use crate::shapes::SHAPES;

/// What is painted.
const ROOM: usize = 256 << 10;
const PAINT: u8 = 0xA5;

#[inline(never)]
fn paint() {
    // Not a constant, which would be in the program.
    let mut room = [PAINT; ROOM];
    black_box(&mut room);
}

/// The stack of `work` in bytes, with that of a call.
#[inline(never)]
fn of(work: &mut dyn FnMut()) -> Option<usize> {
    paint();
    work();
    let here = (&raw const *work).addr();
    // The memory of this process as a file, so that nothing here is unsafe.
    let mut below = vec![0; ROOM];
    let start = here.checked_sub(ROOM)?;
    File::open("/proc/self/mem").ok()?.read_exact_at(&mut below, start.try_into().ok()?).ok()?;
    let untouched = below.iter().position(|byte| *byte != PAINT)?;
    Some(ROOM - untouched)
}

/// The stack of each row, in bytes; `None` where the tree is refused.
pub(crate) fn of_rows<'r>(
    rows: impl Iterator<Item = &'r Row> + Send,
) -> Option<Vec<(&'r str, Option<usize>)>> {
    let shape = SHAPES.iter().find(|shape| shape.name == "deep combs")?;
    let mut input = input((shape.trees)(*shape.sizes.last()?));
    let measured = move || {
        let empty = of(&mut || ())?;
        let stack = |(name, _, operation): &'r Row| {
            let mut done = None;
            let stack = of(&mut || done = operation(&mut input))?;
            Some((*name, done.map(|()| stack.saturating_sub(empty))))
        };
        rows.map(stack).collect()
    };
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(4 * ROOM).spawn_scoped(scope, measured);
        thread.ok()?.join().ok()?
    })
}
