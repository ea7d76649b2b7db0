//! Reads a treedef in preorder and describes an edited copy of it.
//!
//! [`edit`] calls a function at each node and at each run of leaves, which decides what becomes of it. Between two
//! calls it keeps:
//!
//! - `rest`: the bytes from the next child on, and `here`: the position of that child;
//! - `open`: the nodes of the description that are begun and not ended;
//! - `unit`: where the previous child begins, and `left`: how many copies of it come next, each with a call of its own.
//!   While a node inside a copy is open, both are kept with that copy.
//!
//! For example, `[(*, *), (*, *), {'a': *}]` is encoded as a list of 3, a tuple of 2, a run of 2 leaves, a repeat of 1
//! copy, and a dict with a leaf. With a call for each copy ([`EACH`]), the calls are:
//!
//! ```text
//! list            Keep       open: list
//! tuple           Keep       open: list, tuple
//! leaf, leaf      Keep       the tuple ends; unit: the tuple; the repeat is read, left: 1
//! tuple           Subtree    the bytes of the unit once more, left: 0; after them the repeat is passed
//! dict            CopyTo     the dict is copied as bytes, and the list ends
//! ```
//!
//! Without such calls ([`TOGETHER`]), the repeat is described as a repeat.

use crate::base::error::Error;
use crate::base::levels::{Level, Rows};
use crate::encode::describe::{Describe, Opened};
use crate::encode::encoder::Encode;
use crate::format::head::{Head, Item, Kind, read_item};
use crate::treedef::scan::{Skipped, skip};
use crate::treedef::spot::Spot;
use crate::treedef::treedef::TreeDef;

/// A node, a leaf or a run of leaves that [`edit`] calls the function with.
#[derive(Clone, Copy)]
pub(crate) struct Site<'a> {
    pub(crate) head: Head<'a>,
    pub(crate) at: Spot,
}

/// What becomes of a [`Site`].
#[derive(Clone, Copy)]
pub(crate) enum Edit<'a> {
    /// The site stays. Its children come next.
    Keep,
    /// The site gets this head and keeps its children, which come next.
    Head(Head<'a>),
    /// The site and all below it become this treedef. Of a run, each leaf does.
    Subtree(TreeDef<'a>),
    /// The site and all after it are copied, without further calls, up to the node at this position. If that node is
    /// not after the site, all the rest is copied. Only with [`EACH`].
    CopyTo(Spot),
}

/// For [`edit`]: copies become the same as the node that they repeat, and a run of leaves is one site.
pub(crate) const TOGETHER: bool = false;

/// For [`edit`]: each copy is a site, and each leaf of a run.
pub(crate) const EACH: bool = true;

/// Levels in a row: one open node, with its [`Mark`].
const LEVELS: usize = 2;

/// Describes `def` to `out`, with each site changed as `change` returns. `ALONE` is [`TOGETHER`] or [`EACH`].
///
/// Takes one pass over the bytes, one more pass over copied bytes, and with [`EACH`] one pass for each copy of a
/// repeat. Takes two levels of the rows for each level of depth. Last children take none, except around the goal of
/// [`Edit::CopyTo`].
pub(crate) fn edit<'a, E: Encode, const ALONE: bool>(
    def: TreeDef<'a>,
    out: &mut Describe<'_, E>,
    change: impl FnMut(Site<'a>) -> Result<Edit<'a>, Error>,
) -> Result<(), Error> {
    out.with_levels(|out, rows| edit_on::<E, ALONE>(rows, def, out, change))
}

fn edit_on<'a, E: Encode, const ALONE: bool>(
    mut rows: Rows<'_, LEVELS>,
    def: TreeDef<'a>,
    out: &mut Describe<'_, E>,
    mut change: impl FnMut(Site<'a>) -> Result<Edit<'a>, Error>,
) -> Result<(), Error> {
    let (mut reader, mut open) = (Reader::new(def), OpenNodes::new());
    while let Some((item, after)) = reader.next::<ALONE>() {
        let at = reader.here;
        'child: {
            match item {
                Item::Same { copies, .. } if ALONE => reader.left = copies,
                Item::Same { copies, .. } => {
                    out.repeat(copies as usize)?;
                    reader.rest = after;
                }
                Item::Leaves(run) => {
                    let count = if ALONE { 1 } else { run };
                    match change(Site { head: Head::LEAF, at })? {
                        Edit::Keep => out.leaves(count as usize)?,
                        Edit::Head(new) => leaves(out, &new, count)?,
                        Edit::Subtree(def) => {
                            out.subtree(def)?;
                            copies(out, count)?;
                        }
                        Edit::CopyTo(goal) => {
                            copy_to(goal, &mut reader, &mut rows, &mut open, out)?;
                            break 'child;
                        }
                    }
                    (reader.run, reader.rest) = (run.wrapping_sub(count), after);
                    reader.here = at.after_leaves(count);
                }
                Item::Node(head) => {
                    let from = reader.from::<ALONE>();
                    let new = match change(Site { head, at })? {
                        Edit::Keep => head,
                        Edit::Head(new) if new.arity() == head.arity() => new,
                        Edit::Head(new) => {
                            let (expected, found) = (head.num_children(), new.num_children());
                            return Err(Error::Arity { expected, found });
                        }
                        Edit::Subtree(def) => {
                            out.subtree(def)?;
                            reader.skip::<ALONE>(from)?;
                            break 'child;
                        }
                        Edit::CopyTo(goal) => {
                            copy_to(goal, &mut reader, &mut rows, &mut open, out)?;
                            break 'child;
                        }
                    };
                    let mark = reader.enter::<ALONE>(from, after);
                    match new.arity() {
                        0 => childless(out, &new)?,
                        _ => open.open(out, &mut rows, &new, mark, mark[1] == 0)?,
                    }
                }
            }
        }
        while let Some(mark) = open.close(out, &mut rows)? {
            reader.leave::<ALONE>(mark);
        }
    }
    Ok(())
}

/// Describes `count` leaves that get another head.
#[inline(never)]
fn leaves<E: Encode>(out: &mut Describe<'_, E>, head: &Head<'_>, count: u32) -> Result<(), Error> {
    if head.kind() == Kind::Leaf {
        return out.leaves(count as usize);
    }
    if head.arity() > 0 {
        return Err(Error::Arity { expected: 0, found: head.num_children() });
    }
    childless(out, head)?;
    copies(out, count)
}

/// Repeats the previous child, so that there are `count` of it.
#[inline]
fn copies<E: Encode>(out: &mut Describe<'_, E>, count: u32) -> Result<(), Error> {
    if count > 1 { out.repeat(count.saturating_sub(1) as usize) } else { Ok(()) }
}

/// Describes a node without children.
// Not inlined, to keep the buffers of this function out of the caller's frame, which holds all rows.
#[inline(never)]
pub(crate) fn childless<E: Encode>(
    out: &mut Describe<'_, E>,
    head: &Head<'_>,
) -> Result<(), Error> {
    match head.kind() {
        Kind::Leaf => out.leaves(1),
        Kind::None => out.none(),
        _ => {
            let node = out.begin(head)?;
            out.end(node)
        }
    }
}

/// The error if the bytes are no treedef, or a node is not in it.
const LOST: Error = Error::Arity { expected: 1, found: 0 };

/// What is kept of an open node: where it begins, and the number of copies from this one on, or 0 if it is no copy.
type Mark = [u32; 2];

/// The position of the next child. The fields are explained at the top of this file.
struct Reader<'a> {
    bytes: &'a [u8],
    rest: &'a [u8],
    here: Spot,
    /// The number of remaining leaves of a run, of which each is a site.
    run: u32,
    unit: u32,
    left: u32,
}

impl<'a> Reader<'a> {
    #[inline]
    const fn new(def: TreeDef<'a>) -> Self {
        let (bytes, here) = (def.as_bytes(), Spot::ROOT);
        Self { bytes, rest: bytes, here, run: 0, unit: 0, left: 0 }
    }

    /// The bytes from the next child on. For a copy these are the bytes of its unit.
    #[inline]
    fn from<const ALONE: bool>(&self) -> &'a [u8] {
        if ALONE && self.left > 0 { self.at(self.unit) } else { self.rest }
    }

    fn at(&self, at: u32) -> &'a [u8] {
        self.bytes.get(at as usize..).unwrap_or(&[])
    }

    /// Returns the next item and the bytes after it.
    #[inline]
    fn next<const ALONE: bool>(&self) -> Option<(Item<'a>, &'a [u8])> {
        if ALONE && self.run > 0 {
            return Some((Item::Leaves(self.run), self.rest));
        }
        read_item(self.from::<ALONE>()).ok()
    }

    /// Returns the mark of the next child, a node that is read from the front of `from`.
    #[inline]
    fn mark<const ALONE: bool>(&self, from: &[u8]) -> Mark {
        if !ALONE {
            return [0; 2];
        }
        let at = self.bytes.len().saturating_sub(from.len());
        [u32::try_from(at).unwrap_or(u32::MAX), self.left]
    }

    /// Enters a node that is read from the front of `from`. `after` are the bytes after its head.
    #[inline]
    fn enter<const ALONE: bool>(&mut self, from: &[u8], after: &'a [u8]) -> Mark {
        let mark = self.mark::<ALONE>(from);
        (self.rest, self.left) = (after, 0);
        self.here = self.here.after_head();
        mark
    }

    /// Passes over a node that is read from the front of `from`.
    #[inline]
    fn skip<const ALONE: bool>(&mut self, from: &'a [u8]) -> Result<(), Error> {
        let (mark, node) = (self.mark::<ALONE>(from), skip(from).ok_or(LOST)?);
        (self.rest, self.here) = (node.rest, self.here.after_node(&node));
        self.leave::<ALONE>(mark);
        Ok(())
    }

    /// Leaves a node with this mark. `rest` is at its end.
    #[inline]
    fn leave<const ALONE: bool>(&mut self, [unit, copies]: Mark) {
        if ALONE {
            (self.unit, self.left) = (unit, copies.saturating_sub(1));
            if copies == 1 {
                self.pass_repeat();
            }
        }
    }

    /// Skips the repeat after its last copy was read.
    fn pass_repeat(&mut self) {
        self.rest = read_item(self.rest).map_or(&[], |(_, after)| after);
    }
}

/// Copies everything up to the node at `goal`, which is then the next child. If there is no such node, copies
/// everything.
///
/// Nodes around the goal are begun, all others are copied as bytes with their repeats. For example, a list of 1000
/// pairs is encoded as a pair and a repeat of 999 copies. Copying up to the second leaf of the pair with index 500:
///
/// ```text
/// list      is around the goal: begun
/// pair      is not: copied
/// repeat    499 copies end before the goal: added; the next copy is begun, and 499 are left
/// leaves    1 is copied; the next is the goal
/// ```
#[inline(never)]
fn copy_to<'a, E: Encode>(
    goal: Spot,
    reader: &mut Reader<'a>,
    rows: &mut Rows<'_, LEVELS>,
    open: &mut OpenNodes<E>,
    out: &mut Describe<'_, E>,
) -> Result<(), Error> {
    let goal = if goal > reader.here { goal } else { Spot::END };
    Copier { goal, way: 0, copied: false, reader, rows, open, out }.run()
}

/// What [`copy_to`] works on.
struct Copier<'c, 'a, 'l, 'e, E: Encode> {
    goal: Spot,
    /// The number of rows that hold nodes around the goal, if it exceeds the number of open nodes.
    way: usize,
    /// Whether the previous child is the unit and was copied.
    copied: bool,
    reader: &'c mut Reader<'a>,
    rows: &'c mut Rows<'l, LEVELS>,
    open: &'c mut OpenNodes<E>,
    out: &'c mut Describe<'e, E>,
}

impl<'a, E: Encode> Copier<'_, 'a, '_, '_, E> {
    fn run(mut self) -> Result<(), Error> {
        while self.reader.here != self.goal {
            if self.reader.run > 0 {
                self.copy_leaves()?;
            } else if self.reader.left > 0 {
                self.copy_copies()?;
            } else {
                match read_item(self.reader.rest) {
                    Ok((Item::Leaves(count), after)) => {
                        (self.reader.run, self.reader.rest) = (count, after);
                    }
                    Ok((Item::Same { copies, .. }, _)) => self.reader.left = copies,
                    Ok((Item::Node(_), _)) => self.copy_or_enter()?,
                    Err(_) => break,
                }
            }
            while let Some(mark) = self.open.close(self.out, self.rows)? {
                self.reader.leave::<EACH>(mark);
                self.copied = false;
            }
        }
        Ok(())
    }

    /// Copies the leaves of a run before the goal.
    fn copy_leaves(&mut self) -> Result<(), Error> {
        let Reader { run, here, .. } = self.reader;
        let count = match self.goal.leaf.saturating_sub(here.leaf) {
            0 => *run,
            ahead => ahead.min(*run),
        };
        (*run, *here) = (run.wrapping_sub(count), here.after_leaves(count));
        self.out.leaves(count as usize)
    }

    /// Adds the copies of the unit that end before the goal, and begins the copy that contains the goal. The first copy
    /// is added as a subtree unless the unit was copied just before.
    fn copy_copies(&mut self) -> Result<(), Error> {
        let unit = self.reader.at(self.reader.unit);
        let node = skip(unit).ok_or(LOST)?;
        let here = self.reader.here;
        let count = here.count_before(self.goal, self.reader.left, node.leaves, here.rank);
        if !self.copied && count > 0 {
            self.out.subtree(part(unit, &node))?;
        }
        self.out.repeat(count.saturating_sub(u32::from(!self.copied)) as usize)?;
        self.reader.left = self.reader.left.wrapping_sub(count);
        self.reader.here = here.after(count, node.leaves, here.rank);
        if self.reader.left == 0 {
            self.reader.rest = node.rest;
            self.reader.pass_repeat();
        } else if self.reader.here != self.goal {
            self.enter(unit)?;
        }
        Ok(())
    }

    /// Copies the next child, a node, or begins it if the goal is below it.
    fn copy_or_enter(&mut self) -> Result<(), Error> {
        let (depth, from) = (self.open.depth, self.reader.rest);
        if self.way <= depth {
            self.way = self.find_way()?;
        }
        if self.way > depth
            && let Some([Level([_, leaf, _, rank]), _]) = self.rows.row(depth)
            && self.reader.here == (Spot { leaf: *leaf, rank: *rank })
        {
            return self.enter(from);
        }
        let node = skip(from).ok_or(LOST)?;
        self.out.subtree(part(from, &node))?;
        self.copied = true;
        self.reader.skip::<EACH>(from)
    }

    /// Begins the next child, a node that is read from the front of `from`.
    fn enter(&mut self, from: &'a [u8]) -> Result<(), Error> {
        let Ok((Item::Node(head), after)) = read_item(from) else { return Err(LOST) };
        let mark = self.reader.enter::<EACH>(from, after);
        self.copied = false;
        self.open.open(self.out, self.rows, &head, mark, false)
    }

    /// Finds the nodes around the goal, from the next child on. Returns the number of rows in use, or 0 if the child
    /// ends before the goal.
    ///
    /// Takes one scan up to the goal, so nested nodes are not scanned again for each level. A row holds where its node
    /// begins, its position, and the number of siblings after it.
    fn find_way(&mut self) -> Result<usize, Error> {
        let goal = self.goal;
        self.open.keep(self.rows)?;
        let depth = self.open.depth;
        let (mut top, mut left, mut unit) = (depth, 1u32, 0u32);
        let (mut rest, mut at) = (self.reader.rest, self.reader.here);
        while at != goal {
            let (item, after) = read_item(rest).map_err(|_| LOST)?;
            match item {
                Item::Leaves(count) => {
                    if goal.leaf.wrapping_sub(at.leaf) < count {
                        break;
                    }
                    left = left.wrapping_sub(count);
                    at = at.after_leaves(count);
                    rest = after;
                }
                Item::Same { copies, leaves } => {
                    let before = at.count_before(goal, copies, leaves, at.rank);
                    left = left.wrapping_sub(before);
                    at = at.after(before, leaves, at.rank);
                    rest = if before < copies { self.reader.at(unit) } else { after };
                }
                Item::Node(head) => {
                    left = left.wrapping_sub(1);
                    let [begin, _] = self.reader.mark::<EACH>(rest);
                    let arity = head.arity();
                    if let Some([row, _]) = self.rows.row(top).filter(|_| arity > 0) {
                        *row = Level([begin, at.leaf, left, at.rank]);
                        (top, left, rest) = (top.wrapping_add(1), arity, after);
                        at = at.after_head();
                    } else {
                        // No row is left, so the node must end before the goal.
                        let node = skip(rest).ok_or(LOST)?;
                        (unit, rest, at) = (begin, node.rest, at.after_node(&node));
                        if at > goal {
                            return Err(self.rows.too_deep());
                        }
                    }
                }
            }
            while left == 0 {
                let Some(last) = top.checked_sub(1).filter(|last| *last >= depth) else {
                    return Ok(0);
                };
                let [Level([begin, _, siblings, _]), _] = *self.rows.row(last).ok_or(LOST)?;
                (top, unit, left) = (last, begin, siblings);
            }
        }
        Ok(top)
    }
}

/// Returns the node at the front of `bytes`.
fn part<'a>(bytes: &'a [u8], node: &Skipped<'a>) -> TreeDef<'a> {
    let len = bytes.len().saturating_sub(node.rest.len());
    TreeDef::trusted(bytes.get(..len).unwrap_or(&[]), node.leaves)
}

/// The nodes that are begun and not ended, each with two words of the caller. A row has `K` levels, of which this type
/// uses the first two.
///
/// The innermost node is kept outside of the rows, since most nodes have only leaves below them. It gets a row when
/// another node begins inside it. For `[{'a': *, 'b': (*, *)}, *]`:
///
/// ```text
/// list     depth 1    innermost: list
/// dict     depth 2    row 0: list    innermost: dict
/// tuple    depth 2    the last child of the dict: ends with it
/// ends     depth 1    row 0: list    no innermost: it is read from its row when it ends
/// ```
pub(crate) struct OpenNodes<E: Encode> {
    depth: usize,
    innermost: Option<Opened<E>>,
    /// The words of the innermost node.
    words: [u32; 2],
}

impl<E: Encode> OpenNodes<E> {
    #[inline]
    pub(crate) const fn new() -> Self {
        Self { depth: 0, innermost: None, words: [0; 2] }
    }

    /// Begins a node with children. With `shares`, a last child ends together with the node around it: it takes no
    /// level, and its words are not kept.
    #[inline]
    pub(crate) fn open<const K: usize>(
        &mut self,
        out: &mut Describe<'_, E>,
        rows: &mut Rows<'_, K>,
        head: &Head<'_>,
        words: [u32; 2],
        shares: bool,
    ) -> Result<(), Error> {
        if shares && self.depth > 0 && out.shares_end() {
            return out.begin_last(head);
        }
        self.keep(rows)?;
        if self.depth >= rows.room() as usize {
            return Err(rows.too_deep());
        }
        self.innermost = Some(out.begin(head)?);
        (self.words, self.depth) = (words, self.depth.wrapping_add(1));
        Ok(())
    }

    /// Keeps the innermost node in its row.
    #[inline]
    fn keep<const K: usize>(&mut self, rows: &mut Rows<'_, K>) -> Result<(), Error> {
        if let Some(node) = self.innermost.take() {
            let row = self.depth.wrapping_sub(1);
            return rows.put(row, node.pack(self.words)).ok_or_else(|| rows.too_deep());
        }
        Ok(())
    }

    /// Ends the innermost node if its last child was described, and returns its words.
    #[inline]
    pub(crate) fn close<const K: usize>(
        &mut self,
        out: &mut Describe<'_, E>,
        rows: &mut Rows<'_, K>,
    ) -> Result<Option<[u32; 2]>, Error> {
        if out.left() > 0 {
            return Ok(None);
        }
        let Some(outer) = self.depth.checked_sub(1) else { return Ok(None) };
        let (node, words) = match self.innermost.take() {
            Some(node) => (node, self.words),
            None => match rows.row(outer).and_then(|row| row.first_chunk()) {
                Some(levels) => Opened::unpack(levels),
                None => return Ok(None),
            },
        };
        self.depth = outer;
        out.end(node).map(|()| Some(words))
    }
}
