//! Text primitives in Python's form. Only `Display` and `keystr` reach them, so that a program that prints nothing links none of them.

mod printable;

mod shortest;

mod python;

pub(crate) use python::{big_integer, bytes, float, float32, integer, string};
