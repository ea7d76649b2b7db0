//! Defines the values inside a treedef: dictionary keys, meta fields, aux data.
//!
//! All have one encoding, so a treedef can be parsed, printed and compared without the types that wrote it.

use core::iter::from_fn;

use crate::format::reader::Input;

/// The number of levels that tuples inside a value may nest, so that reading a value needs a bounded stack.
pub const MAX_VALUE_DEPTH: usize = 32;

/// A dictionary key, a meta field or the aux data of a custom node.
///
/// The kinds are those that Python programs use as keys and metadata, and `f32` for Rust. Two values are equal if their
/// encodings are: `Int(1)`, `Bool(true)` and `Float(1.0)` differ (`DIFFERENCE`: Python calls them equal), and floats
/// are compared by their bits. [`Value::compare`] is Python's order.
///
/// # Examples
///
/// ```
/// use core::cmp::Ordering;
/// use treedef::Value;
///
/// assert_eq!(Value::Int(2).compare(Value::Float(2.5)), Some(Ordering::Less));
/// assert_eq!(Value::Int(1).compare(Value::Str("a")), None);
/// assert_eq!(Value::Int(1).compare(Value::Bool(true)), Some(Ordering::Equal));
/// assert_ne!(Value::Int(1), Value::Bool(true));
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Value<'a> {
    /// Python's `None`.
    None,
    /// A truth value.
    Bool(bool),
    /// An integer that fits 64 bits.
    Int(i64),
    /// An integer beyond 64 bits.
    BigInt(BigInt<'a>),
    /// A 64-bit float.
    Float(f64),
    /// A string.
    Str(&'a str),
    /// A byte string.
    Bytes(&'a [u8]),
    /// A tuple of values.
    Tuple(ValueTuple<'a>),
    /// The text of a value that has no encoding of its own: it prints without quotes and equals only itself.
    Opaque(&'a str),
    /// A 32-bit float.
    Float32(f32),
}

/// An integer beyond 64 bits: a sign and a magnitude, low byte first, without zeros at the end.
///
/// # Examples
///
/// ```
/// use treedef::Value;
/// use treedef::format::BigInt;
///
/// let number = BigInt::new(false, &[0, 0, 0, 0, 0, 0, 0, 0, 1]).map(Value::BigInt);
/// assert_eq!(number.map(|number| number.to_string()).as_deref(), Some("18446744073709551616")); // 2^64
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct BigInt<'a> {
    negative: bool,
    magnitude: &'a [u8],
}

impl<'a> BigInt<'a> {
    /// The integer with this sign and magnitude, low byte first; `None` if the number fits `i64` or the last byte is
    /// zero.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::format::BigInt;
    ///
    /// assert!(BigInt::new(false, &[0, 0, 0, 0, 0, 0, 0, 128]).is_some()); // 2^63
    /// assert!(BigInt::new(true, &[0, 0, 0, 0, 0, 0, 0, 128]).is_none()); // -2^63 is an i64
    /// ```
    #[must_use]
    pub const fn new(negative: bool, magnitude: &'a [u8]) -> Option<Self> {
        let big = match magnitude {
            [.., 0] => false,
            _ => match magnitude.first_chunk() {
                // The smallest `i64` is the only one with its magnitude.
                Some(word) if magnitude.len() == 8 => {
                    u64::from_le_bytes(*word)
                        > i64::MIN.unsigned_abs().wrapping_sub(!negative as u64)
                }
                _ => magnitude.len() > 8,
            },
        };
        if big { Some(Self { negative, magnitude }) } else { None }
    }

    /// Whether the number is below zero.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::format::BigInt;
    ///
    /// let number = BigInt::new(true, &[0, 0, 0, 0, 0, 0, 0, 0, 1]); // -2^64
    /// assert_eq!(number.map(BigInt::is_negative), Some(true));
    /// ```
    #[must_use]
    pub const fn is_negative(self) -> bool {
        self.negative
    }

    /// The magnitude, low byte first.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::format::BigInt;
    ///
    /// let number = BigInt::new(true, &[2, 0, 0, 0, 0, 0, 0, 0, 1]); // -2^64 - 2
    /// assert_eq!(number.map(|number| number.magnitude()[0]), Some(2));
    /// ```
    #[must_use]
    pub const fn magnitude(self) -> &'a [u8] {
        self.magnitude
    }
}

impl<'a> Value<'a> {
    /// The text, if the value is a string.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Value;
    ///
    /// assert_eq!(Value::from("w").as_str(), Some("w"));
    /// assert_eq!(Value::Int(1).as_str(), None);
    /// ```
    #[must_use]
    pub const fn as_str(self) -> Option<&'a str> {
        match self {
            Value::Str(text) => Some(text),
            _ => None,
        }
    }
}

macro_rules! from {
    ($($from:ty => $variant:ident),* $(,)?) => {$(
        impl<'a> From<$from> for Value<'a> {
            fn from(value: $from) -> Self {
                Value::$variant(value.into())
            }
        }
    )*};
}
from!(bool => Bool, i8 => Int, i16 => Int, i32 => Int, i64 => Int, u8 => Int, u16 => Int, u32 => Int,
    f32 => Float32, f64 => Float, &'a str => Str, &'a [u8] => Bytes);

/// The elements of a tuple inside a value.
///
/// They are values in a slice, bytes of a treedef, or Rust data whose elements become values one by one.
/// [`ToValue`](crate::format::ToValue) makes the last kind from arrays, tuples and structs, so a table of any length takes
/// no stack for its elements. All three kinds are compared by their elements alone.
///
/// # Examples
///
/// ```
/// use treedef::Value;
/// use treedef::format::{ToValue, ValueTuple};
///
/// let given = ValueTuple::new(&[Value::Int(1), Value::Int(2)]);
/// [1u8, 2].with_value(|table| {
///     assert_eq!(table, Value::Tuple(given));
///     let Value::Tuple(table) = table else { return };
///     let mut elements = table.elements();
///     assert_eq!(elements.next(|value| value == Value::Int(1)), Some(true));
///     assert_eq!(elements.next(|value| value == Value::Int(2)), Some(true));
///     assert_eq!(elements.next(|_| ()), None);
/// });
/// ```
#[derive(Clone, Copy)]
pub struct ValueTuple<'a>(Source<'a>);

#[derive(Clone, Copy)]
enum Source<'a> {
    Values(&'a [Value<'a>]),
    Encoded {
        count: u32,
        bytes: &'a [u8],
    },
    /// The number of elements, and what makes values of them.
    Data(usize, &'a Data<'a>),
}

/// Rust data: calls the receiver with the value of the element at an index, or not at all if there is none.
pub(crate) type Data<'a> = dyn Fn(usize, &mut dyn FnMut(Value<'_>)) + Sync + 'a;

impl<'a> ValueTuple<'a> {
    /// The tuple of these elements.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Value;
    /// use treedef::format::ValueTuple;
    ///
    /// let shape = Value::Tuple(ValueTuple::new(&[Value::Int(3), Value::Int(4)]));
    /// assert_eq!(shape.to_string(), "(3, 4)");
    /// ```
    #[must_use]
    pub const fn new(elements: &'a [Value<'a>]) -> Self {
        Self(Source::Values(elements))
    }

    /// The tuple of `count` encoded values, none of which nests too deep.
    pub(super) const fn encoded(count: u32, bytes: &'a [u8]) -> Self {
        Self(Source::Encoded { count, bytes })
    }

    /// The tuple of `count` elements that `data` makes values of.
    pub(crate) const fn of_data(count: usize, data: &'a Data<'a>) -> Self {
        Self(Source::Data(count, data))
    }

    /// The number of elements.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Value;
    /// use treedef::format::ValueTuple;
    ///
    /// assert_eq!(ValueTuple::new(&[Value::Int(3), Value::None]).len(), 2);
    /// ```
    #[must_use]
    pub const fn len(self) -> usize {
        match self.0 {
            Source::Values(values) => values.len(),
            Source::Encoded { count, .. } => count as usize,
            Source::Data(count, _) => count,
        }
    }

    /// Whether there are no elements.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::format::ValueTuple;
    ///
    /// assert!(ValueTuple::new(&[]).is_empty());
    /// ```
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The elements in order, each borrowed for the duration of a call.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Value;
    /// use treedef::format::ToValue;
    ///
    /// let sum = [1u8, 2, 3].with_value(|value| {
    ///     let Value::Tuple(tuple) = value else { return 0 };
    ///     let (mut elements, mut sum) = (tuple.elements(), 0);
    ///     while let Some(element) = elements.next(|value| if let Value::Int(int) = value { int } else { 0 }) {
    ///         sum += element;
    ///     }
    ///     sum
    /// });
    /// assert_eq!(sum, 6);
    /// ```
    pub const fn elements(self) -> Elements<'a> {
        Elements { source: self.0, index: 0 }
    }

    /// The elements in order, if they are values in a slice or bytes of a treedef. `None` for Rust data, whose values
    /// are borrowed for the duration of a call: use [`ValueTuple::elements`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Value;
    /// use treedef::format::ValueTuple;
    ///
    /// let tuple = ValueTuple::new(&[Value::Int(1), Value::Int(2)]);
    /// assert!(tuple.iter().is_some_and(|values| values.eq([Value::Int(1), Value::Int(2)])));
    /// ```
    #[must_use]
    pub fn iter(self) -> Option<impl Iterator<Item = Value<'a>> + Clone> {
        let mut elements = self.elements();
        let are_held = !matches!(self.0, Source::Data(..));
        are_held.then(|| from_fn(move || elements.held()))
    }
}

/// The elements of a tuple, as [`ValueTuple::elements`] gives them.
///
/// # Examples
///
/// ```
/// use treedef::Value;
/// use treedef::format::ValueTuple;
///
/// let mut elements = ValueTuple::new(&[Value::Int(7)]).elements();
/// assert_eq!(elements.next(|value| value == Value::Int(7)), Some(true));
/// assert_eq!(elements.next(|_| ()), None);
/// ```
#[derive(Clone)]
#[must_use = "iterators do nothing until they are consumed"]
pub struct Elements<'a> {
    source: Source<'a>,
    /// The index of the next element of Rust data.
    index: usize,
}

impl Elements<'_> {
    /// Returns what `read` makes of the next element; `None` at the end.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Value;
    /// use treedef::format::ValueTuple;
    ///
    /// let mut elements = ValueTuple::new(&[Value::Str("relu"), Value::Int(4)]).elements();
    /// assert_eq!(elements.next(|value| value.to_string()).as_deref(), Some("'relu'"));
    /// ```
    pub fn next<R>(&mut self, read: impl FnOnce(Value<'_>) -> R) -> Option<R> {
        let (mut read, mut result) = (Some(read), None);
        self.with_next(&mut |value| {
            if let Some(read) = read.take() {
                result = Some(read(value));
            }
        });
        result
    }

    /// Calls `take` with the next element, if there is one. Not inlined, so that a program holds this code once.
    #[inline(never)]
    pub(super) fn with_next(&mut self, take: &mut dyn FnMut(Value<'_>)) {
        if let Source::Data(_, data) = self.source {
            let index = self.index;
            self.index = index.wrapping_add(1);
            data(index, take);
        } else if let Some(value) = self.held() {
            take(value);
        }
    }
}

impl<'a> Elements<'a> {
    /// The next element, if it outlives the call.
    pub(crate) fn held(&mut self) -> Option<Value<'a>> {
        match &mut self.source {
            Source::Values(values) => {
                let (value, rest) = values.split_first()?;
                *values = rest;
                Some(*value)
            }
            Source::Encoded { count, bytes } => {
                *count = count.checked_sub(1)?;
                let mut input = Input::new(bytes);
                let value = Value::take(&mut input)?;
                *bytes = input.rest;
                Some(value)
            }
            Source::Data(..) => None,
        }
    }
}
