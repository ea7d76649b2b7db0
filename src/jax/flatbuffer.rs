//! Tables, vectors and strings of FlatBuffers, every offset checked.
//!
//! ```text
//! bytes   := u32 offset of the root table ..
//! table   := i32 distance back to the vtable, fields
//! vtable  := u16 bytes of the vtable, u16 bytes of the table, u16 offset of each field in the table (0: absent)
//! vector  := u32 number of elements, elements
//! string  := u32 number of bytes, UTF-8, a zero byte
//! ```
//!
//! All numbers are little end first. A field or element that is a table, a vector or a string holds its distance
//! forward, a `u32`. So whatever is reached from a table stands behind it, and no chain of tables comes back to its
//! beginning. Numbers are read byte by byte: nothing has to be aligned.

use core::fmt;

use super::export_error::{ExportError, ExportErrorKind as Fault};
use crate::base::show::{list, show_by_debug};

/// Positions are `u32`: [`Table::root`] refuses more bytes than that.
type Position = u32;

fn slice(bytes: &[u8], at: Position, len: u32) -> Result<&[u8], ExportError> {
    let outside = ExportError::new(Fault::OutOfBounds, at);
    let end = at.checked_add(len).ok_or(outside)?;
    bytes.get(at as usize..end as usize).ok_or(outside)
}

fn array<const N: usize>(bytes: &[u8], at: Position) -> Result<[u8; N], ExportError> {
    let found = bytes.get(at as usize..).and_then(|rest| rest.first_chunk());
    found.copied().ok_or(ExportError::new(Fault::OutOfBounds, at))
}

/// The place that the offset at `at` leads to.
fn follow(bytes: &[u8], at: Position) -> Result<Position, ExportError> {
    let offset = u32::from_le_bytes(array(bytes, at)?);
    at.checked_add(offset).ok_or(ExportError::new(Fault::OutOfBounds, at))
}

fn text(bytes: &[u8], at: Position) -> Result<&str, ExportError> {
    let vector = Vector::<1>::read(bytes, at)?;
    core::str::from_utf8(vector.rest()?).map_err(|_| ExportError::new(Fault::NotUtf8, at))
}

/// A table: numbered fields, each of which may be absent.
#[derive(Clone, Copy)]
pub(super) struct Table<'a> {
    bytes: &'a [u8],
    at: Position,
    /// The offsets of the fields, two bytes each.
    offsets: &'a [u8],
}

impl<'a> Table<'a> {
    /// The root table.
    pub(super) fn root(bytes: &'a [u8]) -> Result<Self, ExportError> {
        if u32::try_from(bytes.len()).is_err() {
            return Err(ExportError::new(Fault::TooLarge, u32::MAX));
        }
        Self::read(bytes, follow(bytes, 0)?)
    }

    fn read(bytes: &'a [u8], at: Position) -> Result<Self, ExportError> {
        let back = i32::from_le_bytes(array(bytes, at)?);
        let vtable = i64::from(at).wrapping_sub(i64::from(back));
        let outside = ExportError::new(Fault::OutOfBounds, at);
        let vtable = u32::try_from(vtable).map_err(|_| outside)?;
        let len = u16::from_le_bytes(array(bytes, vtable)?);
        // Behind its own length and that of the table come pairs of bytes.
        match slice(bytes, vtable, len.into())?.split_at_checked(4) {
            Some((_, offsets)) if len.is_multiple_of(2) => Ok(Self { bytes, at, offsets }),
            _ => Err(ExportError::new(Fault::BadTable, at)),
        }
    }

    /// All bytes.
    pub(super) const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The fault that something is wrong with this table.
    pub(super) const fn fault(&self, kind: Fault) -> ExportError {
        ExportError::new(kind, self.at)
    }

    /// Where a field stands, if it is there.
    fn field(&self, index: u8) -> Result<Option<Position>, ExportError> {
        let offset = self.offsets.chunks_exact(2).nth(index.into());
        let Some(&[low, high]) = offset else { return Ok(None) };
        match u16::from_le_bytes([low, high]) {
            0 => Ok(None),
            offset => match self.at.checked_add(offset.into()) {
                None => Err(self.fault(Fault::OutOfBounds)),
                position => Ok(position),
            },
        }
    }

    /// A number as its bytes; zeros if the field is absent.
    pub(super) fn number<const N: usize>(&self, index: u8) -> Result<[u8; N], ExportError> {
        match self.field(index)? {
            Some(at) => array(self.bytes, at),
            None => Ok([0; N]),
        }
    }

    /// The table in a field.
    pub(super) fn table(&self, index: u8) -> Result<Option<Table<'a>>, ExportError> {
        self.field(index)?
            .map(|at| follow(self.bytes, at).and_then(|at| Table::read(self.bytes, at)))
            .transpose()
    }

    /// The string in a field.
    pub(super) fn string(&self, index: u8) -> Result<Option<&'a str>, ExportError> {
        self.field(index)?
            .map(|at| follow(self.bytes, at).and_then(|at| text(self.bytes, at)))
            .transpose()
    }

    /// The vector in a field; none where the field is absent, which is an empty one to JAX.
    pub(super) fn vector<const WIDTH: u32>(
        &self,
        index: u8,
    ) -> Result<Vector<'a, WIDTH>, ExportError> {
        match self.field(index)? {
            Some(at) => Vector::read(self.bytes, follow(self.bytes, at)?),
            None => Ok(Vector { bytes: self.bytes, at: self.at, left: 0 }),
        }
    }

    /// A field that has to be there.
    pub(super) fn required<T>(&self, index: u8, found: Option<T>) -> Result<T, ExportError> {
        found.ok_or(self.fault(Fault::MissingField { field: index }))
    }
}

/// Elements of `WIDTH` bytes that are inside the bytes; as an iterator, their positions.
#[derive(Clone, Copy)]
pub(super) struct Vector<'a, const WIDTH: u32> {
    bytes: &'a [u8],
    at: Position,
    left: u32,
}

impl<'a, const WIDTH: u32> Vector<'a, WIDTH> {
    pub(super) const EMPTY: Self = Self { bytes: &[], at: 0, left: 0 };

    fn read(bytes: &'a [u8], at: Position) -> Result<Self, ExportError> {
        let left = u32::from_le_bytes(array(bytes, at)?);
        let outside = ExportError::new(Fault::OutOfBounds, at);
        let first = at.checked_add(4).ok_or(outside)?;
        slice(bytes, first, left.checked_mul(WIDTH).ok_or(outside)?).map_err(|_| outside)?;
        Ok(Self { bytes, at: first, left })
    }

    /// The number of elements left.
    pub(super) const fn num_left(&self) -> u32 {
        self.left
    }

    /// The fault that something is wrong with the element in front.
    pub(super) const fn fault(&self, kind: Fault) -> ExportError {
        ExportError::new(kind, self.at)
    }

    /// All elements left, as their bytes.
    pub(super) fn rest(&self) -> Result<&'a [u8], ExportError> {
        slice(self.bytes, self.at, self.left.wrapping_mul(WIDTH))
    }

    /// Goes past so many elements.
    pub(super) fn skip(mut self, count: u32) -> Self {
        let count = count.min(self.left);
        self.left = self.left.saturating_sub(count);
        self.at = self.at.wrapping_add(count.wrapping_mul(WIDTH));
        self
    }

    /// The next element as a number.
    pub(super) fn next_number<const N: usize>(&mut self) -> Option<[u8; N]> {
        let before = *self;
        *self = self.skip(1);
        if before.left == 0 { None } else { array(self.bytes, before.at).ok() }
    }
}

impl<'a> Vector<'a, 4> {
    /// The next element as a table.
    pub(super) fn next_table(&mut self) -> Option<Result<Table<'a>, ExportError>> {
        self.next_place().map(|place| place.and_then(|at| Table::read(self.bytes, at)))
    }

    /// The next element as a string.
    pub(super) fn next_string(&mut self) -> Option<Result<&'a str, ExportError>> {
        self.next_place().map(|place| place.and_then(|at| text(self.bytes, at)))
    }

    /// Where the next element leads to.
    fn next_place(&mut self) -> Option<Result<Position, ExportError>> {
        let before = *self;
        *self = self.skip(1);
        (before.left > 0).then(|| follow(self.bytes, before.at))
    }
}

/// Strings in order; all of them are known to be right.
#[derive(Clone, Copy)]
pub struct Strings<'a>(Vector<'a, 4>);

impl<'a> Strings<'a> {
    /// Takes strings without a look; what is no string ends the iterator.
    pub(super) const fn trusted(strings: Vector<'a, 4>) -> Self {
        Self(strings)
    }

    /// Takes strings, each seen to be one.
    pub(super) fn new(strings: Vector<'a, 4>, budget: &mut Budget) -> Result<Self, ExportError> {
        let mut rest = strings;
        loop {
            let shared = rest.fault(Fault::Shared);
            let Some(string) = rest.next_string() else { return Ok(Self(strings)) };
            budget.spend_run(string?.as_bytes(), shared)?;
        }
    }
}

impl<'a> Iterator for Strings<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.0.next_string()?.ok()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.left as usize, Some(self.0.left as usize))
    }
}

impl ExactSizeIterator for Strings<'_> {}

impl fmt::Debug for Strings<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        list(f, *self)
    }
}

show_by_debug!([] Strings<'_>);

/// What may still be read while an artifact is checked.
///
/// Where nothing is shared, all that is read fits the bytes side by side. Whoever reads more meets something a second
/// time, and tables that share tables can be many more than bytes: 40 levels, each with the next one twice, are 2^40
/// nodes. So checking is linear in the bytes.
pub(super) struct Budget {
    left: u32,
}

impl Budget {
    /// Allows as much as `bytes` hold.
    pub(super) fn new(bytes: &[u8]) -> Self {
        Self { left: u32::try_from(bytes.len()).unwrap_or(u32::MAX) }
    }

    fn spend(&mut self, bytes: usize, shared: ExportError) -> Result<(), ExportError> {
        let left = u32::try_from(bytes).ok().and_then(|bytes| self.left.checked_sub(bytes));
        self.left = left.ok_or(shared)?;
        Ok(())
    }

    /// Charges a table: the offset that leads to it, and the distance to its vtable.
    pub(super) fn spend_table(&mut self, table: &Table<'_>) -> Result<(), ExportError> {
        self.spend(8, table.fault(Fault::Shared))
    }

    /// Charges a string or a vector of bytes: the offset that leads to it, its length, its bytes.
    pub(super) fn spend_run(&mut self, run: &[u8], shared: ExportError) -> Result<(), ExportError> {
        self.spend(run.len().saturating_add(8), shared)
    }
}
