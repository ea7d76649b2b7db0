//! The tests of JAX's and optree's suites that are about protos and arrays. `tests/README.md` of the crate `treedef`
//! lists them among all others.

mod jax_ravel;
mod optree_ravel;
mod protos;
