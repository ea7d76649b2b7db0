//! Writes errors as sentences with paths, keys and both sides.

use core::cmp::Ordering;
use core::fmt::{self, Display};

use super::sentences::{Place, contrast};
use crate::base::decode_error::{DecodeError, DecodeErrorKind};
use crate::base::error::Error;
use crate::base::show::{children, debug_struct};
use crate::encode::structure::Structure;
#[cfg(feature = "alloc")]
use crate::encode::treedef_box::structure;
use crate::encode::treedef_buf::TreeDefBuf;
use crate::format::head::{Head, Item, Kind, read_item};
use crate::format::value::Value;
use crate::treedef::difference::Difference;
use crate::treedef::treedef::TreeDef;

/// An error and its treedefs, as a sentence; from [`Error::explain`] and [`Error::explain_at`].
///
/// It is a text, without `defmt::Format`: log it with `defmt::Display2Format`.
///
/// # Examples
///
/// ```
/// use treedef::{matches, treedef};
///
/// let expected = treedef!((*, None));
/// let error = matches(&(1.0f32, Some(2.0f32)), expected).unwrap_err();
/// assert_eq!(error.explain_at(expected).to_string(), "structure differs at [1]");
/// ```
#[derive(Clone, Copy)]
#[must_use = "does nothing until it is printed"]
pub struct Explanation<'a> {
    error: Error,
    expected: TreeDef<'a>,
    /// `None` if there is no other treedef: then only the error has the place of the difference.
    found: Option<TreeDef<'a>>,
}

debug_struct!([] Explanation<'_> { error, expected, found });

/// An error and its two keys, as a sentence; from [`Error::explain_keys`].
///
/// # Examples
///
/// ```
/// use treedef::head::{Dict, DictKind, head_into};
///
/// let keys = ["y", "x"];
/// let error = head_into(&Dict::new(DictKind::Sorted, keys), &mut [0; 8]).unwrap_err();
/// assert_eq!(error.explain_keys(keys).to_string(), "keys 'y' and 'x' are not in sorted order");
/// ```
#[derive(Clone, Copy)]
#[must_use = "does nothing until it is printed"]
pub struct KeysExplanation<'a> {
    error: Error,
    pub(crate) pair: Option<KeyPair<'a>>,
}

debug_struct!([] KeysExplanation<'_> { error, pair });

/// The structure of a tree that is explained, without a heap.
type Small = TreeDefBuf<1024>;

/// An error and its two trees, as a sentence.
struct TreesExplanation<'t, A: ?Sized, B: ?Sized> {
    error: Error,
    expected: &'t A,
    found: &'t B,
}

/// A decoding error and its bytes, as a sentence; from [`DecodeError::explain`]. It is logged as an [`Explanation`].
///
/// # Examples
///
/// ```
/// use treedef::TreeDef;
///
/// let bytes = [0x42, 0x00, 0x22, 0x00]; // [*, (*, and the rest is lost
/// let error = TreeDef::from_bytes(&bytes).unwrap_err();
/// assert_eq!(error.explain(&bytes).to_string(), "bytes end before the node at byte 4 is complete");
/// ```
#[derive(Clone, Copy)]
#[must_use = "does nothing until it is printed"]
pub struct DecodeExplanation<'a> {
    error: DecodeError,
    bytes: &'a [u8],
}

debug_struct!([] DecodeExplanation<'_> { error });

impl Error {
    /// Explains the error in a sentence with the key path and both sides.
    ///
    /// `expected` and `found` are the two treedefs of the operation; for [`TreesDiffer`](Error::TreesDiffer) they are
    /// the treedefs of the first tree and of the tree that differs. The sentence depends on the error:
    ///
    /// [`Mismatch`](Error::Mismatch), [`TreesDiffer`](Error::TreesDiffer), [`NotPrefix`](Error::NotPrefix) and
    /// [`NoCommonSuffix`](Error::NoCommonSuffix) show the first [`Difference`](crate::diff::Difference) of the two.
    /// [`WrongLeaf`](Error::WrongLeaf) shows the key path of the leaf, [`Capacity`](Error::Capacity) and
    /// [`Overlap`](Error::Overlap) the key path of the node. Other errors print as by their `Display`. So do the first four if
    /// the treedefs have no such difference, if the first difference is at another node, as with other treedefs, or if more than
    /// [`MAX_PENDING`](crate::format::MAX_PENDING) levels are pending before it.
    ///
    /// The text is made when it is displayed. It costs as much as [`TreeDef::differences`], with 6 kB of stack.
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
    /// write!(text, "{}", Error::Mismatch { node: 3 }.explain(expected, found))?;
    /// assert_eq!(text, "at [1]['a']: expected a tuple of 2, found a list of 3");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn explain<'a>(
        &self,
        expected: impl Into<TreeDef<'a>>,
        found: impl Into<TreeDef<'a>>,
    ) -> Explanation<'a> {
        Explanation { error: *self, expected: expected.into(), found: Some(found.into()) }
    }

    /// Explains an error about two trees as [`Error::explain`] does, from the trees themselves.
    ///
    /// `expected` is the first tree of [`over`](crate::over()) and `found` the tree that differs; for
    /// [`NotPrefix`](Error::NotPrefix) they are the prefix and the first tree. Either can also be a [`TreeDef`], which is a tree
    /// too, such as the treedef of a checkpoint for an error of [`matches`](crate::matches()).
    ///
    /// The text is made when it is displayed, which writes both structures, to 1 kB of stack each. If one has more bytes, both are
    /// written to the heap with the feature `alloc`; without it, the error prints as by its `Display`.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::over;
    ///
    /// let (params, gradient) = ((1.0f32, Some(2.0f32)), (0.5f32, None));
    /// let error = over((&params, &gradient)).for_each(|(_, _)| ()).unwrap_err();
    /// let text = error.explain_trees(&params, &gradient).to_string();
    /// assert_eq!(text, "at [1]: expected a leaf, found None");
    /// ```
    pub fn explain_trees<'t>(
        self,
        expected: &'t (impl Structure + ?Sized),
        found: &'t (impl Structure + ?Sized),
    ) -> impl Display {
        TreesExplanation { error: self, expected, found }
    }

    /// Explains the error in a sentence with the key path of its node or leaf. Use it if there is no treedef of the
    /// other side.
    ///
    /// `def` is the treedef that a tree was rebuilt from or matched with, the treedef of the first tree of a
    /// [`over`](crate::over()), or the prefix in [`Over::under`](crate::tree::Over::under).
    ///
    /// An error without a node or leaf, or with one that is not in `def`, prints as by its `Display`.
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
    ///     write!(text, "{}", error.explain_at(def))?;
    /// }
    /// assert_eq!(text, "structure differs at [1]");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn explain_at<'a>(&self, def: impl Into<TreeDef<'a>>) -> Explanation<'a> {
        Explanation { error: *self, expected: def.into(), found: None }
    }

    /// Explains the error with the keys of the dictionary that was refused: `keys 1 and 'a' cannot be ordered`.
    ///
    /// `keys` are all keys of the dictionary, in the order in which they were given. Other errors print as by their
    /// `Display`.
    ///
    /// # Examples
    ///
    /// ```
    /// use core::fmt::Write;
    /// use treedef::head::DictKind;
    /// use treedef::{Value, Writer, head};
    ///
    /// let keys = [Value::Int(1), Value::Str("a")];
    /// let mut bytes = [0; 32];
    /// let mut out = Writer::new(&mut bytes);
    /// out.node(&head::Dict::new(DictKind::Sorted, keys), |out| out.leaves(2));
    /// let error = out.finish().unwrap_err();
    /// let mut text = heapless::String::<64>::new();
    /// write!(text, "{}", error.explain_keys(keys))?;
    /// assert_eq!(text, "keys 1 and 'a' cannot be ordered");
    /// # Ok::<(), core::fmt::Error>(())
    /// ```
    pub fn explain_keys<'a, V>(&self, keys: impl IntoIterator<Item = V>) -> KeysExplanation<'a>
    where
        V: Into<Value<'a>>,
    {
        let (first, second, order) = match *self {
            Error::Unordered { first, second } => (first, second, None),
            Error::DuplicateKey { first, second } => (first, second, Some(Ordering::Equal)),
            Error::UnsortedKeys { first, second } => (first, second, Some(Ordering::Greater)),
            _ => return KeysExplanation { error: *self, pair: None },
        };
        let pair = KeyPair::of(keys.into_iter().map(Into::into), first, second, order);
        KeysExplanation { error: *self, pair }
    }
}

impl DecodeError {
    /// Explains the error in a sentence with both keys, if keys are refused. Other errors print as by their `Display`.
    ///
    /// `bytes` are the bytes that were refused.
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

/// Two keys of one dictionary, and the order that was refused.
#[derive(Clone, Copy)]
pub(crate) struct KeyPair<'a> {
    pub(crate) first: Value<'a>,
    pub(crate) second: Value<'a>,
    pub(crate) order: Option<Ordering>,
}

debug_struct!([] KeyPair<'_> { first, second });

impl<'a> KeyPair<'a> {
    /// Takes the keys with these indices.
    fn of(
        mut keys: impl Iterator<Item = Value<'a>>,
        first: u32,
        second: u32,
        order: Option<Ordering>,
    ) -> Option<Self> {
        let between = second.checked_sub(first)?.checked_sub(1)?;
        let first = keys.nth(first as usize)?;
        Some(Self { first, second: keys.nth(between as usize)?, order })
    }
}

impl Display for KeyPair<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.order {
            None => "cannot be ordered",
            Some(Ordering::Equal) => "are equal",
            Some(_) => "are not in sorted order",
        };
        write!(f, "keys {} and {} {what}", self.first, self.second)
    }
}

impl Display for KeysExplanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pair {
            Some(pair) => pair.fmt(f),
            None => self.error.fmt(f),
        }
    }
}

impl Display for DecodeExplanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pair() {
            Some(pair) => write!(f, "{pair} at byte {}", self.error.offset()),
            None => self.error.fmt(f),
        }
    }
}

impl<'a> DecodeExplanation<'a> {
    /// The keys that were refused.
    fn pair(&self) -> Option<KeyPair<'a>> {
        let (first, second, order) = match self.error.kind() {
            DecodeErrorKind::Unordered { first, second } => (first, second, None),
            DecodeErrorKind::DuplicateKey { first, second } => {
                (first, second, Some(Ordering::Equal))
            }
            DecodeErrorKind::KeyOrder { first, second } => (first, second, Some(Ordering::Greater)),
            _ => return None,
        };
        let head = head_around(self.bytes, self.error.offset())?;
        KeyPair::of(head.keys(), first, second, order)
    }
}

/// Finds the head whose block contains the byte at `at`.
fn head_around(bytes: &[u8], at: usize) -> Option<Head<'_>> {
    let mut rest = bytes;
    loop {
        let (item, after) = read_item(rest)?;
        if let Item::Node(head) = item
            && bytes.len().saturating_sub(after.len()) > at
        {
            return Some(head);
        }
        rest = after;
    }
}

impl<A: Structure + ?Sized, B: Structure + ?Sized> Display for TreesExplanation<'_, A, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { error, expected, found } = self;
        if let (Ok(expected), Ok(found)) = (Small::structure(*expected), Small::structure(*found)) {
            return error.explain(&expected, &found).fmt(f);
        }
        #[cfg(feature = "alloc")]
        if let (Ok(expected), Ok(found)) = (structure(*expected), structure(*found)) {
            return error.explain(&expected, &found).fmt(f);
        }
        error.fmt(f)
    }
}

impl Display for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((difference, node)) = self.first() else {
            return self.place(f).unwrap_or_else(|| self.error.fmt(f));
        };
        if difference.path().found().is_some_and(|found| found.node() == node as usize) {
            return difference.fmt(f);
        }
        self.below_types_of_one_prefix(&difference, f).unwrap_or_else(|| self.error.fmt(f))
    }
}

impl<'a> Explanation<'a> {
    /// Writes the difference at the node of a prefix, if the first difference is that of two structs elsewhere: a struct that
    /// [`prefix!`](crate::prefix) makes a prefix of another struct has another name.
    fn below_types_of_one_prefix(
        &self,
        first: &Difference<'_>,
        f: &mut fmt::Formatter<'_>,
    ) -> Option<fmt::Result> {
        let (one, other) = first.heads();
        let Error::NotPrefix { node, .. } = self.error else { return None };
        if (one.kind(), other.kind()) != (Kind::Struct, Kind::Struct) {
            return None;
        }
        let path = self.expected.node_path(node as usize)?;
        let place = path.found()?;
        let expected = place.treedef().head();
        let found = self.found?.find_at(place.indices())?.treedef().head();
        if expected == found || expected == Head::LEAF {
            return None;
        }
        Some(write!(f, "at {}: ", Place(path)).and_then(|()| contrast(f, &expected, &found)))
    }

    /// Returns the first difference of the two structures of the kind that the error is about, and the node of the error.
    fn first(&self) -> Option<(Difference<'a>, u32)> {
        let (expected, found) = (self.expected, self.found?);
        let (mut differences, node) = match self.error {
            Error::Mismatch { node } | Error::TreesDiffer { node, .. } => {
                (expected.differences(found), node)
            }
            Error::NotPrefix { node, .. } => (expected.prefix_errors(found), node),
            Error::NoCommonSuffix { node } => (expected.common_suffix_errors(found), node),
            _ => return None,
        };
        Some((differences.next()?.ok()?, node))
    }

    /// Writes the error with the path of its node or leaf; `None` if it has none in the treedef.
    fn place(&self, f: &mut fmt::Formatter<'_>) -> Option<fmt::Result> {
        let path = |node: u32| self.expected.node_path(node as usize);
        Some(match self.error {
            Error::Mismatch { node }
            | Error::TreesDiffer { node, .. }
            | Error::NotPrefix { node, .. }
            | Error::NoCommonSuffix { node }
                if self.found.is_none() =>
            {
                write!(f, "structure differs at {}", Place(path(node)?))
            }
            Error::Capacity { node, room } => {
                let path = path(node)?;
                let needed = path.found()?.treedef().num_children();
                if needed <= room {
                    return None;
                }
                let needed = children(needed);
                write!(f, "{} has {needed}, its container holds {}", Place(path), room)
            }
            Error::Overlap { node } => match path(node)? {
                path if path.is_silent() => f.write_str("the root is given twice"),
                path => write!(f, "{path} is given twice, or is inside another given node"),
            },
            Error::WrongLeaf { leaf } => match self.expected.path(leaf as usize)? {
                path if path.is_silent() => return None,
                path => {
                    write!(f, "leaf {} at {path} has the wrong type for its place", leaf)
                }
            },
            _ => return None,
        })
    }
}
