//! Heads to be written: what a node says before its children.

use core::cell::Cell;
use core::cmp::Ordering;

use crate::entry::KeyEntry;
use crate::error::Error;
use crate::head::{self, ChildKey, Form, Head};
use crate::key::Key;
use crate::show::{debug_enum, debug_struct};
use crate::value::{Value, put_run};
use crate::varint::{self, Varint};

/// A head that can be written piece by piece, as often as asked.
///
/// The same pieces are written by a [`Builder`](crate::Builder), compared by a matcher and counted by a measure, so no
/// head has to exist as bytes first. A pre-encoded [`Head`] is one piece.
///
/// Builders trust it: an implementation whose pieces are no head, are not those of [`Heading::arity`] children or
/// differ from call to call makes them write what is no treedef. The types of this crate are right, with keys
/// ([`Key`](crate::Key)) that lend the same value each time.
pub trait Heading {
    /// The number of children.
    fn arity(&self) -> usize;

    /// Checks keys and values; writers ask before they write.
    ///
    /// # Errors
    ///
    /// [`Error::Unordered`], [`Error::DuplicateKey`], [`Error::UnsortedKeys`], [`Error::ValueTooDeep`],
    /// [`Error::Arity`], [`Error::TooLarge`].
    fn check(&self) -> Result<(), Error>;

    /// Hands the bytes over in order.
    ///
    /// # Errors
    ///
    /// The first error of `put`, unchanged.
    fn pieces<E>(&self, put: &mut impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E>;

    /// The kind and the count, or the low bits, of a head without a block: it is written without a slice. `None` where
    /// the head has to be told in pieces.
    #[doc(hidden)]
    #[inline]
    fn __counted(&self) -> Option<(u8, usize)> {
        None
    }
}

/// What tells the entries of a node's children: a head, or a heading whose keys can be lent one by one.
pub trait Entry {
    /// The entry that leads to the child with this index; `None` if there are fewer children.
    ///
    /// Found by a scan of the keys.
    fn entry(&self, index: u32) -> Option<KeyEntry<'_>>;
}

impl Heading for Head<'_> {
    fn arity(&self) -> usize {
        self.num_children()
    }

    fn check(&self) -> Result<(), Error> {
        no_leaf(self)
    }

    #[inline]
    fn pieces<E>(&self, put: &mut impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        put(self.as_bytes())
    }
}

/// Refuses the head of a leaf: a leaf is no node with children, and adjacent ones are one run.
pub(crate) const fn no_leaf(head: &Head<'_>) -> Result<(), Error> {
    match head.as_bytes() {
        [0, ..] => Err(Error::Arity { expected: 1, found: 0 }),
        _ => Ok(()),
    }
}

/// Encodes a head into the front of `bytes`, to be written again and again as one piece.
///
/// # Errors
///
/// [`Error::Full`] with the exact number of bytes; what is wrong with the keys or values of the heading
/// ([`Heading::check`]).
///
/// # Examples
///
/// ```
/// use treedef::{Kind, StructOf, head_into, head_len};
///
/// let heading = StructOf { name: "Pid", fields: &["gain"], statics: &[] };
/// let mut bytes = [0; 16];
/// let head = head_into(&heading, &mut bytes)?;
/// assert_eq!((head.kind(), head.type_name()), (Kind::Struct, Some("Pid")));
/// assert_eq!(head.as_bytes().len(), head_len(&heading));
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn head_into<'b, H: Heading>(heading: &H, bytes: &'b mut [u8]) -> Result<Head<'b>, Error> {
    heading.check()?;
    let room = bytes.len();
    let mut rest = &mut *bytes;
    let written = heading.pieces(&mut |piece| {
        let (target, after) =
            core::mem::take(&mut rest).split_at_mut_checked(piece.len()).ok_or(())?;
        target.copy_from_slice(piece);
        rest = after;
        Ok(())
    });
    let len = room.saturating_sub(rest.len());
    match written {
        Ok(()) => Ok(Head::trusted(bytes.get(..len).unwrap_or_default())),
        Err(()) => Err(Error::Full { needed: head_len(heading), room }),
    }
}

/// The bytes that [`head_into`] needs, exactly.
pub fn head_len<H: Heading>(heading: &H) -> usize {
    let mut len = 0usize;
    let Ok(()) = heading.pieces(&mut |piece| {
        len = len.saturating_add(piece.len());
        Ok::<_, core::convert::Infallible>(())
    });
    len
}

/// A kind with its count in the head byte and no block: tuple, list, and the start of dict and struct.
pub(crate) fn put_count<E>(
    kind: u8,
    count: usize,
    put: &mut impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    match u8::try_from(count) {
        Ok(low) if low < head::ESCAPE => put(&[kind << 5 | low]),
        _ => {
            let (bytes, len) = head::long_head(kind, count);
            put(bytes.get(..len).unwrap_or_default())
        }
    }
}

/// Hands over a block: the length of the payload, then the payload.
pub(crate) fn put_block<E, F>(put: &mut F, payload: impl Fn(&mut dyn FnMut(&[u8]))) -> Result<(), E>
where
    F: FnMut(&[u8]) -> Result<(), E>,
{
    let mut len = 0usize;
    payload(&mut |piece| len = len.saturating_add(piece.len()));
    put(Varint::new(len as u64).as_bytes())?;
    let mut result = Ok(());
    payload(&mut |piece| {
        if result.is_ok() {
            result = put(piece);
        }
    });
    result
}

/// Drops the error type of pieces that cannot fail.
pub(crate) fn always(
    out: &mut dyn FnMut(&[u8]),
) -> impl FnMut(&[u8]) -> Result<(), core::convert::Infallible> {
    move |piece| {
        out(piece);
        Ok(())
    }
}

/// Refuses more children than a head can say.
fn check_count(count: usize) -> Result<(), Error> {
    u32::try_from(count).map(drop).map_err(|_| Error::TooLarge)
}

/// The head of a tuple.
#[derive(Clone, Copy)]
pub struct TupleOf(
    /// The number of children.
    pub usize,
);

debug_struct!([] TupleOf(0));

/// The head of a list.
#[derive(Clone, Copy)]
pub struct ListOf(
    /// The number of children.
    pub usize,
);

debug_struct!([] ListOf(0));

macro_rules! counted {
    ($($name:ident $kind:ident),*) => {$(
        impl Heading for $name {
            fn arity(&self) -> usize {
                self.0
            }

            fn check(&self) -> Result<(), Error> {
                check_count(self.0)
            }

            #[inline]
            fn pieces<E>(&self, put: &mut impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
                put_count(head::$kind, self.0, put)
            }

            #[inline]
            fn __counted(&self) -> Option<(u8, usize)> {
                Some((head::$kind, self.0))
            }
        }
    )*};
}
counted!(TupleOf TUPLE, ListOf LIST);

/// The head of a `Some` that has to be told from `None`: one child.
#[derive(Clone, Copy)]
pub struct SomeOf;

debug_struct!([] SomeOf {});

impl Heading for SomeOf {
    fn arity(&self) -> usize {
        1
    }

    fn check(&self) -> Result<(), Error> {
        Ok(())
    }

    fn pieces<E>(&self, put: &mut impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        put(&[head::EXT << 5 | head::EXT_SOME, 1, 0])
    }
}

/// The three kinds of dictionary.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum DictKind<'a> {
    /// Python's `dict`: keys sorted.
    Sorted,
    /// Python's `OrderedDict`: keys in the order of the children.
    Ordered,
    /// Python's `defaultdict`: keys sorted, and the factory as Python prints it, such as `<class 'int'>`.
    Default(&'a str),
}

debug_enum!(DictKind<'_> { Sorted, Ordered, Default(factory) });

/// The head of a dictionary, written from an iterator of keys in the order of the children.
#[derive(Clone)]
pub struct DictOf<'a, I> {
    kind: DictKind<'a>,
    keys: I,
    /// What the first walk over the keys found, for those that come after it: a step over a map is dear.
    survey: Cell<Option<Survey>>,
}

debug_struct!([I] DictOf<'_, I> { kind });

/// What a walk over the keys of one dictionary finds.
#[derive(Clone, Copy)]
struct Survey {
    count: usize,
    strings: bool,
    integers: bool,
    /// The bytes of the keys as strings or as integers; of typed ones this is not counted.
    len: usize,
    /// Whether they are strictly increasing.
    sorted: bool,
    too_deep: bool,
}

impl Survey {
    const NONE: Self =
        Self { count: 0, strings: true, integers: true, len: 0, sorted: true, too_deep: false };

    /// Takes one more key.
    #[inline]
    fn add(&mut self, key: Value<'_>) {
        self.count = self.count.saturating_add(1);
        self.strings &= matches!(key, Value::Str(_));
        self.integers &= matches!(key, Value::Int(_));
        self.too_deep |= key.is_too_deep();
        let len = match key {
            Value::Str(text) => varint::len(text.len() as u64).saturating_add(text.len()),
            Value::Int(i) => varint::len(varint::zigzag(i)),
            _ => 0,
        };
        self.len = self.len.saturating_add(len);
    }
}

impl<'a, I> DictOf<'a, I>
where
    I: Iterator<Item: Key> + Clone,
{
    /// Takes the keys: strictly increasing in Python's order ([`Value::compare`]), or in any order for
    /// [`DictKind::Ordered`].
    pub fn new(kind: DictKind<'a>, keys: impl IntoIterator<IntoIter = I>) -> Self {
        Self { kind, keys: keys.into_iter(), survey: Cell::new(None) }
    }

    /// Whether the keys are strictly increasing.
    pub(crate) fn is_sorted(&self) -> bool {
        self.walk(true).sorted
    }

    fn survey(&self) -> Survey {
        self.survey.get().unwrap_or_else(|| self.walk(false))
    }

    /// Goes over the keys; if they are of use only where they are sorted, no further than to the first that is not.
    fn walk(&self, only_sorted: bool) -> Survey {
        let (mut survey, mut before) = (Survey::NONE, None::<I::Item>);
        for key in self.keys.clone() {
            if let Some(before) = before
                && survey.sorted
                && order(&before, &key) != Some(Ordering::Less)
            {
                survey.sorted = false;
                if only_sorted {
                    return survey;
                }
            }
            key.with_key(|key| survey.add(key));
            before = Some(key);
        }
        self.survey.set(Some(survey));
        survey
    }

    fn payload<E>(
        &self,
        form: Form,
        put: &mut impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        if let DictKind::Default(factory) = self.kind {
            put_run(factory.as_bytes(), put)?;
        }
        self.keys.clone().try_for_each(|key| {
            key.with_key(|key| match (form, key) {
                (Form::Str, Value::Str(text)) => put_run(text.as_bytes(), put),
                (Form::Int, Value::Int(i)) => put(Varint::new(varint::zigzag(i)).as_bytes()),
                (_, key) => key.pieces(put),
            })
        })
    }
}

impl<I> Heading for DictOf<'_, I>
where
    I: Iterator<Item: Key> + Clone,
{
    fn arity(&self) -> usize {
        self.survey().count
    }

    fn check(&self) -> Result<(), Error> {
        let Survey { sorted, too_deep, .. } = self.survey();
        if sorted && !too_deep {
            return Ok(());
        }
        check_keys(self.keys.clone(), self.kind == DictKind::Ordered)
    }

    fn pieces<E>(&self, put: &mut impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let Survey { count, strings, integers, len, .. } = self.survey();
        let form = match (strings, integers) {
            (true, _) => Form::Str,
            (false, true) => Form::Int,
            (false, false) => Form::Typed,
        };
        match subkind(self.kind, form) {
            None => put_count(head::DICT, count, put)?,
            Some(subkind) => {
                put(&[head::EXT << 5 | subkind])?;
                put(Varint::new(count as u64).as_bytes())?;
            }
        }
        match self.kind {
            // The length is known, so that one walk less is enough.
            DictKind::Sorted | DictKind::Ordered if form != Form::Typed => {
                put(Varint::new(len as u64).as_bytes())?;
                self.payload(form, put)
            }
            _ => put_block(put, |out| {
                let out = &mut always(out);
                let _ = self.payload(form, out);
            }),
        }
    }
}

/// The extension that a dictionary is written as; `None` for the plain one.
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

/// The order of two keys.
fn order<K: Key>(a: &K, b: &K) -> Option<Ordering> {
    a.with_key(|a| b.with_key(|b| a.compare(b)))
}

/// Finds what is wrong with keys that are not strictly increasing or nest too deep; where their order is kept, they
/// only have to be distinct.
fn check_keys<K: Key>(keys: impl Iterator<Item = K> + Clone, ordered: bool) -> Result<(), Error> {
    let mut before = None::<K>;
    for (second, key) in (0..u32::MAX).zip(keys.clone()) {
        if key.with_key(|key| key.is_too_deep()) {
            return Err(Error::ValueTooDeep);
        }
        if !ordered && let Some(before) = &before {
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
    for (second, key) in (0..u32::MAX).zip(keys.clone()) {
        let mut earlier = (0..second).zip(keys.clone());
        let same = |other: &K| key.with_key(|key| other.with_key(|other| other.same_key(key)));
        if let Some((first, _)) = earlier.find(|(_, other)| same(other)) {
            return Err(Error::DuplicateKey { first, second });
        }
    }
    Ok(())
}

/// The head of a named tuple.
#[derive(Clone, Copy)]
pub struct NamedTupleOf<'a> {
    /// The type name with its path; text shows what follows the last `::`.
    pub name: &'a str,
    /// The names of the fields in the type's order.
    pub fields: &'a [&'a str],
}

debug_struct!([] NamedTupleOf<'_> { name, fields });

impl Heading for NamedTupleOf<'_> {
    fn arity(&self) -> usize {
        self.fields.len()
    }

    fn check(&self) -> Result<(), Error> {
        Ok(())
    }

    fn pieces<E>(&self, put: &mut impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        put(&[head::EXT << 5 | head::EXT_NAMED_TUPLE])?;
        put(Varint::new(self.fields.len() as u64).as_bytes())?;
        put_block(put, |out| {
            let _ = put_names(self.name, self.fields, &mut always(out));
        })
    }
}

fn put_names<E>(
    name: &str,
    fields: &[&str],
    put: &mut impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    put_run(name.as_bytes(), put)?;
    fields.iter().try_for_each(|field| put_run(field.as_bytes(), put))
}

/// The head of a struct, a dataclass or an enum variant.
#[derive(Clone, Copy)]
pub struct StructOf<'a> {
    /// The type name with its path; text shows what follows the last `::`.
    pub name: &'a str,
    /// The names of the fields that hold trees, in the type's order.
    pub fields: &'a [&'a str],
    /// The static fields with their values.
    pub statics: &'a [(&'a str, Value<'a>)],
}

debug_struct!([] StructOf<'_> { name, fields, statics });

impl Heading for StructOf<'_> {
    fn arity(&self) -> usize {
        self.fields.len()
    }

    fn check(&self) -> Result<(), Error> {
        match self.statics.iter().any(|(_, value)| value.is_too_deep()) {
            true => Err(Error::ValueTooDeep),
            false => Ok(()),
        }
    }

    fn pieces<E>(&self, put: &mut impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        put_count(head::STRUCT, self.fields.len(), put)?;
        put_block(put, |out| {
            let out = &mut always(out);
            let _ = put_names(self.name, self.fields, out);
            for (name, value) in self.statics {
                let _ = put_run(name.as_bytes(), out);
                let _ = value.pieces(out);
            }
        })
    }
}

/// The head of a custom node, as `jax.tree_util.register_pytree_node` makes them.
#[derive(Clone, Copy)]
pub struct CustomOf<'a> {
    /// The type name with its path; text shows what follows the last `::`.
    pub name: &'a str,
    /// The aux data.
    pub aux: Value<'a>,
    /// The number of children.
    pub children: usize,
    /// The keys of the children; `None` where they are known by position only.
    pub child_keys: Option<&'a [ChildKey<'a>]>,
}

debug_struct!([] CustomOf<'_> { name, aux, children, child_keys });

impl Heading for CustomOf<'_> {
    fn arity(&self) -> usize {
        self.children
    }

    fn check(&self) -> Result<(), Error> {
        check_count(self.children)?;
        let keys = self.child_keys.unwrap_or(&[]);
        if self.child_keys.is_some() && keys.len() != self.children {
            return Err(Error::Arity { expected: self.children, found: keys.len() });
        }
        let deep_key =
            |key: &ChildKey<'_>| matches!(key, ChildKey::Key(value) if value.is_too_deep());
        if self.aux.is_too_deep() || keys.iter().any(deep_key) {
            return Err(Error::ValueTooDeep);
        }
        Ok(())
    }

    fn pieces<E>(&self, put: &mut impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        put(&[head::EXT << 5 | head::EXT_CUSTOM])?;
        put(Varint::new(self.children as u64).as_bytes())?;
        put_block(put, |out| {
            let out = &mut always(out);
            let _ = put_run(self.name.as_bytes(), out);
            let _ = self.aux.pieces(out);
            for key in self.child_keys.unwrap_or(&[]) {
                let _ = key.pieces(out);
            }
        })
    }
}

impl Entry for Head<'_> {
    fn entry(&self, index: u32) -> Option<KeyEntry<'_>> {
        self.entries().nth(index as usize)
    }
}

impl Entry for TupleOf {
    fn entry(&self, index: u32) -> Option<KeyEntry<'_>> {
        ((index as usize) < self.0).then_some(KeyEntry::Index(index))
    }
}

impl Entry for ListOf {
    fn entry(&self, index: u32) -> Option<KeyEntry<'_>> {
        ((index as usize) < self.0).then_some(KeyEntry::Index(index))
    }
}

impl Entry for SomeOf {
    fn entry(&self, index: u32) -> Option<KeyEntry<'_>> {
        (index == 0).then_some(KeyEntry::Some)
    }
}

impl<'a, I> Entry for DictOf<'a, I>
where
    I: Iterator<Item = Value<'a>> + Clone,
{
    fn entry(&self, index: u32) -> Option<KeyEntry<'_>> {
        self.keys.clone().nth(index as usize).map(KeyEntry::Key)
    }
}

impl Entry for NamedTupleOf<'_> {
    fn entry(&self, index: u32) -> Option<KeyEntry<'_>> {
        self.fields.get(index as usize).map(|name| KeyEntry::Attr(name))
    }
}

impl Entry for StructOf<'_> {
    fn entry(&self, index: u32) -> Option<KeyEntry<'_>> {
        self.fields.get(index as usize).map(|name| KeyEntry::Attr(name))
    }
}

impl Entry for CustomOf<'_> {
    fn entry(&self, index: u32) -> Option<KeyEntry<'_>> {
        match self.child_keys {
            Some(keys) => keys.get(index as usize).map(|key| KeyEntry::from(*key)),
            None => ((index as usize) < self.children).then_some(KeyEntry::FlatIndex(index)),
        }
    }
}
