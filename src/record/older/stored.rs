//! A stored value, read by the schema page of the version that wrote it: nodes, and the way from a node to its children.
//!
//! A node is where its schema is in the page, where its choices begin, and which leaf is its first. What is in a node says how far it
//! reaches, so the children before a child are passed to find it. Where leaves end is found once, when the value is checked.

use core::cell::Cell;

use crate::base::bytes::after;
use crate::base::error::Error;
use crate::encode::depth::MAX_DEPTH;
use crate::encode::schema::is_literal;
use crate::format::entry::{Entries, KeyEntry};
use crate::format::head::{Head, Kind};
use crate::format::keys::Keys;
use crate::format::reader::{Input, read_run};
use crate::format::value::Value;
use crate::format::value_bytes::{STR, skip_value};
use crate::format::varint::read_choice;
use crate::record::kind::take_leaf;
use crate::tree::migrate::node::{Step, StoredNode};
use crate::tree::migrate::walk::MISMATCH;

/// The most nodes of a value, besides those that its bytes can be: a few bytes of a page from outside can say that there are lists of
/// billions of elements which take no bytes.
const MOST_EMPTY: usize = 1 << 16;

/// The bytes of the end of a leaf.
const END: usize = 4;

/// A stored value: the page of its schema, its choices and its leaves.
pub(super) struct Stored<'v> {
    page: &'v [u8],
    choices: &'v [u8],
    leaves: &'v [u8],
    /// Where each leaf ends.
    ends: &'v [Cell<[u8; END]>],
    /// The number of leaves of which that is known, and the end of the last of them.
    known: Cell<usize>,
    end: Cell<usize>,
    /// The number of nodes that were passed, and the most of them that there can be.
    passed: Cell<usize>,
    most: Cell<usize>,
    /// The number of nodes around the one that is passed.
    depth: Cell<u32>,
}

/// A node of a stored value: positions in its page and its choices, and the number of leaves before it.
#[derive(Clone, Copy)]
pub(super) struct At<'v> {
    of: &'v Stored<'v>,
    /// The position in the page.
    pub(super) schema: usize,
    choices: usize,
    pub(super) leaves: usize,
}

impl PartialEq for At<'_> {
    fn eq(&self, other: &Self) -> bool {
        // Of two nodes with one schema, the second one begins after the first.
        self.schema == other.schema
            && self.choices == other.choices
            && self.leaves == other.leaves
            && core::ptr::eq(self.of, other.of)
    }
}

/// A node whose own choices are read. Options are no nodes: this is what is in them.
#[derive(Clone, Copy)]
pub(super) struct Node<'v> {
    /// What it is: a leaf, a tuple, a list, a dictionary, a struct, or `None`.
    pub(super) kind: Kind,
    /// Of a struct, also a variant: its type name, fields and meta fields. Of another node what the page has.
    pub(super) head: Head<'v>,
    /// The number of children.
    pub(super) count: usize,
    /// Where keys or the values of meta fields begin in the choices.
    values: usize,
    /// The first child, or the leaf.
    pub(super) first: At<'v>,
    /// Whether its schema ends where that of its last child does.
    ends_with_child: bool,
}

/// The meta fields of a struct: those of the page, with the values that are choices.
#[derive(Clone)]
pub(super) struct MetaFields<'v> {
    own: Input<'v>,
    values: Input<'v>,
}

impl<'v> Iterator for MetaFields<'v> {
    type Item = (&'v str, Value<'v>);

    #[inline(never)]
    fn next(&mut self) -> Option<Self::Item> {
        let (name, value) = (self.own.text()?, Value::take(&mut self.own)?);
        let value = if is_literal(&value) { value } else { Value::take(&mut self.values)? };
        Some((name, value))
    }
}

/// The children of a node, which are found fastest in their order.
#[derive(Clone, Copy)]
pub(super) struct Children<'v> {
    pub(super) node: Node<'v>,
    /// The child that was found last, and its index.
    pub(super) at: At<'v>,
    pub(super) index: usize,
}

impl<'v> Stored<'v> {
    /// Checks that a value is whole and nothing follows it, and finds where its leaves end. Takes four bytes of `room` for each leaf, and
    /// returns the others.
    ///
    /// # Errors
    ///
    /// [`Error::BufferFull`]; [`Error::WrongChoices`] if these are the bytes of no value.
    pub(super) fn check<'d: 'v>(
        page: &'v [u8],
        parts: [&'v [u8]; 2],
        room: &'d mut [u8],
    ) -> Result<(Self, &'d mut [u8]), Error> {
        let most = room.len();
        let count =
            Stored::new(page, parts, room).find_ends().ok_or(Error::WrongChoices { at: 0 })?;
        let needed = count.saturating_mul(END);
        let Some((ends, room)) = room.split_at_mut_checked(needed) else {
            return Err(Error::BufferFull { needed, room: most });
        };
        let stored = Self::new(page, parts, ends);
        stored.known.set(count);
        // The value is whole, so what is passed again is as much as it has.
        stored.most.set(usize::MAX);
        Ok((stored, room))
    }

    fn new(page: &'v [u8], [leaves, choices]: [&'v [u8]; 2], room: &'v mut [u8]) -> Self {
        let ends = Cell::from_mut(room.as_chunks_mut().0).as_slice_of_cells();
        let bytes = leaves.len().saturating_add(choices.len()).saturating_mul(page.len());
        let most = Cell::new(bytes.saturating_add(MOST_EMPTY));
        let [known, end, passed] = [const { Cell::new(0) }; 3];
        let depth = Cell::new(0);
        Self { page, choices, leaves, ends, known, end, passed, most, depth }
    }

    pub(super) const fn root(&self) -> At<'_> {
        At { of: self, schema: 0, choices: 0, leaves: 0 }
    }

    /// The number of leaves.
    pub(super) const fn count(&self) -> usize {
        self.known.get()
    }

    /// The leaf with this index, which has this position in the page.
    pub(super) fn leaf(&'v self, schema: usize, leaf: usize) -> Option<StoredLeaf<'v>> {
        At { of: self, schema, choices: 0, leaves: leaf }.leaf()
    }

    /// Finds where the leaves end, as far as there is room, and returns how many there are.
    fn find_ends(&self) -> Option<usize> {
        let end = self.root().pass()?;
        let is_whole = end.choices == self.choices.len() && self.end.get() == self.leaves.len();
        is_whole.then_some(self.known.get())
    }

    /// Counts nodes, `None` if they are too many.
    fn pass_nodes(&self, count: usize) -> Option<()> {
        self.passed.set(self.passed.get().saturating_add(count));
        (self.passed.get() <= self.most.get()).then_some(())
    }

    /// The position before a leaf.
    fn start(&self, leaf: usize) -> Option<usize> {
        match leaf.checked_sub(1) {
            Some(before) => usize::try_from(u32::from_le_bytes(self.ends.get(before)?.get())).ok(),
            None => Some(0),
        }
    }

    /// Finds where the next leaf ends, which is of the type with this name.
    fn pass_leaf(&self, leaf: usize, name: &[u8]) -> Option<()> {
        let mut rest = self.leaves.get(self.end.get()..)?;
        take_leaf(name, &mut rest)?;
        let end = self.leaves.len().wrapping_sub(rest.len());
        if let Some(slot) = self.ends.get(leaf) {
            slot.set(u32::try_from(end).ok()?.to_le_bytes());
        }
        self.end.set(end);
        self.known.set(leaf.wrapping_add(1));
        Some(())
    }

    fn head(&self, schema: usize) -> Head<'v> {
        Head::trusted(after(self.page, schema))
    }

    /// The position in the page after a node.
    #[inline(never)]
    fn after(&self, mut schema: usize) -> usize {
        let mut left = 1usize;
        while left > 0 && schema < self.page.len() {
            let head = self.head(schema);
            schema = schema.wrapping_add(head.as_bytes().len());
            left = left.wrapping_sub(1).wrapping_add(head.num_children());
        }
        schema
    }

    /// The node around a position, or there: the first one that ends after it, of those from `child` on.
    fn child_around(&self, mut child: usize, schema: usize) -> usize {
        loop {
            let end = self.after(child);
            if end > schema {
                return child;
            }
            child = end;
        }
    }

    /// The innermost struct or enum with this name around a position.
    #[inline(never)]
    fn around(&self, schema: usize, name: &[u8]) -> Option<usize> {
        let (mut at, mut found) = (0, None);
        while at < schema {
            let head = self.head(at);
            let mut child = at.wrapping_add(head.as_bytes().len());
            let is_enum = self::name(&head) == b"an enum";
            // An enum has the name of its first variant, which itself is not what it names.
            let own = if is_enum { self.head(child) } else { head };
            if self::name(&own) == name {
                found = Some(at);
            }
            child = self.child_around(child, schema);
            at = match is_enum {
                true => {
                    self.child_around(child.wrapping_add(self.head(child).as_bytes().len()), schema)
                }
                false => child,
            };
        }
        found
    }
}

/// The type name of a node of the page, which is read without a check for UTF-8. A tuple has none.
fn name<'v>(head: &Head<'v>) -> &'v [u8] {
    match (head.kind(), read_run(head.block())) {
        (Kind::Struct, Some((name, _))) => name,
        _ => &[],
    }
}

/// What a node of the page says of itself: the value of a meta field, with its tag in front.
fn note<'v>(head: &Head<'v>, name: &str) -> Option<&'v [u8]> {
    let mut rest = head.meta();
    loop {
        let (own, value) = read_run(rest)?;
        if own == name.as_bytes() {
            return Some(value);
        }
        rest = skip_value(value)?;
    }
}

/// The capacity of a list or a map, or the length of an array.
fn room(head: &Head<'_>) -> Option<usize> {
    match Value::take(&mut Input::new(note(head, "room")?))? {
        Value::Int(room) => usize::try_from(room).ok(),
        _ => None,
    }
}

/// The text of a note.
fn text<'v>(head: &Head<'v>, name: &str) -> Option<&'v [u8]> {
    match note(head, name)? {
        [STR, text @ ..] => Some(read_run(text)?.0),
        _ => None,
    }
}

impl<'v> At<'v> {
    /// The root of the value.
    pub(super) const fn root(self) -> Self {
        self.of.root()
    }

    fn choice(&mut self) -> Option<usize> {
        let (choice, rest) = read_choice(self.of.choices.get(self.choices..)?)?;
        self.choices = self.of.choices.len().wrapping_sub(rest.len());
        Some(choice)
    }

    /// Passes `count` keys or values of meta fields.
    fn pass_values(&mut self, count: usize) -> Option<()> {
        let mut input = Input::new(self.of.choices.get(self.choices..)?);
        for _ in 0..count {
            Value::take(&mut input)?;
        }
        self.choices = self.of.choices.len().wrapping_sub(input.rest.len());
        Some(())
    }

    /// The option here: what is in it, or that it is `None`, and whether it is an option of options. `None` if here is no option.
    #[inline(never)]
    pub(super) fn option(mut self) -> Option<(Option<Self>, bool)> {
        let head = self.of.head(self.schema);
        if name(&head) != b"an option" {
            return None;
        }
        self.schema = self.schema.wrapping_add(head.as_bytes().len());
        let is_nested = name(&self.of.head(self.schema)) == b"an option";
        let is_some = self.choice()? == 1;
        Some((is_some.then_some(self), is_nested))
    }

    /// Reads the choices of a node.
    #[inline(never)]
    pub(super) fn open(mut self) -> Option<Children<'v>> {
        let (of, mut is_in_place, mut is_variant) = (self.of, true, false);
        loop {
            let head = of.head(self.schema);
            let inside = self.schema.wrapping_add(head.as_bytes().len());
            let name = name(&head);
            let (mut kind, mut count, mut most) = (Kind::List, head.num_children(), None);
            match name {
                b"" => kind = Kind::Tuple,
                // Whatever its name is.
                _ if is_variant => kind = Kind::Struct,
                b"a leaf" => kind = Kind::Leaf,
                b"an array" => count = room(&head)?,
                b"a list" | b"a map" => {
                    if name == b"a map" {
                        kind = Kind::Dict;
                    }
                    count = self.choice()?;
                    most = room(&head);
                }
                b"an option" => match self.option()? {
                    (Some(here), _) => {
                        self = here;
                        continue;
                    }
                    (None, _) if self.choice()? == 0 => (kind, count) = (Kind::None, 0),
                    (None, _) => return None,
                },
                b"a recursion" => {
                    is_in_place = false;
                    self.schema = of.around(self.schema, text(&head, "to")?)?;
                    continue;
                }
                b"an enum" => {
                    let index = if count > 1 { self.choice()? } else { 0 };
                    if index >= count {
                        return None;
                    }
                    (self.schema, is_in_place, is_variant) = (inside, false, true);
                    for _ in 0..index {
                        self.schema = of.after(self.schema);
                    }
                    continue;
                }
                _ => kind = Kind::Struct,
            }
            let values = self.choices;
            let open = match kind {
                Kind::Dict => count,
                // Core's `count` can panic with overflow checks.
                Kind::Struct => head.meta_fields().fold(0usize, |open, (_, value)| {
                    open.wrapping_add((!is_literal(&value)).into())
                }),
                _ => 0,
            };
            self.pass_values(open)?;
            if most.is_some_and(|most| count > most) {
                return None;
            }
            self.schema = inside;
            let ends_with_child =
                is_in_place && matches!(kind, Kind::Leaf | Kind::Struct | Kind::Tuple);
            let node = Node { kind, head, count, values, first: self, ends_with_child };
            return Some(Children::of(node));
        }
    }

    /// Whether the node here can have meta fields, or one in it.
    fn has_meta(self) -> bool {
        let (mut schema, end) = (self.schema, self.of.after(self.schema));
        while schema < end {
            let head = self.of.head(schema);
            match name(&head) {
                b"a leaf" | b"a list" | b"a map" | b"an array" => {}
                b"a recursion" => return true,
                _ if !head.meta().is_empty() => return true,
                _ => {}
            }
            schema = schema.wrapping_add(head.as_bytes().len());
        }
        false
    }

    /// Passes the value here.
    #[inline(never)]
    fn pass(self) -> Option<Self> {
        let mut children = self.open()?;
        let node = &children.node;
        let ends_with_child = node.ends_with_child;
        self.of.pass_nodes(1)?;
        let mut end = match node.kind {
            Kind::Leaf => {
                let leaf = node.first.leaves;
                if leaf >= self.of.known.get() {
                    self.of.pass_leaf(leaf, text(&node.head, "type")?)?;
                }
                Self { leaves: leaf.wrapping_add(1), ..node.first }
            }
            Kind::None => node.first,
            _ => {
                let depth = self.of.depth.get();
                if depth >= MAX_DEPTH {
                    return None;
                }
                self.of.depth.set(depth.wrapping_add(1));
                let end = children.seek(node.count)?;
                self.of.depth.set(depth);
                end
            }
        };
        if !ends_with_child {
            end.schema = self.of.after(self.schema);
        }
        Some(end)
    }
}

impl<'v> Node<'v> {
    /// The name of the type of a leaf, and its bytes.
    #[inline(never)]
    fn leaf(&self) -> Option<(&'v str, &'v [u8])> {
        if self.kind != Kind::Leaf {
            return None;
        }
        let (of, leaf) = (self.first.of, self.first.leaves);
        let bytes = of.leaves.get(of.start(leaf)?..of.start(leaf.wrapping_add(1))?)?;
        Some((core::str::from_utf8(text(&self.head, "type")?).ok()?, bytes))
    }

    /// The names of the children.
    pub(super) fn entries(&self) -> Entries<'v> {
        match self.kind {
            Kind::Dict => Entries::of_keys(self.count, self.values()),
            Kind::Struct => self.head.entries(),
            _ => Entries::positions(self.count),
        }
    }

    /// The name of the type of a struct.
    fn type_name(&self) -> Option<&'v str> {
        if self.kind == Kind::Struct { self.head.type_name() } else { None }
    }

    fn values(&self) -> &'v [u8] {
        after(self.first.of.choices, self.values)
    }

    /// The choices of the node itself: keys, or the values of meta fields.
    pub(super) fn own_choices(&self) -> &'v [u8] {
        self.first.of.choices.get(self.values..self.first.choices).unwrap_or_default()
    }

    /// The meta fields of a struct.
    pub(super) fn meta_fields(&self) -> MetaFields<'v> {
        let own = if self.kind == Kind::Struct { self.head.meta() } else { &[] };
        MetaFields { own: Input::new(own), values: Input::new(self.values()) }
    }
}

impl<'v> Children<'v> {
    const fn of(node: Node<'v>) -> Self {
        Self { node, at: node.first, index: 0 }
    }

    pub(super) fn child(&mut self, index: usize) -> Option<At<'v>> {
        if index < self.node.count { self.seek(index) } else { None }
    }

    /// The position after the first `index` children.
    fn seek(&mut self, index: usize) -> Option<At<'v>> {
        if index < self.index {
            *self = Self::of(self.node);
        }
        let has_own_schemas = matches!(self.node.kind, Kind::Struct | Kind::Tuple);
        while self.index < index {
            let before = self.at.of.passed.get();
            let mut next = self.at.pass()?;
            self.index = self.index.wrapping_add(1);
            if !has_own_schemas {
                next.schema = self.at.schema;
            }
            // If they take no bytes, all elements are equal.
            if next == self.at {
                let nodes = self.at.of.passed.get().wrapping_sub(before);
                let others = index.wrapping_sub(self.index);
                self.at.of.pass_nodes(nodes.saturating_mul(others))?;
                self.index = index;
            }
            self.at = next;
        }
        Some(self.at)
    }
}

/// A leaf of a record: its index, the name of its type, and its bytes.
#[derive(Clone, Copy)]
pub(super) struct StoredLeaf<'v> {
    pub(super) index: usize,
    pub(super) of: &'v str,
    pub(super) bytes: &'v [u8],
}

impl<'v> StoredNode<'v> for At<'v> {
    type Open = Children<'v>;
    type Leaf = StoredLeaf<'v>;

    const HAS_KINDS: bool = false;

    fn open(self) -> Option<Children<'v>> {
        At::open(self)
    }

    fn what(open: &Children<'v>) -> (Kind, Option<&'v str>) {
        (open.node.kind, open.node.type_name())
    }

    fn names(open: &Children<'v>) -> Entries<'v> {
        open.node.entries()
    }

    fn keys(open: &Children<'v>) -> Keys<'v> {
        Keys::of_checked(open.node.count, open.node.values())
    }

    fn meta_fields(open: &Children<'v>) -> impl Iterator<Item = (&'v str, Value<'v>)> + Clone {
        open.node.meta_fields()
    }

    fn child(open: &mut Children<'v>, index: u32) -> Option<Self> {
        open.child(index as usize)
    }

    fn find(open: &mut Children<'v>, name: KeyEntry<'_>, _: bool) -> Option<Self> {
        let index = match (open.node.kind, name) {
            (Kind::Struct, KeyEntry::Attr(name)) => open.node.head.position(name)?,
            _ => open.node.entries().index_of(name)?,
        };
        open.child(index as usize)
    }

    #[inline(never)]
    fn inside(self, is_nested: bool) -> Option<Self> {
        match self.option() {
            Some((Some(inside), here)) if here || !is_nested => Some(inside),
            Some((None, _)) => None,
            _ => Some(self),
        }
    }

    fn leaf(self) -> Option<StoredLeaf<'v>> {
        let node = self.open()?.node;
        let (of, bytes) = node.leaf()?;
        Some(StoredLeaf { index: node.first.leaves, of, bytes })
    }

    fn wrong_leaf(_: StoredLeaf<'v>) -> Error {
        MISMATCH
    }

    fn num_leaves(self) -> usize {
        self.pass().map_or(0, |end| end.leaves.wrapping_sub(self.leaves))
    }

    fn count_meta(self) -> usize {
        let Some(mut children) = self.open().filter(|_| self.has_meta()) else { return 0 };
        let mut count =
            children.node.meta_fields().fold(0usize, |count, _| count.saturating_add(1));
        let mut last = None;
        for index in 0..children.node.count {
            let child = children.child(index);
            // As for copies, the meta fields of elements that take no bytes count once.
            if child == last {
                return count;
            }
            last = child;
            count = count.saturating_add(child.map_or(0, Self::count_meta));
        }
        count
    }

    fn at_path(self, _: Self, step: &Step<'_, 'v>, then: &mut dyn FnMut(&Step<'_, 'v>)) {
        then(step);
    }
}
