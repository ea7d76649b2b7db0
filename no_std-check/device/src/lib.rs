//! The firmware without its board: the controller and its side of the conversation.
//!
//! Kept apart from the image so that the host's tests can hold the same conversation without an emulator.
#![no_std]

pub mod drive;
pub mod session;
