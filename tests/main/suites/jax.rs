//! JAX's suites: `tests/tree_util_test.py` and `jaxlib/pytree_test.py`.

mod algebra;
mod flattening;
mod keys;
mod leaves;
mod maps;
mod meta;
mod paths;
pub(crate) mod prefix_errors;
mod prefixes;
mod pytree;
mod registration;
mod text;
