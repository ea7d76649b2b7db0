//! Writes the heads of dictionaries.

use core::cmp::Ordering;

use super::sealed::Sealed;
use super::{Entry, HeadSpec, put_block_of, put_count};
use crate::base::bytes::less;
use crate::base::error::Error;
use crate::base::show::{debug_enum, debug_struct};
use crate::format::entry::KeyEntry;
use crate::format::head::{self, Head};
use crate::format::keys::Form;
use crate::format::to_value::ToValue;
use crate::format::value::{Put, Stop, Value, put_run, read_run};
use crate::format::varint::{self, Varint};

/// The three kinds of dictionary.
///
/// # Examples
///
/// ```
/// use treedef::Kind;
/// use treedef::head::{Dict, DictKind, head_into};
///
/// let mut bytes = [0; 16];
/// let head = head_into(&Dict::new(DictKind::Ordered, ["y", "x"]), &mut bytes)?;
/// assert_eq!(head.kind(), Kind::OrderedDict);
/// # Ok::<(), treedef::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum DictKind<'a> {
    /// Python's `dict`: keys sorted.
    Sorted,
    /// Python's `OrderedDict`: keys in the order of the children. Equal keys are not refused:
    /// [`TreeDef::find`](crate::TreeDef::find) finds the first, and rebuilding a map fails.
    Ordered,
    /// Python's `defaultdict`: keys sorted, with the factory as Python prints it, such as `<class 'int'>`.
    Default(&'a str),
}

debug_enum!(DictKind<'_> { Sorted, Ordered, Default(factory) });

/// The head of a dictionary, written from an iterator of keys in the order of the children.
///
/// A [`Writer`](crate::Writer) takes keys of any [`ToValue`](crate::format::ToValue) type, and checks their order. An
/// [`Object`](crate::Object) passes the head to [`Open::node`](crate::dynamic::Open::node), which also reads single
/// entries; there the keys have to be [`Value`]s.
///
/// # Examples
///
/// ```
/// use treedef::dynamic::{Flatten, Open};
/// use treedef::head::DictKind;
/// use treedef::{Error, Object, Value, Writer, head};
///
/// let mut bytes = [0; 16];
/// let mut out = Writer::new(&mut bytes);
/// out.node(&head::Dict::new(DictKind::Ordered, ["z", "a"]), |out| out.leaves(2));
/// let written = out.finish()?;
///
/// /// A row of a table: names and numbers in the order of the columns.
/// #[derive(Clone, Copy)]
/// enum Row<'r> {
///     Columns(&'r [(&'r str, i32)]),
///     Cell(&'r i32),
/// }
///
/// impl<'r> Object for Row<'r> {
///     type Leaf = i32;
///
///     fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
///         match self {
///             Row::Columns(columns) => {
///                 let keys = columns.iter().map(|(key, _)| Value::from(*key));
///                 let cells = columns.iter().map(|(_, cell)| Row::Cell(cell));
///                 open.node(&head::Dict::new(DictKind::Ordered, keys), cells)
///             }
///             Row::Cell(cell) => open.leaf(*cell),
///         }
///     }
/// }
///
/// let (mut bytes, mut leaves) = ([0; 16], [0; 2]);
/// let row = Row::Columns(&[("z", 1), ("a", 2)]);
/// let (def, _) = Flatten::new().flatten_into(row, &mut bytes, &mut leaves)?;
/// assert_eq!((def, leaves), (written, [1, 2]));
/// assert_eq!(def.to_string(), "PyTreeDef(CustomNode(OrderedDict[('z', 'a')], [*, *]))");
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone)]
pub struct Dict<'a, I> {
    kind: DictKind<'a>,
    keys: I,
    survey: Survey,
}

debug_struct!([I] Dict<'_, I> { kind });

/// What one pass over the keys of a dictionary finds. It is kept, because a step over a map is expensive.
#[derive(Clone, Copy)]
struct Survey {
    count: usize,
    strings: bool,
    integers: bool,
    /// The length of the keys, encoded as values with their tags.
    len: usize,
    too_deep: bool,
}

impl Survey {
    const NONE: Self = Self { count: 0, strings: true, integers: true, len: 0, too_deep: false };

    /// Reads all keys.
    fn of<K: ToValue>(keys: impl Iterator<Item = K>) -> Self {
        let mut survey = Self::NONE;
        for key in keys {
            key.with_value(|key| survey.add(key));
        }
        survey
    }

    /// Adds a key.
    #[inline]
    fn add(&mut self, key: Value<'_>) {
        self.count = self.count.saturating_add(1);
        self.strings &= matches!(key, Value::Str(_));
        self.integers &= matches!(key, Value::Int(_));
        let len = match key {
            Value::Str(text) => Some(text_len(text)),
            Value::Int(i) => Some(varint::len(varint::zigzag(i)).saturating_add(1)),
            _ => key.encoded_len(),
        };
        self.too_deep |= len.is_none();
        self.len = self.len.saturating_add(len.unwrap_or(0));
    }

    const fn form(&self) -> Form {
        match (self.strings, self.integers) {
            (true, _) => Form::Str,
            (false, true) => Form::Int,
            (false, false) => Form::Typed,
        }
    }
}

impl<'a, I> Dict<'a, I>
where
    I: Iterator<Item: ToValue> + Clone,
{
    /// The head with these keys: strictly increasing in Python's order ([`Value::compare`]), or any keys in any order
    /// for [`DictKind::Ordered`]. Reads them once.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Error;
    /// use treedef::head::{Dict, DictKind, head_into};
    ///
    /// let mut bytes = [0; 16];
    /// assert!(head_into(&Dict::new(DictKind::Sorted, ["x", "y"]), &mut bytes).is_ok());
    /// let unsorted = Dict::new(DictKind::Sorted, ["y", "x"]);
    /// assert!(matches!(head_into(&unsorted, &mut bytes), Err(Error::UnsortedKeys { .. })));
    /// ```
    #[must_use]
    pub fn new(kind: DictKind<'a>, keys: impl IntoIterator<IntoIter = I>) -> Self {
        let keys = keys.into_iter();
        let survey = Survey::of(keys.clone());
        Self { kind, keys, survey }
    }

    /// Passes the contents of the block to `put`: as many keys as were counted, in this form.
    fn payload(&self, form: Form, put: &mut Put<'_>) -> Result<(), Stop> {
        if let DictKind::Default(factory) = self.kind {
            put_run(factory.as_bytes(), put)?;
        }
        let (mut left, mut strings, mut integers) = (self.survey.count, true, true);
        self.keys.clone().try_for_each(|key| {
            left = left.checked_sub(1).ok_or(Stop::Changed)?;
            key.with_value(|key| match (form, key) {
                (Form::Str, Value::Str(text)) => put_run(text.as_bytes(), put),
                (Form::Int, Value::Int(i)) => put(Varint::new(varint::zigzag(i)).as_bytes()),
                (Form::Typed, key) => {
                    strings &= matches!(key, Value::Str(_));
                    integers &= matches!(key, Value::Int(_));
                    key.pieces(put)
                }
                _ => Err(Stop::Changed),
            })
        })?;
        if left > 0 || form == Form::Typed && (strings || integers) {
            return Err(Stop::Changed);
        }
        Ok(())
    }
}

impl<I> Sealed for Dict<'_, I> {}

impl<I> HeadSpec for Dict<'_, I>
where
    I: Iterator<Item: ToValue> + Clone,
{
    fn arity(&self) -> usize {
        self.survey.count
    }

    fn check(&self) -> Result<(), Error> {
        self.__check_values()?;
        match self.kind {
            DictKind::Ordered => Ok(()),
            _ => check_order(self.keys.clone()),
        }
    }

    #[inline]
    fn __check_values(&self) -> Result<(), Error> {
        if self.survey.too_deep { Err(Error::ValueTooDeep) } else { Ok(()) }
    }

    fn pieces(&self, put: &mut impl FnMut(&[u8]) -> Result<(), Stop>) -> Result<(), Stop> {
        let Survey { count, len, .. } = self.survey;
        let form = self.survey.form();
        match subkind(self.kind, form) {
            None => put_count(head::DICT, count, put)?,
            Some(subkind) => {
                put(&[head::EXT << 5 | subkind])?;
                put(Varint::new(count as u64).as_bytes())?;
            }
        }
        let tags = if form == Form::Typed { 0 } else { count };
        let factory = match self.kind {
            DictKind::Default(name) => varint::len(name.len() as u64).saturating_add(name.len()),
            _ => 0,
        };
        let len = len.saturating_sub(tags).saturating_add(factory);
        put_block_of(len, put, |put| self.payload(form, put))
    }

    fn __written(&self, head: &[u8]) -> Result<(), Error> {
        let keys = Head::trusted(head).keys();
        let increase = match (self.kind, self.survey.form()) {
            (DictKind::Ordered, _) => true,
            (_, Form::Str) => strings_increase(keys.rest()),
            _ => check_order(keys).is_ok(),
        };
        if increase { Ok(()) } else { Err(Error::ValueChanged) }
    }
}

impl<'a, I> Entry for Dict<'a, I>
where
    I: Iterator<Item = Value<'a>> + Clone,
{
    #[expect(clippy::redundant_closure, reason = "a closure shortens the lifetime of the key")]
    fn entries(&self) -> impl Iterator<Item = KeyEntry<'_>> {
        self.keys.clone().map(|key| KeyEntry::Key(key))
    }
}

/// The extension for a dictionary; `None` for the plain one.
const fn subkind(kind: DictKind<'_>, form: Form) -> Option<u8> {
    Some(match (kind, form) {
        (DictKind::Sorted, Form::Str) => return None,
        (DictKind::Sorted, Form::Int) => head::EXT_DICT_INT,
        (DictKind::Sorted, Form::Typed) => head::EXT_DICT_TYPED,
        (DictKind::Ordered, Form::Str) => head::EXT_ORDERED,
        (DictKind::Ordered, Form::Int) => head::EXT_ORDERED_INT,
        (DictKind::Ordered, Form::Typed) => head::EXT_ORDERED_TYPED,
        (DictKind::Default(_), Form::Str) => head::EXT_DEFAULT,
        (DictKind::Default(_), Form::Int) => head::EXT_DEFAULT_INT,
        (DictKind::Default(_), Form::Typed) => head::EXT_DEFAULT_TYPED,
    })
}

/// The length of a string, encoded as a value with its tag.
#[inline]
fn text_len(text: &str) -> usize {
    let len = if text.len() < 128 { 1 } else { varint::len(text.len() as u64) };
    len.saturating_add(text.len()).saturating_add(1)
}

/// The order of two keys.
#[inline]
fn order<K: ToValue>(a: &K, b: &K) -> Option<Ordering> {
    a.with_value(|a| {
        b.with_value(|b| match (a, b) {
            // Almost all keys are strings, in order.
            (Value::Str(a), Value::Str(b)) if less(a.as_bytes(), b.as_bytes()) => {
                Some(Ordering::Less)
            }
            _ => a.compare(b),
        })
    })
}

/// Whether strings, each after its length, strictly increase. Compares their bytes, which have the same order.
fn strings_increase(mut strings: &[u8]) -> bool {
    let mut before = None;
    while let Some((string, rest)) = read_run(strings) {
        if before.is_some_and(|before| before >= string) {
            return false;
        }
        (before, strings) = (Some(string), rest);
    }
    true
}

/// Checks that keys strictly increase; the error has the first two neighbours that do not.
fn check_order<K: ToValue>(keys: impl Iterator<Item = K>) -> Result<(), Error> {
    let mut before = None::<K>;
    for (second, key) in (0..u32::MAX).zip(keys) {
        if let Some(before) = &before {
            let first = second.saturating_sub(1);
            match order(before, &key) {
                Some(Ordering::Less) => {}
                Some(Ordering::Equal) => return Err(Error::DuplicateKey { first, second }),
                Some(Ordering::Greater) => return Err(Error::UnsortedKeys { first, second }),
                None => return Err(Error::Unordered { first, second }),
            }
        }
        before = Some(key);
    }
    Ok(())
}
