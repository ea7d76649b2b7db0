//! Reads the wire format of protocol buffers: fields one after the other. Unknown fields are skipped.

use crate::proto_error::{ProtoError, ProtoErrorKind as Fault};

/// The largest depth of groups in an unknown field. Groups are deprecated since 2008.
const MAX_GROUPS: u32 = 16;

/// The largest number of bytes of a tag or a length, and of any other integer.
const SHORT: u32 = 5;
const LONG: u32 = 10;

/// The payload of a field, after its tag.
#[derive(Clone, Copy)]
pub(crate) enum Payload<'a> {
    /// An integer.
    Varint(u64),
    /// A string, a message or packed integers.
    Bytes(Wire<'a>),
    /// A payload that no field of the schema has.
    Other,
}

/// A field.
pub(crate) struct Field<'a> {
    /// The offset of its tag.
    pub(crate) at: usize,
    pub(crate) number: u32,
    pub(crate) payload: Payload<'a>,
}

/// Reads a message from the front.
#[derive(Clone, Copy)]
pub(crate) struct Wire<'a> {
    /// The proto up to the end of the message.
    bytes: &'a [u8],
    /// The offset of the next byte.
    pub(crate) at: usize,
}

impl<'a> Wire<'a> {
    /// The whole proto.
    pub(crate) const fn new(proto: &'a [u8]) -> Self {
        Self { bytes: proto, at: 0 }
    }

    /// Returns the bytes that are not read yet.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Reads the next field. Returns `None` at the end.
    pub(crate) fn field(&mut self) -> Result<Option<Field<'a>>, ProtoError> {
        if self.rest().is_empty() {
            return Ok(None);
        }
        let at = self.at;
        let (number, kind) = self.tag()?;
        Ok(Some(Field { at, number, payload: self.payload(number, kind, at, 0)? }))
    }

    /// Reads the next of packed integers. Returns `None` at the end.
    pub(crate) fn packed(&mut self) -> Result<Option<u64>, ProtoError> {
        if self.rest().is_empty() { Ok(None) } else { self.varint(LONG).map(Some) }
    }

    /// Reads the number and the wire type of a field.
    fn tag(&mut self) -> Result<(u32, u32), ProtoError> {
        let at = self.at;
        match u32::try_from(self.varint(SHORT)?) {
            Ok(tag) if tag >> 3 > 0 => Ok((tag >> 3, tag & 7)),
            Ok(_) => Err(ProtoError::new(Fault::FieldNumber, at)),
            Err(_) => Err(ProtoError::new(Fault::Varint, at)),
        }
    }

    /// Reads the payload after the tag at `at`, inside `depth` groups.
    fn payload(
        &mut self,
        number: u32,
        kind: u32,
        at: usize,
        depth: u32,
    ) -> Result<Payload<'a>, ProtoError> {
        match kind {
            0 => self.varint(LONG).map(Payload::Varint),
            1 => self.take(8).map(|_| Payload::Other),
            2 => {
                let len = usize::try_from(self.varint(SHORT)?).unwrap_or(usize::MAX);
                self.take(len).map(Payload::Bytes)
            }
            3 if depth > MAX_GROUPS => {
                Err(ProtoError::new(Fault::TooDeep { limit: MAX_GROUPS }, at))
            }
            3 => self.group(number, depth + 1).map(|()| Payload::Other),
            4 => Err(ProtoError::new(Fault::Group, at)),
            5 => self.take(4).map(|_| Payload::Other),
            kind => Err(ProtoError::new(Fault::WireType(kind as u8), at)),
        }
    }

    /// Skips the rest of the group with this number.
    fn group(&mut self, open: u32, depth: u32) -> Result<(), ProtoError> {
        loop {
            let at = self.at;
            match self.tag()? {
                (number, 4) if number == open => return Ok(()),
                (number, kind) => self.payload(number, kind, at, depth)?,
            };
        }
    }

    fn take(&mut self, len: usize) -> Result<Self, ProtoError> {
        let end = self.at.checked_add(len);
        match end.and_then(|end| Some((self.bytes.get(..end)?, end))) {
            Some((bytes, end)) => Ok(Self { bytes, at: core::mem::replace(&mut self.at, end) }),
            None => Err(ProtoError::new(Fault::Truncated, self.at)),
        }
    }

    /// Reads an integer of at most `most` bytes. As every reader of protocol buffers, it accepts overlong forms and
    /// drops bits beyond the 64th.
    fn varint(&mut self, most: u32) -> Result<u64, ProtoError> {
        let at = self.at;
        let mut value = 0;
        for place in 0..most {
            let Some(byte) = self.bytes.get(self.at) else {
                return Err(ProtoError::new(Fault::Truncated, at));
            };
            self.at += 1;
            value |= u64::from(byte & 127) << (7 * place);
            if *byte < 128 {
                return Ok(value);
            }
        }
        Err(ProtoError::new(Fault::Varint, at))
    }
}
