//! Defines the inline cache of a call site: it remembers the last structure and its value.

use core::fmt;

use super::key::{CallKey, KeyWriter};
use super::stats::CacheStats;
use crate::base::error::Error;
use crate::base::show::{record, show_by_debug};
use crate::dynamic::leaves::Keep;
use crate::dynamic::object::Object;
use crate::dynamic::options::Flatten;
use crate::dynamic::rule::Rule;
use crate::encode::structure::Structure;
use crate::encode::write::{matches, structure_into};
use crate::treedef::treedef::TreeDef;

/// Remembers the last key and its value at one place of a program, such as a call of compiled code.
///
/// Most call sites only ever see one structure. So a call first compares its tree with the last treedef: that writes no
/// structure, computes no hash and looks nothing up. If they differ, the key is written, `look_up` finds the value in a
/// table, and the call site keeps both for the next call. For a type of fixed structure the comparison is one of
/// addresses.
///
/// `V` is the value, or a handle to it: a function pointer, an index, an `Rc`. If the table evicts a value, the caller
/// must make sure that its handle is not used any more; [`CallSite::clear`] removes it.
///
/// The call site holds the last key in `N` bytes, and a key that is being written in another `N`. Compiled code also
/// depends on the leaves, so `write_key` writes the parts of the key after the structure. It is called at least once
/// for every call, and twice if the structure differs.
///
/// # Examples
///
/// ```
/// use treedef::cache::{CallSite, Dtype, KeyBuf, KeyWriter};
/// use treedef::{Cache, Error};
///
/// let mut table = Cache::<KeyBuf<64>, usize, 8>::new();
/// let mut site = CallSite::<usize, 64>::new();
/// let write_key = |key: &mut KeyWriter<'_>| {
///     key.array(Dtype::Float32, false, &[]);
/// };
/// for length in [3, 3, 3, 4, 4] {
///     let tree = &[0.5f32; 4][..length];
///     let compiled = site.find(tree, write_key, |key| {
///         let compiled = table.get_or_insert_with(key, || Ok::<_, Error>(length))?;
///         Ok::<_, Error>(*compiled)
///     })?;
///     assert_eq!(*compiled, length);
/// }
/// assert_eq!((site.stats().hits, site.stats().misses), (3, 2));
/// # Ok::<(), Error>(())
/// ```
pub struct CallSite<V, const N: usize> {
    /// The last key.
    bytes: [u8; N],
    /// The buffer in which the next key is written.
    scratch: [u8; N],
    last: Option<Last<V>>,
    stats: CacheStats,
}

struct Last<V> {
    /// The last treedef, if it is a constant of the type of the tree.
    fixed: Option<TreeDef<'static>>,
    sizes: (u32, u32),
    def_len: usize,
    key_len: usize,
    value: V,
}

impl<V, const N: usize> Default for CallSite<V, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<V, const N: usize> CallSite<V, N> {
    /// Makes a call site that has no key yet.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::CallSite;
    ///
    /// let site = CallSite::<fn(), 64>::new();
    /// assert_eq!(site.last(), None);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { bytes: [0; N], scratch: [0; N], last: None, stats: CacheStats::NONE }
    }

    /// Returns the last treedef, which the next call expects.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Error;
    /// use treedef::cache::CallSite;
    ///
    /// let mut site = CallSite::<u32, 16>::new();
    /// assert_eq!(site.last(), None);
    /// site.find(&(1.0f32, 2.0f32), |_| (), |_| Ok::<_, Error>(7))?;
    /// assert_eq!(site.last(), Some(treedef::treedef!((*, *))));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn last(&self) -> Option<TreeDef<'_>> {
        let last = self.last.as_ref()?;
        if let Some(fixed) = last.fixed {
            return Some(fixed);
        }
        Some(TreeDef::of_sizes(self.bytes.get(..last.def_len)?, last.sizes))
    }

    /// Returns how often a call had the expected key (hits) and another one (misses). A call that fails counts as
    /// neither.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Error;
    /// use treedef::cache::CallSite;
    ///
    /// let mut site = CallSite::<u32, 16>::new();
    /// for _ in 0..3 {
    ///     site.find(&[1.0f32, 2.0], |_| (), |_| Ok::<_, Error>(7))?;
    /// }
    /// assert_eq!((site.stats().hits, site.stats().misses), (2, 1));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub const fn stats(&self) -> CacheStats {
        self.stats
    }

    /// Forgets the last key and its value.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Error;
    /// use treedef::cache::CallSite;
    ///
    /// let mut site = CallSite::<u32, 16>::new();
    /// site.find(&[1.0f32, 2.0], |_| (), |_| Ok::<_, Error>(7))?;
    /// site.clear();
    /// assert_eq!(site.find(&[1.0f32, 2.0], |_| (), |_| Ok::<_, Error>(8)), Ok(&mut 8));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn clear(&mut self) {
        self.last = None;
    }

    /// Returns the value for a tree and the parts that `write_key` writes: the last value if the key is the same,
    /// otherwise the result of `look_up`.
    ///
    /// # Errors
    ///
    /// The errors of `look_up`, of [`structure_into`] and of [`KeyWriter::finish`]: [`Error::Full`] or
    /// [`Error::CallKeyFull`] if `N` bytes are too few. After an error the call site is unchanged.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Error;
    /// use treedef::cache::CallSite;
    ///
    /// let mut site = CallSite::<&str, 16>::new();
    /// let tree = (1.0f32, [2.0f32, 3.0]);
    /// let compiled = site.find(&tree, |key| { key.meta(&"fast"); }, |key| {
    ///     assert_eq!(key.to_string(), "PyTreeDef((*, [*, *])), 'fast'");
    ///     Ok::<_, Error>("code")
    /// })?;
    /// assert_eq!(*compiled, "code");
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    pub fn find<T, E>(
        &mut self,
        tree: &T,
        write_key: impl Fn(&mut KeyWriter<'_>),
        look_up: impl FnOnce(CallKey<'_>) -> Result<V, E>,
    ) -> Result<&mut V, E>
    where
        T: Structure + ?Sized,
        E: From<Error>,
    {
        let expected = self.last().is_some_and(|last| matches(tree, last).is_ok());
        if !(expected && self.writes_last_key(&write_key)) {
            let def = structure_into(tree, &mut self.scratch)?;
            let (len, sizes) = (def.as_bytes().len(), def.sizes());
            self.replace(len, sizes, T::TREEDEF, write_key, look_up)?;
        }
        self.value()
    }

    /// Flattens an object, and returns the value for its key with the number of leaves.
    ///
    /// If the structure is the expected one, structure and leaves take one pass together. `write_key` receives the
    /// leaves.
    ///
    /// # Errors
    ///
    /// As [`CallSite::find`] and [`Flatten::flatten_into`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::CallSite;
    /// use treedef::dynamic::Flatten;
    /// use treedef::{Error, tree};
    ///
    /// let mut site = CallSite::<usize, 32>::new();
    /// let mut leaves = [0; 4];
    /// let mut compiled = 0;
    /// for _ in 0..3 {
    ///     let tree = tree!({"b": 1, "w": [2, 3]});
    ///     let (code, count) = site.flatten(Flatten::new(), &tree, &mut leaves, |_, _| (), |key| {
    ///         compiled += 1;
    ///         Ok::<_, Error>(key.as_bytes().len())
    ///     })?;
    ///     assert_eq!((*code, &leaves[..count]), (9, [1, 2, 3].as_slice()));
    /// }
    /// assert_eq!(compiled, 1);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    pub fn flatten<O, P, const OBJECTS: bool, T, E>(
        &mut self,
        options: Flatten<P, OBJECTS>,
        object: O,
        leaves: &mut [T],
        write_key: impl Fn(&[T], &mut KeyWriter<'_>),
        look_up: impl FnOnce(CallKey<'_>) -> Result<V, E>,
    ) -> Result<(&mut V, usize), E>
    where
        O: Object,
        Flatten<P, OBJECTS>: Rule<O> + Copy,
        T: Keep<<Flatten<P, OBJECTS> as Rule<O>>::Item>,
        E: From<Error>,
    {
        let expected =
            self.last().and_then(|last| options.flatten_expected(object, last, leaves).ok());
        if let Some(count) = expected {
            let kept = leaves.get(..count).unwrap_or_default();
            if self.writes_last_key(|key: &mut KeyWriter<'_>| write_key(kept, key)) {
                return self.value().map(|value| (value, count));
            }
        }
        let (def, count) = options.flatten_into(object, &mut self.scratch, leaves)?;
        let (len, sizes) = (def.as_bytes().len(), def.sizes());
        let kept = leaves.get(..count).unwrap_or_default();
        self.replace(len, sizes, None, |key: &mut KeyWriter<'_>| write_key(kept, key), look_up)?;
        self.value().map(|value| (value, count))
    }

    /// Whether `write_key` writes the same parts as in the last key.
    #[inline]
    fn writes_last_key(&mut self, write_key: impl Fn(&mut KeyWriter<'_>)) -> bool {
        let Some(last) = &self.last else { return false };
        let mut key = KeyWriter::after(&mut self.scratch, last.def_len);
        write_key(&mut key);
        // A key that does not fit is an error later, when it is written.
        let written = key.written().ok().and_then(|key| key.get(last.def_len..));
        let same = written == self.bytes.get(last.def_len..last.key_len);
        if same {
            self.stats.hit();
        }
        same
    }

    /// Makes the treedef in the scratch buffer the expected one.
    #[cold]
    fn replace<E: From<Error>>(
        &mut self,
        def_len: usize,
        sizes: (u32, u32),
        fixed: Option<TreeDef<'static>>,
        write_key: impl Fn(&mut KeyWriter<'_>),
        look_up: impl FnOnce(CallKey<'_>) -> Result<V, E>,
    ) -> Result<(), E> {
        let mut key = KeyWriter::after(&mut self.scratch, def_len);
        write_key(&mut key);
        let key = key.finish()?;
        let (key_len, value) = (key.as_bytes().len(), look_up(key)?);
        self.stats.miss();
        core::mem::swap(&mut self.bytes, &mut self.scratch);
        self.last = Some(Last { fixed, sizes, def_len, key_len, value });
        Ok(())
    }

    /// Returns the value that was just found or stored.
    #[inline]
    fn value<E: From<Error>>(&mut self) -> Result<&mut V, E> {
        self.last.as_mut().map(|last| &mut last.value).ok_or(Error::TableFull { room: 0 }.into())
    }
}

impl<V, const N: usize> fmt::Debug for CallSite<V, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        record(f, "CallSite", &[("room", &N), ("stats", &self.stats)])
    }
}

show_by_debug!([V, const N: usize] CallSite<V, N>);
