//! Nodes found by path become other trees.

use crate::base::error::Error;
use crate::base::levels::{Level, Rows};
use crate::base::show::debug_struct;
use crate::dynamic::view::View;
use crate::encode::describe::{Describe, OpenNode};
use crate::encode::encoder::Encode;
use crate::encode::structure::Structure;
use crate::encode::write::structure_into;
use crate::format::head::{Item, read_item};
use crate::treedef::find::Found;
use crate::treedef::scan::skip;
use crate::treedef::treedef::TreeDef;

/// A treedef with other trees in place of some of its nodes; see [`TreeDef::replace`].
#[derive(Clone, Copy)]
pub struct Replace<'a, const N: usize> {
    def: TreeDef<'a>,
    /// In preorder, none inside another.
    targets: [Target<'a>; N],
}

debug_struct!([const N: usize] Replace<'_, N> { def, targets });

/// A node and what stands in its place.
#[derive(Clone, Copy)]
struct Target<'a> {
    node: u32,
    with: TreeDef<'a>,
}

debug_struct!([] Target<'_> { node, with });

impl<'a> TreeDef<'a> {
    /// This structure with another tree in place of each node that is given, the root or a leaf too; as the structure
    /// of `equinox.tree_at`.
    ///
    /// Nothing is written yet: the result is a [`Structure`], for [`structure_into`](crate::structure_into),
    /// [`structure_bound`](crate::structure_bound), [`matches()`](crate::matches) and arenas. Each of them reads the bytes
    /// once and, up to the node, once more for each target; what is not replaced is copied as bytes, and copies stay
    /// copies. A node inside a run of copies is replaced alone.
    ///
    /// `DIFFERENCE`: nodes are named by place. `tree_at` compares objects, so that one that stands in the tree twice is
    /// replaced twice or refused.
    ///
    /// # Errors
    ///
    /// [`Error::Overlap`] with the node that is given twice or that is inside another one; [`Error::Mismatch`] with a
    /// node that was found in a different treedef.
    ///
    /// Where it is written, bounded or matched: [`Error::TooDeep`] if a node that is replaced stands more than
    /// [`MAX_DEPTH`](crate::MAX_DEPTH) levels below the root, for which
    /// [`structure_into_with`](crate::structure_into_with) has room, with five levels for each; [`Error::TooLarge`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Error, TreeDef, structure_into, treedef};
    ///
    /// let def = treedef!({"b": [(*, *), (*, *), (*, *)], "w": *});
    /// let second = def.find_str("['b'][1]")?;
    /// let w = def.find_str("['w']")?;
    ///
    /// let mut bytes = [0; 64];
    /// let replaced = def.replace([(w, treedef!({"x": *})), (second, TreeDef::NONE)])?;
    /// assert_eq!(structure_into(&replaced, &mut bytes)?, treedef!({"b": [(*, *), None, (*, *)], "w": {"x": *}}));
    ///
    /// let inside = def.find_str("['b'][1][0]")?;
    /// let error = def.replace([(second, TreeDef::LEAF), (inside, TreeDef::LEAF)]).unwrap_err();
    /// assert_eq!(error.explain_at(&def).to_string(), "['b'][1][0] is given twice, by itself or with a node around it");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn replace<const N: usize>(
        self,
        targets: [(Found<'a>, TreeDef<'a>); N],
    ) -> Result<Replace<'a, N>, Error> {
        let targets =
            sorted(self, targets)?.map(|(found, with)| Target { node: node(&found), with });
        Ok(Replace { def: self, targets })
    }
}

impl<'a, L: Clone> View<'a, L> {
    /// This tree with other trees in place of the nodes that are given: the treedef in `bytes`, the leaves in `leaves`;
    /// as `equinox.tree_at(.., replace=..)`.
    ///
    /// Nodes are found in [`View::treedef`]. [`TreeDef::replace`] says more, [`structure_bound`](crate::structure_bound) of
    /// it how many bytes are enough, [`Structure::num_leaves`] how many leaves there are.
    ///
    /// # Errors
    ///
    /// As [`TreeDef::replace`] and [`structure_into`]; [`Error::LeavesFull`] with the exact number of leaves.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{View, treedef};
    ///
    /// let view = View::new(treedef!({"a": *, "b": (*, *), "c": *}), &[1, 2, 3, 4])?;
    /// let pair = view.treedef().find_str("['b']")?;
    /// let with = View::new(treedef!([*]), &[9])?;
    ///
    /// let (mut bytes, mut leaves) = ([0; 16], [0; 4]);
    /// let new = view.replace_into([(pair, with)], &mut bytes, &mut leaves)?;
    /// assert_eq!(new, View::new(treedef!({"a": *, "b": [*], "c": *}), &[1, 9, 4])?);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn replace_into<'b, const N: usize>(
        &self,
        targets: [(Found<'a>, View<'a, L>); N],
        bytes: &'b mut [u8],
        leaves: &'b mut [L],
    ) -> Result<View<'b, L>, Error> {
        let targets = sorted(self.treedef(), targets)?;
        let replace =
            self.treedef().replace(targets.map(|(found, with)| (found, with.treedef())))?;
        let (needed, room) = (replace.num_leaves()?, leaves.len());
        let full = Error::LeavesFull { needed, room };
        let (leaves, _) = leaves.split_at_mut_checked(needed).ok_or(full)?;
        let def = structure_into(&replace, bytes)?;
        let (mut free, mut old, mut passed) = (&mut *leaves, self.leaves(), 0);
        for (found, with) in targets {
            let (before, rest) =
                old.split_at_checked(found.leaves().start.saturating_sub(passed)).ok_or(full)?;
            free = put(put(free, before).ok_or(full)?, with.leaves()).ok_or(full)?;
            old = rest.get(found.treedef().num_leaves()..).ok_or(full)?;
            passed = found.leaves().end;
        }
        put(free, old).ok_or(full)?;
        View::new(def, leaves)
    }
}

/// Clones leaves to the front of a slice and gives what is left of it.
fn put<'b, L: Clone>(free: &'b mut [L], leaves: &[L]) -> Option<&'b mut [L]> {
    let (target, rest) = free.split_at_mut_checked(leaves.len())?;
    target.clone_from_slice(leaves);
    Some(rest)
}

/// The index of a node.
fn node(found: &Found<'_>) -> u32 {
    u32::try_from(found.node()).unwrap_or(u32::MAX)
}

/// The targets in preorder, if all are of `def` and none is inside another.
fn sorted<'a, T, const N: usize>(
    def: TreeDef<'a>,
    mut targets: [(Found<'a>, T); N],
) -> Result<[(Found<'a>, T); N], Error> {
    for end in 1..=N {
        let mut rest = targets.get_mut(..end).unwrap_or_default();
        while let Some((new, before)) = rest.split_last_mut() {
            match before.last_mut() {
                Some(old) if node(&old.0) > node(&new.0) => core::mem::swap(old, new),
                _ => break,
            }
            rest = before;
        }
    }
    let mut end = 0;
    for (found, _) in &targets {
        let node = node(found);
        if found.root() != def {
            return Err(Error::Mismatch { node });
        }
        if node < end {
            return Err(Error::Overlap { node });
        }
        end = node.saturating_add(found.treedef().node_count());
    }
    Ok(targets)
}

/// Where nodes that were found are not.
const LOST: Error = Error::Arity { expected: 1, found: 0 };

impl<const N: usize> Structure for Replace<'_, N> {
    const NULLABLE: bool = true;

    fn describe<E: Encode>(&self, out: &mut Describe<'_, E>) -> Result<(), Error> {
        if N == 0 {
            return out.subtree(self.def);
        }
        out.with_levels(|out, rows| {
            Replacing { bytes: self.def.as_bytes(), rows, open: 0 }.describe(&self.targets, out)
        })
    }
}

/// The levels of a row: an open node and what is left of its children, and a step on the way to a target.
const LEVELS: usize = 5;

/// The nodes around a target that are open, each in a row.
///
/// Of the way to the next target, the rows have the steps. The nodes that are on both ways stay open.
struct Replacing<'a, 'l> {
    bytes: &'a [u8],
    rows: Rows<'l, LEVELS>,
    open: usize,
}

impl<'a> Replacing<'a, '_> {
    fn describe<E: Encode>(
        &mut self,
        targets: &[Target<'_>],
        out: &mut Describe<'_, E>,
    ) -> Result<(), Error> {
        for target in targets {
            let Some(last) = self.route_to(target.node)?.checked_sub(1) else {
                return out.subtree(target.with);
            };
            if self.open == 0 {
                self.begin(0, false, out)?;
            }
            while self.open > self.shared(last)?.saturating_add(1) {
                self.close(out)?;
            }
            loop {
                let depth = self.open.saturating_sub(1);
                let mut rest = self.rest(depth)?;
                rest.describe(self.bytes, self.index(depth)?, out)?;
                let child = if depth == last {
                    rest.pass(self.bytes).ok_or(LOST)?;
                    None
                } else {
                    Some(rest.enter(self.bytes).ok_or(LOST)?)
                };
                self.keep(depth, rest)?;
                match child {
                    Some((at, copy)) => self.begin(at, copy, out)?,
                    None => break,
                }
            }
            out.subtree(target.with)?;
        }
        while self.open > 0 {
            self.close(out)?;
        }
        Ok(())
    }

    /// Begins the node at a place, which is a copy or not.
    fn begin<E: Encode>(
        &mut self,
        at: u32,
        copy: bool,
        out: &mut Describe<'_, E>,
    ) -> Result<(), Error> {
        let Some((Item::Node(head), at)) = item_at(self.bytes, at) else { return Err(LOST) };
        let open = out.begin(&head)?;
        self.rows.put(self.open, open.pack([0; 2])).ok_or(LOST)?;
        self.keep(self.open, Rest { at, copy, ..Rest::default() })?;
        self.open = self.open.saturating_add(1);
        Ok(())
    }

    /// Describes what is left of the innermost open node, and goes on after it in the node around it.
    fn close<E: Encode>(&mut self, out: &mut Describe<'_, E>) -> Result<(), Error> {
        self.open = self.open.saturating_sub(1);
        let mut rest = self.rest(self.open)?;
        rest.describe(self.bytes, rest.next.saturating_add(out.left()), out)?;
        let [first, second, ..] = *self.row(self.open)?;
        out.end(OpenNode::unpack(&[first, second]).0)?;
        if let Some(depth) = self.open.checked_sub(1) {
            let mut outer = self.rest(depth)?;
            outer.leave(&rest);
            self.keep(depth, outer)?;
        }
        Ok(())
    }

    fn row(&mut self, depth: usize) -> Result<&mut [Level; LEVELS], Error> {
        let too_deep = self.rows.too_deep();
        self.rows.row(depth).ok_or(too_deep)
    }

    /// What is left of an open node.
    fn rest(&mut self, depth: usize) -> Result<Rest, Error> {
        let [_, _, first, second, _] = *self.row(depth)?;
        Ok(Rest::unpack([first, second]))
    }

    fn keep(&mut self, depth: usize, rest: Rest) -> Result<(), Error> {
        let [_, _, first, second, _] = self.row(depth)?;
        [*first, *second] = rest.pack();
        Ok(())
    }

    /// How many steps the way to the next target, the last of them `last`, has in common with the way to the one before.
    fn shared(&mut self, last: usize) -> Result<usize, Error> {
        let both = self.open.min(last.saturating_add(1));
        for depth in 0..both {
            if self.rest(depth)?.next != self.index(depth)?.saturating_add(1) {
                return Ok(depth);
            }
        }
        Ok(both)
    }

    /// The child index on the way to the next target.
    fn index(&mut self, depth: usize) -> Result<u32, Error> {
        let [.., Level([_, _, index, _])] = *self.row(depth)?;
        Ok(index)
    }

    /// Puts the steps to a node into the rows and gives their number. They are found in one scan; a unit that the way
    /// leads into a copy of is read again.
    ///
    /// A step is where its node begins, the nodes before it, and how many of its children are passed and to come.
    fn route_to(&mut self, node: u32) -> Result<usize, Error> {
        let (mut at, mut nodes, mut depth) = (0u32, 0u32, 0usize);
        while nodes < node {
            let (item, after) = item_at(self.bytes, at).ok_or(LOST)?;
            match item {
                Item::Node(head) => {
                    let [.., step] = self.row(depth)?;
                    *step = Level([at, nodes, 0, head.arity()]);
                    depth = depth.saturating_add(1);
                    nodes = nodes.wrapping_add(1);
                }
                Item::Leaves(count) => {
                    let count = count.min(node.wrapping_sub(nodes));
                    nodes = nodes.wrapping_add(count);
                    self.pass(depth, count)?;
                }
                Item::Same { .. } => return Err(LOST),
            }
            at = after;
            // Ends the nodes that are complete, with their copies.
            while let Some(last) = depth.checked_sub(1)
                && let [.., Level([unit, before, _, 0])] = *self.row(last)?
            {
                depth = last;
                let left = self.pass(depth, 1)?;
                if let Some((Item::Same { copies, .. }, after)) = item_at(self.bytes, at)
                    && left > 0
                {
                    let each = nodes.wrapping_sub(before);
                    let passed =
                        copies.min(node.wrapping_sub(nodes).checked_div(each).ok_or(LOST)?);
                    self.pass(depth, passed)?;
                    nodes = nodes.wrapping_add(passed.wrapping_mul(each));
                    at = if passed < copies { unit } else { after };
                }
            }
        }
        Ok(depth)
    }

    /// Passes children in the last of `depth` steps, and gives the number of those to come.
    fn pass(&mut self, depth: usize, count: u32) -> Result<u32, Error> {
        let [.., Level([_, _, passed, left])] = self.row(depth.checked_sub(1).ok_or(LOST)?)?;
        (*passed, *left) = (passed.wrapping_add(count), left.saturating_sub(count));
        Ok(*left)
    }
}

/// The children of an open node that are still to be described, from a place on.
#[derive(Default)]
struct Rest {
    at: u32,
    /// The index of the next child.
    next: u32,
    /// The next `same` children are equal to the one with these bytes, or where it has none to a leaf.
    same: u32,
    unit: (u32, u32),
    /// The leaves of that child.
    leaves: u32,
    /// Whether it is also the child that was described last.
    described: bool,
    /// Whether the node is a copy, so that its bytes are not followed by its siblings.
    copy: bool,
}

impl Rest {
    fn pack(self) -> [Level; 2] {
        let flags = u32::from(self.described) | u32::from(self.copy) << 1;
        let (start, end) = self.unit;
        [Level([self.at, self.next, self.same, flags]), Level([start, end, self.leaves, 0])]
    }

    const fn unpack([Level(first), Level(second)]: [Level; 2]) -> Self {
        let ([at, next, same, flags], [start, end, leaves, _]) = (first, second);
        let (described, copy) = (flags & 1 != 0, flags & 2 != 0);
        Self { at, next, same, unit: (start, end), leaves, described, copy }
    }

    /// Looks what the next child is.
    fn load(&mut self, bytes: &[u8]) -> Option<()> {
        if self.same > 0 {
            return Some(());
        }
        let (item, after) = item_at(bytes, self.at)?;
        match item {
            Item::Leaves(count) => {
                (self.unit, self.leaves, self.same, self.described) = ((0, 0), 1, count, false);
                self.at = after;
            }
            Item::Same { copies, leaves } => {
                (self.same, self.leaves, self.at) = (copies, leaves, after);
            }
            Item::Node(_) => {
                let child = skip(bytes.get(self.at as usize..)?)?;
                let end = place(bytes, child.rest)?;
                (self.unit, self.leaves) = ((self.at, end), child.leaves);
                (self.same, self.described, self.at) = (1, false, end);
            }
        }
        Some(())
    }

    /// The next child.
    fn child<'a>(&self, bytes: &'a [u8]) -> Option<TreeDef<'a>> {
        let (start, end) = self.unit;
        if end == 0 {
            return Some(TreeDef::LEAF);
        }
        Some(TreeDef::trusted(bytes.get(start as usize..end as usize)?, self.leaves))
    }

    /// Describes the children before the one with this index.
    fn describe<E: Encode>(
        &mut self,
        bytes: &[u8],
        index: u32,
        out: &mut Describe<'_, E>,
    ) -> Result<(), Error> {
        while let Some(left @ 1..) = index.checked_sub(self.next) {
            self.load(bytes).ok_or(LOST)?;
            let count = left.min(self.same);
            let mut copies = count;
            if !self.described {
                out.subtree(self.child(bytes).ok_or(LOST)?)?;
                copies = copies.wrapping_sub(1);
            }
            out.repeat(copies as usize)?;
            self.described = true;
            self.same = self.same.wrapping_sub(count);
            self.next = self.next.wrapping_add(count);
        }
        Ok(())
    }

    /// Passes over a child that is replaced.
    fn pass(&mut self, bytes: &[u8]) -> Option<()> {
        self.load(bytes)?;
        self.same = self.same.checked_sub(1)?;
        (self.next, self.described) = (self.next.wrapping_add(1), false);
        Some(())
    }

    /// Opens the next child, and gives where it is and whether it is a copy: one that is none is read where it is,
    /// without looking for its end.
    fn enter(&mut self, bytes: &[u8]) -> Option<(u32, bool)> {
        if self.same == 0
            && let Some((Item::Node(_), _)) = item_at(bytes, self.at)
        {
            (self.next, self.described) = (self.next.wrapping_add(1), false);
            return Some((self.at, false));
        }
        self.pass(bytes)?;
        Some((self.unit.0, true))
    }

    /// Goes on after a child that is described to its end.
    const fn leave(&mut self, child: &Self) {
        if !child.copy {
            // A repeat that follows says how many leaves it has.
            (self.unit, self.at) = ((self.at, child.at), child.at);
        }
    }
}

/// The item at a place, and the place after it.
fn item_at(bytes: &[u8], at: u32) -> Option<(Item<'_>, u32)> {
    let (item, rest) = read_item(bytes.get(at as usize..)?).ok()?;
    Some((item, place(bytes, rest)?))
}

/// Where the last bytes begin.
fn place(bytes: &[u8], rest: &[u8]) -> Option<u32> {
    u32::try_from(bytes.len().checked_sub(rest.len())?).ok()
}
