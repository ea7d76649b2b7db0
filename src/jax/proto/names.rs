//! The strings of a proto by the order of their first use: found by their bits, without hashes.

use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::format::head::{Form, Item, read_item};
use crate::format::value::read_run;

/// One distinct key while a treedef is written as a proto: 16 bytes.
///
/// [`proto_into_with`](super::proto_into_with) takes a slice of them; `ProtoKey::default()` fills it.
#[derive(Clone, Copy, Default)]
pub struct ProtoKey {
    /// Where the key stands in the treedef.
    at: u32,
    /// The bit that the inner node of this entry asks for, counted from 1; 0 for the first entry, which has none.
    bit: u32,
    /// Where to go on if the bit is zero and if it is one.
    next: [u32; 2],
}

debug_struct!([] ProtoKey { at });

/// A binary trie over the keys met so far: entry `i` is the key with the id `i` and the inner node that was made for
/// it.
///
/// Down the trie bits increase, and a key hangs below the inner node of its entry. So a link to an entry whose bit does
/// not increase is a link to its key. A look-up asks for at most each bit of a key once: no choice of keys makes it
/// quadratic.
pub(super) struct Names<'d, 's> {
    def: &'d [u8],
    keys: &'s mut [ProtoKey],
    len: u32,
    root: u32,
}

impl<'d, 's> Names<'d, 's> {
    /// No keys yet of the treedef with these bytes.
    pub(super) fn new(def: &'d [u8], keys: &'s mut [ProtoKey]) -> Self {
        Self { def, keys, len: 0, root: 0 }
    }

    /// The id of the key that stands at `at`; the next one where it is new.
    pub(super) fn id(&mut self, at: usize) -> Result<u32, Error> {
        let key = self.text(at);
        // Bits are counted in 32 bits.
        if key.len() >= u32::MAX as usize >> 3 {
            return Err(Error::TooLarge);
        }
        let mut bit = 0;
        if self.len > 0 {
            let (nearest, _, _) = self.descend(key, u32::MAX);
            match difference(key, self.text(self.entry(nearest).at as usize)) {
                Some(first) => bit = first,
                None => return Ok(nearest),
            }
        }
        self.insert(key, at, bit)
    }

    /// The keys in the order of their ids.
    pub(super) fn in_order(&self) -> impl Iterator<Item = &'d [u8]> {
        let met = self.keys.get(..self.len as usize).unwrap_or(&[]);
        met.iter().map(|key| self.text(key.at as usize))
    }

    fn insert(&mut self, key: &[u8], at: usize, bit: u32) -> Result<u32, Error> {
        let (below, above, side) = self.descend(key, bit);
        let (id, room) = (self.len, self.keys.len());
        let mut next = [below; 2];
        if let Some(own) = next.get_mut(usize::from(is_one(key, bit))) {
            *own = id;
        }
        let Some(entry) = self.keys.get_mut(id as usize) else {
            return Err(Error::KeysFull { needed: number_of_keys(self.def), room });
        };
        *entry = ProtoKey { at: u32::try_from(at).map_err(|_| Error::TooLarge)?, bit, next };
        match above.and_then(|above| self.keys.get_mut(above as usize)?.next.get_mut(side)) {
            Some(link) => *link = id,
            None => self.root = id,
        }
        self.len = id.wrapping_add(1);
        Ok(id)
    }

    /// Goes down along the bits of `key`, to a key or to the first inner node that asks for `most` or a later bit;
    /// gives that entry, the inner node above it and which link of that led here.
    fn descend(&self, key: &[u8], most: u32) -> (u32, Option<u32>, usize) {
        let (mut at, mut above, mut side, mut bit) = (self.root, None, 0, 0);
        loop {
            let entry = self.entry(at);
            if entry.bit <= bit || entry.bit >= most {
                return (at, above, side);
            }
            (above, bit) = (Some(at), entry.bit);
            side = usize::from(is_one(key, bit));
            let [zero, one] = entry.next;
            at = if side == 0 { zero } else { one };
        }
    }

    fn entry(&self, id: u32) -> ProtoKey {
        self.keys.get(id as usize).copied().unwrap_or_default()
    }

    fn text(&self, at: usize) -> &'d [u8] {
        self.def.get(at..).and_then(read_run).map_or(&[], |(text, _)| text)
    }
}

/// A byte of a key. Behind its end stands a byte that UTF-8 lacks, so no key is the beginning of another one.
fn byte(key: &[u8], at: usize) -> u8 {
    key.get(at).copied().unwrap_or(0xFF)
}

/// Whether a key has a one at `bit`, counted from 1.
fn is_one(key: &[u8], bit: u32) -> bool {
    let bit = bit.saturating_sub(1);
    byte(key, (bit >> 3) as usize) << (bit & 7) & 0x80 != 0
}

/// The first bit in which two keys differ, counted from 1.
fn difference(a: &[u8], b: &[u8]) -> Option<u32> {
    let (mut rest, mut at) = ((a, b), 0usize);
    while let ([x, a @ ..], [y, b @ ..]) = rest
        && x == y
    {
        (rest, at) = ((a, b), at.wrapping_add(1));
    }
    let differing = byte(a, at) ^ byte(b, at);
    if differing == 0 {
        return None;
    }
    let bits = u32::try_from(at).ok()?.wrapping_mul(8);
    Some(bits.wrapping_add(differing.leading_zeros()).wrapping_add(1))
}

/// The string keys that a treedef writes: as many as there can be distinct ones.
fn number_of_keys(mut def: &[u8]) -> usize {
    let mut keys = 0usize;
    while let Ok((item, rest)) = read_item(def) {
        def = rest;
        if let Item::Node(head) = item
            && head.form() == Some(Form::Str)
        {
            keys = keys.saturating_add(head.num_children());
        }
    }
    keys
}
