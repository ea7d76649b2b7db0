//! The largest sizes of the values of a type, at compile time.

use crate::base::attempt::attempt;
use crate::base::bytes::strip_prefix;
use crate::encode::const_bytes::size_of_schema;
use crate::encode::schema::{Fields, Schema, each_inside};
use crate::encode::structure::HasSchema;
use crate::encode::writer::{Writer, repeat_len};
use crate::format::head::Head;
use crate::format::heading::count_len;
use crate::format::value::Value;

/// The largest sizes that any value of a type can have; [`usize::MAX`] where there is no bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MaxSizes {
    /// The number of leaves.
    pub(crate) leaves: usize,
    /// The number of bytes of the treedef.
    pub(crate) bytes: usize,
    /// The number of bytes of the text of a path, as [`KeyPath::keystr`](crate::KeyPath::keystr) writes it.
    path_len: usize,
}

/// The larger one of two bounds.
pub(crate) const fn larger(one: usize, other: usize) -> usize {
    if one < other { other } else { one }
}

/// The length of the text of an index: two brackets and digits.
const fn index_len(index: usize) -> usize {
    match index.checked_ilog10() {
        Some(digits) => (digits as usize).saturating_add(3),
        None => 3,
    }
}

impl MaxSizes {
    const UNBOUNDED: Self = Self { leaves: usize::MAX, bytes: usize::MAX, path_len: usize::MAX };

    /// Those of all values with this schema.
    pub(crate) const fn of(schema: &Schema) -> Self {
        Self::within(schema, false)
    }

    /// As [`MaxSizes::of`]. If `in_const`, it is inside a constant structure, whose bytes are known, and its own are not counted.
    const fn within(schema: &Schema, in_const: bool) -> Self {
        let size = if in_const { None } else { size_of_schema(schema) };
        let sizes = Self::of_parts(schema, in_const || size.is_some());
        // Equal siblings of a constant structure are known to be stored once.
        match size {
            Some((bytes, _)) => Self { bytes, ..sizes },
            None => sizes,
        }
    }

    const fn of_parts(schema: &Schema, in_const: bool) -> Self {
        match schema {
            Schema::Leaf(..) => Self { leaves: 1, ..Self::node(1) },
            Schema::Tuple(children) => {
                let children = children.as_slice();
                Self::node(count_len(children.len())).and_children(&[], children, in_const)
            }
            Schema::Array(count, of) | Schema::List(Some(count), of) => {
                Self::list(*count, of, in_const)
            }
            Schema::Map(Some(room), _, of) => {
                let sizes = Self::node(usize::MAX).and(Self::within(of, in_const), 0, *room);
                Self { path_len: usize::MAX, ..sizes }
            }
            Schema::Optional(of) if of.is_nullable() => {
                Self::node(Head::SOME.as_bytes().len()).and(Self::within(of, in_const), 0, 1)
            }
            Schema::Optional(of) => Self::node(1).or(Self::within(of, in_const)),
            Schema::Struct(record) => Self::record(record, in_const),
            Schema::Enum(_, variants) => {
                let (mut sizes, mut rest) = (Self::node(1), *variants);
                while let [variant, after @ ..] = rest {
                    sizes = sizes.or(Self::record(variant, in_const));
                    rest = after;
                }
                sizes
            }
            Schema::List(None, _)
            | Schema::Map(None, ..)
            | Schema::Recursive(_)
            | Schema::Pointer(_)
            | Schema::Unknown => Self::UNBOUNDED,
        }
    }

    /// Those of a node without children, whose head has this number of bytes.
    const fn node(bytes: usize) -> Self {
        Self { leaves: 0, bytes, path_len: 0 }
    }

    const fn record(record: &Fields, in_const: bool) -> Self {
        let mut head = Writer::count();
        let bytes = match record.constants() {
            Some(meta) if head.begin_struct_with(record.name, record.fields, meta).is_open() => {
                head.len()
            }
            _ => usize::MAX,
        };
        Self::node(bytes).and_children(record.fields, record.children.as_slice(), in_const)
    }

    /// Adds children: fields with these names, or elements of a tuple.
    const fn and_children(
        mut self,
        mut names: &[&str],
        mut children: &[&Schema],
        in_const: bool,
    ) -> Self {
        let mut index = 0usize;
        while let [child, after @ ..] = children {
            let entry = match names {
                [name, others @ ..] => {
                    names = others;
                    name.len().saturating_add(1)
                }
                [] => index_len(index),
            };
            self = self.and(Self::within(child, in_const), entry, 1);
            (children, index) = (after, index.saturating_add(1));
        }
        self
    }

    /// A list of at most `max` elements.
    const fn list(max: usize, of: &Schema, in_const: bool) -> Self {
        let sizes = Self::node(count_len(max)).and(
            Self::within(of, in_const),
            index_len(max.saturating_sub(1)),
            max,
        );
        match if in_const { None } else { size_of_schema(of) } {
            // Equal elements are one and a repeat.
            Some((len, (leaves, _))) if leaves > 0 => {
                let repeat = repeat_len(max, leaves);
                let repeated = count_len(max).saturating_add(len).saturating_add(repeat);
                if sizes.bytes > repeated { Self { bytes: repeated, ..sizes } } else { sizes }
            }
            _ => sizes,
        }
    }

    /// Those of a value that is one of two kinds.
    const fn or(self, other: Self) -> Self {
        Self {
            leaves: larger(self.leaves, other.leaves),
            bytes: larger(self.bytes, other.bytes),
            path_len: larger(self.path_len, other.path_len),
        }
    }

    /// Adds `count` children, whose entry in a path has `entry` bytes.
    const fn and(self, child: Self, entry: usize, count: usize) -> Self {
        if count == 0 {
            return self;
        }
        Self {
            leaves: self.leaves.saturating_add(child.leaves.saturating_mul(count)),
            bytes: self.bytes.saturating_add(child.bytes.saturating_mul(count)),
            path_len: larger(self.path_len, child.path_len.saturating_add(entry)),
        }
    }
}

/// The largest number of bytes of the [choices](crate::tree::choices) of any value with this schema; [`usize::MAX`] without a bound.
pub(crate) const fn max_choices(schema: &Schema) -> usize {
    match schema {
        Schema::Leaf(..) => 0,
        Schema::Array(count, of) => count.saturating_mul(max_choices(of)),
        Schema::List(Some(room), of) => {
            number_len(*room).saturating_add(room.saturating_mul(max_choices(of)))
        }
        Schema::Optional(of) => max_choices(of).saturating_add(1),
        Schema::Map(Some(room), key, of) => {
            let entry = max_value(key).saturating_add(max_choices(of));
            number_len(*room).saturating_add(room.saturating_mul(entry))
        }
        Schema::Tuple(_) | Schema::Struct(_) | Schema::Enum(..) => {
            let (mut most, mut sum) = (0usize, 0usize);
            each_inside!(schema, child => {
                let own = max_choices(&child);
                (most, sum) = (larger(most, own), sum.saturating_add(own));
            });
            match schema {
                Schema::Enum(_, [] | [_]) => most,
                Schema::Enum(_, variants) => most.saturating_add(number_len(variants.len())),
                Schema::Struct(record) => sum.saturating_add(max_values(record.meta)),
                _ => sum,
            }
        }
        Schema::List(None, _)
        | Schema::Map(None, ..)
        | Schema::Recursive(_)
        | Schema::Pointer(_)
        | Schema::Unknown => usize::MAX,
    }
}

/// The largest number of bytes of the values of meta fields that are no constants.
pub(crate) const fn max_values(mut meta: &[(&str, Value<'_>)]) -> usize {
    let mut sum = 0usize;
    while let [(_, value), after @ ..] = meta {
        sum = sum.saturating_add(match value {
            Value::Opaque(name) => max_value(name),
            Value::None => usize::MAX,
            _ => 0,
        });
        meta = after;
    }
    sum
}

/// The largest number of bytes of a value of the type with this name, as [`ToValue::TYPE`](crate::format::ToValue::TYPE): a tag, and what
/// comes after it. A type of the program has no bound.
const fn max_value(name: &str) -> usize {
    let name = match name.as_bytes() {
        [b'N', b'o', b'n', b'Z', b'e', b'r', b'o', b'<', name @ .., b'>'] => name,
        name => name,
    };
    match name {
        b"bool" => 1,
        b"u8" | b"i8" => 3,
        b"u16" | b"i16" => 4,
        b"f32" => 5,
        b"u32" | b"i32" | b"char" | b"Ipv4Addr" => 6,
        b"f64" => 9,
        b"u64" | b"i64" | b"usize" | b"isize" => 11,
        b"Ipv6Addr" => 18,
        b"u128" | b"i128" | b"Duration" => 19,
        name => max_text(name).saturating_add(1),
    }
}

/// The largest number of bytes of a text of the type with this name, with that of its length.
pub(crate) const fn max_text(name: &[u8]) -> usize {
    match text_room(name) {
        Some(room) => number_len(room).saturating_add(room),
        None => usize::MAX,
    }
}

/// The capacity of a text, which the name of its type says: `str<8>`.
pub(crate) const fn text_room(name: &[u8]) -> Option<usize> {
    let (mut rest, mut room) = (attempt!(strip_prefix(name, b"str<")), 0usize);
    while let [digit @ b'0'..=b'9', after @ ..] = rest {
        room = room.saturating_mul(10).saturating_add((*digit ^ b'0') as usize);
        rest = after;
    }
    Some(room)
}

/// The number of bytes of a number: seven bits a byte.
pub(crate) const fn number_len(number: usize) -> usize {
    match number.checked_ilog2() {
        Some(bits) => (bits as usize / 7).saturating_add(1),
        None => 1,
    }
}

/// A size of all values of type `T`; the error of the compiler for a type without a bound.
macro_rules! bound {
    ($size:ident, $error:literal) => {
        const {
            match MaxSizes::of(T::SCHEMA).$size {
                usize::MAX => panic!($error),
                size => size,
            }
        }
    };
}

/// The largest number of leaves that a value of type `T` can have.
///
/// A type without a bound does not compile: `Vec`, slices, maps of the standard library, a type that contains itself, and what holds
/// one of these. A map of `heapless` bounds only its leaves, because its keys can be of any length. A struct with a meta field
/// whose value is not a constant has no bound for its bytes.
///
/// # Examples
///
/// ```
/// use treedef::leaves_into;
/// use treedef::tree::max_leaves;
///
/// type Samples = heapless::Vec<(f32, Option<f32>), 8>;
/// let mut leaves = [0.0f32; max_leaves::<Samples>()];
/// assert_eq!(leaves.len(), 16);
///
/// let samples = Samples::from_slice(&[(1.0, None), (2.0, Some(3.0))]).unwrap();
/// assert_eq!(leaves_into(&samples, &mut leaves), Ok(3));
/// ```
#[must_use]
pub const fn max_leaves<T: HasSchema>() -> usize {
    bound!(
        leaves,
        "the number of leaves of this type has no bound: it holds a `Vec` or a map, or contains itself"
    )
}

/// A number of bytes that is enough for the treedef of every value of type `T`.
///
/// A type without a bound does not compile; [`max_leaves`] says which have none. For one value
/// [`structure_bound`](crate::encode::structure_bound) gives no more than that.
///
/// # Examples
///
/// ```
/// use treedef::structure_into;
/// use treedef::tree::max_bytes;
///
/// type Samples = heapless::Vec<(f32, Option<f32>), 8>;
/// let mut bytes = [0; max_bytes::<Samples>()];
/// assert_eq!(bytes.len(), 25);
///
/// let samples = Samples::from_slice(&[(1.0, None), (2.0, Some(3.0))]).unwrap();
/// assert_eq!(structure_into(&samples, &mut bytes)?.to_string(), "PyTreeDef([(*, None), (*, *)])");
/// # Ok::<(), treedef::Error>(())
/// ```
#[must_use]
pub const fn max_bytes<T: HasSchema>() -> usize {
    bound!(
        bytes,
        "the treedefs of this type have no bound: it holds a `Vec`, a map, or a meta field that is not a constant, or \
         contains itself"
    )
}

/// The largest number of bytes of the text of a path in a value of type `T`, as
/// [`KeyPath::keystr`](crate::KeyPath::keystr) writes it.
///
/// A type without a bound does not compile; [`max_leaves`] says which have none.
///
/// # Examples
///
/// ```
/// use core::fmt::Write;
/// use treedef::over;
/// use treedef::tree::max_path_len;
///
/// type Gains = [(f32, [f32; 12]); 3];
/// assert_eq!(max_path_len::<Gains>(), "[2][1][11]".len());
///
/// let mut longest = heapless::String::<{ max_path_len::<Gains>() }>::new();
/// over(&Gains::default()).paths().for_each(|path, _| {
///     longest.clear();
///     write!(longest, "{}", path.keystr()).unwrap();
/// })?;
/// assert_eq!(longest, "[2][1][11]");
/// # Ok::<(), treedef::Error>(())
/// ```
#[must_use]
pub const fn max_path_len<T: HasSchema>() -> usize {
    bound!(
        path_len,
        "the paths of this type have no bound: it holds a `Vec` or a map, or contains itself"
    )
}

#[cfg(test)]
mod tests {
    use heapless::LinearMap;

    use super::*;

    #[test]
    fn types_without_bounds_have_none() {
        assert_eq!(MaxSizes::of(<[f32]>::SCHEMA), MaxSizes::UNBOUNDED);
        assert_eq!(MaxSizes::of(<[(f32, &[f32]); 0]>::SCHEMA).leaves, 0);
        let map = MaxSizes::of(<LinearMap<u8, [f32; 2], 3>>::SCHEMA);
        assert_eq!(map, MaxSizes { leaves: 6, ..MaxSizes::UNBOUNDED });
        // A number that does not fit.
        assert_eq!(MaxSizes::of(<[[f32; usize::MAX / 2]; 3]>::SCHEMA).leaves, usize::MAX);
    }

    #[test]
    fn choices_have_bounds() {
        type Curve = heapless::Vec<(Option<f32>, Option<Option<f32>>), 200>;
        // Two bytes of a length, and three of each element.
        assert_eq!(max_choices(<(f32, Curve)>::SCHEMA), 602);
        assert_eq!(max_choices(<[[f32; 2]; 9]>::SCHEMA), 0);
        assert_eq!(max_choices(<LinearMap<u8, f32, 3>>::SCHEMA), 1 + 3 * 3);
        assert_eq!(max_choices(<[f32]>::SCHEMA), usize::MAX);
    }
}
