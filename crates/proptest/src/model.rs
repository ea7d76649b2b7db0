//! Defines generated trees as plain data, and encodes them.

use proptest::collection::vec as many;
use proptest::prelude::*;
use proptest::sample::Index;
use treedef::{Error, Writer};

use crate::head::{Head, heads};
use crate::size::Size;

/// A generated tree, which can be shrunk.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Model {
    /// A leaf. For trees with values it is the index of the generated value.
    Leaf(usize),
    /// A `None`.
    None,
    /// A node with children.
    Node(Head, Vec<Item>),
    /// A place at which the trees of a pair differ. The bits say how.
    Marked(u8, Box<Model>),
}

/// A child, and the number of adjacent copies.
pub(crate) type Item = (Model, usize);

/// Generates models of about this size, with at most `size.nodes` nodes.
///
/// They do not shrink; [`Shrinkable`](super::shrink::Shrinkable) does that.
pub(crate) fn models(size: Size) -> impl Strategy<Value = Model> {
    let Size { depth, children, .. } = size;
    let few = children.min(4);
    let (many_copies, most) = (children.min(31), children.max(1));
    let copies = prop_oneof![
        12 => Just(1usize).boxed(),
        6 => (1..=few.max(1)).boxed(),
        1 => (many_copies.max(1)..=most).boxed(),
    ];
    let flat = prop_oneof![3 => Just(Model::Leaf(0)), 1 => Just(Model::None)];
    let bushy = flat.prop_recursive(depth.min(5), 24, 4, move |inner| {
        let mixed = many((inner.clone(), copies.clone()), 0..=few);
        let repeated = (inner, 1..=few.max(1)).prop_map(|item| vec![item]);
        (heads(), prop_oneof![3 => mixed, 2 => repeated])
            .prop_map(|(head, items)| Model::Node(head, items))
    });
    // Adds a few nodes, or a long chain of them, around the bush. Each has one child or copies of it, and perhaps a
    // leaf after it.
    let wrapped = |copies, most| many((heads(), 1..=copies, any::<bool>()), 0..=most);
    let long = depth.saturating_sub(6) as usize;
    let around = prop_oneof![
        4 => Just(Vec::new()),
        2 => wrapped(few.max(1), long.min(3)),
        1 => wrapped(1, long),
    ];
    let whole = (bushy, around).prop_map(|(bushy, around)| {
        around.into_iter().fold(bushy, |inner, (head, copies, leaf)| {
            let mut items = vec![(inner, copies)];
            items.extend(leaf.then_some((Model::Leaf(0), 1)));
            Model::Node(head, items)
        })
    });
    whole.prop_filter("too many nodes", move |model| model.nodes() <= size.nodes)
}

impl Model {
    /// Returns the bytes of the treedef, or `None` if it is too large for a treedef.
    pub(crate) fn encode(&self) -> Option<Vec<u8>> {
        let mut bytes = vec![0; 256];
        loop {
            let mut out = Writer::new(&mut bytes);
            self.write(&mut out);
            match out.finish() {
                Ok(def) => return Some(def.as_bytes().to_vec()),
                Err(Error::Full { room }) => bytes.resize(room.saturating_mul(2), 0),
                Err(_) => return None,
            }
        }
    }

    fn write(&self, out: &mut Writer<'_>) {
        let (head, items) = match self {
            Model::Leaf(_) => return out.leaves(1),
            Model::None => return out.none(),
            Model::Marked(_, inner) => return inner.write(out),
            Model::Node(head, items) => (head, items),
        };
        let children: usize = items.iter().map(|(_, copies)| copies).sum();
        let node = head.begin(out, children);
        for (child, copies) in items {
            for _ in 0..*copies {
                child.write(out);
            }
        }
        out.end(node);
    }

    /// Returns the number of nodes, including all copies.
    pub(crate) fn nodes(&self) -> usize {
        match self {
            Model::Leaf(_) | Model::None => 1,
            Model::Marked(_, inner) => inner.nodes(),
            Model::Node(_, items) => items.iter().fold(1, |sum, (child, copies)| {
                sum.saturating_add(child.nodes().saturating_mul(*copies))
            }),
        }
    }

    /// Returns the leaves in order, including all copies.
    pub(crate) fn leaves(&self) -> Vec<usize> {
        match self {
            Model::Leaf(id) => vec![*id],
            Model::None => Vec::new(),
            Model::Marked(_, inner) => inner.leaves(),
            Model::Node(_, items) => {
                let copies = |(child, copies): &Item| vec![child.leaves(); *copies].concat();
                items.iter().flat_map(copies).collect()
            }
        }
    }

    /// Returns the number of places. A place with copies counts once.
    pub(crate) fn places(&self) -> usize {
        match self {
            Model::Leaf(_) | Model::None => 1,
            Model::Marked(_, inner) => 1 + inner.places(),
            Model::Node(_, items) => {
                1 + items.iter().map(|(child, _)| child.places()).sum::<usize>()
            }
        }
    }

    /// Returns the subtree at a place, counted in preorder.
    pub(crate) fn at(&mut self, place: usize) -> Option<&mut Model> {
        let Some(mut rest) = place.checked_sub(1) else { return Some(self) };
        match self {
            Model::Leaf(_) | Model::None => None,
            Model::Marked(_, inner) => inner.at(rest),
            Model::Node(_, items) => items.iter_mut().find_map(|(child, _)| {
                let places = child.places();
                if rest < places {
                    return child.at(rest);
                }
                rest = rest.saturating_sub(places);
                None
            }),
        }
    }

    /// Marks the subtree at a place. If nodes on the way have copies, only one copy of each is marked.
    pub(crate) fn mark(&mut self, place: usize, copy: Index, bits: u8) {
        let Some(mut rest) = place.checked_sub(1) else {
            let inner = std::mem::replace(self, Model::None);
            *self = Model::Marked(bits, Box::new(inner));
            return;
        };
        let items = match self {
            Model::Leaf(_) | Model::None => return,
            Model::Marked(_, inner) => return inner.mark(rest, copy, bits),
            Model::Node(_, items) => items,
        };
        let here = items.iter().position(|(child, _)| match rest.checked_sub(child.places()) {
            Some(behind) => {
                rest = behind;
                false
            }
            None => true,
        });
        let Some((i, (child, copies))) = here.and_then(|i| Some((i, items.get(i)?))) else {
            return;
        };
        let (before, mut marked) = (copy.index(*copies), child.clone());
        let behind = copies.saturating_sub(before).saturating_sub(1);
        marked.mark(rest, copy, bits);
        let split = [(child.clone(), before), (marked, 1), (child.clone(), behind)];
        items.splice(i..=i, split.into_iter().filter(|(_, copies)| *copies > 0));
    }

    /// Returns the tree without marks. `see` can replace each marked subtree.
    pub(crate) fn seen(&self, see: &impl Fn(u8, &Model) -> Option<Model>) -> Model {
        match self {
            Model::Leaf(_) | Model::None => self.clone(),
            Model::Marked(bits, inner) => see(*bits, inner).unwrap_or_else(|| inner.seen(see)),
            Model::Node(head, items) => {
                let items = items.iter().map(|(child, copies)| (child.seen(see), *copies));
                Model::Node(head.clone(), items.collect())
            }
        }
    }

    /// Returns the tree with every leaf replaced by `inner`.
    pub(crate) fn compose(&self, inner: &Model) -> Model {
        match self {
            Model::Leaf(_) => inner.clone(),
            Model::None => Model::None,
            Model::Marked(bits, marked) => Model::Marked(*bits, Box::new(marked.compose(inner))),
            Model::Node(head, items) => {
                let items = items.iter().map(|(child, copies)| (child.compose(inner), *copies));
                Model::Node(head.clone(), items.collect())
            }
        }
    }

    /// Returns the tree with every copy as a separate child, and a separate value for every leaf.
    pub(crate) fn written_out(&self, next: &mut usize) -> Model {
        match self {
            Model::Leaf(_) => {
                let id = *next;
                *next = id.saturating_add(1);
                Model::Leaf(id)
            }
            Model::None => Model::None,
            Model::Marked(bits, inner) => Model::Marked(*bits, Box::new(inner.written_out(next))),
            Model::Node(head, items) => {
                let copies =
                    items.iter().flat_map(|(child, copies)| std::iter::repeat_n(child, *copies));
                let items = copies.map(|child| (child.written_out(next), 1)).collect();
                Model::Node(head.clone(), items)
            }
        }
    }
}
