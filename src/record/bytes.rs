//! The bytes that leaves have in a record, written and read: a buffer, numbers, byte strings.

/// The buffer of a record or a frame. Leaves are written forwards, and the choices of a record from its end: how many leaves there are is
/// known after the walk. What has no room is counted.
#[derive(Debug)]
pub struct RecordWriter<'b> {
    bytes: &'b mut [u8],
    /// The places of the next byte of a leaf, and of the next choice.
    pub(super) leaves: usize,
    pub(super) choices: usize,
    /// What is added to the place of a choice for that of the next one.
    step: usize,
}

// Not in line: each byte would take more code than a call.
impl<'b> RecordWriter<'b> {
    pub(super) const fn new(bytes: &'b mut [u8]) -> Self {
        let choices = bytes.len().wrapping_sub(1);
        Self { bytes, leaves: 0, choices, step: usize::MAX }
    }

    /// The buffer of a frame, with the places of its choices and its leaves.
    pub(super) const fn at(bytes: &'b mut [u8], choices: usize, leaves: usize) -> Self {
        Self { bytes, leaves, choices, step: 1 }
    }

    /// The place of the next leaf, which has this width.
    #[inline(always)]
    pub(super) fn leaf(&mut self, width: usize) -> Option<&mut [u8]> {
        let at = self.leaves;
        self.leaves = at.wrapping_add(width);
        self.bytes.get_mut(at..)?.get_mut(..width)
    }

    /// The bytes of leaves that were written from here on, if they have room.
    pub(super) fn written(&self, start: usize) -> Option<&[u8]> {
        self.bytes.get(start..self.leaves)
    }

    /// Writes a byte of a leaf.
    #[inline(never)]
    pub(super) fn byte(&mut self, byte: u8) {
        if let Some(slot) = self.bytes.get_mut(self.leaves) {
            *slot = byte;
        }
        self.leaves = self.leaves.wrapping_add(1);
    }

    /// Writes bytes of a leaf.
    #[inline(never)]
    pub(crate) fn all(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.byte(*byte));
    }

    /// Writes the bytes from one position on again, a number of times; `None` if they are more than memory can have.
    pub(super) fn again(&mut self, start: usize, copies: usize) -> Option<()> {
        let (end, len) = (self.leaves, self.leaves.wrapping_sub(start));
        let most = isize::MAX.cast_unsigned();
        let after = len.checked_mul(copies)?.checked_add(end).filter(|after| *after <= most)?;
        for at in end..after.min(self.bytes.len()) {
            let byte = *self.bytes.get(at.wrapping_sub(len))?;
            *self.bytes.get_mut(at)? = byte;
        }
        self.leaves = after;
        Some(())
    }

    /// Writes a byte of choices.
    #[inline(never)]
    pub(super) fn choice(&mut self, byte: u8) {
        if let Some(slot) = self.bytes.get_mut(self.choices) {
            *slot = byte;
        }
        self.choices = self.choices.wrapping_add(self.step);
    }
}

/// Numbers of seven bits a byte, the lowest first. Each width has its own functions, because on a small machine a shift of a wide number
/// is a call.
macro_rules! numbers {
    ($($number:ident $take:ident $zigzag:ident $unzigzag:ident $word:ident $signed:ident;)*) => {$(
        pub(super) fn $number(mut number: $word, out: &mut RecordWriter<'_>) {
            while number >= 128 {
                out.byte(number.to_le_bytes()[0] | 128);
                number >>= 7;
            }
            out.byte(number.to_le_bytes()[0]);
        }

        pub(super) fn $take(bytes: &mut &[u8]) -> Option<$word> {
            let (mut number, mut shift) = (0, 0u32);
            loop {
                let byte = *bytes.split_off_first()?;
                let part = $word::from(byte & 127);
                let shifted = part.checked_shl(shift)?;
                if shifted >> shift != part {
                    return None;
                }
                number |= shifted;
                if byte < 128 {
                    return Some(number);
                }
                shift = shift.wrapping_add(7);
            }
        }

        pub(super) fn $zigzag(number: $signed, out: &mut RecordWriter<'_>) {
            $number(((number << 1) ^ (number >> ($signed::BITS - 1))).cast_unsigned(), out);
        }

        pub(super) fn $unzigzag(bytes: &mut &[u8]) -> Option<$signed> {
            let number = $take(bytes)?;
            Some((number >> 1).cast_signed() ^ (number & 1).cast_signed().wrapping_neg())
        }
    )*};
}
numbers! {
    number32 take_number32 zigzag32 unzigzag32 u32 i32;
    number64 take_number64 zigzag64 unzigzag64 u64 i64;
    number128 take_number128 zigzag128 unzigzag128 u128 i128;
}

/// Reads a byte from the front.
pub(super) fn take_byte(bytes: &mut &[u8]) -> Option<u8> {
    bytes.split_off_first().copied()
}

/// Reads `N` bytes from the front.
pub(crate) fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

/// Writes a byte string after its length.
pub(super) fn save_bytes(bytes: &[u8], out: &mut RecordWriter<'_>) {
    number32(u32::try_from(bytes.len()).unwrap_or(u32::MAX), out);
    out.all(bytes);
}

/// Reads a length and that many bytes.
pub(super) fn take_bytes<'b>(bytes: &mut &'b [u8]) -> Option<&'b [u8]> {
    let len = take_number32(bytes)?;
    bytes.split_off(..usize::try_from(len).ok()?)
}

/// Reads a length and that many bytes of a text.
pub(super) fn take_text<'b>(bytes: &mut &'b [u8]) -> Option<&'b str> {
    core::str::from_utf8(take_bytes(bytes)?).ok()
}
