//! The heads of dictionaries: their keys, and a default factory.

use core::cmp::Ordering;

use crate::base::bytes::less;
use crate::base::decode_error::DecodeErrorKind as Fault;
use crate::base::error::Error;
use crate::base::show::{debug_enum, debug_struct};
use crate::format::entry::KeyEntry;
use crate::format::head::{self, Form, Head, Kind, kind_and_count};
use crate::format::heading::block::Block;
use crate::format::heading::spec::{Entry, HeadSpec};
use crate::format::keys::Keys;
use crate::format::pieces::{Put, Stop, put_block, put_run};
use crate::format::reader::Input;
use crate::format::to_value::ToValue;
use crate::format::value::Value;
use crate::format::varint::{self, Front};

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
#[doc(alias = "dict_insertion_ordered")]
pub enum DictKind<'a> {
    /// Python's `dict`: keys sorted.
    Sorted,
    /// Python's `OrderedDict`: keys in the order of the children. Equal keys are not refused:
    /// [`TreeDef::find`](crate::TreeDef::find) finds the first, and rebuilding a map fails.
    Ordered,
    /// Python's `defaultdict`: keys sorted, with the factory as Python prints it, such as `<class 'int'>`.
    Default(&'a str),
}

debug_enum!(DictKind<'_> { Sorted, Ordered, Default(factory as Text) });

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
    too_deep: bool,
}

impl Survey {
    /// Reads all keys.
    fn of<K: ToValue>(keys: impl Iterator<Item = K>) -> Self {
        let mut survey = Self { count: 0, strings: true, integers: true, too_deep: false };
        for key in keys {
            key.with_value(|key| {
                survey.count = survey.count.saturating_add(1);
                survey.strings &= matches!(key, Value::Str(_));
                survey.integers &= matches!(key, Value::Int(_));
                survey.too_deep |= !is_text::<K>() && key.is_too_deep();
            });
        }
        survey
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
        let mut left = self.survey.count;
        self.keys.clone().try_for_each(|key| {
            left = left.checked_sub(1).ok_or(Stop::Changed)?;
            key.with_value(|key| match (form, key) {
                (Form::Str, Value::Str(text)) => put_run(text.as_bytes(), put),
                (Form::Int, Value::Int(i)) => put(Front::number(varint::zigzag(i)).as_bytes()),
                (Form::Typed, key) if !is_text::<I::Item>() => key.pieces(put),
                _ => Err(Stop::Changed),
            })
        })?;
        if left == 0 { Ok(()) } else { Err(Stop::Changed) }
    }
}

impl<I> HeadSpec for Dict<'_, I>
where
    I: Iterator<Item: ToValue> + Clone,
{
    fn arity(&self) -> usize {
        self.survey.count
    }

    #[inline]
    fn check(&self, order: bool) -> Result<(), Error> {
        match self.kind {
            _ if self.survey.too_deep => Err(Error::ValueTooDeep),
            DictKind::Sorted | DictKind::Default(_) if order => check_order(self.keys.clone()),
            _ => Ok(()),
        }
    }

    fn pieces(&self, put: &mut impl FnMut(&[u8]) -> Result<(), Stop>) -> Result<(), Stop> {
        let count = self.survey.count;
        let form = self.survey.form();
        let after = match form {
            Form::Str => 0,
            Form::Int => 1,
            _ => 2,
        };
        let subkind = match self.kind {
            DictKind::Sorted => head::EXT_DICT_INT.wrapping_sub(1),
            DictKind::Ordered => head::EXT_ORDERED,
            DictKind::Default(_) => head::EXT_DEFAULT,
        };
        let front = match (self.kind, form) {
            (DictKind::Sorted, Form::Str) => kind_and_count(head::DICT, count),
            _ => {
                Front::of([head::EXT << 5 | subkind.wrapping_add(after)]).then_number(count as u64)
            }
        };
        put(front.as_bytes())?;
        put_block(put, |put| self.payload(form, put))
    }

    fn check_written(&self, head: &[u8]) -> Result<(), Error> {
        let head = Head::trusted(head);
        let mut block = Block::<false>::new(head.names());
        let (count, is_ordered) = (head.arity(), matches!(self.kind, DictKind::Ordered));
        let is_written = match head.form() {
            _ if is_text::<I::Item>() => check_texts(&mut block, count, is_ordered),
            form => check_keys(&mut block, form, count, is_ordered),
        };
        is_written.ok_or(Error::ValueChanged)
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

/// Whether all keys of a type are texts. Then the code for other keys is not linked.
const fn is_text<K: ToValue>() -> bool {
    matches!(K::TYPE.as_bytes(), b"str" | [b's', b't', b'r', b'<', ..])
}

/// Checks that keys strictly increase; the error has the first two neighbours that do not.
fn check_order<K: ToValue>(keys: impl Iterator<Item = K>) -> Result<(), Error> {
    let mut before = None::<K>;
    for (second, key) in (0..u32::MAX).zip(keys) {
        if let Some(before) = &before {
            let first = second.saturating_sub(1);
            let order = before.with_value(|before| {
                key.with_value(|key| match (before, key) {
                    (Value::Str(before), Value::Str(key)) => Some(before.cmp(key)),
                    _ if is_text::<K>() => None,
                    _ => before.compare(key),
                })
            });
            match order {
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

impl<'a> Head<'a> {
    /// The keys of a dictionary, in the order of its children; empty for every other kind.
    pub fn keys(&self) -> impl Iterator<Item = Value<'a>> + Clone + use<'a> {
        match self.form() {
            Form::Str | Form::Int | Form::Typed => Keys::of_head(*self),
            _ => Keys::NONE,
        }
    }

    /// The default factory of a default dictionary, as Python prints it; `None` for every other kind.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::head::{Dict, DictKind, head_into};
    ///
    /// let mut bytes = [0; 32];
    /// let head = head_into(&Dict::new(DictKind::Default("<class 'list'>"), ["a"]), &mut bytes)?;
    /// assert_eq!(head.factory(), Some("<class 'list'>"));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub fn factory(&self) -> Option<&'a str> {
        match self.kind() {
            Kind::DefaultDict => Input::new(self.block()).text(),
            _ => None,
        }
    }
}

/// Checks that strings strictly increase by their bytes.
pub(crate) const fn strictly_increase(mut keys: &[&str]) -> Result<(), Error> {
    let mut first = 0u32;
    while let [a, rest @ ..] = keys {
        let second = first.saturating_add(1);
        if let [b, ..] = rest
            && !less(a.as_bytes(), b.as_bytes())
        {
            return Err(match less(b.as_bytes(), a.as_bytes()) {
                true => Error::UnsortedKeys { first, second },
                false => Error::DuplicateKey { first, second },
            });
        }
        (first, keys) = (second, rest);
    }
    Ok(())
}

/// Checks keys in bytes: their form is the shortest, and they increase, unless they are `ordered` by the user.
pub(crate) fn check_keys<const PLAIN: bool>(
    block: &mut Block<'_, PLAIN>,
    form: Form,
    count: u32,
    ordered: bool,
) -> Option<()> {
    if form == Form::Str {
        return check_texts(block, count, ordered);
    }
    let start = block.input.rest.len();
    block.from = start;
    let (mut strings, mut integers) = (true, true);
    let mut before = Value::None;
    for second in 0..count {
        block.begin();
        let key = match form {
            Form::Int => block.input.integer().map(Value::Int),
            _ => Value::take(&mut block.input),
        }?;
        strings &= matches!(key, Value::Str(_));
        integers &= matches!(key, Value::Int(_));
        if second > 0 && !ordered {
            let order = before.compare_read(key);
            if order != Some(Ordering::Less) {
                return misplaced(block, second, order);
            }
        }
        before = key;
    }
    if count == 0 || form == Form::Typed && (strings || integers) {
        block.from = start;
        return block.input.fail(Fault::KeyForm);
    }
    Some(())
}

/// As [`check_keys`], for keys that are all strings.
pub(crate) fn check_texts<const PLAIN: bool>(
    block: &mut Block<'_, PLAIN>,
    count: u32,
    ordered: bool,
) -> Option<()> {
    let mut before: &[u8] = &[];
    for second in 0..count {
        let key = block.text()?;
        // The order of UTF-8 is the order of its bytes.
        if second > 0 && !ordered && !less(before, key) {
            return misplaced(block, second, Some(before.cmp(key)));
        }
        before = key;
    }
    Some(())
}

/// Notes that the key `second` does not come after the one before, and returns `None`.
#[cold]
fn misplaced<const PLAIN: bool>(
    block: &mut Block<'_, PLAIN>,
    second: u32,
    order: Option<Ordering>,
) -> Option<()> {
    let first = second.wrapping_sub(1);
    block.input.fail(match order {
        None => Fault::Unordered { first, second },
        Some(Ordering::Equal) => Fault::DuplicateKey { first, second },
        Some(_) => Fault::KeyOrder { first, second },
    })
}
