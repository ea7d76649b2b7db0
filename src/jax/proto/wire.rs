//! The wire format of protocol buffers: fields one after the other, unknown ones stepped over.

use super::fault::{ProtoError, ProtoErrorKind as Fault};

/// The groups that may nest in an unknown field. They are out of use since 2008.
const MAX_GROUPS: usize = 16;

/// The bytes of a tag or a length, and of any other integer.
const SHORT: u32 = 5;
const LONG: u32 = 10;

/// The number of bytes that spell `value`.
pub(super) const fn varint_len(value: u64) -> u64 {
    let bits = 64u32.wrapping_sub((value | 1).leading_zeros());
    (bits.wrapping_add(6) / 7) as u64
}

/// A field as it stands on the wire.
#[derive(Clone, Copy)]
pub(super) enum Payload<'a> {
    /// An integer.
    Varint(u64),
    /// A string, a message or packed integers.
    Bytes(Wire<'a>),
    /// Something that no field of ours is.
    Other,
}

/// A field.
#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    /// Where its tag stands in the proto.
    pub(super) at: u32,
    pub(super) number: u32,
    pub(super) payload: Payload<'a>,
}

/// Reads a message from the front.
#[derive(Clone, Copy, Default)]
pub(super) struct Wire<'a> {
    rest: &'a [u8],
    /// Where the message ends in the proto.
    end: usize,
}

impl<'a> Wire<'a> {
    /// The whole proto.
    pub(super) const fn new(proto: &'a [u8]) -> Self {
        Self { rest: proto, end: proto.len() }
    }

    /// What is still to be read.
    pub(super) const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The offset of the next byte.
    pub(super) const fn at(&self) -> usize {
        self.end.saturating_sub(self.rest.len())
    }

    /// The next field; `None` at the end.
    pub(super) fn field(&mut self) -> Result<Option<Field<'a>>, ProtoError> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let at = self.at();
        let (number, payload) = match self.tag()? {
            (number, 3) => {
                self.group(number, at)?;
                (number, Payload::Other)
            }
            (_, 4) => return Err(ProtoError::new(Fault::Group, at)),
            (number, kind) => (number, self.payload(kind, at)?),
        };
        Ok(Some(Field { at: u32::try_from(at).unwrap_or(u32::MAX), number, payload }))
    }

    /// The next integer of packed ones; `None` at the end.
    pub(super) fn packed(&mut self) -> Result<Option<u64>, ProtoError> {
        if self.rest.is_empty() { Ok(None) } else { self.varint(LONG).map(Some) }
    }

    /// A field's number and wire type.
    fn tag(&mut self) -> Result<(u32, u32), ProtoError> {
        let at = self.at();
        let tag = u32::try_from(self.varint(SHORT)?);
        match tag {
            Ok(tag) if tag >> 3 > 0 => Ok((tag >> 3, tag & 7)),
            Ok(_) => Err(ProtoError::new(Fault::FieldNumber, at)),
            Err(_) => Err(ProtoError::new(Fault::Varint, at)),
        }
    }

    /// What follows a tag with this wire type, groups apart.
    fn payload(&mut self, kind: u32, at: usize) -> Result<Payload<'a>, ProtoError> {
        match kind {
            0 => self.varint(LONG).map(Payload::Varint),
            1 => self.take(8).map(|_| Payload::Other),
            2 => {
                let len = usize::try_from(self.varint(SHORT)?).unwrap_or(usize::MAX);
                self.take(len).map(Payload::Bytes)
            }
            5 => self.take(4).map(|_| Payload::Other),
            kind => {
                Err(ProtoError::new(Fault::WireType(u8::try_from(kind).unwrap_or(u8::MAX)), at))
            }
        }
    }

    /// Steps over the group that begins with a tag at `at`.
    fn group(&mut self, number: u32, at: usize) -> Result<(), ProtoError> {
        let mut open = [0; MAX_GROUPS];
        let (mut depth, mut innermost) = (0usize, number);
        loop {
            let at = if self.rest.is_empty() { at } else { self.at() };
            match self.tag()? {
                (number, 3) => {
                    let limit = u32::try_from(MAX_GROUPS).unwrap_or(u32::MAX);
                    let deep = ProtoError::new(Fault::TooDeep { limit }, at);
                    *open.get_mut(depth).ok_or(deep)? = innermost;
                    depth = depth.wrapping_add(1);
                    innermost = number;
                }
                (number, 4) if number != innermost => {
                    return Err(ProtoError::new(Fault::Group, at));
                }
                (_, 4) => {
                    let Some(outer) = depth.checked_sub(1) else { return Ok(()) };
                    depth = outer;
                    innermost = open.get(outer).copied().unwrap_or(0);
                }
                (_, kind) => drop(self.payload(kind, at)?),
            }
        }
    }

    fn take(&mut self, len: usize) -> Result<Self, ProtoError> {
        let at = self.at();
        let Some((taken, rest)) = self.rest.split_at_checked(len) else {
            return Err(ProtoError::new(Fault::Truncated, at));
        };
        self.rest = rest;
        Ok(Self { rest: taken, end: at.saturating_add(len) })
    }

    /// An integer of at most `most` bytes. As every reader of protocol buffers, overlong spellings are taken and bits
    /// beyond the 64th dropped.
    fn varint(&mut self, most: u32) -> Result<u64, ProtoError> {
        let at = self.at();
        let (mut value, mut shift) = (0u64, 0u32);
        for _ in 0..most {
            let Some((&first, rest)) = self.rest.split_first() else {
                return Err(ProtoError::new(Fault::Truncated, at));
            };
            self.rest = rest;
            value |= u64::from(first & 127) << (shift & 63);
            if first < 128 {
                return Ok(value);
            }
            shift = shift.wrapping_add(7);
        }
        Err(ProtoError::new(Fault::Varint, at))
    }
}
