//! What all values of a type can be: its schema, the one description of a type.
//!
//! All that is constant follows from it: the treedef (`const_bytes`), the number of leaves, the largest sizes (`max_sizes`), the
//! schema as a treedef (`schema_of`), whether a treedef fits and its choices (`read`), and the paths of leaves (`text/leaf_path`).

use core::fmt;
use core::slice;

use crate::base::attempt::{any, attempt};
use crate::base::bytes::equal_words;
use crate::base::dtype::Dtype;
use crate::base::show::{debug_enum, debug_struct};
use crate::format::head::Head;
use crate::format::value::Value;

/// Does something with each schema inside one, which iterators do not in `const`. An enum is seen as a list of structs.
macro_rules! each_inside {
    ($schema:expr, $child:ident => $do:expr) => {{
        let mut index = 0usize;
        while let Some($child) = $schema.inside(index) {
            $do;
            index = index.wrapping_add(1);
        }
    }};
}
pub(crate) use each_inside;

/// What all values of a type can be: its variants, options, capacities, names and leaf types, as a graph of constants.
///
/// A treedef is the structure of one value. [`schema_of`](crate::schema_of) is the schema as a treedef, and [`fits`](crate::encode::fits) asks whether a value can have a
/// structure.
///
/// # Examples
///
/// ```
/// use treedef::container::Schema;
/// use treedef::tree::HasSchema;
///
/// let Schema::Optional(of) = <Option<f32>>::SCHEMA else { unreachable!() };
/// assert!(matches!(of, Schema::Leaf("float32", ..)));
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Schema {
    /// One leaf: its type as it is written where it is declared. A number, `bool` or a float of `half` has a dtype, and the name
    /// of that. A `NonZero` has the dtype of its integer and a name of its own, such as `NonZero<u16>`; a number of `fixed` has the dtype
    /// of its integer, too. A leaf has a dtype exactly if [`write_leaves`](crate::tree::write_leaves) writes it.
    ///
    /// The last field says whether types that differ in a parameter share the name, as all `AsLeaf<T>` do. The
    /// [key](crate::encode::assert_key) of such a type takes them for one.
    Leaf(&'static str, Option<Dtype>, bool),
    /// A tuple.
    Tuple(Schemas),
    /// A list of this number of elements.
    Array(usize, &'static Schema),
    /// A list of any number of elements, up to a capacity.
    List(Option<usize>, &'static Schema),
    /// A dictionary with any keys of one type, up to a capacity. The text names the type of the keys: for keys of the type `Q` it
    /// is [`<Q as ToValue>::TYPE`](crate::format::ToValue::TYPE), also in a map by hand. The guide to
    /// [`containers`](crate::guide::containers) has an example.
    Map(Option<usize>, &'static str, &'static Schema),
    /// `None`, or a value.
    Optional(&'static Schema),
    /// A struct.
    Struct(&'static Fields),
    /// One of the variants, which have these names.
    Enum(&'static [&'static str], &'static [Fields]),
    /// The struct of this name, or the enum whose first variant has it, which this schema is a part of.
    Recursive(&'static str),
    /// The schema that the function returns, of a type that contains this one.
    Pointer(fn() -> &'static Schema),
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
/// use treedef::container::{Fields, Schema};
/// use treedef::tree::HasSchema;
///
/// #[derive(Tree)]
/// #[tree(name = "app::Pid")]
/// struct Pid { kp: f32, ki: f32 }
///
/// let Schema::Struct(Fields { name, fields, .. }) = Pid::SCHEMA else { unreachable!() };
/// assert_eq!((*name, *fields), ("app::Pid", &["kp", "ki"][..]));
/// # }
/// ```
#[derive(Clone, Copy)]
pub struct Fields {
    /// The type name.
    pub name: &'static str,
    /// The head of the node without its meta fields, if it was encoded at compile time.
    pub head: Option<Head<'static>>,
    /// Whether the name was chosen, and does not change with the module of the type.
    pub is_named: bool,
    /// The names of the fields that hold trees.
    pub fields: &'static [&'static str],
    /// The schemas of those fields.
    pub children: Schemas,
    /// The meta fields. Those whose values are no constants have [`Value::None`], or the name of the type of their values as
    /// [`Value::Opaque`]: [`ToValue::TYPE`](crate::format::ToValue::TYPE).
    pub meta: &'static [(&'static str, Value<'static>)],
    /// What [`migrate_typed`](crate::algebra::migrate_typed) takes for a field or a meta field that is not stored: paths in what is
    /// stored for the node, and names of fields, at most 64 of them. After these, those without a name of a field are older type names.
    pub aliases: &'static [(&'static str, &'static str)],
}

debug_enum!(Schema {
    Leaf(name as Text, dtype, is_shared),
    Tuple(children),
    Array(count, of),
    List(room, of),
    Map(room, key as Text, of),
    Optional(of),
    Struct(record),
    Enum(names as Texts, variants),
    Recursive(name as Text),
    Pointer(of),
    Unknown
});

debug_struct!([] Fields { name as Text, head, is_named, fields as Texts, children, meta as Named });

/// The schemas of children, and what is asked of all of them, which is found once for each type. [`Schemas::new`] has an example.
#[derive(Clone, Copy)]
pub struct Schemas {
    schemas: &'static [&'static Schema],
    leaves: Option<usize>,
    have_any_length: bool,
}

impl fmt::Debug for Schemas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.schemas.fmt(f)
    }
}

impl Schemas {
    /// Counts the leaves of the children.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::container::{Schema, Schemas};
    /// use treedef::tree::HasSchema;
    ///
    /// const PAIR: Schema = Schema::Tuple(Schemas::new(&[f32::SCHEMA, <[f32; 3]>::SCHEMA]));
    /// assert_eq!(PAIR.num_leaves(), Some(4));
    /// ```
    #[must_use]
    pub const fn new(schemas: &'static [&'static Schema]) -> Self {
        let have_any_length = any!(schemas, schema => schema.has_any_length());
        Self { schemas, leaves: leaves_of(schemas), have_any_length }
    }

    /// The number of leaves of all of them, if it is the same for all values.
    #[inline]
    pub(crate) const fn num_leaves(&self) -> Option<usize> {
        self.leaves
    }

    /// The schemas in order.
    #[inline]
    pub(crate) const fn as_slice(&self) -> &'static [&'static Schema] {
        self.schemas
    }
}

/// The number of leaves of trees with these schemas.
pub(crate) const fn leaves_of(mut children: &[&Schema]) -> Option<usize> {
    let mut sum = 0usize;
    while let [first, after @ ..] = children {
        // Most children are leaves, which take no call.
        let leaves = if let Schema::Leaf(..) = first { 1 } else { attempt!(first.num_leaves()) };
        sum = attempt!(sum.checked_add(leaves));
        children = after;
    }
    Some(sum)
}

impl Schema {
    /// Whether a value is or has a list of any length, a map, a part of its own type, or what has no schema.
    pub(crate) const fn has_any_length(&self) -> bool {
        match self {
            Schema::Leaf(..) => false,
            Schema::Tuple(children) | Schema::Struct(Fields { children, .. }) => {
                children.have_any_length
            }
            Schema::Enum(_, variants) => any!(*variants, one => one.children.have_any_length),
            Schema::Array(_, of) | Schema::Optional(of) => of.has_any_length(),
            _ => true,
        }
    }

    /// The number of leaves, if it is the same for all values.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::tree::HasSchema;
    ///
    /// assert_eq!(<(f32, [f32; 3])>::SCHEMA.num_leaves(), Some(4));
    /// assert_eq!(<Option<f32>>::SCHEMA.num_leaves(), None);
    /// ```
    #[must_use]
    pub const fn num_leaves(&self) -> Option<usize> {
        match self {
            Schema::Leaf(..) => Some(1),
            Schema::Array(count, of) => match of.num_leaves() {
                Some(leaves) => leaves.checked_mul(*count),
                // A list without elements has no leaves, whatever an element would have.
                None if *count == 0 => Some(0),
                None => None,
            },
            Schema::Tuple(children) | Schema::Struct(Fields { children, .. }) => children.leaves,
            _ => None,
        }
    }

    /// The dtype of a leaf.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::Dtype;
    /// use treedef::tree::HasSchema;
    ///
    /// assert_eq!(f32::SCHEMA.dtype(), Some(Dtype::Float32));
    /// assert_eq!(<[f32; 2]>::SCHEMA.dtype(), None);
    /// ```
    #[must_use]
    pub const fn dtype(&self) -> Option<Dtype> {
        if let Schema::Leaf(_, dtype, _) = self { *dtype } else { None }
    }

    /// A list or a map with this capacity: `usize::MAX` is none.
    pub(crate) const fn room(room: usize) -> Option<usize> {
        if room == usize::MAX { None } else { Some(room) }
    }

    /// The structs that a value can be, and the schemas of what is in another one.
    pub(crate) const fn parts(&self) -> (&[Fields], &[&'static Schema]) {
        match self {
            Schema::Struct(record) => (slice::from_ref(*record), &[]),
            Schema::Enum(_, variants) => (variants, &[]),
            Schema::Tuple(children) => (&[], children.as_slice()),
            Schema::Array(_, of)
            | Schema::List(_, of)
            | Schema::Map(_, _, of)
            | Schema::Optional(of) => (&[], slice::from_ref(of)),
            Schema::Leaf(..) | Schema::Recursive(_) | Schema::Pointer(_) | Schema::Unknown => {
                (&[], &[])
            }
        }
    }

    /// The schema number `index` of those directly inside: of the children, or of the variants of an enum. So code at compile time walks over
    /// a schema.
    pub(crate) const fn inside(&self, index: usize) -> Option<Schema> {
        let children = match self {
            Schema::Enum(_, variants) => {
                let (_, variants) = attempt!(variants.split_at_checked(index));
                return Some(Schema::Struct(attempt!(variants.first())));
            }
            Schema::Struct(record) => record.children.as_slice(),
            _ => self.parts().1,
        };
        let (_, children) = attempt!(children.split_at_checked(index));
        Some(**attempt!(children.first()))
    }

    /// The schema of the child with this index of a value whose node has this head; `None` if it is not known.
    pub(crate) fn child(&'static self, head: &Head<'_>, index: usize) -> Option<&'static Schema> {
        match self {
            Schema::Array(_, of) | Schema::List(_, of) | Schema::Map(_, _, of) => Some(of),
            Schema::Optional(of) if of.is_nullable() => Some(of),
            Schema::Optional(of) => of.child(head, index),
            Schema::Tuple(children) | Schema::Struct(Fields { children, .. }) => {
                children.as_slice().get(index).copied()
            }
            Schema::Enum(_, variants) => {
                let is_here = |variant: &&Fields| head.type_name() == Some(variant.name);
                variants.iter().find(is_here)?.children.as_slice().get(index).copied()
            }
            Schema::Leaf(..) | Schema::Recursive(_) | Schema::Pointer(_) | Schema::Unknown => None,
        }
    }

    /// Whether it is the type that [`Schema::Recursive`] of this name means.
    pub(crate) const fn is_named(&self, name: &str) -> bool {
        match self {
            Schema::Struct(Fields { name: own, .. })
            | Schema::Enum(_, [Fields { name: own, .. }, ..]) => {
                equal_words(own.as_bytes(), name.as_bytes())
            }
            _ => false,
        }
    }

    /// Whether a recursion to this name is here or below, in a struct or enum of the name. `is_inside` says whether one is around.
    pub(crate) const fn recurs(&self, name: &str, is_inside: bool) -> bool {
        if let Schema::Recursive(to) = self {
            return is_inside && equal_words(to.as_bytes(), name.as_bytes());
        }
        let is_inside = is_inside || self.is_named(name);
        each_inside!(self, child => if child.recurs(name, is_inside) { return true });
        false
    }

    /// Whether a field has aliases, here or below.
    pub(crate) const fn has_aliases(&self) -> bool {
        match self {
            Schema::Struct(record) if !record.aliases.is_empty() => return true,
            // What a pointer leads to is not known here.
            Schema::Pointer(_) => return true,
            _ => {}
        }
        each_inside!(self, child => if child.has_aliases() { return true });
        false
    }

    /// Whether a value can be a `None` itself.
    pub(crate) const fn is_nullable(&self) -> bool {
        matches!(self, Schema::Optional(_))
    }
}

/// The schemas around a node, the innermost first.
pub(crate) struct Around<'a> {
    pub(crate) schema: &'static Schema,
    pub(crate) outer: Option<&'a Around<'a>>,
    pub(crate) levels: u32,
}

impl Around<'_> {
    /// The schema of a type with this name around a node.
    pub(crate) fn named(mut around: Option<&Self>, name: &str) -> Option<&'static Schema> {
        while let Some(level) = around {
            if level.schema.is_named(name) {
                return Some(level.schema);
            }
            around = level.outer;
        }
        None
    }
}

/// Whether this is the constant of a meta field, and not what a [`Fields`] has for any value.
pub(crate) const fn is_literal(value: &Value<'_>) -> bool {
    !matches!(value, Value::None | Value::Opaque(_))
}

impl Fields {
    /// Whether a node of it has this type name, or had it once.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&(name, ""))
    }

    /// The values of the meta fields, if all are constants.
    pub(crate) const fn constants(&self) -> Option<&'static [(&'static str, Value<'static>)]> {
        let is_open = any!(self.meta, (_, value) => !is_literal(value));
        if is_open { None } else { Some(self.meta) }
    }
}
