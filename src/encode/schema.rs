//! What all values of a type can be: its schema, and the treedef that has it as a key.

use crate::base::dtype::Dtype;
use crate::base::error::Error;
use crate::encode::shape::MAX_CONST_BYTES;
use crate::encode::structure::{Structure, in_buckets};
use crate::encode::writer::{OpenNode, Writer};
use crate::format::head::{Head, Kind};
use crate::format::value::Value;
use crate::treedef::cursor::{Cursor, Siblings};
use crate::treedef::treedef::TreeDef;

/// What all values of a type can be: its variants, options, capacities, names and leaf types, as a graph of constants.
///
/// A treedef is the structure of one value. [`schema_of`] is the schema as a treedef, and [`fits`] asks whether a value can have a
/// structure.
///
/// # Examples
///
/// ```
/// use treedef::container::Schema;
/// use treedef::tree::Structure;
///
/// let Schema::Optional(of) = <Option<f32>>::SCHEMA else { unreachable!() };
/// assert!(matches!(of, Schema::Leaf(Some(dtype)) if dtype.name() == "float32"));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Schema {
    /// One leaf; of this dtype, if the type is a number, `bool` or a float of `half`.
    Leaf(Option<Dtype>),
    /// A tuple.
    Tuple(&'static [&'static Schema]),
    /// A list of this number of elements.
    Array(usize, &'static Schema),
    /// A list of any number of elements, up to a capacity.
    List(Option<usize>, &'static Schema),
    /// A dictionary with any keys, up to a capacity.
    Map(Option<usize>, &'static Schema),
    /// `None`, or a value.
    Optional(&'static Schema),
    /// A struct.
    Struct(Record),
    /// One of the variants.
    Enum(&'static [Record]),
    /// The struct of this name, or the enum whose first variant has it, which this schema is a part of.
    Recursive(&'static str),
    /// The type does not say, as a container by hand that has no schema.
    Unknown,
}

/// A struct, or a variant of an enum.
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
    #[doc(hidden)]
    #[must_use]
    pub const fn room(room: usize) -> Option<usize> {
        if room == usize::MAX { None } else { Some(room) }
    }

    /// Describes the schema as a treedef without leaves.
    const fn describe(&self, out: &mut Writer<'_>) {
        let (node, mut children): (OpenNode, &[&Schema]) = match self {
            Schema::Leaf(dtype) => {
                let name = match dtype {
                    Some(dtype) => dtype.name(),
                    None => "leaf",
                };
                (out.begin_struct(name, &[]), &[])
            }
            Schema::Unknown => (out.begin_struct("unknown", &[]), &[]),
            Schema::Recursive(name) => {
                let meta = &[("name", Value::Str(name))];
                (out.begin_struct_with("recursive", &[], meta), &[])
            }
            Schema::Tuple(children) => (out.begin_tuple(children.len()), *children),
            Schema::Array(count, of) => (begin_of(out, "array", Some(*count)), &[of]),
            Schema::List(room, of) => (begin_of(out, "list", *room), &[of]),
            Schema::Map(room, of) => (begin_of(out, "map", *room), &[of]),
            Schema::Optional(of) => (begin_of(out, "option", None), &[of]),
            Schema::Struct(record) => return record.describe(out),
            Schema::Enum(variants) => {
                let node = out.begin_tuple(variants.len());
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

    /// The first type without a name of its own, if there is one.
    const fn unnamed(&self) -> Option<&'static str> {
        let mut children: &[&Schema] = match self {
            Schema::Tuple(children) => children,
            Schema::Array(_, of)
            | Schema::List(_, of)
            | Schema::Map(_, of)
            | Schema::Optional(of) => &[of],
            Schema::Struct(record) => return record.unnamed(),
            Schema::Enum(variants) => {
                let mut rest = *variants;
                while let [variant, others @ ..] = rest {
                    if let Some(name) = variant.unnamed() {
                        return Some(name);
                    }
                    rest = others;
                }
                &[]
            }
            Schema::Leaf(_) | Schema::Recursive(_) | Schema::Unknown => &[],
        };
        while let [child, others @ ..] = children {
            if let Some(name) = child.unnamed() {
                return Some(name);
            }
            children = others;
        }
        None
    }
}

const fn begin_of(out: &mut Writer<'_>, name: &str, room: Option<usize>) -> OpenNode {
    match room {
        #[expect(clippy::cast_possible_wrap, reason = "no array is that long")]
        Some(room) => out.begin_struct_with(name, &["of"], &[("room", Value::Int(room as i64))]),
        None => out.begin_struct(name, &["of"]),
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

    const fn unnamed(&self) -> Option<&'static str> {
        if !self.is_named {
            return Some(self.name);
        }
        Schema::Tuple(self.children).unnamed()
    }
}

struct Constant<T: ?Sized>(core::marker::PhantomData<T>);

impl<T: Structure + ?Sized> Constant<T> {
    const LEN: usize = {
        let mut out = Writer::count();
        T::SCHEMA.describe(&mut out);
        match out.finish_count() {
            Ok((bytes, _)) if bytes <= MAX_CONST_BYTES => bytes,
            Ok(_) => panic!("the schema of this type is above MAX_CONST_BYTES"),
            Err(_) => panic!("the schema of this type has more than 64 levels"),
        }
    };

    const BYTES: &'static [u8] = in_buckets!(Self::LEN, written(T::SCHEMA));

    const DEF: TreeDef<'static> = match Self::BYTES.split_at_checked(Self::LEN) {
        Some((bytes, _)) => TreeDef::trusted(bytes, 0),
        None => TreeDef::NONE,
    };
}

/// The bytes of a schema, which has at most `N`.
const fn written<const N: usize>(schema: &Schema) -> [u8; N] {
    let mut bytes = [0; N];
    let mut out = Writer::new(&mut bytes);
    schema.describe(&mut out);
    bytes
}

/// The schema of a type as a treedef: a constant key of all that its values can be.
///
/// Two programs that exchange or store values of a type agree about the type if these treedefs are equal; their
/// [`fingerprint`](TreeDef::fingerprint) is a key of 64 bits, and their [`differences`](TreeDef::differences) say where the types
/// differ. The treedef of a value, such as [`treedef_of`](crate::treedef_of), changes with each option and variant.
///
/// Its nodes have no leaves: a leaf is a struct with the name of its dtype; an option, list, map or array a struct of that name with
/// the field `of`, and its capacity as the meta field `room`; an enum a tuple of its variants. A container by hand is `unknown`,
/// unless it has a [`SCHEMA`](Structure::SCHEMA).
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use treedef::{Tree, TreeDef, schema_of};
///
/// #[derive(Tree)]
/// #[tree(name = "fw::Mode")]
/// enum Mode { Off, Torque { max: f32 } }
///
/// #[derive(Tree)]
/// #[tree(name = "fw::Motor")]
/// struct Motor { mode: Mode, trim: Option<f32>, curve: heapless::Vec<f32, 4> }
///
/// // The next version.
/// #[derive(Tree)]
/// #[tree(name = "fw::Motor")]
/// struct NextMotor { mode: Mode, trim: Option<f64>, curve: heapless::Vec<f32, 8> }
///
/// const KEY: u64 = schema_of::<Motor>().fingerprint();
/// assert_ne!(KEY, schema_of::<NextMotor>().fingerprint());
///
/// let next: TreeDef<'static> = schema_of::<NextMotor>();
/// let differences = schema_of::<Motor>().differences(next).flatten();
/// assert!(differences.map(|one| one.to_string()).eq([
///     "at .trim.of: expected a struct float32, found a struct float64",
///     "at .curve: expected room = 4, found room = 8",
/// ]));
/// # }
/// ```
#[must_use]
pub const fn schema_of<T: Structure + ?Sized>() -> TreeDef<'static> {
    const { Constant::<T>::DEF }
}

/// Checks at compile time that every struct and enum in a type has a name of its own, by `#[tree(name = "..")]`.
///
/// Without one, the name is the path of the module, so what was stored cannot be loaded by name any more when the type moves
/// to another module, or the crate gets another name.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "derive")] {
/// #[derive(treedef::Tree)]
/// #[tree(name = "app::Config")]
/// struct Config { gain: f32 }
///
/// const _: () = treedef::tree::assert_named::<Config>();
/// # }
/// ```
///
/// ```compile_fail
/// #[derive(treedef::Tree)]
/// struct Config { gain: f32 }
///
/// const _: () = treedef::tree::assert_named::<Config>();
/// ```
pub const fn assert_named<T: Structure + ?Sized>() {
    if let Some(name) = T::SCHEMA.unnamed() {
        panic!(
            "{}",
            crate::base::message::Message::new(&[
                "`",
                name,
                "` has the path of its module as its name: give it one by `#[tree(name = \"..\")]`",
            ])
            .as_str()
        );
    }
}

/// Checks whether a value of the type can have this structure, without leaves.
///
/// It asks the [schema](schema_of) of the type. What a container by hand can have is not known, so it fits. The keys of maps, and the
/// values of meta fields that are no constants, are not checked.
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
/// use treedef::tree::fits;
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
    /// The schema of the child with this index of a value whose node has this head; `None` if it is not known.
    pub(crate) fn child(&'static self, head: &Head<'_>, index: usize) -> Option<&'static Schema> {
        match self {
            Schema::Tuple(children) => children.get(index).copied(),
            Schema::Array(_, of) | Schema::List(_, of) | Schema::Map(_, of) => Some(of),
            Schema::Optional(of) if of.is_nullable() => Some(of),
            Schema::Optional(of) => of.child(head, index),
            Schema::Struct(record) => record.children.get(index).copied(),
            Schema::Enum(variants) => {
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
            Schema::Enum([variant, ..]) => variant.name == name,
            _ => false,
        }
    }

    /// Whether a value can be a `None` itself.
    const fn is_nullable(&self) -> bool {
        matches!(self, Schema::Optional(_))
    }

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
        if levels == crate::encode::depth::MAX_DEPTH {
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
            Schema::List(room, of) | Schema::Map(room, of) if head.kind() == schema.kind() => {
                if let Some(room) = room.filter(|room| *room < arity) {
                    return Err(Error::Capacity { node, room });
                }
                all(&mut core::iter::repeat_n(of, arity))?;
            }
            Schema::Optional(of) if head.kind() == Kind::Some => all(&mut core::iter::once(of))?,
            Schema::Struct(record) if record.has(&head) => {
                all(&mut record.children.iter().copied())?
            }
            Schema::Enum(variants) => match variants.iter().find(|variant| variant.has(&head)) {
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
