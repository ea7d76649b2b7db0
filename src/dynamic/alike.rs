//! Compares neighbouring objects, which often have the same structure: two of them are opened at once.
//!
//! ```text
//! alike({"x": 1, "y": 2}, {"x": 3, "y": 4})
//!   the second object is opened by a `Pair`: a dict with the entries "x", "y"
//!     the first object is opened by a `Beside` with these entries: a dict with the entries "x", "y"
//!       "x" is "x", and both children are leaves: 1 is seen
//!       "y" is "y", and both children are leaves: 2 is seen
//! ```

use core::iter::empty;

use crate::base::bytes::equal_short;
use crate::base::error::Error;
use crate::dynamic::object::{Object, Open};
use crate::format::head;
use crate::format::heading::{Entry, HeadSpec, Known};
use crate::format::value::Value;

/// Whether two objects are known to have the same structure, at most `levels` deep. Calls `seen` with what the first
/// contains, up to the first difference.
///
/// Entries of dictionaries are compared in the order in which the objects give them. Nodes other than dictionaries with
/// strings or integers as keys, tuples, lists, `None` and nodes with encoded heads count as different.
#[inline(never)]
pub(super) fn alike<O, S, F>(object: O, before: O, levels: u32, state: &mut S, seen: F) -> bool
where
    O: Object,
    F: Fn(&mut S, O, Option<O::Leaf>) + Copy,
{
    let Some(levels) = levels.checked_sub(1) else { return false };
    // After an error the objects are opened again, one by one.
    before.open(ByHead(Pair { object, levels, state, seen })).unwrap_or(false)
}

/// What is compared with the object before, and what sees it.
struct Pair<'s, O, S, F> {
    object: O,
    levels: u32,
    state: &'s mut S,
    seen: F,
}

/// Receives an object as a head and entries. The head of a dictionary is its number of keys. The keys of other nodes are
/// `None`.
struct ByHead<R>(R);

/// Receives a node.
trait Receive<O> {
    fn node<'k>(
        self,
        head: Known<'_>,
        entries: impl Iterator<Item = (Value<'k>, O)>,
    ) -> Result<bool, Error>;
}

impl<O: Object, R: Receive<O>> Open<O> for ByHead<R> {
    type Output = bool;

    #[inline]
    fn leaf(self, _: O::Leaf) -> Result<bool, Error> {
        Ok(false)
    }

    #[inline]
    fn none(self) -> Result<bool, Error> {
        self.0.node(Known::Counted(head::EXT, head::EXT_NONE.into()), empty())
    }

    #[inline]
    fn node<H: HeadSpec + Entry>(
        self,
        spec: &H,
        children: impl IntoIterator<Item = O>,
    ) -> Result<bool, Error> {
        match spec.__known() {
            Some(head) => self.0.node(head, children.into_iter().map(unnamed)),
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
        let head = Known::Counted(head::DICT, entries.len());
        self.0.node(head, entries.map(|(key, child)| (key.into(), child)))
    }

    #[inline]
    fn tuple<I>(self, children: I) -> Result<bool, Error>
    where
        I: IntoIterator<Item = O, IntoIter: ExactSizeIterator>,
    {
        let children = children.into_iter();
        self.0.node(Known::Counted(head::TUPLE, children.len()), children.map(unnamed))
    }

    #[inline]
    fn list<I>(self, children: I) -> Result<bool, Error>
    where
        I: IntoIterator<Item = O, IntoIter: ExactSizeIterator>,
    {
        let children = children.into_iter();
        self.0.node(Known::Counted(head::LIST, children.len()), children.map(unnamed))
    }
}

/// A child without a key.
fn unnamed<'k, O>(child: O) -> (Value<'k>, O) {
    (Value::None, child)
}

/// The object before: opens the other one beside its entries.
impl<O, S, F> Receive<O> for Pair<'_, O, S, F>
where
    O: Object,
    F: Fn(&mut S, O, Option<O::Leaf>) + Copy,
{
    #[inline(always)]
    fn node<'k>(
        self,
        head: Known<'_>,
        entries: impl Iterator<Item = (Value<'k>, O)>,
    ) -> Result<bool, Error> {
        self.object.open(ByHead(Beside { head, entries, pair: self }))
    }
}

/// The entries of the object before, beside which the other one is opened.
struct Beside<'s, 'h, O, S, F, I> {
    head: Known<'h>,
    entries: I,
    pair: Pair<'s, O, S, F>,
}

impl<'e, O, S, F, I> Receive<O> for Beside<'_, '_, O, S, F, I>
where
    O: Object,
    F: Fn(&mut S, O, Option<O::Leaf>) + Copy,
    I: Iterator<Item = (Value<'e>, O)>,
{
    #[inline(always)]
    fn node<'k>(
        mut self,
        head: Known<'_>,
        mut entries: impl Iterator<Item = (Value<'k>, O)>,
    ) -> Result<bool, Error> {
        let Pair { object, levels, state, seen } = self.pair;
        if !head.is(&self.head) {
            return Ok(false);
        }
        seen(state, object, None);
        loop {
            // A node with more or fewer children than its head has is refused where it is described.
            let Some((key, child)) = entries.next() else {
                return Ok(self.entries.next().is_none());
            };
            let Some((other, before)) = self.entries.next() else { return Ok(false) };
            let same = match (key, other) {
                (Value::Str(key), Value::Str(other)) => {
                    equal_short(key.as_bytes(), other.as_bytes())
                }
                (Value::Int(key), Value::Int(other)) => key == other,
                (Value::None, Value::None) => true,
                _ => false,
            };
            if !same {
                return Ok(false);
            }
            match (child.as_leaf(), before.as_leaf()) {
                (Some(leaf), Some(_)) => seen(state, child, Some(leaf)),
                (None, None) if alike(child, before, levels, state, seen) => {}
                _ => return Ok(false),
            }
        }
    }
}
