//! The arrays in a structure: lists of lists of leaves that have a shape.

use core::iter::FusedIterator;
use core::ops::Range;

use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::format::head::{Item, Kind, read_item};
use crate::treedef::nodes::{Here, Nodes};
use crate::treedef::path::Path;
use crate::treedef::treedef::TreeDef;

/// The arrays of a treedef; see [`TreeDef::arrays`].
#[derive(Clone)]
#[must_use = "iterators do nothing until they are consumed"]
pub struct Arrays<'a> {
    nodes: Nodes<'a>,
}

debug_struct!([] Arrays<'_> { nodes });

/// An array that [`Arrays`] yields: where it is in the tree and among the leaves, and its shape.
#[derive(Clone, Copy)]
pub struct ArrayAt<'a> {
    path: Path<'a>,
    def: TreeDef<'a>,
    /// The index of its first leaf.
    offset: usize,
}

debug_struct!([] ArrayAt<'_> { def, offset });

/// Two are equal if structure and place are, in whatever treedef they are.
impl PartialEq for ArrayAt<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.def, self.offset, self.path.node()) == (other.def, other.offset, other.path.node())
    }
}

impl Eq for ArrayAt<'_> {}

impl<'a> TreeDef<'a> {
    /// The arrays, in order: their parts of the flat leaves, shapes and paths, as the offsets that `destructure` of
    /// Julia's `Optimisers.jl` keeps.
    ///
    /// An array is the largest list of lists of leaves whose lengths agree on every level, so that it has a shape; what
    /// `[[f32; 3]; 4]` is, and also a list of equal lists. Every other leaf is an array of shape `[]`. An empty list is
    /// no array: it has no leaves to lie anywhere. Together they are all leaves, each once. It is the table of offsets
    /// of a flat parameter vector that [`leaves_into`](crate::leaves_into) wrote.
    ///
    /// Linear in the bytes and the arrays, which repeated nodes give again in each copy, not in the leaves: an array is
    /// one step, whatever its size, and at most 64 steps of its path. A list of lists that has no shape is read up to
    /// where that shows, once for each list of it. `count`, `nth` and `last` step over copies together, without paths.
    ///
    /// # Errors
    ///
    /// An item is [`Error::TooDeep`], and the last one, after a node that is no array and inside which more than
    /// [`MAX_PENDING`](crate::format::MAX_PENDING) levels are pending. No treedef that [`TreeDef::from_bytes`] reads
    /// has one.
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
        Arrays { nodes: self.nodes() }
    }
}

impl<'a> Iterator for Arrays<'a> {
    type Item = Result<ArrayAt<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let here = match self.nodes.read()? {
                Ok(here) => here,
                Err(error) => return Some(Err(error)),
            };
            if let Some(def) = array(&self.nodes, &here) {
                let (path, offset) = (self.nodes.path()?, here.spot.leaf as usize);
                skip(&mut self.nodes, &here, def);
                return Some(Ok(ArrayAt { path, def, offset }));
            }
        }
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        if self.pass(n) < n { None } else { self.next() }
    }

    fn count(mut self) -> usize {
        self.pass(usize::MAX)
    }

    fn last(mut self) -> Option<Self::Item> {
        let count = self.clone().count();
        self.nth(count.checked_sub(1)?)
    }
}

impl FusedIterator for Arrays<'_> {}

impl Arrays<'_> {
    /// Steps over at most `limit` arrays and gives their number.
    fn pass(&mut self, limit: usize) -> usize {
        self.nodes.pass(limit, |nodes, here| match array(nodes, here) {
            Some(def) => {
                skip(nodes, here, def);
                1
            }
            None => 0,
        })
    }
}

/// The array that begins with the node that `nodes` read last, if one does.
fn array<'a>(nodes: &Nodes<'a>, here: &Here<'a>) -> Option<TreeDef<'a>> {
    if here.head.kind() == Kind::Leaf {
        return Some(TreeDef::LEAF);
    }
    rectangle(nodes.last_node())
}

/// Steps over the nodes inside an array that `nodes` read the first node of.
fn skip<'a>(nodes: &mut Nodes<'a>, here: &Here<'a>, array: TreeDef<'a>) {
    if here.head.kind() != Kind::Leaf {
        nodes.skip(&here.head, array.node_count().saturating_sub(1));
    }
}

/// The node at the front, if it is an array: heads of lists, one run of leaves, and copies, which then can only fill
/// the lists from the inside out.
fn rectangle(bytes: &[u8]) -> Option<TreeDef<'_>> {
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
    Some(TreeDef::trusted(bytes.get(..len)?, leaves).counted(below.checked_add(1)?))
}

impl<'a> ArrayAt<'a> {
    /// The leaves that are its elements, row by row.
    #[must_use]
    pub const fn range(&self) -> Range<usize> {
        let start = self.offset;
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
    #[must_use]
    pub const fn path(&self) -> Path<'a> {
        self.path
    }

    /// Its own structure.
    #[must_use]
    pub const fn treedef(&self) -> TreeDef<'a> {
        self.def
    }
}
