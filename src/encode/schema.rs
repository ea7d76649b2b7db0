//! What all values of a type can be: its schema.

use core::slice;

use crate::base::error::Error;
use crate::encode::depth::MAX_DEPTH;
use crate::encode::writer::{OpenNode, Writer};
use crate::format::head::{Head, Kind};
use crate::format::value::Value;
use crate::treedef::cursor::{Cursor, Siblings};

/// What all values of a type can be: its variants, options, capacities, names and leaf types, as a graph of constants.
///
/// A treedef is the structure of one value. [`schema_of`](crate::schema_of) is the schema as a treedef, and [`fits`](crate::encode::fits) asks whether a value can have a
/// structure.
///
/// # Examples
///
/// ```
/// use treedef::container::Schema;
/// use treedef::tree::Structure;
///
/// let Schema::Optional(of) = <Option<f32>>::SCHEMA else { unreachable!() };
/// assert!(matches!(of, Schema::Leaf("float32")));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Schema {
    /// One leaf. If the type is a number, `bool` or a float of `half`, this is the name of its dtype; otherwise the type as it is
    /// written where it is declared.
    Leaf(&'static str),
    /// A tuple.
    Tuple(&'static [&'static Schema]),
    /// A list of this number of elements.
    Array(usize, &'static Schema),
    /// A list of any number of elements, up to a capacity.
    List(Option<usize>, &'static Schema),
    /// A dictionary with any keys of this [type](crate::format::ToValue::TYPE), up to a capacity.
    Map(Option<usize>, &'static str, &'static Schema),
    /// `None`, or a value.
    Optional(&'static Schema),
    /// A struct.
    Struct(Record),
    /// One of the variants, which have these names.
    Enum(&'static [&'static str], &'static [Record]),
    /// The struct of this name, or the enum whose first variant has it, which this schema is a part of.
    Recursive(&'static str),
    /// The type does not say, as a container by hand that has no schema.
    Unknown,
}

/// A struct, or a variant of an enum, in a [`Schema`].
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use treedef::Tree;
/// use treedef::container::{Record, Schema};
/// use treedef::tree::Structure;
///
/// #[derive(Tree)]
/// #[tree(name = "app::Pid")]
/// struct Pid { kp: f32, ki: f32 }
///
/// let Schema::Struct(Record { name, fields, .. }) = Pid::SCHEMA else { unreachable!() };
/// assert_eq!((*name, *fields), ("app::Pid", &["kp", "ki"][..]));
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// The type name.
    pub name: &'static str,
    /// Whether the name was chosen, and does not change with the module of the type.
    pub is_named: bool,
    /// The names of the fields that hold trees.
    pub fields: &'static [&'static str],
    /// The schemas of those fields.
    pub children: &'static [&'static Schema],
    /// The meta fields. Those whose values are no constants have [`Value::None`].
    pub meta: &'static [(&'static str, Value<'static>)],
}

impl Schema {
    /// A list or a map with this capacity: `usize::MAX` is none.
    pub(crate) const fn room(room: usize) -> Option<usize> {
        if room == usize::MAX { None } else { Some(room) }
    }

    /// Describes the schema as a treedef without leaves.
    pub(super) const fn describe(&self, out: &mut Writer<'_>) {
        let (node, mut children): (OpenNode, &[&Schema]) = match self {
            Schema::Leaf(name) => {
                (out.begin_struct_with("a leaf", &[], &[("type", Value::Str(name))]), &[])
            }
            Schema::Unknown => (out.begin_struct("any tree", &[]), &[]),
            Schema::Recursive(name) => {
                (out.begin_struct_with("a recursion", &[], &[("to", Value::Str(name))]), &[])
            }
            Schema::Tuple(children) => (out.begin_tuple(children.len()), *children),
            Schema::Array(count, of) => (begin_of(out, "an array", Some(*count)), &[of]),
            Schema::List(room, of) => (begin_of(out, "a list", *room), &[of]),
            Schema::Map(room, key, of) => {
                let meta = &[("key", Value::Str(key)), ("room", room_value(*room))];
                (out.begin_struct_with("a map", &["of"], meta), &[of])
            }
            Schema::Optional(of) => (begin_of(out, "an option", None), &[of]),
            Schema::Struct(record) => return record.describe(out),
            Schema::Enum(names, variants) => {
                let node = out.begin_struct("an enum", names);
                let mut rest = *variants;
                while let [variant, others @ ..] = rest {
                    variant.describe(out);
                    rest = others;
                }
                return out.end(node);
            }
        };
        while let [child, others @ ..] = children {
            child.describe(out);
            children = others;
        }
        out.end(node);
    }

    /// The structs that a value can be, and the schemas of what is in another one.
    pub(crate) const fn parts(&self) -> (&[Record], &[&'static Schema]) {
        match self {
            Schema::Struct(record) => (slice::from_ref(record), &[]),
            Schema::Enum(_, variants) => (variants, &[]),
            Schema::Tuple(children) => (&[], children),
            Schema::Array(_, of)
            | Schema::List(_, of)
            | Schema::Map(_, _, of)
            | Schema::Optional(of) => (&[], slice::from_ref(of)),
            Schema::Leaf(_) | Schema::Recursive(_) | Schema::Unknown => (&[], &[]),
        }
    }

    /// The first type without a name of its own, if there is one.
    pub(super) const fn unnamed(&self) -> Option<&'static str> {
        let (mut records, mut others) = self.parts();
        while let [record, rest @ ..] = records {
            if !record.is_named {
                return Some(record.name);
            }
            if let Some(name) = Schema::Tuple(record.children).unnamed() {
                return Some(name);
            }
            records = rest;
        }
        while let [child, rest @ ..] = others {
            if let Some(name) = child.unnamed() {
                return Some(name);
            }
            others = rest;
        }
        None
    }
}

const fn begin_of(out: &mut Writer<'_>, name: &str, room: Option<usize>) -> OpenNode {
    match room {
        Some(_) => out.begin_struct_with(name, &["of"], &[("room", room_value(room))]),
        None => out.begin_struct(name, &["of"]),
    }
}

const fn room_value(room: Option<usize>) -> Value<'static> {
    match room {
        #[expect(clippy::cast_possible_wrap, reason = "no array is that long")]
        Some(room) => Value::Int(room as i64),
        None => Value::None,
    }
}

impl Record {
    const fn describe(&self, out: &mut Writer<'_>) {
        let node = out.begin_struct_with(self.name, self.fields, self.meta);
        let mut children = self.children;
        while let [child, others @ ..] = children {
            child.describe(out);
            children = others;
        }
        out.end(node);
    }
}

/// The structs and enums around a node, the innermost first.
pub(super) struct Around<'a> {
    schema: &'static Schema,
    outer: Option<&'a Around<'a>>,
    levels: u32,
}

impl Schema {
    /// The schema of the child with this index of a value whose node has this head; `None` if it is not known.
    pub(crate) fn child(&'static self, head: &Head<'_>, index: usize) -> Option<&'static Schema> {
        match self {
            Schema::Tuple(children) => children.get(index).copied(),
            Schema::Array(_, of) | Schema::List(_, of) | Schema::Map(_, _, of) => Some(of),
            Schema::Optional(of) if of.is_nullable() => Some(of),
            Schema::Optional(of) => of.child(head, index),
            Schema::Struct(record) => record.children.get(index).copied(),
            Schema::Enum(_, variants) => {
                let is_here = |variant: &&Record| head.type_name() == Some(variant.name);
                variants.iter().find(is_here)?.children.get(index).copied()
            }
            Schema::Leaf(_) | Schema::Recursive(_) | Schema::Unknown => None,
        }
    }

    /// Whether it is the type that [`Schema::Recursive`] of this name means.
    pub(crate) fn is_named(&self, name: &str) -> bool {
        match self {
            Schema::Struct(record) => record.name == name,
            Schema::Enum(_, [variant, ..]) => variant.name == name,
            _ => false,
        }
    }

    /// Whether a value can be a `None` itself.
    const fn is_nullable(&self) -> bool {
        matches!(self, Schema::Optional(_))
    }

    /// Reads the next child of `list`, which a value of this schema has to have.
    pub(super) fn fits(
        &'static self,
        cursor: &mut Cursor<'_>,
        list: &mut Siblings,
        around: Option<&Around<'_>>,
    ) -> Result<(), Error> {
        let node = cursor.num_nodes_read();
        let mismatch = Err(Error::Mismatch { node });
        let schema = match self {
            Schema::Leaf(_) if cursor.take_leaf(list) => return Ok(()),
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
        let mut all = |schemas: &mut dyn Iterator<Item = &'static Schema>| {
            for schema in schemas {
                schema.fits(cursor, &mut children, Some(around))?;
            }
            Ok(())
        };
        let arity = head.num_children();
        match *schema {
            Schema::Tuple(schemas) if head.kind() == Kind::Tuple && arity == schemas.len() => {
                all(&mut schemas.iter().copied())?;
            }
            Schema::Array(count, of) if head.kind() == Kind::List && arity == count => {
                all(&mut core::iter::repeat_n(of, arity))?;
            }
            Schema::List(room, of) | Schema::Map(room, _, of) if head.kind() == schema.kind() => {
                if let Some(room) = room.filter(|room| *room < arity) {
                    return Err(Error::Capacity { node, room });
                }
                all(&mut core::iter::repeat_n(of, arity))?;
            }
            Schema::Optional(of) if head.kind() == Kind::Some => all(&mut core::iter::once(of))?,
            Schema::Struct(record) if record.has(&head) => {
                all(&mut record.children.iter().copied())?
            }
            Schema::Enum(_, variants) => match variants.iter().find(|variant| variant.has(&head)) {
                Some(variant) => all(&mut variant.children.iter().copied())?,
                None => return mismatch,
            },
            _ => return mismatch,
        }
        let _ = cursor.end(&children);
        Ok(())
    }

    /// The kind of a list or a map.
    pub(crate) const fn kind(&self) -> Kind {
        match self {
            Schema::Map(..) => Kind::Dict,
            _ => Kind::List,
        }
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
    let _ = cursor.take_node(list, head == Head::LEAF);
    Ok(())
}
