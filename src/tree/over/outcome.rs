//! What closures of walks can return.

use core::ops::ControlFlow;

use crate::base::error::Error;
use crate::base::try_error::{TryError, UserError};

/// What a closure of [`Over::for_each`](crate::tree::Over::for_each) can return: `()`, a `Result<(), E>`, or a `ControlFlow<B>`.
///
/// After an `Err` and after a `Break` no further leaf is shown.
///
/// # Examples
///
/// ```
/// use core::ops::ControlFlow;
/// use treedef::{Error, over};
///
/// let tree = (1.0f32, [-2.0f32, 3.0]);
/// let mut sum = 0.0;
/// assert_eq!(over(&tree).for_each(|x| sum += x), Ok(()));
///
/// let positive = |x: &f32| if *x > 0.0 { Ok(()) } else { Err(Error::Unsupported) };
/// assert_eq!(over(&tree).for_each(positive), Err(Error::Unsupported));
///
/// let negative = |x: &f32| if *x < 0.0 { ControlFlow::Break(*x) } else { ControlFlow::Continue(()) };
/// assert_eq!(over(&tree).for_each(negative), Ok(ControlFlow::Break(-2.0)));
///
/// // As a walk takes it: each result is a step, and an error of one is what the walk returns.
/// use treedef::tree::Outcome;
/// assert_eq!(Outcome::step(negative(&1.0)).map_err(drop), Ok(()));
/// assert_eq!(<() as Outcome>::walked(().step()), Ok(()));
/// ```
#[diagnostic::on_unimplemented(
    message = "the closure returns `{Self}`",
    label = "returns neither `()` nor `Result<(), E>` nor `ControlFlow<B>`",
    note = "end the closure with `;` if its last value is not used"
)]
pub trait Outcome {
    /// What stops a walk.
    type Stop: From<Error>;

    /// What the walk returns: `Result<(), Error>`, `Result<(), E>` or `Result<ControlFlow<B>, Error>`.
    type Walked;

    /// Whether it can stop a walk.
    const CAN_STOP: bool = true;

    /// Goes on, or stops. [`Outcome`] has an example.
    ///
    /// # Errors
    ///
    /// What stops the walk.
    fn step(self) -> Result<(), Self::Stop>;

    /// What the walk returns. [`Outcome`] has an example.
    fn walked(result: Result<(), Self::Stop>) -> Self::Walked;
}

impl Outcome for () {
    type Stop = Error;
    type Walked = Result<(), Error>;

    const CAN_STOP: bool = false;

    #[inline]
    fn step(self) -> Result<(), Error> {
        Ok(())
    }

    #[inline]
    fn walked(result: Result<(), Error>) -> Result<(), Error> {
        result
    }
}

impl<E: UserError> Outcome for Result<(), E> {
    type Stop = E;
    type Walked = Self;

    #[inline]
    fn step(self) -> Self {
        self
    }

    #[inline]
    fn walked(result: Self) -> Self {
        result
    }
}

impl<B> Outcome for ControlFlow<B> {
    type Stop = TryError<B>;
    type Walked = Result<Self, Error>;

    #[inline]
    fn step(self) -> Result<(), TryError<B>> {
        match self {
            Self::Continue(()) => Ok(()),
            Self::Break(value) => Err(TryError::User(value)),
        }
    }

    #[inline]
    fn walked(result: Result<(), TryError<B>>) -> Result<Self, Error> {
        match result {
            Ok(()) => Ok(Self::Continue(())),
            Err(TryError::User(value)) => Ok(Self::Break(value)),
            Err(TryError::Tree(error)) => Err(error),
        }
    }
}

/// The type that a function pointer returns: so the type `!` has a name, which a closure such as `|_| todo!()` returns.
pub trait Returns {
    /// The type.
    type Type;
}

impl<T> Returns for fn() -> T {
    type Type = T;
}

impl Outcome for <fn() -> ! as Returns>::Type {
    type Stop = Error;
    type Walked = Result<(), Error>;

    fn step(self) -> Result<(), Error> {
        self
    }

    fn walked(result: Result<(), Error>) -> Result<(), Error> {
        result
    }
}
