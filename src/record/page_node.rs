//! The nodes of a [schema page](crate::schema_of): what each says of a type, and where those in it are. Plans are made of them while a
//! program is compiled; records of other versions and frames are read by them.

use crate::base::attempt::attempt;
use crate::base::bytes::{after, equal_words, first};
use crate::format::head::{Head, Item, Kind, read_item};
use crate::format::reader::read_run;
use crate::format::value_bytes::{INT, NONE, OPAQUE, STR, skip_value};
use crate::format::varint::{read_u64, unzigzag};

/// A node of a page, by its position.
#[derive(Clone, Copy)]
pub(super) struct Node<'p> {
    page: &'p [u8],
    pub(super) at: usize,
    /// Its head, which is read once. After the last node it is that of no node.
    pub(super) head: Head<'p>,
}

/// Does something with each child of a node, which iterators do not in `const`.
macro_rules! each_child {
    ($node:expr, $child:ident => $do:expr) => {{
        let (mut $child, mut left) = ($node.inside(), $node.count());
        while left > 0 {
            $do;
            ($child, left) = ($child.next(), left.saturating_sub(1));
        }
    }};
}
pub(super) use each_child;

/// Does something with each node that is this one or in it.
macro_rules! each_below {
    ($node:expr, $below:ident => $do:expr) => {{
        let ($below, end) = ($node, $node.next());
        let mut $below = $below;
        while $below.at < end.at {
            $do;
            $below = $below.inside();
        }
    }};
}
pub(super) use each_below;

impl<'p> Node<'p> {
    pub(super) const fn root(page: &'p [u8]) -> Self {
        Self::at(page, 0)
    }

    /// The node at this position of a page.
    pub(super) const fn at(page: &'p [u8], at: usize) -> Self {
        Self { page, at, head: Head::trusted(after(page, at)) }
    }

    /// The root of a page; `None` if these bytes are none.
    pub(super) const fn of_page(page: &'p [u8]) -> Option<Self> {
        let (mut rest, mut left) = (page, 1u32);
        while left > 0 {
            let (Item::Node(head), after) = attempt!(read_item(rest)) else { return None };
            if matches!(head.kind(), Kind::Struct) {
                let (_, mut names) = attempt!(read_run(head.block()));
                let mut count = head.arity();
                while count > 0 {
                    (_, names) = attempt!(read_run(names));
                    count = count.saturating_sub(1);
                }
                while !names.is_empty() {
                    names = attempt!(skip_value(attempt!(read_run(names)).1));
                }
            } else if !matches!(head.kind(), Kind::Tuple) {
                return None;
            }
            left = attempt!(head.arity().checked_add(left.saturating_sub(1)));
            rest = after;
        }
        if rest.is_empty() { Some(Self::root(page)) } else { None }
    }

    /// What the page says that it is: its type name, or a word for what has none. It is read without a check for UTF-8. A tuple has none.
    pub(super) const fn name(&self) -> &'p [u8] {
        match (self.head.kind(), read_run(self.head.block())) {
            (Kind::Struct, Some((name, _))) => name,
            _ => &[],
        }
    }

    /// The number of children.
    pub(super) const fn count(&self) -> usize {
        self.head.num_children()
    }

    /// The position of the first child; the position after this node, if there is none.
    pub(super) const fn inside_at(&self) -> usize {
        self.at.saturating_add(self.head.as_bytes().len())
    }

    /// The first child; the node after this one, if there is none.
    pub(super) const fn inside(&self) -> Self {
        Self::at(self.page, self.inside_at())
    }

    /// The node after this one and all that is in it.
    pub(super) const fn next(&self) -> Self {
        Self::at(self.page, Self::end_of(self.page, self.at))
    }

    /// The position after the node at this one and all that is in it.
    #[inline(never)]
    pub(super) const fn end_of(page: &[u8], mut at: usize) -> usize {
        let mut left = 1usize;
        while left > 0 && at < page.len() {
            let node = Node::at(page, at);
            left = left.saturating_sub(1).saturating_add(node.count());
            at = node.inside_at();
        }
        at
    }

    /// The bytes of the node and of all that is in it.
    const fn bytes(&self) -> &'p [u8] {
        first(after(self.page, self.at), Self::end_of(self.page, self.at).saturating_sub(self.at))
    }

    pub(super) const fn equals(&self, other: Node<'_>) -> bool {
        equal_words(self.bytes(), other.bytes())
    }

    pub(super) const fn is(&self, word: &[u8]) -> bool {
        equal_words(self.name(), word)
    }

    /// Whether it is a struct of the program, or a variant.
    pub(super) const fn is_struct(&self) -> bool {
        matches!(self.head.kind(), Kind::Struct)
            && !matches!(
                self.name(),
                b"a leaf" | b"an option" | b"a list" | b"an array" | b"a map" | b"an enum"
            )
            && !self.is_unknown()
    }

    /// Whether it does not say what a value is.
    pub(super) const fn is_unknown(&self) -> bool {
        matches!(self.name(), b"a recursion" | b"any tree")
    }

    /// The index of a field, and its node.
    pub(super) const fn field(&self, name: &[u8]) -> Option<(usize, Self)> {
        if !self.is_struct() {
            return None;
        }
        // The names alone are read first, because most searches find none.
        let (_, mut names) = attempt!(read_run(self.head.block()));
        let (mut index, mut child) = (0usize, self.inside());
        loop {
            if index >= self.count() {
                return None;
            }
            let (own, rest) = attempt!(read_run(names));
            if equal_words(own, name) {
                break;
            }
            (names, index) = (rest, index.saturating_add(1));
        }
        let mut left = index;
        while left > 0 {
            (child, left) = (child.next(), left.saturating_sub(1));
        }
        Some((index, child))
    }

    /// The number of meta fields that are choices, and of all.
    pub(super) const fn count_meta(&self) -> [usize; 2] {
        count_meta(self.meta())
    }

    /// The meta field of this name: its index among those that are choices, if it is one, and its value.
    pub(super) const fn meta_field(&self, name: &[u8]) -> Option<(Option<usize>, &'p [u8])> {
        let meta = self.meta();
        let value = attempt!(find_meta(meta, name));
        let [open, _] = count_meta(first(meta, meta.len().saturating_sub(value.len())));
        let rest = attempt!(skip_value(value));
        let index = if is_open(value) { Some(open) } else { None };
        Some((index, first(value, value.len().saturating_sub(rest.len()))))
    }

    /// The meta fields of a struct of the program.
    const fn meta(&self) -> &'p [u8] {
        if self.is_struct() { self.head.meta() } else { &[] }
    }

    /// The name of a leaf type.
    pub(super) const fn leaf(&self) -> &'p [u8] {
        self.note(b"type")
    }

    /// A text that the page has about the node; empty if there is none.
    pub(super) const fn note(&self, name: &[u8]) -> &'p [u8] {
        if let Some([STR, text @ ..]) = find_meta(self.head.meta(), name)
            && let Some((text, _)) = read_run(text)
        {
            return text;
        }
        &[]
    }

    /// The capacity of a list or a map, or the length of an array; `usize::MAX` without one, and `None` if it is no number of elements.
    pub(super) const fn room(&self) -> Option<usize> {
        let Some([INT, room @ ..]) = find_meta(self.head.meta(), b"room") else {
            return Some(usize::MAX);
        };
        let room = unzigzag(attempt!(read_u64(room)).0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is checked"
        )]
        let size = room as usize;
        if room >= 0 && size as u64 == room.cast_unsigned() { Some(size) } else { None }
    }

    /// Whether values have keys or values of meta fields among their choices.
    pub(super) const fn has_values(&self) -> bool {
        each_below!(*self, node => {
            let [open, _] = node.count_meta();
            if open > 0 || node.is(b"a map") {
                return true;
            }
        });
        false
    }
}

/// Whether the value of a meta field in a page is that of no constant.
const fn is_open(value: &[u8]) -> bool {
    matches!(value, [NONE | OPAQUE, ..])
}

/// The value of a meta field, with its tag in front and what follows it.
const fn find_meta<'p>(meta: &'p [u8], name: &[u8]) -> Option<&'p [u8]> {
    let mut rest = meta;
    loop {
        let (own, value) = attempt!(read_run(rest));
        if equal_words(own, name) {
            return Some(value);
        }
        rest = attempt!(skip_value(value));
    }
}

/// The number of meta fields that are choices, and of all.
pub(super) const fn count_meta(mut meta: &[u8]) -> [usize; 2] {
    let (mut open, mut all) = (0usize, 0usize);
    while let Some((_, value)) = read_run(meta)
        && let Some(after) = skip_value(value)
    {
        open = open.saturating_add(is_open(value) as usize);
        all = all.saturating_add(1);
        meta = after;
    }
    [open, all]
}
