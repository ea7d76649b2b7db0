//! Makes the structure of a stored value as a treedef.
//!
//! The structure is read once, by a migration, so it is not canonical: equal neighbours are written out, and all keys are values.

use crate::base::bytes::copy;
use crate::base::error::Error;
use crate::encode::schema::is_literal;
use crate::format::head::{self, Head, Kind, kind_and_count};
use crate::format::pieces::{Stop, put_block, put_run};
use crate::format::varint::Front;
use crate::record::older::stored::{At, LeafBytes, Open, Stored};
use crate::tree::migrate::node::StoredNode;
use crate::treedef::treedef::TreeDef;

/// The most bytes that are counted after the end of the room.
const MOST: usize = 1 << 16;

/// A stored value: its structure, and where its leaves are.
#[derive(Clone, Copy)]
pub(super) struct Expanded<'v> {
    pub(super) def: TreeDef<'v>,
    pub(super) stored: &'v Stored<'v>,
    /// For each leaf, the last one first: which node it is.
    places: &'v [[u8; PLACE]],
}

/// The bytes of an entry of `places`.
const PLACE: usize = 4;

impl<'v> Expanded<'v> {
    /// The leaf with this index.
    pub(super) fn leaf(&self, index: u32) -> Option<LeafBytes<'v>> {
        let place = self.places.iter().nth_back(index as usize)?;
        self.stored.leaf(u32::from_le_bytes(*place) as usize)
    }
}

/// Writes the structure of a value to `room`, and returns what is left of that.
///
/// # Errors
///
/// [`Error::BufferFull`] with the number of bytes that are needed.
pub(super) fn expand<'v, 'd: 'v>(
    stored: &'v Stored<'v>,
    room: &'d mut [u8],
) -> Result<(Expanded<'v>, &'d mut [u8]), Error> {
    let most = room.len();
    let mut expanding = Expanding { room, len: 0, count: 0 };
    let is_whole = expanding.tree(stored.root()).is_some();
    let Expanding { room, len, count } = expanding;
    let places = count.saturating_mul(PLACE);
    let needed = len.saturating_add(places);
    if needed > most || !is_whole {
        return Err(Error::BufferFull { needed, room: most });
    }
    let (front, places) = room.split_at_mut_checked(most.wrapping_sub(places)).unwrap_or_default();
    let (def, room) = front.split_at_mut_checked(len).unwrap_or_default();
    let leaves = u32::try_from(stored.num_leaves).unwrap_or(u32::MAX);
    let def = TreeDef::trusted(def, leaves);
    Ok((Expanded { def, stored, places: places.as_chunks().0 }, room))
}

/// What was written.
struct Expanding<'v> {
    /// The structure is written from its front, the places of leaves from its end.
    room: &'v mut [u8],
    len: usize,
    count: usize,
}

impl Expanding<'_> {
    /// Writes the structure of the value here.
    fn tree(&mut self, mut at: At<'_>) -> Option<()> {
        if self.len > self.room.len().saturating_add(MOST) {
            return None;
        }
        while let Some((inside, is_nested)) = at.option() {
            let Some(inside) = inside else {
                self.put(Head::NONE.as_bytes());
                return Some(());
            };
            if is_nested {
                self.put(Head::SOME.as_bytes());
            }
            at = inside;
        }
        let mut node = at.open();
        match node.kind {
            Kind::Leaf => return self.leaf(at.node),
            Kind::Tuple => self.put(node.schema.head.as_bytes()),
            Kind::List => self.put(kind_and_count(head::LIST, node.count).as_bytes()),
            Kind::Dict => {
                let front = Front::of([head::EXT << 5 | head::EXT_DICT_TYPED]);
                self.put(front.then_number(node.count as u64).as_bytes());
                self.put(Front::number(node.keys().len() as u64).as_bytes());
                self.put(node.keys());
            }
            _ => self.record(&node)?,
        }
        (0..node.count).try_for_each(|index| self.tree(node.child(index)?))
    }

    /// Writes the head of a struct or a variant: that of the page, with the values of the meta fields.
    fn record(&mut self, node: &Open<'_>) -> Option<()> {
        let head = &node.schema.head;
        if head.meta_fields().all(|(_, value)| is_literal(&value)) {
            self.put(head.as_bytes());
            return Some(());
        }
        self.put(kind_and_count(head::STRUCT, head.arity() as usize).as_bytes());
        let mut put = |piece: &[u8]| {
            self.put(piece);
            Ok::<(), Stop>(())
        };
        let written = put_block(&mut put, |out| {
            put_run(head.type_name().unwrap_or_default().as_bytes(), out)?;
            head.fields().try_for_each(|field| put_run(field.as_bytes(), out))?;
            At::meta_fields(node).try_for_each(|(name, value)| {
                put_run(name.as_bytes(), out)?;
                value.pieces(out)
            })
        });
        written.ok()
    }

    /// Writes a leaf, which is the node with this index.
    fn leaf(&mut self, node: usize) -> Option<()> {
        self.put(Head::LEAF.as_bytes());
        self.count = self.count.saturating_add(1);
        let start = self.room.len().checked_sub(self.count.saturating_mul(PLACE));
        let place = start.and_then(|start| self.room.get_mut(start..)?.first_chunk_mut());
        if let Some(place) = place {
            *place = u32::try_from(node).ok()?.to_le_bytes();
        }
        Some(())
    }

    /// Writes bytes of the structure. What has no room is counted.
    fn put(&mut self, bytes: &[u8]) {
        let end = self.len.saturating_add(bytes.len());
        let most = self.room.len().saturating_sub(self.count.saturating_mul(PLACE));
        if end <= most
            && let Some(slots) = self.room.get_mut(self.len..end)
        {
            copy(slots, bytes);
        }
        self.len = end;
    }
}
