//! Whether a value of a type can have a structure, by the schema of the type.

use crate::base::error::Error;
use crate::encode::depth::MAX_DEPTH;
use crate::encode::schema::{Record, Schema, is_constant};
use crate::encode::structure::HasSchema;
use crate::format::head::{Head, Kind};
use crate::format::value::Value;
use crate::treedef::cursor::{Cursor, Siblings};
use crate::treedef::treedef::TreeDef;

/// Checks whether a value of the type can have this structure, without leaves.
///
/// It asks the [schema](crate::schema_of) of the type. What a container by hand can have is not known, so it fits. The keys of maps, and the
/// values of meta fields that are no constants, are not checked. Its time grows with the bytes of the structure: a child and its copies are
/// checked once.
///
/// # Errors
///
/// [`Error::Mismatch`] with the first node that a value cannot have; [`Error::explain_type`] says why. [`Error::Capacity`] for a
/// container with less room. [`Error::TooDeep`] above 64 levels.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use treedef::encode::fits;
/// use treedef::{Tree, treedef};
///
/// type Curve = Option<heapless::Vec<f32, 4>>;
/// assert_eq!(fits::<Curve>(treedef!([*, *])), Ok(()));
/// assert_eq!(fits::<Curve>(treedef!(None)), Ok(()));
/// assert!(fits::<Curve>(treedef!([*, *, *, *, *])).is_err());
/// assert!(fits::<Curve>(treedef!((*, *))).is_err());
/// # }
/// ```
pub fn fits<'a, T: HasSchema + ?Sized>(def: impl Into<TreeDef<'a>>) -> Result<(), Error> {
    let mut cursor = Cursor::new(def.into());
    T::SCHEMA.fits(&mut cursor, &mut Siblings::root(), None)
}

/// The structs and enums around a node, the innermost first.
struct Around<'a> {
    schema: &'static Schema,
    outer: Option<&'a Around<'a>>,
    levels: u32,
}

impl Schema {
    /// Reads the next child of `list`, which a value of this schema has to have.
    fn fits(
        &'static self,
        cursor: &mut Cursor<'_>,
        list: &mut Siblings,
        around: Option<&Around<'_>>,
    ) -> Result<(), Error> {
        let node = cursor.num_nodes_read();
        let mismatch = Err(Error::Mismatch { node });
        let schema = match self {
            Schema::Leaf(..) if cursor.take_leaf(list) => return Ok(()),
            Schema::Optional(_) if cursor.take_none(list) => return Ok(()),
            Schema::Optional(of) if !of.is_nullable() => return of.fits(cursor, list, around),
            Schema::Recursive(name) => match named(around, name) {
                Some(schema) => schema,
                None => return skip(cursor, list),
            },
            Schema::Unknown => return skip(cursor, list),
            schema => schema,
        };
        let Some(head) = cursor.next(list) else { return mismatch };
        let levels = around.map_or(0, |around| around.levels);
        if levels == MAX_DEPTH {
            return Err(Error::TooDeep { limit: levels });
        }
        let around = &Around { schema, outer: around, levels: levels.saturating_add(1) };
        let mut children = Siblings::of(&head);
        let arity = head.num_children();
        let is_own = match (schema, head.kind()) {
            (Schema::Tuple(children), Kind::Tuple) => arity == children.as_slice().len(),
            (Schema::Array(count, _), Kind::List) => arity == *count,
            (Schema::List(Some(room), _), Kind::List)
            | (Schema::Map(Some(room), ..), Kind::Dict)
                if *room < arity =>
            {
                return Err(Error::Capacity { node, room: *room });
            }
            (Schema::List(..), Kind::List)
            | (Schema::Map(..), Kind::Dict)
            | (Schema::Optional(_), Kind::Some) => true,
            _ => schema.parts().0.iter().any(|record| record.has(&head)),
        };
        if !is_own {
            return mismatch;
        }
        let mut index = 0usize;
        while index < arity {
            let Some(child) = schema.child(&head, index) else { return mismatch };
            let before = cursor.num_nodes_read();
            child.fits(cursor, &mut children, Some(around))?;
            index = index.saturating_add(1);
            // Copies of an element are not read.
            if let Schema::Array(..) | Schema::List(..) | Schema::Map(..) = schema {
                let nodes = cursor.num_nodes_read().wrapping_sub(before);
                let copies =
                    cursor.take_copies(&mut children, nodes).map_or(0, |(copies, _)| copies);
                index = index.saturating_add(copies as usize);
            }
        }
        let _ = cursor.end(&children);
        Ok(())
    }
}

impl Record {
    /// Whether a node has the head of this struct.
    pub(crate) fn has(&self, head: &Head<'_>) -> bool {
        let mut fields = head.meta_fields();
        let fits = |(own, constant): &(&str, Value<'_>)| {
            let is_own = |value| !is_constant(constant) || value == *constant;
            fields.next().is_some_and(|(name, value)| name == *own && is_own(value))
        };
        head.kind() == Kind::Struct
            && head.type_name() == Some(self.name)
            && head.fields().eq(self.fields.iter().copied())
            && self.meta.iter().all(fits)
            && fields.next().is_none()
    }
}

/// The schema of a type with this name around a node.
fn named(mut around: Option<&Around<'_>>, name: &str) -> Option<&'static Schema> {
    while let Some(level) = around {
        if level.schema.is_named(name) {
            return Some(level.schema);
        }
        around = level.outer;
    }
    None
}

/// Steps over the next child of `list`, whatever it is.
fn skip(cursor: &mut Cursor<'_>, list: &mut Siblings) -> Result<(), Error> {
    let node = cursor.num_nodes_read();
    let Some(head) = cursor.next(list) else { return Err(Error::Mismatch { node }) };
    let (skipped, _) = cursor.take_node(list, head == Head::LEAF);
    cursor.count_below(skipped.node_count().wrapping_sub(1));
    Ok(())
}
