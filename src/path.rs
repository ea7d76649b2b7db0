//! Where a leaf stands: the entries on the way from the root.

use crate::entry::KeyEntry;
use crate::head::{Head, Item, read_item};
use crate::show::debug_struct;
use crate::traverse::skip;
use crate::treedef::TreeDef;

/// The path of one leaf: a treedef and an index, 24 bytes, no strings.
///
/// Its entries are found in one scan of the treedef, whatever its depth, without a stack.
#[derive(Clone, Copy)]
pub struct Path<'a> {
    def: TreeDef<'a>,
    leaf: u32,
}

debug_struct!([] Path<'_> { def, leaf });

impl<'a> TreeDef<'a> {
    /// The path of the leaf with this index; `None` if there are fewer leaves.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{KeyEntry, TreeDef, Value};
    ///
    /// // [*, {'a': (*, *)}]
    /// let def = TreeDef::from_bytes(&[0x42, 0x00, 0x61, 2, 1, b'a', 0x22, 0x01])?;
    /// let path = def.path(2).into_iter().flat_map(|path| path.entries());
    /// assert!(path.eq([KeyEntry::Index(1), KeyEntry::Key(Value::Str("a")), KeyEntry::Index(1)]));
    /// # Ok::<(), treedef::DecodeError>(())
    /// ```
    pub fn path(&self, leaf: usize) -> Option<Path<'a>> {
        let leaf = u32::try_from(leaf).ok().filter(|_| leaf < self.num_leaves())?;
        Some(Path { def: *self, leaf })
    }

    /// The paths of all leaves in order.
    ///
    /// Each path is found by its own scan; all of them together cost leaves times bytes.
    pub fn paths(&self) -> impl ExactSizeIterator<Item = Path<'a>> + Clone + use<'a> {
        let def = *self;
        (0..def.num_leaves()).map(move |leaf| Path { def, leaf: u32::try_from(leaf).unwrap_or(0) })
    }
}

impl<'a> Path<'a> {
    /// The index of the leaf.
    pub const fn leaf(&self) -> usize {
        self.leaf as usize
    }

    /// The entries from the root to the leaf; none for a bare leaf.
    pub fn entries(&self) -> PathEntries<'a> {
        PathEntries { bytes: self.def.as_bytes(), leaf: self.leaf }
    }
}

/// The entries of a [`Path`].
#[derive(Clone)]
pub struct PathEntries<'a> {
    /// The bytes from the current node on.
    bytes: &'a [u8],
    /// The index of the leaf below the current node.
    leaf: u32,
}

debug_struct!([] PathEntries<'_> { leaf });

impl<'a> PathEntries<'a> {
    /// The node on the way and the index of the child that leads on.
    pub(crate) fn step(&mut self) -> Option<(Head<'a>, u32)> {
        let (Item::Node(head), mut rest) = read_item(self.bytes).ok()? else { return None };
        let (mut index, mut unit) = (0u32, rest);
        // The leaf is known to be below this node, so one of the items holds it.
        loop {
            let (item, after) = read_item(rest).ok()?;
            match item {
                Item::Leaves(count) => {
                    let Some(behind) = self.leaf.checked_sub(count) else {
                        index = index.checked_add(self.leaf)?;
                        self.bytes = TreeDef::LEAF.as_bytes();
                        break;
                    };
                    self.leaf = behind;
                    index = index.checked_add(count)?;
                    rest = after;
                }
                Item::Same { copies, leaves } if u64::from(self.leaf) < product(copies, leaves) => {
                    index = index.checked_add(self.leaf.checked_div(leaves)?)?;
                    self.leaf = self.leaf.checked_rem(leaves)?;
                    self.bytes = unit;
                    break;
                }
                Item::Same { copies, leaves } => {
                    self.leaf = self.leaf.checked_sub(copies.checked_mul(leaves)?)?;
                    index = index.checked_add(copies)?;
                    rest = after;
                }
                Item::Node(_) if index.checked_add(1) == Some(head.arity()) => {
                    // The last child holds the leaf: a chain is read once, not once a level.
                    self.bytes = rest;
                    break;
                }
                Item::Node(_) => {
                    let child = skip(rest)?;
                    let Some(behind) = self.leaf.checked_sub(child.leaves) else {
                        self.bytes = rest;
                        break;
                    };
                    self.leaf = behind;
                    index = index.checked_add(1)?;
                    (unit, rest) = (rest, child.rest);
                }
            }
        }
        Some((head, index))
    }
}

impl<'a> Iterator for PathEntries<'a> {
    type Item = KeyEntry<'a>;

    fn next(&mut self) -> Option<KeyEntry<'a>> {
        let (head, index) = self.step()?;
        head.entries().nth(index as usize)
    }
}

fn product(copies: u32, leaves: u32) -> u64 {
    u64::from(copies).wrapping_mul(u64::from(leaves))
}
