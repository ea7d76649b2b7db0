//! Finds the node for a path that a person types, at run time or in `const`.
//!
//! A text is read segment by segment, with the cursor at the node that the segments before led to. Of `.axis[1].kp`:
//!
//! ```text
//! text          cursor        segment    names of the children   child
//! .axis[1].kp   Robot         name       axis, period            0
//! [1].kp        list of 3     number     counted                 1
//! .kp           Axis          name       ki, kp                  1
//!               leaf          the end
//! ```
//!
//! Names are compared with the front of the text, so no segment is cut out before the names are known: a name may
//! contain the characters that separate segments.
//!
//! Consoles on firmware type names without quotes and indices in brackets. [`plain`] and [`counted`] read these two and
//! nothing more, in few instructions; [`other`] reads every kind of name.

use crate::base::attempt::attempt;
use crate::base::error::Error;
use crate::format::head::{
    DICT, ESCAPE, EXT, EXT_SOME, Form, Item, Kind, LIST, STRUCT, TUPLE, form_of, kind_of,
    read_item_inline,
};
use crate::format::reader::{read_run, read_run_inline};
use crate::format::value_bytes::{INT, STR, skip_value};
use crate::format::varint::read_u64;
use crate::treedef::find::Found;
use crate::treedef::path_cursor::PathCursor;
use crate::treedef::treedef::TreeDef;

impl<'a> TreeDef<'a> {
    /// Finds the node for a path that a person types: `axis[0].pid[1].kp`, `params/layers/0/w`, `['a'][1].x`.
    ///
    /// It also works in `const`: [`leaf_index!`](crate::path::leaf_index) is the index of a leaf as a constant. The
    /// empty text leads to the root. Each segment leads from a node to a child:
    ///
    /// | segment | leads to the child with |
    /// |---|---|
    /// | `.w`, `/w`; at the start also `w` | the field `w`, the string key `w`, or the attribute `w` of a custom node |
    /// | `.2`, `/2`; at the start also `2` | the index or integer key 2, the string key `'2'`, or the field `2` of a tuple struct |
    /// | `[2]` | the index or integer key 2; fields have no index |
    /// | `['w']`, `["w"]` | the string key `w`; in it, a backslash comes before a quote or another backslash |
    ///
    /// If all names and keys on the way are as in the table, the text of [`Path::keystr`](crate::Path::keystr) is found, too,
    /// and that of [`Path::keystr_simple`](crate::Path::keystr_simple) with `.` or `/` as separator. [`TreeDef::find_keystr`] finds
    /// keys of every kind.
    ///
    /// A name without quotes can itself contain `.`, `/` or `[`; after it the text ends or goes on with one of them. If two
    /// names match, the longer one is taken,
    /// without going back: with the keys `a` and `a.b`, `a.b` leads to the second. If two names are equal, the first is
    /// taken: an ordered dictionary can have the keys `1` and `'1'`. A `Some` has no segment. A text that ends at a
    /// `Some` of a leaf, or at nested `Some`s of a leaf, leads to the leaf; at any other `Some` it leads to the `Some`.
    ///
    /// Takes one pass over the names of each node on the way, and one over the siblings before it, as
    /// [`TreeDef::find`].
    ///
    /// # Errors
    ///
    /// [`Error::UnknownPath`] with the byte from which the text leads nowhere; [`Error::explain_path`] lists what there
    /// is.
    ///
    /// # Examples
    ///
    /// A console that sets parameters by their names:
    ///
    /// ```
    /// # #[cfg(feature = "derive")] {
    /// use core::fmt::Write;
    /// use treedef::{Tree, TreeDef, treedef_of};
    ///
    /// #[derive(Tree)]
    /// struct Pid {
    ///     kp: f32,
    ///     ki: f32,
    /// }
    ///
    /// const DEF: TreeDef<'static> = treedef_of::<[Pid; 2]>();
    ///
    /// fn set(leaves: &mut [f32], line: &str, answer: &mut impl Write) -> core::fmt::Result {
    ///     let (path, value) = line.split_once('=').unwrap_or((line, ""));
    ///     match (DEF.find_str(path).map(|found| found.as_leaf()), value.parse()) {
    ///         (Ok(Some(index)), Ok(value)) => {
    ///             leaves[index] = value;
    ///             write!(answer, "ok")
    ///         }
    ///         (Ok(Some(_)), Err(_)) => write!(answer, "{value} is no number"),
    ///         (Ok(None), _) => write!(answer, "{path} is no parameter"),
    ///         (Err(error), _) => write!(answer, "{}", error.explain_path(DEF, path)),
    ///     }
    /// }
    ///
    /// let (mut leaves, mut answer) = ([0.0; DEF.num_leaves()], heapless::String::<80>::new());
    /// set(&mut leaves, "[1].kp=2.5", &mut answer).unwrap();
    /// assert_eq!((leaves, answer.as_str()), ([0.0, 0.0, 2.5, 0.0], "ok"));
    ///
    /// answer.clear();
    /// set(&mut leaves, "1/kd=0.5", &mut answer).unwrap();
    /// assert_eq!(answer, "no /kd (byte 1) at [1]: has .kp, .ki");
    /// # }
    /// ```
    ///
    /// Names as files of parameters have them:
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let def = treedef!({"params": {"layers": [{"b": *, "w": *}, {"b": *, "w": *}]}});
    /// for text in ["params/layers/1/w", "params.layers.1.w", "['params']['layers'][1]['w']"] {
    ///     assert_eq!(def.find_str(text)?.as_leaf(), Some(3));
    /// }
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub const fn find_str(&self, text: &str) -> Result<Found<'a>, Error> {
        let mut way = PathCursor::<false>::new(*self);
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let at = text.len().saturating_sub(rest.len());
            match segment(&mut way, rest, at == 0) {
                Some(after) => rest = after,
                None => return Err(unknown(at)),
            }
        }
        match way.found_by_text() {
            Some(found) => Ok(found),
            None => Err(unknown(text.len())),
        }
    }
}

/// Goes to the child that the segment at the front of the text leads to, and returns the text after the segment.
#[inline(never)]
const fn segment<'t>(
    way: &mut PathCursor<'_, false>,
    text: &'t [u8],
    is_first: bool,
) -> Option<&'t [u8]> {
    let (close, text) = attempt!(open(text, is_first));
    loop {
        let bytes = way.bytes();
        let first = *attempt!(bytes.first());
        let (Item::Node(head), children) = attempt!(read_item_inline(bytes)) else { return None };
        let (arity, block) = (head.arity(), head.block());
        way.children(children);
        let mut index = 0;
        let rest = match first >> 5 {
            STRUCT if close == NAME => {
                plain(text, arity, attempt!(read_run_inline(block)).1, &mut index)
            }
            DICT if close == NAME => plain(text, arity, block, &mut index),
            TUPLE | LIST => counted(close, text, &mut index),
            EXT if first & ESCAPE == EXT_SOME => {
                attempt!(way.child(0));
                continue;
            }
            _ => other(close, text, arity, first, block, &mut index),
        };
        if index < arity
            && let Some(()) = way.child(index)
        {
            return rest;
        }
        return None;
    }
}

/// The character that closes the segment at the front of the text, or [`NAME`], and the text after what opens it.
#[inline(always)]
pub(crate) const fn open(text: &[u8], is_first: bool) -> Option<(u8, &[u8])> {
    Some(match text {
        [b'[', quote @ (b'\'' | b'"'), text @ ..] => (*quote, text),
        [b'[', text @ ..] => (b']', text),
        [b'.' | b'/', text @ ..] => (NAME, text),
        _ if is_first => (NAME, text),
        _ => return None,
    })
}

/// The error for a text that leads nowhere from the byte `at` on.
pub(crate) const fn unknown(at: usize) -> Error {
    #[expect(clippy::cast_possible_truncation, reason = "a larger one is the maximum")]
    let at = if at < u32::MAX as usize { at as u32 } else { u32::MAX };
    Error::UnknownPath { at }
}

/// The mark for the end of a name without quotes: `.`, `/`, `[` or the end of the text.
pub(crate) const NAME: u8 = 0;

/// The text after a segment that is an index, in the digits that Python prints. `found` becomes the index; there may be
/// no child with it.
pub(crate) const fn counted<'t>(close: u8, text: &'t [u8], found: &mut u32) -> Option<&'t [u8]> {
    let (mut index, mut rest) = (0u32, text);
    while let [digit @ b'0'..=b'9', after @ ..] = rest {
        // A number does not begin with 0.
        if index == 0 && rest.len() < text.len() {
            return None;
        }
        index = attempt!(attempt!(index.checked_mul(10)).checked_add((*digit & 15) as u32));
        rest = after;
    }
    if rest.len() == text.len() {
        return None;
    }
    *found = index;
    after_segment(close, rest)
}

/// The text after a segment without quotes. `names` begins with the names of all children, which are strings; `found`
/// becomes the index of the child that the segment names.
#[inline(never)]
const fn plain<'t>(
    text: &'t [u8],
    arity: u32,
    mut names: &[u8],
    found: &mut u32,
) -> Option<&'t [u8]> {
    let mut longest = Longest::new(text);
    let mut index = 0u32;
    while index < arity {
        let (name, rest) = attempt!(read_run_inline(names));
        names = rest;
        if longest.is_all(index, name) {
            break;
        }
        index = index.wrapping_add(1);
    }
    longest.end(found)
}

/// The longest name that a text begins with, of equal names the first.
pub(crate) struct Longest<'t> {
    text: &'t [u8],
    start: u8,
    index: u32,
    /// How much text follows the name; more than there is if none was found.
    left: usize,
}

impl<'t> Longest<'t> {
    #[inline(always)]
    pub(crate) const fn new(text: &'t [u8]) -> Self {
        let start = match text {
            [start, ..] => *start,
            [] => 0,
        };
        Self { text, start, index: 0, left: usize::MAX }
    }

    /// Compares the next name, of the child with this index, which is written without quotes. Returns `true` if it is the
    /// whole text, so that no other name is longer.
    #[inline(always)]
    pub(crate) const fn is_all(&mut self, index: u32, name: &[u8]) -> bool {
        // Most names differ in the first byte.
        if !matches!(name, [first, ..] if *first != self.start) {
            self.offer(index, after_plain(self.text, name));
        }
        self.left == 0
    }

    /// Takes the child with this index, if its name is in the text before `after`, and longer than that of the last one.
    #[inline(always)]
    const fn offer(&mut self, index: u32, after: Option<&[u8]>) {
        if let Some(after) = after
            && after.len() < self.left
        {
            (self.index, self.left) = (index, after.len());
        }
    }

    /// The text after the longest name. `found` becomes the index of its child.
    #[inline(always)]
    pub(crate) const fn end(self, found: &mut u32) -> Option<&'t [u8]> {
        *found = self.index;
        Some(attempt!(self.text.split_at_checked(self.text.len().wrapping_sub(self.left))).1)
    }
}

/// The text after a segment that names a child, in a node of any kind whose head has this first byte and this block.
/// `found` becomes the index of the child.
#[inline(never)]
const fn other<'t>(
    close: u8,
    text: &'t [u8],
    arity: u32,
    first: u8,
    block: &[u8],
    found: &mut u32,
) -> Option<&'t [u8]> {
    let kind = kind_of(first);
    let mut names = match kind {
        // What follows the aux data.
        Kind::Custom => attempt!(skip_value(attempt!(read_run(block)).1)),
        Kind::Struct | Kind::NamedTuple | Kind::DefaultDict => attempt!(read_run(block)).1,
        _ => block,
    };
    if names.is_empty() {
        return counted(close, text, found);
    }
    let all = match form_of(first) {
        Form::Str => Some(Called::Key),
        Form::Int => Some(Called::Number),
        Form::Field => Some(Called::Field),
        _ => None,
    };
    let number = number(close, text);
    let (mut index, mut longest) = (0u32, Longest::new(text));
    while index < arity {
        let (called, bytes) = match all {
            Some(called) => (called, names),
            None => called(first, names),
        };
        let mut after = None;
        match called {
            Called::Field | Called::Key => {
                let (name, rest) = attempt!(read_run(bytes));
                if close == NAME {
                    after = after_plain(text, name);
                } else if matches!(called, Called::Key) && close != b']' {
                    after = after_quoted(close, text, name);
                }
                names = rest;
            }
            Called::Index | Called::Number => {
                let (name, rest) = attempt!(read_u64(bytes));
                if let Some((number, end)) = number
                    && number == if matches!(called, Called::Index) { name << 1 } else { name }
                {
                    after = Some(end);
                }
                names = rest;
            }
            Called::Other => names = attempt!(skip_value(bytes)),
        }
        longest.offer(index, after);
        index = index.wrapping_add(1);
    }
    longest.end(found)
}

/// What a child is called, as it is written in the head.
#[derive(Clone, Copy)]
enum Called {
    /// A field name, or another name that is no key.
    Field,
    /// A string key.
    Key,
    Index,
    /// An integer key, by its zigzag.
    Number,
    /// A value that nobody types.
    Other,
}

/// What the child is called whose name is at the front of `names`, and the bytes from the name on, without its tags.
const fn called(first: u8, names: &[u8]) -> (Called, &[u8]) {
    let value = match (form_of(first), names) {
        (Form::Child, [1, value @ ..]) => value,
        (Form::Child, [2, index @ ..]) => return (Called::Index, index),
        (Form::Child, [_, name @ ..]) => return (Called::Field, name),
        _ => names,
    };
    match value {
        [STR, key @ ..] => (Called::Key, key),
        [INT, key @ ..] => (Called::Number, key),
        _ => (Called::Other, value),
    }
}

/// The text after a segment, of which the name or number was read.
#[inline(always)]
const fn after_segment(close: u8, text: &[u8]) -> Option<&[u8]> {
    match (close, text) {
        (NAME, [] | [b'.' | b'/' | b'[', ..]) => Some(text),
        (b']', [b']', rest @ ..]) => Some(rest),
        _ => None,
    }
}

/// The text after a segment that is this name without quotes.
#[inline(always)]
pub(crate) const fn after_plain<'t>(text: &'t [u8], mut name: &[u8]) -> Option<&'t [u8]> {
    let (mut front, after) = attempt!(text.split_at_checked(name.len()));
    // Most names that are not this one are too long or too short.
    let after = attempt!(after_segment(NAME, after));
    while let ([expected, rest_of_name @ ..], [character, rest @ ..]) = (name, front) {
        if *character != *expected {
            return None;
        }
        (front, name) = (rest, rest_of_name);
    }
    Some(after)
}

/// The text after a segment that is this name in quotes.
const fn after_quoted<'t>(close: u8, mut text: &'t [u8], mut name: &[u8]) -> Option<&'t [u8]> {
    while let [expected, rest_of_name @ ..] = name {
        let (character, rest) = match text {
            [b'\\', character @ (b'\\' | b'\'' | b'"'), rest @ ..] => (character, rest),
            [b'\\', ..] => return None,
            [character, rest @ ..] if *character != close => (character, rest),
            _ => return None,
        };
        if *character != *expected {
            return None;
        }
        (text, name) = (rest, rest_of_name);
    }
    match text {
        [quote, rest @ ..] if *quote == close => after_segment(b']', rest),
        _ => None,
    }
}

/// The zigzag of the number that the segment is, in the digits that Python prints, and the text after the segment.
#[inline(always)]
const fn number(close: u8, text: &[u8]) -> Option<(u64, &[u8])> {
    let (digits, is_negative) = match text {
        [b'-', digits @ ..] => (digits, 1),
        _ => (text, 0),
    };
    let (mut rest, mut magnitude) = (digits, 0u64);
    while let [digit @ b'0'..=b'9', after @ ..] = rest {
        magnitude = magnitude.wrapping_mul(10).wrapping_add((*digit & 15) as u64);
        rest = after;
        if magnitude == 0 {
            break;
        }
    }
    let count = digits.len().wrapping_sub(rest.len());
    // All numbers of 19 digits fit. `-0` is no number; minus 1 it has all bits set.
    let half = magnitude.wrapping_sub(is_negative);
    if count == 0 || count > 19 || half >> 63 != 0 {
        return None;
    }
    Some((half << 1 | is_negative, attempt!(after_segment(close, rest))))
}
