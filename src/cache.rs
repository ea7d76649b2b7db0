//! Caches whose keys are structures, and tables that store equal structures once.

pub(crate) mod part;

pub(crate) mod shape_dtype;

pub(crate) mod key;

pub(crate) mod differences;

pub(crate) mod key_buf;

mod index;

pub(crate) mod stats;

pub(crate) mod fixed;

#[cfg(feature = "hashbrown")]
pub(crate) mod growing;

pub(crate) mod interner;

#[cfg(feature = "hashbrown")]
pub(crate) mod growing_interner;

pub(crate) mod call_site;
