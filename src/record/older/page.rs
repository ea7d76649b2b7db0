//! A schema page, read where a stored value needs it: what its nodes describe, and where they are.

use crate::base::bytes::after;
use crate::format::head::Head;
use crate::record::note;

/// A node of the page around the one that is read, and those around it.
pub(super) struct Around<'a> {
    pub(super) schema: usize,
    pub(super) outer: Option<&'a Around<'a>>,
}

/// A schema page.
#[derive(Clone, Copy)]
pub(super) struct Page<'v>(pub(super) &'v [u8]);

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

impl<'v> Page<'v> {
    pub(super) fn head(self, schema: usize) -> Head<'v> {
        Head::trusted(after(self.0, schema))
    }

    /// The position after a node.
    #[inline(never)]
    pub(super) fn after(self, mut schema: usize) -> usize {
        let mut left = 1usize;
        while left > 0 && schema < self.0.len() {
            let head = self.head(schema);
            schema = schema.wrapping_add(head.as_bytes().len());
            left = left.wrapping_sub(1).wrapping_add(head.num_children());
        }
        schema
    }

    /// The innermost struct or enum with this name.
    pub(super) fn named(self, mut around: Option<&Around<'_>>, name: &[u8]) -> Option<usize> {
        while let Some(Around { schema, outer }) = around {
            let mut head = self.head(*schema);
            // An enum has the name of its first variant, which itself is not what it names.
            if note::name(&head) == b"an enum" {
                head = self.head(schema.wrapping_add(head.as_bytes().len()));
            }
            if note::name(&head) == name {
                return Some(*schema);
            }
            around = *outer;
        }
        None
    }

    /// Whether the option here is one of options.
    pub(super) fn is_nested(self, schema: usize) -> bool {
        let inside = schema.wrapping_add(self.head(schema).as_bytes().len());
        note::name(&self.head(inside)) == b"an option"
    }
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
