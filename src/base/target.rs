//! Defines what the target of the build is good at.

/// Whether small code is worth more than fast code: microcontrollers have little flash and small trees.
pub(crate) const SMALL_CODE: bool = cfg!(target_arch = "arm");

/// What a type parameter is for a case that cannot occur: the compiler drops the code for it. With small code, one
/// instance serves all cases.
#[cfg(not(target_arch = "arm"))]
pub(crate) type Never = core::convert::Infallible;
#[cfg(target_arch = "arm")]
pub(crate) type Never = ();
