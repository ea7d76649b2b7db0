//! Reads tuples inside values, element by element: from values, from bytes of a treedef, or from Rust data.

use crate::format::reader::Input;
use crate::format::to_value::ToValue;
use crate::format::value::Value;

/// The elements of a tuple inside a value.
///
/// They are values in a slice, bytes of a treedef, or Rust data whose elements become values one by one. [`ToValue`]
/// makes the last kind from arrays, tuples and structs, so a table of any length takes no stack for its elements. All
/// three kinds are compared by their elements alone.
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
    Encoded { count: u32, bytes: &'a [u8] },
    Slice(&'a dyn Sequence),
    Fields(&'a [&'a dyn Element]),
}

/// Rust data that becomes a value; [`ToValue`] as a trait object.
pub trait Element: Sync {
    /// Calls `take` once, with the value.
    fn lend(&self, take: &mut dyn FnMut(Value<'_>));
}

impl<T: ToValue + Sync> Element for T {
    fn lend(&self, take: &mut dyn FnMut(Value<'_>)) {
        self.with_value(take);
    }
}

/// A slice of Rust data whose elements become values.
pub(super) trait Sequence: Sync {
    /// The number of elements.
    fn len(&self) -> usize;

    /// Calls `take` once with the value of the element at `index`, or not at all if there is none.
    fn lend(&self, index: usize, take: &mut dyn FnMut(Value<'_>));
}

impl<T: ToValue + Sync> Sequence for &[T] {
    fn len(&self) -> usize {
        <[T]>::len(self)
    }

    fn lend(&self, index: usize, take: &mut dyn FnMut(Value<'_>)) {
        if let Some(element) = self.get(index) {
            element.with_value(take);
        }
    }
}

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

    /// The tuple of a slice whose elements become values.
    pub(super) fn slice<T: ToValue + Sync>(elements: &'a &'a [T]) -> Self {
        Self(Source::Slice(elements))
    }

    /// The tuple of the fields of a struct or tuple.
    pub(crate) const fn fields(fields: &'a [&'a dyn Element]) -> Self {
        Self(Source::Fields(fields))
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
    pub fn len(self) -> usize {
        match self.0 {
            Source::Values(values) => values.len(),
            Source::Encoded { count, .. } => count as usize,
            Source::Slice(slice) => slice.len(),
            Source::Fields(fields) => fields.len(),
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
    pub fn is_empty(self) -> bool {
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
        self.values()
    }

    /// The elements, if they outlive the call.
    pub(crate) const fn values(self) -> Option<Values<'a>> {
        match self.0 {
            Source::Values(_) | Source::Encoded { .. } => Some(Values(self.elements())),
            Source::Slice(_) | Source::Fields(_) => None,
        }
    }

    /// Calls `differ` with each element and the one at the same position in `other`, and returns the first `Some`.
    /// `HELD` says that neither tuple is Rust data, which takes less code.
    pub(super) fn differ<const HELD: bool, R>(
        self,
        other: ValueTuple<'_>,
        mut differ: impl FnMut(Value<'_>, Value<'_>) -> Option<R>,
    ) -> Option<R> {
        if HELD {
            return self.values()?.zip(other.values()?).find_map(|(x, y)| differ(x, y));
        }
        let (mut one, mut two) = (self.elements(), other.elements());
        while let Some(Some(found)) = one.next(|x| two.next(|y| differ(x, y))) {
            if found.is_some() {
                return found;
            }
        }
        None
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
        self.lend(&mut |value| {
            if let Some(read) = read.take() {
                result = Some(read(value));
            }
        });
        result
    }

    /// Calls `take` with the next element, if there is one. Not inlined, so that a program holds this code once.
    #[inline(never)]
    fn lend(&mut self, take: &mut dyn FnMut(Value<'_>)) {
        let index = self.index;
        self.index = index.wrapping_add(1);
        match self.source {
            Source::Slice(slice) => slice.lend(index, take),
            Source::Fields(fields) => {
                if let Some(field) = fields.get(index) {
                    field.lend(take);
                }
            }
            _ => {
                if let Some(value) = self.held() {
                    take(value);
                }
            }
        }
    }
}

impl<'a> Elements<'a> {
    /// The next element, if it outlives the call.
    fn held(&mut self) -> Option<Value<'a>> {
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
            _ => None,
        }
    }
}

/// Elements that outlive the call.
#[derive(Clone)]
pub(crate) struct Values<'a>(Elements<'a>);

impl<'a> Iterator for Values<'a> {
    type Item = Value<'a>;

    fn next(&mut self) -> Option<Value<'a>> {
        self.0.held()
    }
}
