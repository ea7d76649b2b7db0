//! A stored value: its nodes, as a migration asks for them.

use core::cell::Cell;
use core::iter::from_fn;
use core::ops::Range;

use crate::base::bytes::{after, small};
use crate::base::error::Error;
use crate::encode::schema::is_literal;
use crate::format::entry::{Entries, KeyEntry};
use crate::format::head::Kind;
use crate::format::reader::Input;
use crate::format::value::Value;
use crate::format::varint::read_choice;
use crate::record::older::table::{ENTRY, Entry, find_nodes};
use crate::record::page_choices::What;
use crate::record::page_node::Node;
use crate::tree::migrate::node::StoredNode;
use crate::tree::migrate::walk::MISMATCH;

/// A stored value: the page of its schema, its choices and its leaves, and its nodes.
pub(super) struct Stored<'v> {
    page: &'v [u8],
    choices: &'v [u8],
    leaves: &'v [u8],
    nodes: &'v [Cell<[u8; 4]>],
    pub(super) num_nodes: usize,
    pub(super) num_leaves: usize,
}

/// A node of a stored value: its entry.
#[derive(Clone, Copy)]
pub(super) struct At<'v> {
    of: &'v Stored<'v>,
    pub(super) node: usize,
}

impl PartialEq for At<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node && core::ptr::eq(self.of, other.of)
    }
}

/// A node that is open: the node in all options that are here, and which of its children was found last.
#[derive(Clone, Copy)]
pub(super) struct Open<'v> {
    pub(super) node: At<'v>,
    /// What it is: a leaf, a tuple, a list, a dictionary, a struct, or `None`.
    pub(super) kind: Kind,
    /// Of a struct, also a variant: its type name, fields and meta fields. Of another node what the page has.
    pub(super) schema: Node<'v>,
    /// The number of children.
    pub(super) count: usize,
    /// Where keys or the values of meta fields begin in the choices; of a leaf, where it begins.
    at: usize,
    /// The entry after all that is in it; of a leaf, where it ends.
    end: usize,
    /// The index of the key that is compared next, after the one that was found last, and where it begins in the choices.
    keys: (usize, usize),
    /// The child that was found last, and its index.
    pub(super) child: At<'v>,
    pub(super) index: usize,
}

impl<'v> Stored<'v> {
    /// Checks that a value is whole and nothing follows it, and finds its nodes. Takes twelve bytes of `room` for each, and returns the
    /// others.
    ///
    /// # Errors
    ///
    /// [`Error::BufferFull`]; [`Error::WrongChoices`] if these are the bytes of no value.
    pub(super) fn check<'d: 'v>(
        page: &'v [u8],
        [leaves, choices]: [&'v [u8]; 2],
        room: &'d mut [u8],
    ) -> Result<(Self, &'d mut [u8]), Error> {
        let most = room.len();
        let found = find_nodes(page, [leaves, choices], room.as_chunks_mut().0);
        let (num_nodes, num_leaves) = found.ok_or(Error::WrongChoices { at: 0 })?;
        let needed = num_nodes.saturating_mul(4 * ENTRY);
        let Some((nodes, room)) = room.split_at_mut_checked(needed) else {
            return Err(Error::BufferFull { needed, room: most });
        };
        let nodes = Cell::from_mut(nodes.as_chunks_mut().0).as_slice_of_cells();
        Ok((Self { page, choices, leaves, nodes, num_nodes, num_leaves }, room))
    }

    pub(super) const fn root(&self) -> At<'_> {
        At { of: self, node: 0 }
    }

    /// The leaf that is the node with this index.
    pub(super) fn leaf(&'v self, node: usize) -> Option<LeafBytes<'v>> {
        At { of: self, node }.leaf()
    }

    /// The number of meta fields of the nodes that were not noted, and of the keys of those of them that are maps without leaves.
    pub(super) fn other_meta(&self) -> usize {
        let nodes = (0..self.num_nodes).map(|node| (At { of: self, node }, self.entry(node)));
        nodes.filter(|(_, entry)| !entry.is_noted).fold(0usize, |count, (at, entry)| {
            count.wrapping_add(match entry.what {
                What::Struct => {
                    At::meta_fields(&at.open()).fold(0, |count, _| count.wrapping_add(1))
                }
                What::Map if at.num_leaves() == 0 => at.open().count,
                _ => 0,
            })
        })
    }

    /// Notes whether what becomes of the meta fields and the keys of these nodes is known: [`StoredNode::note`].
    fn note(&self, nodes: Range<usize>, is_known: bool) {
        for node in nodes {
            if let Some(slot) = self.nodes.get(node.wrapping_mul(ENTRY)) {
                let [first, a, b, c] = slot.get();
                let noted = if is_known { Entry::NOTED } else { 0 };
                slot.set([first & !Entry::NOTED | noted, a, b, c]);
            }
        }
    }

    #[inline(never)]
    fn entry(&self, node: usize) -> Entry {
        let numbers = self.nodes.get(node.wrapping_mul(ENTRY)..);
        numbers.and_then(|numbers| numbers.first_chunk()).map_or(Entry::EMPTY, Entry::read)
    }

    /// The entry after a node and all that is in it.
    fn after(&self, mut node: usize) -> usize {
        loop {
            let Entry { what, next, .. } = self.entry(node);
            let after = node.wrapping_add(1);
            match what {
                What::Some => node = after,
                What::Leaf | What::None => return after,
                _ => return next,
            }
        }
    }
}

impl<'v> At<'v> {
    /// The root of the value.
    pub(super) const fn root(self) -> Self {
        self.of.root()
    }

    const fn at(self, node: usize) -> Self {
        Self { node, ..self }
    }

    /// The entries of the node and of all that is in it.
    fn all(self) -> impl Iterator<Item = Entry> {
        let of = self.of;
        (self.node..of.after(self.node)).map(|node| of.entry(node))
    }

    /// The option here: what is in it, or that it is `None`, and whether it is an option of options. `None` if here is no option.
    #[inline(never)]
    pub(super) fn option(self) -> Option<(Option<Self>, bool)> {
        let Entry { what, schema, .. } = self.of.entry(self.node);
        let inside = match what {
            What::None => None,
            What::Some => Some(self.at(self.node.wrapping_add(1))),
            _ => return None,
        };
        let inside_schema = Node::at(self.of.page, schema).inside_at();
        Some((inside, Node::at(self.of.page, inside_schema).name() == b"an option"))
    }
}

impl<'v> Open<'v> {
    fn values(&self) -> &'v [u8] {
        after(self.node.of.choices, self.at)
    }

    /// The bytes of the keys of a dictionary.
    pub(super) fn keys(&self) -> &'v [u8] {
        let mut rest = Input::new(self.values());
        (0..self.count).for_each(|_| _ = Value::take(&mut rest));
        let len = self.values().len().wrapping_sub(rest.rest.len());
        self.values().get(..len).unwrap_or_default()
    }

    /// The child with this index. Children are found fastest in their order.
    pub(super) fn child(&mut self, index: usize) -> Option<At<'v>> {
        if index >= self.count {
            return None;
        }
        if index < self.index {
            (self.child, self.index) = (self.node.at(self.node.node.wrapping_add(1)), 0);
        }
        while self.index < index {
            let next = self.node.of.after(self.child.node);
            // Elements that take no bytes are one node.
            if next >= self.end {
                break;
            }
            self.child.node = next;
            self.index = self.index.wrapping_add(1);
        }
        Some(self.child)
    }
}

/// The next of the meta fields of the page, with the next of the values that are choices if it has no constant.
#[inline(never)]
fn next_meta<'v>(own: &mut Input<'v>, values: &mut Input<'v>) -> Option<(&'v str, Value<'v>)> {
    let (name, value) = (own.text()?, Value::take(own)?);
    Some((name, if is_literal(&value) { value } else { Value::take(values)? }))
}

/// A leaf of a record: its node, the name of its type, and its bytes.
#[derive(Clone, Copy)]
pub(super) struct LeafBytes<'v> {
    pub(super) index: usize,
    pub(super) of: &'v str,
    pub(super) bytes: &'v [u8],
}

impl<'v> StoredNode<'v> for At<'v> {
    type Open = Open<'v>;
    type Leaf = LeafBytes<'v>;

    const HAS_KINDS: bool = false;

    #[inline(never)]
    fn open(mut self) -> Open<'v> {
        let mut entry = self.of.entry(self.node);
        while let What::Some = entry.what {
            self.node = self.node.wrapping_add(1);
            entry = self.of.entry(self.node);
        }
        let schema = Node::at(self.of.page, entry.schema);
        let (mut at, mut count) = (entry.at, schema.count());
        let kind = match entry.what {
            What::Leaf => Kind::Leaf,
            What::Tuple => Kind::Tuple,
            What::Struct => Kind::Struct,
            What::None | What::Some => Kind::None,
            What::Array => {
                count = schema.room().unwrap_or(0);
                Kind::List
            }
            list => {
                let choices = after(self.of.choices, at);
                let (len, keys) = read_choice(choices).unwrap_or((0, &[]));
                (count, at) = (len, self.of.choices.len().wrapping_sub(keys.len()));
                if let What::List = list { Kind::List } else { Kind::Dict }
            }
        };
        if matches!(kind, Kind::Leaf | Kind::None) {
            count = 0;
        }
        let child = self.at(self.node.wrapping_add(1));
        let end = entry.next;
        Open { node: self, kind, schema, count, at, end, keys: (0, at), child, index: 0 }
    }

    fn what(open: &Open<'v>) -> (Kind, Option<&'v str>) {
        (open.kind, if open.kind == Kind::Struct { open.schema.head.type_name() } else { None })
    }

    fn names(open: &Open<'v>) -> Entries<'v> {
        match open.kind {
            Kind::Dict => Entries::of_keys(open.count, open.values()),
            Kind::Struct => open.schema.head.entries(),
            _ => Entries::positions(open.count),
        }
    }

    /// Those of the page, with the values that are choices.
    fn meta_fields(open: &Open<'v>) -> impl Iterator<Item = (&'v str, Value<'v>)> {
        let own = if open.kind == Kind::Struct { open.schema.head.meta() } else { &[] };
        let (mut own, mut values) = (Input::new(own), Input::new(open.values()));
        from_fn(move || next_meta(&mut own, &mut values))
    }

    fn child(open: &mut Open<'v>, index: u32) -> Option<Self> {
        open.child(index as usize)
    }

    fn find(open: &mut Open<'v>, name: KeyEntry<'_>, _: bool) -> Option<Self> {
        let index = match (open.kind, name) {
            (Kind::Struct, KeyEntry::Attr(name)) => open.schema.head.position(name)?,
            // Keys that are searched in their order are found in one pass.
            (Kind::Dict, KeyEntry::Key(key)) => (0..open.count).find_map(|_| {
                let (index, start) =
                    if open.keys.0 == open.count { (0, open.at) } else { open.keys };
                let mut rest = Input::new(after(open.node.of.choices, start));
                let own = Value::take(&mut rest)?;
                let end = open.node.of.choices.len().wrapping_sub(rest.rest.len());
                open.keys = (index.wrapping_add(1), end);
                (own == key).then_some(small(index))
            })?,
            _ => Self::names(open).index_of(name)?,
        };
        open.child(index as usize)
    }

    fn inside(self, is_nested: bool) -> Option<Self> {
        match self.option() {
            Some((Some(inside), here)) if here || !is_nested => Some(inside),
            Some((None, _)) => None,
            _ => Some(self),
        }
    }

    fn leaf(self) -> Option<LeafBytes<'v>> {
        let Open { kind: Kind::Leaf, node, schema, at, end, .. } = self.open() else { return None };
        let of = core::str::from_utf8(schema.leaf()).ok()?;
        Some(LeafBytes { index: node.node, of, bytes: self.of.leaves.get(at..end)? })
    }

    fn wrong_leaf(_: LeafBytes<'v>) -> Error {
        MISMATCH
    }

    fn num_leaves(self) -> usize {
        self.all()
            .filter(|entry| entry.what == What::Leaf)
            .fold(0, |count, _| count.wrapping_add(1))
    }

    fn note(open: &Open<'v>) {
        open.node.of.note(open.node.node..open.node.node.wrapping_add(1), true);
    }

    fn note_all(self) {
        self.of.note(self.node..self.of.after(self.node), true);
    }

    fn forget_all(self) {
        self.of.note(self.node..self.of.after(self.node), false);
    }
}
