//! Replaces nodes that were found by path.

use crate::base::error::Error;
use crate::base::heap_sort::heap_sort;
use crate::base::show::debug_struct;
use crate::dynamic::view::View;
use crate::encode::structure::{HasSchema, Structure, structure_into};
use crate::encode::writer::Writer;
use crate::tree::structure::written;
use crate::treedef::find::Found;
use crate::treedef::runs::Runs;
use crate::treedef::spot::Spot;
use crate::treedef::treedef::TreeDef;

/// A treedef in which other trees replace some nodes; see [`TreeDef::replace`].
///
/// # Examples
///
/// ```
/// use treedef::{matches, treedef};
///
/// let def = treedef!({"a": *, "b": *});
/// let replaced = def.replace([(def.find_str("b")?, treedef!((*, *)))])?;
/// assert_eq!(matches(&replaced, treedef!({"a": *, "b": (*, *)})), Ok(()));
/// # Ok::<(), treedef::Error>(())
/// ```
#[derive(Clone, Copy)]
#[must_use = "does nothing until it is described, as by `structure_into`"]
pub struct Replace<'a, T> {
    def: TreeDef<'a>,
    /// Sorted in preorder. No target is inside another.
    targets: T,
}

debug_struct!([T] Replace<'_, T> { def });

impl<'a> TreeDef<'a> {
    /// Replaces each given node of this structure by another treedef, as `equinox.tree_at`. The node can be the root or a
    /// leaf. It cannot be removed, but [`TreeDef::NONE`] in its place has no leaves, and the guide to
    /// [`dynamic trees`](mod@crate::guide::dynamic_trees) writes a node without one of its children.
    ///
    /// `targets` is an array, a `Vec`, a `heapless::Vec` or a mutable slice. Each item is a node, from
    /// [`TreeDef::find_str`] or [`TreeDef::find_at`], and its replacement. The items can be in any order; they are
    /// sorted in place.
    ///
    /// Nothing is written yet: the result is a [`Structure`], for [`structure_into`](crate::structure_into),
    /// [`structure_bound`](crate::encode::structure_bound), [`matches()`](crate::matches) and arenas. Nodes that are
    /// not replaced are copied as bytes, and their repeats stay repeats. If a node inside a repeated node is replaced,
    /// the repeat is split, and its other copies stay as they are.
    ///
    /// The cost is linear in the bytes that are read and written, plus sorting the targets, unless they are in
    /// preorder. Nodes that have replaced nodes inside are read once more for each level above those, up to
    /// [`MAX_DEPTH`](crate::encode::MAX_DEPTH) times.
    ///
    /// `DIFFERENCE`: a node is identified by its place. `tree_at` compares objects, so an object that is in the tree
    /// twice is replaced twice or refused. A `None` is a node as every other one; `tree_at` refuses to replace it without
    /// `is_leaf`.
    ///
    /// # Errors
    ///
    /// [`Error::Overlap`] with a node that is given twice or is inside another given node; [`Error::Mismatch`] with a
    /// node that was found in a treedef that does not equal this one.
    ///
    /// Writing, bounding or matching the result can fail with [`Error::TooLarge`], and with [`Error::TooDeep`] if a
    /// replaced node is more than [`MAX_DEPTH`](crate::encode::MAX_DEPTH) levels below the root. Other nodes can be at any
    /// depth.
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
    /// assert_eq!(error.explain_at(def).to_string(), "['b'][1][0] is given twice, or is inside another given node");
    ///
    /// // Any number of nodes: each pair becomes a leaf.
    /// let mut pairs: Vec<_> = (0..3)
    ///     .filter_map(|index| def.find_at([0, index]))
    ///     .map(|found| (found, TreeDef::LEAF))
    ///     .collect();
    /// let replaced = def.replace(pairs.as_mut_slice())?;
    /// assert_eq!(structure_into(&replaced, &mut bytes)?, treedef!({"b": [*, *, *], "w": *}));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn replace<T>(self, mut targets: T) -> Result<Replace<'a, T>, Error>
    where
        T: AsRef<[(Found<'a>, TreeDef<'a>)]> + AsMut<[(Found<'a>, TreeDef<'a>)]>,
    {
        sort(self, targets.as_mut())?;
        Ok(Replace { def: self, targets })
    }
}

impl<'a, L: Clone> View<'a, L> {
    /// Replaces given nodes of this tree by other trees, as `equinox.tree_at(.., replace=..)`. Writes the treedef to
    /// `bytes` and the leaves to `leaves`.
    ///
    /// Find the nodes in [`View::treedef`]. The targets are as for [`TreeDef::replace`], whose result also gives the
    /// sizes: [`structure_bound`](crate::encode::structure_bound) for the bytes, [`Structure::num_leaves`] for the
    /// leaves.
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
    pub fn replace_into<'b>(
        &self,
        mut targets: impl AsMut<[(Found<'a>, View<'a, L>)]>,
        bytes: &'b mut [u8],
        leaves: &'b mut [L],
    ) -> Result<View<'b, L>, Error> {
        let (def, targets) = (self.treedef(), targets.as_mut());
        sort(def, targets)?;
        let replace = Replacing { def, targets, with: View::treedef };
        let needed = Error::check_room(replace.num_leaves()?, leaves.len())?;
        let leaves = leaves.get_mut(..needed).unwrap_or_default();
        let def = structure_into(&replace, bytes)?;
        let (mut slots, mut passed) = (leaves.iter_mut(), 0);
        let mut put = |kept: Option<&[L]>| {
            for (leaf, slot) in kept.unwrap_or_default().iter().zip(slots.by_ref()) {
                slot.clone_from(leaf);
            }
        };
        for (found, with) in &*targets {
            put(self.leaves().get(passed..found.leaves().start));
            put(Some(with.leaves()));
            passed = found.leaves().end;
        }
        put(self.leaves().get(passed..));
        View::new(def, leaves)
    }
}

/// Sorts the targets in preorder, and checks that all belong to `def` and none is inside another.
fn sort<'a, W>(def: TreeDef<'a>, targets: &mut [(Found<'a>, W)]) -> Result<(), Error> {
    if !targets.is_sorted_by_key(|(found, _)| found.spot()) {
        heap_sort(targets, |(a, _), (b, _)| a.spot() > b.spot());
    }
    let mut end = Spot::ROOT;
    for (found, _) in &*targets {
        let node = || u32::try_from(found.node()).unwrap_or(u32::MAX);
        if found.root() != def {
            return Err(Error::Mismatch { node: node() });
        }
        if found.spot() < end {
            return Err(Error::Overlap { node: node() });
        }
        end = found.end();
    }
    Ok(())
}

written!(['a, T: AsRef<[(Found<'a>, TreeDef<'a>)]>] Replace<'a, T>, |replace, out| {
    let targets = replace.targets.as_ref();
    Replacing { def: replace.def, targets, with: |with| *with }.describe(out);
});

/// A treedef in which trees replace some nodes, which are sorted in preorder.
struct Replacing<'t, 'a, W> {
    def: TreeDef<'a>,
    targets: &'t [(Found<'a>, W)],
    with: fn(&W) -> TreeDef<'a>,
}

impl<W> HasSchema for Replacing<'_, '_, W> {}

impl<W> Structure for Replacing<'_, '_, W> {
    fn describe(&self, out: &mut Writer<'_>) {
        let mut targets = self.targets;
        self.children(Runs::only(self.def.as_bytes(), Spot::ROOT), &mut targets, out);
    }
}

impl<'a, W> Replacing<'_, 'a, W> {
    /// Describes the children of a node, and replaces those that are the first of `targets`; `None` after the last child.
    fn children(
        &self,
        mut children: Runs<'_>,
        targets: &mut &[(Found<'a>, W)],
        out: &mut Writer<'_>,
    ) -> Option<()> {
        while out.is_well() {
            let goal = targets.first().map_or(Spot::END, |(found, _)| found.spot());
            let same = children.count_before(goal)?;
            let child = TreeDef::trusted(children.bytes, children.size()?.0);
            if let Some(more) = same.checked_sub(1) {
                out.subtree(child);
                out.repeat(more as usize);
            } else if goal == children.spot {
                let (_, with) = targets.split_off_first()?;
                out.subtree((self.with)(with));
            } else {
                let head = child.head();
                let begun = out.begin_head(&head);
                if begun.is_open() {
                    let inner = Runs::of(child.as_bytes(), &head, children.spot);
                    self.children(inner, targets, out);
                    out.end(begun);
                }
            }
            children.pass(same.max(1))?;
        }
        None
    }
}
