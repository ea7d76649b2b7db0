//! Nodes found by path become other trees.

use crate::algebra::rewrite::DEPTH;
use crate::base::error::Error;
use crate::base::levels::{self, Levels};
use crate::base::show::debug_struct;
use crate::dynamic::view::View;
use crate::encode::describe::{Describe, OpenNode};
use crate::encode::encoder::Encode;
use crate::encode::structure::Structure;
use crate::encode::write::structure_into;
use crate::format::head::{Head, Item, read_item};
use crate::treedef::find::Found;
use crate::treedef::scan::skip;
use crate::treedef::treedef::TreeDef;

/// A treedef with other trees in place of some of its nodes; see [`TreeDef::replace`].
#[derive(Clone, Copy)]
pub struct Replace<'a, const N: usize, const D: usize = DEPTH> {
    def: TreeDef<'a>,
    /// In preorder, none inside another.
    targets: [Target<'a>; N],
}

debug_struct!([const N: usize, const D: usize] Replace<'_, N, D> { def, targets });

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
    /// [`MAX_DEPTH`](crate::MAX_DEPTH) levels below the root, for which [`Replace::with_depth`] has room;
    /// [`Error::TooLarge`].
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

impl<'a, const N: usize, const D: usize> Replace<'a, N, D> {
    /// The same for nodes at most `M` levels below the root, of about 190 bytes of stack each, in place of
    /// [`MAX_DEPTH`](crate::MAX_DEPTH).
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Error, TreeDef, structure_bound, treedef};
    ///
    /// let def = treedef!([[*, *], *]);
    /// let found = def.find_str("[0][1]")?;
    /// let replaced = def.replace([(found, TreeDef::NONE)])?;
    /// assert_eq!(structure_bound(&replaced.with_depth::<2>()), Ok(5));
    /// assert_eq!(structure_bound(&replaced.with_depth::<1>()), Err(Error::TooDeep { limit: 1 }));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn with_depth<const M: usize>(self) -> Replace<'a, N, M> {
        Replace { def: self.def, targets: self.targets }
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

impl<const N: usize, const D: usize> Structure for Replace<'_, N, D> {
    const NULLABLE: bool = true;

    fn describe<E: Encode>(&self, out: &mut Describe<'_, E>) -> Result<(), Error> {
        let limit = u32::try_from(D).unwrap_or(u32::MAX);
        out.allow(limit);
        let too_deep = Error::TooDeep { limit };
        let mut levels: Levels<(Level<'_>, OpenNode<E>), D> = levels::empty();
        let mut before = levels::empty();
        for target in &self.targets {
            let route: Levels<u32, D> = route_to(self.def, target.node)?;
            let Some(last) = route.len().checked_sub(1) else {
                return out.subtree(target.with);
            };
            if levels.is_empty() {
                let head = self.def.head();
                let rest = self.def.as_bytes().get(head.as_bytes().len()..).unwrap_or(&[]);
                let root = (Level::new(&head, rest, false), out.begin(&head)?);
                levels.push(root).map_err(|_| too_deep)?;
            }
            // The nodes on both ways stay open.
            while levels.len() > shared(&route, &before).saturating_add(1) {
                close(out, &mut levels)?;
            }
            loop {
                let depth = levels.len().saturating_sub(1);
                let index = *route.get(depth).ok_or(LOST)?;
                let (level, _) = levels.last_mut().ok_or(LOST)?;
                level.describe(out, index)?;
                if depth == last {
                    level.pass().ok_or(LOST)?;
                    out.subtree(target.with)?;
                    break;
                }
                let (head, child) = level.enter().ok_or(LOST)?;
                levels.push((child, out.begin(&head)?)).map_err(|_| too_deep)?;
            }
            before = route;
        }
        if N == 0 {
            return out.subtree(self.def);
        }
        while !levels.is_empty() {
            close(out, &mut levels)?;
        }
        Ok(())
    }
}

/// Describes what is left of the innermost open node, and goes on behind it in the node around it.
fn close<'a, E: Encode, const D: usize>(
    out: &mut Describe<'_, E>,
    levels: &mut Levels<(Level<'a>, OpenNode<E>), D>,
) -> Result<(), Error> {
    let (mut level, frame) = levels.pop().ok_or(LOST)?;
    level.describe(out, level.arity)?;
    out.end(frame)?;
    if let Some((outer, _)) = levels.last_mut() {
        outer.leave(&level);
    }
    Ok(())
}

/// A node on the way: its bytes, the nodes before it, and how many of its children are passed and to come.
#[derive(Clone, Copy)]
struct Step<'a> {
    bytes: &'a [u8],
    nodes: u32,
    passed: u32,
    left: u32,
}

/// The child indices on the way to a node, found in one scan; a unit that the way leads into a copy of is read again.
fn route_to<const D: usize>(def: TreeDef<'_>, node: u32) -> Result<Levels<u32, D>, Error> {
    let limit = u32::try_from(D).unwrap_or(u32::MAX);
    let mut steps: Levels<Step<'_>, D> = levels::empty();
    let (mut rest, mut nodes) = (def.as_bytes(), 0u32);
    while nodes < node {
        let (item, after) = read_item(rest).map_err(|_| LOST)?;
        match item {
            Item::Node(head) => {
                let step = Step { bytes: rest, nodes, passed: 0, left: head.arity() };
                steps.push(step).map_err(|_| Error::TooDeep { limit })?;
                nodes = nodes.wrapping_add(1);
            }
            Item::Leaves(count) => {
                let count = count.min(node.wrapping_sub(nodes));
                nodes = nodes.wrapping_add(count);
                steps.last_mut().ok_or(LOST)?.take(count);
            }
            Item::Same { .. } => return Err(LOST),
        }
        rest = after;
        // Ends the nodes that are complete, with their copies.
        while let Some(&Step { bytes, nodes: before, left: 0, .. }) = steps.last() {
            steps.pop();
            let step = steps.last_mut().ok_or(LOST)?;
            step.take(1);
            if let Ok((Item::Same { copies, .. }, after)) = read_item(rest)
                && step.left > 0
            {
                let each = nodes.wrapping_sub(before);
                let passed = copies.min(node.wrapping_sub(nodes).checked_div(each).ok_or(LOST)?);
                step.take(passed);
                nodes = nodes.wrapping_add(passed.wrapping_mul(each));
                rest = if passed < copies { bytes } else { after };
            }
        }
    }
    let mut route = levels::empty();
    for step in &steps {
        route.push(step.passed).map_err(|_| LOST)?;
    }
    Ok(route)
}

/// How many indices two ways begin with alike, of those that lead to a node around both targets.
fn shared(route: &[u32], before: &[u32]) -> usize {
    let both = route.iter().zip(before).take_while(|(a, b)| a == b);
    both.fold(0, |shared, _| shared.saturating_add(1))
}

impl Step<'_> {
    const fn take(&mut self, count: u32) {
        self.passed = self.passed.wrapping_add(count);
        self.left = self.left.saturating_sub(count);
    }
}

/// The children of an open node that are still to be described.
struct Level<'a> {
    rest: &'a [u8],
    arity: u32,
    next: u32,
    /// The next children, so many, are equal to this one.
    unit: TreeDef<'a>,
    same: u32,
    /// Whether it is also the child that the out was told last.
    told: bool,
    /// Whether the node is a copy, so that its bytes are not followed by its siblings.
    copy: bool,
}

impl<'a> Level<'a> {
    const fn new(head: &Head<'a>, rest: &'a [u8], copy: bool) -> Self {
        let unit = TreeDef::LEAF;
        Self { rest, arity: head.arity(), next: 0, unit, same: 0, told: false, copy }
    }

    /// Sees what the next child is.
    fn load(&mut self) -> Option<()> {
        if self.same > 0 {
            return Some(());
        }
        let (item, after) = read_item(self.rest).ok()?;
        let rest = match item {
            Item::Leaves(count) => {
                (self.unit, self.same, self.told) = (TreeDef::LEAF, count, false);
                after
            }
            Item::Same { copies, leaves } => {
                self.unit = TreeDef::trusted(self.unit.as_bytes(), leaves);
                self.same = copies;
                after
            }
            Item::Node(_) => {
                let child = skip(self.rest)?;
                self.unit = self.until(child.rest, child.leaves)?;
                (self.same, self.told) = (1, false);
                child.rest
            }
        };
        self.rest = rest;
        Some(())
    }

    /// The node that stands before `rest`.
    fn until(&self, rest: &[u8], leaves: u32) -> Option<TreeDef<'a>> {
        let bytes = self.rest.get(..self.rest.len().checked_sub(rest.len())?)?;
        Some(TreeDef::trusted(bytes, leaves))
    }

    /// Describes the children before the one with this index.
    fn describe<E: Encode>(&mut self, out: &mut Describe<'_, E>, index: u32) -> Result<(), Error> {
        while let Some(left @ 1..) = index.checked_sub(self.next) {
            self.load().ok_or(LOST)?;
            let count = left.min(self.same);
            let mut copies = count;
            if !self.told {
                out.subtree(self.unit)?;
                copies = copies.wrapping_sub(1);
            }
            out.repeat(copies as usize)?;
            self.told = true;
            self.same = self.same.wrapping_sub(count);
            self.next = self.next.wrapping_add(count);
        }
        Ok(())
    }

    /// Passes over a child that is replaced.
    fn pass(&mut self) -> Option<()> {
        self.load()?;
        self.same = self.same.checked_sub(1)?;
        (self.next, self.told) = (self.next.wrapping_add(1), false);
        Some(())
    }

    /// Opens the next child: one that is not a copy is read where it stands, without seeing where it ends.
    fn enter(&mut self) -> Option<(Head<'a>, Level<'a>)> {
        if self.same == 0
            && let Ok((Item::Node(head), after)) = read_item(self.rest)
        {
            (self.next, self.told) = (self.next.wrapping_add(1), false);
            return Some((head, Level::new(&head, after, false)));
        }
        self.pass()?;
        let head = self.unit.head();
        let below = self.unit.as_bytes().get(head.as_bytes().len()..)?;
        Some((head, Level::new(&head, below, true)))
    }

    /// Goes on behind a child that is described to its end.
    fn leave(&mut self, child: &Level<'_>) {
        if !child.copy
            && let Some(unit) = self.until(child.rest, 0)
        {
            // A repeat that follows says how many leaves it has.
            self.rest = self.rest.get(unit.as_bytes().len()..).unwrap_or(&[]);
            self.unit = unit;
        }
    }
}
