//! The types that are trees.
//!
//! - `tuple`, `array`, `option`, `reference`: those of the language;
//! - `list`: what lists in one slice share; `entries`: what maps share, and containers of other crates;
//! - `owner`: types and pointers that own one value;
//! - `alloc`, `heapless`, `hash_map`: those of these crates.
//!
//! A new vector is an `impl` of `Vector` and one call of `list::vector!`, a new map one of `container!`, as in `heapless`; a new
//! owner of one value is one call of the macro in `owner`. Another container is like `option`.

#[cfg(feature = "alloc")]
mod alloc;
mod array;
pub(crate) mod entries;
#[cfg(any(feature = "hashbrown", feature = "indexmap", feature = "std"))]
mod hash_map;
mod heapless;
pub(crate) mod list;
mod option;
mod owner;
mod reference;
mod tuple;
