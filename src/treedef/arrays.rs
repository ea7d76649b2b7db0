//! The arrays in a structure: lists of lists of leaves that have a shape.

use core::ops::Range;

use crate::base::error::Error;
use crate::base::levels::{self, Levels};
use crate::base::show::debug_struct;
use crate::format::head::{Head, Item, Kind, read_item};
use crate::treedef::cursor::{Cursor, Siblings};
use crate::treedef::nodes::NODES_DEPTH;
use crate::treedef::path::NodePath;
use crate::treedef::treedef::TreeDef;

/// The arrays of a treedef; see [`TreeDef::arrays`].
#[derive(Clone)]
pub struct Arrays<'a> {
    root: TreeDef<'a>,
    cursor: Cursor<'a>,
    levels: Levels<Siblings, NODES_DEPTH>,
    /// The list that is opened next, if there is room.
    opened: Option<Siblings>,
}

debug_struct!([] Arrays<'_> { root, cursor });

/// An array that [`Arrays`] yields: where it stands in the tree and among the leaves, and its shape.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ArrayAt<'a> {
    root: TreeDef<'a>,
    /// The index of its node.
    node: u32,
    def: TreeDef<'a>,
    offset: u32,
}

debug_struct!([] ArrayAt<'_> { def, node, offset });

impl<'a> TreeDef<'a> {
    /// The arrays, in order: their parts of the flat leaves, shapes and paths, as the offsets that `destructure` of
    /// Julia's `Optimisers.jl` keeps.
    ///
    /// An array is the largest list of lists of leaves whose lengths agree on every level, so that it has a shape; what
    /// `[[f32; 3]; 4]` is, and also a list of equal lists. Every other leaf is an array of shape `[]`. An empty list is
    /// no array: it has no leaves to lie anywhere. Together they are all leaves, each once. It is the table of offsets
    /// of a flat parameter vector that [`leaves_into`](crate::leaves_into) wrote.
    ///
    /// Linear in the bytes and the arrays, which repeated nodes give anew in each copy, not in the leaves: an array is
    /// one step, whatever its size.
    ///
    /// # Errors
    ///
    /// An item is [`Error::TooDeep`], and the last one, where the tree is deeper than [`NODES_DEPTH`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{leaves_into, treedef_of};
    ///
    /// type Linear = ([[f32; 3]; 2], f32);
    /// let mut flat = [0.0f32; 7];
    /// leaves_into(&([[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]], 7.0f32), &mut flat)?;
    ///
    /// let mut arrays = treedef_of::<Linear>().arrays();
    /// let weights = arrays.next().unwrap()?;
    /// assert!(weights.shape().eq([2, 3]));
    /// assert_eq!(flat[weights.range()], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    /// let bias = arrays.next().unwrap()?;
    /// assert_eq!((bias.range(), bias.shape().count()), (6..7, 0));
    /// assert_eq!(bias.path().to_string(), "[1]");
    /// assert!(arrays.next().is_none());
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn arrays(&self) -> Arrays<'a> {
        let (cursor, opened) = (Cursor::new(*self), Some(Siblings::root()));
        Arrays { root: *self, cursor, levels: levels::empty(), opened }
    }
}

impl<'a> Iterator for Arrays<'a> {
    type Item = Result<ArrayAt<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(list) = self.opened.take()
                && self.levels.push(list).is_err()
            {
                self.levels.clear();
                let limit = u32::try_from(NODES_DEPTH).unwrap_or(u32::MAX);
                return Some(Err(Error::TooDeep { limit }));
            }
            let list = self.levels.last_mut()?;
            let (node, offset) = (self.cursor.num_nodes_read(), self.cursor.num_leaves_read());
            let Some(head) = self.cursor.next(list) else {
                self.levels.pop();
                continue;
            };
            let found = |def| Some(Ok(ArrayAt { root: self.root, node, def, offset }));
            if head == Head::LEAF {
                return found(TreeDef::LEAF);
            }
            if let Some((def, below)) = rectangle(self.cursor.last_node(list)) {
                self.cursor.pass_children(list, below, def.leaves())?;
                return found(def);
            }
            if head.arity() > 0 {
                self.opened = Some(Siblings::of(&head));
            }
        }
    }
}

/// The node at the front and the number of nodes below it, if it is an array: heads of lists, one run of leaves, and
/// copies, which then can only fill the lists from the inside out.
fn rectangle(bytes: &[u8]) -> Option<(TreeDef<'_>, u32)> {
    let (mut rest, mut pending, mut leaves) = (bytes, 1_u32, 0_u32);
    // Nodes on the level that was read last, and on all levels below the root.
    let (mut width, mut below) = (1_u32, 0_u32);
    while pending > 0 {
        let (item, after) = read_item(rest).ok()?;
        rest = after;
        match item {
            // An empty list has no leaves to lie anywhere, so that no list around it has the shape of its leaves.
            Item::Node(head) if leaves == 0 && head.kind() == Kind::List && head.arity() > 0 => {
                pending = pending.checked_sub(1)?.checked_add(head.arity())?;
                width = width.checked_mul(head.arity())?;
                below = below.checked_add(width)?;
            }
            Item::Leaves(count) if leaves == 0 => {
                pending = pending.checked_sub(count)?;
                leaves = count;
            }
            Item::Same { copies, leaves: unit } => {
                pending = pending.checked_sub(copies)?;
                leaves = leaves.checked_add(copies.checked_mul(unit)?)?;
            }
            _ => return None,
        }
    }
    let len = bytes.len().checked_sub(rest.len())?;
    Some((TreeDef::trusted(bytes.get(..len)?, leaves), below))
}

impl<'a> ArrayAt<'a> {
    /// The leaves that are its elements, row by row.
    pub const fn range(&self) -> Range<usize> {
        let start = self.offset as usize;
        start..start.saturating_add(self.def.num_leaves())
    }

    /// The length of every dimension, from the outermost on; none for a leaf that is in no array.
    pub fn shape(&self) -> impl Iterator<Item = usize> + Clone + use<'a> {
        let mut rest = self.def.as_bytes();
        core::iter::from_fn(move || match read_item(rest) {
            Ok((Item::Node(head), after)) => {
                rest = after;
                Some(head.arity() as usize)
            }
            _ => None,
        })
    }

    /// The path of the list, or of the leaf that is in no array; it prints as [`Path::keystr`](crate::Path::keystr).
    pub fn path(&self) -> NodePath<'a> {
        NodePath::trusted(self.root, self.node)
    }

    /// Its own structure.
    pub const fn treedef(&self) -> TreeDef<'a> {
        self.def
    }
}
