//! What the nodes of a schema page mean for the nodes of a stored value.

use crate::record::page_node::Node;

/// A node of the page around the one that is read, and those around it.
pub(super) struct Around<'a> {
    pub(super) schema: usize,
    pub(super) outer: Option<&'a Around<'a>>,
}

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

/// The innermost struct or enum with this name.
pub(super) fn named(page: &[u8], mut around: Option<&Around<'_>>, name: &[u8]) -> Option<usize> {
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
pub(super) fn describes(name: &[u8]) -> What {
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
