//! The tests of JAX's and optree's suites, each on this crate.
//!
//! A test has the name of the one that it stands for, and asserts the same of trees with the same structure. `README.md`
//! in the directory above lists them all, with the reason where one cannot be expressed; `ledger` holds the list to
//! the tests and to the suites.

mod jax;
mod ledger;
mod model;
mod optree;
mod trees;
