//! Containers of the language: tuples, arrays, slices, options, references, `PhantomData`.

mod tuple;

mod array;

mod option;

pub(crate) mod list;

pub(crate) mod map;

pub(crate) mod reference;
