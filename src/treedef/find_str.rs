//! Finds the node for a path that a person types, at run time or in `const`.
//!
//! A text is read [segment](crate::treedef::segment) by segment, with the cursor at the node that the segments before led
//! to. Of `.axis[1].kp`:
//!
//! ```text
//! text          cursor        segment    names of the children   child
//! .axis[1].kp   Robot         name       axis, period            0
//! [1].kp        list of 3     number     counted                 1
//! .kp           Axis          name       ki, kp                  1
//!               leaf          the end
//! ```

use crate::base::attempt::attempt;
use crate::base::error::Error;
use crate::format::head::{Form, Head};
use crate::format::reader::read_run;
use crate::format::value_bytes::{INT, STR, skip_value};
use crate::format::varint::read_u64;
use crate::treedef::find::Found;
use crate::treedef::path_cursor::PathCursor;
use crate::treedef::segment::{Segment, unknown_path};
use crate::treedef::treedef::TreeDef;

impl<'a> TreeDef<'a> {
    /// Finds the node for a path that a person types: `axis[0].pid[1].kp`, `params/layers/0/w`, `['a'][1].x`.
    ///
    /// It also works in `const`: [`leaf_index!`](crate::leaf_index!) is the index of a leaf as a constant. The
    /// empty text leads to the root. Each segment leads from a node to a child:
    ///
    /// | segment | leads to the child with |
    /// |---|---|
    /// | `.w`, `/w`; at the start also `w` | the field `w`, the string key `w`, or the attribute `w` of a custom node |
    /// | `.2`, `/2`; at the start also `2` | the index or integer key 2, the string key `'2'`, or the field `2` of a tuple struct |
    /// | `[2]` | the index or integer key 2; fields have no index |
    /// | `['w']`, `["w"]` | the string key `w`; in it, a backslash comes before a quote or another backslash |
    ///
    /// If all names and keys on the way are as in the table, the text of [`KeyPath::keystr`](crate::KeyPath::keystr) is found, too,
    /// and that of [`KeyPath::keystr_simple`](crate::KeyPath::keystr_simple) with `.` or `/` as separator. [`TreeDef::find_keystr`] finds
    /// keys of every kind. The children of a custom node without child keys have an index here, as those of a list; `keystr` prints it as
    /// `[<flat index 2>]`, which only `find_keystr` reads.
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
            match enter(&mut way, rest, at == 0) {
                Some(after) => rest = after,
                None => return Err(unknown_path(at)),
            }
        }
        match way.found_by_text() {
            Some(found) => Ok(found),
            None => Err(unknown_path(text.len())),
        }
    }
}

/// Goes to the child that the segment at the front of the text leads to, and returns the text after the segment.
#[inline(never)]
const fn enter<'t>(
    way: &mut PathCursor<'_, false>,
    text: &'t [u8],
    is_first: bool,
) -> Option<&'t [u8]> {
    let segment = attempt!(Segment::open(text, is_first));
    let head = way.skip_some();
    let (index, rest) = attempt!(child(segment, &head));
    attempt!(way.down(&head, index));
    Some(rest)
}

/// The index of the child that the segment names, and the text after the segment.
#[inline(always)]
pub(crate) const fn child<'t>(
    mut segment: Segment<'t>,
    head: &Head<'_>,
) -> Option<(u32, &'t [u8])> {
    let (mut names, form) = (head.names(), head.form());
    if names.is_empty() {
        return segment.index();
    }
    let number = segment.number();
    let mut index = 0u32;
    while index < head.arity() {
        let (called, bytes) = called(form, names);
        match called {
            Called::Text { is_key } => {
                let (name, rest) = attempt!(read_run(bytes));
                if segment.try_name(index, name, is_key) {
                    break;
                }
                names = rest;
            }
            Called::Number { shift } => {
                let (name, rest) = attempt!(read_u64(bytes));
                if let Some((number, after)) = number
                    && number == name.wrapping_shl(shift)
                {
                    segment.offer(index, Some(after));
                }
                names = rest;
            }
            Called::Other => names = attempt!(skip_value(bytes)),
        }
        index = index.wrapping_add(1);
    }
    segment.end()
}

/// What a child is called, as it is written in the head.
#[derive(Clone, Copy)]
enum Called {
    /// A string key, a field name, or another name that is no key.
    Text { is_key: bool },
    /// An index, or the zigzag of an integer key; shifted, both are a zigzag.
    Number { shift: u32 },
    /// A value that nobody types.
    Other,
}

/// The kind of the name at the front of `names`, and the bytes that begin with the name, without its tags.
const fn called(form: Form, names: &[u8]) -> (Called, &[u8]) {
    let value = match (form, names) {
        (Form::Str, _) => return (Called::Text { is_key: true }, names),
        (Form::Int, _) => return (Called::Number { shift: 0 }, names),
        (Form::Field, _) => return (Called::Text { is_key: false }, names),
        (Form::Child, [1, value @ ..]) => value,
        (Form::Child, [2, index @ ..]) => return (Called::Number { shift: 1 }, index),
        (Form::Child, [_, name @ ..]) => return (Called::Text { is_key: false }, name),
        _ => names,
    };
    match value {
        [STR, key @ ..] => (Called::Text { is_key: true }, key),
        [INT, key @ ..] => (Called::Number { shift: 0 }, key),
        _ => (Called::Other, value),
    }
}
