//! Functions for the code that this crate's macros and derives write, and for no other code.

use core::any::Any;
use core::fmt;
use core::str::FromStr;

use crate::base::attempt::any;
use crate::base::bytes::{equal_words, small};
use crate::base::dtype::Dtype;
use crate::base::message::Message;
use crate::base::python;
use crate::format::head::{self, kind_and_count};
use crate::format::value::{Data, ValueTuple};
use crate::format::varint::{self, low7};

// What the code of `#[derive(Tree)]` names, so that its paths are short: it knows this module as `d__`.
pub use core::clone::Clone;
pub use core::convert::From;
pub use core::default::Default;
pub use core::iter::{IntoIterator, Iterator, empty};
pub use core::marker::PhantomData;
pub use core::ops::FnMut;
pub use core::option::Option::{self, None, Some};
pub use core::primitive::{bool, str, u8, u32, usize};
pub use core::result::Result::{self, Err, Ok};

pub use crate::base::error::Error;
pub use crate::base::exact_size::count;
pub use crate::encode::depth::Depth;
pub use crate::encode::schema::{Fields, Schema, Schemas};
pub use crate::encode::structure::HasSchema;
pub use crate::format::head::Head;
pub use crate::format::heading::Struct;
pub use crate::format::to_value::{FromValue, ToValue};
pub use crate::format::value::Value;
pub use crate::tree::build::{Source, TreeBuild};
use crate::tree::choices::give_parts;
pub use crate::tree::containers::entries::*;
pub use crate::tree::lanes::{Lanes, Leaves, Trees, leaves, require};
pub use crate::tree::leaf_types::{LeafAs, LeafTypes, NoLeaves};
use crate::tree::migrate::question::{OfDefault, TakeDefault};
pub use crate::tree::migrate::question::{Part, Question};
pub use crate::tree::pairing::Pairing;
pub use crate::tree::traits::{Leaf, MapTree, TreeRead, TreeWrite, ZipPrefix};
pub use crate::tree::walk::{Sink, TreeWalk, VisitLanes};
pub use crate::tree::walk_path::WalkPath;

/// Checks at compile time that a struct has these fields in this order, as far as they have their own names. The code of
/// [`prefix!`](crate::prefix) calls it.
#[expect(clippy::panic, reason = "it is called at compile time")]
pub const fn check_prefix<T: HasSchema>(mut fields: &[&str]) {
    let Schema::Struct(Fields { name, fields: own, .. }) = T::SCHEMA else { return };
    let mut names = *own;
    while let ([field, other_fields @ ..], [name, others @ ..]) = (fields, names)
        && (equal_words(field.as_bytes(), name.as_bytes())
            || !any!(*own, one => equal_words(one.as_bytes(), field.as_bytes())))
    {
        (fields, names) = (other_fields, others);
    }
    if !fields.is_empty() || !names.is_empty() {
        let what = "` in their order: all that are neither `meta` nor `skip`";
        panic!("{}", Message::new(&["`prefix!` lists the fields of `", name, what]).as_str());
    }
}

/// Checks at compile time that what is around the recursion in a field of this type is no type of the same name: the recursion would
/// be taken for one to that. These are containers, so only a user's type with the name of a container has to be looked through.
#[expect(clippy::panic, reason = "it is called at compile time")]
pub const fn check_recursion(name: &str, mut around: &[&Schema]) {
    while let [schema, others @ ..] = around {
        if matches!(schema, Schema::Struct(_) | Schema::Enum(..)) && schema.recurs(name, false) {
            let what = "` has a recursion in another type of the same name, which it would be taken for one to: give one of them \
                        another name by `#[tree(name = \"..\")]`";
            panic!("{}", Message::new(&["`", name, what]).as_str());
        }
        around = others;
    }
}

/// Calls `visit` with a leaf of the partner of a walk and each leaf of the subtrees at its place. The code of
/// [`leaf!`](crate::leaf) calls it.
///
/// # Errors
///
/// Those of [`Pairing::check`] if a subtree is no leaf and the partner is no prefix, and those of
/// [`TreeWalk::walk_lanes`].
#[inline]
pub fn zip_leaf<'p, 'a, K, J, O, P, L, E>(
    leaf: Trees<'p, P, K>,
    trees: Trees<'a, L, O>,
    pairing: &mut Pairing,
    visit: &mut impl FnMut(Trees<'p, P, K>, Leaves<'a, L, J>) -> Result<(), E>,
) -> Result<(), E>
where
    K: Leaf + 'p,
    J: LeafTypes + 'a,
    O: TreeWalk<J> + ?Sized + 'a,
    P: Lanes,
    L: Lanes,
    E: From<Error>,
{
    pairing.check::<L>(pairing.is_prefix() || matches!(O::SCHEMA, Schema::Leaf(..)))?;
    pairing.count_partner_if(true);
    // A leaf that is changed is shown once: only a prefix is shown for several leaves, and `under` takes none that is changed.
    let mut held = Some(leaf);
    O::walk_lanes::<L, E, _>(trees, pairing.depth(), &mut |items| match P::take_or_copy::<K>(
        &mut held,
    ) {
        Some(leaf) => visit(leaf, items),
        None => Ok(()),
    })
}

/// Gives the default of a field, and says whether it has choices.
pub fn give_tree<K: LeafTypes, T: TreeWalk<K>>(tree: T, take: &mut TakeDefault<'_, K>) -> bool {
    give_parts(&tree, take).is_ok()
}

/// As [`give_tree`], for a leaf.
pub fn give_leaf<K: LeafTypes, T: LeafAs<K>>(leaf: T, take: &mut TakeDefault<'_, K>) -> bool {
    take(OfDefault::Leaf(T::by_ref(&leaf)));
    true
}

/// What `read` makes of the next meta field that is no literal of the type. The derive names the type of the field in `read` alone,
/// so a type that is no value is one error.
///
/// # Errors
///
/// It makes nothing of it.
pub fn read_meta<'d, K: LeafTypes, S: Source<'d, K>, T>(
    from: &mut S,
    read: impl FnOnce(Value<'d>) -> Option<T>,
) -> Result<T, S::Error> {
    match read(from.value()?) {
        Some(value) => Ok(value),
        None => from.refuse(from.place()),
    }
}

/// Checks that the next meta field that is no literal has this value.
///
/// # Errors
///
/// It has another one.
pub fn expect_meta<'d, K: LeafTypes, S: Source<'d, K>, T: ToValue>(
    from: &mut S,
    expected: &T,
) -> Result<(), S::Error> {
    let value = from.value()?;
    match expected.with_value(|expected| expected == value) {
        true => Ok(()),
        false => from.refuse(from.place()),
    }
}

/// Counts the elements of lists of one length, which are leaves.
#[inline]
pub fn count_leaf_nodes<L: Lanes, T>(lists: &Trees<'_, L, [T]>, depth: &mut Depth) {
    L::count_nodes(depth, small(L::first::<[T]>(lists).len()));
}

/// The error that the tree with the index `tree` differs from the first at the next node.
#[cold]
pub fn differs<X, E: From<Error>>(depth: &Depth, tree: u32) -> Result<X, E> {
    Err(depth.differs(tree).into())
}

/// The error that the partner differs from the trees at the next node.
#[cold]
pub fn partner_differs<L: Lanes, X, E: From<Error>>(pairing: &Pairing) -> Result<X, E> {
    Err(pairing.differs::<L>().into())
}

/// Counts a level, if `T` has no fixed shape. Every recursion goes through such a type, so levels of other types need
/// no count.
///
/// # Errors
///
/// [`Error::TooDeep`].
#[inline]
pub fn enter<T: HasSchema + ?Sized, E: From<Error>>(depth: &mut Depth) -> Result<(), E> {
    match T::LEAVES {
        Some(_) => Ok(()),
        None => depth.enter().map_err(E::from),
    }
}

/// Ends a level that [`enter`] counted.
#[inline]
pub fn leave<T: HasSchema + ?Sized>(depth: &mut Depth) {
    if T::LEAVES.is_none() {
        depth.leave();
    }
}

/// Converts const parameters to values, as `ToValue` does. A function has the name of the type of the parameter.
pub mod value_of {
    use crate::format::value::{BigInt, Value};

    /// Converts a `bool`.
    #[must_use]
    pub const fn bool<const VALUE: bool>() -> Value<'static> {
        Value::Bool(VALUE)
    }

    /// Integers beyond `i64` are big integers.
    macro_rules! integers {
        ($($type:ident),*) => {$(
            /// Converts an integer.
            #[must_use]
            pub const fn $type<const VALUE: $type>() -> Value<'static> {
                let magnitude = const { &(VALUE as u64).to_le_bytes() };
                match BigInt::new(false, magnitude) {
                    #[allow(unused_comparisons)]
                    Some(big) if VALUE >= 0 => Value::BigInt(big),
                    _ => Value::Int(VALUE as i64),
                }
            }
        )*};
    }
    integers!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);
}

/// A type with a default, for a field with `#[tree(skip)]` of a tree with leaves of type `K`.
///
/// With `K`, the bound can fail for a type that has no parameters: then the tree can only not be rebuilt. A plain
/// `Default` bound that fails is an error of the derive.
#[diagnostic::on_unimplemented(
    message = "a field with `#[tree(skip)]` has no default: `{Self}`",
    label = "cannot be rebuilt",
    note = "a field that is no part of the tree gets its default: implement `Default` for its type"
)]
pub trait Skipped<K> {
    /// The value of the field in a tree that is rebuilt.
    fn skipped() -> Self;
}

#[diagnostic::do_not_recommend]
impl<K, T: Default> Skipped<K> for T {
    #[inline]
    fn skipped() -> T {
        T::default()
    }
}

/// A field with `#[tree(skip)]` that a map of a tree with leaves of type `K` can copy: its type stays as it is. As
/// [`Skipped`], the bound can fail for a type that has no parameters.
#[diagnostic::on_unimplemented(
    message = "a map cannot copy a field with `#[tree(skip)]`: `{Self}`",
    label = "is not `Clone`",
    note = "a map copies the skipped fields of the first tree, whose types stay: implement `Clone` for them"
)]
pub trait Kept<K, N> {
    /// The value of the field in a tree that is mapped.
    fn kept(&self) -> N;
}

#[diagnostic::do_not_recommend]
impl<K, T: Clone> Kept<K, T> for T {
    #[inline]
    fn kept(&self) -> T {
        self.clone()
    }
}

/// Says that `Self` and `T` are one type: the bound `Self = T`, which Rust cannot express.
#[diagnostic::on_unimplemented(
    message = "the leaves of this tree cannot be both `{Self}` and `{T}`",
    label = "a field with `#[tree(leaf)]` keeps its type",
    note = "for leaves of several types, declare them with `treedef::leaf_types!`, and call `over(..).of::<Set>()`",
    note = "a map can change the leaf type of a struct if it is a type parameter",
    note = "a map gives all leaves one type: to map those of one type and keep the others, call `treedef::tree::map_of`"
)]
pub trait Same<T> {
    /// The value, unchanged.
    fn same(self) -> T;
}

impl<T> Same<T> for T {
    #[inline]
    fn same(self) -> T {
        self
    }
}

/// What a macro knows of a type. An item of the type itself goes before one of [`Unknown`], so a type that lacks a trait has the
/// latter. A struct with a field that is no tree has one error then, which the bounds of its implementation give.
#[derive(Debug)]
pub struct Known<T: ?Sized>(PhantomData<T>);

/// What is known of a type that lacks a trait.
pub trait Unknown {
    /// The schema.
    const SCHEMA: &'static Schema = &Schema::Unknown;

    /// The leaf that a text is.
    #[must_use]
    fn read<L>(_: &str) -> Option<L> {
        None
    }

    /// Calls `give` with the value of a leaf.
    fn give<L>(_: &L, _: &mut dyn FnMut(Value<'_>)) {}

    /// The leaf with this value.
    #[must_use]
    fn with<L>(_: Value<'_>) -> Option<L> {
        None
    }
}

impl<T: ?Sized> Unknown for Known<T> {}

impl<T: HasSchema + ?Sized> Known<T> {
    /// The schema.
    pub const SCHEMA: &'static Schema = T::SCHEMA;
}

impl<T: FromStr + 'static> Known<T> {
    /// The leaf that a text is. Floats are not read by `core`, whose code is large and can panic.
    #[must_use]
    pub fn read(text: &str) -> Option<T> {
        let mut leaf = None;
        let any: &mut dyn Any = &mut leaf;
        if let Some(float) = any.downcast_mut() {
            *float = python::read_float32(text);
        } else if let Some(float) = any.downcast_mut() {
            *float = python::read_float(text);
        } else {
            leaf = text.parse().ok();
        }
        leaf
    }
}

impl<T: ToValue + FromValue + HasSchema> Known<T> {
    const DTYPE: Option<Dtype> = T::SCHEMA.dtype();
    const IS_TEXT: bool = matches!(T::TYPE.as_bytes(), [b's', b't', b'r', ..]);

    /// Calls `give` with the value of a leaf, if it is a number or a text.
    pub fn give(leaf: &T, give: &mut dyn FnMut(Value<'_>)) {
        if Self::DTYPE.is_some() || Self::IS_TEXT {
            leaf.with_value(give);
        }
    }

    /// The leaf with the value of one of another type: an integer, an `f32` or a text.
    #[must_use]
    pub fn with(value: Value<'_>) -> Option<T> {
        match value {
            Value::Int(_) | Value::BigInt(_) if Self::DTYPE.is_some() => T::from_value(value),
            Value::Float32(float) if matches!(Self::DTYPE, Some(Dtype::Float64)) => {
                T::from_value(Value::Float(float.into()))
            }
            Value::Str(_) if Self::IS_TEXT => T::from_value(value),
            _ => None,
        }
    }
}

/// Writes a leaf by its `Display`; a float as Python writes it.
///
/// # Errors
///
/// Those of the writer.
pub fn write_leaf<'l, T: 'static>(leaf: &'l T, f: &mut fmt::Formatter<'_>) -> fmt::Result
where
    &'l T: fmt::Display,
{
    let any: &dyn Any = leaf;
    if let Some(float) = any.downcast_ref() {
        return python::float32(f, *float);
    }
    match any.downcast_ref() {
        Some(float) => python::float(f, *float),
        None => fmt::Display::fmt(&leaf, f),
    }
}

/// Constants of `T` for code that is generic over `S`.
///
/// The compiler evaluates a constant of a type without parameters whenever it checks a program. It evaluates one that also depends on a
/// parameter where the code is used, and not before. That saves a quarter of the time to check derived types.
#[derive(Debug)]
pub struct Later<T: ?Sized, S>(PhantomData<(PhantomData<S>, T)>);

impl<T: HasSchema + ?Sized, S> Later<T, S> {
    /// Whether the type determines the treedef.
    pub const HAS_TREEDEF: bool = T::TREEDEF.is_some();

    /// Whether the type determines the number of leaves.
    pub const HAS_LEAVES: bool = T::LEAVES.is_some();
}

/// The number of bytes of the head of a struct without meta fields.
// It and `struct_head` are evaluated for each struct whenever a program is checked. There, a call takes as long as a hundred steps of a
// loop, and a writer makes many.
#[must_use]
pub const fn struct_head_len(name: &str, fields: &[&str]) -> usize {
    let (count, block) = (kind_and_count(head::STRUCT, fields.len()), block_len(name, fields));
    count.as_bytes().len().wrapping_add(varint::len(block as u64)).wrapping_add(block)
}

/// The encoded head of a struct without meta fields, whose [`struct_head_len`] is `N`.
#[must_use]
pub const fn struct_head<const N: usize>(name: &str, mut fields: &[&str]) -> [u8; N] {
    let mut bytes = [0; N];
    let free = bytes_into(&mut bytes, kind_and_count(head::STRUCT, fields.len()).as_bytes());
    let mut free = text_into(number_into(free, block_len(name, fields)), name);
    while let [field, rest @ ..] = fields {
        (free, fields) = (text_into(free, field), rest);
    }
    bytes
}

/// The number of bytes of these texts, each after its length.
const fn block_len(name: &str, mut fields: &[&str]) -> usize {
    let mut len = varint::len(name.len() as u64).wrapping_add(name.len());
    while let [field, rest @ ..] = fields {
        let more = varint::len(field.len() as u64).wrapping_add(field.len());
        (len, fields) = (len.wrapping_add(more), rest);
    }
    len
}

/// Writes a text after its length to the front. As the next two, it returns the bytes after that.
const fn text_into<'b>(free: &'b mut [u8], text: &str) -> &'b mut [u8] {
    bytes_into(number_into(free, text.len()), text.as_bytes())
}

const fn number_into(free: &mut [u8], number: usize) -> &mut [u8] {
    let [slot, free @ ..] = free else { return free };
    *slot = low7(number as u64);
    if number < 128 {
        return free;
    }
    *slot |= 128;
    number_into(free, (number >> 7).wrapping_sub(1))
}

const fn bytes_into<'b>(mut free: &'b mut [u8], mut bytes: &[u8]) -> &'b mut [u8] {
    while let [byte, rest @ ..] = bytes {
        let [slot, after @ ..] = free else { return free };
        *slot = *byte;
        (free, bytes) = (after, rest);
    }
    free
}

/// The head with these bytes.
#[must_use]
pub const fn head_of(bytes: &'static [u8]) -> Head<'static> {
    Head::trusted(bytes)
}

/// Makes the value of a struct: a tuple of `count` fields. `field` passes on the value of the field with an index.
#[must_use]
pub const fn fields_value<'a>(count: usize, field: &'a Data<'a>) -> Value<'a> {
    Value::Tuple(ValueTuple::of_data(count, field))
}

/// The copy of a meta field, unless its type did not read back what it wrote.
///
/// # Errors
///
/// [`Error::Mismatch`].
#[inline]
pub fn copied_meta<T, E: From<Error>>(copy: Option<T>, depth: &Depth) -> Result<T, E> {
    copy.ok_or_else(|| depth.mismatch().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::writer::Writer;

    #[test]
    fn the_head_of_a_struct_is_what_a_writer_writes() {
        macro_rules! check {
            ($name:expr, $fields:expr) => {{
                const NAME: &str = $name;
                const FIELDS: &[&str] = $fields;
                const HEAD: [u8; struct_head_len(NAME, FIELDS)] = struct_head(NAME, FIELDS);
                let mut bytes = [0; 40_000];
                let mut out = Writer::new(&mut bytes);
                let node = out.begin_struct(NAME, FIELDS);
                out.leaves(FIELDS.len());
                out.end(node);
                assert_eq!(out.finish().unwrap().head().as_bytes(), HEAD);
                assert_eq!(head_of(&HEAD).num_children(), FIELDS.len());
            }};
        }
        const TEXT: &str = match core::str::from_utf8(&[b'x'; 300]) {
            Ok(text) => text,
            Err(_) => "",
        };
        check!("", &[]);
        check!("app::Pid", &["kp", "ki", "kd"]);
        check!(TEXT.split_at(127).0, &["a"; 30]);
        check!(TEXT.split_at(128).0, &["a"; 31]);
        check!("P", &[""; 32]);
        check!(TEXT, &[TEXT; 126]);
        check!("P", &["b"; 300]);
    }
}
