//! Compares neighbouring objects, which often have the same structure: two of them are opened at once.

use core::iter::empty;

use crate::base::bytes::equal_words;
use crate::base::error::Error;
use crate::dynamic::object::{Object, Open};
use crate::format::head;
use crate::format::heading::{Entry, HeadSpec, KnownHead};
use crate::format::value::Value;

/// Compares the structures of two objects, at most `levels` deep, and returns whether they are equal. Calls `seen` with the leaves
/// of the first, and with `None` for each other node, up to the first difference.
///
/// Entries of dictionaries are compared in the order in which the objects give them. Nodes other than dictionaries with
/// strings or integers as keys, tuples, lists, `None` and nodes with encoded heads count as different.
#[inline]
pub(super) fn alike<O, F>(object: O, before: O, levels: u32, seen: &mut F) -> bool
where
    O: Object,
    F: FnMut(O, Option<O::Leaf>),
{
    match object.is_like(before, seen) {
        Some(is_like) => is_like,
        None => open_both(object, before, levels, seen),
    }
}

/// As [`alike`], for objects that have to be opened.
#[inline(never)]
fn open_both<O, F>(object: O, before: O, levels: u32, seen: &mut F) -> bool
where
    O: Object,
    F: FnMut(O, Option<O::Leaf>),
{
    let Some(levels) = levels.checked_sub(1) else { return false };
    // After an error the objects are opened again, one by one.
    before.open(Pair { object, levels, seen }).unwrap_or(false)
}

/// An object that is compared with the one before it.
struct Pair<'s, O, F> {
    object: O,
    levels: u32,
    seen: &'s mut F,
}

/// Whether two keys are equal. Keys other than strings, integers and `None` count as different.
#[inline(always)]
fn same_key(key: Value<'_>, other: Value<'_>) -> bool {
    match (key, other) {
        (Value::Str(key), Value::Str(other)) => equal_words(key.as_bytes(), other.as_bytes()),
        (Value::Int(key), Value::Int(other)) => key == other,
        (Value::None, Value::None) => true,
        _ => false,
    }
}

/// Receives a node as a head and entries, which it passes to the method `entries` of `$receiver`, and returns `false` for a leaf.
/// The head of a dictionary is its number of keys. The keys of other nodes are `None`.
macro_rules! by_head {
    ([$($generics:tt)*] $receiver:ty where $($bounds:tt)*) => {
        impl<$($generics)*> Open<O> for $receiver
        where
            O: Object,
            F: FnMut(O, Option<O::Leaf>),
            $($bounds)*
        {
            type Output = bool;

            #[inline]
            fn leaf(self, _: O::Leaf) -> Result<bool, Error> {
                Ok(false)
            }

            #[inline]
            fn none(self) -> Result<bool, Error> {
                self.entries(KnownHead::Counted(head::EXT, head::EXT_NONE.into()), empty())
            }

            #[inline]
            fn node<H: HeadSpec + Entry>(
                self,
                spec: &H,
                children: impl IntoIterator<Item = O>,
            ) -> Result<bool, Error> {
                match spec.known_head() {
                    Some(head) => self.entries(head, children.into_iter().map(unnamed)),
                    None => Ok(false),
                }
            }

            #[inline]
            fn dict<'k, K, I>(self, entries: I) -> Result<bool, Error>
            where
                K: Into<Value<'k>> + 'k,
                I: IntoIterator<Item = (K, O), IntoIter: ExactSizeIterator + Clone>,
            {
                let entries = entries.into_iter();
                let head = KnownHead::Counted(head::DICT, entries.len());
                self.entries(head, entries.map(|(key, child)| (key.into(), child)))
            }
        }
    };
}
by_head!([O, F] Pair<'_, O, F> where);
by_head!(['e, O, F, E] Beside<'_, '_, O, F, E> where E: Iterator<Item = (Value<'e>, O)>);

/// A child without a key.
const fn unnamed<'k, O>(child: O) -> (Value<'k>, O) {
    (Value::None, child)
}

/// The object before: opens the other one beside its entries.
impl<O, F> Pair<'_, O, F>
where
    O: Object,
    F: FnMut(O, Option<O::Leaf>),
{
    #[inline(always)]
    fn entries<'k>(
        self,
        head: KnownHead<'_>,
        entries: impl Iterator<Item = (Value<'k>, O)>,
    ) -> Result<bool, Error> {
        self.object.open(Beside { head, entries, pair: self })
    }
}

/// The entries of the object before, beside which the other one is opened.
struct Beside<'s, 'h, O, F, I> {
    head: KnownHead<'h>,
    entries: I,
    pair: Pair<'s, O, F>,
}

impl<'e, O, F, I> Beside<'_, '_, O, F, I>
where
    O: Object,
    F: FnMut(O, Option<O::Leaf>),
    I: Iterator<Item = (Value<'e>, O)>,
{
    #[inline(always)]
    fn entries<'k>(
        mut self,
        head: KnownHead<'_>,
        entries: impl Iterator<Item = (Value<'k>, O)>,
    ) -> Result<bool, Error> {
        let Pair { object, levels, seen } = self.pair;
        if !head.is(&self.head) {
            return Ok(false);
        }
        seen(object, None);
        for (key, child) in entries {
            let Some((other, before)) = self.entries.next() else { return Ok(false) };
            if !same_key(key, other) {
                return Ok(false);
            }
            match (child.as_leaf(), before.as_leaf()) {
                (Some(leaf), Some(_)) => seen(child, Some(leaf)),
                (None, None) if alike(child, before, levels, seen) => {}
                _ => return Ok(false),
            }
        }
        // A node with more or fewer children than its head has is refused where it is described.
        Ok(self.entries.next().is_none())
    }
}
