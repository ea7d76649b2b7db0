//! Errors as sentences that name places, keys and both sides.

use core::fmt::{self, Write};

use super::contrast::contrast;
use super::keystr::entry;
use super::repr::repr;
use crate::children::skip;
use crate::entry::KeyEntry;
use crate::error::{DecodeError, DecodeErrorKind, Error};
use crate::head::{Head, Item, LEAF_BYTES, read_item};
use crate::python;
use crate::show::{Shown, debug_struct};
use crate::treedef::TreeDef;
use crate::value::Value;

/// An error with the treedefs that it is about, from [`Error::explain`] and [`Error::explain_at`].
#[derive(Clone, Copy)]
pub struct Explanation<'a> {
    error: Error,
    expected: TreeDef<'a>,
    /// `None` where only the error says where the other side differs.
    found: Option<TreeDef<'a>>,
}

debug_struct!([] Explanation<'_> { error, expected, found });

/// An error with the keys that it is about, from [`Error::explain_keys`].
#[derive(Clone, Copy)]
pub struct KeysExplanation<'a> {
    error: Error,
    pair: Option<KeyPair<'a>>,
}

debug_struct!([] KeysExplanation<'_> { error, pair });

/// A decoding error with the bytes that it is about, from [`DecodeError::explain`].
#[derive(Clone, Copy)]
pub struct DecodeExplanation<'a> {
    error: DecodeError,
    bytes: &'a [u8],
}

debug_struct!([] DecodeExplanation<'_> { error });

impl Error {
    /// The error as a sentence with the key path and both sides, made from the treedefs when it is written.
    ///
    /// A [`Mismatch`](Error::Mismatch) names the first place in preorder where the treedefs differ, a
    /// [`WrongLeaf`](Error::WrongLeaf) the key path of the leaf, an [`Overlap`](Error::Overlap), a
    /// [`UserDefinedNode`](Error::UserDefinedNode) and [`KeysNotStrings`](Error::KeysNotStrings) that of the node; every other
    /// error writes itself. Needs no memory in
    /// proportion to the depth; where siblings follow, the way down scans each node once more.
    ///
    /// # Examples
    ///
    /// ```
    /// use core::fmt::Write;
    /// use treedef::{Error, TreeDef};
    ///
    /// let expected = TreeDef::from_bytes(&[0x42, 0x00, 0x61, 2, 1, b'a', 0x22, 0x01])?; // [*, {'a': (*, *)}]
    /// let found = TreeDef::from_bytes(&[0x42, 0x00, 0x61, 2, 1, b'a', 0x43, 0x02])?; // [*, {'a': [*, *, *]}]
    /// let mut text = heapless::String::<64>::new();
    /// write!(text, "{}", Error::Mismatch { node: 3 }.explain(&expected, &found))?;
    /// assert_eq!(text, "at [1]['a']: expected a tuple of 2, found a list of 3");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub const fn explain<'a>(
        &self,
        expected: &TreeDef<'a>,
        found: &TreeDef<'a>,
    ) -> Explanation<'a> {
        Explanation { error: *self, expected: *expected, found: Some(*found) }
    }

    /// The error as a sentence with the key path of the node or leaf that it names, for where the other structure is
    /// no treedef: of the `def` that a tree was rebuilt from or matched with, of the prefix of
    /// [`zip_prefix`](crate::zip_prefix).
    ///
    /// An error that names neither, or one that `def` lacks, writes itself.
    ///
    /// # Examples
    ///
    /// ```
    /// use core::fmt::Write;
    /// use treedef::{TreeDef, unflatten};
    ///
    /// let def = TreeDef::from_bytes(&[0x22, 0x00, 0x43, 0x02])?; // (*, [*, *, *])
    /// let mut text = heapless::String::<64>::new();
    /// for error in unflatten::<f32, (f32, [f32; 2])>(def, &[0.0; 4]).err() {
    ///     write!(text, "{}", error.explain_at(&def))?;
    /// }
    /// assert_eq!(text, "structure differs at [1]");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub const fn explain_at<'a>(&self, def: &TreeDef<'a>) -> Explanation<'a> {
        Explanation { error: *self, expected: *def, found: None }
    }

    /// The error with the keys of the dictionary that was refused: `1 and 'a' cannot be ordered`.
    ///
    /// Takes the keys in the order in which the dictionary got them; an error about no keys writes itself.
    ///
    /// # Examples
    ///
    /// ```
    /// use core::fmt::Write;
    /// use treedef::{Builder, DictKind, DictOf, Value};
    ///
    /// let keys = [Value::Int(1), Value::Str("a")];
    /// let mut bytes = [0; 32];
    /// let refused = Builder::new(&mut bytes).begin(&DictOf::new(DictKind::Sorted, keys));
    /// let mut text = heapless::String::<64>::new();
    /// for error in refused.err() {
    ///     write!(text, "{}", error.explain_keys(keys))?;
    /// }
    /// assert_eq!(text, "keys 1 and 'a' cannot be ordered");
    /// # Ok::<(), core::fmt::Error>(())
    /// ```
    pub fn explain_keys<'a, V>(&self, keys: impl IntoIterator<Item = V>) -> KeysExplanation<'a>
    where
        V: Into<Value<'a>>,
    {
        let (first, second, what) = match *self {
            Error::Unordered { first, second } => (first, second, UNORDERED),
            Error::DuplicateKey { first, second } => (first, second, DUPLICATE),
            Error::UnsortedKeys { first, second } => (first, second, UNSORTED),
            _ => return KeysExplanation { error: *self, pair: None },
        };
        let pair = KeyPair::of(keys.into_iter().map(Into::into), first, second, what);
        KeysExplanation { error: *self, pair }
    }
}

impl DecodeError {
    /// The error as a sentence that names both keys where keys are refused; every other error writes itself.
    ///
    /// `bytes` are those that were refused.
    ///
    /// # Examples
    ///
    /// ```
    /// use core::fmt::Write;
    /// use treedef::TreeDef;
    ///
    /// let bytes = [0x62, 4, 1, b'b', 1, b'a', 0x01]; // {'b': *, 'a': *}
    /// let mut text = heapless::String::<64>::new();
    /// for error in TreeDef::from_bytes(&bytes).err() {
    ///     write!(text, "{}", error.explain(&bytes))?;
    /// }
    /// assert_eq!(text, "keys 'b' and 'a' are not in sorted order at byte 4");
    /// # Ok::<(), core::fmt::Error>(())
    /// ```
    pub const fn explain<'a>(&self, bytes: &'a [u8]) -> DecodeExplanation<'a> {
        DecodeExplanation { error: *self, bytes }
    }
}

const UNORDERED: &str = " cannot be ordered";
const DUPLICATE: &str = " are equal";
const UNSORTED: &str = " are not in sorted order";

/// Two keys of one dictionary and what is wrong with them.
#[derive(Clone, Copy)]
struct KeyPair<'a> {
    first: Value<'a>,
    second: Value<'a>,
    what: &'static str,
}

debug_struct!([] KeyPair<'_> { first, second });

impl<'a> KeyPair<'a> {
    /// Picks the keys with these indices.
    fn of(
        mut keys: impl Iterator<Item = Value<'a>>,
        first: u32,
        second: u32,
        what: &'static str,
    ) -> Option<Self> {
        let between = second.checked_sub(first)?.checked_sub(1)?;
        let first = keys.nth(first as usize)?;
        Some(Self { first, second: keys.nth(between as usize)?, what })
    }
}

impl fmt::Display for KeyPair<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("keys ")?;
        repr(f, self.first)?;
        f.write_str(" and ")?;
        repr(f, self.second)?;
        f.write_str(self.what)
    }
}

impl fmt::Display for KeysExplanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pair {
            Some(pair) => pair.fmt(f),
            None => self.error.fmt(f),
        }
    }
}

impl fmt::Display for DecodeExplanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, second, what) = match self.error.kind() {
            DecodeErrorKind::Unordered { first, second } => (first, second, UNORDERED),
            DecodeErrorKind::DuplicateKey { first, second } => (first, second, DUPLICATE),
            DecodeErrorKind::KeyOrder { first, second } => (first, second, UNSORTED),
            _ => return self.error.fmt(f),
        };
        let at = self.error.offset();
        let Some(head) = head_around(self.bytes, at) else { return self.error.fmt(f) };
        let Some(pair) = KeyPair::of(head.keys(), first, second, what) else {
            return self.error.fmt(f);
        };
        pair.fmt(f)?;
        f.write_str(" at byte ")?;
        python::integer(f, i64::try_from(at).unwrap_or(i64::MAX))
    }
}

/// The head whose block holds the byte at `at`.
fn head_around(bytes: &[u8], at: usize) -> Option<Head<'_>> {
    let mut rest = bytes;
    loop {
        let (item, after) = read_item(rest).ok()?;
        if let Item::Node(head) = item
            && bytes.len().saturating_sub(after.len()) > at
        {
            return Some(head);
        }
        rest = after;
    }
}

impl fmt::Display for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.error, self.found) {
            (Error::Mismatch { .. }, Some(found)) if self.expected != found => {
                difference(f, self.expected.as_bytes(), found.as_bytes())
            }
            (Error::Mismatch { node }, None) => match self.expected.node_path(node as usize) {
                Some(path) if path.entries().any(|entry| entry != KeyEntry::Some) => {
                    write!(f, "structure differs at {path}")
                }
                Some(_) => f.write_str("structure differs at the root"),
                None => self.error.fmt(f),
            },
            (Error::UserDefinedNode { node }, _) => {
                f.write_str("JAX's format does not hold the user-defined node at ")?;
                place(f, self.expected, node)
            }
            (Error::KeysNotStrings { node }, _) => {
                f.write_str("JAX's format holds string keys only, others are at ")?;
                place(f, self.expected, node)
            }
            (Error::Overlap { node }, _) => match self.expected.node_path(node as usize) {
                Some(path) if path.entries().any(|entry| entry != KeyEntry::Some) => {
                    write!(f, "{path} is given twice, by itself or with a node around it")
                }
                Some(_) => f.write_str("the root is given twice"),
                None => self.error.fmt(f),
            },
            (Error::WrongLeaf { leaf }, _) => match self.expected.path(leaf as usize) {
                Some(path) if path.entries().any(|entry| entry != KeyEntry::Some) => {
                    let leaf = Shown(leaf);
                    write!(f, "leaf {leaf} at {} is of another type than its place", path.keystr())
                }
                _ => self.error.fmt(f),
            },
            _ => self.error.fmt(f),
        }
    }
}

/// Writes the key path of a node, or its number where the treedef lacks it.
fn place(f: &mut fmt::Formatter<'_>, def: TreeDef<'_>, node: u32) -> fmt::Result {
    match def.node_path(node as usize) {
        Some(path) if path.entries().any(|entry| entry != KeyEntry::Some) => write!(f, "{path}"),
        Some(_) => f.write_str("the root"),
        None => write!(f, "node {}", Shown(node)),
    }
}

/// Writes where two treedefs differ first, and how.
fn difference<'a>(f: &mut dyn Write, mut expected: &'a [u8], mut found: &'a [u8]) -> fmt::Result {
    f.write_str("at ")?;
    let mut root = true;
    while let Some(down) = descend(expected, found) {
        if down.entry != KeyEntry::Some {
            entry(f, down.entry)?;
            root = false;
        }
        (expected, found) = (down.expected, down.found);
    }
    f.write_str(if root { "the root: " } else { ": " })?;
    contrast(f, &head_of(expected), &head_of(found))
}

/// One step down towards the first difference.
struct Down<'a> {
    entry: KeyEntry<'a>,
    expected: &'a [u8],
    found: &'a [u8],
}

/// The first child in which the two nodes at the front differ; `None` if their heads do.
fn descend<'a>(expected: &'a [u8], found: &'a [u8]) -> Option<Down<'a>> {
    let head = head_of(expected);
    if head != head_of(found) {
        return None;
    }
    let (mut ours, mut theirs) = (Runs::of(expected)?, Runs::of(found)?);
    let (mut one, mut other) = (ours.next()?, theirs.next()?);
    let mut index = 0;
    // A difference is known to be below, so the last child needs no comparison, nor that its end is sought.
    while index < head.arity().saturating_sub(1) && one.unit == other.unit {
        let count = one.count.min(other.count);
        index = count.saturating_add(index);
        one.count = one.count.saturating_sub(count);
        other.count = other.count.saturating_sub(count);
        if one.count == 0 {
            one = ours.next()?;
        }
        if other.count == 0 {
            other = theirs.next()?;
        }
    }
    let entry = head.entries().nth(index as usize)?;
    Some(Down { entry, expected: one.unit, found: other.unit })
}

fn head_of(bytes: &[u8]) -> Head<'_> {
    match read_item(bytes) {
        Ok((Item::Node(head), _)) => head,
        _ => Head::LEAF,
    }
}

/// Adjacent equal children.
struct Run<'a> {
    /// The bytes of one; those of the last child of all go on to the end of the treedef.
    unit: &'a [u8],
    count: u32,
}

/// The children of a node in runs.
struct Runs<'a> {
    rest: &'a [u8],
    left: u32,
}

impl<'a> Runs<'a> {
    fn of(bytes: &'a [u8]) -> Option<Self> {
        match read_item(bytes).ok()? {
            (Item::Node(head), rest) => Some(Self { rest, left: head.arity() }),
            _ => None,
        }
    }
}

impl<'a> Iterator for Runs<'a> {
    type Item = Run<'a>;

    fn next(&mut self) -> Option<Run<'a>> {
        let run = match read_item(self.rest).ok()? {
            (Item::Leaves(count), rest) => {
                self.rest = rest;
                Run { unit: LEAF_BYTES, count }
            }
            _ if self.left == 1 => Run { unit: self.rest, count: 1 },
            _ => {
                let mut rest = skip(self.rest)?.rest;
                let unit = self.rest.get(..self.rest.len().checked_sub(rest.len())?)?;
                let mut count = 1;
                if let Ok((Item::Same { copies, .. }, after)) = read_item(rest) {
                    (rest, count) = (after, copies.checked_add(1)?);
                }
                self.rest = rest;
                Run { unit, count }
            }
        };
        self.left = self.left.checked_sub(run.count)?;
        Some(run)
    }
}
