//! Whether a value of a type can have a structure, by the schema of the type.

use crate::base::error::Error;
use crate::encode::depth::MAX_DEPTH;
use crate::encode::schema::{Record, Schema};
use crate::encode::structure::Structure;
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
pub fn fits<'a, T: Structure + ?Sized>(def: impl Into<TreeDef<'a>>) -> Result<(), Error> {
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
        let in_turn = match *schema {
            Schema::Tuple(schemas)
                if head.kind() == Kind::Tuple && arity == schemas.as_slice().len() =>
            {
                schemas.as_slice()
            }
            Schema::Array(count, of) if head.kind() == Kind::List && arity == count => {
                of.fits_each(arity, cursor, &mut children, around)?;
                &[]
            }
            Schema::List(room, of) | Schema::Map(room, _, of) if head.kind() == schema.kind() => {
                if let Some(room) = room.filter(|room| *room < arity) {
                    return Err(Error::Capacity { node, room });
                }
                of.fits_each(arity, cursor, &mut children, around)?;
                &[]
            }
            Schema::Optional(of) if head.kind() == Kind::Some => &[of],
            Schema::Struct(_) | Schema::Enum(..) => {
                let (records, _) = schema.parts();
                match records.iter().find(|record| record.has(&head)) {
                    Some(record) => record.children.as_slice(),
                    None => return mismatch,
                }
            }
            _ => return mismatch,
        };
        for child in in_turn {
            child.fits(cursor, &mut children, Some(around))?;
        }
        let _ = cursor.end(&children);
        Ok(())
    }

    /// Reads the next `count` children of `list`, which values of this schema have to have; of copies only the first.
    fn fits_each(
        &'static self,
        count: usize,
        cursor: &mut Cursor<'_>,
        list: &mut Siblings,
        around: &Around<'_>,
    ) -> Result<(), Error> {
        let mut left = count;
        while left > 0 {
            let before = cursor.num_nodes_read();
            self.fits(cursor, list, Some(around))?;
            let nodes = cursor.num_nodes_read().wrapping_sub(before);
            let copies = cursor.take_copies(list, nodes).map_or(0, |(copies, _)| copies as usize);
            left = left.saturating_sub(copies).saturating_sub(1);
        }
        Ok(())
    }
}

impl Record {
    /// Whether a node has the head of this struct.
    pub(crate) fn has(&self, head: &Head<'_>) -> bool {
        let is_constant = |(_, value): &(&str, Value<'_>)| !matches!(value, Value::None);
        head.kind() == Kind::Struct
            && head.type_name() == Some(self.name)
            && head.fields().eq(self.fields.iter().copied())
            && head.meta_fields().map(|(name, _)| name).eq(self.meta.iter().map(|(name, _)| *name))
            && head
                .meta_fields()
                .zip(self.meta)
                .all(|(own, meta)| !is_constant(meta) || own == *meta)
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
