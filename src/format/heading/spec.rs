//! Heads to be written: what a node says before its children.

use crate::base::bytes::{copy, equal_words};
use crate::base::error::Error;
use crate::format::entry::KeyEntry;
use crate::format::head::{Head, kind_and_count};
use crate::format::pieces::Stop;

/// A head that can be written piece by piece, any number of times.
///
/// A [`Writer`](crate::Writer) writes the pieces, [`matches()`](crate::matches) compares them and a bound counts
/// them, so no head has to be encoded first. An encoded [`Head`] is one piece.
///
/// The trait is sealed, because writers trust that the pieces are a head. [`head_into`] and [`head_len`] say what a head is made
/// of. Keys and values of [`ToValue`](crate::format::ToValue) types are read again when they are written. If they have changed, the
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
pub trait HeadSpec {
    /// The number of children.
    #[doc(hidden)]
    fn arity(&self) -> usize;

    /// Checks values, and with `order` the order of keys, with the errors of [`head_into`]. Writers call it before they write.
    /// Those that check the order in the bytes, by [`HeadSpec::check_written`], or because they compare with a treedef, ask for it
    /// only if these refuse the head, to know whether the order is the reason.
    #[doc(hidden)]
    fn check(&self, order: bool) -> Result<(), Error> {
        let _ = order;
        Ok(())
    }

    /// Passes the bytes to `put`, in order.
    ///
    /// # Errors
    ///
    /// The first error of `put`; [`Stop::Changed`] if keys or values have changed since they were counted. Other crates cannot name
    /// [`Stop`], so they do not implement the trait.
    #[doc(hidden)]
    #[inline]
    fn pieces(&self, put: &mut impl FnMut(&[u8]) -> Result<(), Stop>) -> Result<(), Stop> {
        match self.known_head() {
            Some(KnownHead::Counted(kind, count)) => put(kind_and_count(kind, count).as_bytes()),
            Some(KnownHead::Bytes(bytes)) => put(bytes),
            None => Ok(()),
        }
    }

    /// The head, if it is known before it is written. A head that is not has its own [`HeadSpec::pieces`].
    #[doc(hidden)]
    #[inline]
    fn known_head(&self) -> Option<KnownHead<'_>> {
        None
    }

    /// Checks the bytes that were written, because keys can have changed since [`HeadSpec::check`] read them.
    ///
    /// # Errors
    ///
    /// [`Error::ValueChanged`].
    #[doc(hidden)]
    #[inline]
    fn check_written(&self, _: &[u8]) -> Result<(), Error> {
        Ok(())
    }
}

/// A head that is known before it is written.
#[derive(Clone, Copy, Debug)]
pub enum KnownHead<'h> {
    /// The kind of a tuple or list, and its count.
    Counted(u8, usize),
    /// All bytes.
    Bytes(&'h [u8]),
}

impl KnownHead<'_> {
    /// Whether both are the same head, described in the same way.
    #[inline]
    pub(crate) fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Counted(kind, count), Self::Counted(other, their)) => {
                kind == other && count == their
            }
            (Self::Bytes(own), Self::Bytes(their)) => equal_words(own, their),
            _ => false,
        }
    }
}

/// A head whose keys are the names of children in a path. [`Open`](crate::dynamic::Open) has an example. A receiver finds
/// the names by [`head_into`] and [`Head::entries`].
pub trait Entry {
    /// The entries that lead to the children, in order.
    #[doc(hidden)]
    fn entries(&self) -> impl Iterator<Item = KeyEntry<'_>>;
}

impl HeadSpec for Head<'_> {
    fn arity(&self) -> usize {
        self.num_children()
    }

    fn check(&self, _: bool) -> Result<(), Error> {
        no_leaf(self)
    }

    #[inline]
    fn known_head(&self) -> Option<KnownHead<'_>> {
        Some(KnownHead::Bytes(self.as_bytes()))
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
/// [`Error::BufferFull`] with the exact number of bytes; [`Error::Unordered`], [`Error::DuplicateKey`] and
/// [`Error::UnsortedKeys`] for keys that do not strictly increase, unless the dictionary keeps their order;
/// [`Error::ValueTooDeep`], [`Error::Arity`], [`Error::TooLarge`], [`Error::ValueChanged`].
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
    spec.check(true)?;
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
            spec.check_written(head)?;
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

/// The number of bytes of a kind with its count.
pub(crate) const fn count_len(count: usize) -> usize {
    kind_and_count(0, count).as_bytes().len()
}

/// Refuses more children than a head can count.
pub(super) fn check_count(count: usize) -> Result<(), Error> {
    u32::try_from(count).map(drop).map_err(|_| Error::TooLarge)
}

impl Entry for Head<'_> {
    fn entries(&self) -> impl Iterator<Item = KeyEntry<'_>> {
        Head::entries(self)
    }
}
