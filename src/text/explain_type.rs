//! Writes in what a treedef differs from a type of which there is no value.
//!
//! The path to the node leads through the shape of the type too, as far as the type determines it. For
//! `struct Robot { axes: Vec<Axis> }` and a treedef in which an axis has other fields:
//!
//! ```text
//! path      shape                      treedef
//! .axes     ListOf(the shape of Axis)  a list of 3
//! [1]       Struct "Axis"              a struct Axis with other fields: both heads are compared
//! ```

use core::fmt;

use super::repr::short_name;
use super::sentences::{Place, Words, contrast, names};
use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::encode::shape::Shape;
use crate::encode::structure::Structure;
use crate::format::head::{Head, Kind};
use crate::format::heading;
use crate::format::heading::head_into;
use crate::treedef::treedef::TreeDef;

/// The bytes of an expected head; a longer one is not explained.
const HEAD_BYTES: usize = 512;

/// An error and the type that a treedef should have, as a sentence; from [`Error::explain_type`]. [`Error::explain_type`] has an example.
///
/// It is a text, without `defmt::Format`: log it with `defmt::Display2Format`.
#[derive(Clone, Copy)]
#[must_use = "does nothing until it is printed"]
pub struct TypeExplanation<'a> {
    error: Error,
    def: TreeDef<'a>,
    shape: &'static Shape,
}

debug_struct!([] TypeExplanation<'_> { error, def });

impl Error {
    /// Explains a [`Mismatch`](Error::Mismatch) in a sentence with the key path and both sides, without a value of the
    /// type `T`.
    ///
    /// `def` is the treedef that a `T` was rebuilt from, such as that of an old checkpoint.
    ///
    /// The type determines what is expected, also in the elements of vectors and in options. Where it does not, the sentence
    /// has the key path alone, as by [`Error::explain_at`]: below enums, maps, options of options and containers that are
    /// written by hand, at structs with meta fields whose values are no constants, and at heads above 512 bytes. Other errors
    /// print as by `explain_at`. The text is made when it is displayed, with 0.5 kB of stack.
    ///
    /// # Examples
    ///
    /// ```
    /// # #[cfg(all(feature = "derive", feature = "alloc"))] {
    /// use treedef::{Tree, treedef, unflatten};
    ///
    /// #[derive(Tree, Debug)]
    /// #[tree(name = "Axis")]
    /// struct Axis { kp: f32, ki: f32 }
    ///
    /// #[derive(Tree, Debug)]
    /// #[tree(name = "Robot")]
    /// struct Robot { rate: f32, axes: Vec<Axis> }
    ///
    /// mod old {
    ///     #[derive(treedef::Tree)]
    ///     #[tree(name = "Axis")]
    ///     pub struct Axis { pub kp: f32, pub gain: f32 }
    ///
    ///     #[derive(treedef::Tree)]
    ///     #[tree(name = "Robot")]
    ///     pub struct Robot { pub rate: f32, pub axes: Vec<Axis> }
    /// }
    ///
    /// let stored = old::Robot { rate: 1.0, axes: vec![old::Axis { kp: 2.0, gain: 3.0 }] };
    /// let (def, leaves) = treedef::flatten(&stored)?;
    /// let error = unflatten::<_, Robot>(&def, &leaves).unwrap_err();
    /// let text = error.explain_type::<Robot>(&def).to_string();
    /// assert_eq!(text, "at .axes[0]: missing field ki and unexpected field gain");
    /// # }
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn explain_type<'a, T: Structure + ?Sized>(
        &self,
        def: impl Into<TreeDef<'a>>,
    ) -> TypeExplanation<'a> {
        TypeExplanation { error: *self, def: def.into(), shape: T::SHAPE }
    }
}

impl fmt::Display for TypeExplanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.contrast(f).unwrap_or_else(|| self.error.explain_at(self.def).fmt(f))
    }
}

impl TypeExplanation<'_> {
    /// Writes the place of the error, and both sides; `None` if the type does not determine what is expected there.
    fn contrast(&self, f: &mut fmt::Formatter<'_>) -> Option<fmt::Result> {
        let Error::Mismatch { node } = self.error else { return None };
        let path = self.def.node_path(node as usize)?;
        let (mut shape, mut def) = (value_of(self.shape), self.def);
        for index in path.indices() {
            shape = value_of(child_of(shape, index)?);
            def = def.child(index)?;
        }
        let (found, place) = (def.head(), Place(path));
        let (mut bytes, mut known_meta) = ([0; HEAD_BYTES], true);
        let expected = match shape {
            Shape::Leaf(_) => Head::LEAF,
            Shape::Tuple(children) => {
                head_into(&heading::Tuple(children.as_slice().len()), &mut bytes).ok()?
            }
            Shape::List(count, _) => head_into(&heading::List(*count), &mut bytes).ok()?,
            Shape::Struct { name, fields, meta, .. } => {
                let same = found.kind() == Kind::Struct && found.type_name() == Some(name);
                known_meta = meta.is_some() || !same;
                let head = heading::Struct { name, fields, meta: meta.unwrap_or(&[]) };
                head_into(&head, &mut bytes).ok()?
            }
            Shape::ListOf(_) if found.kind() != Kind::List => {
                let found = Words(&found, short_name);
                return Some(write!(f, "at {place}: expected a list, found {found}"));
            }
            _ => return None,
        };
        if expected == found || !known_meta && expected.fields().eq(found.fields()) {
            return None;
        }
        let contrasted = write!(f, "at {place}: ").and_then(|()| match known_meta {
            true => contrast(f, &expected, &found),
            false => names(f, "field", &expected, &found),
        });
        Some(contrasted)
    }
}

/// The shape of a value that is there.
fn value_of(mut shape: &'static Shape) -> &'static Shape {
    while let Shape::Optional(of) = shape {
        shape = (of.0)();
    }
    shape
}

/// The shape of the child with this index.
fn child_of(shape: &Shape, index: usize) -> Option<&'static Shape> {
    match shape {
        Shape::Tuple(children) | Shape::Struct { children, .. } => {
            children.as_slice().get(index).copied()
        }
        Shape::List(_, of) => Some(of),
        Shape::ListOf(of) => Some((of.0)()),
        _ => None,
    }
}
