//! Lists the key entries of a node: the steps to its children.

use core::iter::FusedIterator;

use crate::base::bytes::equal;
use crate::base::exact_size::exact_size;
use crate::base::show::{debug_enum, debug_struct};
use crate::format::child_key::ChildKey;
use crate::format::head::{Form, Head};
use crate::format::reader::{Input, read_run};
use crate::format::value::Value;
use crate::format::value_bytes::skip_value;

/// One step from a node to a child, as a key entry of `jax.tree_util`.
///
/// # Examples
///
/// ```
/// use treedef::{KeyEntry, KeyPath, treedef};
///
/// let path = [KeyEntry::Key("w".into()), KeyEntry::Index(1)];
/// assert_eq!(KeyPath::new(&path).to_string(), "['w'][1]");
/// assert_eq!(treedef!({"b": *, "w": [*, *]}).find(path)?.as_leaf(), Some(2));
/// # Ok::<(), treedef::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
#[doc(alias(
    "SequenceKey",
    "DictKey",
    "GetAttrKey",
    "FlattenedIndexKey",
    "MappingKey",
    "SequenceEntry",
    "MappingEntry",
    "GetAttrEntry",
    "FlattenedEntry"
))]
pub enum KeyEntry<'a> {
    /// A position in a tuple or list, as `SequenceKey`: `[0]`.
    Index(u32),
    /// A dictionary key, as `DictKey`: `['a']`.
    Key(Value<'a>),
    /// A field, as `GetAttrKey`: `.x`.
    Attr(&'a str),
    /// A child of a custom node without child keys, as `FlattenedIndexKey`: `[<flat index 0>]`.
    FlatIndex(u32),
    /// Any other key of a custom node's child; it prints without quotes or brackets.
    Raw(&'a str),
    /// The inside of a `Some`; it prints nothing.
    Some,
}

debug_enum!(KeyEntry<'_> { Index(index), Key(key), Attr(name as Text), FlatIndex(index), Raw(text as Text), Some });

impl<'a> From<ChildKey<'a>> for KeyEntry<'a> {
    fn from(key: ChildKey<'a>) -> Self {
        match key {
            ChildKey::Attr(name) => KeyEntry::Attr(name),
            ChildKey::Key(key) => KeyEntry::Key(key),
            ChildKey::Index(index) => KeyEntry::Index(index),
            ChildKey::Raw(text) => KeyEntry::Raw(text),
        }
    }
}

/// The key entries of a node's children, in order; see [`Head::entries`].
///
/// # Examples
///
/// ```
/// use treedef::{KeyEntry, treedef};
///
/// let def = treedef!({"b": *, "w": *});
/// let mut entries = def.head().entries();
/// assert_eq!(entries.next(), Some(KeyEntry::Key("b".into())));
/// assert_eq!(entries.len(), 1);
/// ```
#[derive(Clone)]
#[must_use = "iterators do nothing until they are consumed"]
pub struct Entries<'a> {
    form: Form,
    next: u32,
    count: u32,
    /// The names of the children from `next` on.
    names: &'a [u8],
}

debug_struct!([] Entries<'_> { next, count });

impl<'a> Head<'a> {
    /// The key entries of the children, in order.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{KeyEntry, TreeDef};
    ///
    /// let def = TreeDef::from_bytes(&[0x22, 0x01])?; // (*, *)
    /// assert!(def.head().entries().eq([KeyEntry::Index(0), KeyEntry::Index(1)]));
    /// # Ok::<(), treedef::DecodeError>(())
    /// ```
    pub fn entries(&self) -> Entries<'a> {
        self.entries_from(0, self.names())
    }

    /// The key entries from child `next` on, whose keys are the last `rest` bytes of the head, as [`Entries::rest`]
    /// returned.
    pub(crate) fn entries_at(&self, next: u32, rest: u32) -> Entries<'a> {
        let bytes = self.as_bytes();
        let start = bytes.len().saturating_sub(rest as usize);
        self.entries_from(next, bytes.get(start..).unwrap_or(&[]))
    }

    /// The key entries from child `next` on, with these names.
    pub(super) const fn entries_from(&self, next: u32, names: &'a [u8]) -> Entries<'a> {
        let form = match (self.form(), names) {
            (Form::Child, []) => Form::Flat,
            (form, _) => form,
        };
        Entries { form, next, count: self.arity(), names }
    }

    /// The names of the children, as they are written; what follows them is not cut off.
    pub(crate) const fn names(&self) -> &'a [u8] {
        match self.form() {
            Form::Position | Form::Flat | Form::Some => &[],
            Form::Child => match skip_value(self.body()) {
                Some(keys) => keys,
                None => &[],
            },
            _ => self.body(),
        }
    }

    /// The index of the child whose name is `text`, if the names are strings. Compares bytes, without the check for UTF-8.
    pub(crate) fn position(&self, text: &str) -> Option<u32> {
        let mut names = self.names();
        (0..self.arity()).find(|_| match read_run(names) {
            Some((name, rest)) => {
                names = rest;
                equal(name, text.as_bytes())
            }
            None => false,
        })
    }
}

/// Reads the name of a child; `None` if children have no names.
#[inline]
fn read_name(form: Form, bytes: &[u8]) -> Option<(KeyEntry<'_>, &[u8])> {
    let mut input = Input::new(bytes);
    let entry = match form {
        Form::Str => KeyEntry::Key(Value::Str(input.text()?)),
        Form::Int => KeyEntry::Key(Value::Int(input.integer()?)),
        Form::Typed => KeyEntry::Key(Value::take(&mut input)?),
        Form::Field => KeyEntry::Attr(input.text()?),
        Form::Child => ChildKey::take(&mut input)?.into(),
        Form::Position | Form::Flat | Form::Some => return None,
    };
    Some((entry, input.rest))
}

impl<'a> Entries<'a> {
    /// No entries.
    pub(super) const NONE: Self = Self { form: Form::Position, next: 0, count: 0, names: &[] };

    /// The positions of `count` children.
    pub(crate) fn positions(count: usize) -> Self {
        Self { count: u32::try_from(count).unwrap_or(u32::MAX), ..Self::NONE }
    }

    /// The keys at the front of `names`, as values with their tags.
    pub(crate) fn of_keys(count: usize, names: &'a [u8]) -> Self {
        Self { form: Form::Typed, names, ..Self::positions(count) }
    }

    /// Whether the entries are positions. They can be billions, so they are not searched.
    pub(crate) const fn are_positions(&self) -> bool {
        matches!(self.form, Form::Position | Form::Flat)
    }

    /// The index of the child with this entry, of all children.
    pub(crate) fn index_of(self, entry: KeyEntry<'_>) -> Option<u32> {
        match (self.form, entry) {
            (Form::Position, KeyEntry::Index(index)) | (Form::Flat, KeyEntry::FlatIndex(index)) => {
                (index < self.count).then_some(index)
            }
            (Form::Position | Form::Flat, _) => None,
            _ => self.zip(0..u32::MAX).find(|(own, _)| *own == entry).map(|(_, index)| index),
        }
    }

    /// The index of the child whose entry is next.
    pub(crate) const fn index(&self) -> u32 {
        self.next
    }

    /// The number of bytes at the end of the head that hold the remaining names, for [`Head::entries_at`].
    pub(crate) fn rest(&self) -> u32 {
        u32::try_from(self.names.len()).unwrap_or(0)
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = KeyEntry<'a>;

    fn next(&mut self) -> Option<KeyEntry<'a>> {
        if self.next == self.count {
            return None;
        }
        let index = self.next;
        self.next = index.checked_add(1)?;
        Some(match self.form {
            Form::Position => KeyEntry::Index(index),
            Form::Flat => KeyEntry::FlatIndex(index),
            Form::Some => KeyEntry::Some,
            form => {
                let (entry, rest) = read_name(form, self.names)?;
                self.names = rest;
                entry
            }
        })
    }

    exact_size!(self => self.count.saturating_sub(self.next) as usize);

    /// Positions are skipped in one step, because a few bytes can have billions of children.
    fn nth(&mut self, n: usize) -> Option<KeyEntry<'a>> {
        if let Form::Position | Form::Flat | Form::Some = self.form {
            let n = u32::try_from(n).unwrap_or(u32::MAX);
            self.next = self.next.saturating_add(n).min(self.count);
            return self.next();
        }
        for _ in 0..n {
            self.next()?;
        }
        self.next()
    }
}

impl ExactSizeIterator for Entries<'_> {}

impl FusedIterator for Entries<'_> {}
