//! The operator `?` for options in a `const fn`, where the operator itself is not allowed yet.

/// The value of a `Some`; a `None` is returned from the function.
macro_rules! attempt {
    ($option:expr) => {
        match $option {
            Some(value) => value,
            None => return None,
        }
    };
}
pub(crate) use attempt;
