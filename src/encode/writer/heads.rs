//! Begins nodes.

use super::bytes::{Bytes, Mode, low};
use super::{Children, NodeStart, OpenNode, Writer};
use crate::base::bytes::{SHORT, part, small};
use crate::base::error::Error;
use crate::base::target::SMALL_CODE;
use crate::format::head::{self, Head, kind_and_count};
use crate::format::heading::dict::strictly_increase;
use crate::format::heading::{
    Dict, DictKind, HeadSpec, KnownHead, no_leaf, read_text, text_len, write_text,
};
use crate::format::pieces::Stop;
use crate::format::to_value::ToValue;
use crate::format::value::Value;

impl Writer<'_> {
    /// Adds a node with this head, whose children `children` adds. If the node cannot be begun, `children` is not called, so a
    /// recursion ends at the bound of depth. [`Writer`] has an example.
    ///
    /// # Errors
    ///
    /// As [`Writer::begin`] and [`Writer::end`].
    #[inline]
    pub fn node<H: HeadSpec>(&mut self, head: &H, children: impl FnOnce(&mut Self)) {
        let node = self.begin(head);
        if node.is_open() {
            children(self);
            self.end_with_arity(&node, head.arity());
        }
    }

    /// Begins a node with this head. Its children follow, then [`Writer::end`]. A recursion has to end if the node is not
    /// [open](OpenNode::is_open), as it does in [`Writer::node`].
    ///
    /// # Errors
    ///
    /// It keeps [`Error::Full`] if the bytes are too few; [`Error::Mismatch`] if a treedef is expected that has another node
    /// here; [`Error::Arity`] if the open node lacks no child; [`Error::TooDeep`]; [`Error::TooLarge`]; the errors of
    /// [`head_into`](crate::head::head_into).
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Writer, head};
    ///
    /// let mut bytes = [0; 32];
    /// let mut out = Writer::new(&mut bytes);
    /// let pid = out.begin(&head::Struct { name: "Pid", fields: &["kp", "ki"], meta: &[] });
    /// out.leaves(2);
    /// out.end(pid);
    /// assert_eq!(out.finish()?.path(1).map(|path| path.to_string()).as_deref(), Some(".ki"));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[inline]
    pub fn begin<H: HeadSpec>(&mut self, head: &H) -> OpenNode {
        let at = self.put_head(self.num_leaves(), head);
        self.enter_at(at, head.arity())
    }

    /// Puts the head of a node, after the leaves up to number `leaves`. Returns where the node begins; `None` after
    /// an error.
    #[inline]
    pub(crate) fn put_head<H: HeadSpec>(&mut self, leaves: usize, head: &H) -> Option<u32> {
        match head.known_head() {
            None => self.before_head(leaves).and_then(|at| self.put_pieces_at(at, head)),
            Some(known) => match (head.check(true), known) {
                (Ok(()), KnownHead::Bytes(bytes)) => self.put_encoded_head(leaves, bytes),
                (Ok(()), KnownHead::Counted(kind, count)) => {
                    self.put_head_of_count(leaves, kind, count)
                }
                (Err(error), _) => self.fail_head(error),
            },
        }
    }

    /// Begins a tuple or list.
    pub(crate) const fn begin_sequence(&mut self, kind: u8, children: usize) -> OpenNode {
        if children > u32::MAX as usize {
            return self.fail_node(Error::TooLarge);
        }
        let at = self.put_head_of_count(self.num_leaves(), kind, children);
        self.enter_at(at, children)
    }

    /// As [`Writer::put_head`], for a kind and a count.
    #[inline]
    const fn put_head_of_count(&mut self, leaves: usize, kind: u8, count: usize) -> Option<u32> {
        match count < head::ESCAPE as usize {
            true => self.put_encoded_head(leaves, &[kind << 5 | low(count)]),
            false => self.put_head_of_long_count(leaves, kind, count),
        }
    }

    /// As [`Writer::put_head`], for a kind and a count that is not short.
    #[cold]
    #[inline(never)]
    const fn put_head_of_long_count(
        &mut self,
        leaves: usize,
        kind: u8,
        count: usize,
    ) -> Option<u32> {
        self.put_encoded_head(leaves, kind_and_count(kind, count).as_bytes())
    }

    /// As [`Writer::put_head`], for a head with these bytes. The usual case calls no other function, so that it saves no registers.
    #[inline(never)]
    const fn put_encoded_head(&mut self, leaves: usize, head: &[u8]) -> Option<u32> {
        self.put_encoded_head_inlined(leaves, head)
    }

    /// As [`Writer::put_encoded_head`], in the function that calls it.
    #[inline(always)]
    const fn put_encoded_head_inlined(&mut self, leaves: usize, head: &[u8]) -> Option<u32> {
        if !SMALL_CODE
            && head.len() <= SHORT
            && (self.run_start as usize == leaves || self.end_run_at(leaves))
            && !self.look_for_copy()
            && self.can_begin()
        {
            let at = self.bytes.position();
            return if self.bytes.put_inlined(head) { Some(at) } else { self.refuse_head() };
        }
        self.put_encoded_head_in_any_case(leaves, head)
    }

    /// As [`Writer::put_encoded_head`], in every case.
    #[cfg_attr(not(target_os = "none"), cold, inline(never))]
    #[cfg_attr(target_os = "none", inline(always))]
    const fn put_encoded_head_in_any_case(&mut self, leaves: usize, head: &[u8]) -> Option<u32> {
        match self.before_head(leaves) {
            Some(_) if !self.bytes.put(head) => self.refuse_head(),
            at => at,
        }
    }

    #[cold]
    #[inline(never)]
    pub(crate) const fn refuse_head(&mut self) -> Option<u32> {
        self.refuse();
        None
    }

    #[cold]
    const fn fail_head(&mut self, error: Error) -> Option<u32> {
        self.fail(error);
        None
    }

    /// Puts the head of a node that begins at `at` piece by piece.
    #[inline(never)]
    pub(crate) fn put_pieces_at<H: HeadSpec>(&mut self, at: u32, head: &H) -> Option<u32> {
        match self.try_pieces(head) {
            Ok(()) => Some(at),
            Err(None) => {
                let refused = self.refuse_head();
                // How much room there should be, for a buffer that can grow: entries of a hash map are sorted each time.
                if cfg!(feature = "alloc")
                    && !SMALL_CODE
                    && matches!(self.bytes.mode, Mode::Write(_))
                {
                    let mut counted = Writer::count();
                    let _ = counted.try_pieces(head);
                    let end = self.bytes.at.saturating_add(counted.bytes.at);
                    self.bytes.at = end.min(u32::MAX as usize);
                }
                refused
            }
            Err(Some(error)) => self.fail_head(error),
        }
    }

    /// Puts a head piece by piece. The error, which the writer does not keep, is `None` if bytes were refused.
    pub(crate) fn try_pieces<H: HeadSpec>(&mut self, head: &H) -> Result<(), Option<Error>> {
        // The keys can have a user's type. If its code panics and the panic is caught, the error stays.
        self.error = Some(Error::ValueChanged);
        let start = self.bytes.at;
        let put = self.put_pieces(head);
        self.error = None;
        if put.is_err() {
            self.bytes.at = start;
        }
        put
    }

    /// As [`Writer::try_pieces`], without care for panics.
    fn put_pieces<H: HeadSpec>(&mut self, head: &H) -> Result<(), Option<Error>> {
        match self.bytes.mode {
            Mode::CountLeaves => return Ok(()),
            // No bytes show the order of the keys.
            ref mode => head.check(matches!(mode, Mode::Count))?,
        }
        let start = self.bytes.at;
        let put = head.pieces(&mut |piece| match self.bytes.put(piece) {
            true => Ok(()),
            false => Err(Stop::Refused),
        });
        let error = match (put, &self.bytes.mode) {
            (Ok(()), Mode::Write(bytes)) => {
                match head.check_written(part(bytes, start, self.bytes.at)) {
                    Ok(()) => return Ok(()),
                    Err(error) => Some(error),
                }
            }
            (Ok(()), _) => return Ok(()),
            (Err(Stop::Refused), _) => None,
            (Err(Stop::Changed), _) => Some(Error::ValueChanged),
        };
        // If the keys are not in order, that is the reason.
        head.check(true)?;
        Err(error)
    }

    /// Begins a plain dictionary with `count` keys. Increasing text keys, the usual case, are read once.
    pub(crate) fn begin_keys(
        &mut self,
        count: usize,
        keys: impl Iterator<Item: ToValue> + Clone,
    ) -> OpenNode {
        let mut at = self.before_head(self.num_leaves());
        if let Some(start) = at
            && !self.put_text_keys(count, keys.clone())
        {
            at = match self.is_well() {
                true => self.put_pieces_at(start, &Dict::new(DictKind::Sorted, keys)),
                false => None,
            };
        }
        self.enter_at(at, count)
    }

    /// Puts the head of a plain dictionary with `count` text keys that increase; `false` if it is another one, or if there is
    /// no room: then the writer may have that error.
    pub(crate) fn put_text_keys(
        &mut self,
        count: usize,
        keys: impl Iterator<Item: ToValue> + Clone,
    ) -> bool {
        if SMALL_CODE {
            return false;
        }
        self.error = Some(Error::ValueChanged);
        let at = self.bytes.at;
        let len = match &mut self.bytes.mode {
            Mode::Write(bytes) => {
                bytes.get_mut(at..).and_then(|free| write_text(free, count, keys.clone()))
            }
            Mode::Compare(bytes) => {
                bytes.get(at..).and_then(|rest| read_text(rest, count, keys.clone()))
            }
            Mode::Count | Mode::CountLeaves => None,
        };
        if let Some(len) = len {
            (self.error, self.bytes.at) = (None, at.wrapping_add(len));
            return true;
        }
        self.refuse_long_keys(keys);
        false
    }

    /// Notes that there is no room for these keys if they are text and too long, whatever their order is.
    #[cold]
    #[inline(never)]
    fn refuse_long_keys(&mut self, keys: impl Iterator<Item: ToValue>) {
        let needed = match self.bytes.mode {
            Mode::Write(_) => text_len(keys),
            _ => None,
        };
        self.error = None;
        let Some(needed) = needed else { return };
        // How much room there should be, for a buffer that can grow.
        let end = self.bytes.at.saturating_add(needed);
        if end > u32::MAX as usize {
            self.fail(Error::TooLarge);
        } else if end >= self.bytes.all().len() {
            self.bytes.at = end;
            self.refuse();
        }
    }

    /// Whether only leaves are counted, so that heads are not read.
    pub(crate) const fn counts_leaves(&self) -> bool {
        matches!(self.bytes.mode, Mode::CountLeaves)
    }

    /// Begins a tuple, also in `const`.
    ///
    /// # Errors
    ///
    /// As [`Writer::begin`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Writer, treedef};
    ///
    /// let mut bytes = [0; 8];
    /// let mut out = Writer::new(&mut bytes);
    /// let pair = out.begin_tuple(2);
    /// out.leaves(2);
    /// out.end(pair);
    /// assert_eq!(out.finish(), Ok(treedef!((*, *))));
    /// ```
    pub const fn begin_tuple(&mut self, children: usize) -> OpenNode {
        self.begin_sequence(head::TUPLE, children)
    }

    /// Begins a list, also in `const`.
    ///
    /// # Errors
    ///
    /// As [`Writer::begin`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Writer, treedef};
    ///
    /// let mut bytes = [0; 8];
    /// let mut out = Writer::new(&mut bytes);
    /// let list = out.begin_list(3);
    /// out.leaves(3);
    /// out.end(list);
    /// assert_eq!(out.finish(), Ok(treedef!([*, *, *])));
    /// ```
    pub const fn begin_list(&mut self, children: usize) -> OpenNode {
        self.begin_sequence(head::LIST, children)
    }

    /// Begins a dictionary with string keys in sorted order, also in `const`.
    ///
    /// # Errors
    ///
    /// As [`Writer::begin`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Writer, treedef};
    ///
    /// let mut bytes = [0; 16];
    /// let mut out = Writer::new(&mut bytes);
    /// let dict = out.begin_dict(&["b", "w"]);
    /// out.leaves(2);
    /// out.end(dict);
    /// assert_eq!(out.finish()?, treedef!({"b": *, "w": *}));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub const fn begin_dict(&mut self, keys: &[&str]) -> OpenNode {
        if let Err(error) = strictly_increase(keys) {
            return self.fail_node(error);
        }
        self.begin_strings(head::DICT, &[], keys, &[])
    }

    /// Begins a struct without meta fields, also in `const`.
    ///
    /// Equal names are not refused, neither here nor in bytes that are read. [`TreeDef::find`](crate::TreeDef::find) finds
    /// the first child of a name, [`TreeDef::find_at`](crate::TreeDef::find_at) each child by its index.
    ///
    /// # Errors
    ///
    /// As [`Writer::begin`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{TreeDef, Writer};
    ///
    /// let mut bytes = [0; 16];
    /// let mut out = Writer::new(&mut bytes);
    /// let twice = out.begin_struct("P", &["a", "a"]);
    /// out.leaves(2);
    /// out.end(twice);
    /// let def = out.finish()?;
    /// assert_eq!(TreeDef::from_bytes(def.as_bytes()), Ok(def));
    /// assert_eq!(def.find_str(".a")?.as_leaf(), Some(0));
    /// assert_eq!(def.find_at([1]).and_then(|found| found.as_leaf()), Some(1));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub const fn begin_struct(&mut self, name: &str, fields: &[&str]) -> OpenNode {
        self.begin_strings(head::STRUCT, &[name], fields, &[])
    }

    /// Begins a struct with meta fields in `const`. Refuses tuples, which only [`Writer::begin`] can write, as
    /// [`Error::ValueChanged`].
    pub(crate) const fn begin_struct_with(
        &mut self,
        name: &str,
        fields: &[&str],
        meta: &[(&str, Value<'_>)],
    ) -> OpenNode {
        self.begin_strings(head::STRUCT, &[name], fields, meta)
    }

    /// Begins a node whose head has a block of strings and meta fields.
    const fn begin_strings(
        &mut self,
        kind: u8,
        name: &[&str],
        fields: &[&str],
        meta: &[(&str, Value<'_>)],
    ) -> OpenNode {
        let mut block = Bytes { mode: Mode::Count, at: 0 };
        if !block.put_block(name, fields, meta) {
            return self.fail_node(Error::ValueChanged);
        }
        let mut at = self.before_head(self.num_leaves());
        if at.is_some()
            && !(self.bytes.put_kind_and_count(kind, fields.len())
                && self.bytes.put_len(block.at)
                && self.bytes.put_block(name, fields, meta))
        {
            at = self.refuse_head();
        }
        self.enter_at(at, fields.len())
    }

    /// Begins a node with a head that is already encoded, also in `const`.
    ///
    /// # Errors
    ///
    /// As [`Writer::begin`]; [`Error::Arity`] for the head of a leaf, which [`Writer::leaves`] adds.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Writer, treedef};
    ///
    /// let mut bytes = [0; 8];
    /// let mut out = Writer::new(&mut bytes);
    /// let pair = out.begin_head(&treedef!((None, None)).head());
    /// out.leaves(2);
    /// out.end(pair);
    /// assert_eq!(out.finish()?, treedef!((*, *)));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub const fn begin_head(&mut self, head: &Head<'_>) -> OpenNode {
        if let Err(error) = no_leaf(head) {
            return self.fail_node(error);
        }
        self.begin_encoded(head.as_bytes(), head.num_children())
    }

    /// Begins a node whose head has these bytes.
    #[inline(never)]
    pub(crate) const fn begin_encoded(&mut self, head: &[u8], children: usize) -> OpenNode {
        let leaves = self.num_leaves();
        let at = match SMALL_CODE {
            true => self.put_encoded_head(leaves, head),
            false => self.put_encoded_head_inlined(leaves, head),
        };
        self.enter_at(at, children)
    }

    /// Where the head of the next node begins, after the leaves up to number `leaves`: its bytes follow, then
    /// [`Writer::enter`]. `None` after an error.
    #[inline]
    pub(crate) const fn before_head(&mut self, leaves: usize) -> Option<u32> {
        if self.run_start as usize != leaves && !self.end_run_at(leaves) {
            return None;
        }
        if self.look_for_copy() {
            self.go_to_copy();
        }
        if !self.can_begin() {
            return self.cannot_begin();
        }
        Some(self.bytes.position())
    }

    /// Whether a child, a level and a node are left.
    #[inline(always)]
    const fn can_begin(&self) -> bool {
        self.children.left != 0 && self.levels != 0 && self.sum.branches != u32::MAX
    }

    /// Goes on with the children of the node at `at`, whose head was put; `None` after an error.
    #[inline(always)]
    const fn enter_at(&mut self, at: Option<u32>, children: usize) -> OpenNode {
        if let Some(at) = at {
            let place = self.take_place(at);
            if self.enter(children) {
                return OpenNode { place, open: self.children.open };
            }
        }
        OpenNode::NONE
    }

    /// The place of the node at `at`, whose head was just put.
    #[inline(always)]
    pub(crate) const fn take_place(&mut self, at: u32) -> NodeStart {
        let place = NodeStart { siblings: self.children, at, leaves: self.sum.leaves };
        self.children.open = Children::PUT;
        place
    }

    /// Goes on with the children of the node whose head was just put; `false` after an error.
    #[inline(always)]
    pub(crate) const fn enter(&mut self, children: usize) -> bool {
        if children > u32::MAX as usize {
            self.fail(Error::TooLarge);
            return false;
        }
        let open = self.sum.branches.wrapping_add(1);
        self.sum.branches = open;
        self.levels = self.levels.wrapping_sub(1);
        self.children = Children::new(open, small(children));
        self.before.branches = 0;
        true
    }

    /// Notes that a node cannot be begun.
    #[cold]
    #[inline(never)]
    const fn cannot_begin(&mut self) -> Option<u32> {
        self.fail(match (self.children.left, self.levels) {
            (0, _) => Error::Arity { expected: 0, found: 1 },
            (_, 0) => Error::TooDeep { limit: self.limit },
            _ => Error::TooLarge,
        });
        None
    }
}
