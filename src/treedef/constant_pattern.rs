//! Patterns that are constants: a text is read by the compiler.

use crate::base::error::Error;
use crate::base::message::Message;
use crate::treedef::pattern::PathPattern;

/// A [`PathPattern`](crate::path::PathPattern) as a constant. A text that is no pattern does not compile; the message names the
/// part that cannot be read.
///
/// # Examples
///
/// ```
/// use treedef::path::{PathPattern, path_pattern};
/// use treedef::treedef;
///
/// const BIAS: PathPattern<'static> = path_pattern!("**.b");
/// let def = treedef!({"b": *, "layers": [{"b": *, "w": *}]});
/// assert!(def.paths().map(|path| BIAS.matches(path)).eq([true, true, false]));
/// ```
///
/// ```compile_fail
/// treedef::path_pattern!("layers[*.w"); // the pattern `layers[*.w` cannot be read from `[*.w` on
/// ```
#[macro_export]
macro_rules! path_pattern {
    ($text:expr $(,)?) => {
        const {
            match $crate::__private::path_pattern($text) {
                ::core::result::Result::Ok(pattern) => pattern,
                ::core::result::Result::Err(message) => ::core::panic!("{}", message.as_str()),
            }
        }
    };
}

/// What [`path_pattern!`](crate::path_pattern!) evaluates.
///
/// # Errors
///
/// A text that says which part cannot be read.
#[expect(clippy::result_large_err, reason = "only the compiler evaluates it")]
pub const fn path_pattern(text: &str) -> Result<PathPattern<'_>, Message> {
    let at = match PathPattern::new(text) {
        Ok(pattern) => return Ok(pattern),
        Err(Error::UnreadablePath { at }) => at as usize,
        Err(_) => 0,
    };
    let rest = match text.split_at_checked(at) {
        Some((_, rest)) => rest,
        None => text,
    };
    Err(Message::new(&["the pattern `", text, "` cannot be read from `", rest, "` on"]))
}
