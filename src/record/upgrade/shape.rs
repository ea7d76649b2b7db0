//! The shape of a type: what bytes its values have in a record, without names.
//!
//! It is made of a schema page while the program is compiled. A leaf is one byte, which says how long it is; all others have five bytes in
//! front: what it is, the length of what is in it, and a number. That of `(bool, Option<[u16; 3]>, heapless::Vec<f32, 4>)`:
//!
//! ```text
//! 84 14 00 03 00         three children, after two bytes:
//!    00 00                  no meta fields
//!    01                     a leaf of 1 byte
//!    80 06 00 00 00         an option of what the next 6 bytes are:
//!       82 01 00 03 00         an array of three
//!          21                     leaves of one number
//!    81 01 00 04 00         a list of at most four
//!       04                     leaves of 4 bytes
//! ```

use crate::base::attempt::ok;
use crate::base::message::Message;
use crate::format::reader::Input;
use crate::format::value::Value;
use crate::format::varint::read_choice;
use crate::record::kind::take_leaf;
use crate::record::page_node::{Node, each_child};
use crate::record::upgrade::steps::{ANY, Steps, or_any};
use crate::tree::leaf_form::LeafForm;

// What a part is, if it is no leaf.
pub(super) const OPTION: u8 = 0x80;
/// A list of at most the number of elements; [`ANY`] is no bound.
pub(super) const LIST: u8 = 0x81;
pub(super) const ARRAY: u8 = 0x82;
/// As a list, with keys before the elements.
pub(super) const MAP: u8 = 0x83;
/// A struct or a tuple of this number of children. In front of them are the number of meta fields that are choices, and of all.
pub(super) const FIELDS: u8 = 0x84;
/// An enum of this number of variants.
pub(super) const ENUM: u8 = 0x85;

/// Writes the shape of what a node of a page describes.
///
/// # Errors
///
/// Why it has none.
pub(super) const fn write_shape(node: Node<'_>, out: &mut Steps<'_>) -> Result<(), Message> {
    let (tag, number) = match node.name() {
        b"a leaf" => {
            out.byte(LeafForm::of(node.leaf()).len());
            return Ok(());
        }
        b"an option" => (OPTION, 0),
        b"a list" => (LIST, or_any(node.room())),
        b"an array" => (ARRAY, or_any(node.room())),
        b"a map" => (MAP, or_any(node.room())),
        b"an enum" => (ENUM, node.count()),
        _ if node.is_unknown() => {
            let why = "a type contains itself, or has a container without a schema: `load_older` reads it";
            return Err(Message::new(&[why]));
        }
        _ => (FIELDS, node.count()),
    };
    out.byte(tag);
    let len = out.open();
    out.number(number);
    if tag == FIELDS {
        let [open, all] = node.count_meta();
        out.small(open);
        out.small(all);
    }
    each_child!(node, child => ok!(write_shape(child, out)));
    out.close(len, 2);
    if tag == LIST && is_empty(node.inside()) {
        // There could be any number of them.
        return Err(Message::new(&["elements of a list take no bytes: `load_older` reads it"]));
    }
    Ok(())
}

/// Whether what a node of a page describes takes no bytes: a tuple or a struct of such, or an array.
const fn is_empty(node: Node<'_>) -> bool {
    let [open, _] = node.count_meta();
    match node.name() {
        b"a leaf" | b"an option" | b"a list" | b"a map" => return false,
        b"an array" if or_any(node.room()) == 0 => return true,
        b"an enum" if node.count() != 1 => return false,
        _ if open > 0 => return false,
        _ => {}
    }
    each_child!(node, child => if !is_empty(child) { return false });
    true
}

/// What was passed: leaves, and meta fields with the keys of maps that have no leaves.
#[derive(Clone, Copy, Default)]
pub(super) struct Passed {
    pub(super) leaves: usize,
    pub(super) meta: usize,
}

/// A part of a value: its shape, its leaves and its choices, each with all that follows. `VALUES` says whether there are keys or values of
/// meta fields among the choices.
#[derive(Clone, Copy)]
pub(super) struct Part<'r, const VALUES: bool> {
    pub(super) shape: &'r [u8],
    pub(super) leaves: &'r [u8],
    pub(super) choices: &'r [u8],
}

impl<'r, const VALUES: bool> Part<'r, VALUES> {
    /// Passes what is in front of the shape of a node: what the node is, its number, and the shape in it.
    #[inline(never)]
    pub(super) fn head(&mut self) -> Option<(u8, usize, &'r [u8])> {
        let (&[tag, a, b, c, d], rest) = self.shape.split_first_chunk()?;
        let number = |bytes| usize::from(u16::from_le_bytes(bytes));
        let (inside, rest) = rest.split_at_checked(number([a, b]))?;
        self.shape = rest;
        Some((tag, number([c, d]), inside))
    }

    /// Passes a choice.
    #[inline(never)]
    pub(super) fn choice(&mut self) -> Option<usize> {
        let (choice, rest) = read_choice(self.choices)?;
        self.choices = rest;
        Some(choice)
    }

    /// Passes the count of a sequence, and the keys of a map. `tag` and `number` are of its head.
    pub(super) fn count(&mut self, tag: u8, number: usize) -> Option<usize> {
        if tag == ARRAY {
            return Some(number);
        }
        let count = self.choice()?;
        if count > number && number < ANY {
            return None;
        }
        if tag == MAP {
            self.values(count)?;
        }
        Some(count)
    }

    /// Passes keys or the values of meta fields.
    pub(super) fn values(&mut self, count: usize) -> Option<()> {
        // A program without any does not link how they are read.
        if VALUES {
            let mut rest = Input::new(self.choices);
            for _ in 0..count {
                Value::take(&mut rest)?;
            }
            self.choices = rest.rest;
        }
        Some(())
    }

    /// Goes to the variant that is here, and returns its index. `number` and `inside` are of the head of the enum.
    #[inline(never)]
    pub(super) fn variant(&mut self, number: usize, inside: &'r [u8]) -> Option<usize> {
        let variant = if number > 1 { self.choice()? } else { 0 };
        self.shape = inside;
        (0..variant).try_for_each(|_| self.head().map(|_| ()))?;
        (variant < number).then_some(variant)
    }

    /// Passes the numbers of meta fields in front of children, and the values that are choices.
    pub(super) fn meta(&mut self, inside: &'r [u8]) -> Option<[usize; 2]> {
        let (&[open, all], children) = inside.split_first_chunk()?;
        self.shape = children;
        Some([open, all].map(usize::from))
    }

    /// Passes the part.
    pub(super) fn skip(&mut self, passed: &mut Passed) -> Option<()> {
        let first = *self.shape.first()?;
        if first < OPTION {
            self.shape.split_off_first()?;
            take_leaf(first, &mut self.leaves)?;
            passed.leaves = passed.leaves.wrapping_add(1);
            return Some(());
        }
        let (tag, number, inside) = self.head()?;
        let rest = self.shape;
        match tag {
            OPTION => {
                self.shape = inside;
                match self.choice()? {
                    0 => {}
                    1 => self.skip(passed)?,
                    _ => return None,
                }
            }
            ENUM => {
                self.variant(number, inside)?;
                self.skip(passed)?;
            }
            FIELDS => {
                let [open, all] = self.meta(inside)?;
                self.values(open)?;
                passed.meta = passed.meta.wrapping_add(all);
                (0..number).try_for_each(|_| self.skip(passed))?;
            }
            _ => {
                let (count, leaves) = (self.count(tag, number)?, passed.leaves);
                for _ in 0..count {
                    self.shape = inside;
                    self.skip(passed)?;
                }
                if tag == MAP && passed.leaves == leaves {
                    passed.meta = passed.meta.wrapping_add(count);
                }
            }
        }
        self.shape = rest;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::schema_of::schema_of;

    type Three = (bool, Option<[u16; 3]>, heapless::Vec<f32, 4>);

    #[test]
    fn a_shape_is_that_of_the_page_above_and_passes_a_value() {
        let mut shape = [0; 25];
        let mut out = Steps::new(&mut shape);
        let page = schema_of::<Three>();
        assert!(write_shape(Node::root(page.as_bytes()), &mut out).is_ok());
        assert_eq!((out.len, out.is_too_large), (25, false));
        let expected = [
            [0x84, 0x14, 0, 3, 0],
            [0, 0, 0x01, 0x80, 6],
            [0, 0, 0, 0x82, 1],
            [0, 3, 0, 0x21, 0x81],
            [1, 0, 4, 0, 0x04],
        ];
        assert_eq!(shape, *expected.as_flattened());
        let leaves = [1, 5, 0xAC, 2, 7, 1, 2, 3, 4];
        let whole = Part::<false> { shape: &shape, leaves: &leaves, choices: &[1, 1] };
        let (mut part, mut passed) = (whole, Passed::default());
        assert!(part.skip(&mut passed).is_some());
        assert!(part.shape.is_empty() && part.leaves.is_empty() && part.choices.is_empty());
        assert_eq!((passed.leaves, passed.meta), (5, 0));
        for choices in [&[1, 5][..], &[2, 1], &[1]] {
            assert!(Part::<false> { choices, ..whole }.skip(&mut passed).is_none());
        }
        assert!(Part::<false> { leaves: &leaves[1..], ..whole }.skip(&mut passed).is_none());
    }
}
