//! A stored value, read by the schema page of the version that wrote it: nodes, and the way from a node to its children.
//!
//! A node is where its schema is in the page, and where its choices and its leaves begin. What is in a node says how far it reaches, so
//! the children before a child are passed over to find it.

use core::cell::Cell;

use crate::base::bytes::after;
use crate::encode::depth::MAX_DEPTH;
use crate::encode::schema::is_constant;
use crate::format::entry::Entries;
use crate::format::head::{Head, Kind};
use crate::format::reader::Input;
use crate::format::value::Value;
use crate::format::varint::read_choice;
use crate::record::kind::take_leaf;

/// The most elements of a list that take no bytes.
const MOST_EMPTY: usize = 1 << 16;

/// A stored value: the page of its schema, its choices and its leaves.
pub(super) struct Stored<'v> {
    page: &'v [u8],
    choices: &'v [u8],
    leaves: &'v [u8],
    /// The number of leaves that were passed over.
    passed: Cell<u32>,
}

/// A node of a stored value: positions in its page, its choices and its leaves.
#[derive(Clone, Copy)]
pub(super) struct At<'v> {
    of: &'v Stored<'v>,
    schema: usize,
    choices: usize,
    pub(super) leaves: usize,
    /// The number of nodes around it.
    level: u32,
}

impl PartialEq for At<'_> {
    fn eq(&self, other: &Self) -> bool {
        // Of two nodes with one schema, the second one begins after the first.
        self.schema == other.schema
            && self.choices == other.choices
            && self.leaves == other.leaves
            && self.level == other.level
    }
}

/// What a node is.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum What {
    None,
    Leaf,
    Tuple,
    List,
    Map,
    Struct,
}

/// A node whose own choices are read. Options are no nodes: this is what is in them.
#[derive(Clone, Copy)]
pub(super) struct Node<'v> {
    pub(super) what: What,
    /// Of a struct, also a variant: its type name, fields and meta fields. Of another node what the page has.
    pub(super) head: Head<'v>,
    /// The number of children.
    pub(super) count: usize,
    /// Where keys or the values of meta fields begin.
    values: At<'v>,
    /// The first child, or the leaf.
    pub(super) first: At<'v>,
}

/// The children of a node, which are found fastest in their order.
#[derive(Clone, Copy)]
pub(super) struct Children<'v> {
    pub(super) node: Node<'v>,
    at: At<'v>,
    index: usize,
}

impl<'v> Stored<'v> {
    pub(super) const fn new(page: &'v [u8], [leaves, choices]: [&'v [u8]; 2]) -> Self {
        Self { page, choices, leaves, passed: Cell::new(0) }
    }

    pub(super) const fn root(&'v self) -> At<'v> {
        At { of: self, schema: 0, choices: 0, leaves: 0, level: 0 }
    }

    /// The number of leaves, if the value is whole and nothing follows it.
    pub(super) fn count(&'v self) -> Option<usize> {
        let end = self.root().pass()?;
        let is_whole = end.choices == self.choices.len() && end.leaves == self.leaves.len();
        is_whole.then_some(self.passed.get() as usize)
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

    /// The innermost struct or enum with this name around a position.
    #[inline(never)]
    fn around(&self, schema: usize, name: &str) -> Option<usize> {
        let (mut at, mut found) = (0, None);
        while at < schema {
            let head = self.head(at);
            let mut child = at.wrapping_add(head.as_bytes().len());
            let own = match head.type_name() {
                // An enum has the name of its first variant.
                Some("an enum") => self.head(child).type_name(),
                own => own,
            };
            if own == Some(name) {
                found = Some(at);
            }
            loop {
                let end = self.after(child);
                if end > schema {
                    break;
                }
                child = end;
            }
            at = child;
        }
        found
    }
}

/// The value of a meta field of a node of the page.
fn note<'v>(head: &Head<'v>, name: &str) -> Option<Value<'v>> {
    head.meta_fields().find(|(own, _)| *own == name).map(|(_, value)| value)
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
    fn pass_values(mut self, count: usize) -> Option<Self> {
        let mut input = Input::new(self.of.choices.get(self.choices..)?);
        for _ in 0..count {
            Value::take(&mut input)?;
        }
        self.choices = self.of.choices.len().wrapping_sub(input.rest.len());
        Some(self)
    }

    /// The option here: what is in it, or that it is `None`. The second value is true if what is in it is an option, too. `None`
    /// if here is no option, or one that cannot be read.
    #[inline(never)]
    pub(super) fn option(mut self) -> Option<(Option<Self>, bool)> {
        let head = self.of.head(self.schema);
        if head.type_name() != Some("an option") {
            return None;
        }
        self.schema = self.schema.wrapping_add(head.as_bytes().len());
        let is_nested = self.of.head(self.schema).type_name() == Some("an option");
        match self.choice()? {
            0 => Some((None, is_nested)),
            1 => Some((Some(self), is_nested)),
            _ => None,
        }
    }

    /// Reads the choices of a node.
    #[inline(never)]
    pub(super) fn open(mut self) -> Option<Node<'v>> {
        loop {
            let of = self.of;
            let head = of.head(self.schema);
            let inside = self.schema.wrapping_add(head.as_bytes().len());
            let Some(name) = head.type_name() else {
                let level = self.level.wrapping_add(1);
                let first = Self { schema: inside, level, ..self };
                let what = What::Tuple;
                let is_tuple = head.kind() == Kind::Tuple && level <= MAX_DEPTH;
                let count = head.num_children();
                return is_tuple.then_some(Node { what, head, count, values: self, first });
            };
            let room = || match note(&head, "room") {
                Some(Value::Int(room)) => usize::try_from(room).unwrap_or(0),
                _ => usize::MAX,
            };
            let (what, count) = match name {
                "a leaf" => (What::Leaf, 0),
                "a recursion" => {
                    self.schema = of.around(self.schema, note(&head, "to")?.as_str()?)?;
                    continue;
                }
                "an option" => {
                    let Some(here) = self.option()?.0 else {
                        self.choice()?;
                        let (what, head) = (What::None, Head::NONE);
                        return Some(Node { what, head, count: 0, values: self, first: self });
                    };
                    self = here;
                    continue;
                }
                "an array" => (What::List, room()),
                "a list" => (What::List, self.choice()?),
                "a map" => (What::Map, self.choice()?),
                "an enum" => {
                    let index = if head.arity() > 1 { self.choice()? } else { 0 };
                    if index >= head.num_children() {
                        return None;
                    }
                    self.schema = inside;
                    for _ in 0..index {
                        self.schema = of.after(self.schema);
                    }
                    continue;
                }
                _ => (What::Struct, head.num_children()),
            };
            let values = match what {
                What::Map => count,
                What::Struct => {
                    let open = head.meta_fields().filter(|(_, value)| !is_constant(value));
                    // Core's `count` can panic with overflow checks.
                    open.fold(0usize, |open, _| open.wrapping_add(1))
                }
                _ => 0,
            };
            let level = self.level.wrapping_add(1);
            // A leaf stays at its schema, which has its name.
            let schema = if what == What::Leaf { self.schema } else { inside };
            let first = Self { schema, level, ..self.pass_values(values)? };
            let has_room = matches!(what, What::Struct | What::Leaf) || count <= room();
            return (has_room && level <= MAX_DEPTH).then_some(Node {
                what,
                head,
                count,
                values: self,
                first,
            });
        }
    }

    /// Passes the value here. Its schema is not passed.
    #[inline(never)]
    pub(super) fn pass(self) -> Option<Self> {
        let node = self.open()?;
        let mut end = match node.what {
            What::Leaf => {
                let (_, bytes) = node.leaf()?;
                let passed = &self.of.passed;
                passed.set(passed.get().wrapping_add(1));
                Self { leaves: node.first.leaves.wrapping_add(bytes.len()), ..node.first }
            }
            _ => Children::of(node).seek(node.count)?,
        };
        (end.schema, end.level) = (self.schema, self.level);
        Some(end)
    }
}

impl<'v> Node<'v> {
    /// The name of the type of a leaf, and its bytes.
    pub(super) fn leaf(&self) -> Option<(&'v str, &'v [u8])> {
        if self.what != What::Leaf {
            return None;
        }
        let name = note(&self.head, "type")?.as_str()?;
        let at = self.first;
        Some((name, take_leaf(name, &mut at.of.leaves.get(at.leaves..)?)?))
    }

    /// The names of the children.
    pub(super) fn entries(&self) -> Entries<'v> {
        match self.what {
            What::Map => Entries::of_keys(self.count, self.values()),
            What::Struct => self.head.entries(),
            _ => Entries::positions(self.count),
        }
    }

    /// The name of the type of a struct.
    pub(super) fn type_name(&self) -> Option<&'v str> {
        if self.what == What::Struct { self.head.type_name() } else { None }
    }

    fn values(&self) -> &'v [u8] {
        after(self.values.of.choices, self.values.choices)
    }

    /// The meta fields of a struct.
    pub(super) fn meta_fields(&self) -> impl Iterator<Item = (&'v str, Value<'v>)> + Clone {
        let mut values = Input::new(self.values());
        self.head.meta_fields().filter(|_| self.what == What::Struct).map_while(
            move |(name, own)| match is_constant(&own) {
                true => Some((name, own)),
                false => Some((name, Value::take(&mut values)?)),
            },
        )
    }
}

impl<'v> Children<'v> {
    pub(super) const fn of(node: Node<'v>) -> Self {
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
        let has_own_schemas = matches!(self.node.what, What::Struct | What::Tuple);
        while self.index < index {
            let mut next = self.at.pass()?;
            self.index = self.index.wrapping_add(1);
            if has_own_schemas {
                next.schema = next.of.after(next.schema);
            } else if next == self.at {
                // All elements take no bytes.
                if index > MOST_EMPTY {
                    return None;
                }
                self.index = index;
            }
            self.at = next;
        }
        Some(self.at)
    }
}
