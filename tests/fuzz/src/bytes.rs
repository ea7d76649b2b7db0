//! Reads choices from the bytes of an input.

use treedef::TreeDef;

pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl<'a> Bytes<'a> {
    /// The next byte, or 0 at the end.
    pub(crate) fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        *first
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) % end
    }

    pub(crate) fn number(&mut self) -> u32 {
        u32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()])
    }

    /// At most `count` bytes.
    pub(crate) fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        taken
    }

    /// The treedef that the bytes begin with, or a leaf.
    pub(crate) fn treedef(&mut self) -> TreeDef<'a> {
        match TreeDef::from_prefix(self.0) {
            Ok((def, rest)) => {
                self.0 = rest;
                def
            }
            Err(_) => TreeDef::LEAF,
        }
    }
}
