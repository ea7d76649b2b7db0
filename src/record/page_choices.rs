//! The choices of a stored value, read with the schema page of its type.

use crate::base::exact_size::count;
use crate::encode::schema::is_literal;
use crate::format::reader::Input;
use crate::format::value::Value;
use crate::format::varint::read_choice;
use crate::record::page_node::Node;

/// What a node of a value is.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum What {
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

/// A node of a value: what it is, and where the page describes it.
pub(super) struct Found<'v> {
    pub(super) what: What,
    pub(super) schema: Node<'v>,
    /// The position of the schema; of a variant, that of its enum.
    pub(super) of: usize,
}

/// A node of the page around the one that is read, and those around it.
pub(super) struct Around<'a> {
    pub(super) schema: usize,
    pub(super) outer: Option<&'a Around<'a>>,
}

/// What is left of the choices of a value, and the page of its schema.
pub(super) struct Choices<'v> {
    pub(super) page: &'v [u8],
    pub(super) rest: &'v [u8],
}

impl<'v> Choices<'v> {
    fn choice(&mut self) -> Option<usize> {
        let (choice, rest) = read_choice(self.rest)?;
        self.rest = rest;
        Some(choice)
    }

    /// Passes keys or values of meta fields.
    fn values(&mut self, count: usize) -> Option<()> {
        let mut rest = Input::new(self.rest);
        for _ in 0..count {
            Value::take(&mut rest)?;
        }
        self.rest = rest.rest;
        Some(())
    }

    /// Finds the node of the value here: it goes through options, recursions, and enums to their variants. Calls a function with the position
    /// of each option that has a value. `None` if the choices are those of no value.
    pub(super) fn find(
        &mut self,
        mut at: usize,
        around: Option<&Around<'_>>,
        mut some: impl FnMut(usize) -> Option<()>,
    ) -> Option<Found<'v>> {
        loop {
            let schema = Node::at(self.page, at);
            let name = schema.name();
            match (describes(name), name) {
                (What::Some, _) => match self.choice()? {
                    0 => return Some(Found { what: What::None, schema, of: at }),
                    1 => {
                        some(at)?;
                        at = schema.inside_at();
                    }
                    _ => return None,
                },
                (What::Struct, b"a recursion") => {
                    at = named(self.page, around, schema.note(b"to"))?;
                }
                (What::Struct, b"an enum") => {
                    let count = schema.count();
                    let index = if count > 1 { self.choice()? } else { 0 };
                    if index >= count {
                        return None;
                    }
                    let mut variant = schema.inside_at();
                    for _ in 0..index {
                        variant = Node::end_of(self.page, variant);
                    }
                    // A variant is a struct, whatever its name is.
                    let schema = Node::at(self.page, variant);
                    return Some(Found { what: What::Struct, schema, of: at });
                }
                (what, _) => return Some(Found { what, schema, of: at }),
            }
        }
    }

    /// Passes the length, the keys or the meta fields of a node, and returns the number of its children.
    pub(super) fn count(&mut self, what: What, schema: &Node<'_>) -> Option<usize> {
        match what {
            What::Leaf | What::None | What::Some => return Some(0),
            What::Array => return schema.room().filter(|count| *count < usize::MAX),
            What::List | What::Map => {
                let count = self.choice()?;
                if schema.room().is_some_and(|most| count > most) {
                    return None;
                }
                self.values(if let What::Map = what { count } else { 0 })?;
                return Some(count);
            }
            What::Struct => {
                let is_open = |(_, value): &(&str, Value<'_>)| !is_literal(value);
                self.values(count(schema.head.meta_fields().filter(is_open)))?;
            }
            What::Tuple => {}
        }
        Some(schema.count())
    }
}

/// The innermost struct or enum with this name.
fn named(page: &[u8], mut around: Option<&Around<'_>>, name: &[u8]) -> Option<usize> {
    while let Some(Around { schema, outer }) = around {
        let mut node = Node::at(page, *schema);
        // An enum has the name of its first variant, which itself is not what it names.
        if node.name() == b"an enum" {
            node = node.inside();
        }
        if node.name() == name {
            return Some(*schema);
        }
        around = *outer;
    }
    None
}

/// What the node of the page with this name describes, if it is neither an enum nor a recursion.
fn describes(name: &[u8]) -> What {
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
