//! Lists the key entries of a node: the steps to its children.

use core::iter::FusedIterator;

use crate::base::show::{debug_enum, debug_struct};
use crate::format::head::{ChildKey, ChildKeys, Head, Keys, Kind};
use crate::format::keys::Form;
use crate::format::value::Value;

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

debug_enum!(KeyEntry<'_> { Index(index), Key(key), Attr(name), FlatIndex(index), Raw(text), Some });

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
    names: Names<'a>,
    next: u32,
    count: u32,
}

debug_struct!([] Entries<'_> { next, count });

#[derive(Clone, Debug)]
enum Names<'a> {
    Index,
    Flat,
    Some,
    Keys(Keys<'a>),
    Fields(Keys<'a>),
    Child(ChildKeys<'a>),
}

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
        let names = match self.kind() {
            Kind::Dict | Kind::OrderedDict | Kind::DefaultDict => Names::Keys(self.keys()),
            Kind::NamedTuple | Kind::Struct => Names::Fields(self.names()),
            Kind::Custom => self.child_keys().map_or(Names::Flat, Names::Child),
            Kind::Some => Names::Some,
            _ => Names::Index,
        };
        Entries { names, next: 0, count: self.arity() }
    }

    /// The key entries from child `next` on, whose keys are the last `rest` bytes of the head, as [`Entries::rest`]
    /// returned.
    pub(crate) fn entries_at(&self, next: u32, rest: u32) -> Entries<'a> {
        let bytes = self.as_bytes();
        let start = bytes.len().saturating_sub(rest as usize);
        let bytes = bytes.get(start..).unwrap_or(&[]);
        let left = self.arity().saturating_sub(next);
        let names = match (self.kind(), self.form()) {
            (_, Some(form)) => Names::Keys(Keys::resume(form, left, bytes)),
            (Kind::NamedTuple | Kind::Struct, _) => {
                Names::Fields(Keys::resume(Form::Str, left, bytes))
            }
            (Kind::Custom, _) if rest > 0 => Names::Child(ChildKeys::resume(left, bytes)),
            (Kind::Custom, _) => Names::Flat,
            (Kind::Some, _) => Names::Some,
            _ => Names::Index,
        };
        Entries { names, next, count: self.arity() }
    }
}

impl Entries<'_> {
    /// The index of the child whose entry is next.
    pub(crate) const fn index(&self) -> u32 {
        self.next
    }

    /// Steps over the next entry of both, if the two are found equal without decoding them.
    pub(crate) fn take_same(&mut self, other: &mut Entries<'_>) -> bool {
        let same = match (&mut self.names, &mut other.names) {
            (Names::Keys(own), Names::Keys(others))
            | (Names::Fields(own), Names::Fields(others)) => own.take_same(others),
            _ => false,
        };
        if same {
            self.next = self.next.saturating_add(1);
            other.next = other.next.saturating_add(1);
        }
        same
    }

    /// The number of bytes at the end of the head that hold the remaining keys, for [`Head::entries_at`].
    pub(crate) fn rest(&self) -> u32 {
        let rest = match &self.names {
            Names::Keys(keys) | Names::Fields(keys) => keys.rest(),
            Names::Child(keys) => keys.rest(),
            Names::Index | Names::Flat | Names::Some => &[],
        };
        u32::try_from(rest.len()).unwrap_or(0)
    }
}

impl Entries<'_> {
    /// The positions of `count` children.
    pub(crate) fn positions(count: usize) -> Self {
        Self { names: Names::Index, next: 0, count: u32::try_from(count).unwrap_or(u32::MAX) }
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
        Some(match &mut self.names {
            Names::Index => KeyEntry::Index(index),
            Names::Flat => KeyEntry::FlatIndex(index),
            Names::Some => KeyEntry::Some,
            Names::Keys(keys) => KeyEntry::Key(keys.next()?),
            Names::Fields(names) => match names.next()? {
                Value::Str(name) => KeyEntry::Attr(name),
                other => KeyEntry::Key(other),
            },
            Names::Child(keys) => keys.next()?.into(),
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.count.saturating_sub(self.next) as usize;
        (left, Some(left))
    }

    /// Positions are skipped in one step, because a few bytes can have billions of children.
    fn nth(&mut self, n: usize) -> Option<KeyEntry<'a>> {
        if let Names::Index | Names::Flat | Names::Some = self.names {
            let n = u32::try_from(n).unwrap_or(u32::MAX);
            self.next = self.next.saturating_add(n).min(self.count);
            return self.next();
        }
        for _ in 0..n {
            self.next()?;
        }
        self.next()
    }

    fn count(self) -> usize {
        self.len()
    }

    fn last(mut self) -> Option<KeyEntry<'a>> {
        self.nth(self.len().checked_sub(1)?)
    }
}

impl ExactSizeIterator for Entries<'_> {}

impl FusedIterator for Entries<'_> {}
