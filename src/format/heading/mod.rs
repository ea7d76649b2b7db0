//! Heads to be written: what a node says before its children.
//!
//! - `sequence`: tuples, lists and `Some`;
//! - `dict`: dictionaries of all kinds; `text_keys`: those with text keys, in one pass;
//! - `record`: named tuples and structs;
//! - `custom`: nodes of other classes.

mod custom;
mod dict;
mod record;
mod sequence;
mod text_keys;

pub use custom::Custom;
pub use dict::{Dict, DictKind};
pub use record::{NamedTuple, Struct};
pub use sequence::{List, Some, Tuple};
pub(crate) use text_keys::{read_text, text_len, write_text};

use core::slice;

use crate::base::bytes::copy;
use crate::base::bytes::equal_heads;
use crate::base::error::Error;
use crate::format::entry::KeyEntry;
use crate::format::head::{self, Head};
use crate::format::value::{Put, Stop};
use crate::format::varint::{self, Varint};

/// A head that can be written piece by piece, any number of times.
///
/// A [`Writer`](crate::Writer) writes the pieces, [`matches()`](crate::matches) compares them and a bound counts
/// them, so no head has to be encoded first. An encoded [`Head`] is one piece.
///
/// The trait is sealed, because writers trust that the pieces are a head with [`HeadSpec::arity`] children. Keys and
/// values of [`ToValue`](crate::format::ToValue) types are read again when they are written. If they have changed, the
/// writer returns [`Error::ValueChanged`].
///
/// # Examples
///
/// ```
/// use treedef::head::{HeadSpec, Tuple, head_into};
///
/// /// Whether the head fits one byte.
/// fn is_small(spec: &impl HeadSpec) -> bool {
///     head_into(spec, &mut [0]).is_ok()
/// }
///
/// assert!(is_small(&Tuple(3)) && !is_small(&Tuple(100)));
/// ```
pub trait HeadSpec: sealed::Sealed {
    /// The number of children.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::head::{HeadSpec, Struct};
    ///
    /// assert_eq!(Struct { name: "Pid", fields: &["kp", "ki"], meta: &[] }.arity(), 2);
    /// ```
    fn arity(&self) -> usize;

    /// Checks keys and values. Writers call it before they write.
    ///
    /// # Errors
    ///
    /// [`Error::Unordered`], [`Error::DuplicateKey`] and [`Error::UnsortedKeys`] for keys that do not strictly
    /// increase, unless the dictionary keeps their order; [`Error::ValueTooDeep`], [`Error::Arity`],
    /// [`Error::TooLarge`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::head::{Dict, DictKind, HeadSpec};
    ///
    /// assert!(Dict::new(DictKind::Sorted, ["y", "x"]).check().is_err());
    /// assert!(Dict::new(DictKind::Ordered, ["y", "x"]).check().is_ok());
    /// ```
    fn check(&self) -> Result<(), Error>;

    /// Passes the bytes to `put`, in order.
    ///
    /// # Errors
    ///
    /// The first error of `put`; [`Stop::Changed`] if keys or values have changed since they were counted.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::head::{Dict, DictKind, HeadSpec};
    ///
    /// let mut bytes = Vec::new();
    /// Dict::new(DictKind::Sorted, ["x"]).pieces(&mut |piece| {
    ///     bytes.extend_from_slice(piece);
    ///     Ok(())
    /// })?;
    /// assert_eq!(bytes, [0x61, 2, 1, b'x']);
    /// # Ok::<(), treedef::format::Stop>(())
    /// ```
    fn pieces(&self, put: &mut impl FnMut(&[u8]) -> Result<(), Stop>) -> Result<(), Stop>;

    /// The head, if it is not written in pieces.
    #[doc(hidden)]
    #[inline]
    fn __known(&self) -> Option<Known<'_>> {
        None
    }

    /// As [`HeadSpec::check`] without the order of keys, for writers that check it in the bytes: by
    /// [`HeadSpec::__written`], or because they compare with a treedef. If these refuse the head, [`HeadSpec::check`]
    /// says whether the order is the reason.
    #[doc(hidden)]
    #[inline]
    fn __check_values(&self) -> Result<(), Error> {
        self.check()
    }

    /// Checks the bytes that were written, because keys can have changed since [`HeadSpec::check`] read them.
    ///
    /// # Errors
    ///
    /// [`Error::ValueChanged`].
    #[doc(hidden)]
    #[inline]
    fn __written(&self, _: &[u8]) -> Result<(), Error> {
        Ok(())
    }
}

/// A head that is known before it is written.
#[derive(Clone, Copy, Debug)]
pub enum Known<'h> {
    /// A kind and its count, without a block. In a head that is written, the count is not short.
    Counted(u8, usize),
    /// All bytes.
    Bytes(&'h [u8]),
}

/// The heads of tuples and lists with few children, each at the index that is its byte.
static SHORT_HEADS: [u8; 3 << 5] = {
    let mut heads = [0; 3 << 5];
    let (mut rest, mut next) = (heads.as_mut_slice(), 0);
    while let [first, after @ ..] = rest {
        *first = next;
        (rest, next) = (after, next + 1);
    }
    heads
};

/// The head of a tuple or list; nothing if it is longer than a byte.
#[inline]
pub(crate) fn short_head(kind: u8, count: usize) -> &'static [u8] {
    if count < usize::from(head::ESCAPE)
        && let Option::Some(head) = SHORT_HEADS.get(usize::from(kind << 5).wrapping_add(count))
    {
        return slice::from_ref(head);
    }
    &[]
}

impl<'h> Known<'h> {
    /// The head of a tuple or list, of which `short` is [`short_head`].
    #[inline(always)]
    pub(crate) const fn counted(short: &'h [u8], kind: u8, count: usize) -> Self {
        match short {
            [] => Self::Counted(kind, count),
            head => Self::Bytes(head),
        }
    }

    /// Whether both are the same head, described in the same way.
    #[inline]
    pub(crate) fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Counted(kind, count), Self::Counted(other, their)) => {
                kind == other && count == their
            }
            (Self::Bytes(own), Self::Bytes(their)) => equal_heads(own, their),
            _ => false,
        }
    }

    /// As [`HeadSpec::pieces`].
    #[inline]
    pub(crate) fn pieces(
        &self,
        put: &mut impl FnMut(&[u8]) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        match *self {
            Self::Counted(kind, count) => put_count(kind, count, put),
            Self::Bytes(bytes) => put(bytes),
        }
    }
}

pub(crate) mod sealed {
    /// Implemented by the heads of this crate.
    pub trait Sealed {}
}

/// Lists the key entries of a node's children.
///
/// # Examples
///
/// ```
/// use treedef::KeyEntry;
/// use treedef::head::{Entry, Struct};
///
/// let pid = Struct { name: "Pid", fields: &["kp", "ki"], meta: &[] };
/// assert!(pid.entries().eq([KeyEntry::Attr("kp"), KeyEntry::Attr("ki")]));
/// ```
pub trait Entry {
    /// The entries that lead to the children, in order.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::KeyEntry;
    /// use treedef::head::{Entry, List};
    ///
    /// assert!(List(2).entries().eq([KeyEntry::Index(0), KeyEntry::Index(1)]));
    /// ```
    fn entries(&self) -> impl Iterator<Item = KeyEntry<'_>>;
}

impl sealed::Sealed for Head<'_> {}

impl HeadSpec for Head<'_> {
    fn arity(&self) -> usize {
        self.num_children()
    }

    fn check(&self) -> Result<(), Error> {
        no_leaf(self)
    }

    #[inline]
    fn pieces(&self, put: &mut impl FnMut(&[u8]) -> Result<(), Stop>) -> Result<(), Stop> {
        put(self.as_bytes())
    }

    #[inline]
    fn __known(&self) -> Option<Known<'_>> {
        Option::Some(Known::Bytes(self.as_bytes()))
    }
}

/// Refuses the head of a leaf: leaves have no head of their own, because adjacent ones are one run.
pub(crate) const fn no_leaf(head: &Head<'_>) -> Result<(), Error> {
    match head.as_bytes() {
        [0, ..] => Err(Error::Arity { expected: 1, found: 0 }),
        _ => Ok(()),
    }
}

/// Encodes a head into the front of `bytes`, to be written many times as one piece.
///
/// # Errors
///
/// [`Error::BufferFull`] with the exact number of bytes; the errors of [`HeadSpec::check`].
///
/// # Examples
///
/// ```
/// use treedef::head::{head_into, head_len};
/// use treedef::{Kind, head};
///
/// let spec = head::Struct { name: "Pid", fields: &["gain"], meta: &[] };
/// let mut bytes = [0; 16];
/// let head = head_into(&spec, &mut bytes)?;
/// assert_eq!((head.kind(), head.type_name()), (Kind::Struct, Some("Pid")));
/// assert_eq!(head.as_bytes().len(), head_len(&spec));
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn head_into<'b, H: HeadSpec>(spec: &H, bytes: &'b mut [u8]) -> Result<Head<'b>, Error> {
    spec.check()?;
    let room = bytes.len();
    let mut rest = &mut *bytes;
    let written = spec.pieces(&mut |piece| {
        let (target, after) =
            core::mem::take(&mut rest).split_at_mut_checked(piece.len()).ok_or(Stop::Refused)?;
        copy(target, piece);
        rest = after;
        Ok(())
    });
    let len = room.saturating_sub(rest.len());
    match written {
        Ok(()) => {
            let head = bytes.get(..len).unwrap_or_default();
            spec.__written(head)?;
            Ok(Head::trusted(head))
        }
        Err(Stop::Refused) => Err(Error::BufferFull { needed: head_len(spec), room }),
        Err(Stop::Changed) => Err(Error::ValueChanged),
    }
}

/// The exact number of bytes that [`head_into`] needs.
///
/// # Examples
///
/// ```
/// use treedef::head::{Dict, DictKind, Tuple, head_len};
///
/// assert_eq!(head_len(&Tuple(2)), 1);
/// assert_eq!(head_len(&Dict::new(DictKind::Sorted, ["x", "y"])), 6);
/// ```
#[must_use]
pub fn head_len<H: HeadSpec>(spec: &H) -> usize {
    let mut len = 0usize;
    // Values that change have no length. Writing them returns the error.
    let _ = spec.pieces(&mut |piece| {
        len = len.saturating_add(piece.len());
        Ok(())
    });
    len
}

/// The number of bytes that [`put_count`] passes.
pub(crate) const fn count_len(count: usize) -> usize {
    match count.checked_sub(head::ESCAPE as usize) {
        // `Some` is a head in this file.
        Option::Some(more) => varint::len(more as u64).saturating_add(1),
        None => 1,
    }
}

/// Passes a kind with its count to `put`: a whole tuple or list head, or the start of a dict or struct head.
pub(crate) fn put_count(
    kind: u8,
    count: usize,
    put: &mut impl FnMut(&[u8]) -> Result<(), Stop>,
) -> Result<(), Stop> {
    match u8::try_from(count) {
        Ok(low) if low < head::ESCAPE => put(&[kind << 5 | low]),
        _ => {
            let (bytes, len) = head::long_head(kind, count);
            put(bytes.get(..len).unwrap_or_default())
        }
    }
}

/// Passes a block to `put`: the length of the payload, then the payload. `payload` is called twice and has to pass the
/// same bytes.
pub(crate) fn put_block(
    put: &mut impl FnMut(&[u8]) -> Result<(), Stop>,
    payload: impl Fn(&mut Put<'_>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let mut len = 0usize;
    payload(&mut |piece| {
        len = len.saturating_add(piece.len());
        Ok(())
    })?;
    put_block_of(len, put, payload)
}

/// Passes a block whose payload has `len` bytes to `put`.
pub(crate) fn put_block_of(
    len: usize,
    put: &mut impl FnMut(&[u8]) -> Result<(), Stop>,
    payload: impl Fn(&mut Put<'_>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    put(Varint::new(len as u64).as_bytes())?;
    let mut left = len;
    payload(&mut |piece| {
        left = left.checked_sub(piece.len()).ok_or(Stop::Changed)?;
        put(piece)
    })?;
    if left == 0 { Ok(()) } else { Err(Stop::Changed) }
}

/// Refuses more children than a head can count.
fn check_count(count: usize) -> Result<(), Error> {
    u32::try_from(count).map(drop).map_err(|_| Error::TooLarge)
}

impl Entry for Head<'_> {
    fn entries(&self) -> impl Iterator<Item = KeyEntry<'_>> {
        Head::entries(self)
    }
}
