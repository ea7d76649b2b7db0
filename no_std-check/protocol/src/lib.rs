//! What a device and its host say to each other over a line that damages bytes.
//!
//! Three layers, each of which trusts nothing below it:
//!
//! | layer | bytes | what it refuses |
//! |---|---|---|
//! | frame ([`frame`]) | `00`, the stuffed body, `00` | what is cut off, too long, or has another checksum |
//! | body | number of the request (2), message, CRC-32C (4), little end first | |
//! | message ([`message`]) | its tag (1), its fields | unknown tags and wrong lengths |
//!
//! The structure of the device's tree goes over the line once, in the answer to [`Request::Hello`]. Behind it only leaves
//! travel, without names and lengths, each time behind the fingerprint of the structure they are of.
//!
//! The host asks and the device answers. A request that got no answer is sent again with its number; the device does a
//! request of one number once, and answers it as often as it is asked.
#![no_std]

#[cfg(test)]
extern crate std;

pub mod frame;
pub mod message;

pub use frame::{Body, Fault, Receiver, stuffed_len};
pub use message::{Counters, Leaves, Refusal, Reply, Request};

/// Bytes of a body besides its message: the number of the request and the checksum.
pub const AROUND: usize = 2 + 4;
