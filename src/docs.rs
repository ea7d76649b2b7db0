//! Longer texts, shown where they are looked for.

#[doc = include_str!("docs/format.md")]
pub mod format {
    /// The version of the byte format. A new kind of node raises it; older readers refuse such bytes by kind and
    /// offset.
    pub const VERSION: u8 = 1;
}

#[doc = include_str!("docs/names.md")]
pub mod names {}

#[doc = include_str!("docs/depth.md")]
pub mod depth {}
