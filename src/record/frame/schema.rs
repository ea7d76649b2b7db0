//! Finds the parts of frames with the schema of their type, for a program that does not have the type.
//!
//! The schema is made into steps once, which name nothing. Those of `(u8, Option<[f32; 2]>, heapless::Vec<bool, 4>)`:
//!
//! ```text
//! 00 01                  one byte of leaves
//! 01 02 00               an option, whose steps are the next 2 bytes:
//!       00 08            8 bytes of leaves
//! 02 04 02 00            a list of at most 4, the steps of an element are the next 2 bytes:
//!       00 01            one byte of leaves
//! ```

use crate::base::show::debug_struct;
use crate::encode::depth::MAX_DEPTH;
use crate::encode::schema::is_literal;
use crate::format::head::{Item, read_item};
use crate::format::value::Value;
use crate::format::varint::read_choice;
use crate::record::bytes::{RecordWriter, number64, take};
use crate::record::frame::leaf::width_of;
use crate::record::frame::parts::{FrameError, FrameParts, opened, parts};
use crate::treedef::scan::skip;
use crate::treedef::treedef::TreeDef;

/// What frames of a type are, by its schema: for a gateway, a logger or a test that does not have the type. `N` is the room for it, in
/// bytes: about five for each option, list, enum and variant in the type.
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
/// # Ok::<(), treedef::Error>(())
/// ```
#[derive(Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FrameSchema<const N: usize> {
    steps: [u8; N],
    len: usize,
    first: u8,
    has_choices: bool,
}

debug_struct!([const N: usize] FrameSchema<N> { len, first, has_choices });

// The steps. Numbers in them are those of choices, lengths have two bytes.
/// Before a number: that many bytes of leaves.
const FIXED: u8 = 0;
/// Before the length of steps: a choice, and the steps if it is 1.
const OPTION: u8 = 1;
/// Before a number and the length of steps: a choice, at most the number, and the steps as many times.
const LIST: u8 = 2;
/// Before a number and the length of steps: the steps that many times.
const ARRAY: u8 = 3;
/// Before a number, and that many lengths with their steps: a choice, and those of its index.
const ENUM: u8 = 4;

impl<const N: usize> FrameSchema<N> {
    /// What frames of the type with this [schema](crate::schema_of) are. Make it once for many frames.
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
    /// assert_eq!(error, FrameError::NoRoom { needed: 5, room: 2 });
    /// let error = FrameSchema::<8>::new(schema_of::<char>()).unwrap_err();
    /// assert_eq!(error.to_string(), "schema is none of a type whose frames can be checked by it");
    /// ```
    pub fn new(schema: TreeDef<'_>) -> Result<Self, FrameError> {
        let (mut steps, [first, ..]) = ([0; N], schema.fingerprint().to_le_bytes());
        let out = RecordWriter::new(&mut steps);
        let mut making = Making { out, width: 0, flushed: 0, steps: 0 };
        making.tree(schema.as_bytes(), 0).ok_or(FrameError::Schema)?;
        making.flush();
        let (len, has_choices) = (making.out.leaves, making.steps > 0);
        if len > N {
            return Err(FrameError::NoRoom { needed: len, room: N });
        }
        Ok(Self { steps, len, first, has_choices })
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
        let parts = parts(body, self.has_choices, len)?;
        let steps = self.steps.get(..self.len).unwrap_or_default();
        let mut walk = Walk { choices: parts.choices, leaves: 0 };
        let read = walk.run(steps);
        match read.is_some() && walk.choices.is_empty() && walk.leaves == parts.leaves.len() {
            true => Ok(parts),
            false => Err(FrameError::Damaged { at: len }),
        }
    }
}

/// Makes steps.
struct Making<'m> {
    out: RecordWriter<'m>,
    /// The bytes of leaves that are no step yet.
    width: usize,
    /// Those that became a step last.
    flushed: usize,
    /// The number of steps that are no leaves.
    steps: usize,
}

impl Making<'_> {
    /// Makes the steps of the schema at the front of `bytes`, and returns what follows this.
    fn tree<'s>(&mut self, bytes: &'s [u8], level: u32) -> Option<&'s [u8]> {
        let (Item::Node(head), mut rest) = read_item(bytes)? else { return None };
        let level = level.checked_add(1).filter(|level| *level <= MAX_DEPTH.wrapping_add(1))?;
        let note = |name| head.meta_fields().find(|(own, _)| *own == name).map(|(_, value)| value);
        match head.type_name() {
            Some("a leaf") => {
                self.width = self.width.checked_add(width_of(note("type")?.as_str()?)?)?;
                Some(rest)
            }
            Some("an option") => {
                self.step(OPTION);
                self.sized(rest, level)
            }
            Some(kind @ ("a list" | "an array")) => {
                let room = match note("room") {
                    Some(Value::Int(room)) => usize::try_from(room).ok()?,
                    _ => usize::MAX,
                };
                if kind == "an array" && room == 0 {
                    return Some(skip(rest)?.rest);
                }
                let (at, width, steps) = (self.out.leaves, self.width, self.steps);
                self.step(if kind == "a list" { LIST } else { ARRAY });
                number64(room as u64, &mut self.out);
                rest = self.sized(rest, level)?;
                // Elements without a choice are leaves alone.
                if kind == "an array" && self.steps == steps.wrapping_add(1) {
                    let leaves = self.flushed.checked_mul(room)?;
                    (self.out.leaves, self.steps) = (at, steps);
                    self.width = width.checked_add(leaves)?;
                }
                Some(rest)
            }
            Some("an enum") if head.arity() != 1 => {
                self.step(ENUM);
                number64(head.arity().into(), &mut self.out);
                for _ in 0..head.arity() {
                    rest = self.sized(rest, level)?;
                }
                Some(rest)
            }
            Some("a map" | "a recursion" | "any tree") => None,
            _ if head.meta_fields().any(|(_, value)| !is_literal(&value)) => None,
            _ => {
                for _ in 0..head.arity() {
                    rest = self.tree(rest, level)?;
                }
                Some(rest)
            }
        }
    }

    /// As [`Making::tree`], with the length of the steps before them.
    fn sized<'s>(&mut self, bytes: &'s [u8], level: u32) -> Option<&'s [u8]> {
        let at = self.out.leaves;
        self.out.all(&[0; 2]);
        let rest = self.tree(bytes, level)?;
        self.flush();
        let end = self.out.leaves;
        let len = u16::try_from(end.wrapping_sub(at).wrapping_sub(2)).ok()?;
        self.out.leaves = at;
        self.out.all(&len.to_le_bytes());
        self.out.leaves = end;
        Some(rest)
    }

    /// Begins a step.
    fn step(&mut self, step: u8) {
        self.flush();
        self.out.byte(step);
        self.steps = self.steps.wrapping_add(1);
    }

    /// Makes a step of the leaves so far.
    fn flush(&mut self) {
        if self.width > 0 {
            self.out.byte(FIXED);
            number64(self.width as u64, &mut self.out);
        }
        (self.flushed, self.width) = (self.width, 0);
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
        while let Some(step) = steps.split_off_first() {
            match *step {
                FIXED => self.leaves = self.leaves.checked_add(number(&mut steps)?)?,
                OPTION => {
                    let inner = steps.get(2..)?;
                    sized(&mut steps)?;
                    match number(&mut self.choices)? {
                        0 => {}
                        1 => steps = inner,
                        _ => return None,
                    }
                }
                ENUM => {
                    let count = number(&mut steps)?;
                    let index = number(&mut self.choices).filter(|index| *index < count)?;
                    for variant in 0..count {
                        let inner = sized(&mut steps)?;
                        if variant == index {
                            self.run(inner)?;
                        }
                    }
                }
                kind => {
                    let room = number(&mut steps)?;
                    let inner = sized(&mut steps)?;
                    let count = if kind == ARRAY { room } else { number(&mut self.choices)? };
                    if count > room {
                        return None;
                    }
                    self.repeat(count, inner)?;
                }
            }
        }
        Some(())
    }

    /// Follows the steps of an element `count` times.
    fn repeat(&mut self, count: usize, steps: &[u8]) -> Option<()> {
        let Some(more) = count.checked_sub(1) else { return Some(()) };
        let (choices, leaves) = (self.choices.len(), self.leaves);
        self.run(steps)?;
        if self.choices.len() == choices {
            // All elements are as the first, and a damaged frame can have any number of them.
            let width = self.leaves.wrapping_sub(leaves);
            self.leaves = self.leaves.checked_add(width.checked_mul(more)?)?;
            return Some(());
        }
        (0..more).try_for_each(|_| self.run(steps))
    }
}

/// Takes a number from the front.
#[inline(never)]
fn number(bytes: &mut &[u8]) -> Option<usize> {
    if let [byte, rest @ ..] = *bytes
        && *byte < 128
    {
        *bytes = rest;
        return Some(usize::from(*byte));
    }
    let (number, rest) = read_choice(bytes)?;
    *bytes = rest;
    Some(number)
}

/// Takes a length and that many bytes from the front.
fn sized<'b>(bytes: &mut &'b [u8]) -> Option<&'b [u8]> {
    let len = u16::from_le_bytes(take(bytes)?);
    bytes.split_off(..usize::from(len))
}
