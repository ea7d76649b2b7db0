//! The errors of functions that callers pass: which types they can have, and one for errors of other crates.

use core::fmt;

use crate::base::error::Error;

/// The error of a function that is called with leaves: it can also hold an [`Error`] of the walk. Every type with a
/// `From<Error>` is one. Errors of other crates are put into a [`TryError`].
///
/// # Examples
///
/// ```
/// use treedef::container::UserError;
/// use treedef::over;
///
/// fn all<E: UserError>(check: impl FnMut(&f32) -> Result<(), E>) -> Result<(), E> {
///     over(&[1.0f32, 2.0]).for_each(check)
/// }
///
/// assert!(all::<treedef::Error>(|_| Ok(())).is_ok());
/// assert!(all::<Box<dyn std::error::Error>>(|_| Err("refused".into())).is_err());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold an error of treedef",
    label = "has no `From<treedef::Error>`",
    note = "for an error of another crate, let the function return it with `.map_err(treedef::tree::TryError::User)`",
    note = "for a type of your own, write `impl From<treedef::Error> for {Self}`"
)]
pub trait UserError: From<Error> {}

#[diagnostic::do_not_recommend]
impl<E: From<Error>> UserError for E {}

/// An error of a walk, or one that a caller's function returned, of a type without a `From<Error>`.
///
/// # Examples
///
/// ```
/// use std::num::ParseIntError;
/// use treedef::tree::TryError;
/// use treedef::over;
///
/// type Text = heapless::String<8>;
///
/// fn parsed(texts: &[Text; 2]) -> Result<[i32; 2], TryError<ParseIntError>> {
///     over(texts).try_map(|text| text.parse().map_err(TryError::User))
/// }
///
/// let texts = |first: &str| [first, "2"].map(|text| Text::try_from(text).unwrap());
/// assert_eq!(parsed(&texts("1")), Ok([1, 2]));
///
/// // The error as it was. A list of leaves is never too deep.
/// let error: ParseIntError = parsed(&texts("one")).unwrap_err().into_user(|_| unreachable!());
/// assert_eq!(error.to_string(), "invalid digit found in string");
/// ```
///
/// A closure of several statements says its type: `?` and `Ok` alone do not.
///
/// ```
/// use treedef::tree::TryError;
/// use treedef::over;
///
/// let mut sum = 0;
/// let texts = ["1", "x"].map(|text| heapless::String::<8>::try_from(text).unwrap());
/// let result = over(&texts).for_each(|text| -> Result<(), TryError<_>> {
///     sum += text.parse::<i32>().map_err(TryError::User)?;
///     Ok(())
/// });
/// assert!(matches!(result, Err(TryError::User(_))));
/// assert_eq!(sum, 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum TryError<E> {
    /// The error of the walk.
    Tree(Error),
    /// What the function returned.
    User(E),
}

impl<E> TryError<E> {
    /// The error of the function, or what `wrap` makes of that of the walk: `.map_err(|error| error.into_user(wrap))`.
    ///
    /// Many libraries have a `wrap`, such as `candle_core::Error::wrap`.
    pub fn into_user(self, wrap: impl FnOnce(Error) -> E) -> E {
        match self {
            Self::Tree(error) => wrap(error),
            Self::User(error) => error,
        }
    }
}

impl<E> From<Error> for TryError<E> {
    fn from(error: Error) -> Self {
        Self::Tree(error)
    }
}

impl<E: fmt::Display> fmt::Display for TryError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tree(error) => error.fmt(f),
            Self::User(error) => error.fmt(f),
        }
    }
}

impl<E: core::error::Error> core::error::Error for TryError<E> {}
