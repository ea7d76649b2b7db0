//! The trees of an artifact.

use core::cmp::Ordering;

use super::export_error::{ExportError, ExportErrorKind as Fault};
use super::flatbuffer::{Budget, Strings, Table, Vector};
use super::ordered::{Distinct, JsonStrings, MAX_ORDERED_KEYS, OrderedOf, distinct};
use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::encode::shape::Shape;
use crate::encode::sink::{MAX_DEPTH, Sink};
use crate::encode::structure::Structure;
use crate::format::heading::{CustomOf, DictKind, DictOf, ListOf, TupleOf};
use crate::format::value::Value;

/// The fields of `table PyTreeDef`.
const KIND: u8 = 0;
const CHILDREN: u8 = 1;
const CHILDREN_NAMES: u8 = 2;
const CUSTOM_NAME: u8 = 3;
const CUSTOM_AUXDATA: u8 = 4;

/// The name that JAX itself registers `collections.OrderedDict` under.
const ORDERED_DICT: &str = "collections.OrderedDict";

/// The most levels of a tree.
const LEVELS: usize = MAX_DEPTH as usize;

/// A structure inside an artifact, completely checked: a [`Structure`], so everything that takes the structure of a
/// tree takes it, as [`structure_into`](crate::structure_into), [`structure_len`](crate::structure_len),
/// [`matches`](crate::matches) and [`Store::structure`](crate::Store::structure).
///
/// To describe itself takes one pass and about 7 kB of stack.
///
/// Tuples, lists, dicts, `None` and `collections.OrderedDict` come back as they were. Every other node has only the
/// name that its type was registered under for serialization and the bytes that the registered function made of its aux
/// data: it becomes a custom node with that name, with those bytes as aux ([`Value::Bytes`]), and without keys of its
/// children. `DIFFERENCE`: that holds for named tuples and dataclasses as well, since an artifact does not tell them
/// from other types, so a path through them shows positions where JAX shows fields.
///
/// # Examples
///
/// ```
/// use treedef::jax::Exported;
///
/// let artifact = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/docs/sgd_step.jax_export"));
/// let in_tree = Exported::from_bytes(artifact)?.in_tree();
/// let expected = treedef::treedef!(
///     (({"dense": {"bias": *, "kernel": *}, "scale": *}, ((*, *), [*]), *), {})
/// );
/// assert_eq!(treedef::matches(&in_tree, expected), Ok(()));
/// assert_eq!((in_tree.num_leaves(), in_tree.num_nodes()), (7, 15));
/// # Ok::<(), treedef::jax::ExportError>(())
/// ```
#[derive(Clone, Copy)]
pub struct ExportedTree<'a> {
    root: Table<'a>,
    leaves: u32,
    nodes: u32,
}

debug_struct!([] ExportedTree<'_> { leaves, nodes });

impl<'a> ExportedTree<'a> {
    /// Checks the whole tree, so that later walks cannot meet a fault.
    pub(super) fn new(root: Table<'a>, budget: &mut Budget) -> Result<Self, ExportError> {
        let (mut leaves, mut nodes) = (0u32, 0u32);
        let mut walk = Walk::new(root);
        while let Some(step) = walk.next()? {
            let Step::Open(table, node) = step else { continue };
            budget.spend_table(&table)?;
            node.check(&table, budget)?;
            // Both are below the bytes, which fit.
            nodes = nodes.saturating_add(1);
            leaves = leaves.saturating_add(u32::from(matches!(node, Node::Leaf)));
        }
        Ok(Self { root, leaves, nodes })
    }

    pub(super) const fn leaves(&self) -> u32 {
        self.leaves
    }

    /// The number of leaves.
    pub const fn num_leaves(&self) -> usize {
        self.leaves as usize
    }

    /// The number of nodes, leaves and `None` included.
    pub const fn num_nodes(&self) -> usize {
        self.nodes as usize
    }
}

impl Structure for ExportedTree<'_> {
    const SHAPE: &'static Shape = &Shape::Varies;
    const NULLABLE: bool = true;

    fn describe<S: Sink>(&self, sink: &mut S) -> Result<(), Error> {
        let mut frames = [const { None }; LEVELS];
        let mut walk = Walk::new(self.root);
        // The tree is checked, so that the walk meets no fault.
        while let Ok(Some(step)) = walk.next() {
            match step {
                Step::Open(_, node) => {
                    let frame = node.begin(sink)?;
                    if let Some(slot) = walk.innermost().and_then(|level| frames.get_mut(level)) {
                        *slot = frame.or(slot.take());
                    }
                }
                Step::Close(level) => {
                    if let Some(frame) = frames.get_mut(level).and_then(Option::take) {
                        sink.end(frame)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn num_leaves(&self) -> Result<usize, Error> {
        Ok(self.leaves as usize)
    }
}

/// A step of a walk in preorder.
enum Step<'a> {
    /// A node, and the table it stands in.
    Open(Table<'a>, Node<'a>),
    /// The end of the node on this level.
    Close(usize),
}

/// Goes through the nodes of a tree with a list of levels in place of recursion.
struct Walk<'a> {
    root: Option<Table<'a>>,
    /// The children that are still to come on each open level.
    levels: [Vector<'a, 4>; LEVELS],
    open: usize,
}

impl<'a> Walk<'a> {
    const fn new(root: Table<'a>) -> Self {
        Self { root: Some(root), levels: [Vector::EMPTY; LEVELS], open: 0 }
    }

    /// The innermost open level.
    const fn innermost(&self) -> Option<usize> {
        self.open.checked_sub(1)
    }

    fn next(&mut self) -> Result<Option<Step<'a>>, ExportError> {
        let table = match (self.root.take(), self.innermost()) {
            (Some(root), _) => root,
            (None, None) => return Ok(None),
            (None, Some(level)) => match self.levels.get_mut(level).and_then(Vector::next_table) {
                Some(table) => table?,
                None => {
                    self.open = level;
                    return Ok(Some(Step::Close(level)));
                }
            },
        };
        let children = table.vector(CHILDREN)?;
        let node = Node::read(&table, children.num_left())?;
        if !node.is_childless() {
            let too_deep = table.fault(Fault::TooDeep { limit: MAX_DEPTH });
            *self.levels.get_mut(self.open).ok_or(too_deep)? = children;
            self.open = self.open.saturating_add(1);
        }
        Ok(Some(Step::Open(table, node)))
    }
}

/// What a node says before its children.
enum Node<'a> {
    Leaf,
    None,
    Tuple(u32),
    List(u32),
    Dict(Vector<'a, 4>),
    Ordered(OrderedOf<'a>),
    Custom { name: &'a str, aux: &'a [u8], children: u32 },
}

impl<'a> Node<'a> {
    fn read(table: &Table<'a>, children: u32) -> Result<Self, ExportError> {
        let [kind] = table.number(KIND)?;
        Ok(match kind {
            0 => Self::Leaf,
            1 => Self::None,
            2 => Self::Tuple(children),
            3 => Self::List(children),
            4 => Self::Dict(table.vector(CHILDREN_NAMES)?),
            5 => {
                let name = table.required(CUSTOM_NAME, table.string(CUSTOM_NAME)?)?;
                let aux = table.vector::<1>(CUSTOM_AUXDATA)?.rest()?;
                if name != ORDERED_DICT {
                    return Ok(Self::Custom { name, aux, children });
                }
                let keys = core::str::from_utf8(aux).ok().and_then(JsonStrings::read);
                let (keys, count) = keys.ok_or(table.fault(Fault::BadKeys))?;
                Self::Ordered(OrderedOf { keys, count, aux })
            }
            kind => return Err(table.fault(Fault::UnknownNode(kind))),
        })
    }

    /// Whether the node is one that has no children.
    const fn is_childless(&self) -> bool {
        matches!(self, Self::Leaf | Self::None)
    }

    /// Checks the keys, and that there is one for each child.
    fn check(&self, table: &Table<'a>, budget: &mut Budget) -> Result<(), ExportError> {
        let found = table.vector::<4>(CHILDREN)?.num_left();
        let fault = |kind| table.fault(kind);
        let expected = match self {
            Self::Leaf | Self::None => 0,
            Self::Tuple(_) | Self::List(_) => found,
            Self::Dict(names) => {
                increasing(Strings::new(*names, budget)?).map_err(fault)?;
                names.num_left()
            }
            Self::Ordered(OrderedOf { keys, count, aux }) => {
                budget.spend_run(aux, fault(Fault::Shared))?;
                match distinct(keys, *count) {
                    Distinct::Yes => *count,
                    Distinct::No { first, second } => {
                        return Err(fault(Fault::DuplicateKey { first, second }));
                    }
                    Distinct::TooMany => {
                        return Err(fault(Fault::TooManyKeys { limit: MAX_ORDERED_KEYS }));
                    }
                }
            }
            Self::Custom { name, aux, .. } => {
                budget.spend_run(name.as_bytes(), fault(Fault::Shared))?;
                budget.spend_run(aux, fault(Fault::Shared))?;
                found
            }
        };
        match expected == found {
            true => Ok(()),
            false => Err(fault(Fault::Arity { expected, found })),
        }
    }

    /// Tells a sink of the node; what it gives for a node that has children is wanted at the end of it.
    fn begin<S: Sink>(self, sink: &mut S) -> Result<Option<S::Frame>, Error> {
        match self {
            Self::Leaf => sink.leaves(1).map(|()| None),
            Self::None => sink.none().map(|()| None),
            Self::Tuple(count) => sink.begin(&TupleOf(count as usize)).map(Some),
            Self::List(count) => sink.begin(&ListOf(count as usize)).map(Some),
            Self::Dict(names) => {
                sink.begin(&DictOf::new(DictKind::Sorted, Strings::trusted(names))).map(Some)
            }
            Self::Ordered(heading) => sink.begin(&heading).map(Some),
            Self::Custom { name, aux, children } => {
                let (aux, children) = (Value::Bytes(aux), children as usize);
                sink.begin(&CustomOf { name, aux, children, child_keys: None }).map(Some)
            }
        }
    }
}

/// Sees that the keys of a dict are in sorted order, which for strings is that of their bytes.
fn increasing(mut keys: Strings<'_>) -> Result<(), Fault> {
    let Some(mut before) = keys.next() else { return Ok(()) };
    let mut first = 0u32;
    for key in keys {
        let second = first.saturating_add(1);
        match before.cmp(key) {
            Ordering::Less => {}
            Ordering::Equal => return Err(Fault::DuplicateKey { first, second }),
            Ordering::Greater => return Err(Fault::UnsortedKeys { first, second }),
        }
        (before, first) = (key, second);
    }
    Ok(())
}
