//! Finds the arrays in a structure: lists of lists of leaves that have a shape.

use core::iter::FusedIterator;
use core::ops::Range;

use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::format::head::{Item, Kind, read_item};
use crate::treedef::nodes::{Here, Nodes};
use crate::treedef::path::Path;
use crate::treedef::treedef::TreeDef;

/// The arrays of a treedef; see [`TreeDef::arrays`].
///
/// # Examples
///
/// ```
/// use treedef::treedef;
///
/// assert_eq!(treedef!({"b": [*, *], "w": [[*, *], [*, *]]}).arrays().count(), 2);
/// ```
#[derive(Clone)]
#[must_use = "iterators do nothing until they are consumed"]
pub struct Arrays<'a> {
    nodes: Nodes<'a>,
}

debug_struct!([] Arrays<'_> { nodes });

/// An array that [`Arrays`] yields: where it is in the tree and among the leaves, and its shape.
///
/// # Examples
///
/// ```
/// use treedef::treedef;
///
/// let def = treedef!({"b": [*, *], "w": [[*, *], [*, *]]});
/// let array = def.arrays().flatten().last().expect("it has arrays");
/// assert_eq!((array.path().to_string().as_str(), array.range()), ("['w']", 2..6));
/// assert!(array.shape().eq([2, 2]));
/// ```
#[derive(Clone, Copy)]
pub struct ArrayAt<'a> {
    path: Path<'a>,
    def: TreeDef<'a>,
    /// The index of its first leaf.
    offset: usize,
}

debug_struct!([] ArrayAt<'_> { def, offset });

/// Two are equal if their structure and place are equal, even in different treedefs.
impl PartialEq for ArrayAt<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.def, self.offset, self.path.node()) == (other.def, other.offset, other.path.node())
    }
}

impl Eq for ArrayAt<'_> {}

impl<'a> TreeDef<'a> {
    /// The arrays, in order, with their ranges of leaves, shapes and paths, as the offsets that `destructure` of
    /// Julia's `Optimisers.jl` keeps.
    ///
    /// An array is the largest list of lists of leaves whose lengths agree on every level, such as `[[f32; 3]; 4]` or a
    /// list of equal lists. Every other leaf is an array of shape `[]`. A list without leaves is not an array. Every
    /// leaf is in exactly one array, so the ranges are the table of offsets of a flat vector that
    /// [`leaves_into`](crate::leaves_into) wrote.
    ///
    /// The cost is linear in the bytes and the arrays, not in the leaves: an array is one step, whatever its size, and
    /// at most 64 steps of its path. Each copy of a repeated node has arrays of its own. Of nested lists without a
    /// shape, each is read up to the first length that disagrees. `count`, `nth` and `last` step over copies together,
    /// without paths.
    ///
    /// # Errors
    ///
    /// The last item is [`Error::TooDeep`] if more than [`MAX_PENDING`](crate::format::MAX_PENDING) levels are pending
    /// inside a node that is not an array. That never happens in a treedef that [`TreeDef::from_bytes`] reads.
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
    /// Steps over at most `limit` arrays and returns their number.
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

/// The array that is the node that `nodes` read last, if it is one.
fn array<'a>(nodes: &Nodes<'a>, here: &Here<'a>) -> Option<TreeDef<'a>> {
    if here.head.kind() == Kind::Leaf {
        return Some(TreeDef::LEAF);
    }
    rectangle(nodes.last_node())
}

/// Steps over the nodes inside `array`, whose first node `nodes` read last.
fn skip<'a>(nodes: &mut Nodes<'a>, here: &Here<'a>, array: TreeDef<'a>) {
    if here.head.kind() != Kind::Leaf {
        nodes.skip(&here.head, array.node_count().saturating_sub(1));
    }
}

/// The node at the front, if it is an array: heads of lists, one run of leaves, and copies, which fill the lists from
/// the innermost outwards.
fn rectangle(bytes: &[u8]) -> Option<TreeDef<'_>> {
    let (mut rest, mut pending, mut leaves) = (bytes, 1_u32, 0_u32);
    // The number of nodes on the level that was read last, and on all levels below the root.
    let (mut width, mut below) = (1_u32, 0_u32);
    while pending > 0 {
        let (item, after) = read_item(rest).ok()?;
        rest = after;
        match item {
            // An empty list has no leaves, so neither it nor a list around it is an array.
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
    /// The indices of its elements among the leaves, row by row.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let leaves = [1, 2, 3, 4, 5];
    /// let def = treedef!({"b": *, "w": [[*, *], [*, *]]});
    /// let w = def.arrays().flatten().last().expect("it has arrays");
    /// assert_eq!(leaves[w.range()], [2, 3, 4, 5]);
    /// ```
    #[must_use]
    pub const fn range(&self) -> Range<usize> {
        let start = self.offset;
        start..start.saturating_add(self.def.num_leaves())
    }

    /// The length of every dimension, the outermost first; none for a leaf that is in no list.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let def = treedef!([[*, *, *], [*, *, *]]);
    /// let array = def.arrays().flatten().next().expect("it is an array");
    /// assert!(array.shape().eq([2, 3]));
    /// ```
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

    /// The path of the list or leaf; it prints as [`Path::keystr`](crate::Path::keystr).
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let def = treedef!({"b": *, "w": [*, *]});
    /// let paths = def.arrays().flatten().map(|array| array.path().to_string());
    /// assert!(paths.eq(["['b']", "['w']"]));
    /// ```
    #[must_use]
    pub const fn path(&self) -> Path<'a> {
        self.path
    }

    /// The structure of the array.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let def = treedef!({"b": *, "w": [*, *]});
    /// let defs = def.arrays().flatten().map(|array| array.treedef());
    /// assert!(defs.eq([treedef!(*), treedef!([*, *])]));
    /// ```
    #[must_use]
    pub const fn treedef(&self) -> TreeDef<'a> {
        self.def
    }
}
