//! The error of what cannot fail.

use core::hint::spin_loop;

use crate::base::error::Error;

/// An error that does not exist. Without an error beside it, the compiler writes each part of a new tree where it stays.
#[derive(Debug)]
pub(crate) enum Never {}

/// Whether there is no value of the type, as of [`Never`].
pub(crate) const fn cannot_be<E>() -> bool {
    size_of::<Result<(), E>>() == 0
}

/// The result where a signature asks for an error, and none can be. It is not called, and the compiler finds no way to it.
#[cold]
pub(crate) fn never<T>() -> Result<T, Never> {
    forever()
}

fn forever<T>() -> T {
    loop {
        spin_loop();
    }
}

/// For the bound of [`MapTree::map_lanes`](crate::tree::MapTree::map_lanes).
impl From<Error> for Never {
    fn from(_: Error) -> Self {
        forever()
    }
}
