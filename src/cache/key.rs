//! Defines the key of a call: structures, dtypes and shapes of leaves, and static arguments, as one sequence of bytes.

use core::fmt;

use super::part::{ARRAY, BYTES, NAMED, Parts, SYMBOLIC_ARRAY, VALUE, check};
use super::shape_dtype::{Dim, Shape, ShapeDtype};
use crate::base::bytes::{copy, equal_as_bytes};
use crate::base::decode_error::DecodeError;
use crate::base::dtype::Dtype;
use crate::base::error::Error;
use crate::base::levels::Level;
use crate::base::show::{debug_as_text, debug_struct};
use crate::encode::arena::Arena;
use crate::encode::structure::{Structure, structure_into};
#[cfg(feature = "alloc")]
use crate::encode::treedef_box::structure;
use crate::format::fingerprint;
use crate::format::to_value::ToValue;
use crate::format::validate::with_pending;
use crate::format::value::Value;
use crate::format::varint;
#[cfg(feature = "alloc")]
use crate::tree::stream::Stream;
use crate::treedef::treedef::TreeDef;

/// The key under which compiled code is stored: the structures of a call's arguments, the dtypes and shapes of their
/// leaves, and the static arguments, as bytes with a fingerprint.
///
/// It corresponds to the key of `jax.jit`'s cache. [`KeyWriter`] writes one into bytes of the caller. Two keys are
/// equal if and only if their bytes are equal, and that is so if and only if the same parts were written in the same
/// order. The fingerprint only filters; a cache compares the bytes.
///
/// The key of a single treedef has the bytes of that treedef: [`CallKey::of`] copies nothing and is `const`.
///
/// A part is a treedef, the type of an array, a static argument with or without a name, or bytes of the caller. No part is a prefix
/// of another one, so a key can be read in only one way. The page [`format`](mod@crate::format#call-keys) has the grammar.
///
/// `DIFFERENCE`: JAX compares static arguments with Python's `==`, so `1`, `1.0` and `True` share compiled code there.
/// Here they are different keys.
///
/// # Examples
///
/// ```
/// use treedef::{CallKey, TreeDef, treedef_of};
///
/// const KEY: CallKey<'static> = CallKey::of(treedef_of::<([f32; 3], f32)>());
/// assert_eq!(KEY.as_bytes(), [0x22, 0x43, 0x02, 0x00]);
/// assert_eq!(KEY.to_string(), "PyTreeDef(([*, *, *], *))");
/// ```
#[derive(Clone, Copy)]
#[doc(alias("cache key", "jit"))]
pub struct CallKey<'a> {
    bytes: &'a [u8],
    fingerprint: u64,
}

impl<'a> CallKey<'a> {
    /// Makes the key of a call with one argument of this structure and no other part.
    ///
    /// The key does not contain the types of the leaves; use [`CallKey::of_tree`] for these.
    ///
    /// In a `const`, the compiler computes the fingerprint.
    #[must_use]
    pub const fn of(def: TreeDef<'a>) -> Self {
        Self::new(def.as_bytes())
    }

    /// Reads a key that was stored or sent. All of `bytes` must be the key.
    ///
    /// It accepts exactly the bytes that a [`KeyWriter`] can write, so every part reads as it was written, on every machine.
    /// Takes one pass without recursion, as [`TreeDef::from_bytes`]. Empty bytes are the key without parts. The fingerprint is computed, so
    /// you need not store it.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] says what is wrong and at which byte: a part that is unknown or incomplete, a treedef or a value
    /// that is not in canonical form, or more than [`MAX_PENDING`](crate::format::MAX_PENDING) pending levels in a
    /// treedef (then use [`CallKey::from_bytes_with`]).
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::KeyWriter;
    /// use treedef::format::DecodeErrorKind;
    /// use treedef::{CallKey, treedef};
    ///
    /// let mut bytes = [0; 32];
    /// let mut key = KeyWriter::new(&mut bytes);
    /// key.treedef(treedef!((*, *))).meta(&true);
    /// let key = key.finish()?;
    /// let stored = key.as_bytes(); // [0x22, 0x01, 0xE1, 2]
    ///
    /// let read = CallKey::from_bytes(stored)?;
    /// assert_eq!((read, read.fingerprint()), (key, key.fingerprint()));
    ///
    /// let error = CallKey::from_bytes(&stored[..3]).unwrap_err();
    /// assert_eq!((error.kind(), error.offset()), (DecodeErrorKind::TruncatedPart, 2));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        with_pending(|levels| check(bytes, levels))?;
        Ok(Self::new(bytes))
    }

    /// Reads a key with `levels` of the caller, for treedefs of any depth, as [`TreeDef::from_bytes_with`].
    ///
    /// # Errors
    ///
    /// As [`CallKey::from_bytes`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::encode::Level;
    /// use treedef::{CallKey, treedef};
    ///
    /// let key = CallKey::of(treedef!(((*, *), *)));
    /// let mut levels = [Level::default(); 100];
    /// assert_eq!(CallKey::from_bytes_with(key.as_bytes(), &mut levels), Ok(key));
    /// ```
    pub fn from_bytes_with(bytes: &'a [u8], levels: &mut [Level]) -> Result<Self, DecodeError> {
        check(bytes, levels)?;
        Ok(Self::new(bytes))
    }

    /// Makes the key with these bytes and this fingerprint.
    pub(super) const fn from_parts(bytes: &'a [u8], fingerprint: u64) -> Self {
        Self { bytes, fingerprint }
    }

    /// Makes the key with these bytes.
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, fingerprint: fingerprint::of(bytes) }
    }

    /// Returns the same key with another fingerprint.
    ///
    /// Use it for keys from untrusted sources. The fingerprint is not secret, so an attacker can choose many keys with
    /// the same fingerprint, which makes look-ups slow, but never wrong. A keyed hash of [`CallKey::as_bytes`] prevents
    /// that. Use one kind of fingerprint for all keys of a cache: a key with another fingerprint is not found.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{CallKey, TreeDef};
    ///
    /// let [leaf, none] = [TreeDef::LEAF, TreeDef::NONE].map(|def| CallKey::of(def).with_fingerprint(7));
    /// assert_eq!(leaf.fingerprint(), none.fingerprint());
    /// assert_ne!(leaf, none);
    /// ```
    #[must_use]
    pub const fn with_fingerprint(self, fingerprint: u64) -> Self {
        Self { fingerprint, ..self }
    }

    /// Copies the key to an arena, for a cache that keeps references.
    ///
    /// # Errors
    ///
    /// [`Error::BufferFull`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::KeyWriter;
    /// use treedef::{Arena, Cache, CallKey, Error, treedef};
    ///
    /// let mut room = [0; 64];
    /// let arena = Arena::new(&mut room);
    /// let mut cache = Cache::<CallKey<'_>, u32, 4>::new();
    /// for rate in [1, 2, 1] {
    ///     let mut scratch = [0; 16];
    ///     let mut key = KeyWriter::new(&mut scratch);
    ///     key.treedef(treedef!((*, *))).meta(&rate);
    ///     let key = key.finish()?;
    ///     if cache.get(key).is_none() {
    ///         cache.insert(key.to_arena(&arena)?, rate)?;
    ///     }
    /// }
    /// assert_eq!((cache.len(), arena.remaining()), (2, 64 - 2 * 5));
    /// assert_eq!((cache.stats().hits, cache.stats().misses), (1, 2));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn to_arena<'b>(self, arena: &Arena<'b>) -> Result<CallKey<'b>, Error> {
        Ok(CallKey::from_parts(arena.bytes(self.bytes)?, self.fingerprint))
    }

    /// Returns the bytes of the key. They are the same on every machine and in every release. [`CallKey`] has an
    /// example.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the fingerprint, which was computed when the key was made.
    #[must_use]
    pub const fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Iterates over the parts, in order, for example to show how a key differs from known ones.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::{KeyWriter, Part};
    /// use treedef::{CallKey, treedef};
    ///
    /// let (mut old, mut new) = ([0; 32], [0; 32]);
    /// let mut key = KeyWriter::new(&mut old);
    /// key.treedef(treedef!((*, *))).meta(&true);
    /// let old = key.finish()?;
    /// let mut key = KeyWriter::new(&mut new);
    /// key.treedef(treedef!((*, *))).meta(&false);
    /// let new = key.finish()?;
    ///
    /// let change = old.parts().zip(new.parts()).find(|(old, new)| old != new).expect("they differ");
    /// assert_eq!(format!("{} became {}", change.0, change.1), "True became False");
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub const fn parts(&self) -> Parts<'a> {
        Parts::new(self.bytes)
    }
}

impl<'a> From<TreeDef<'a>> for CallKey<'a> {
    fn from(def: TreeDef<'a>) -> Self {
        Self::of(def)
    }
}

equal_as_bytes!([] CallKey<'_>);

impl AsRef<[u8]> for CallKey<'_> {
    fn as_ref(&self) -> &[u8] {
        self.bytes
    }
}

/// Prints the parts, separated by commas. A treedef is printed as by its `Debug`, with each repeat written once. Each
/// child with siblings after it costs a scan of its bytes.
impl fmt::Display for CallKey<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.parts(), f)
    }
}

debug_as_text!(CallKey<'_>, "CallKey({})");

/// Writes a [`CallKey`] into bytes of the caller, part by part.
///
/// The methods can be chained and return no errors: [`KeyWriter::finish`] returns the first error. If the bytes are too
/// few, it reports how many are needed, unless they end within a [`KeyWriter::structure`] or [`KeyWriter::tree`]. With a
/// heap, `CallKey::build` has bytes that grow. A treedef takes its own bytes. An array takes 3 bytes, and one for each
/// dimension below 128. Bytes take a tag and a length more than they are, and a meta field takes a tag and its encoded value.
///
/// # Examples
///
/// ```
/// use treedef::cache::{Dtype, KeyWriter};
/// use treedef::{CallKey, treedef};
///
/// let mut bytes = [0; 64];
/// let mut key = KeyWriter::new(&mut bytes);
/// key.treedef(treedef!({"b": *, "w": *})); // the structure of an argument
/// key.array(Dtype::Float32, false, &[3]).array(Dtype::Float32, false, &[3, 4]); // its leaves
/// key.meta(&(true, 7)); // what else the code depends on
/// let key: CallKey<'_> = key.finish()?;
/// assert_eq!(key.to_string(), "PyTreeDef({'b': *, 'w': *}), float32[3], float32[3,4], (True, 7)");
/// assert_eq!(key.as_bytes()[..7], [0x62, 4, 1, b'b', 1, b'w', 0x01]); // the treedef
/// assert_eq!(key.as_bytes()[7..11], [0xE2, 11, 1, 3]); // an array, its dtype, rank and dimension
/// assert_eq!(key.as_bytes()[16..], [0xE1, 8, 2, 2, 3, 14]); // a value: a tuple of two
/// # Ok::<(), treedef::Error>(())
/// ```
#[doc(alias("cache key", "static_argnums"))]
pub struct KeyWriter<'b> {
    bytes: &'b mut [u8],
    /// The length of all parts in bytes, including those that did not fit.
    needed: usize,
    /// The error of a part that has no encoding.
    failed: Option<Error>,
    /// What receives the bytes each time that they are full; then `needed` counts from there.
    #[cfg(feature = "alloc")]
    pub(super) stream: Option<Stream<'b>>,
}

debug_struct!([] KeyWriter<'_> { needed });

impl<'b> KeyWriter<'b> {
    /// Starts a key at the front of `bytes`.
    #[must_use]
    pub const fn new(bytes: &'b mut [u8]) -> Self {
        Self {
            bytes,
            needed: 0,
            failed: None,
            #[cfg(feature = "alloc")]
            stream: None,
        }
    }

    /// Goes on after a number of bytes that are written, or would be if there were room.
    #[inline]
    pub(super) const fn after(bytes: &'b mut [u8], needed: usize) -> Self {
        Self { needed, ..Self::new(bytes) }
    }

    #[inline]
    fn put(&mut self, piece: &[u8]) {
        if let Some(free) = self.bytes.get_mut(self.needed..)
            && let Some((target, _)) = free.split_at_mut_checked(piece.len())
        {
            copy(target, piece);
            self.needed = self.needed.wrapping_add(piece.len());
        } else {
            self.put_beyond(piece);
        }
    }

    /// Adds a piece that has no room.
    #[cold]
    fn put_beyond(&mut self, piece: &[u8]) {
        #[cfg(feature = "alloc")]
        if let Some(stream) = &mut self.stream {
            self.needed = stream.put(self.bytes, self.needed, piece);
            return;
        }
        self.needed = self.needed.saturating_add(piece.len());
    }

    /// Writes a varint digit by digit: most have one or two.
    #[inline]
    fn put_count(&mut self, count: u64) {
        let mut rest = count;
        while rest >= 128 {
            self.put(&[varint::low7(rest) | 128]);
            rest = varint::next(rest);
        }
        self.put(&[varint::low7(rest)]);
    }

    /// Adds the structure of an argument.
    pub fn treedef<'d>(&mut self, def: impl Into<TreeDef<'d>>) -> &mut Self {
        self.put(def.into().as_bytes());
        self
    }

    /// Adds the structure of `tree`, without a buffer for its treedef. `tree` is a tree of any type, a
    /// [`Node`](crate::Node), or the result of an operation on treedefs.
    ///
    /// Writes the same bytes as [`structure_into`](crate::structure_into).
    /// [`structure_bound`](crate::encode::structure_bound) bytes are always enough.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::KeyWriter;
    /// use treedef::{CallKey, treedef};
    ///
    /// let mut bytes = [0; 16];
    /// let mut key = KeyWriter::new(&mut bytes);
    /// key.structure(&(1.0f32, None::<f32>)).meta(&true);
    /// assert_eq!(key.finish()?.to_string(), "PyTreeDef((*, None)), True");
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn structure<T: Structure + ?Sized>(&mut self, tree: &T) -> &mut Self {
        if let Some(def) = T::TREEDEF {
            return self.treedef(def);
        }
        #[cfg(feature = "alloc")]
        if self.stream.is_some() {
            // It is written in one piece, which can be longer than a block.
            match structure(tree) {
                Ok(def) => self.put(def.as_bytes()),
                Err(error) => self.fail(error),
            }
            return self;
        }
        let room = self.bytes.len();
        let free = self.bytes.get_mut(self.needed..).unwrap_or_default();
        let free_len = free.len();
        match structure_into(tree, free).map(|def| def.as_bytes().len()) {
            Ok(len) => self.needed = self.needed.saturating_add(len),
            Err(Error::Full { room: own }) if own == free_len => self.fail(Error::Full { room }),
            Err(error) => self.fail(error),
        }
        self
    }

    /// Keeps the first error.
    #[cold]
    pub(super) fn fail(&mut self, error: Error) {
        self.failed = self.failed.or(Some(error));
    }

    /// Adds the dtype, weak type and shape of an array, as in the `ShapedArray` of JAX's cache keys. It is read as a
    /// [`ShapeDtype`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::{Dtype, KeyWriter};
    ///
    /// let mut bytes = [0; 16];
    /// let mut key = KeyWriter::new(&mut bytes);
    /// key.array(Dtype::Float32, false, &[3, 4]).array(Dtype::Int32, true, &[]);
    /// assert_eq!(key.finish()?.to_string(), "float32[3,4], weak int32[]");
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[inline]
    pub fn array(&mut self, dtype: Dtype, weak: bool, shape: &[usize]) -> &mut Self {
        if self.put_usual_array(dtype, weak, shape).is_none() {
            self.put_other_array(dtype, weak, shape);
        }
        self
    }

    /// Adds an array of one or two sizes, each of two digits, as most parameters are, if 8 bytes have room.
    #[inline]
    fn put_usual_array(&mut self, dtype: Dtype, weak: bool, sizes: &[usize]) -> Option<()> {
        let target: &mut [u8; 8] = self.bytes.get_mut(self.needed..)?.first_chunk_mut()?;
        let head = u64::from(ARRAY) | u64::from(weak) | u64::from(dtype.code()) << 8;
        match *sizes {
            [size] => {
                let word = (head | 1 << 16 | two_digits([size])? << 24).to_le_bytes();
                let ([front @ .., last, _, _, _], [four @ .., fifth, _, _, _]) = (target, word);
                (*front, *last) = (four, fifth);
                self.needed = self.needed.wrapping_add(5);
            }
            [first, last] => {
                let word = (head | 2 << 16 | two_digits([first, last])? << 24).to_le_bytes();
                // Seven bytes are two words of four that share one.
                let ([front @ .., _, _, _, _], [four @ .., _, _, _, _]) = (&mut *target, word);
                *front = four;
                let ([_, _, _, end @ .., _], [_, _, _, four @ .., _]) = (target, word);
                *end = four;
                self.needed = self.needed.wrapping_add(7);
            }
            _ => return None,
        }
        Some(())
    }

    /// As [`KeyWriter::put_array`]. Not inlined, so that usual arrays need no frame.
    #[inline(never)]
    fn put_other_array(&mut self, dtype: Dtype, weak: bool, shape: &[usize]) {
        self.put_array(&ShapeDtype::new(dtype, shape).with_weak(weak));
    }

    #[inline]
    pub(super) fn put_array(&mut self, array: &ShapeDtype<'_>) {
        let is_symbolic = array.is_symbolic();
        let tag = ARRAY | u8::from(array.is_weak());
        let tag = if is_symbolic { tag ^ (ARRAY ^ SYMBOLIC_ARRAY) } else { tag };
        self.put(&[tag, array.dtype().code()]);
        self.put_count(array.rank() as u64);
        match array.shape {
            Shape::Sizes(sizes) => sizes.iter().for_each(|size| self.put_count(*size as u64)),
            Shape::Encoded { bytes, .. } => self.put(bytes),
            Shape::Dims(dims) => dims.iter().for_each(|dim| match dim {
                Dim::Size(size) => {
                    self.put(if is_symbolic { &[0] } else { &[] });
                    self.put_count(*size);
                }
                Dim::Symbolic(symbol) => {
                    self.put_count((symbol.len() as u64).saturating_add(1));
                    self.put(symbol.as_bytes());
                }
            }),
        }
    }

    /// Adds a static argument.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::KeyWriter;
    ///
    /// let mut bytes = [0; 16];
    /// let mut key = KeyWriter::new(&mut bytes);
    /// key.meta(&true).meta("relu").meta(&(2, 4));
    /// assert_eq!(key.finish()?.to_string(), "True, 'relu', (2, 4)");
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn meta<T: ToValue + ?Sized>(&mut self, value: &T) -> &mut Self {
        value.with_value(|value| {
            self.value(value);
        });
        self
    }

    /// Adds a value, such as the name of a keyword argument or of the function.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Value;
    /// use treedef::cache::KeyWriter;
    ///
    /// let mut bytes = [0; 16];
    /// let mut key = KeyWriter::new(&mut bytes);
    /// key.value(Value::Str("train")).value(Value::Int(3));
    /// assert_eq!(key.finish()?.to_string(), "'train', 3");
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn value(&mut self, value: Value<'_>) -> &mut Self {
        self.put(&[VALUE]);
        self.put_value(value)
    }

    /// Adds a value with a name, such as a device, a layout, a sharding or a compiler flag: explanations of a miss compare
    /// it with the value of the same name.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::KeyWriter;
    ///
    /// let (mut one, mut two) = ([0; 64], [0; 64]);
    /// let (mut known, mut called) = (KeyWriter::new(&mut one), KeyWriter::new(&mut two));
    /// known.named("device", "cuda:0").named("layout", &(1, 0));
    /// called.named("device", "cuda:1").named("donated", &0).named("layout", &(1, 0));
    /// let known = known.finish()?;
    /// assert_eq!(known.to_string(), "device='cuda:0', layout=(1, 0)");
    /// assert_eq!(known.differences(called.finish()?).summary().to_string(), "\
    /// part 0: expected device='cuda:0', found device='cuda:1'
    /// part 1: unexpected donated=0");
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn named<T: ToValue + ?Sized>(&mut self, name: &str, value: &T) -> &mut Self {
        self.put(&[NAMED]);
        self.put_count(name.len() as u64);
        self.put(name.as_bytes());
        value.with_value(|value| {
            self.put_value(value);
        });
        self
    }

    fn put_value(&mut self, value: Value<'_>) -> &mut Self {
        if value.is_too_deep() {
            self.fail(Error::ValueTooDeep);
            return self;
        }
        let put = value.pieces(&mut |piece| {
            self.put(piece);
            Ok(())
        });
        if put.is_err() {
            self.fail(Error::ValueChanged);
        }
        self
    }

    /// Adds bytes in a form of the caller. Their length is written too, so they are never read as another part.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::KeyWriter;
    ///
    /// let (mut one, mut two) = ([0; 16], [0; 16]);
    /// let (mut first, mut second) = (KeyWriter::new(&mut one), KeyWriter::new(&mut two));
    /// first.bytes(b"ab").bytes(b"c");
    /// second.bytes(b"a").bytes(b"bc");
    /// assert_ne!(first.finish()?, second.finish()?);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.put(&[BYTES]);
        self.put_count(bytes.len() as u64);
        self.put(bytes);
        self
    }

    /// Ends the key and computes its fingerprint.
    ///
    /// # Errors
    ///
    /// [`Error::CallKeyFull`] with the exact number of bytes needed, or [`Error::Full`] with the length of the buffer
    /// if it ended within a [`KeyWriter::structure`], whose length is then unknown. [`Error::ValueTooDeep`] if a value
    /// has no encoding. [`Error::TooLarge`] if the key is longer than `u32::MAX`. The errors of
    /// [`structure_into`](crate::structure_into) for a structure.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::KeyWriter;
    /// use treedef::{Error, treedef};
    ///
    /// let mut bytes = [0; 4];
    /// let mut key = KeyWriter::new(&mut bytes);
    /// key.treedef(treedef!((*, *))).bytes(b"fused");
    /// assert_eq!(key.finish(), Err(Error::CallKeyFull { needed: 9, room: 4 }));
    /// ```
    pub fn finish(self) -> Result<CallKey<'b>, Error> {
        self.written().map(CallKey::new)
    }

    /// Returns the bytes of all parts.
    #[inline]
    pub(super) fn written(self) -> Result<&'b [u8], Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let (needed, room) = (self.needed, self.bytes.len());
        if u32::try_from(needed).is_err() {
            return Err(Error::TooLarge);
        }
        self.bytes.get(..needed).ok_or(Error::CallKeyFull { needed, room })
    }
}

/// The varints of one or two sizes, if each has two digits: two bytes a size. The number 200 has the digits 200 & 127 | 128 = 200 and
/// (200 >> 7) - 1 = 0.
#[inline]
fn two_digits<const N: usize>(sizes: [usize; N]) -> Option<u64> {
    // The digits of a size are `size & 127 | 128`, and `size >> 7` less 1.
    let (mut word, mut all, mut marks) = (0u64, 0u64, 0u64);
    for size in sizes.into_iter().rev() {
        let more = (size as u64).wrapping_sub(128);
        (word, all, marks) = (word << 16 | more, all | more, marks << 16 | 128);
    }
    // Of a size less 128, the bits from the eighth on move up by one: they are the second byte.
    (all < 1 << 14).then(|| word.wrapping_add(word & 0x3F80_3F80) | marks)
}
