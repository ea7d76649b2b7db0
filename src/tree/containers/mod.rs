//! The types that are trees.
//!
//! - `tuple`, `array`, `option`, `reference`: those of the language;
//! - `list`: what lists in one slice share; `entries`: what maps share, and containers of other crates;
//! - `wrapping`, `owner`: types and pointers that own one value;
//! - `alloc`, `heapless`, `hash_map`: those of these crates.
//!
//! A new vector is an `impl` of `Vector` and one call of `list::vector!`, a new map one of `container!`, as in `heapless`; a new
//! owner of one value is one of the macro in `wrapping`. Another container is like `option`.

#[cfg(feature = "alloc")]
mod alloc;
mod array;
pub(crate) mod entries;
#[cfg(any(feature = "hashbrown", feature = "indexmap", feature = "std"))]
mod hash_map;
mod heapless;
pub(crate) mod list;
mod option;
#[cfg(feature = "alloc")]
mod owner;
mod reference;
mod tuple;
mod wrapping;
