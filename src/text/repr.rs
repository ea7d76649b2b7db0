//! Writes values as Python prints them.

use core::fmt::{self, Write};

use crate::base::python;
use crate::format::value::{BigInt, Elements, MAX_VALUE_DEPTH, Value, ValueTuple};

/// Prints Python's `repr`.
///
/// An [`Opaque`](Value::Opaque) value prints without quotes. `DIFFERENCE`: a [`Float32`](Value::Float32) prints the
/// fewest digits that read back to the same `f32`; Python has no such type.
///
/// # Examples
///
/// ```
/// use core::fmt::Write;
/// use treedef::Value;
/// use treedef::format::ValueTuple;
///
/// let values = [Value::Int(1), Value::Str("it's"), Value::Float(1e16), Value::Bytes(b"\n")];
/// let mut text = heapless::String::<64>::new();
/// write!(text, "{}", Value::Tuple(ValueTuple::new(&values)))?;
/// assert_eq!(text, r#"(1, "it's", 1e+16, b'\n')"#);
/// # Ok::<(), core::fmt::Error>(())
/// ```
impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        repr(f, *self)
    }
}

/// Prints the name of the variant and Python's `repr`: `Int(1)`, `Str('a')`.
impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Value::None => return f.write_str("None"),
            Value::Bool(_) => "Bool(",
            Value::Int(_) => "Int(",
            Value::BigInt(_) => "BigInt(",
            Value::Float(_) => "Float(",
            Value::Str(_) => "Str(",
            Value::Bytes(_) => "Bytes(",
            Value::Tuple(_) => "Tuple(",
            Value::Opaque(_) => "Opaque(",
            Value::Float32(_) => "Float32(",
        })?;
        repr(f, *self)?;
        f.write_char(')')
    }
}

impl fmt::Debug for BigInt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&Value::BigInt(*self), f)
    }
}

impl fmt::Debug for ValueTuple<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&Value::Tuple(*self), f)
    }
}

/// Writes Python's `repr`. It is not inlined, so that a program has the code only once.
#[inline(never)]
pub(super) fn repr(f: &mut dyn Write, value: Value<'_>) -> fmt::Result {
    match value {
        Value::Tuple(tuple) => nested(f, tuple, MAX_VALUE_DEPTH),
        other => scalar(f, other),
    }
}

/// Writes Python's `str`: a string without quotes, any other value as its `repr`.
pub(super) fn text(f: &mut dyn Write, value: Value<'_>) -> fmt::Result {
    match value {
        Value::Str(text) => f.write_str(text),
        other => repr(f, other),
    }
}

/// Writes the `repr` of a tuple of these values.
pub(super) fn tuple<'a>(f: &mut dyn Write, values: impl Iterator<Item = Value<'a>>) -> fmt::Result {
    f.write_char('(')?;
    let mut count = 0;
    for value in values {
        separate(f, &mut count)?;
        repr(f, value)?;
    }
    f.write_str(close_tuple(count))
}

/// Returns the end of a tuple of `count` items.
pub(super) const fn close_tuple(count: u32) -> &'static str {
    if count == 1 { ",)" } else { ")" }
}

/// Writes a value that is not a tuple.
fn scalar(f: &mut dyn Write, value: Value<'_>) -> fmt::Result {
    match value {
        Value::None => f.write_str("None"),
        Value::Bool(true) => f.write_str("True"),
        Value::Bool(false) => f.write_str("False"),
        Value::Int(int) => write!(f, "{int}"),
        Value::BigInt(int) => python::big_integer(f, int.is_negative(), int.magnitude()),
        Value::Float(float) => python::float(f, float),
        Value::Float32(float) => python::float32(f, float),
        Value::Str(text) => python::string(f, text),
        Value::Bytes(bytes) => python::bytes(f, bytes),
        Value::Opaque(text) => f.write_str(text),
        Value::Tuple(_) => f.write_str("…"),
    }
}

/// Writes a tuple with its nested tuples. Below the depth that a treedef allows it writes `…`.
fn nested(f: &mut dyn Write, tuple: ValueTuple<'_>, levels: usize) -> fmt::Result {
    match tuple.iter() {
        _ if levels == 0 => f.write_str("…"),
        Some(_) => held(f, tuple.elements(), levels),
        None => borrowed(f, tuple, levels),
    }
}

/// Writes a tuple of values with its nested tuples, without recursion.
#[inline(never)]
fn held(f: &mut dyn Write, elements: Elements<'_>, levels: usize) -> fmt::Result {
    let mut open = heapless::Vec::<_, MAX_VALUE_DEPTH>::new();
    f.write_char('(')?;
    let _ = open.push((elements, 0));
    loop {
        let below = levels.saturating_sub(open.len());
        let Some((elements, count)) = open.last_mut() else { return Ok(()) };
        let Some(element) = elements.held() else {
            f.write_str(close_tuple(*count))?;
            open.pop();
            continue;
        };
        separate(f, count)?;
        match element {
            Value::Tuple(inner) if below > 0 && inner.iter().is_some() => {
                f.write_char('(')?;
                let _ = open.push((inner.elements(), 0));
            }
            Value::Tuple(inner) => nested(f, inner, below)?,
            other => scalar(f, other)?,
        }
    }
}

/// Writes a tuple of Rust data. It takes one stack frame for each nested tuple.
#[inline(never)]
fn borrowed(f: &mut dyn Write, tuple: ValueTuple<'_>, levels: usize) -> fmt::Result {
    f.write_char('(')?;
    let (mut elements, mut count) = (tuple.elements(), 0);
    while let Some(written) = elements.next(|element| {
        separate(f, &mut count)?;
        match element {
            Value::Tuple(inner) => nested(f, inner, levels.saturating_sub(1)),
            other => scalar(f, other),
        }
    }) {
        written?;
    }
    f.write_str(close_tuple(count))
}

/// Writes the comma before an element of a tuple, and counts the elements, up to two.
fn separate(f: &mut dyn Write, count: &mut u32) -> fmt::Result {
    if *count > 0 {
        f.write_str(", ")?;
    }
    *count = if *count == 0 { 1 } else { 2 };
    Ok(())
}

/// Returns the part of a type name after the last `::`.
pub(crate) fn short_name(name: &str) -> &str {
    let mut shown = name;
    let mut rest = name;
    // A search for a string pattern can panic in core; one for a character cannot.
    while let Some((_, after)) = rest.split_once(':') {
        rest = after;
        if let Some(last) = after.strip_prefix(':') {
            (shown, rest) = (last, last);
        }
    }
    shown
}
