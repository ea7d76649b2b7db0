//! The choices of a value: what it has and its type leaves open, as bytes.
//!
//! A value is the [schema](crate::container::Schema) of its type, its choices and its leaves. The choices are, in preorder:
//!
//! | the type leaves open | choice |
//! |---|---|
//! | whether an option is `None` | 0, or 1 for `Some` |
//! | the variant of an enum with several | its index |
//! | the length of a list that is no array | the length |
//! | the keys of a map | their number, then each as a value |
//! | the value of a meta field that is no literal of the type | the value |
//!
//! A number is an unsigned LEB128: seven bits a byte, the lowest first. A value is encoded as in a
//! [treedef](mod@crate::format). Two values of one type that have treedefs have equal choices exactly if their treedefs are equal. (A map whose keys
//! are not in order has no treedef; choices do not check that.) The
//! choices of a type with a constant treedef are empty.
//!
//! [`choices_of`] reads them from a treedef, [`expand_into`] makes their treedef, and [`unflatten`] makes the value of choices and leaves.
//!
//! Without their type choices mean nothing: store the key of the type beside them, the
//! [`fingerprint`](crate::TreeDef::fingerprint) of [`schema_of`](crate::schema_of). A type that holds a treedef, or a container by
//! hand or type with `#[tree(bound(..))]` that has no schema, has no choices: these functions do not compile for it.
//!
//! # Examples
//!
//! ```
//! use treedef::tree::choices::{choices_into, has_choices, hash_choices};
//!
//! let (one, other) = ((Some(1.0f32), [Some(2.0f32), None]), (None::<f32>, [Some(4.0f32), Some(5.0)]));
//! let mut bytes = [0; 8];
//! let len = choices_into(&one, &mut bytes)?;
//! assert_eq!(bytes[..len], [1, 1, 0]);
//! assert!(has_choices(&one, &[1, 1, 0]) && !has_choices(&other, &[1, 1, 0]));
//! assert_ne!(hash_choices(&one)?, hash_choices(&other)?);
//! # Ok::<(), treedef::Error>(())
//! ```

use crate::base::bytes::small;
use crate::base::error::Error;
use crate::base::message::Message;
use crate::encode::depth::MAX_DEPTH;
use crate::encode::expand::expand;
use crate::encode::read::read;
use crate::encode::schema::{Schema, each_inside};
use crate::encode::structure::HasSchema;
use crate::encode::writer::Writer;
use crate::format::heading::{HeadSpec, List};
use crate::format::pieces::Stop;
use crate::format::to_value::ToValue;
use crate::format::value::Value;
use crate::format::varint::low7;
use crate::tree::build::TreeBuild;
use crate::tree::build::from_choices::FromChoices;
use crate::tree::build::from_treedef::InSlice;
use crate::tree::build::leaves::{Stopped, Why};
use crate::tree::leaf_types::{LeafAs, LeafTypes, NoLeaves};
use crate::tree::migrate::question::{OfDefault, TakeDefault};
use crate::tree::stream::{BLOCK, Blocks, Receive, Stream};
use crate::tree::traits::Leaf;
use crate::tree::walk::{FAILED, Sink, TreeWalk};
use crate::treedef::treedef::TreeDef;

/// Writes the choices of `tree` to the front of `bytes`, and returns their number of bytes.
///
/// One walk, which visits no leaf.
///
/// # Errors
///
/// [`Error::BufferFull`] with the number of bytes that are needed; [`Error::TooDeep`]; [`Error::ValueChanged`] for a key or
/// meta field that is not the same each time.
///
/// # Examples
///
/// The module [`choices`](self) has an example.
pub fn choices_into<T>(tree: &T, bytes: &mut [u8]) -> Result<usize, Error>
where
    T: TreeWalk<NoLeaves> + ?Sized,
{
    let room = bytes.len();
    let Buffer { at: needed, .. } = chosen::<NoLeaves, _, _>(tree, Buffer { bytes, at: 0 })?;
    if needed > room { Err(Error::BufferFull { needed, room }) } else { Ok(needed) }
}

/// A hash of the choices of `tree`, the same on every machine.
///
/// Equal choices have equal hashes; [`has_choices`] confirms that choices with an equal hash are these. It is no hash of stored
/// bytes: for more than 128 bytes it is another function.
///
/// One walk. The choices lie on the stack, 128 bytes at once.
///
/// # Errors
///
/// As [`choices_into`], but for [`Error::BufferFull`].
///
/// # Examples
///
/// The module [`choices`](self) has an example.
pub fn hash_choices<T>(tree: &T) -> Result<u64, Error>
where
    T: TreeWalk<NoLeaves> + ?Sized,
{
    let (mut block, mut stream) = ([0; BLOCK], Stream::new(None));
    let blocks = Blocks { block: &mut block, at: 0, stream: &mut stream };
    chosen::<NoLeaves, _, _>(tree, blocks)?.end();
    Ok(stream.hash)
}

/// Whether `tree` has these choices, found in one walk without a buffer.
///
/// # Examples
///
/// The module [`choices`](self) has an example.
#[must_use]
pub fn has_choices<T>(tree: &T, choices: &[u8]) -> bool
where
    T: TreeWalk<NoLeaves> + ?Sized,
{
    chosen::<NoLeaves, _, _>(tree, Expected { bytes: choices, at: 0 })
        .is_ok_and(|end| end.at == choices.len())
}

/// Gives the choices and the leaves of a tree, one by one.
pub(crate) fn give_parts<K: LeafTypes, T: TreeWalk<K>>(
    tree: &T,
    take: &mut TakeDefault<'_, K>,
) -> Result<(), Error> {
    chosen::<K, _, _>(tree, Given(take)).map(|_| ())
}

/// Writes the choices of a value of type `T` with the structure `def` to the front of `bytes`, and returns their number of bytes.
///
/// They are those that [`choices_into`] writes of such a value. Keys of maps and values of meta fields are not checked.
///
/// # Errors
///
/// [`Error::BufferFull`] with the number of bytes that are needed; those of [`fits`](crate::encode::fits).
///
/// # Examples
///
/// ```
/// use treedef::tree::choices::choices_of;
/// use treedef::treedef;
///
/// let mut bytes = [0; 8];
/// let len = choices_of::<(Option<f32>, heapless::Vec<f32, 4>)>(treedef!((None, [*, *, *])), &mut bytes)?;
/// assert_eq!(bytes[..len], [0, 3]);
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn choices_of<'d, T: HasSchema + ?Sized>(
    def: impl Into<TreeDef<'d>>,
    bytes: &mut [u8],
) -> Result<usize, Error> {
    const { assert_choices::<T>() };
    let room = bytes.len();
    let needed = read::<true>(T::SCHEMA, def.into(), bytes)?;
    if needed > room { Err(Error::BufferFull { needed, room }) } else { Ok(needed) }
}

/// Writes the structure of a value of type `T` with these choices to the front of `bytes`.
///
/// # Errors
///
/// [`Error::WrongChoices`] if no value of the type has these choices; those of
/// [`structure_into`](crate::structure_into).
///
/// # Examples
///
/// ```
/// use treedef::tree::choices::expand_into;
///
/// let mut bytes = [0; 8];
/// let def = expand_into::<(Option<f32>, heapless::Vec<f32, 4>)>(&[0, 3], &mut bytes)?;
/// assert_eq!(def.to_string(), "PyTreeDef((None, [*, *, *]))");
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn expand_into<'b, T: HasSchema + ?Sized>(
    choices: &[u8],
    bytes: &'b mut [u8],
) -> Result<TreeDef<'b>, Error> {
    const { assert_choices::<T>() };
    let mut out = Writer::new(bytes);
    let expanded = expand(T::SCHEMA, choices, &mut out);
    let def = out.finish();
    expanded?;
    def
}

/// Makes a value of its choices and clones of its leaves.
///
/// It is faster than [`unflatten`](crate::unflatten), because no names are compared. The choices have to be those of this type: those
/// of another one can be taken for them. For leaves of several types there is
/// [`mixed::unflatten_choices`](crate::tree::mixed::unflatten_choices).
///
/// # Errors
///
/// [`Error::WrongChoices`] if no value of the type has these choices; [`Error::TooFewLeaves`], [`Error::TooManyLeaves`],
/// [`Error::DuplicateKey`], [`Error::TooDeep`]; [`Error::TooLarge`] of a list of more than 65,536 elements that take neither a choice nor a
/// leaf.
///
/// # Examples
///
/// ```
/// use treedef::tree::choices;
///
/// let (scale, taps): (Option<f32>, heapless::Vec<f32, 4>) = choices::unflatten(&[0, 3], &[1.0, 2.0, 3.0])?;
/// assert_eq!((scale, taps.as_slice()), (None, &[1.0, 2.0, 3.0][..]));
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn unflatten<L, T>(choices: &[u8], leaves: &[L]) -> Result<T, Error>
where
    L: Leaf + Clone,
    T: TreeBuild<L>,
{
    build_chosen::<L, T>(choices, leaves)
}

/// Makes a value of its choices and clones of its leaves, which are items of a set.
#[inline(always)]
pub(crate) fn build_chosen<K, T>(choices: &[u8], leaves: &[K::Owned]) -> Result<T, Error>
where
    K: LeafTypes<Owned: Clone>,
    T: TreeBuild<K>,
{
    const { assert_choices::<T>() };
    let mut known = FromChoices::new(choices, InSlice(leaves));
    let tree = T::build(&mut known);
    let (rest, left) = (known.choices.len(), known.leaves.0.len());
    match (tree, known.error()) {
        (Ok(tree), _) if rest == 0 && left == 0 => Ok(tree),
        (Err(_), Some(error)) => Err(error),
        _ => {
            let wrong_leaf = match known.stopped::<K>() {
                // Every leaf of a set of one type has the right type.
                Stopped { why: Why::Leaf, left } if !K::IS_ONE_TYPE => Some(left),
                _ => None,
            };
            Err(why_not_built(T::SCHEMA, choices, rest, leaves.len(), wrong_leaf))
        }
    }
}

/// Why no value has these choices, of which `rest` are left, and `found` leaves. If neither choices nor the number of leaves are wrong,
/// and `wrong_leaf` is given, the leaf before that number of leaves is wrong.
#[cold]
#[inline(never)]
fn why_not_built(
    schema: &'static Schema,
    choices: &[u8],
    rest: usize,
    found: usize,
    wrong_leaf: Option<usize>,
) -> Error {
    let mut out = Writer::count_leaves();
    if let Err(error) = expand(schema, choices, &mut out) {
        return error;
    }
    match (out.finish_leaves(), wrong_leaf) {
        (Err(error), _) => error,
        (Ok(expected), _) if expected != found => Error::wrong_count(expected, found),
        (Ok(_), Some(after)) => {
            Error::WrongLeaf { leaf: small(found.wrapping_sub(after).wrapping_sub(1)) }
        }
        (Ok(_), None) => Error::WrongChoices { at: choices.len().wrapping_sub(rest) },
    }
}

/// What receives leaves beside choices, if it needs them.
pub(crate) trait ReceiveLeaf<'a, K: LeafTypes + 'a> {
    /// Whether it needs them.
    const NEEDS_LEAVES: bool = false;

    /// Receives a leaf.
    #[inline(always)]
    fn leaf(&mut self, _: K::Ref<'a>) {}
}

/// Walks over a tree and gives its choices, and its leaves, to `to`.
#[inline]
pub(crate) fn chosen<'a, K, T, R>(tree: &'a T, to: R) -> Result<R, Error>
where
    K: LeafTypes + 'a,
    T: TreeWalk<K> + ?Sized,
    R: Receive + ReceiveLeaf<'a, K>,
{
    const { assert_choices::<T>() };
    let mut choices = Choices { to, depth: 0, error: None };
    tree.walk(&mut choices);
    match choices.error {
        None => Ok(choices.to),
        Some(error) => Err(error),
    }
}

/// The sink of choices.
struct Choices<R> {
    to: R,
    /// The number of nodes that are open; [`FAILED`] and near it after an error.
    depth: u32,
    error: Option<Error>,
}

impl<R: Receive> Choices<R> {
    #[inline]
    fn byte(&mut self, byte: u8) {
        if !self.to.receive(byte) {
            self.keep(Error::ValueChanged);
        }
    }

    fn number(&mut self, number: usize) {
        // `choice_bytes` takes more time here.
        let mut left = number as u64;
        while left >= 128 {
            self.byte(low7(left) | 128);
            left >>= 7;
        }
        self.byte(low7(left));
    }

    /// Ends the walk with an error: no node begins after it.
    #[cold]
    fn keep(&mut self, error: Error) {
        self.error.get_or_insert(error);
        self.depth = FAILED;
    }
}

impl<'a, K, R> Sink<'a, K> for Choices<R>
where
    K: LeafTypes + 'a,
    R: Receive + ReceiveLeaf<'a, K>,
{
    type Open = ();

    const NEEDS_LEAVES: bool = R::NEEDS_LEAVES;

    #[inline(always)]
    fn leaf(&mut self, leaf: K::Ref<'a>) {
        self.to.leaf(leaf);
    }

    #[inline(always)]
    fn run<T: LeafAs<K> + 'a>(&mut self, run: &'a [T]) {
        if R::NEEDS_LEAVES {
            run.iter().for_each(|leaf| self.to.leaf(T::by_ref(leaf)));
        }
    }

    #[inline(always)]
    fn choice(&mut self, number: usize) {
        match u8::try_from(number) {
            Ok(byte) if byte < 128 => self.byte(byte),
            _ => self.number(number),
        }
    }

    #[inline(always)]
    fn value(&mut self, value: &Value<'_>) {
        let put = value.pieces_in_line(&mut |piece| {
            let is_received = piece.iter().all(|byte| self.to.receive(*byte));
            if is_received { Ok(()) } else { Err(Stop::Refused) }
        });
        if put.is_err() {
            self.keep(Error::ValueChanged);
        }
    }

    #[inline(always)]
    fn begin<H: HeadSpec>(&mut self, _: &H) -> Option<()> {
        if R::BOUNDED {
            if self.depth >= MAX_DEPTH {
                self.keep(Error::TooDeep { limit: MAX_DEPTH });
                return None;
            }
            self.depth = self.depth.wrapping_add(1);
        }
        Some(())
    }

    fn begin_keys(
        &mut self,
        count: usize,
        keys: impl Iterator<Item: ToValue> + Clone,
    ) -> Option<()> {
        self.number(count);
        for key in keys {
            if self.error.is_some() {
                return None;
            }
            key.with_value(|key| Sink::<'_, K>::value(self, &key));
        }
        Sink::<'_, K>::begin(self, &List(count))
    }

    #[inline(always)]
    fn end(&mut self, (): ()) {
        if R::BOUNDED {
            self.depth = self.depth.wrapping_sub(1);
        }
    }

    // Types with trees of this kind do not compile.
    fn unknown(&mut self, _: &dyn Fn(&mut Writer<'_>)) {
        self.keep(Error::Unsupported);
    }

    fn elements<T: TreeWalk<K> + 'a>(&mut self, mut elements: impl Iterator<Item = &'a T>) {
        if const { !R::NEEDS_LEAVES && T::TREEDEF.is_some() } {
            return;
        }
        while (!R::BOUNDED || self.error.is_none())
            && let Some(element) = elements.next()
        {
            element.walk(self);
        }
    }

    fn fail(&mut self, error: Error) {
        self.keep(error);
    }
}

/// Choices in a buffer; `at` counts also those that have no room.
pub(crate) struct Buffer<'b> {
    pub(crate) bytes: &'b mut [u8],
    pub(crate) at: usize,
}

impl<'a, K: LeafTypes + 'a> ReceiveLeaf<'a, K> for Buffer<'_> {}

impl<'a, K: LeafTypes + 'a> ReceiveLeaf<'a, K> for Blocks<'_, '_> {}

impl Receive for Buffer<'_> {
    #[inline(always)]
    fn receive(&mut self, byte: u8) -> bool {
        if let Some(slot) = self.bytes.get_mut(self.at) {
            *slot = byte;
        }
        // A value has fewer choices than a number of the machine can count.
        self.at = self.at.wrapping_add(1);
        true
    }
}

/// Choices that have to be these, of which those before `at` were.
struct Expected<'c> {
    bytes: &'c [u8],
    at: usize,
}

impl<'a, K: LeafTypes + 'a> ReceiveLeaf<'a, K> for Expected<'_> {}

impl Receive for Expected<'_> {
    #[inline(always)]
    fn receive(&mut self, byte: u8) -> bool {
        let is_next = self.bytes.get(self.at) == Some(&byte);
        self.at = self.at.wrapping_add(usize::from(is_next));
        is_next
    }
}

/// Choices and leaves that are given to a function.
struct Given<'g, 't, K: LeafTypes>(&'g mut TakeDefault<'t, K>);

impl<'a, K: LeafTypes + 'a> ReceiveLeaf<'a, K> for Given<'_, '_, K> {
    const NEEDS_LEAVES: bool = true;

    fn leaf(&mut self, leaf: K::Ref<'a>) {
        (self.0)(OfDefault::Leaf(leaf));
    }
}

impl<K: LeafTypes> Receive for Given<'_, '_, K> {
    fn receive(&mut self, byte: u8) -> bool {
        (self.0)(OfDefault::Choice(byte));
        true
    }
}

/// Checks at compile time that all that a type holds has a schema.
#[expect(clippy::panic, reason = "it is called at compile time")]
pub(crate) const fn assert_choices<T: HasSchema + ?Sized>() {
    if let Some([name, field]) = unknown(T::SCHEMA, ["", ""]) {
        let what = if name.is_empty() {
            ["it", "", "", "", ""]
        } else {
            ["its field `", field, "` in `", name, "`"]
        };
        let [a, b, c, d, e] = what;
        let why = " has no schema: a treedef, a lazy operation, or a container by hand or a bound by hand without it";
        panic!("{}", Message::new(&["this type has no choices: ", a, b, c, d, e, why]).as_str());
    }
}

/// The name of a type and of its field that holds a type without a schema.
const fn unknown(schema: &Schema, place: [&'static str; 2]) -> Option<[&'static str; 2]> {
    if let Schema::Unknown = schema {
        return Some(place);
    }
    let (name, mut fields): (_, &[_]) = match schema {
        Schema::Struct(record) => (record.name, record.fields),
        _ => ("", &[]),
    };
    each_inside!(schema, child => {
        let mut place = place;
        if let [field, rest @ ..] = fields {
            (place, fields) = ([name, field], rest);
        }
        if let Some(place) = unknown(&child, place) {
            return Some(place);
        }
    });
    None
}
