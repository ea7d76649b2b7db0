//! Paths of the leaves of a type, as a person types them: read, written and explained from its constants, without a treedef.
//!
//! If a type determines the number of its leaves, its [`Schema`] has all names. They lie in flash as constants, so nothing is
//! decoded: this takes a third of the instructions of [`TreeDef::find_str`](crate::TreeDef::find_str), which reads
//! trees of every kind. Both find the same leaf. `axis[1].kp` in a `Robot`:
//!
//! ```text
//! text          schema                      segment    child    leaves before it
//! axis[1].kp    Struct axis, period         name       0        0
//! [1].kp        List of 2                   number     1        0 + 1 * 2
//! .kp           Struct ki, kp               name       1        2 + 1
//!               Leaf                        the end             3
//! ```

use core::fmt;

use super::typed::write_name;
use crate::base::error::Error;
use crate::base::show::{debug_struct, separated};
use crate::encode::schema::{Fields, Schema, leaves_of};
use crate::encode::structure::HasSchema;
use crate::treedef::segment::{Segment, lacking, unknown_path};

/// The index of the leaf at a path in a type, without a treedef: [`leaf_index!`](crate::leaf_index!) at run time.
///
/// The path has the form that [`TreeDef::find_str`](crate::TreeDef::find_str) reads. It is looked up in the names of the type,
/// which has to determine the number of its leaves: otherwise this does not compile. [`leaf_path_of`] is the other way round.
///
/// # Errors
///
/// [`Error::UnknownPath`] with the byte from which the path leads nowhere, or with the length of the path if it leads to a node
/// that is no leaf. [`Error::explain_path_of`] says what there is.
///
/// # Examples
///
/// ```
/// use treedef::path::leaf_index_of;
///
/// assert_eq!(leaf_index_of::<(f32, [f32; 2])>("[1][0]"), Ok(1));
/// ```
///
/// ```compile_fail
/// treedef::path::leaf_index_of::<Option<f32>>("").ok();
/// ```
pub fn leaf_index_of<T: HasSchema + ?Sized>(path: &str) -> Result<usize, Error> {
    leaf_at(fixed::<T>(), path)
}

/// The path of the leaf of a type with this index; `None` if it has fewer leaves. It prints as it is typed.
///
/// It costs a comparison for each field on the way, and a division for each list. The type has to determine the number of
/// its leaves: otherwise this does not compile. [`KeyPath::typed`](crate::KeyPath::typed) is the same for the leaves of a treedef.
///
/// # Examples
///
/// A list of all parameters:
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use treedef::path::leaf_path_of;
///
/// #[derive(treedef::Tree)]
/// struct Pid { kp: f32, ki: f32 }
///
/// let paths = (0..).map_while(leaf_path_of::<[Pid; 2]>).map(|path| path.to_string());
/// assert!(paths.eq(["[0].kp", "[0].ki", "[1].kp", "[1].ki"]));
/// # }
/// ```
#[must_use]
pub fn leaf_path_of<T: HasSchema + ?Sized>(leaf: usize) -> Option<LeafPath> {
    let schema = fixed::<T>();
    (leaf < schema.num_leaves()?).then_some(LeafPath { schema, leaf })
}

/// The schema of a type that determines the number of its leaves.
const fn fixed<T: HasSchema + ?Sized>() -> &'static Schema {
    const {
        assert!(
            T::SCHEMA.num_leaves().is_some(),
            "the paths of this type depend on its value: `find_leaf` finds them; write the treedef of a value by `structure_into` for `TreeDef::find_str` and `Error::explain_path`"
        );
    };
    T::SCHEMA
}

/// The path of a leaf of a type, from [`leaf_path_of`].
#[derive(Clone, Copy)]
#[must_use = "does nothing until it is printed"]
pub struct LeafPath {
    schema: &'static Schema,
    leaf: usize,
}

debug_struct!([] LeafPath { leaf });

impl fmt::Display for LeafPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mut schema, leaf: mut left } = *self;
        let mut is_first = true;
        while !matches!(schema, Schema::Leaf(..)) {
            let mut index = 0usize;
            let child = match schema {
                Schema::Array(_, of) => {
                    let leaves = of.num_leaves().unwrap_or(0);
                    index = left.checked_div(leaves).unwrap_or(0);
                    left = left.wrapping_sub(index.wrapping_mul(leaves));
                    *of
                }
                // The first child after which there are more leaves.
                Schema::Tuple(children) | Schema::Struct(Fields { children, .. }) => loop {
                    let child = *children.as_slice().get(index).ok_or(fmt::Error)?;
                    match left.checked_sub(child.num_leaves().unwrap_or(0)) {
                        Some(after) => (left, index) = (after, index.wrapping_add(1)),
                        None => break child,
                    }
                },
                _ => return Err(fmt::Error),
            };
            match schema {
                Schema::Struct(Fields { fields, .. }) => {
                    write_name(f, fields.get(index).ok_or(fmt::Error)?, is_first)?;
                }
                _ => write!(f, "[{index}]")?,
            }
            (schema, is_first) = (child, false);
        }
        Ok(())
    }
}

/// An error about a path in a type, as a sentence; from [`Error::explain_path_of`].
#[derive(Clone, Copy)]
#[must_use = "does nothing until it is printed"]
pub struct LeafPathExplanation<'t> {
    schema: &'static Schema,
    text: &'t str,
    at: usize,
}

debug_struct!([] LeafPathExplanation<'_> { text as Text, at });

impl Error {
    /// Explains an [`UnknownPath`](Error::UnknownPath) of [`leaf_index_of`] or [`find_leaf`](crate::tree::find_leaf) in a sentence
    /// with what there is, from the names of the type.
    ///
    /// It is [`Error::explain_path`] without a treedef, and links no code that writes strings as Python does. The type has to
    /// determine the number of its leaves: otherwise this does not compile.
    ///
    /// # Examples
    ///
    /// ```
    /// # #[cfg(feature = "derive")] {
    /// use treedef::path::leaf_index_of;
    ///
    /// #[derive(treedef::Tree)]
    /// struct Pid { kp: f32, ki: f32 }
    ///
    /// #[derive(treedef::Tree)]
    /// struct Robot { axis: [Pid; 2], limit: f32 }
    ///
    /// let refused = |path| match leaf_index_of::<Robot>(path) {
    ///     Ok(leaf) => leaf.to_string(),
    ///     Err(error) => error.explain_path_of::<Robot>(path).to_string(),
    /// };
    /// assert_eq!(refused("axis[1].kq"), "no kq at axis[1]: has kp, ki");
    /// assert_eq!(refused("axis"), "no leaf at axis: a list of 2");
    /// assert_eq!(refused("speed"), "no speed: has axis, limit");
    /// # }
    /// ```
    pub fn explain_path_of<'t, T: HasSchema + ?Sized>(
        &self,
        text: &'t str,
    ) -> LeafPathExplanation<'t> {
        let at = if let Error::UnknownPath { at } = *self { at as usize } else { 0 };
        LeafPathExplanation { schema: fixed::<T>(), text, at }
    }
}

impl fmt::Display for LeafPathExplanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (known, rest) = self.text.split_at_checked(self.at).unwrap_or(("", self.text));
        let unknown = rest.strip_prefix(['.', '/']).filter(|name| !name.is_empty()).unwrap_or(rest);
        let schema = schema_at(self.schema, known).map_or(self.schema, |(schema, _)| schema);
        let has_place = !known.is_empty() && !matches!(schema, Schema::Leaf(..));
        let lacking = if has_place { lacking(rest) } else { "" };
        write!(f, "no {lacking}{}", if rest.is_empty() { "leaf" } else { unknown })?;
        if !known.is_empty() {
            write!(f, " at {known}")?;
        }
        match schema {
            Schema::Struct(Fields { fields, .. }) if !fields.is_empty() => {
                f.write_str(": has ")?;
                separated(f, ", ", *fields, |f, name| f.write_str(name))
            }
            Schema::Array(count, _) => write!(f, ": a list of {count}"),
            Schema::Tuple(children) => write!(f, ": a tuple of {}", children.as_slice().len()),
            Schema::Leaf(..) => f.write_str(": a leaf"),
            _ => f.write_str(": has no children"),
        }
    }
}

/// The index of the leaf at a path in a type whose structure is constant.
///
/// # Errors
///
/// [`Error::UnknownPath`] with the byte from which the path leads nowhere, or with the length of the path if it leads to
/// a node that is no leaf.
pub(crate) fn leaf_at(schema: &Schema, path: &str) -> Result<usize, Error> {
    match schema_at(schema, path)? {
        (Schema::Leaf(..), leaf) => Ok(leaf),
        _ => Err(unknown_path(path.len())),
    }
}

/// The schema at a path, and the number of leaves before it.
fn schema_at<'s>(mut schema: &'s Schema, path: &str) -> Result<(&'s Schema, usize), Error> {
    let (mut rest, mut leaf) = (path.as_bytes(), 0);
    while !rest.is_empty() {
        let at = path.len().wrapping_sub(rest.len());
        (schema, rest) = child(schema, rest, at == 0, &mut leaf).ok_or(unknown_path(at))?;
    }
    Ok((schema, leaf))
}

/// The child that the segment at the front of the text leads to, and the text after the segment. Adds the leaves before
/// the child to `leaf`.
#[inline(always)]
fn child<'s, 't>(
    schema: &'s Schema,
    text: &'t [u8],
    is_first: bool,
    leaf: &mut usize,
) -> Option<(&'s Schema, &'t [u8])> {
    let mut segment = Segment::open(text, is_first)?;
    let (index, rest) = match schema {
        Schema::Struct(Fields { fields, .. }) => {
            let (mut names, mut index) = (*fields, 0u32);
            while let [name, rest @ ..] = names
                && !segment.try_name(index, name.as_bytes(), false)
            {
                (names, index) = (rest, index.wrapping_add(1));
            }
            segment.end()?
        }
        _ => segment.index()?,
    };
    let index = usize::try_from(index).ok()?;
    let (before, child) = match schema {
        Schema::Struct(Fields { children, .. }) | Schema::Tuple(children) => {
            let (before, children) = children.as_slice().split_at_checked(index)?;
            (leaves_of(before)?, *children.first()?)
        }
        Schema::Array(count, of) if index < *count => (index.wrapping_mul(of.num_leaves()?), *of),
        _ => return None,
    };
    *leaf = leaf.wrapping_add(before);
    Some((child, rest))
}
