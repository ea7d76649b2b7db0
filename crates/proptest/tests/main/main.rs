//! Tests that the strategies generate what they say, that failures shrink, and that the laws find each mistake.
#![allow(
    clippy::indexing_slicing,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may panic"
)]

#[path = "../../../../tests/support/mod.rs"]
mod support;

mod generators;
mod laws;
mod shrinking;
