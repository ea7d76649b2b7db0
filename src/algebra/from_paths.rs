//! Builds a treedef from the paths of its leaves.

use core::cmp::Ordering;

use crate::base::error::Error;
use crate::base::levels::{Level, Rows};
use crate::base::show::debug_struct;
use crate::encode::describe::{Describe, Opened};
use crate::encode::encoder::Encode;
use crate::encode::structure::Structure;
use crate::format::entry::KeyEntry;
use crate::format::fingerprint;
use crate::format::head;
use crate::format::heading::sealed::Sealed;
use crate::format::heading::{self, DictKind, HeadSpec, put_block_of, put_count};
use crate::format::value::{Stop, Value, put_run};
use crate::format::varint;

/// The structure whose leaves have given paths; see [`from_paths`].
///
/// # Examples
///
/// ```
/// use treedef::algebra::from_paths;
/// use treedef::{matches, treedef};
///
/// let def = treedef!({"a": [*, *]});
/// let same = from_paths(def.paths().map(|path| path.entries()));
/// assert_eq!(matches(&same, def), Ok(()));
/// ```
#[derive(Clone, Copy)]
#[must_use = "does nothing until it is described, as by `structure_into`"]
pub struct FromPaths<'n, P> {
    paths: P,
    tuples: bool,
    type_name: &'n str,
}

debug_struct!([P] FromPaths<'_, P> { tuples, type_name });

/// Builds the structure whose leaves have these paths: the inverse of listing the paths of a treedef.
///
/// The paths must be in preorder, as flattening gives them, so all paths through a node are adjacent. Positions start
/// at 0 and have no gap. The keys of a dictionary must be in Python's order. The fields of a struct can be in any
/// order, which is kept. A [`KeyEntry::Some`] makes a `Some`, and a single empty path makes a leaf. Paths only lead to
/// leaves, so the result has no node without leaves.
///
/// Paths do not determine every kind. Positions make lists, or tuples with [`FromPaths::tuples`]. Keys make sorted
/// dicts. Fields make structs without meta fields and without a type name, or with the name from
/// [`FromPaths::type_name`]. Custom nodes cannot be made.
///
/// The result is a [`Structure`], for [`structure_into`](crate::structure_into) and the others. It takes no memory: at
/// each node it reads its paths ahead, one entry of each. So the cost is linear in the entries of all paths if
/// [`Iterator::nth`] takes constant time, as for slices; otherwise multiply it by the depth. The fields of a struct are
/// also compared with each other: `n` fields are read `n / 64` times. JAX and optree have no such function.
///
/// # Errors
///
/// Writing or bounding the result fails with:
///
/// - [`Error::MisplacedPath`] with the first path that does not continue the tree of the paths before it: its leaf or a
///   node on its way is already complete, a position is skipped, a key is out of order, or an entry belongs to a custom
///   node or has another kind than its siblings;
/// - [`Error::Arity`] if there are no paths;
/// - [`Error::TooDeep`] if a path has more than [`MAX_DEPTH`](crate::encode::MAX_DEPTH) entries;
///   [`structure_into_with`](crate::encode::structure_into_with) has room for more, with two levels for each;
/// - [`Error::ValueTooDeep`].
///
/// # Examples
///
/// ```
/// use treedef::algebra::from_paths;
/// use treedef::{Error, KeyEntry::{Index, Key}, Value::Str, structure_into, treedef};
///
/// let paths: [&[_]; 3] = [
///     &[Key(Str("b")), Index(0)],
///     &[Key(Str("b")), Index(1)],
///     &[Key(Str("w"))],
/// ];
/// let mut bytes = [0; 32];
/// let tree = from_paths(paths.iter().map(|path| path.iter().copied()));
/// assert_eq!(structure_into(&tree, &mut bytes)?, treedef!({"b": [*, *], "w": *}));
///
/// let swapped = from_paths(paths.iter().rev().map(|path| path.iter().copied()));
/// assert_eq!(structure_into(&swapped, &mut bytes), Err(Error::MisplacedPath { path: 1 }));
/// # Ok::<(), Error>(())
/// ```
pub fn from_paths<'k, P>(paths: P) -> FromPaths<'static, P::IntoIter>
where
    P: IntoIterator<Item: IntoIterator<Item = KeyEntry<'k>, IntoIter: Clone>, IntoIter: Clone>,
{
    FromPaths { paths: paths.into_iter(), tuples: false, type_name: "" }
}

impl<'n, P> FromPaths<'n, P> {
    /// Makes tuples from positions, instead of lists.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::algebra::from_paths;
    /// use treedef::{matches, treedef};
    ///
    /// let def = treedef!({"a": (*, (*,))});
    /// let tree = from_paths(def.paths().map(|path| path.entries())).tuples();
    /// assert_eq!(matches(&tree, def), Ok(()));
    /// ```
    pub fn tuples(self) -> Self {
        Self { tuples: true, ..self }
    }

    /// Gives the structs this type name.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::algebra::from_paths;
    /// use treedef::{KeyEntry::Attr, structure_into};
    ///
    /// let mut bytes = [0; 32];
    /// let tree = from_paths([[Attr("gain")], [Attr("limit")]]).type_name("Pid");
    /// let def = structure_into(&tree, &mut bytes)?;
    /// assert_eq!(def.head().type_name(), Some("Pid"));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn type_name<'m>(self, name: &'m str) -> FromPaths<'m, P> {
        FromPaths { paths: self.paths, tuples: self.tuples, type_name: name }
    }
}

impl<'k, P> Structure for FromPaths<'_, P>
where
    P: Iterator<Item: IntoIterator<Item = KeyEntry<'k>, IntoIter: Clone>> + Clone,
{
    const NULLABLE: bool = true;

    fn describe<E: Encode>(&self, out: &mut Describe<'_, E>) -> Result<(), Error> {
        out.with_levels(|out, rows| self.describe_on(rows, out))
    }
}

/// Levels in a row: one open node, with the number of its children that can still begin and the index of the first path
/// after it.
const LEVELS: usize = 2;

/// For each path, begins the nodes on its way that the path before it did not pass. Between two paths it keeps:
///
/// - `before`: the last path, and `index`: the index of the next path;
/// - `open`: the nodes on the way of `before`, each with a row.
///
/// For the paths `a[0]`, `a[1]` and `b`:
///
/// ```text
/// a[0]    dict begins: its first entries are a, a, b, so it has 2 keys and ends before path 3
///         list begins: of the paths before path 3, 2 have a; their second entries are 0 and 1
/// a[1]    shares 1 entry with the path before: another child of the list
/// b       shares none: the list ends; another child of the dict
/// ```
impl<'k, P> FromPaths<'_, P>
where
    P: Iterator<Item: IntoIterator<Item = KeyEntry<'k>, IntoIter: Clone>> + Clone,
{
    fn describe_on<E: Encode>(
        &self,
        mut rows: Rows<'_, LEVELS>,
        out: &mut Describe<'_, E>,
    ) -> Result<(), Error> {
        let (mut open, mut before) = (0usize, None);
        let (mut ahead, mut index) = (self.paths.clone(), 0u32);
        loop {
            let here = ahead.clone();
            let Some(path) = ahead.next().map(IntoIterator::into_iter) else { break };
            let misplaced = Error::MisplacedPath { path: index };
            // The index of the first path after the node that the next entry is in.
            let mut end = u32::MAX;
            if let Some(before) = before.replace(path.clone()) {
                // At the depth where the two paths differ, a node stays open and its next child begins.
                let depth = shared(before.clone(), path.clone());
                while open > depth.saturating_add(1) {
                    close(out, &mut rows, &mut open)?;
                }
                let (mut before, mut new) = (before, path.clone());
                let (old, new) = before.nth(depth).zip(new.nth(depth)).ok_or(misplaced)?;
                if depth >= open || !follows(old, new) {
                    return Err(misplaced);
                }
                let [_, Level([.., children, last])] = rows.row(depth).ok_or(misplaced)?;
                *children = children.checked_sub(1).ok_or(misplaced)?;
                end = end_of_child(here.clone(), depth, index, *last);
            }
            for entry in path.skip(open) {
                let paths = end.saturating_sub(index);
                let siblings =
                    Siblings { paths: here.clone(), left: paths, depth: open, before: None };
                let distinct = match entry {
                    KeyEntry::Attr(_) => distinct(siblings.clone().filter_map(field)),
                    _ => u32::MAX,
                };
                let node = self.begin(out, entry, siblings)?.ok_or(misplaced)?;
                let words = [distinct.saturating_sub(1), end];
                rows.put(open, node.pack(words)).ok_or_else(|| rows.too_deep())?;
                end = end_of_child(here.clone(), open, index, end);
                open = open.saturating_add(1);
            }
            out.leaves(1)?;
            index = index.saturating_add(1);
        }
        if before.is_none() {
            return Err(Error::Arity { expected: 1, found: 0 });
        }
        while open > 0 {
            close(out, &mut rows, &mut open)?;
        }
        Ok(())
    }
}

/// Returns the index of the first path after a child. The child is below a node at `depth` that ends before the path
/// `end`, and its first path is the first of `paths`, with this index.
fn end_of_child<'k, P>(paths: P, depth: usize, index: u32, end: u32) -> u32
where
    P: Iterator<Item: IntoIterator<Item = KeyEntry<'k>>>,
{
    let mut entries = paths.map(|path| path.into_iter().nth(depth));
    let first = entries.next().flatten();
    let most = end.saturating_sub(index).saturating_sub(1);
    let more = entries.zip(0..most).take_while(|(entry, _)| *entry == first);
    more.fold(index.saturating_add(1), |end, _| end.saturating_add(1))
}

/// Ends the innermost open node.
fn close<E: Encode>(
    out: &mut Describe<'_, E>,
    rows: &mut Rows<'_, LEVELS>,
    open: &mut usize,
) -> Result<(), Error> {
    *open = open.saturating_sub(1);
    match rows.row(*open) {
        Some(row) => out.end(Opened::unpack(row).0),
        None => Err(rows.too_deep()),
    }
}

/// The number of fields that are compared with all later fields in one pass.
const BLOCK: usize = 64;

/// Returns the number of fields before the first that equals an earlier one. Fields can be in any order, so this
/// comparison is needed to know that each child is new.
///
/// A pass keeps the hashes of one block of fields and reads all later fields. A field with an equal hash is compared
/// with the field of the block itself.
#[inline(never)]
fn distinct<'k>(fields: impl Iterator<Item = &'k str> + Clone) -> u32 {
    let (mut rest, mut count) = (fields.zip(0..u32::MAX), u32::MAX);
    while rest.clone().next().is_some_and(|(_, first)| first < count) {
        let mut hashes = heapless::Vec::<u64, BLOCK>::new();
        for (field, index) in rest.clone() {
            if index >= count {
                break;
            }
            let hash = fingerprint::of(field.as_bytes());
            let mut block = rest.clone().zip(&hashes);
            if hashes.contains(&hash)
                && block.any(|((other, _), own)| *own == hash && other == field)
            {
                count = index;
            }
            let _ = hashes.push(hash);
        }
        let _ = rest.nth(BLOCK.saturating_sub(1));
    }
    count
}

/// Returns the number of leading entries that two paths share.
fn shared<'k>(
    one: impl Iterator<Item = KeyEntry<'k>>,
    other: impl Iterator<Item = KeyEntry<'k>>,
) -> usize {
    let alike = one.zip(other).take_while(|(one, other)| one == other);
    alike.fold(0, |count, _| count.saturating_add(1))
}

/// Whether a child with entry `new` can follow one with entry `old`.
fn follows(old: KeyEntry<'_>, new: KeyEntry<'_>) -> bool {
    match (old, new) {
        (KeyEntry::Index(old), KeyEntry::Index(new)) => old.checked_add(1) == Some(new),
        (KeyEntry::Key(old), KeyEntry::Key(new)) => old.compare(new) == Some(Ordering::Less),
        (KeyEntry::Attr(_), KeyEntry::Attr(_)) => true,
        _ => false,
    }
}

/// Iterates over the entries of the children of a node at this depth, read ahead from its paths. Stops at an entry that
/// cannot follow the one before it.
#[derive(Clone)]
struct Siblings<'k, P> {
    paths: P,
    /// The number of paths of the node that are not read yet.
    left: u32,
    depth: usize,
    before: Option<KeyEntry<'k>>,
}

impl<'k, P> Iterator for Siblings<'k, P>
where
    P: Iterator<Item: IntoIterator<Item = KeyEntry<'k>>>,
{
    type Item = KeyEntry<'k>;

    fn next(&mut self) -> Option<KeyEntry<'k>> {
        loop {
            self.left = self.left.checked_sub(1)?;
            let new = self.paths.next()?.into_iter().nth(self.depth)?;
            match self.before {
                Some(old) if old == new => continue,
                Some(old) if !follows(old, new) => return None,
                _ => self.before = Some(new),
            }
            return Some(new);
        }
    }
}

impl<P> FromPaths<'_, P> {
    /// Begins the node whose first child has this entry. Returns `None` if no kind of node has such an entry.
    fn begin<'k, E, Q>(
        &self,
        out: &mut Describe<'_, E>,
        first: KeyEntry<'k>,
        siblings: Siblings<'k, Q>,
    ) -> Result<Option<Opened<E>>, Error>
    where
        E: Encode,
        Q: Iterator<Item: IntoIterator<Item = KeyEntry<'k>, IntoIter: Clone>> + Clone,
    {
        let count = siblings.clone().fold(0usize, |count, _| count.saturating_add(1));
        match first {
            KeyEntry::Index(0) if self.tuples => out.begin(&heading::Tuple(count)),
            KeyEntry::Index(0) => out.begin(&heading::List(count)),
            KeyEntry::Key(_) => {
                out.begin(&heading::Dict::new(DictKind::Sorted, siblings.filter_map(key)))
            }
            KeyEntry::Attr(_) => {
                out.begin(&Fields::new(self.type_name, siblings.filter_map(field)))
            }
            KeyEntry::Some => out.begin(&heading::Some),
            _ => return Ok(None),
        }
        .map(Some)
    }
}

fn key(entry: KeyEntry<'_>) -> Option<Value<'_>> {
    match entry {
        KeyEntry::Key(key) => Some(key),
        _ => None,
    }
}

fn field(entry: KeyEntry<'_>) -> Option<&str> {
    match entry {
        KeyEntry::Attr(name) => Some(name),
        _ => None,
    }
}

/// The head of a struct without meta fields, with field names from an iterator.
struct Fields<'n, I> {
    name: &'n str,
    fields: I,
    count: usize,
    /// The length of the name and the fields in bytes.
    len: usize,
}

impl<'n, 'k, I: Iterator<Item = &'k str> + Clone> Fields<'n, I> {
    /// Counts the fields and their bytes. Writing checks that both numbers are the same.
    fn new(name: &'n str, fields: I) -> Self {
        let room = |text: &str| varint::len(text.len() as u64).saturating_add(text.len());
        let (count, len) = fields.clone().fold((0usize, room(name)), |(count, len), field| {
            (count.saturating_add(1), len.saturating_add(room(field)))
        });
        Self { name, fields, count, len }
    }
}

impl<I> Sealed for Fields<'_, I> {}

impl<'k, I: Iterator<Item = &'k str> + Clone> HeadSpec for Fields<'_, I> {
    fn arity(&self) -> usize {
        self.count
    }

    fn check(&self) -> Result<(), Error> {
        Ok(())
    }

    fn pieces(&self, put: &mut impl FnMut(&[u8]) -> Result<(), Stop>) -> Result<(), Stop> {
        put_count(head::STRUCT, self.count, put)?;
        put_block_of(self.len, put, |put| {
            put_run(self.name.as_bytes(), put)?;
            let mut left = self.count;
            for field in self.fields.clone() {
                left = left.checked_sub(1).ok_or(Stop::Changed)?;
                put_run(field.as_bytes(), put)?;
            }
            if left == 0 { Ok(()) } else { Err(Stop::Changed) }
        })
    }
}
