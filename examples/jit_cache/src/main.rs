//! A JIT compiler of optimiser steps: compiled code is found by the structure of its arguments.
//!
//! `cargo run --release --manifest-path examples/jit_cache/Cargo.toml`
//!
//! A step takes `(state, gradients)`, two trees of arrays, and is compiled for their structure, the dtype and shape of
//! every array, and the optimiser with its numbers. These are the key ([`treedef::CallKey`]), and the compiler reads
//! nothing else. All code is in a `HashMap` by [`treedef::cache::ByFingerprint`]. A place whose arguments have a type of Rust has a
//! [`treedef::cache::Known`] in front of it, which needs no key for a call that it has seen.

mod calls;
mod cases;
mod check;
mod emit;
mod error;
mod explain;
mod jit;
mod kernels;
mod models;
mod optimizer;
mod plan;
mod reference;
mod site;
mod story;
mod tensor;
#[cfg(test)]
mod tests;
mod timing;

use std::process::ExitCode;

fn main() -> ExitCode {
    match story::tell() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            eprintln!("FAILED: something above is not as it has to be");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("FAILED: {error}");
            ExitCode::FAILURE
        }
    }
}
