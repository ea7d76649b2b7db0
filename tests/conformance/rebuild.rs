//! Makes trees of the corpus of what the library answers: the way back of `library`.

use super::support::corpus::{CustomClass, DataClass, KeyKind, NamedTupleClass, Tree};
use super::support::value::Value;
use treedef::dynamic::{fold, fold_len};
use treedef::head::ChildKey;
use treedef::{Error, Head, Kind, TreeDef, Value as Theirs, View};

/// Puts leaves, of which each can be a whole tree, into a structure.
pub(super) fn rebuild(
    def: TreeDef<'_>,
    leaves: impl IntoIterator<Item = Tree>,
) -> Result<Tree, Error> {
    let mut stack: Vec<Option<Tree>> = (0..fold_len(def)?).map(|_| None).collect();
    fold(
        def,
        leaves,
        &mut stack,
        |leaf| leaf,
        |head, children| Ok::<_, Error>(node(head, children.collect())),
    )
}

/// The tree that a view shows, read child by child.
pub(super) fn seen(view: View<'_, i64>) -> Tree {
    match view.as_leaf() {
        Some(leaf) => Tree::Leaf(*leaf),
        None => node(view.head(), view.children().map(seen).collect()),
    }
}

/// A node with this head over leaves without a number.
pub(super) fn shallow(head: Head<'_>) -> Tree {
    match head.kind() {
        Kind::Leaf => Tree::Leaf(0),
        _ => node(head, vec![Tree::Leaf(0); head.num_children()]),
    }
}

/// A node with this head, which is not a leaf; heads that `library` does not write are not read.
fn node(head: Head<'_>, children: Vec<Tree>) -> Tree {
    let name = head.type_name().unwrap_or_default();
    let fields = || head.fields().map(str::to_owned).collect();
    let items = |children: Vec<Tree>| head.keys().map(value).zip(children).collect();
    match head.kind() {
        Kind::None => Tree::None,
        Kind::Tuple => Tree::Tuple(children),
        Kind::List => Tree::List(children),
        Kind::Dict => Tree::Dict(items(children)),
        Kind::OrderedDict => Tree::OrderedDict(items(children)),
        Kind::DefaultDict => {
            let factory = head.factory().unwrap_or_default();
            let class = factory.strip_prefix("<class '").and_then(|name| name.strip_suffix("'>"));
            Tree::DefaultDict {
                factory: class.unwrap_or(factory).to_owned(),
                items: items(children),
            }
        }
        Kind::NamedTuple => match variant(name) {
            Some((variant, name)) => Tree::NamedTuple {
                class: NamedTupleClass { name: name.into(), fields: fields(), variant },
                children,
            },
            None => Tree::StructSeq { name: name.into(), fields: fields(), children },
        },
        Kind::Struct => {
            let (variant, name) = variant(name).unwrap();
            let (meta_fields, meta) =
                head.meta_fields().map(|(name, data)| (name.to_owned(), value(data))).unzip();
            let class =
                DataClass { name: name.into(), data_fields: fields(), meta_fields, variant };
            Tree::Dataclass { class, meta, children }
        }
        Kind::Custom => custom(head, name, children),
        _ => panic!("no node of the corpus: {head:?}"),
    }
}

fn custom(head: Head<'_>, name: &str, children: Vec<Tree>) -> Tree {
    let aux = value(head.aux().unwrap());
    match name {
        "static::Static" => return Tree::Static(aux),
        "collections.deque" => {
            let maxlen = if let Value::Int(most) = aux { Some(most) } else { None };
            return Tree::Deque { maxlen, children };
        }
        _ => {}
    }
    let (variant, name) = variant(name).unwrap();
    let (registered, name) = name.split_once("::").unwrap();
    let names = head.child_keys().into_iter().flatten().map(|key| match key {
        ChildKey::Attr(name) | ChildKey::Raw(name) => Value::Str(name.into()),
        ChildKey::Key(key) => value(key),
        other => panic!("no key of the corpus: {other:?}"),
    });
    let class = CustomClass {
        name: name.into(),
        key_names: (registered != "plain").then(|| names.collect()),
        key_kind: match registered {
            "dict" => KeyKind::Dict,
            "raw" => KeyKind::Raw,
            _ => KeyKind::Attr,
        },
        variant,
    };
    Tree::Custom { class, aux, children }
}

/// The variant and the rest of a name such as `corpus0::Point`.
fn variant(name: &str) -> Option<(i64, &str)> {
    let (module, name) = name.split_once("::")?;
    Some((module.strip_prefix("corpus")?.parse().ok()?, name))
}

/// The value of the corpus that a value of the library is.
pub(super) fn value(value: Theirs<'_>) -> Value {
    match value {
        Theirs::Bool(b) => Value::Bool(b),
        Theirs::Int(i) => Value::Int(i),
        Theirs::BigInt(b) => {
            Value::Big { negative: b.is_negative(), magnitude: b.magnitude().into() }
        }
        Theirs::Float(f) => Value::F64(f),
        Theirs::Float32(f) => Value::F32(f),
        Theirs::Str(s) => Value::Str(s.into()),
        Theirs::Bytes(b) => Value::Bytes(b.into()),
        Theirs::Tuple(t) => Value::Tuple(t.iter().into_iter().flatten().map(self::value).collect()),
        Theirs::Opaque(s) => Value::Opaque(s.into()),
        _ => Value::None,
    }
}
