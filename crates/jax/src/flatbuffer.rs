//! Reads tables, vectors and strings of FlatBuffers, and checks every offset.
//!
//! ```text
//! bytes   := u32 offset of the root table ..
//! table   := i32 distance back to the vtable, fields
//! vtable  := u16 bytes of the vtable, u16 bytes of the table, u16 offset of each field in the table (0: absent)
//! vector  := u32 number of elements, elements
//! string  := u32 number of bytes, UTF-8, a zero byte
//! ```
//!
//! All numbers are little-endian. A field or element that is a table, a vector or a string holds its distance forward, a
//! `u32`. So everything that is reached from a table comes after it, and no chain of tables comes back to its beginning.
//! Numbers are read byte by byte: nothing has to be aligned.

use std::iter::StepBy;
use std::ops::Range;

use crate::export_error::{ExportError, ExportErrorKind as Fault};

/// The offsets of a vector's elements, which are inside the bytes.
pub(crate) type Elements = StepBy<Range<usize>>;

/// A table: numbered fields, each of which may be absent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The offsets of the fields, two bytes each.
    offsets: &'a [u8],
}

impl<'a> Table<'a> {
    /// The root table.
    pub(crate) fn root(bytes: &'a [u8]) -> Result<Self, ExportError> {
        Self { bytes, at: 0, offsets: &[] }.table_at(0)
    }

    /// Returns the error that the number at `at` is not inside the bytes, or points outside of them.
    fn outside(&self, at: usize) -> ExportError {
        ExportError::new(Fault::OutOfBounds, at.min(self.bytes.len()))
    }

    /// Reads the number at `at`.
    pub(crate) fn number_at<const N: usize>(&self, at: usize) -> Result<[u8; N], ExportError> {
        let found = self.bytes.get(at..).and_then(|rest| rest.first_chunk());
        found.copied().ok_or_else(|| self.outside(at))
    }

    /// Returns the offset of the table, vector or string to which the number at `at` points.
    fn follow(&self, at: usize) -> Result<usize, ExportError> {
        let distance = usize::try_from(u32::from_le_bytes(self.number_at(at)?)).ok();
        let place = distance.and_then(|distance| at.checked_add(distance));
        place.filter(|place| *place < self.bytes.len()).ok_or_else(|| self.outside(at))
    }

    /// Returns the table of the field or element at `at`.
    pub(crate) fn table_at(&self, at: usize) -> Result<Self, ExportError> {
        let at = self.follow(at)?;
        let back = i32::from_le_bytes(self.number_at(at)?);
        let vtable = i64::try_from(at).ok().and_then(|at| at.checked_sub(back.into()));
        let vtable =
            vtable.and_then(|at| usize::try_from(at).ok()).ok_or_else(|| self.outside(at))?;
        let len = u16::from_le_bytes(self.number_at(vtable)?);
        let fields = self.bytes.get(vtable..).and_then(|rest| rest.get(..len.into()));
        // After its own length and that of the table come pairs of bytes.
        match fields.ok_or_else(|| self.outside(at))?.split_at_checked(4) {
            Some((_, offsets)) if len.is_multiple_of(2) => {
                Ok(Self { bytes: self.bytes, at, offsets })
            }
            _ => Err(ExportError::new(Fault::BadTable, at)),
        }
    }

    /// Returns the string of the field or element at `at`.
    pub(crate) fn string_at(&self, at: usize) -> Result<&'a str, ExportError> {
        let at = self.follow(at)?;
        let text = self.elements(at, 1)?;
        let text = self.bytes.get(text).and_then(|bytes| str::from_utf8(bytes).ok());
        text.ok_or(ExportError::new(Fault::NotUtf8, at))
    }

    /// Returns the range of bytes of the elements of the vector at `at`.
    fn elements(&self, at: usize, width: usize) -> Result<Range<usize>, ExportError> {
        let len = u32::from_le_bytes(self.number_at(at)?);
        let first = at.checked_add(4);
        let len = usize::try_from(len).ok().and_then(|len| len.checked_mul(width));
        let end = first.zip(len).and_then(|(first, len)| first.checked_add(len));
        match first.zip(end) {
            Some((first, end)) if end <= self.bytes.len() => Ok(first..end),
            _ => Err(self.outside(at)),
        }
    }

    /// All bytes.
    pub(crate) const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns an error about this table.
    pub(crate) const fn fault(&self, kind: Fault) -> ExportError {
        ExportError::new(kind, self.at)
    }

    /// Returns the offset of a field, if the table has it.
    fn field(&self, index: u8) -> Option<usize> {
        match self.offsets.chunks_exact(2).nth(index.into()) {
            Some(&[low, high]) if [low, high] != [0, 0] => {
                // If the sum saturates, the offset is outside of the bytes, and reading it fails.
                Some(self.at.saturating_add(u16::from_le_bytes([low, high]).into()))
            }
            _ => None,
        }
    }

    /// Returns the bytes of a number, or zeros if the field is absent.
    pub(crate) fn number<const N: usize>(&self, index: u8) -> Result<[u8; N], ExportError> {
        self.field(index).map_or(Ok([0; N]), |at| self.number_at(at))
    }

    /// The table in a field.
    pub(crate) fn table(&self, index: u8) -> Result<Option<Self>, ExportError> {
        self.field(index).map(|at| self.table_at(at)).transpose()
    }

    /// The string in a field.
    pub(crate) fn string(&self, index: u8) -> Result<Option<&'a str>, ExportError> {
        self.field(index).map(|at| self.string_at(at)).transpose()
    }

    /// Returns the elements of the vector in a field, of `width` bytes each. As in JAX, there are none if the field is
    /// absent.
    pub(crate) fn vector(&self, index: u8, width: usize) -> Result<Elements, ExportError> {
        let elements = match self.field(index) {
            Some(at) => self.elements(self.follow(at)?, width)?,
            None => 0..0,
        };
        Ok(elements.step_by(width))
    }

    /// The bytes of the vector in a field.
    pub(crate) fn run(&self, index: u8) -> Result<&'a [u8], ExportError> {
        let Some(at) = self.field(index) else { return Ok(&[]) };
        let at = self.follow(at)?;
        self.bytes.get(self.elements(at, 1)?).ok_or_else(|| self.outside(at))
    }

    /// Returns a field that is required.
    pub(crate) fn required<T>(&self, index: u8, found: Option<T>) -> Result<T, ExportError> {
        found.ok_or(self.fault(Fault::MissingField { field: index }))
    }
}

/// The number of bytes that may still be read of an artifact.
///
/// It keeps reading linear in the bytes. Tables can share tables: with 40 levels, each of which refers to the next
/// twice, a small artifact would describe 2^40 nodes. If nothing is shared, a reader never reads more than the bytes.
pub(crate) struct Budget {
    left: usize,
}

impl Budget {
    /// Allows to read the length of `bytes`.
    pub(crate) const fn new(bytes: &[u8]) -> Self {
        Self { left: bytes.len() }
    }

    /// Charges `bytes` and what leads to them: for a table its offset and the distance to its vtable, for a string or a
    /// vector of bytes its offset and its length.
    pub(crate) fn spend(&mut self, bytes: usize, at: ExportError) -> Result<(), ExportError> {
        let left = bytes.checked_add(8).and_then(|cost| self.left.checked_sub(cost));
        self.left = left.ok_or(at)?;
        Ok(())
    }

    /// Reads the strings of the vector in a field.
    pub(crate) fn strings<'a>(
        &mut self,
        table: &Table<'a>,
        field: u8,
    ) -> Result<Vec<&'a str>, ExportError> {
        let mut strings = Vec::new();
        for at in table.vector(field, 4)? {
            let string = table.string_at(at)?;
            self.spend(string.len(), ExportError::new(Fault::Shared, at))?;
            strings.push(string);
        }
        Ok(strings)
    }
}
