//! Writes a treedef in one left-to-right pass into the caller's bytes, event by event.
//!
//! A leaf writes nothing: a run of leaves is a counter, which is written at the next head or end. When a child with
//! children ends, its bytes are compared with those of the sibling before it. If they are equal, the child is removed
//! and the repeat at the end grows by one. Written bytes never move.
//!
//! The leaves and nodes of the whole tree are added with a check. Every other counter counts a part of them, so its
//! arithmetic wraps. It cannot overflow, unless an [`OpenNode`] is given to another builder than its own.

use core::fmt;

use crate::base::error::Error;
use crate::base::show::{debug_struct, record};
use crate::encode::arithmetic::{meta_len, strings_len};
use crate::encode::output::{ListState, Output, Unit};
use crate::format::head::{self, Head};
use crate::format::heading::HeadSpec;
use crate::format::value::Value;
use crate::treedef::treedef::TreeDef;

mod events;

/// Writes one treedef into a slice of bytes, node by node in preorder.
///
/// Every method is one event. [`Builder::begin`] returns an [`OpenNode`] for [`Builder::end`], so the caller keeps the
/// open levels: in its stack frames if it recurses, otherwise in an array. The methods without generics are `const`.
///
/// While it writes, the builder needs room for the result, and for one more copy of each repeated node that is open.
///
/// # Examples
///
/// ```
/// use treedef::{Builder, head};
///
/// // ((*, *), (*, *), None)
/// let mut bytes = [0; 16];
/// let mut builder = Builder::new(&mut bytes);
/// let root = builder.begin(&head::Tuple(3))?;
/// for _ in 0..2 {
///     let pair = builder.begin(&head::Tuple(2))?;
///     builder.leaves(2)?;
///     builder.end(pair)?;
/// }
/// builder.none()?;
/// builder.end(root)?;
/// assert_eq!(builder.finish()?.as_bytes(), [0x23, 0x22, 0x01, 0xA0, 0x02, 0xC0]);
/// # Ok::<(), treedef::Error>(())
/// ```
pub struct Builder<'b> {
    output: Output<'b>,
    leaves: u32,
    list: List,
    /// Identifies the open node: the number of branches after it was begun. 0 outside the root.
    open: u32,
}

impl fmt::Debug for Builder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (at, leaves, nodes) = (self.output.at(), self.leaves, self.num_nodes());
        record(f, "Builder", &[("at", &at), ("leaves", &leaves), ("nodes", &nodes)])
    }
}

/// The state of one list of siblings.
#[derive(Clone, Copy, Debug)]
struct List {
    /// The number of children that are missing.
    left: u32,
    /// The state of the output for this list.
    state: ListState,
    /// The child before.
    unit: Unit,
}

impl List {
    /// A list of `left` children after `leaves` leaves.
    #[inline]
    const fn of(left: u32, leaves: u32) -> Self {
        Self { left, state: ListState::new(leaves as usize), unit: Unit::LEAF }
    }
}

/// An open node of a [`Builder`]; give it back to the same builder with [`Builder::end`], innermost first.
///
/// A builder refuses an open node that is not its innermost. It cannot check that the node is its own: with one of
/// another builder it writes bytes that are not a treedef.
///
/// # Examples
///
/// ```
/// use treedef::{Builder, Error, TreeDef};
///
/// /// Adds `levels` nested tuples around a leaf.
/// fn nest(builder: &mut Builder<'_>, levels: usize) -> Result<(), Error> {
///     if levels == 0 {
///         return builder.leaves(1);
///     }
///     let node = builder.begin_tuple(1)?;
///     nest(builder, levels - 1)?;
///     builder.end(node)
/// }
///
/// let mut bytes = [0; 8];
/// let mut builder = Builder::new(&mut bytes);
/// nest(&mut builder, 2)?;
/// assert_eq!(builder.finish()?, treedef::treedef!(((*,),)));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy)]
#[must_use = "a node that is begun has to be ended"]
pub struct OpenNode {
    // Callers that recurse hold one for each level, so it is small: what can be read from the bytes is not kept.
    /// Where its head begins.
    start: u32,
    /// The [`ListState`] of the list outside.
    unit: u32,
    end: u32,
    /// The number of children that the node outside lacks.
    left: u32,
    leaves: u32,
    branches: u32,
    /// The node outside.
    outer: u32,
}

debug_struct!([] OpenNode { start, leaves, branches });

impl<'b> Builder<'b> {
    /// Starts a treedef at the front of `bytes`.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Builder, TreeDef};
    ///
    /// let mut bytes = [0; 8];
    /// let mut builder = Builder::new(&mut bytes);
    /// builder.leaves(1)?;
    /// assert_eq!(builder.finish(), Ok(TreeDef::LEAF));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub const fn new(bytes: &'b mut [u8]) -> Self {
        Self::onto(Output::written(bytes))
    }

    const fn onto(output: Output<'b>) -> Self {
        Self { output, leaves: 0, list: List::of(1, 0), open: 0 }
    }

    /// Adds `count` leaves.
    ///
    /// # Errors
    ///
    /// [`Error::Arity`] if the open node has fewer children left, with the number that it has left;
    /// [`Error::TooLarge`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Builder, Error, treedef};
    ///
    /// let mut bytes = [0; 8];
    /// let mut builder = Builder::new(&mut bytes);
    /// let root = builder.begin_tuple(3)?;
    /// builder.leaves(3)?;
    /// assert_eq!(builder.leaves(1), Err(Error::Arity { expected: 0, found: 1 }));
    /// builder.end(root)?;
    /// assert_eq!(builder.finish(), Ok(treedef!((*, *, *))));
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    pub const fn leaves(&mut self, count: usize) -> Result<(), Error> {
        let done = self.add_leaves(count);
        self.answer(done)
    }

    /// Adds a `None`.
    ///
    /// # Errors
    ///
    /// [`Error::Full`], [`Error::Arity`], [`Error::TooLarge`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Builder, TreeDef};
    ///
    /// let mut bytes = [0; 8];
    /// let mut builder = Builder::new(&mut bytes);
    /// builder.none()?;
    /// assert_eq!(builder.finish(), Ok(TreeDef::NONE));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub const fn none(&mut self) -> Result<(), Error> {
        let done = self.add_none();
        self.answer(done)
    }

    /// Begins a node with the head `spec`, which announces the number of its children.
    ///
    /// # Errors
    ///
    /// [`Error::Full`], [`Error::Arity`], [`Error::TooLarge`], and the errors of [`HeadSpec::check`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Builder, head};
    ///
    /// let mut bytes = [0; 32];
    /// let mut builder = Builder::new(&mut bytes);
    /// let pid = builder.begin(&head::Struct { name: "Pid", fields: &["kp", "ki"], meta: &[] })?;
    /// builder.leaves(2)?;
    /// builder.end(pid)?;
    /// assert_eq!(builder.finish()?.path(1).map(|path| path.to_string()).as_deref(), Some(".ki"));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[inline]
    pub fn begin<H: HeadSpec>(&mut self, spec: &H) -> Result<OpenNode, Error> {
        spec.check()?;
        let node = self.open();
        let done = self.was_begun() && self.put_heading(spec) && self.enter(spec.arity());
        self.begun(done, node)
    }

    /// Writes a head, whose keys can have a user's type.
    #[inline]
    fn put_heading<H: HeadSpec>(&mut self, spec: &H) -> bool {
        let mut output = core::mem::replace(&mut self.output, Output::spoiled());
        let done = output.put_heading(spec);
        self.output = output;
        done
    }

    /// Begins a tuple, also in `const`.
    ///
    /// # Errors
    ///
    /// As [`Builder::begin`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Builder, treedef};
    ///
    /// let mut bytes = [0; 8];
    /// let mut builder = Builder::new(&mut bytes);
    /// let pair = builder.begin_tuple(2)?;
    /// builder.leaves(2)?;
    /// builder.end(pair)?;
    /// assert_eq!(builder.finish(), Ok(treedef!((*, *))));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub const fn begin_tuple(&mut self, children: usize) -> Result<OpenNode, Error> {
        self.begin_counted(head::TUPLE, children)
    }

    /// Begins a list, also in `const`.
    ///
    /// # Errors
    ///
    /// As [`Builder::begin`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Builder, treedef};
    ///
    /// let mut bytes = [0; 8];
    /// let mut builder = Builder::new(&mut bytes);
    /// let list = builder.begin_list(3)?;
    /// builder.leaves(3)?;
    /// builder.end(list)?;
    /// assert_eq!(builder.finish(), Ok(treedef!([*, *, *])));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub const fn begin_list(&mut self, children: usize) -> Result<OpenNode, Error> {
        self.begin_counted(head::LIST, children)
    }

    /// Begins a dictionary with string keys in sorted order, also in `const`.
    ///
    /// # Errors
    ///
    /// As [`Builder::begin`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Builder, treedef};
    ///
    /// let mut bytes = [0; 16];
    /// let mut builder = Builder::new(&mut bytes);
    /// let dict = builder.begin_dict(&["b", "w"])?;
    /// builder.leaves(2)?;
    /// builder.end(dict)?;
    /// assert_eq!(builder.finish()?, treedef!({"b": *, "w": *}));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub const fn begin_dict(&mut self, keys: &[&str]) -> Result<OpenNode, Error> {
        if let Err(error) = check_strings(keys) {
            return Err(error);
        }
        let node = self.open();
        let done = self.was_begun()
            && self.output.put_head(head::DICT, keys.len())
            && self.output.put_varint(strings_len(keys))
            && self.output.put_strings(keys)
            && self.enter(keys.len());
        self.begun(done, node)
    }

    /// Begins a struct without meta fields, also in `const`.
    ///
    /// Equal names are not refused, neither here nor in bytes that are read. [`TreeDef::find`] finds the first child of
    /// a name, [`TreeDef::find_at`] each child by its index.
    ///
    /// # Errors
    ///
    /// As [`Builder::begin`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Builder, TreeDef};
    ///
    /// let mut bytes = [0; 16];
    /// let mut builder = Builder::new(&mut bytes);
    /// let twice = builder.begin_struct("P", &["a", "a"])?;
    /// builder.leaves(2)?;
    /// builder.end(twice)?;
    /// let def = builder.finish()?;
    /// assert_eq!(TreeDef::from_bytes(def.as_bytes()), Ok(def));
    /// assert_eq!(def.find_str(".a")?.as_leaf(), Some(0));
    /// assert_eq!(def.find_at([1]).and_then(|found| found.as_leaf()), Some(1));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub const fn begin_struct(&mut self, name: &str, fields: &[&str]) -> Result<OpenNode, Error> {
        let node = self.open();
        let done = self.was_begun()
            && self.output.put_head(head::STRUCT, fields.len())
            && self.output.put_varint(strings_len(&[name]).saturating_add(strings_len(fields)))
            && self.output.put_strings(&[name])
            && self.output.put_strings(fields)
            && self.enter(fields.len());
        self.begun(done, node)
    }

    /// Begins a struct with meta fields in `const`.
    ///
    /// # Errors
    ///
    /// As [`Builder::begin`]; [`Error::TooLarge`] for a value that only [`Builder::begin`] can write.
    pub(crate) const fn begin_struct_with(
        &mut self,
        name: &str,
        fields: &[&str],
        meta: &[(&str, Value<'_>)],
    ) -> Result<OpenNode, Error> {
        let Some(len) = meta_len(meta) else { return Err(Error::TooLarge) };
        let len = len.saturating_add(strings_len(&[name])).saturating_add(strings_len(fields));
        let node = self.open();
        let done = self.was_begun()
            && self.output.put_head(head::STRUCT, fields.len())
            && self.output.put_varint(len)
            && self.output.put_strings(&[name])
            && self.output.put_strings(fields)
            && self.output.put_meta(meta)
            && self.enter(fields.len());
        self.begun(done, node)
    }

    /// Begins a node with a head that is already encoded, also in `const`.
    ///
    /// # Errors
    ///
    /// As [`Builder::begin`]; [`Error::Arity`] for the head of a leaf, which [`Builder::leaves`] adds.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Builder, treedef};
    ///
    /// let mut bytes = [0; 8];
    /// let mut builder = Builder::new(&mut bytes);
    /// let pair = builder.begin_head(&treedef!((None, None)).head())?;
    /// builder.leaves(2)?;
    /// builder.end(pair)?;
    /// assert_eq!(builder.finish()?, treedef!((*, *)));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub const fn begin_head(&mut self, head: &Head<'_>) -> Result<OpenNode, Error> {
        if let Err(error) = crate::format::heading::no_leaf(head) {
            return Err(error);
        }
        self.begin_encoded(head.as_bytes(), head.num_children())
    }

    /// Begins a node whose head has these bytes.
    pub(crate) const fn begin_encoded(
        &mut self,
        head: &[u8],
        children: usize,
    ) -> Result<OpenNode, Error> {
        let node = self.open();
        let done = self.was_begun() && self.output.put(head) && self.enter(children);
        self.begun(done, node)
    }

    /// Ends `node`. If it equals the sibling before it, it is stored as a repeat.
    ///
    /// # Errors
    ///
    /// [`Error::Arity`] if children of `node` are missing, with the number that is missing, or if `node` is not the
    /// innermost open node; [`Error::Full`] if the bytes are too few; [`Error::TooLarge`] beyond 2³² leaves or nodes.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Builder, Error};
    ///
    /// let mut bytes = [0; 8];
    /// let mut builder = Builder::new(&mut bytes);
    /// let pair = builder.begin_tuple(2)?;
    /// builder.leaves(1)?;
    /// assert_eq!(builder.end(pair), Err(Error::Arity { expected: 1, found: 0 }));
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    pub const fn end(&mut self, node: OpenNode) -> Result<(), Error> {
        let done = self.close(&node);
        self.answer(done)
    }

    /// Adds `count` more copies of the child that was added last. If it has leaves, that takes one step.
    ///
    /// # Errors
    ///
    /// As [`Builder::leaves`], and [`Error::Full`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Builder, treedef};
    ///
    /// let mut bytes = [0; 16];
    /// let mut builder = Builder::new(&mut bytes);
    /// let list = builder.begin_list(1000)?;
    /// builder.subtree(treedef!((*, *)))?;
    /// builder.repeat(999)?;
    /// builder.end(list)?;
    /// let def = builder.finish()?;
    /// assert_eq!((def.num_leaves(), def.as_bytes().len()), (2000, 9));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub const fn repeat(&mut self, count: usize) -> Result<(), Error> {
        let done = self.add_copies(count);
        self.answer(done)
    }

    /// Adds a whole treedef as one child.
    ///
    /// # Errors
    ///
    /// [`Error::Full`], [`Error::Arity`], [`Error::TooLarge`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Builder, treedef};
    ///
    /// let mut bytes = [0; 8];
    /// let mut builder = Builder::new(&mut bytes);
    /// let list = builder.begin_list(2)?;
    /// builder.subtree(treedef!((*, None)))?;
    /// builder.leaves(1)?;
    /// builder.end(list)?;
    /// assert_eq!(builder.finish()?, treedef!([(*, None), *]));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub const fn subtree(&mut self, def: TreeDef<'_>) -> Result<(), Error> {
        let done = self.add_subtree(def);
        self.answer(done)
    }

    /// The complete treedef.
    ///
    /// # Errors
    ///
    /// [`Error::Arity`] if the tree is not complete; [`Error::Full`]; an earlier [`Error::Full`] or [`Error::TooLarge`]
    /// again, if the caller went on after it.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Builder, Error};
    ///
    /// let mut bytes = [0; 8];
    /// let mut builder = Builder::new(&mut bytes);
    /// let pair = builder.begin_tuple(2)?;
    /// builder.leaves(2)?;
    /// builder.end(pair)?;
    /// assert_eq!(builder.finish()?.as_bytes(), [0x22, 0x01]);
    /// assert!(matches!(Builder::new(&mut bytes).finish(), Err(Error::Arity { .. })));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn finish(mut self) -> Result<TreeDef<'b>, Error> {
        let done = !self.output.is_spoiled()
            && self.complete()
            && self.output.flush(&mut self.list.state, self.leaves as usize);
        if let Err(error) = self.answer(done) {
            return Err(error);
        }
        self.output.finish(self.leaves as usize)
    }

    /// The number of leaves so far.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Builder;
    ///
    /// let mut bytes = [0; 8];
    /// let mut builder = Builder::new(&mut bytes);
    /// let _list = builder.begin_list(3)?;
    /// builder.leaves(2)?;
    /// assert_eq!(builder.num_leaves(), 2);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub const fn num_leaves(&self) -> usize {
        self.leaves as usize
    }

    /// The number of bytes so far.
    pub(crate) const fn len(&self) -> usize {
        self.output.at()
    }

    /// Whether an event did not fit the bytes.
    #[cfg(feature = "alloc")]
    pub(crate) const fn is_full(&self) -> bool {
        self.output.is_spoiled() && matches!(self.error(), Error::Full { .. })
    }

    /// The number of nodes so far.
    pub(crate) const fn num_nodes(&self) -> u32 {
        self.leaves.wrapping_add(self.output.branches)
    }

    /// Begins a node whose head is a kind and a count.
    const fn begin_counted(&mut self, kind: u8, children: usize) -> Result<OpenNode, Error> {
        let node = self.open();
        let done = self.was_begun() && self.output.put_head(kind, children) && self.enter(children);
        self.begun(done, node)
    }

    /// Converts the flag of an event to a result.
    #[inline]
    const fn answer(&self, done: bool) -> Result<(), Error> {
        if done { Ok(()) } else { Err(self.error()) }
    }

    /// Converts the beginning of a node to a result.
    #[inline]
    const fn begun(&self, done: bool, node: OpenNode) -> Result<OpenNode, Error> {
        if done { Ok(node) } else { Err(self.error()) }
    }
}

/// The treedef of a builder that user code borrowed, if it still writes at `own`: user code can replace it by another
/// builder.
pub(crate) fn finish_here(builder: Builder<'_>, own: *const u8) -> Result<TreeDef<'_>, Error> {
    let missing = Error::Arity { expected: 1, found: 0 };
    builder.finish().and_then(|def| match def.as_bytes().as_ptr() == own {
        true => Ok(def),
        false => Err(missing),
    })
}

/// Checks that strings strictly increase by their bytes.
const fn check_strings(mut keys: &[&str]) -> Result<(), Error> {
    let mut first = 0u32;
    while let [a, rest @ ..] = keys {
        let second = first.saturating_add(1);
        if let [b, ..] = rest {
            match crate::format::const_order::compare(a.as_bytes(), b.as_bytes()) {
                core::cmp::Ordering::Less => {}
                core::cmp::Ordering::Equal => return Err(Error::DuplicateKey { first, second }),
                core::cmp::Ordering::Greater => return Err(Error::UnsortedKeys { first, second }),
            }
        }
        (first, keys) = (second, rest);
    }
    Ok(())
}
