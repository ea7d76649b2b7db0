//! Finds the parts of frames with the schema of their type, for a program that does not have the type.
//!
//! The schema is made into steps once, which name nothing. Those of `(u8, Option<[f32; 2]>, heapless::Vec<bool, 4>)`:
//!
//! ```text
//! 00 01                  one byte of leaves
//! 01 02 00               an option, whose steps are the next 2 bytes:
//!       00 08            8 bytes of leaves
//! 02 04 02 00            a list of at most 4, the steps of an element are 2 bytes:
//!       00 01            one byte of leaves
//! ```

use crate::base::show::debug_struct;
use crate::encode::depth::MAX_DEPTH;
use crate::encode::schema::is_constant;
use crate::format::head::{Head, Item, read_item};
use crate::format::keys::Keys;
use crate::format::value::Value;
use crate::format::varint::read_choice;
use crate::record::bytes::{RecordWriter, number64, take};
use crate::record::frame::leaf::width_of;
use crate::record::frame::parts::{FrameError, FrameParts, opened, parts};
use crate::treedef::scan::skip;
use crate::treedef::treedef::TreeDef;

/// What frames of a type are, by its schema: for a gateway, a logger or a test that does not have the type. `N` is the room for it, in
/// bytes: one to three for each option, list, enum and variant in the type, and for the leaves between them.
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
/// As a list, with as many values before the steps.
const MAP: u8 = 3;
/// Before a number and the length of steps: the steps that many times.
const ARRAY: u8 = 4;
/// Before a number, and that many lengths with their steps: a choice, and those of its index.
const ENUM: u8 = 5;
/// Before the index of a [`BLOCK`].
const CALL: u8 = 6;
/// Before the length of steps: the steps, which a recursion leads to.
const BLOCK: u8 = 7;
/// Before a number: that many values.
const VALUES: u8 = 8;

/// The names of nodes of a schema that are no type names: at the index of their step, and one that has none.
const NAMES: [&str; 8] =
    ["a leaf", "an option", "a list", "a map", "an array", "an enum", "a recursion", "any tree"];

/// A node of a schema.
struct Node<'s> {
    head: Head<'s>,
    /// The step that it becomes; `None` of a tuple, a struct, a variant, or an enum of one.
    step: Option<u8>,
    /// The bytes after the head.
    rest: &'s [u8],
}

impl<'s> Node<'s> {
    /// The node at the front of `bytes`.
    #[inline(never)]
    fn read(bytes: &'s [u8]) -> Option<Self> {
        let (Item::Node(head), rest) = read_item(bytes)? else { return None };
        let name = head.type_name();
        let step = NAMES.iter().zip(0u8..).find(|(own, _)| name == Some(own)).map(|(_, at)| at);
        let step = step.filter(|step| *step != ENUM || head.arity() != 1);
        Some(Self { head, step, rest })
    }

    /// The meta field with this name.
    #[inline(never)]
    fn note(&self, name: &str) -> Option<Value<'s>> {
        self.head.meta_fields().find(|(own, _)| *own == name).map(|(_, value)| value)
    }

    /// The capacity of a list or map, or the number of elements of an array.
    fn room(&self) -> usize {
        match self.note("room") {
            Some(Value::Int(room)) => usize::try_from(room).unwrap_or(usize::MAX),
            _ => usize::MAX,
        }
    }

    /// The number of values of meta fields that are open.
    #[inline(never)]
    fn num_open(&self) -> u64 {
        let open = self.head.meta_fields().filter(|(_, value)| !is_constant(value));
        open.fold(0, |open, _| open.wrapping_add(1))
    }
}

impl<const N: usize> FrameSchema<N> {
    /// What frames of the type with this [schema](crate::schema_of) are. Make it once for many frames.
    ///
    /// # Errors
    ///
    /// [`FrameError::Schema`] if it is no schema of a type that has frames; [`FrameError::NoRoom`] with the `N` that is needed.
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
    /// assert_eq!(error.to_string(), "schema is none of a type that has frames");
    /// ```
    pub fn new(schema: TreeDef<'_>) -> Result<Self, FrameError> {
        let (mut steps, [first, ..]) = ([0; N], schema.fingerprint().to_le_bytes());
        let (mut rest, mut recurs) = (schema.as_bytes(), false);
        while let Some(node) = Node::read(rest) {
            recurs |= node.step == Some(CALL);
            rest = node.rest;
        }
        let mut making = Making { out: RecordWriter::new(&mut steps), width: 0, recurs };
        let has_choices = constant(schema.as_bytes(), 0).is_none();
        making.tree(schema.as_bytes(), None, 0).ok_or(FrameError::Schema)?;
        making.flush();
        let len = making.out.leaves;
        if len > N {
            return Err(FrameError::NoRoom { needed: len, room: N });
        }
        Ok(Self { steps, len, first, has_choices })
    }

    /// The parts of a frame, which is all of `frame`, if it is one of the type.
    ///
    /// The choices are those of a value, and there are as many leaves as it has. What the leaves are is not looked at: a `bool` can be
    /// neither 0 nor 1, a `NonZero` 0. Nor is the type of keys and values of meta fields, or whether two keys are equal.
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
        let mut walk = Walk { steps, choices: parts.choices, leaves: 0, levels: 0 };
        let read = walk.run(steps);
        match read.is_some() && walk.choices.is_empty() && walk.leaves == parts.leaves.len() {
            true => Ok(parts),
            false => Err(FrameError::Damaged { at: len }),
        }
    }
}

/// The bytes of the leaves of all values with the schema at the front of `bytes`, and what follows this; `None` if it leaves something
/// open, or is no schema.
fn constant(bytes: &[u8], level: u32) -> Option<(usize, &[u8])> {
    let node = Node::read(bytes)?;
    let level = level.checked_add(1).filter(|level| *level <= MAX_DEPTH.wrapping_add(1))?;
    match node.step {
        Some(FIXED) => Some((width_of(node.note("type")?.as_str()?)?, node.rest)),
        Some(ARRAY) => match node.room() {
            0 => Some((0, skip(node.rest)?.rest)),
            count => {
                let (width, rest) = constant(node.rest, level)?;
                Some((width.checked_mul(count)?, rest))
            }
        },
        None if node.num_open() == 0 => {
            let (mut sum, mut rest) = (0usize, node.rest);
            for _ in 0..node.head.arity() {
                let width;
                (width, rest) = constant(rest, level)?;
                sum = sum.checked_add(width)?;
            }
            Some((sum, rest))
        }
        _ => None,
    }
}

/// Makes steps.
struct Making<'m> {
    out: RecordWriter<'m>,
    /// The bytes of leaves that are no step yet.
    width: usize,
    /// Whether there is a recursion.
    recurs: bool,
}

/// A node of the schema that is open: its bytes, its step, whether it asks for a choice, and the nodes around it.
struct Around<'a, 's> {
    bytes: &'s [u8],
    at: usize,
    chooses: bool,
    outer: Option<&'a Around<'a, 's>>,
}

impl Around<'_, '_> {
    /// Whether it is the struct of this name, or the enum whose first variant has it.
    fn is_named(&self, name: &str) -> bool {
        let head = Head::trusted(self.bytes);
        let head = match head.type_name() {
            Some("an enum") => {
                Head::trusted(self.bytes.get(head.as_bytes().len()..).unwrap_or_default())
            }
            _ => head,
        };
        head.type_name() == Some(name)
    }
}

impl Making<'_> {
    /// Makes the steps of the schema at the front of `bytes`, and returns what follows this.
    fn tree<'s>(
        &mut self,
        bytes: &'s [u8],
        outer: Option<&Around<'_, 's>>,
        level: u32,
    ) -> Option<&'s [u8]> {
        if let Some((width, rest)) = constant(bytes, level) {
            self.width = self.width.checked_add(width)?;
            return Some(rest);
        }
        let node = Node::read(bytes)?;
        let level = level.checked_add(1).filter(|level| *level <= MAX_DEPTH.wrapping_add(1))?;
        let chooses = matches!(node.step, Some(OPTION | LIST | MAP | ENUM));
        let is_block = self.recurs && matches!(node.step, None | Some(ENUM));
        if is_block {
            self.flush();
        }
        let around = &Around { bytes, at: self.out.leaves, chooses, outer };
        match node.step {
            Some(CALL) => {
                self.recursion(node.note("to")?.as_str()?, outer)?;
                Some(node.rest)
            }
            Some(step @ (OPTION | LIST | MAP | ARRAY)) => {
                self.step(step);
                if step != OPTION {
                    number64(node.room() as u64, &mut self.out);
                }
                self.sized(|steps| steps.tree(node.rest, Some(around), level))
            }
            None | Some(ENUM) if is_block => {
                self.step(BLOCK);
                self.sized(|steps| steps.record(&node, around, level))
            }
            None | Some(ENUM) => self.record(&node, around, level),
            _ => None,
        }
    }

    /// Makes the steps of a struct, tuple or enum.
    fn record<'s>(
        &mut self,
        node: &Node<'s>,
        around: &Around<'_, 's>,
        level: u32,
    ) -> Option<&'s [u8]> {
        let open = node.num_open();
        if around.chooses {
            self.step(ENUM);
            number64(node.head.arity().into(), &mut self.out);
        } else if open > 0 {
            self.step(VALUES);
            number64(open, &mut self.out);
        }
        let mut rest = node.rest;
        for _ in 0..node.head.arity() {
            rest = match around.chooses {
                true => self.sized(|steps| steps.tree(rest, Some(around), level))?,
                false => self.tree(rest, Some(around), level)?,
            };
        }
        Some(rest)
    }

    /// Makes the step of a recursion to the type with this name, which is around. A value of a type ends, so there is a choice between.
    fn recursion(&mut self, to: &str, mut outer: Option<&Around<'_, '_>>) -> Option<()> {
        let mut is_chosen = false;
        loop {
            let here = outer?;
            is_chosen |= here.chooses;
            if here.is_named(to) {
                self.step(CALL);
                self.out.all(&u16::try_from(here.at).ok()?.to_le_bytes());
                return is_chosen.then_some(());
            }
            outer = here.outer;
        }
    }

    /// Begins a step.
    fn step(&mut self, step: u8) {
        self.flush();
        self.out.byte(step);
    }

    /// Makes a step of the leaves so far.
    #[inline(never)]
    fn flush(&mut self) {
        if self.width > 0 {
            self.out.byte(FIXED);
            number64(self.width as u64, &mut self.out);
            self.width = 0;
        }
    }

    /// Makes steps, with their length before them.
    fn sized<'s>(&mut self, make: impl FnOnce(&mut Self) -> Option<&'s [u8]>) -> Option<&'s [u8]> {
        let at = self.out.leaves;
        self.out.all(&[0; 2]);
        let rest = make(self)?;
        self.flush();
        let end = self.out.leaves;
        let len = u16::try_from(end.wrapping_sub(at).wrapping_sub(2)).ok()?;
        self.out.leaves = at;
        self.out.all(&len.to_le_bytes());
        self.out.leaves = end;
        Some(rest)
    }
}

/// The most steps that are inside each other. A level of a value has up to four: a recursion, an enum, and two options or an array of lists.
const MOST_LEVELS: u32 = 4 * MAX_DEPTH;

/// The choices that are left of a frame, and the bytes of the leaves so far.
struct Walk<'w, 'f> {
    steps: &'w [u8],
    choices: &'f [u8],
    leaves: usize,
    levels: u32,
}

impl Walk<'_, '_> {
    /// Follows steps. `None` if the choices are those of no value.
    fn run(&mut self, mut steps: &[u8]) -> Option<()> {
        self.levels = self.levels.wrapping_add(1);
        if self.levels > MOST_LEVELS {
            return None;
        }
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
                kind @ (LIST | MAP | ARRAY) => {
                    let room = number(&mut steps)?;
                    let inner = sized(&mut steps)?;
                    let count = if kind == ARRAY { room } else { number(&mut self.choices)? };
                    if count > room {
                        return None;
                    }
                    if kind == MAP {
                        self.values(count)?;
                    }
                    self.repeat(count, inner)?;
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
                VALUES => self.values(number(&mut steps)?)?,
                BLOCK => steps = steps.get(2..)?,
                _ => {
                    let at = u16::from_le_bytes(take(&mut steps)?);
                    // After the byte of the step.
                    let mut block = self.steps.get(usize::from(at).wrapping_add(1)..)?;
                    self.run(sized(&mut block)?)?;
                }
            }
        }
        self.levels = self.levels.wrapping_sub(1);
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

    fn values(&mut self, count: usize) -> Option<()> {
        (_, self.choices) = Keys::of_values(count, self.choices)?;
        Some(())
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
