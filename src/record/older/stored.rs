//! A stored value, read by the schema page of the version that wrote it: its nodes.
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
use core::ops::Range;

use crate::base::bytes::after;
use crate::base::error::Error;
use crate::encode::depth::MAX_DEPTH;
use crate::encode::schema::is_literal;
use crate::format::entry::{Entries, KeyEntry};
use crate::format::head::{Head, Kind};
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

/// An entry is three numbers. (Not bytes: their number would be found by a division, which a small processor has no instruction for.)
const ENTRY: usize = 3;

/// A stored value: the page of its schema, its choices and its leaves, and its nodes.
pub(super) struct Stored<'v> {
    page: Page<'v>,
    choices: &'v [u8],
    leaves: &'v [u8],
    nodes: &'v [Cell<[u8; 4]>],
    num_leaves: usize,
}

/// A schema page.
#[derive(Clone, Copy)]
struct Page<'v>(&'v [u8]);

/// What the table has of a node.
#[derive(Clone, Copy)]
struct Entry {
    what: What,
    /// Whether what becomes of its meta fields is known.
    is_noted: bool,
    /// The position in the page: of a variant, that of the variant.
    schema: usize,
    /// Where the leaf begins, or the choices of the node itself.
    at: usize,
    /// Where the leaf ends, or the entry after all that is in the node; 0 of a `Some`.
    next: usize,
}

/// What a node is.
#[derive(Clone, Copy, PartialEq)]
enum What {
    Leaf,
    Tuple,
    Array,
    List,
    Map,
    Struct,
    /// An option without a value.
    None,
    /// An option with a value, which is the next node.
    Some,
}

impl Entry {
    /// No node: for an index that no table has.
    const EMPTY: Self = Self { what: What::None, is_noted: false, schema: 0, at: 0, next: 0 };

    /// The bit of the first number that says whether the node was noted.
    const NOTED: u8 = 8;

    fn read([schema, at, next]: &[Cell<[u8; 4]>; ENTRY]) -> Self {
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
    pub(super) head: Head<'v>,
    /// The number of children.
    pub(super) count: usize,
    /// Where keys or the values of meta fields begin in the choices; of a leaf, where it begins.
    at: usize,
    /// The entry after all that is in it; of a leaf, where it ends.
    end: usize,
    /// The child that was found last, and its index.
    pub(super) child: At<'v>,
    pub(super) index: usize,
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
        let bytes = leaves.len().saturating_add(choices.len()).saturating_mul(page.len());
        let (page, most) = (Page(page), room.len());
        let mut checking = Checking {
            page,
            choices: Input::new(choices),
            leaves,
            len: [leaves.len(), choices.len()],
            nodes: room.as_chunks_mut().0,
            count: 0,
            num_leaves: 0,
            most: bytes.saturating_add(MOST_EMPTY),
            levels: 0,
        };
        let is_value = checking.node(0).is_some();
        let Checking { choices: left, leaves: left_leaves, count, num_leaves, .. } = checking;
        if !is_value || !left.rest.is_empty() || !left_leaves.is_empty() {
            return Err(Error::WrongChoices { at: 0 });
        }
        let needed = count.saturating_mul(4 * ENTRY);
        let Some((nodes, room)) = room.split_at_mut_checked(needed) else {
            return Err(Error::BufferFull { needed, room: most });
        };
        let nodes = Cell::from_mut(nodes.as_chunks_mut().0).as_slice_of_cells();
        Ok((Self { page, choices, leaves, nodes, num_leaves }, room))
    }

    pub(super) const fn root(&self) -> At<'_> {
        At { of: self, node: 0 }
    }

    /// The number of leaves.
    pub(super) const fn num_leaves(&self) -> usize {
        self.num_leaves
    }

    /// The number of nodes, or a larger one.
    pub(super) const fn num_nodes(&self) -> usize {
        self.nodes.len() >> 1
    }

    /// The leaf that is the node with this index.
    pub(super) fn leaf(&'v self, node: usize) -> Option<StoredLeaf<'v>> {
        At { of: self, node }.leaf()
    }

    /// The number of meta fields of the nodes that were not noted.
    pub(super) fn other_meta(&self) -> usize {
        let root = self.root();
        root.all().filter(|entry| entry.what == What::Struct && !entry.is_noted).fold(
            0,
            |count, entry| {
                let fields = self.page.head(entry.schema).meta_fields();
                fields.fold(count, |count: usize, _| count.wrapping_add(1))
            },
        )
    }

    /// Notes that what becomes of the meta fields of these nodes is known.
    fn note(&self, nodes: Range<usize>) {
        for node in nodes {
            if let Some(slot) = self.nodes.get(node.wrapping_mul(ENTRY)) {
                let [first, rest @ ..] = slot.get();
                let [a, b, c] = rest;
                slot.set([first | Entry::NOTED, a, b, c]);
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

/// A value that is checked: what is left of its choices and leaves, and the nodes that were found.
struct Checking<'v, 'n> {
    page: Page<'v>,
    choices: Input<'v>,
    leaves: &'v [u8],
    /// The number of bytes of all leaves and choices.
    len: [usize; 2],
    /// Room for entries, and how many there are, also beyond it.
    nodes: &'n mut [[u8; 4]],
    count: usize,
    num_leaves: usize,
    /// The number of nodes that there can be besides.
    most: usize,
    /// The nodes around the one that is read.
    levels: u32,
}

impl<'v> Checking<'v, '_> {
    fn choice(&mut self) -> Option<usize> {
        let (choice, rest) = read_choice(self.choices.rest)?;
        self.choices.rest = rest;
        Some(choice)
    }

    /// Passes `count` keys or values of meta fields.
    fn pass_values(&mut self, count: usize) -> Option<()> {
        for _ in 0..count {
            Value::take(&mut self.choices)?;
        }
        Some(())
    }

    /// Counts nodes, `None` if they are too many.
    fn pass_nodes(&mut self, count: usize) -> Option<()> {
        self.most = self.most.checked_sub(count)?;
        Some(())
    }

    /// Keeps the entry of a node.
    fn keep(&mut self, node: usize, entry: Entry) -> Option<()> {
        let (numbers, slots) = (entry.numbers()?, self.nodes.get_mut(node.wrapping_mul(ENTRY)..));
        if let Some(slots) = slots.and_then(|slots| slots.first_chunk_mut()) {
            *slots = numbers;
        }
        Some(())
    }

    /// Reads the node that has its schema here, and what is in it. Returns the position in the page after it.
    #[inline(never)]
    fn node(&mut self, from: usize) -> Option<usize> {
        let (page, mut schema, mut is_variant) = (self.page, from, false);
        self.pass_nodes(1)?;
        let (mut head, mut inside, mut what);
        loop {
            head = page.head(schema);
            inside = schema.wrapping_add(head.as_bytes().len());
            let name = name(&head);
            what = if is_variant { What::Struct } else { self::what(name) };
            match name {
                // A variant is a struct, whatever its name is.
                _ if is_variant => break,
                b"an option" => {
                    match self.choice()? {
                        0 => what = What::None,
                        1 => {}
                        _ => return None,
                    }
                    if let What::None = what {
                        break;
                    }
                    let node = self.count;
                    self.count = node.wrapping_add(1);
                    self.keep(node, Entry { what, is_noted: false, schema, at: 0, next: 0 })?;
                    schema = inside;
                }
                b"a recursion" => schema = page.around(schema, text(&head, "to")?)?,
                b"an enum" => {
                    let count = head.num_children();
                    let index = if count > 1 { self.choice()? } else { 0 };
                    if index >= count {
                        return None;
                    }
                    (schema, is_variant) = (inside, true);
                    for _ in 0..index {
                        schema = page.after(schema);
                    }
                }
                _ => break,
            }
        }
        let node = self.count;
        self.count = node.wrapping_add(1);
        let mut at = self.len[1].wrapping_sub(self.choices.rest.len());
        let mut count = head.num_children();
        match what {
            What::Leaf => {
                at = self.len[0].wrapping_sub(self.leaves.len());
                take_leaf(text(&head, "type")?, &mut self.leaves)?;
                self.num_leaves = self.num_leaves.wrapping_add(1);
                count = 0;
            }
            What::Array => count = room(&head)?,
            What::List | What::Map => {
                count = self.choice()?;
                if room(&head).is_some_and(|most| count > most) {
                    return None;
                }
                self.pass_values(if let What::Map = what { count } else { 0 })?;
            }
            What::Struct => {
                // Core's `count` can panic with overflow checks.
                let open = head.meta_fields().fold(0usize, |open, (_, value)| {
                    open.wrapping_add((!is_literal(&value)).into())
                });
                self.pass_values(open)?;
            }
            What::None | What::Some => count = 0,
            What::Tuple => {}
        }
        if count > 0 && self.levels >= MAX_DEPTH {
            return None;
        }
        self.levels = self.levels.wrapping_add(1);
        let has_own_schemas = matches!(what, What::Struct | What::Tuple);
        let (mut child, mut left) = (inside, count);
        while let Some(others) = left.checked_sub(1) {
            left = others;
            let before = (self.choices.rest.len(), self.num_leaves, self.most);
            let end = self.node(child)?;
            if has_own_schemas {
                child = end;
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
        self.keep(node, Entry { what, is_noted: false, schema, at, next })?;
        Some(if has_own_schemas && schema == from { child } else { page.after(from) })
    }
}

impl<'v> Page<'v> {
    fn head(self, schema: usize) -> Head<'v> {
        Head::trusted(after(self.0, schema))
    }

    /// The position after a node.
    #[inline(never)]
    fn after(self, mut schema: usize) -> usize {
        let mut left = 1usize;
        while left > 0 && schema < self.0.len() {
            let head = self.head(schema);
            schema = schema.wrapping_add(head.as_bytes().len());
            left = left.wrapping_sub(1).wrapping_add(head.num_children());
        }
        schema
    }

    /// The node around a position, or there: the first one that ends after it, of those from `child` on.
    fn child_around(self, mut child: usize, schema: usize) -> usize {
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
    fn around(self, schema: usize, name: &[u8]) -> Option<usize> {
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

    /// Whether the option here is one of options.
    fn is_nested(self, schema: usize) -> bool {
        let inside = schema.wrapping_add(self.head(schema).as_bytes().len());
        name(&self.head(inside)) == b"an option"
    }
}

/// The type name of a node of the page, which is read without a check for UTF-8. A tuple has none.
fn name<'v>(head: &Head<'v>) -> &'v [u8] {
    match (head.kind(), read_run(head.block())) {
        (Kind::Struct, Some((name, _))) => name,
        _ => &[],
    }
}

/// What the node of the page with this name describes, if it is neither an enum nor a recursion.
fn what(name: &[u8]) -> What {
    const NAMES: [(&[u8], What); 6] = [
        (b"", What::Tuple),
        (b"a leaf", What::Leaf),
        (b"an array", What::Array),
        (b"a list", What::List),
        (b"a map", What::Map),
        (b"an option", What::Some),
    ];
    // By a loop: as patterns, each byte is a comparison and a branch.
    NAMES.iter().find(|(own, _)| *own == name).map_or(What::Struct, |(_, what)| *what)
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
        Some((inside, self.of.page.is_nested(schema)))
    }

    /// Opens the node in all options that are here.
    #[inline(never)]
    pub(super) fn open(mut self) -> Open<'v> {
        let mut entry = self.of.entry(self.node);
        while let What::Some = entry.what {
            self.node = self.node.wrapping_add(1);
            entry = self.of.entry(self.node);
        }
        let head = self.of.page.head(entry.schema);
        let (mut at, mut count) = (entry.at, head.num_children());
        let kind = match entry.what {
            What::Leaf => Kind::Leaf,
            What::Tuple => Kind::Tuple,
            What::Struct => Kind::Struct,
            What::None | What::Some => Kind::None,
            What::Array => {
                count = room(&head).unwrap_or(0);
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
        Open { node: self, kind, head, count, at, end: entry.next, child, index: 0 }
    }
}

impl<'v> Open<'v> {
    /// The leaf that it is.
    #[inline(never)]
    fn leaf(&self) -> Option<StoredLeaf<'v>> {
        if self.kind != Kind::Leaf {
            return None;
        }
        let bytes = self.node.of.leaves.get(self.at..self.end)?;
        let of = core::str::from_utf8(text(&self.head, "type")?).ok()?;
        Some(StoredLeaf { index: self.node.node, of, bytes })
    }

    /// The names of the children.
    pub(super) fn entries(&self) -> Entries<'v> {
        match self.kind {
            Kind::Dict => Entries::of_keys(self.count, self.values()),
            Kind::Struct => self.head.entries(),
            _ => Entries::positions(self.count),
        }
    }

    fn values(&self) -> &'v [u8] {
        after(self.node.of.choices, self.at)
    }

    /// The choices of the node itself: keys, or the values of meta fields.
    pub(super) fn own_choices(&self) -> &'v [u8] {
        let mut values = Input::new(self.values());
        match self.kind {
            Kind::Dict => (0..self.count).for_each(|_| _ = Value::take(&mut values)),
            _ => {
                let mut fields = MetaFields { values, ..self.meta_fields() };
                while fields.next().is_some() {}
                values = fields.values;
            }
        }
        let len = self.values().len().wrapping_sub(values.rest.len());
        self.values().get(..len).unwrap_or_default()
    }

    /// The meta fields of a struct.
    pub(super) fn meta_fields(&self) -> MetaFields<'v> {
        let own = if self.kind == Kind::Struct { self.head.meta() } else { &[] };
        MetaFields { own: Input::new(own), values: Input::new(self.values()) }
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

/// A leaf of a record: its node, the name of its type, and its bytes.
#[derive(Clone, Copy)]
pub(super) struct StoredLeaf<'v> {
    pub(super) index: usize,
    pub(super) of: &'v str,
    pub(super) bytes: &'v [u8],
}

impl<'v> StoredNode<'v> for At<'v> {
    type Open = Open<'v>;
    type Leaf = StoredLeaf<'v>;

    const HAS_KINDS: bool = false;

    fn open(self) -> Open<'v> {
        At::open(self)
    }

    fn what(open: &Open<'v>) -> (Kind, Option<&'v str>) {
        (open.kind, if open.kind == Kind::Struct { open.head.type_name() } else { None })
    }

    fn names(open: &Open<'v>) -> Entries<'v> {
        open.entries()
    }

    fn meta_fields(open: &Open<'v>) -> impl Iterator<Item = (&'v str, Value<'v>)> {
        open.meta_fields()
    }

    fn child(open: &mut Open<'v>, index: u32) -> Option<Self> {
        open.child(index as usize)
    }

    fn find(open: &mut Open<'v>, name: KeyEntry<'_>, _: bool) -> Option<Self> {
        let index = match (open.kind, name) {
            (Kind::Struct, KeyEntry::Attr(name)) => open.head.position(name)?,
            _ => open.entries().index_of(name)?,
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
        self.open().leaf()
    }

    fn wrong_leaf(_: StoredLeaf<'v>) -> Error {
        MISMATCH
    }

    fn num_leaves(self) -> usize {
        self.all()
            .filter(|entry| entry.what == What::Leaf)
            .fold(0, |count, _| count.wrapping_add(1))
    }

    // Only reports ask for it, which are about treedefs.
    fn count_meta(self) -> usize {
        0
    }

    fn note(open: &Open<'v>) {
        open.node.of.note(open.node.node..open.node.node.wrapping_add(1));
    }

    fn note_all(self) {
        self.of.note(self.node..self.of.after(self.node));
    }

    fn at_path(self, _: Self, step: &Step<'_, 'v>, then: &mut dyn FnMut(&Step<'_, 'v>)) {
        then(step);
    }
}
