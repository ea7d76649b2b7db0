//! Makes the errors of laws that do not hold.

use std::fmt::Debug;

use proptest::test_runner::{TestCaseError, TestCaseResult};
use treedef::Error;

/// Converts an error of an operation that must succeed.
pub(super) fn done<T>(law: &str, what: &str, result: Result<T, Error>) -> Result<T, TestCaseError> {
    result.map_err(|error| TestCaseError::fail(format!("{law}\n  {what}: {error}")))
}

/// Checks that two values are equal.
pub(super) fn equal<T: PartialEq + Debug>(
    law: &str,
    left: (&str, T),
    right: (&str, T),
) -> TestCaseResult {
    match left.1 == right.1 {
        true => Ok(()),
        false => Err(broken(law, (left.0, &left.1), (right.0, &right.1))),
    }
}

/// Checks that leaves are equal. Two leaves that do not equal themselves, such as NaN, count as equal.
pub(super) fn same<O: PartialEq + Debug>(
    law: &str,
    left: (&str, &[O]),
    right: (&str, &[O]),
) -> TestCaseResult {
    #[expect(clippy::eq_op, reason = "NaN")]
    let equal = |a: &O, b: &O| a == b || (a != a && b != b);
    match left.1.len() == right.1.len() && left.1.iter().zip(right.1).all(|(a, b)| equal(a, b)) {
        true => Ok(()),
        false => Err(broken(law, (left.0, &left.1), (right.0, &right.1))),
    }
}

/// Makes an error with the law and both sides.
fn broken(law: &str, left: (&str, &dyn Debug), right: (&str, &dyn Debug)) -> TestCaseError {
    let ((a, left), (b, right)) = (left, right);
    TestCaseError::fail(format!("{law}\n  {a}: {left:?}\n  {b}: {right:?}"))
}
