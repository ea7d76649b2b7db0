//! States trees of the corpus to the library: the one part of the support that uses it.

use super::corpus::{KeyKind, Tree, factory_text};
use super::value::Value;
use std::cmp::Ordering;
use treedef::dynamic::Open;
use treedef::encode::OpenNode;
use treedef::format::BigInt;
use treedef::format::ValueTuple;
use treedef::head::{ChildKey, DictKind, HeadSpec};
use treedef::{Error, Object, TreeDef, Value as Ours, Writer, head};

/// A tree of the corpus as treedef bytes, and the leaves in flatten order; a `None` that counts as a leaf is `None`.
pub struct Stated {
    pub bytes: Vec<u8>,
    pub leaves: Vec<Option<i64>>,
}

impl Stated {
    /// The treedef, read back from the bytes.
    pub fn treedef(&self) -> TreeDef<'_> {
        let mut levels = vec![treedef::encode::Level::default(); self.bytes.len()];
        TreeDef::from_bytes_with(&self.bytes, &mut levels).unwrap()
    }
}

/// Writes a tree of any depth.
pub fn state(tree: &Tree, none_is_leaf: bool) -> Result<Stated, Error> {
    // Plain preorder takes at most this, and a repeat under construction no more.
    let mut bytes = vec![0xA5; room(tree)];
    let mut leaves = Vec::new();
    let mut out = Writer::new(&mut bytes);
    out.set_max_depth(u32::MAX);
    add(&mut out, tree, none_is_leaf, &mut leaves)?;
    let len = out.finish()?.as_bytes().len();
    bytes.truncate(len);
    Ok(Stated { bytes, leaves })
}

fn room(tree: &Tree) -> usize {
    let text = |value: &Value| value.to_bytes().len() + 10;
    let keys = |items: &[(Value, Tree)]| items.iter().map(|(key, _)| text(key)).sum::<usize>();
    let names = |names: &[String]| names.iter().map(|name| name.len() + 10).sum::<usize>();
    let own = 64
        + match tree {
            Tree::Dict(items) | Tree::OrderedDict(items) | Tree::DefaultDict { items, .. } => {
                keys(items)
            }
            Tree::NamedTuple { class, .. } => class.name.len() + names(&class.fields),
            Tree::Custom { class, aux, .. } => {
                let keys: usize = class.key_names.iter().flatten().map(text).sum();
                class.name.len() + text(aux) + keys
            }
            Tree::Dataclass { class, meta, .. } => {
                let meta: usize = meta.iter().map(text).sum();
                class.name.len() + names(&class.data_fields) + names(&class.meta_fields) + meta
            }
            Tree::Static(value) => text(value),
            Tree::StructSeq { name, fields, .. } => name.len() + names(fields),
            _ => 0,
        };
    own + tree.children().into_iter().map(room).sum::<usize>()
}

fn add(
    out: &mut Writer<'_>,
    tree: &Tree,
    none_is_leaf: bool,
    leaves: &mut Vec<Option<i64>>,
) -> Result<(), Error> {
    let leaf = match tree {
        Tree::Leaf(number) => Some(*number),
        Tree::None if none_is_leaf => None,
        Tree::None => {
            out.none();
            return Ok(());
        }
        _ => {
            let node = heading(tree, &mut *out)?;
            for child in in_order(tree)? {
                add(out, child, none_is_leaf, leaves)?;
            }
            out.end(node);
            return Ok(());
        }
    };
    leaves.push(leaf);
    out.leaves(1);
    Ok(())
}

/// The children in the library's order of keys.
fn in_order(tree: &Tree) -> Result<Vec<&Tree>, Error> {
    match tree {
        Tree::Dict(items) | Tree::DefaultDict { items, .. } => {
            Ok(sorted(items)?.into_iter().map(|(_, child)| child).collect())
        }
        _ => Ok(tree.children()),
    }
}

/// Sorts by the library's order; keys without one stay where they are, and the writer refuses them.
fn sorted(items: &[(Value, Tree)]) -> Result<Vec<(Ours<'static>, &Tree)>, Error> {
    let mut items: Vec<_> = items.iter().map(|(key, child)| (ours(key), child)).collect();
    // By insertion, because `sort_by` may panic where some keys have an order and some have none.
    for end in 1..items.len() {
        let above = |(key, _): &(Ours<'_>, _)| key.compare(items[end].0) == Some(Ordering::Greater);
        let place = items[..end].iter().rposition(|item| !above(item)).map_or(0, |last| last + 1);
        items[place..=end].rotate_right(1);
    }
    Ok(items)
}

/// A tree of the corpus as an object model of its own, so that the library flattens it.
#[derive(Clone, Copy)]
pub struct Model<'t>(pub &'t Tree);

impl<'t> Object for Model<'t> {
    type Leaf = i64;

    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
        match self.0 {
            Tree::Leaf(number) => open.leaf(*number),
            Tree::None => open.none(),
            node => heading(node, Opened { open, children: in_order(node)? }),
        }
    }
}

/// The receiver of a model's node, with the children that go with it.
struct Opened<'t, O> {
    open: O,
    children: Vec<&'t Tree>,
}

/// Takes one heading.
trait Take {
    type Output;

    fn take<H: HeadSpec + head::Entry>(self, heading: &H) -> Result<Self::Output, Error>;
}

impl Take for &mut Writer<'_> {
    type Output = OpenNode;

    fn take<H: HeadSpec + head::Entry>(self, heading: &H) -> Result<OpenNode, Error> {
        Ok(self.begin(heading))
    }
}

impl<'t, O: Open<Model<'t>>> Take for Opened<'t, O> {
    type Output = O::Output;

    fn take<H: HeadSpec + head::Entry>(self, heading: &H) -> Result<O::Output, Error> {
        self.open.node(heading, self.children.into_iter().map(Model))
    }
}

/// Makes the heading of a node that is neither a leaf nor `None`.
fn heading<T: Take>(tree: &Tree, taker: T) -> Result<T::Output, Error> {
    fn strs(names: &[String]) -> Vec<&str> {
        names.iter().map(String::as_str).collect()
    }
    fn dict<T: Take>(
        taker: T,
        kind: DictKind<'_>,
        items: &[(Value, Tree)],
    ) -> Result<T::Output, Error> {
        let items = sorted(items)?;
        taker.take(&head::Dict::new(kind, items.iter().map(|(key, _)| *key)))
    }
    match tree {
        Tree::Leaf(_) | Tree::None | Tree::Tuple(_) => {
            taker.take(&head::Tuple(tree.children().len()))
        }
        Tree::List(children) => taker.take(&head::List(children.len())),
        Tree::Dict(items) => dict(taker, DictKind::Sorted, items),
        Tree::DefaultDict { factory, items } => {
            dict(taker, DictKind::Default(&factory_text(factory)), items)
        }
        Tree::OrderedDict(items) => {
            let keys = items.iter().map(|(key, _)| ours(key));
            taker.take(&head::Dict::new(DictKind::Ordered, keys))
        }
        Tree::NamedTuple { class, .. } => {
            let name = format!("corpus{}::{}", class.variant, class.name);
            taker.take(&head::NamedTuple { name: &name, fields: &strs(&class.fields) })
        }
        Tree::StructSeq { name, fields, .. } => {
            taker.take(&head::NamedTuple { name, fields: &strs(fields) })
        }
        Tree::Dataclass { class, meta, .. } => {
            let name = format!("corpus{}::{}", class.variant, class.name);
            let meta = class.meta_fields.iter().zip(meta);
            let meta: Vec<_> = meta.map(|(name, value)| (name.as_str(), ours(value))).collect();
            let fields = &strs(&class.data_fields);
            taker.take(&head::Struct { name: &name, fields, meta: &meta })
        }
        Tree::Custom { class, aux, children } => {
            // A type is also told by how it was registered; the keys themselves stand in the node.
            let registered = match (&class.key_names, class.key_kind) {
                (None, _) => "plain",
                (_, KeyKind::Attr) => "attr",
                (_, KeyKind::Dict) => "dict",
                (_, KeyKind::Raw) => "raw",
            };
            let name = format!("corpus{}::{registered}::{}", class.variant, class.name);
            let keys: Option<Vec<_>> = class
                .key_names
                .as_ref()
                .map(|names| names.iter().map(|name| child_key(class.key_kind, name)).collect());
            taker.take(&head::Custom {
                name: &name,
                aux: ours(aux),
                children: children.len(),
                child_keys: keys.as_deref(),
            })
        }
        Tree::Static(value) => taker.take(&head::Custom {
            name: "static::Static",
            aux: ours(value),
            children: 0,
            child_keys: None,
        }),
        Tree::Deque { maxlen, children } => taker.take(&head::Custom {
            name: "collections.deque",
            aux: maxlen.map_or(Ours::None, Ours::Int),
            children: children.len(),
            child_keys: Some(
                &(0..).zip(children).map(|(i, _)| ChildKey::Index(i)).collect::<Vec<_>>(),
            ),
        }),
    }
}

fn child_key(kind: KeyKind, name: &Value) -> ChildKey<'static> {
    match (kind, ours(name)) {
        (KeyKind::Attr, Ours::Str(name)) => ChildKey::Attr(name),
        (KeyKind::Raw, Ours::Str(name)) => ChildKey::Raw(name),
        (_, key) => ChildKey::Key(key),
    }
}

/// The library's value; tests may leak.
pub fn ours(value: &Value) -> Ours<'static> {
    match value {
        Value::None => Ours::None,
        Value::Bool(b) => Ours::Bool(*b),
        Value::Int(i) => Ours::Int(*i),
        Value::Big { negative, magnitude } => {
            Ours::BigInt(BigInt::new(*negative, magnitude.clone().leak()).unwrap())
        }
        Value::F64(f) => Ours::Float(*f),
        Value::F32(f) => Ours::Float32(*f),
        Value::Str(s) => Ours::Str(s.clone().leak()),
        Value::Bytes(b) => Ours::Bytes(b.clone().leak()),
        Value::Tuple(items) => {
            Ours::Tuple(ValueTuple::new(items.iter().map(ours).collect::<Vec<_>>().leak()))
        }
        Value::Opaque(text) => Ours::Opaque(text.clone().leak()),
    }
}
