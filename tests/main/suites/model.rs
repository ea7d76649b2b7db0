//! Python's trees as an object model of their own, and what the suites do with them.
//!
//! A tree flattens as any [`Object`] and is rebuilt by [`fold`]; treedefs are leaked, as a test program may.

use treedef::dynamic::{Flatten, Open, fold, fold_len};
use treedef::head::{ChildKey, DictKind, HeadSpec, head_into, head_len};
use treedef::{Error, Head, KeyEntry, Kind, Object, TreeDef, Value, View, head};

use crate::support;

/// A value that Python would take for a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Leaf(pub(crate) Value<'static>);

/// A tree; nodes that are no plain dictionary carry their head.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    Leaf(Leaf),
    None,
    Node(Head<'static>, Vec<Tree>),
    /// A `dict`, its entries as they were inserted.
    Dict(Vec<(Value<'static>, Tree)>),
}

impl Tree {
    /// A node with the head that a heading says.
    pub(crate) fn new(heading: &impl HeadSpec, children: impl IntoIterator<Item = Tree>) -> Self {
        let bytes = vec![0; head_len(heading)].leak();
        let children = Vec::from_iter(children);
        assert_eq!(heading.arity(), children.len(), "the model is wrong");
        Tree::Node(head_into(heading, bytes).unwrap(), children)
    }

    /// The children in the order in which they are flattened.
    pub(crate) fn children(&self) -> Vec<&Tree> {
        match self {
            Tree::Leaf(_) | Tree::None => Vec::new(),
            Tree::Node(_, children) => children.iter().collect(),
            Tree::Dict(entries) => sorted(entries).into_iter().map(|(_, child)| child).collect(),
        }
    }

    pub(crate) fn is(&self, kind: Kind) -> bool {
        match self {
            Tree::Leaf(_) => kind == Kind::Leaf,
            Tree::None => kind == Kind::None,
            Tree::Node(head, _) => head.kind() == kind,
            Tree::Dict(_) => kind == Kind::Dict,
        }
    }

    /// The leaf as a number.
    pub(crate) fn int(&self) -> i64 {
        match self {
            Tree::Leaf(Leaf(Value::Int(number))) => *number,
            other => panic!("no number: {other:?}"),
        }
    }
}

fn sorted<'t>(entries: &'t [(Value<'static>, Tree)]) -> Vec<(Value<'static>, &'t Tree)> {
    let mut entries: Vec<_> = entries.iter().map(|(key, child)| (*key, child)).collect();
    entries.sort_by(|(a, _), (b, _)| a.compare(*b).expect("keys that can be ordered"));
    entries
}

/// As Python's `==`: a dictionary is a mapping.
impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Tree::Leaf(a), Tree::Leaf(b)) => a == b,
            (Tree::None, Tree::None) => true,
            (Tree::Node(a, own), Tree::Node(b, their)) => a == b && own == their,
            (Tree::Dict(own), Tree::Dict(their)) => sorted(own) == sorted(their),
            _ => false,
        }
    }
}

impl From<i64> for Tree {
    fn from(number: i64) -> Self {
        Tree::Leaf(Leaf(Value::Int(number)))
    }
}

impl From<f64> for Tree {
    fn from(number: f64) -> Self {
        Tree::Leaf(Leaf(Value::Float(number)))
    }
}

impl From<&'static str> for Tree {
    fn from(text: &'static str) -> Self {
        Tree::Leaf(Leaf(Value::Str(text)))
    }
}

impl<'t> Object for &'t Tree {
    type Leaf = &'t Leaf;

    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
        match self {
            Tree::Leaf(leaf) => open.leaf(leaf),
            Tree::None => open.none(),
            Tree::Node(head, children) => open.node(head, children),
            Tree::Dict(entries) => open.dict(entries.iter().map(|(key, child)| (*key, child))),
        }
    }
}

/// A tree in Python's notation. What is more than one token stands in parentheses: `py!([1, (-2), None, {"a": (3,)}])`.
macro_rules! py {
    (None) => { $crate::suites::model::Tree::None };
    ([$($item:tt),* $(,)?]) => { $crate::suites::model::list([$(py!($item)),*]) };
    ({$($key:tt : $item:tt),* $(,)?}) => { $crate::suites::model::dict([$(($key.into(), py!($item))),*]) };
    (()) => { $crate::suites::model::tuple([]) };
    (($item:tt ,)) => { $crate::suites::model::tuple([py!($item)]) };
    (($first:tt, $($item:tt),+ $(,)?)) => { $crate::suites::model::tuple([py!($first), $(py!($item)),+]) };
    (($leaf:expr)) => { $crate::suites::model::Tree::from($leaf) };
    ($leaf:expr) => { $crate::suites::model::Tree::from($leaf) };
}
pub(crate) use py;

pub(crate) fn tuple(children: impl IntoIterator<Item = Tree>) -> Tree {
    let children = Vec::from_iter(children);
    Tree::new(&head::Tuple(children.len()), children)
}

pub(crate) fn list(children: impl IntoIterator<Item = Tree>) -> Tree {
    let children = Vec::from_iter(children);
    Tree::new(&head::List(children.len()), children)
}

pub(crate) fn dict(entries: impl IntoIterator<Item = (Value<'static>, Tree)>) -> Tree {
    Tree::Dict(Vec::from_iter(entries))
}

/// `collections.OrderedDict`.
pub(crate) fn ordered(entries: impl IntoIterator<Item = (&'static str, Tree)>) -> Tree {
    let (keys, children): (Vec<_>, Vec<_>) = entries.into_iter().unzip();
    Tree::new(&head::Dict::new(DictKind::Ordered, keys.into_iter().map(Value::Str)), children)
}

/// `collections.defaultdict`, whose entries may come in any order.
pub(crate) fn defaultdict<const N: usize>(
    factory: &'static str,
    mut entries: [(&'static str, Tree); N],
) -> Tree {
    entries.sort_by_key(|(key, _)| *key);
    let (keys, children): (Vec<_>, Vec<_>) = entries.into_iter().unzip();
    let keys = keys.into_iter().map(Value::Str);
    Tree::new(&head::Dict::new(DictKind::Default(factory), keys), children)
}

/// A `collections.namedtuple`.
pub(crate) fn named(name: &str, fields: &[&str], children: impl IntoIterator<Item = Tree>) -> Tree {
    Tree::new(&head::NamedTuple { name, fields }, children)
}

/// A registered dataclass with its meta fields.
pub(crate) fn dataclass(
    name: &str,
    fields: &[&str],
    meta: &[(&str, Value<'_>)],
    children: impl IntoIterator<Item = Tree>,
) -> Tree {
    Tree::new(&head::Struct { name, fields, meta }, children)
}

/// A registered class, perhaps with keys.
pub(crate) fn custom(
    name: &str,
    aux: Value<'_>,
    child_keys: Option<&[ChildKey<'_>]>,
    children: impl IntoIterator<Item = Tree>,
) -> Tree {
    let children = Vec::from_iter(children);
    Tree::new(&head::Custom { name, aux, children: children.len(), child_keys }, children)
}

/// Leaves and treedef, as `jax.tree.flatten`.
pub(crate) fn flatten(tree: &Tree) -> (Vec<Tree>, TreeDef<'static>) {
    let mut leaves = vec![Leaf(Value::None); Flatten::new().num_leaves(tree).unwrap()];
    let bytes = vec![0; Flatten::new().structure_bound(tree).unwrap()].leak();
    let (def, count) = Flatten::new().flatten_into(tree, bytes, &mut leaves).unwrap();
    assert_eq!(count, leaves.len());
    (leaves.into_iter().map(Tree::Leaf).collect(), def)
}

/// As [`flatten`], where `is_leaf` also says what a leaf is.
pub(crate) fn flatten_where(
    tree: &Tree,
    is_leaf: impl Fn(&Tree) -> bool,
) -> (Vec<Tree>, TreeDef<'static>) {
    let options = || Flatten::new().is_leaf(|tree: &Tree| is_leaf(tree));
    let mut leaves = vec![tree; options().num_leaves(tree).unwrap()];
    let bytes = vec![0; options().structure_bound(tree).unwrap()].leak();
    let (def, _) = options().flatten_into(tree, bytes, &mut leaves).unwrap();
    (leaves.into_iter().cloned().collect(), def)
}

/// As [`flatten`] with `None` as a leaf.
pub(crate) fn flatten_nones(tree: &Tree) -> (Vec<Tree>, TreeDef<'static>) {
    let options = || Flatten::new().none_is_leaf();
    let mut leaves = vec![tree; options().num_leaves(tree).unwrap()];
    let bytes = vec![0; options().structure_bound(tree).unwrap()].leak();
    let (def, _) = options().flatten_into(tree, bytes, &mut leaves).unwrap();
    (leaves.into_iter().cloned().collect(), def)
}

pub(crate) fn structure(tree: &Tree) -> TreeDef<'static> {
    flatten(tree).1
}

/// The tree of this structure with these leaves, which may themselves be trees, as `jax.tree.unflatten`.
pub(crate) fn try_unflatten(
    def: TreeDef<'static>,
    leaves: impl IntoIterator<Item = Tree>,
) -> Result<Tree, Error> {
    let mut stack = vec![None; fold_len(def)?];
    fold(
        def,
        leaves,
        &mut stack,
        |leaf| leaf,
        |head, children| {
            Ok(match head.kind() {
                Kind::None => Tree::None,
                Kind::Dict => Tree::Dict(head.keys().zip(children).collect()),
                _ => Tree::Node(head, children.collect()),
            })
        },
    )
}

/// As [`try_unflatten`] of leaves that fit.
pub(crate) fn unflatten(def: TreeDef<'static>, leaves: impl IntoIterator<Item = Tree>) -> Tree {
    try_unflatten(def, leaves).unwrap()
}

/// The tree with every leaf replaced.
pub(crate) fn map(tree: &Tree, f: impl FnMut(Tree) -> Tree) -> Tree {
    let (leaves, def) = flatten(tree);
    unflatten(def, leaves.into_iter().map(f))
}

/// The key paths of the leaves as `jax.tree_util.keystr` writes them.
pub(crate) fn keystrs(def: TreeDef<'_>) -> Vec<String> {
    def.paths().map(|path| path.keystr().to_string()).collect()
}

/// The key path of every leaf.
pub(crate) fn paths(def: TreeDef<'_>) -> Vec<Vec<KeyEntry<'_>>> {
    def.paths().map(|path| path.entries().collect()).collect()
}

/// Writes what an operation on treedefs gives, into as many bytes as are said to be enough.
pub(crate) fn write(structure: &impl treedef::tree::Structure) -> TreeDef<'static> {
    let needed = treedef::encode::structure_bound(structure).unwrap();
    treedef::structure_into(structure, vec![0; needed].leak()).unwrap()
}

/// Writes a node with this head over these children, as `PyTreeDef.from_node_data_and_children`.
pub(crate) fn node_of(head: &impl HeadSpec, children: &[TreeDef<'_>]) -> TreeDef<'static> {
    TreeDef::from_bytes(support::node_of(head, children).unwrap().leak()).unwrap()
}

/// The parts of a flattened tree that the leaves of a prefix stand for, as `PyTreeDef.flatten_up_to`.
pub(crate) fn parts(
    prefix: TreeDef<'_>,
    (leaves, def): (Vec<Tree>, TreeDef<'static>),
) -> Result<Vec<Tree>, Error> {
    let full = View::new(def, &leaves)?;
    let views = Vec::from_iter(treedef::flatten_up_to(prefix, full)?);
    assert_eq!(views.len(), prefix.num_leaves());
    let rebuild = |part: View<'_, Tree>| {
        let bytes: &'static [u8] = part.treedef().as_bytes().to_vec().leak();
        unflatten(TreeDef::from_bytes(bytes).unwrap(), part.leaves().iter().cloned())
    };
    Ok(views.into_iter().map(rebuild).collect())
}

/// `jax.tree.map(lambda *xs: tuple(xs), x, y)` of flattened trees.
pub(crate) fn map_pairs(
    (leaves, def): (Vec<Tree>, TreeDef<'static>),
    other: (Vec<Tree>, TreeDef<'static>),
) -> Result<Tree, Error> {
    let parts = parts(def, other)?;
    Ok(unflatten(def, leaves.into_iter().zip(parts).map(|(x, y)| tuple([x, y]))))
}

/// The entries of a path as a tuple of numbers, keys and names.
pub(crate) fn path_tuple(path: treedef::Path<'_>) -> Tree {
    tuple(path.entries().map(|entry| match entry {
        KeyEntry::Index(index) | KeyEntry::FlatIndex(index) => i64::from(index).into(),
        other => Tree::from(&*other.to_string().leak()),
    }))
}

/// [`map_pairs`] with the path of each leaf in front.
pub(crate) fn map_pairs_with_path(
    (leaves, def): (Vec<Tree>, TreeDef<'static>),
    other: (Vec<Tree>, TreeDef<'static>),
) -> Result<Tree, Error> {
    let parts = parts(def, other)?;
    let paths = def.paths().map(path_tuple);
    let triples = paths.zip(leaves).zip(parts).map(|((p, x), y)| tuple([p, x, y]));
    Ok(unflatten(def, triples))
}
