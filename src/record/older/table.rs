//! The table of the nodes of a stored value.
//!
//! The page and the choices are read once, when the value is checked. What is found is a table in the room of the load, in preorder, with
//! an entry for each node: where its schema is in the page, where its leaf or its own choices begin, and which entry follows all that is in
//! it. For `(Some(1), [2, 3])`:
//!
//! ```text
//! 0  a tuple          the next is 6
//! 1  an option, Some
//! 2  a leaf           1
//! 3  a list           2 elements; the next is 6
//! 4  a leaf           2
//! 5  a leaf           3
//! ```

use core::cell::Cell;

use crate::encode::depth::MAX_DEPTH;
use crate::record::kind::take_leaf;
use crate::record::page_choices::{Around, Choices, Found, What};
use crate::record::page_node::Node;
use crate::tree::build::from_choices::MOST_EMPTY;
use crate::tree::leaf_form::LeafForm;

/// An entry is three numbers. (Not bytes: their number would be found by a division, which a small processor has no instruction for.)
pub(super) const ENTRY: usize = 3;

/// What the table has of a node.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) what: What,
    /// Whether the migration has said what becomes of its meta fields. Those of all other nodes are lost.
    pub(super) is_noted: bool,
    /// The position in the page: of a variant, that of the variant.
    pub(super) schema: usize,
    /// Where the leaf begins, or the choices of the node itself.
    pub(super) at: usize,
    /// Where the leaf ends, or the entry after all that is in the node; 0 of a `Some`.
    pub(super) next: usize,
}

impl Entry {
    /// No node: for an index that no table has.
    pub(super) const EMPTY: Self =
        Self { what: What::None, is_noted: false, schema: 0, at: 0, next: 0 };

    /// The bit of the first number that says whether the node was noted.
    pub(super) const NOTED: u8 = 8;

    pub(super) fn read([schema, at, next]: &[Cell<[u8; 4]>; ENTRY]) -> Self {
        let number = |bytes: &Cell<[u8; 4]>| u32::from_le_bytes(bytes.get()) as usize;
        let (schema, at, next) = (number(schema), number(at), number(next));
        let is_noted = schema & usize::from(Self::NOTED) != 0;
        let what = match schema & 7 {
            0 => What::Leaf,
            1 => What::Tuple,
            2 => What::Array,
            3 => What::List,
            4 => What::Map,
            5 => What::Struct,
            6 => What::None,
            _ => What::Some,
        };
        Self { what, is_noted, schema: schema >> 4, at, next }
    }

    /// `None` if a number is too large for its place.
    fn numbers(self) -> Option<[[u8; 4]; ENTRY]> {
        let number = |number| u32::try_from(number).ok().map(u32::to_le_bytes);
        let schema = self.schema.checked_mul(16)?.wrapping_add(self.what as usize);
        Some([number(schema)?, number(self.at)?, number(self.next)?])
    }
}

/// A value that is checked: what is left of its choices and leaves, and the nodes that were found.
struct Checking<'v, 'n> {
    choices: Choices<'v>,
    leaves: &'v [u8],
    /// The number of bytes of all leaves and choices.
    len: [usize; 2],
    /// Room for entries, and how many there are, also beyond it.
    nodes: &'n mut [[u8; 4]],
    count: usize,
    num_leaves: usize,
    /// The number of nodes that there can be besides: those that the bytes can be, and [`MOST_EMPTY`].
    most: usize,
    /// The nodes around the one that is read.
    levels: u32,
}

/// Finds the nodes of a value, and writes their entries as far as there is room. The result is the number of nodes and of leaves; `None` if
/// these are the bytes of no value.
pub(super) fn find_nodes<'v>(
    page: &'v [u8],
    [leaves, choices]: [&'v [u8]; 2],
    nodes: &mut [[u8; 4]],
) -> Option<(usize, usize)> {
    let bytes = leaves.len().saturating_add(choices.len()).saturating_mul(page.len());
    let mut checking = Checking {
        choices: Choices { page, rest: choices },
        leaves,
        len: [leaves.len(), choices.len()],
        nodes,
        count: 0,
        num_leaves: 0,
        most: bytes.saturating_add(MOST_EMPTY),
        levels: 0,
    };
    checking.node(0, None)?;
    let is_whole = checking.choices.rest.is_empty() && checking.leaves.is_empty();
    is_whole.then_some((checking.count, checking.num_leaves))
}

impl Checking<'_, '_> {
    /// Counts nodes, `None` if they are too many.
    fn pass_nodes(&mut self, count: usize) -> Option<()> {
        self.most = self.most.checked_sub(count)?;
        Some(())
    }

    /// Reads the node that has its schema here, and what is in it. `None` if these are the bytes of no value. Otherwise the position in the
    /// page after the schema, which is known if all of it was read: of an enum only one variant is, and a recursion is elsewhere.
    #[inline(never)]
    fn node(&mut self, from: usize, around: Option<&Around<'_>>) -> Option<Option<usize>> {
        self.pass_nodes(1)?;
        let Self { choices, nodes, count, .. } = self;
        let Found { what, schema, of } = choices.find(from, around, |schema| {
            let what = What::Some;
            keep(nodes, *count, Entry { what, is_noted: false, schema, at: 0, next: 0 })?;
            *count = count.wrapping_add(1);
            Some(())
        })?;
        let page = choices.page;
        let node = self.count;
        self.count = node.wrapping_add(1);
        let mut at = self.len[1].wrapping_sub(self.choices.rest.len());
        let count = self.choices.count(what, &schema)?;
        if let What::Leaf = what {
            at = self.len[0].wrapping_sub(self.leaves.len());
            take_leaf(LeafForm::of(schema.leaf()).len(), &mut self.leaves)?;
            self.num_leaves = self.num_leaves.wrapping_add(1);
        }
        if count > 0 && self.levels >= MAX_DEPTH {
            return None;
        }
        self.levels = self.levels.wrapping_add(1);
        let has_own_schemas = matches!(what, What::Struct | What::Tuple);
        let here = Around { schema: of, outer: around };
        let (mut child, mut left) = (schema.inside_at(), count);
        while let Some(others) = left.checked_sub(1) {
            left = others;
            let before = (self.choices.rest.len(), self.num_leaves, self.most);
            let end = self.node(child, Some(&here))?;
            if has_own_schemas {
                child = end.unwrap_or_else(|| Node::end_of(page, child));
            } else if (self.choices.rest.len(), self.num_leaves) == (before.0, before.1) {
                // If they take no bytes, all elements are equal, and have one entry.
                let nodes = before.2.wrapping_sub(self.most);
                self.pass_nodes(nodes.saturating_mul(others))?;
                break;
            }
        }
        self.levels = self.levels.wrapping_sub(1);
        let mut next = self.count;
        if let What::Leaf = what {
            next = self.len[0].wrapping_sub(self.leaves.len());
        }
        keep(self.nodes, node, Entry { what, is_noted: false, schema: schema.at, at, next })?;
        Some((has_own_schemas && schema.at == from).then_some(child))
    }
}

/// Keeps the entry of a node.
fn keep(nodes: &mut [[u8; 4]], node: usize, entry: Entry) -> Option<()> {
    let (numbers, slots) = (entry.numbers()?, nodes.get_mut(node.wrapping_mul(ENTRY)..));
    if let Some(slots) = slots.and_then(|slots| slots.first_chunk_mut()) {
        *slots = numbers;
    }
    Some(())
}
