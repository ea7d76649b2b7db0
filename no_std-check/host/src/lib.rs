//! The host's side: a client that asks until it is answered, a line that damages bytes, and three sessions with a device.

pub mod client;
pub mod known;
pub mod noise;
pub mod sessions;
pub mod wire;
