//! Trees of a given size that are hard in one way each, and what is asked of them.

use std::iter;

use treedef::cache::{Dtype, KeyWriter};
use treedef::dynamic::unflatten_into;
use treedef::encode::{Level, OpenNode};
use treedef::head::{ChildKey, DictKind, HeadSpec};
use treedef::path::Entries;
use treedef::record::{RecordLeaves, fold_into, save};
use treedef::tree::choices::choices_into;
use treedef::tree::{NoLeaves, Structure, TreeWalk};
use treedef::{
    Error, KeyEntry, Kind, Node, TreeDef, TreeDefBox, Value, View, Writer, head, schema_of,
    structure,
};

/// A typed tree of a leaf and of an option that every third one lacks, so that few neighbours are equal.
pub(crate) type Pair = (u32, Option<[u32; 1]>);

/// A typed tree that has trees of its type.
#[derive(Clone, treedef::Tree)]
#[tree(name = "Expr")]
pub(crate) enum Expr {
    Leaf(u32),
    Negated(Box<Self>),
    Sum(Vec<Self>),
}

impl Expr {
    fn of(leaf: u32) -> Self {
        let negated = || Self::Negated(Box::new(Self::Leaf(leaf)));
        match leaf % 3 {
            0 => Self::Leaf(leaf),
            1 => negated(),
            _ => Self::Sum(vec![Self::Leaf(leaf), negated()]),
        }
    }
}

/// A tree, others that go with it, and memory for what is made of them.
pub(crate) struct Input<'a> {
    /// The tree.
    pub(crate) def: TreeDef<'a>,
    /// A prefix of it.
    pub(crate) prefix: TreeDef<'a>,
    /// A tree that differs from it at many places.
    pub(crate) other: TreeDef<'a>,
    /// One leaf for each leaf of the tree.
    pub(crate) leaves: Vec<u32>,
    /// The tree as nodes; `None` if it is deeper than those may be, or too large.
    pub(crate) node: Option<Node<'a, u32>>,
    /// The index of a leaf that is as deep as any.
    pub(crate) deepest: usize,
    /// The path of that leaf, and of the last one, as entries and as texts.
    pub(crate) deep_path: Vec<KeyEntry<'a>>,
    pub(crate) last_path: Vec<KeyEntry<'a>>,
    pub(crate) last_text: String,
    /// Bytes to write to, more than any operation asks for.
    pub(crate) bytes: Vec<u8>,
    /// Levels for every depth.
    pub(crate) levels: Vec<Level>,
    /// Leaves to write to.
    pub(crate) out: Vec<u32>,
    pub(crate) out2: Vec<u32>,
    pub(crate) some: Vec<Option<u32>>,
    pub(crate) some2: Vec<Option<u32>>,
    /// Marks of the leaves of the tree, and of those of the prefix.
    pub(crate) marks: Vec<bool>,
    pub(crate) prefix_marks: Vec<bool>,
    /// More children of a node are not walked over.
    pub(crate) most: usize,
    /// Keys of a call with the tree, its leaves being arrays; with the one that differs; with other arrays.
    pub(crate) key: Vec<u8>,
    pub(crate) other_key: Vec<u8>,
    pub(crate) same_key: Vec<u8>,
    /// The numbers of units: see [`Unit`].
    units: [usize; 7],
    /// A pair and an expression for each leaf of the tree; none if it is too large.
    pub(crate) pairs: Typed<Pair>,
    pub(crate) expressions: Typed<Expr>,
}

/// Typed trees, and what was made of them.
pub(crate) struct Typed<T> {
    pub(crate) trees: Vec<T>,
    pub(crate) def: TreeDefBox,
    pub(crate) choices: Vec<u8>,
    pub(crate) record: Vec<u8>,
    pub(crate) folded: Vec<u8>,
}

impl<T: TreeWalk<NoLeaves> + TreeWalk<RecordLeaves>> Typed<T>
where
    [T]: Structure,
{
    fn of(trees: Vec<T>) -> Self {
        let def = structure(trees.as_slice()).expect("a structure");
        let mut choices = vec![0; def.as_treedef().num_nodes() + 8];
        let len = choices_into(trees.as_slice(), &mut choices).expect("room");
        choices.truncate(len);
        let record = save(&trees).expect("a record");
        let mut folded = vec![0; 2 * record.len()];
        let len = fold_into(&record, schema_of::<Vec<T>>(), &mut folded).expect("room");
        folded.truncate(len);
        Self { trees, def, choices, record, folded }
    }
}

/// What an operation may cost a constant number of instructions for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// The call.
    Call,
    /// Each byte of the treedef, of its prefix and of the other one.
    Byte,
    /// Each node, with repeats written out.
    Node,
    /// Each entry of the paths of all leaves.
    Entry,
    /// Each byte of the treedef alone.
    OwnByte,
    /// Each node of the pairs.
    OfPairs,
    /// Each node of the expressions.
    OfExpressions,
}

/// A tree with its prefix, and one that differs from it.
pub(crate) struct Trees<'a> {
    pub(crate) def: TreeDef<'a>,
    pub(crate) prefix: TreeDef<'a>,
    pub(crate) other: TreeDef<'a>,
}

impl<'a> Input<'a> {
    /// A tree of more nodes than `limit` is not walked, and one of more leaves has no view. `slab` has room for the nodes.
    pub(crate) fn new(trees: Trees<'a>, limit: usize, slab: &'a mut [Node<'a, u32>]) -> Self {
        let Trees { def, prefix, other } = trees;
        let walk = Walk::of(def, limit);
        let (nodes, most) = (def.num_nodes(), def.num_nodes().max(other.num_nodes()).min(limit));
        let leaves: Vec<u32> = (0..).take(def.num_leaves().min(limit)).collect();
        let node = (nodes < limit).then(|| unflatten_into(def, &leaves, slab).ok());
        let read = def.as_bytes().len() + prefix.as_bytes().len() + other.as_bytes().len();
        let few = if nodes < limit { leaves.as_slice() } else { &[] };
        let second = |leaf: u32| (!leaf.is_multiple_of(3)).then_some([leaf]);
        let pairs = Typed::of(few.iter().map(|leaf| (*leaf, second(*leaf))).collect());
        let expressions = Typed::of(few.iter().map(|leaf| Expr::of(*leaf)).collect());
        let marks = |leaves: usize| (0..leaves.min(limit)).map(|leaf| leaf % 3 == 0).collect();
        Self {
            def,
            prefix,
            other,
            node: node.flatten(),
            deepest: walk.deepest,
            last_text: walk.last.iter().map(KeyEntry::to_string).collect(),
            deep_path: walk.deep,
            last_path: walk.last,
            bytes: vec![0; 64 * most + 8 * read + 64],
            levels: vec![Level::default(); 5 * (walk.depth + 2)],
            out: vec![0; 4 * most],
            out2: vec![0; 4 * most],
            some: vec![None; most],
            some2: vec![None; most],
            marks: marks(leaves.len()),
            prefix_marks: marks(prefix.num_leaves()),
            key: key(def, 2, limit),
            other_key: key(other, 2, limit),
            same_key: key(def, 3, limit),
            most: limit.min(1 << 20),
            units: [
                1,
                read,
                nodes,
                walk.entries.max(1),
                def.as_bytes().len(),
                pairs.def.as_treedef().num_nodes(),
                expressions.def.as_treedef().num_nodes(),
            ],
            pairs,
            expressions,
            leaves,
        }
    }

    pub(crate) fn units(&self, unit: Unit) -> usize {
        self.units[unit as usize]
    }

    /// The tree with its leaves; `None` if it has too many.
    pub(crate) fn view(&self) -> Option<View<'_, u32>> {
        View::new(self.def, &self.leaves).ok()
    }
}

/// The key of a call with a tree whose leaves are arrays of `rank` dimensions.
fn key(def: TreeDef<'_>, rank: usize, limit: usize) -> Vec<u8> {
    let leaves = if def.num_leaves() < limit { def.num_leaves() } else { 0 };
    let mut bytes = vec![0; def.as_bytes().len() + 16 * leaves];
    let mut key = KeyWriter::new(&mut bytes);
    key.treedef(def);
    for leaf in 0..leaves {
        key.array(Dtype::Float32, false, &[leaf % 100, 7, 7][..rank]);
    }
    let len = key.finish().expect("room").as_bytes().len();
    bytes.truncate(len);
    bytes
}

/// What two walks over all nodes find.
#[derive(Default)]
struct Walk<'a> {
    depth: usize,
    /// The entries of the paths of all leaves.
    entries: usize,
    deepest: usize,
    deep: Vec<KeyEntry<'a>>,
    last: Vec<KeyEntry<'a>>,
}

impl<'a> Walk<'a> {
    fn of(def: TreeDef<'a>, limit: usize) -> Self {
        let mut walk = Self::default();
        let Some(last) = def.num_leaves().checked_sub(1) else { return walk };
        // Of a tree that is too large for a walk, the first leaf and the last one of the stored bytes do.
        if def.num_nodes() > limit {
            [walk.deep, walk.last] = [0, last].map(|leaf| {
                def.path(leaf).into_iter().flat_map(|path| path.entries()).collect::<Vec<_>>()
            });
            walk.depth = walk.deep.len();
            return walk;
        }
        for_each_path(def, |leaf, path| {
            walk.entries += path.len();
            if path.len() > walk.depth {
                (walk.depth, walk.deepest) = (path.len(), leaf);
            }
        });
        for_each_path(def, |leaf, path| {
            if leaf == walk.deepest {
                walk.deep = path.to_vec();
            }
            if leaf == last {
                walk.last = path.to_vec();
            }
        });
        walk
    }
}

/// Calls `visit` with each leaf and its path.
fn for_each_path<'a>(def: TreeDef<'a>, mut visit: impl FnMut(usize, &[KeyEntry<'a>])) {
    let mut path = Vec::new();
    if TreeDef::from_bytes(def.as_bytes()).is_err() {
        // One shape is too deep for a walk, and its paths are known: of a comb of 2 levels `[0][0]`, `[0][1]` and `[1]`.
        let depth = def.num_leaves() - 1;
        assert_eq!(def.num_nodes(), 2 * depth + 1, "a tree that is deep and no comb");
        path.resize(depth, KeyEntry::Index(0));
        visit(0, &path);
        for leaf in 1..=depth {
            path.truncate(depth - leaf);
            path.push(KeyEntry::Index(1));
            visit(leaf, &path);
        }
        return;
    }
    // The entries of the nodes around the next one.
    let mut open: Vec<Entries<'_>> = Vec::new();
    for node in def.nodes().flatten() {
        open.truncate(node.depth);
        path.truncate(node.depth.saturating_sub(1));
        path.extend(open.last_mut().and_then(Iterator::next));
        match node.head.kind() {
            Kind::Leaf => visit(node.leaf, &path),
            _ => open.push(node.head.entries()),
        }
    }
}

/// A kind of trees, for each size.
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    /// Whether the size is that of the bytes, and there are billions of nodes.
    pub(crate) claims: bool,
    /// What is measured: [`SIZES`], or [`DEPTHS`] of trees of one size.
    pub(crate) sizes: &'static [usize],
    /// The names of the operations that run; all if it is empty.
    pub(crate) rows: &'static [&'static str],
    /// The trees of about this number of nodes or bytes, or of this depth.
    pub(crate) trees: fn(usize) -> Trees<'static>,
}

/// The nodes of the trees, or the bytes. What grows is measured at the first two sizes alone, because it may take long.
pub(crate) const SIZES: &[usize] = &[100, 300, 1000, 10_000];

/// The depths of the deepest leaf, up to the limit of nodes, in trees of about [`DEEP_NODES`].
const DEPTHS: &[usize] = &[2, 4, 8, 16, 32, 64];

/// The nodes of trees that differ in depth.
const DEEP_NODES: usize = 10_000;

const fn shape(name: &'static str, trees: fn(usize) -> Trees<'static>) -> Shape {
    Shape { name, claims: false, sizes: SIZES, rows: &[], trees }
}

const fn deep(name: &'static str, trees: fn(usize) -> Trees<'static>) -> Shape {
    let rows =
        &["TreeDef::from_bytes", "Flatten::matches", "unflatten_into", "Flatten::flatten_into"];
    Shape { sizes: DEPTHS, rows, ..shape(name, trees) }
}

pub(crate) const SHAPES: &[Shape] = &[
    shape("leaves", |size| Trees {
        def: list(size, |out, _| leaf(out)),
        prefix: TreeDef::LEAF,
        other: list(size, |out, index| if index % 3 == 0 { none(out) } else { leaf(out) }),
    }),
    // No two dicts are alike.
    shape("dicts", |size| Trees {
        def: list(size / 8, |out, index| unlike(out, index, 3)),
        prefix: list(size / 8, |out, index| match index % 2 {
            0 => unlike(out, index, 3),
            _ => leaf(out),
        }),
        other: list(size / 8, |out, index| unlike(out, index, if index % 3 == 0 { 2 } else { 3 })),
    }),
    // Each list has a leaf and then the next list.
    shape("chain", |size| {
        let chain = |depth| build(|out| chain(out, depth, true));
        Trees { def: chain(size / 2), prefix: chain(size / 4), other: chain(size / 3) }
    }),
    // Each list has the next list and then a leaf.
    shape("comb", |size| {
        let comb = |depth| build(|out| chain(out, depth, false));
        Trees { def: comb(size / 2), prefix: comb(size / 4), other: comb(size / 3) }
    }),
    // A list of combs, no two neighbours of which are alike, deeper in larger trees, but never too deep.
    shape("combs", |size| {
        let levels = size.isqrt().min(60);
        let combs = |depth: &dyn Fn(usize) -> usize| {
            list(size / levels / 2, |out, index| chain(out, depth(index), false))
        };
        let depth = |index| levels - index % 2;
        Trees {
            def: combs(&depth),
            prefix: combs(&|index| if index % 3 == 0 { 0 } else { depth(index) }),
            other: combs(&|index| depth(index) - index % 3 / 2),
        }
    }),
    // Siblings of every level differ in their last leaf alone, or in the prefix not at all.
    shape("near-equal", |size| {
        let levels = size.ilog2() - 2;
        let halves = |last| build(|out| halves(out, levels, last));
        Trees { def: halves(levels + 1), prefix: equal_halves(levels), other: halves(levels + 2) }
    }),
    shape("alternating", |size| {
        let trees = |cut: usize| {
            list(size / 4, move |out, index| match index % 2 {
                0 if cut > 0 => leaf(out),
                0 => counted(out, &head::List(2), |out, _| leaf(out)),
                _ if cut > 1 => leaf(out),
                _ => counted(out, &head::Tuple(3), |out, _| leaf(out)),
            })
        };
        Trees { def: trees(0), prefix: trees(1), other: trees(2) }
    }),
    shape("large dict", |size| keyed(size, DictKind::Sorted, |index| index, |index| 2 * index)),
    shape("falling keys", |size| {
        keyed(size, DictKind::Ordered, move |index| size - index, move |index| size + 3 - index)
    }),
    shape("shuffled keys", |size| {
        let (one, two) = (shuffled(size, 1), shuffled(size, 2));
        keyed(size, DictKind::Ordered, move |index| one[index], move |index| two[index])
    }),
    shape("dict of dicts", |size| {
        let width = size.isqrt();
        // No two of the inner dicts are alike.
        let dicts = |step: usize, cut: usize| {
            build(|out| {
                dict(
                    out,
                    DictKind::Sorted,
                    width,
                    |index| index,
                    |out, index| {
                        if index % 2 < cut {
                            return leaf(out);
                        }
                        let key = |inner| inner * step + index % 2;
                        dict(out, DictKind::Sorted, width, key, |out, _| leaf(out));
                    },
                );
            })
        };
        Trees { def: dicts(3, 0), prefix: dicts(3, 1), other: dicts(2, 0) }
    }),
    shape("fields", |size| {
        let fields = |full, skip: usize| {
            build(|out| {
                let names: Vec<_> = (0..size).map(|index| name(index + index / 2 * skip)).collect();
                let fields: Vec<_> = names.iter().map(String::as_str).collect();
                counted(
                    out,
                    &head::Struct { name: "Wide", fields: &fields, meta: &[] },
                    |out, index| child(out, full, index),
                );
            })
        };
        Trees { def: fields(true, 0), prefix: fields(false, 0), other: fields(true, 1) }
    }),
    shape("child keys", |size| {
        let custom = |full, seed| {
            build(|out| {
                let names: Vec<_> = shuffled(size, seed).into_iter().map(name).collect();
                let keys: Vec<_> = names.iter().map(|name| ChildKey::Attr(name)).collect();
                let (aux, child_keys) = (Value::None, Some(keys.as_slice()));
                counted(
                    out,
                    &head::Custom { name: "Wide", aux, children: size, child_keys },
                    |out, index| child(out, full, index),
                );
            })
        };
        Trees { def: custom(true, 1), prefix: custom(false, 1), other: custom(true, 2) }
    }),
    // Billions of leaves, and then lists of pairs, no two neighbours of which are alike.
    Shape {
        claims: true,
        ..shape("claims", |size| {
            let claims = |less: usize| {
                list(size / 10, move |out, index| match index {
                    0 => pairs(out, 1 << 30),
                    _ => pairs(out, 1000 - index % 2 - less * (index % 3)),
                })
            };
            Trees { def: claims(0), prefix: claims(0), other: claims(1) }
        })
    },
    // As chain and comb, but of one size and of several depths.
    deep("deep chains", |depth| nests(depth, true)),
    deep("deep combs", |depth| nests(depth, false)),
];

/// Writes a treedef.
fn build(build: impl Fn(&mut Writer<'_>)) -> TreeDef<'static> {
    let mut room = 1 << 12;
    loop {
        let mut out = Writer::new(vec![0; room].leak());
        out.set_max_depth(u32::MAX);
        build(&mut out);
        match out.finish() {
            Ok(def) => return def,
            Err(Error::Full { .. }) => room *= 4,
            Err(error) => panic!("{error}"),
        }
    }
}

// A writer without room keeps its error, which `build` finds at the end.

fn leaf(out: &mut Writer<'_>) {
    out.leaves(1);
}

fn none(out: &mut Writer<'_>) {
    out.none();
}

fn end(out: &mut Writer<'_>, frame: OpenNode) {
    out.end(frame);
}

/// A node with a child for each index.
fn counted<H: HeadSpec>(
    out: &mut Writer<'_>,
    heading: &H,
    mut child: impl FnMut(&mut Writer<'_>, usize),
) {
    out.node(heading, |out| (0..heading.arity()).for_each(|index| child(out, index)));
}

/// A list of equal pairs of leaves.
fn pairs(out: &mut Writer<'_>, count: usize) {
    let frame = out.begin_list(count);
    counted(out, &head::Tuple(2), |out, _| leaf(out));
    out.repeat(count - 1);
    end(out, frame);
}

fn list(count: usize, child: impl Fn(&mut Writer<'_>, usize)) -> TreeDef<'static> {
    build(|out| counted(out, &head::List(count), &child))
}

/// A name of one length for all indices.
fn name(index: usize) -> String {
    format!("k{index:08}")
}

/// A dict with a child for each index.
fn dict(
    out: &mut Writer<'_>,
    kind: DictKind<'_>,
    count: usize,
    key: impl Fn(usize) -> usize,
    child: impl FnMut(&mut Writer<'_>, usize),
) {
    let keys: Vec<_> = (0..count).map(|index| name(key(index))).collect();
    counted(out, &head::Dict::new(kind, keys.iter().map(String::as_str)), child);
}

/// A leaf, or in a full tree for every other index a tuple of one.
fn child(out: &mut Writer<'_>, full: bool, index: usize) {
    match index % 2 {
        0 if full => counted(out, &head::Tuple(1), |out, _| leaf(out)),
        _ => leaf(out),
    }
}

/// Dicts with other keys, and a prefix.
fn keyed(
    size: usize,
    kind: DictKind<'_>,
    key: impl Fn(usize) -> usize,
    other: impl Fn(usize) -> usize,
) -> Trees<'static> {
    let make = |full, key: &dyn Fn(usize) -> usize| {
        build(|out| dict(out, kind, size, key, |out, index| child(out, full, index)))
    };
    Trees { def: make(true, &key), prefix: make(false, &key), other: make(true, &other) }
}

/// A dict of eight nodes whose keys are its own, with `leaves` leaves in its tuple.
fn unlike(out: &mut Writer<'_>, index: usize, leaves: usize) {
    let keys = ["b", "k", "w"].map(|letter| format!("{letter}{}", name(index)));
    let keys = head::Dict::new(DictKind::Sorted, keys.iter().map(String::as_str));
    counted(out, &keys, |out, child| match child {
        0 => leaf(out),
        1 => none(out),
        _ => counted(out, &head::Tuple(leaves), |out, _| leaf(out)),
    });
}

/// Lists of a leaf and the next list, in this order or the other.
fn chain(out: &mut Writer<'_>, depth: usize, leaf_first: bool) {
    let frames: Vec<_> = iter::repeat_with(|| {
        let frame = out.begin_list(2);
        if leaf_first {
            leaf(out);
        }
        frame
    })
    .take(depth)
    .collect();
    leaf(out);
    for frame in frames.into_iter().rev() {
        if !leaf_first {
            leaf(out);
        }
        end(out, frame);
    }
}

/// A list of [`nest`]s, every other one of tuples, so that no two neighbours are alike. At every depth half of the nodes are
/// leaves, and a node takes a byte.
fn nests(depth: usize, leaf_first: bool) -> Trees<'static> {
    let levels = depth - 1;
    let nest = |out: &mut Writer<'_>, index| nest(out, levels, leaf_first, index % 2 == 0);
    let def = list(DEEP_NODES / 2 / levels, nest);
    Trees { def, prefix: TreeDef::LEAF, other: TreeDef::LEAF }
}

/// `levels` tuples or lists in one another, each with a leaf before the next one or after it.
fn nest(out: &mut Writer<'_>, levels: usize, leaf_first: bool, is_tuple: bool) {
    let children = levels.min(2);
    let child = |out: &mut Writer<'_>, index| {
        if levels == 1 || (index == 0) == leaf_first {
            leaf(out);
        } else {
            nest(out, levels - 1, leaf_first, is_tuple);
        }
    };
    if is_tuple {
        counted(out, &head::Tuple(children), child);
    } else {
        counted(out, &head::List(children), child);
    }
}

/// A list of two halves that differ in nothing but their last leaf, which is a list of `last` leaves, and so do the
/// halves of each.
fn halves(out: &mut Writer<'_>, levels: u32, last: u32) {
    let (count, ends) = match levels {
        0 => (last as usize, [0; 2]),
        _ => (2, [levels, last]),
    };
    counted(out, &head::List(count), |out, half| match levels {
        0 => leaf(out),
        _ => halves(out, levels - 1, ends[half]),
    });
}

/// As [`halves`] with a leaf for each list of leaves.
fn equal_halves(levels: u32) -> TreeDef<'static> {
    (0..levels).fold(TreeDef::LEAF, |half, _| {
        build(|out| {
            counted(out, &head::List(2), |out, _| {
                out.subtree(half);
            });
        })
    })
}

/// The numbers below `count` in another order.
fn shuffled(count: usize, seed: u64) -> Vec<usize> {
    let mut numbers: Vec<_> = (0..count).collect();
    let mut state = seed;
    for index in (1..count).rev() {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        numbers.swap(index, (state >> 33) as usize % (index + 1));
    }
    numbers
}
