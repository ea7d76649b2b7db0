//! Defines the parts of a call key, and reads them.
//!
//! The page `format` of the documentation has the grammar, in the section on call keys.

use core::fmt;

use crate::base::decode_error::{DecodeError, DecodeErrorKind as Fault};
use crate::base::dtype::Dtype;
use crate::base::levels::Level;
use crate::base::show::{debug_as_text, separated};
use crate::cache::shape_dtype::ShapeDtype;
use crate::format::reader::Input;
use crate::format::validate::validate;
use crate::format::value::Value;
use crate::treedef::scan::skip;
use crate::treedef::treedef::TreeDef;

/// The tag of bytes of the caller. All tags have node kind 7, with which no treedef begins.
pub(super) const BYTES: u8 = 0xE0;
/// The tag of a value.
pub(super) const VALUE: u8 = 0xE1;
/// The tag of an array.
pub(super) const ARRAY: u8 = 0xE2;
/// The tag of an array of weak type.
pub(super) const WEAK_ARRAY: u8 = 0xE3;
/// The tag of an array with a symbolic dimension.
pub(super) const SYMBOLIC_ARRAY: u8 = 0xE4;
/// The tag of an array of weak type with a symbolic dimension.
const WEAK_SYMBOLIC_ARRAY: u8 = 0xE5;
/// The tag of a value with a name.
pub(super) const NAMED: u8 = 0xE6;

/// One part of a [`CallKey`](crate::CallKey).
///
/// `Display` prints a treedef as its `Debug`, and an array as JAX prints its type (`float32[3,4]`).
///
/// # Examples
///
/// ```
/// use treedef::cache::{KeyWriter, Part};
/// use treedef::{CallKey, TreeDef, Value};
///
/// let mut bytes = [0; 32];
/// let mut key = KeyWriter::new(&mut bytes);
/// key.treedef(TreeDef::LEAF).value(Value::Bool(true));
/// let parts = key.finish()?.parts();
/// assert!(parts.eq([Part::TreeDef(TreeDef::LEAF), Part::Value(Value::Bool(true))]));
/// # Ok::<(), treedef::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part<'a> {
    /// The structure of an argument: [`KeyWriter::treedef`](crate::cache::KeyWriter::treedef).
    TreeDef(TreeDef<'a>),
    /// The dtype, weak type and shape of an array: [`KeyWriter::array`](crate::cache::KeyWriter::array).
    Array(ShapeDtype<'a>),
    /// A value with a name: [`KeyWriter::named`](crate::cache::KeyWriter::named).
    Named {
        /// The name.
        name: &'a str,
        /// The value.
        value: Value<'a>,
    },
    /// A static argument: [`KeyWriter::meta`](crate::cache::KeyWriter::meta).
    Value(Value<'a>),
    /// Bytes of the caller: [`KeyWriter::bytes`](crate::cache::KeyWriter::bytes).
    Bytes(&'a [u8]),
}

/// An iterator over the parts of a [`CallKey`](crate::CallKey), in order.
///
/// # Examples
///
/// ```
/// use treedef::{CallKey, TreeDef};
///
/// assert_eq!(CallKey::of(TreeDef::LEAF).parts().count(), 1);
/// ```
#[derive(Clone)]
#[must_use = "iterators do nothing until they are consumed"]
pub struct Parts<'a> {
    rest: &'a [u8],
}

impl<'a> Parts<'a> {
    pub(super) const fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }
}

/// The item that was read, and the bytes after it.
type Read<'a, T> = Result<(T, &'a [u8]), DecodeError>;

/// Checks that untrusted bytes are parts in the form in which they are written, with nothing after them.
pub(super) fn check(bytes: &[u8], levels: &mut [Level]) -> Result<(), DecodeError> {
    if u32::try_from(bytes.len()).is_err() {
        return Err(DecodeError::new(Fault::TooLarge, bytes.len()));
    }
    let mut rest = bytes;
    while !rest.is_empty() {
        let at = bytes.len().saturating_sub(rest.len());
        let part = read(rest, |bytes| {
            let (len, sizes) = validate::<false>(bytes, levels)?;
            let (def, rest) = bytes.split_at_checked(len).unwrap_or((bytes, &[]));
            Ok((TreeDef::of_sizes(def, sizes), rest))
        });
        (_, rest) = part.map_err(|error| error.after(at))?;
    }
    Ok(())
}

/// Reads a treedef that was checked or written by this crate.
fn trusted(bytes: &[u8]) -> Read<'_, TreeDef<'_>> {
    let skipped = skip(bytes).ok_or(DecodeError::new(Fault::Truncated, 0))?;
    Ok((TreeDef::scanned(bytes, &skipped), skipped.rest))
}

/// Reads the first part. `structure` reads a treedef.
fn read<'a>(
    bytes: &'a [u8],
    structure: impl FnOnce(&'a [u8]) -> Read<'a, TreeDef<'a>>,
) -> Read<'a, Part<'a>> {
    let [tag @ BYTES..=NAMED, rest @ ..] = bytes else {
        return structure(bytes).map(|(def, rest)| (Part::TreeDef(def), rest));
    };
    let mut input = Input { rest, fault: Fault::TruncatedPart };
    match Part::take(*tag, &mut input) {
        Some(part) => Ok((part, input.rest)),
        None => Err(DecodeError::new(input.fault, 0)),
    }
}

impl<'a> Part<'a> {
    /// Reads a part with this tag, which is no treedef.
    fn take(tag: u8, input: &mut Input<'a>) -> Option<Self> {
        Some(match tag {
            BYTES => Part::Bytes(input.run()?),
            VALUE => Part::Value(Value::take(input)?),
            NAMED => Part::Named { name: input.text()?, value: Value::take(input)? },
            _ => {
                let code = input.byte()?;
                let Some(&dtype) = Dtype::ALL.get(usize::from(code)) else {
                    return input.fail(Fault::UnknownDtype(code));
                };
                let is_weak = matches!(tag, WEAK_ARRAY | WEAK_SYMBOLIC_ARRAY);
                Part::Array(ShapeDtype::take(dtype, is_weak, tag >= SYMBOLIC_ARRAY, input)?)
            }
        })
    }
}

impl<'a> Iterator for Parts<'a> {
    type Item = Part<'a>;

    fn next(&mut self) -> Option<Part<'a>> {
        let (part, rest) = read(self.rest, trusted).ok()?;
        self.rest = rest;
        Some(part)
    }
}

/// Prints the parts, separated by commas.
impl fmt::Display for Parts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        separated(f, ", ", self.clone(), |f, part| fmt::Display::fmt(&part, f))
    }
}

debug_as_text!(Parts<'_>, "Parts({})");

impl fmt::Display for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // `Debug` writes repeats once, so the text is about as long as the key.
            Part::TreeDef(def) => fmt::Debug::fmt(def, f),
            Part::Array(array) => fmt::Display::fmt(array, f),
            Part::Value(value) => fmt::Display::fmt(value, f),
            Part::Named { name, value } => write!(f, "{name}={value}"),
            Part::Bytes(bytes) => fmt::Display::fmt(&Value::Bytes(bytes), f),
        }
    }
}

debug_as_text!(Part<'_>, "{}");
