//! Defines what the target of the build is good at.

/// Whether small code is worth more than fast code: microcontrollers have little flash and small trees.
pub(crate) const SMALL_CODE: bool = cfg!(target_os = "none");
