//! The device without its board: the host shares its types, and the host's tests talk to it without an emulator.
#![no_std]

pub mod drive;
pub mod line;
pub mod session;
