//! The operator `?` for places where it is not allowed, or costs too much.

/// The value of a `Some`; a `None` is returned from the function. For a `const fn`, which does not allow `?` yet.
macro_rules! attempt {
    ($option:expr) => {
        match $option {
            Some(value) => value,
            None => return None,
        }
    };
}
pub(crate) use attempt;

/// The value of an `Ok`; an `Err` is returned from the function. Also for a `const fn`.
///
/// It is the operator `?` without the conversion of the error. In functions that are compiled for each type of tree it
/// takes a third of the code that the compiler makes of a `?`.
macro_rules! ok {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}
pub(crate) use ok;

/// Returns a `Result<(), E>` that is an error from a function that returns the same type. It is [`ok`] without a place for the
/// error in the frame of the function, for walks over recursive types.
macro_rules! done {
    ($result:expr) => {
        let result = $result;
        match result {
            Ok(()) => {}
            Err(_) => return result,
        }
    };
}
pub(crate) use done;

/// Whether the second expression is true for an element of a slice.
macro_rules! any {
    ($slice:expr, $one:pat => $is:expr) => {{
        let (mut rest, mut is_any) = ($slice, false);
        while let ([$one, after @ ..], false) = (rest, is_any) {
            (rest, is_any) = (after, $is);
        }
        is_any
    }};
}
pub(crate) use any;
