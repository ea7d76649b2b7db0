//! What the messages of JAX and optree say.

use super::corpus::{Raised, Read};

/// Reads the message that there are too few or too many leaves: how many were expected and, for too few, how many came.
pub fn leaf_count(raised: &Raised) -> Read<(usize, Option<usize>)> {
    let message =
        raised.message.replace("PyTreeSpec", "PyTreeDef").replace("expected: ", "expected ");
    let message = message.replace("got: ", "got ");
    let number = |text: &str| text.parse().map_err(|_| format!("no number: {}", raised.message));
    let few = message.strip_prefix("Too few leaves for PyTreeDef; expected ");
    let many = message.strip_prefix("Too many leaves for PyTreeDef; expected ");
    match (few.and_then(|text| text.split_once(", got ")), many) {
        (Some((expected, got)), _) => {
            Ok((number(expected)?, Some(number(got.trim_end_matches('.'))?)))
        }
        (_, Some(text)) => Ok((number(text.trim_end_matches('.'))?, None)),
        _ => Err(format!("not about leaves: {}", raised.message)),
    }
}
