//! Begins nodes.

use super::bytes::{Mode, low};
use super::{List, OpenNode, Unit, Writer};
use crate::base::bytes::SHORT;
use crate::base::error::Error;
use crate::base::target::SMALL_CODE;
use crate::encode::arithmetic::{meta_len, part, small, strings_len};
use crate::format::const_order::strictly_increase;
use crate::format::head::{self, Head};
use crate::format::heading::{Dict, DictKind, HeadSpec, Known, no_leaf, read_text, write_text};
use crate::format::to_value::ToValue;
use crate::format::value::{self, Stop, Value};
use crate::format::varint::{self, Varint};

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
            self.end_counted(&node, head.arity());
        }
    }

    /// Begins a node with this head. Its children follow, then [`Writer::end`]. A recursion has to end if the node is not
    /// [open](OpenNode::is_open), as it does in [`Writer::node`].
    ///
    /// # Errors
    ///
    /// It keeps [`Error::Full`] if the bytes are too few; [`Error::Mismatch`] if a treedef is expected that has another node
    /// here; [`Error::Arity`] if the open node lacks no child; [`Error::TooDeep`]; [`Error::TooLarge`]; the errors of
    /// [`HeadSpec::check`].
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
        match head.__known() {
            None => self.begin_pieces(head),
            Some(known) => match (head.check(), known) {
                (Ok(()), Known::Bytes(bytes)) => self.begin_encoded(bytes, head.arity()),
                (Ok(()), Known::Counted(kind, count)) => {
                    self.begin_counted(kind, count, head.arity())
                }
                (Err(error), _) => self.fail_node(error),
            },
        }
    }

    /// Begins a node whose head is a kind and a count.
    #[inline]
    const fn begin_counted(&mut self, kind: u8, count: usize, children: usize) -> OpenNode {
        if count < head::ESCAPE as usize {
            return self.begin_encoded(&[kind << 5 | low(count)], children);
        }
        self.begin_long(kind, count, children)
    }

    #[cold]
    #[inline(never)]
    const fn begin_long(&mut self, kind: u8, count: usize, children: usize) -> OpenNode {
        match self.open() {
            Some(at) if self.bytes.put_head(kind, count) => self.enter(children, at),
            Some(_) => self.refuse_head(),
            None => OpenNode::NONE,
        }
    }

    /// Begins a node whose head has these bytes. The usual case calls no other function, so that it saves no registers.
    #[inline(never)]
    pub(crate) const fn begin_encoded(&mut self, head: &[u8], children: usize) -> OpenNode {
        if !SMALL_CODE && head.len() <= SHORT && self.flush() && !self.sees_copy() {
            if !self.can_begin() {
                return self.cannot_begin();
            }
            let at = self.bytes.position();
            return match self.bytes.put_inlined(head) {
                true => self.enter(children, at),
                false => self.refuse_head(),
            };
        }
        self.begin_slowly(head, children)
    }

    /// As [`Writer::begin_encoded`], in every case.
    #[cfg_attr(not(target_arch = "arm"), cold, inline(never))]
    #[cfg_attr(target_arch = "arm", inline(always))]
    const fn begin_slowly(&mut self, head: &[u8], children: usize) -> OpenNode {
        match self.open() {
            Some(at) if self.bytes.put(head) => self.enter(children, at),
            Some(_) => self.refuse_head(),
            None => OpenNode::NONE,
        }
    }

    #[cold]
    #[inline(never)]
    const fn refuse_head(&mut self) -> OpenNode {
        self.refuse();
        OpenNode::NONE
    }

    /// Begins a node with a head that is put piece by piece.
    #[inline(never)]
    fn begin_pieces<H: HeadSpec>(&mut self, head: &H) -> OpenNode {
        match self.open() {
            Some(at) => self.put_head(at, head),
            None => OpenNode::NONE,
        }
    }

    /// Puts the head of a node that begins at `at` piece by piece.
    pub(crate) fn put_head<H: HeadSpec>(&mut self, at: u32, head: &H) -> OpenNode {
        // The keys can have a user's type. If its code panics and the panic is caught, the error stays.
        self.error = Some(Error::ValueChanged);
        let put = self.put_pieces(head);
        self.error = None;
        match put {
            Ok(()) => self.enter(head.arity(), at),
            Err(Some(error)) => self.fail_node(error),
            Err(None) => self.refuse_head(),
        }
    }

    /// Puts a head piece by piece. The error is `None` if bytes were refused.
    fn put_pieces<H: HeadSpec>(&mut self, head: &H) -> Result<(), Option<Error>> {
        match self.bytes.mode {
            Mode::CountLeaves => return Ok(()),
            // No bytes show the order of the keys.
            Mode::Count => head.check()?,
            _ => head.__check_values()?,
        }
        let start = self.bytes.at;
        let put = head.pieces(&mut |piece| match self.bytes.put(piece) {
            true => Ok(()),
            false => Err(Stop::Refused),
        });
        let error = match (put, &self.bytes.mode) {
            (Ok(()), Mode::Write(bytes)) => {
                match head.__written(part(bytes, start, self.bytes.at)) {
                    Ok(()) => return Ok(()),
                    Err(error) => Some(error),
                }
            }
            (Ok(()), _) => return Ok(()),
            (Err(Stop::Refused), _) => None,
            (Err(Stop::Changed), _) => Some(Error::ValueChanged),
        };
        // If the keys are not in order, that is the reason.
        head.check()?;
        Err(error)
    }

    /// Begins a plain dictionary with `count` keys. Increasing text keys, the usual case, are read once.
    pub(crate) fn begin_keys(
        &mut self,
        count: usize,
        keys: impl Iterator<Item: ToValue> + Clone,
    ) -> OpenNode {
        let Some(at) = self.open() else { return OpenNode::NONE };
        match self.put_text_keys(count, keys.clone()) {
            true => self.enter(count, at),
            false => self.put_head(at, &Dict::new(DictKind::Sorted, keys)),
        }
    }

    /// Puts the head of a plain dictionary with `count` text keys that increase; `false` if it is another one.
    pub(crate) fn put_text_keys(
        &mut self,
        count: usize,
        keys: impl Iterator<Item: ToValue>,
    ) -> bool {
        if SMALL_CODE {
            return false;
        }
        self.error = Some(Error::ValueChanged);
        let at = self.bytes.at;
        let len = match &mut self.bytes.mode {
            Mode::Write(bytes) => {
                bytes.get_mut(at..).and_then(|free| write_text(free, count, keys))
            }
            Mode::Compare(bytes) => bytes.get(at..).and_then(|rest| read_text(rest, count, keys)),
            Mode::Count | Mode::CountLeaves => None,
        };
        self.error = None;
        self.bytes.at = at.wrapping_add(len.unwrap_or(0));
        len.is_some()
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
        self.begin_counted(head::TUPLE, children, children)
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
        self.begin_counted(head::LIST, children, children)
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

    /// Begins a struct with meta fields in `const`. Refuses a value that only [`Writer::begin`] can write as
    /// [`Error::TooLarge`].
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
        let Some(len) = meta_len(meta) else { return self.fail_node(Error::TooLarge) };
        let len = len.saturating_add(strings_len(name)).saturating_add(strings_len(fields));
        let Some(at) = self.open() else { return OpenNode::NONE };
        if self.bytes.put_head(kind, fields.len())
            && self.bytes.put_varint(len)
            && self.bytes.put_strings(name)
            && self.bytes.put_strings(fields)
            && self.put_meta(meta)
        {
            return self.enter(fields.len(), at);
        }
        self.refuse_head()
    }

    /// Puts meta fields with values that [`meta_len`] can measure.
    const fn put_meta(&mut self, mut meta: &[(&str, Value<'_>)]) -> bool {
        let bytes = &mut self.bytes;
        while let [(name, value), rest @ ..] = meta {
            let done = bytes.put_strings(&[name])
                && match value {
                    Value::None => bytes.put_byte(value::NONE),
                    Value::Bool(true) => bytes.put_byte(value::TRUE),
                    Value::Bool(false) => bytes.put_byte(value::FALSE),
                    Value::Int(int) => {
                        let int = Varint::new(varint::zigzag(*int));
                        bytes.put_byte(value::INT) && bytes.put(int.as_bytes())
                    }
                    Value::Float(float) => {
                        bytes.put_byte(value::FLOAT) && bytes.put(&float.to_le_bytes())
                    }
                    Value::Float32(float) => {
                        bytes.put_byte(value::FLOAT32) && bytes.put(&float.to_le_bytes())
                    }
                    Value::Str(text) => bytes.put_byte(value::STR) && bytes.put_strings(&[text]),
                    _ => false,
                };
            if !done {
                return false;
            }
            meta = rest;
        }
        true
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

    /// Where the head of the next node begins: its bytes follow, then [`Writer::enter`]. `None` after an error.
    #[inline(never)]
    pub(crate) const fn open(&mut self) -> Option<u32> {
        if !self.flush() && !self.flush_long() {
            return None;
        }
        if self.sees_copy() {
            self.go_to_copy();
        }
        if !self.can_begin() {
            let _ = self.cannot_begin();
            return None;
        }
        Some(self.bytes.position())
    }

    /// Whether a child, a level and a node are left.
    #[inline(always)]
    const fn can_begin(&self) -> bool {
        self.list.left != 0 && self.levels != 0 && self.sum.branches != u32::MAX
    }

    /// Goes on with the `children` of the node at `at`, whose head was put.
    #[inline(always)]
    pub(crate) const fn enter(&mut self, children: usize, at: u32) -> OpenNode {
        if children > u32::MAX as usize {
            return self.fail_node(Error::TooLarge);
        }
        let open = self.sum.branches.wrapping_add(1);
        let node = OpenNode { outer: self.list, open, at, leaves: self.sum.leaves };
        self.sum.branches = open;
        self.levels = self.levels.wrapping_sub(1);
        self.list = List::new(open, small(children));
        self.before = Unit::LEAF;
        node
    }

    /// Notes that a node cannot be begun.
    #[cold]
    #[inline(never)]
    pub(super) const fn cannot_begin(&mut self) -> OpenNode {
        self.fail_node(match (self.list.left, self.levels) {
            (0, _) => Error::Arity { expected: 0, found: 1 },
            (_, 0) => Error::TooDeep { limit: self.limit },
            _ => Error::TooLarge,
        })
    }
}
