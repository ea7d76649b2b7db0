//! Finds the parts of frames with the schema of their type, for a program that does not have the type.
//!
//! The schema is made into steps once, which name nothing. Those of `(u8, Option<[f32; 2]>, heapless::Vec<(bool, Option<u16>), 4>)`, after
//! one byte of leaves that each value has:
//!
//! ```text
//! 00 02 08               an option: a choice below 2, and 8 bytes of leaves if it is 1
//! 00 05 00               a list: a choice below 5, the number of elements
//! 05 03 00               for each element, the steps in the next 3 bytes:
//!    00 02 02               an option: a choice below 2, and 2 bytes of leaves if it is 1
//! 04 00 01               and for each element, one byte of leaves
//! ```

use crate::base::attempt::attempt;
use crate::base::show::debug_struct;
use crate::encode::depth::MAX_DEPTH;
use crate::format::head::Kind;
use crate::format::varint::read_choice;
use crate::record::frame::leaf::width_of;
use crate::record::frame::parts::{FrameError, FrameParts, opened, parts};
use crate::record::page_node::{Node, count_meta};
use crate::tree::build::from_choices::MOST_EMPTY;
use crate::treedef::treedef::TreeDef;

/// What frames of a type are, by its schema: for a gateway, a logger or a test that does not have the type. `N` is the room for it, in
/// bytes: about three for each option, list, enum and variant in the type, and twice as many for one with others in it.
///
/// There is none of a type with a map, with a meta field that is not a constant, or that contains itself: the type itself reads its frames.
///
/// # Examples
///
/// ```
/// use treedef::record::frame::{FrameError, FrameSchema, frame_into};
/// use treedef::{TreeDef, schema_of};
///
/// type Status = (Option<u16>, heapless::Vec<f32, 4>);
/// let page = schema_of::<Status>().as_bytes(); // as it was sent once
///
/// let schema = FrameSchema::<32>::new(TreeDef::from_bytes(page).unwrap()).unwrap();
/// let mut frame = [0; 16];
/// let status: Status = (None, heapless::Vec::from_slice(&[1.0, 2.0]).unwrap());
/// let len = frame_into(&status, &mut frame)?;
/// let parts = schema.parts(&frame[..len]).unwrap();
/// assert_eq!((parts.choices, parts.leaves.len()), (&[0, 2][..], 8));
/// assert_eq!(schema.parts(&frame[..len - 1]), Err(FrameError::Damaged { at: len - 1 }));
///
/// // A program that knows the type when it is compiled has neither the schema nor what makes this of it.
/// static STATUS: Result<FrameSchema<8>, FrameError> = FrameSchema::new(schema_of::<Status>());
/// assert!(STATUS.is_ok_and(|schema| schema.parts(&frame[..len]).is_ok()));
/// # Ok::<(), treedef::Error>(())
/// ```
#[derive(Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FrameSchema<const N: usize> {
    steps: [u8; N],
    len: usize,
    /// The bytes of leaves that each value has.
    width: usize,
    first: u8,
}

debug_struct!([const N: usize] FrameSchema<N> { len, width, first });

// A step is its kind, a number and a width. It sets a count, and adds the width as many times to the bytes of leaves.
/// The count is a choice below the number.
const CHOICE: u8 = 0;
/// The count is a choice.
const ANY: u8 = 1;
/// The count is 1 if the choice before is the number, otherwise 0.
const CASE: u8 = 2;
/// The count is the number.
const ARRAY: u8 = 3;
/// The count is that of the step before.
const AGAIN: u8 = 4;
/// Has a length in place of number and width: that many bytes after it are steps, which are followed as many times as the count says.
const INNER: u8 = 5;
/// Adds nothing: its number and width are the higher bytes of those of the next step.
const HIGH: u8 = 6;

impl<const N: usize> FrameSchema<N> {
    /// What frames of the type with this [schema](crate::schema_of) are. Make it once for many frames; in a `const`, if the schema is
    /// one, so that a program has only what is made.
    ///
    /// # Errors
    ///
    /// [`FrameError::Schema`] if it is no schema, or that of a type whose frames are not checked, or that has none; [`FrameError::NoRoom`]
    /// with the `N` that is needed.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::record::frame::{FrameError, FrameSchema};
    /// use treedef::schema_of;
    ///
    /// assert!(FrameSchema::<2>::new(schema_of::<[f32; 2]>()).is_ok());
    /// let error = FrameSchema::<2>::new(schema_of::<Option<f32>>()).unwrap_err();
    /// assert_eq!(error, FrameError::NoRoom { needed: 3, room: 2 });
    /// let error = const { FrameSchema::<8>::new(schema_of::<char>()) }.unwrap_err();
    /// assert_eq!(error.to_string(), "schema is none of a type whose frames can be checked by it");
    /// ```
    pub const fn new(schema: TreeDef<'_>) -> Result<Self, FrameError> {
        let (mut steps, [first, ..]) = ([0; N], schema.fingerprint().to_le_bytes());
        let mut making = Making { page: schema.as_bytes(), steps: &mut steps, len: 0, width: 0 };
        if making.tree(0, 0).is_none() {
            return Err(FrameError::Schema);
        }
        let Making { len, width, .. } = making;
        if len > N {
            return Err(FrameError::NoRoom { needed: len, room: N });
        }
        Ok(Self { steps, len, width, first })
    }

    /// The parts of a frame, which is all of `frame`, if it is one of the type.
    ///
    /// The choices are those of a value, and there are as many leaves as it has. What the leaves are is not looked at: a `bool` can be
    /// neither 0 nor 1, a `NonZero` 0.
    ///
    /// # Errors
    ///
    /// [`FrameError::OtherType`]; [`FrameError::Damaged`] with the length of the frame.
    ///
    /// # Examples
    ///
    /// [`FrameSchema`] has an example.
    pub fn parts<'f>(&self, frame: &'f [u8]) -> Result<FrameParts<'f>, FrameError> {
        self.of_body(opened(frame, self.first)?, frame.len())
    }

    /// As [`FrameSchema::parts`], of a frame without its first byte.
    ///
    /// # Errors
    ///
    /// [`FrameError::Damaged`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::record::frame::FrameSchema;
    /// use treedef::schema_of;
    ///
    /// let schema = FrameSchema::<8>::new(schema_of::<Option<u16>>()).unwrap();
    /// assert_eq!(schema.body_parts(&[1, 1, 7, 0]).map(|parts| parts.leaves), Ok(&[7, 0][..]));
    /// assert!(schema.body_parts(&[1, 0, 7, 0]).is_err());
    /// ```
    pub fn body_parts<'f>(&self, body: &'f [u8]) -> Result<FrameParts<'f>, FrameError> {
        self.of_body(body, body.len())
    }

    fn of_body<'f>(&self, body: &'f [u8], len: usize) -> Result<FrameParts<'f>, FrameError> {
        let parts = parts(body, self.len > 0, len)?;
        let steps = self.steps.get(..self.len).unwrap_or_default();
        let mut walk = Walk { choices: parts.choices, leaves: self.width };
        let read = walk.run(steps);
        match read.is_some() && walk.choices.is_empty() && walk.leaves == parts.leaves.len() {
            true => Ok(parts),
            false => Err(FrameError::Damaged { at: len }),
        }
    }
}

/// Makes steps.
struct Making<'m> {
    /// The schema.
    page: &'m [u8],
    steps: &'m mut [u8],
    /// The number of steps in bytes, including those that have no room.
    len: usize,
    /// The bytes of leaves that each value has.
    width: usize,
}

impl Making<'_> {
    /// Makes the steps of what the node at this position of the schema describes, and returns the position after it.
    const fn tree(&mut self, at: usize, level: u32) -> Option<usize> {
        let node = Node::at(self.page, at);
        let (level, count, mut child) = (level.wrapping_add(1), node.count(), node.inside_at());
        let is_node = matches!(node.head.kind(), Kind::Struct | Kind::Tuple);
        if !is_node || level > MAX_DEPTH.wrapping_add(1) {
            return None;
        }
        let name = node.name();
        match name {
            b"a leaf" => {
                self.width = attempt!(self.width.checked_add(attempt!(width_of(node.leaf()))));
                Some(child)
            }
            b"an option" => self.branch(CHOICE, 2, child, level),
            b"a list" | b"an array" => match (name, attempt!(node.room())) {
                (b"a list", usize::MAX) => self.branch(ANY, 0, child, level),
                (b"a list", room) => self.branch(CHOICE, room.wrapping_add(1), child, level),
                (_, 0) => Some(Node::end_of(self.page, child)),
                (_, room) => self.branch(ARRAY, room, child, level),
            },
            b"an enum" if count != 1 => {
                self.step(CHOICE, count, 0);
                let mut index = 0;
                while index < count {
                    child = attempt!(self.branch(CASE, index, child, level));
                    index = index.wrapping_add(1);
                }
                Some(child)
            }
            b"a map" | b"a recursion" | b"any tree" => None,
            _ if !matches!(count_meta(node.head.meta()), [0, _]) => None,
            _ => {
                let mut left = count;
                while left > 0 {
                    child = attempt!(self.tree(child, level));
                    left = left.wrapping_sub(1);
                }
                Some(child)
            }
        }
    }

    /// Makes a step.
    const fn step(&mut self, kind: u8, number: usize, width: usize) {
        if number > 255 || width > 255 {
            self.step(HIGH, number >> 8, width >> 8);
        }
        self.put([kind, number.to_le_bytes()[0], width.to_le_bytes()[0]]);
    }

    const fn put(&mut self, step: [u8; 3]) {
        if let Some((_, rest)) = self.steps.split_at_mut_checked(self.len)
            && let Some(place) = rest.first_chunk_mut()
        {
            *place = step;
        }
        self.len = self.len.wrapping_add(3);
    }

    /// As [`Making::tree`], for what a value has as many times as a step of this kind counts.
    const fn branch(&mut self, kind: u8, number: usize, at: usize, level: u32) -> Option<usize> {
        let (start, before) = (self.len, self.width);
        self.width = 0;
        self.step(kind, number, 0);
        let inner = self.len;
        self.put([0; 3]);
        let next = attempt!(self.tree(at, level));
        let (end, mut width) = (self.len, self.width);
        self.width = before;
        if kind == ARRAY {
            // Each value has these leaves.
            self.width = attempt!(before.checked_add(attempt!(width.checked_mul(number))));
            width = 0;
        }
        let len = end.wrapping_sub(inner).wrapping_sub(3);
        if len > u16::MAX as usize {
            return None;
        }
        if len > 0 {
            let [low, high, ..] = len.to_le_bytes();
            self.len = inner;
            self.put([INNER, low, high]);
            self.len = end;
            if width > 0 {
                self.step(AGAIN, 0, width);
            }
        } else {
            self.len = start;
            match kind {
                // Elements without bytes have a bound, as where the type reads them.
                CHOICE | ANY if width == 0 => {
                    let no_more = number.wrapping_sub(1);
                    let most = if no_more < MOST_EMPTY { no_more } else { MOST_EMPTY };
                    self.step(CHOICE, most.wrapping_add(1), 0);
                }
                _ if width > 0 => self.step(kind, number, width),
                _ => {}
            }
        }
        Some(next)
    }
}

/// The choices that are left of a frame, and the bytes of the leaves so far.
struct Walk<'f> {
    choices: &'f [u8],
    leaves: usize,
}

impl Walk<'_> {
    /// Follows steps. `None` if the choices are those of no value.
    fn run(&mut self, mut steps: &[u8]) -> Option<()> {
        let (mut choice, mut count, mut high) = (0, 0, (0, 0));
        while let Some((&[kind, first, second], rest)) = steps.split_first_chunk() {
            steps = rest;
            let number = high.0 << 8 | usize::from(first);
            let width = high.1 << 8 | usize::from(second);
            high = (0, 0);
            match kind {
                CHOICE | ANY => {
                    (choice, self.choices) = read_choice(self.choices)?;
                    if kind == CHOICE && choice >= number {
                        return None;
                    }
                    count = choice;
                }
                CASE => count = usize::from(choice == number),
                ARRAY => count = number,
                INNER => {
                    let len = usize::from(u16::from_le_bytes([first, second]));
                    let inner = steps.split_off(..len)?;
                    // They read a choice each time, so the choices of a damaged frame end, however large the count is.
                    (0..count).try_for_each(|_| self.run(inner))?;
                    continue;
                }
                HIGH => {
                    high = (number, width);
                    continue;
                }
                _ => {}
            }
            self.leaves = self.leaves.checked_add(count.checked_mul(width)?)?;
        }
        Some(())
    }
}
