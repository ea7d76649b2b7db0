//! JAX's suites: `tests/tree_util_test.py` and `jaxlib/pytree_test.py`.

mod flattening;
mod keys;
mod leaves;
mod paths;
mod registration;
mod statics;
mod text;
