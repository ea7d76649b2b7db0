//! Python's text for the trees of the corpus, as messages hold it; values are printed by the library, whose text the
//! family `keys` checks.

use super::support::corpus::{Tree, factory_text};
use super::support::library::ours;
use super::support::value::{Value, sort_keys};

/// `repr` of a tree.
pub(super) fn repr(tree: &Tree) -> String {
    let list = || commas(tree.children().into_iter().map(repr));
    let items = |items: &[(Value, Tree)]| {
        commas(items.iter().map(|(key, child)| format!("{}: {}", value(key), repr(child))))
    };
    let fields = |names: &[String], data: Vec<String>| {
        commas(names.iter().zip(data).map(|(name, data)| format!("{name}={data}")))
    };
    let children = || tree.children().into_iter().map(repr).collect();
    match tree {
        Tree::Leaf(number) => number.to_string(),
        Tree::None => "None".into(),
        Tree::Tuple(_) => tuple(tree.children().into_iter().map(repr)),
        Tree::List(_) => format!("[{}]", list()),
        Tree::Dict(entries) => format!("{{{}}}", items(entries)),
        Tree::OrderedDict(entries) if entries.is_empty() => "OrderedDict()".into(),
        Tree::OrderedDict(entries) => {
            let pairs =
                entries.iter().map(|(key, child)| format!("({}, {})", value(key), repr(child)));
            format!("OrderedDict([{}])", commas(pairs))
        }
        Tree::DefaultDict { factory, items: entries } => {
            format!("defaultdict({}, {{{}}})", factory_text(factory), items(entries))
        }
        Tree::NamedTuple { class, .. } => {
            format!("{}({})", class.name, fields(&class.fields, children()))
        }
        Tree::StructSeq { name, fields: names, .. } => {
            format!("{name}({})", fields(names, children()))
        }
        Tree::Dataclass { class, meta, .. } => {
            let mut all: Vec<String> = children();
            all.extend(meta.iter().map(value));
            let names = [&class.data_fields[..], &class.meta_fields].concat();
            format!("{}({})", class.name, fields(&names, all))
        }
        Tree::Custom { class, aux, .. } => format!("{}[{}]({})", class.name, str(aux), list()),
        Tree::Static(data) => str(data),
        Tree::Deque { maxlen: Some(most), .. } => format!("deque([{}], maxlen={most})", list()),
        Tree::Deque { maxlen: None, .. } => format!("deque([{}])", list()),
    }
}

/// `repr` of a key or of metadata.
pub(super) fn value(value: &Value) -> String {
    ours(value).to_string()
}

/// `str` of a key or of metadata.
pub(super) fn str(data: &Value) -> String {
    if let Value::Str(text) = data { text.clone() } else { value(data) }
}

/// `str` of the type of a tree.
pub(super) fn class(tree: &Tree) -> String {
    let name = match tree {
        Tree::Leaf(_) => "int",
        Tree::None => "NoneType",
        Tree::Tuple(_) => "tuple",
        Tree::List(_) => "list",
        Tree::Dict(_) => "dict",
        Tree::OrderedDict(_) => "collections.OrderedDict",
        Tree::DefaultDict { .. } => "collections.defaultdict",
        Tree::NamedTuple { class, .. } => &format!("corpus.{}", class.name),
        Tree::Custom { class, .. } => &format!("corpus.{}", class.name),
        Tree::Dataclass { class, .. } => &format!("corpus.{}", class.name),
        Tree::Static(_) => "corpus.Static",
        Tree::Deque { .. } => "collections.deque",
        Tree::StructSeq { name, .. } => name,
    };
    format!("<class '{name}'>")
}

/// The keys of a dictionary in flatten order; of anything else, and where Python cannot order them, there are none.
pub(super) fn keys(tree: &Tree) -> Vec<Value> {
    match tree {
        Tree::OrderedDict(items) => items.iter().map(|(key, _)| key.clone()).collect(),
        Tree::Dict(items) | Tree::DefaultDict { items, .. } => {
            let keys = items.iter().map(|(key, _)| (key.clone(), ())).collect();
            sort_keys(keys).unwrap_or_default().into_iter().map(|(key, ())| key).collect()
        }
        _ => Vec::new(),
    }
}

/// The metadata of a node, as `flatten_one_level` gives it.
pub(super) fn metadata(tree: &Tree) -> String {
    let keys = || tuple(keys(tree).iter().map(value));
    match tree {
        Tree::Dict(_) | Tree::OrderedDict(_) => keys(),
        Tree::DefaultDict { factory, .. } => format!("({}, {})", factory_text(factory), keys()),
        Tree::NamedTuple { .. } => class(tree),
        Tree::Custom { aux, .. } => str(aux),
        Tree::Dataclass { meta, .. } => tuple(meta.iter().map(value)),
        Tree::Static(data) => str(data),
        _ => "None".into(),
    }
}

/// `repr` of the metadata of a node, as a treedef holds it: there the keys of a dict are a list.
pub(super) fn node_data(tree: &Tree) -> String {
    match tree {
        Tree::Dict(_) => key_list(&keys(tree)),
        Tree::Custom { aux, .. } => value(aux),
        _ => metadata(tree),
    }
}

/// The list of some keys.
pub(super) fn key_list(keys: &[Value]) -> String {
    format!("[{}]", commas(keys.iter().map(value)))
}

fn commas(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}

fn tuple(items: impl Iterator<Item = String>) -> String {
    let items: Vec<_> = items.collect();
    if let [item] = &items[..] { format!("({item},)") } else { format!("({})", items.join(", ")) }
}
