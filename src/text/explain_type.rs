//! Writes how a treedef differs from a type, without a value of the type.
//!
//! The path to the node leads through the schema of the type too. For `struct Robot { axes: Vec<Axis> }` and a treedef in
//! which an axis has other fields:
//!
//! ```text
//! path      schema                     treedef
//! .axes     List(the schema of Axis)   a list of 3
//! [1]       Struct "Axis"              a struct Axis with other fields: both heads are compared
//! ```

use core::fmt;

use super::sentences::{Place, Several, Words, contrast, list, meta_names, names};
use crate::base::error::Error;
use crate::base::levels::Levels;
use crate::base::show::debug_struct;
use crate::encode::schema::{Fields, Schema, is_literal};
use crate::encode::structure::HasSchema;
use crate::format::entry::KeyEntry;
use crate::format::head::{Head, Kind};
use crate::format::heading;
use crate::format::heading::head_into;
use crate::format::validate::MAX_PENDING;
use crate::format::value::Value;
use crate::treedef::treedef::TreeDef;

/// The bytes of an expected head; a longer one is not explained.
const HEAD_BYTES: usize = 512;

/// An error and the type that a treedef should have, as a sentence; from [`Error::explain_type`].
///
/// It is a text, without `defmt::Format`: log it with `defmt::Display2Format`.
#[derive(Clone, Copy)]
#[must_use = "does nothing until it is printed"]
pub struct TypeExplanation<'a> {
    error: Error,
    def: TreeDef<'a>,
    schema: &'static Schema,
}

debug_struct!([] TypeExplanation<'_> { error, def });

impl Error {
    /// Explains a [`Mismatch`](Error::Mismatch) in a sentence with the key path and both sides, without a value of the
    /// type `T`.
    ///
    /// `def` is the treedef that a `T` was rebuilt from, such as the treedef of an old checkpoint.
    ///
    /// The type determines what is expected, also in vectors, maps, options and enums. Of meta fields that are no constants, it has the
    /// types: `at .axes[0]: expected id of the type u8, found id = 300`. Where nothing determines it, the sentence
    /// has the key path alone, as by [`Error::explain_at`]: in containers by hand without a schema, and at heads above 512 bytes. Other
    /// errors print as by `explain_at`. The text is made when it is displayed, with 1 kB of stack.
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
    pub fn explain_type<'a, T: HasSchema + ?Sized>(
        &self,
        def: impl Into<TreeDef<'a>>,
    ) -> TypeExplanation<'a> {
        TypeExplanation { error: *self, def: def.into(), schema: T::SCHEMA }
    }
}

impl fmt::Display for TypeExplanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.contrast(f).unwrap_or_else(|| self.error.explain_at(self.def).fmt(f))
    }
}

impl TypeExplanation<'_> {
    /// Writes the place of the error, and both sides; `None` if it is not known what is expected there.
    fn contrast(&self, f: &mut fmt::Formatter<'_>) -> Option<fmt::Result> {
        let Error::Mismatch { node } = self.error else { return None };
        let path = self.def.node_path(node as usize)?;
        let (mut schema, mut def) = (self.schema, self.def);
        // The structs and enums on the way.
        let mut around = Levels::<&'static Schema, MAX_PENDING>::new();
        for index in path.found()?.indices() {
            around.push(value_of(schema)).ok()?;
            schema = value_of(schema).child(&def.head(), index)?;
            match value_of(schema) {
                Schema::Recursive(name) => {
                    schema = around.iter().rev().find(|schema| schema.is_named(name))?;
                }
                Schema::Pointer(of) => schema = of(),
                _ => {}
            }
            def = def.child(index)?;
        }
        let (found, place) = (def.head(), Place(path));
        let (mut bytes, mut known_meta) = ([0; HEAD_BYTES], true);
        let record = match value_of(schema) {
            Schema::Struct(record) => Some(*record),
            Schema::Enum(names, variants) => {
                let is_here = |variant: &&Fields| found.type_name() == Some(variant.name);
                let Some(variant) = variants.iter().find(is_here) else {
                    let all = Several("", names.iter().map(|name| KeyEntry::Attr(name)));
                    let (found, kind) = (Words::short(found), found.kind());
                    return Some(match kind {
                        Kind::Struct => write!(f, "at {place}: unknown {found}: has {all}"),
                        _ => write!(f, "at {place}: expected a variant, found {found}: has {all}"),
                    });
                };
                Some(variant)
            }
            _ => None,
        };
        let expected = match (value_of(schema), record) {
            (_, Some(Fields { name, fields, meta, .. })) => {
                let same = found.kind() == Kind::Struct && found.type_name() == Some(name);
                known_meta = !same || meta.iter().all(|(_, value)| is_literal(value));
                head_into(&heading::Struct { name, fields, meta }, &mut bytes).ok()?
            }
            (Schema::Leaf(..), _) => Head::LEAF,
            (Schema::Tuple(children), _) => {
                head_into(&heading::Tuple(children.as_slice().len()), &mut bytes).ok()?
            }
            (Schema::Array(count, _), _) => head_into(&heading::List(*count), &mut bytes).ok()?,
            (schema @ (Schema::List(..) | Schema::Map(..) | Schema::Optional(_)), _) => {
                let (is_here, name) = match (schema, found.kind()) {
                    (Schema::List(..), kind) => (kind == Kind::List, "a list"),
                    (Schema::Map(..), kind) => (kind == Kind::Dict, "a dict"),
                    (_, kind) => (matches!(kind, Kind::None | Kind::Some), "None or Some"),
                };
                return match schema {
                    _ if !is_here => Some(write!(
                        f,
                        "at {place}: expected {name}, found {}",
                        Words::short(found)
                    )),
                    Schema::Map(_, key, _) => {
                        let keys = Several("", found.entries());
                        Some(write!(
                            f,
                            "at {place}: expected keys of the type `{key}`, found {keys}"
                        ))
                    }
                    _ => None,
                };
            }
            _ => return None,
        };
        let fields_differ = !expected.fields().eq(found.fields());
        let [ours, theirs] =
            [&expected, &found].map(|head| head.meta_fields().map(|(name, _)| name));
        if expected == found {
            return None;
        }
        if !known_meta && !fields_differ && ours.eq(theirs) {
            let meta = record?.meta;
            return Some(write!(f, "at {place}: ").and_then(|()| values(f, meta, &found)));
        }
        let contrasted =
            write!(f, "at {place}: ").and_then(|()| match (known_meta, fields_differ) {
                (true, _) => contrast(f, &expected, &found),
                (false, true) => names(f, "field", &expected, &found),
                (false, false) => meta_names(f, expected.meta_fields(), found.meta_fields()),
            });
        Some(contrasted)
    }
}

/// Writes the meta fields of which one has another value than its constant, or one that its type does not take.
fn values(
    f: &mut fmt::Formatter<'_>,
    meta: &'static [(&'static str, Value<'static>)],
    found: &Head<'_>,
) -> fmt::Result {
    let both = meta.iter().zip(found.meta_fields());
    let wrong = both.filter(|((_, own), (_, value))| !is_literal(own) || own != value);
    f.write_str("expected ")?;
    list(f, wrong.clone(), |f, ((name, own), _)| match own {
        Value::Opaque(of) => write!(f, "{name} of the type {of}"),
        own => write!(f, "{name} = {own}"),
    })?;
    f.write_str(", found ")?;
    list(f, wrong, |f, (_, (name, value))| write!(f, "{name} = {value}"))
}

/// The schema of a value that is there, if it has no node `Some`.
fn value_of(schema: &'static Schema) -> &'static Schema {
    match schema {
        Schema::Optional(of) if !of.is_nullable() => value_of(of),
        schema => schema,
    }
}
