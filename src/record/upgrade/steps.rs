//! The bytes of plans, and how these and those of shapes are written while the program is compiled.

/// The largest number of two bytes: no capacity, or any length.
pub(super) const ANY: usize = 0xFFFF;

/// The numbers of a byte from here on have other meanings.
pub(super) const MOST: u8 = 0xF0;

/// The most indices of a way to a part of a value, and the most levels of a type.
pub(super) const LEVELS: usize = 24;

// What a place is made of: the first byte of its plan.
/// Its default.
pub(super) const PLAN_DEFAULT: u8 = 0;
/// Its default; without one, `None`.
pub(super) const PLAN_DEFAULT_OPTION: u8 = 1;
/// What is stored, byte for byte.
pub(super) const PLAN_SAME: u8 = 2;
/// A leaf. The next byte is its [`Conversion`](crate::record::kind::Conversion), with [`MAY_REFUSE`] if its type may refuse it, or [`NEVER`].
pub(super) const PLAN_LEAF: u8 = 3;
pub(super) const MAY_REFUSE: u8 = 0x40;
pub(super) const NEVER: u8 = 0x80;
/// An option; the next byte says whether an option is stored. Then the plan of what is in it.
pub(super) const PLAN_OPTION: u8 = 4;
/// What is in the stored option, by the plan after it.
pub(super) const PLAN_INSIDE: u8 = 5;
/// A list: two bytes of its length or [`ANY`], and of its capacity; the plan of an element that is not stored, a byte; and that of one that is.
pub(super) const PLAN_LIST: u8 = 6;
/// A map: its capacity, and the plan of an element.
pub(super) const PLAN_MAP: u8 = 7;
/// A struct or a tuple: the index of its first field in the type, and the number of its children; the number of its meta fields that are
/// choices, and of the stored ones that are lost in any case; for each of the first the index in the type, and in what is stored or
/// [`NOWHERE`]; for each child where it is stored, which is an index, [`NOWHERE`], [`FROM_ROOT`] or [`FROM_HERE`], and a plan after its length.
pub(super) const PLAN_FIELDS: u8 = 8;
/// An enum: whether the variant is a choice; then for each stored variant the index of the new one or [`NOWHERE`], and a plan after its length.
pub(super) const PLAN_ENUM: u8 = 9;
/// Its default, because what is stored is of another kind. Then the plan of a place for which nothing is stored.
pub(super) const PLAN_OTHER: u8 = 10;
/// The same for a leaf, which is never dropped if there is a default.
pub(super) const PLAN_OTHER_LEAF: u8 = 11;
/// As [`PLAN_INSIDE`], for a leaf.
pub(super) const PLAN_LEAF_INSIDE: u8 = 12;

/// Added to the first byte: an alias gives something to a part of the place.
pub(super) const HAS_MOVED: u8 = 0x80;
/// The first byte without that.
pub(super) const KIND: u8 = 0x7F;

/// No variant, no field, no meta field.
pub(super) const NOWHERE: u8 = 0xFF;
/// What a place gets is found by a way from the root, which follows: its length, and an index at each struct and tuple.
pub(super) const FROM_ROOT: u8 = 0xFE;
/// The same, from the struct that is stored around it.
pub(super) const FROM_HERE: u8 = 0xFD;

/// Bytes that are made.
pub(super) struct Steps<'m> {
    bytes: &'m mut [u8],
    /// Their number, including those that have no room.
    pub(super) len: usize,
    /// Whether a number had no room in its bytes.
    pub(super) is_too_large: bool,
}

impl<'m> Steps<'m> {
    pub(super) const fn new(bytes: &'m mut [u8]) -> Self {
        Self { bytes, len: 0, is_too_large: false }
    }

    pub(super) const fn byte(&mut self, byte: u8) {
        self.set(self.len, byte);
        self.len = self.len.saturating_add(1);
    }

    /// Replaces the byte at a place.
    pub(super) const fn set(&mut self, at: usize, byte: u8) {
        if let Some((_, rest)) = self.bytes.split_at_mut_checked(at)
            && let Some(slot) = rest.first_mut()
        {
            *slot = byte;
        }
    }

    /// Writes a number as a byte.
    pub(super) const fn small(&mut self, number: usize) {
        self.is_too_large |= number >= MOST as usize;
        let [low, ..] = number.to_le_bytes();
        self.byte(low);
    }

    /// Writes a number of two bytes, or none, as [`usize::MAX`].
    pub(super) const fn number(&mut self, number: usize) {
        self.is_too_large |= number >= ANY && number < usize::MAX;
        let [low, high, ..] = number.to_le_bytes();
        self.byte(low);
        self.byte(high);
    }

    /// The place of the length of what comes next.
    pub(super) const fn open(&mut self) -> usize {
        let at = self.len;
        self.byte(0);
        self.byte(0);
        at
    }

    /// Writes the length of what came after that place and a number of bytes.
    pub(super) const fn close(&mut self, at: usize, before: usize) {
        let len = self.len.saturating_sub(at).saturating_sub(2).saturating_sub(before);
        self.is_too_large |= len > ANY;
        let [low, high, ..] = len.to_le_bytes();
        self.set(at, low);
        self.set(at.saturating_add(1), high);
    }
}

/// A capacity or a length; `usize::MAX` without one.
pub(super) const fn or_any(number: Option<usize>) -> usize {
    match number {
        Some(number) => number,
        None => usize::MAX,
    }
}
