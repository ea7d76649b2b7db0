//! Trees that other programs describe in JSON: the tree specs of PyTorch, and in their own file the metadata of Orbax.

use std::path::Path;

use serde_json::Value as Json;
use treedef::Value;
use treedef::head::{ChildKey, Custom, DictKind, NamedTuple};

use crate::key::{Key, are_ordered};
use crate::leaf::{Leaf, Type};
use crate::orbax;
use crate::source::Containers;
use crate::style::counted;
use crate::tree::{Tree, dict, keyed};

/// A tree that JSON describes.
pub(crate) struct Described {
    /// The name of the format.
    pub(crate) format: &'static str,
    pub(crate) tree: Tree,
    pub(crate) containers: Containers,
    /// What is said beside the tree.
    pub(crate) facts: Vec<(&'static str, String)>,
}

/// Whether JSON describes a tree: only what has the form of such a description in full.
pub(crate) fn is_described(root: &Tree) -> bool {
    orbax::is_metadata(root) || is_spec(root)
}

/// Makes the tree that JSON in a file describes.
pub(crate) fn tree(root: &Json, path: &Path) -> Result<Described, String> {
    match root {
        Json::Object(root) => orbax::tree(root, path),
        root => torch(root),
    }
}

/// Makes a named tuple.
pub(crate) fn named_tuple(
    name: &str,
    fields: &[&str],
    children: Vec<Tree>,
) -> Result<Tree, String> {
    keyed(children, |out, count| {
        out.node(&NamedTuple { name, fields }, |out| out.leaves(count));
    })
}

/// Whether this is a tree spec of PyTorch: a version, and a description. Version 1 has an object for each node.
fn is_spec(root: &Tree) -> bool {
    let Tree::List(items) = root else { return false };
    let [version, spec] = &items[..] else { return false };
    let is_described = match spec {
        Tree::Dict(node) => node.keys().eq(["children_spec", "context", "type"]),
        // Drafts of version 2 have a list of nodes: leaves, and a class, a context and three numbers each.
        Tree::List(nodes) => {
            let is_inner = |node: &Tree| {
                matches!(node, Tree::List(parts) if parts.len() == 5
                    && parts[0].text("str").is_some()
                    && parts[2..].iter().all(|part| part.text("int").is_some()))
            };
            nodes.iter().any(is_inner)
                && nodes.iter().all(|node| matches!(node, Tree::None) || is_inner(node))
        }
        _ => false,
    };
    is_described && version.text("int").is_some()
}

/// Makes the tree of a spec of PyTorch.
fn torch(root: &Json) -> Result<Described, String> {
    let (version, spec) = (&root[0], &root[1]);
    if version != 1 {
        return Err(format!("PyTorch tree spec of version {version}; treedef reads version 1"));
    }
    let mut remarks = Remarks::default();
    let tree = node(spec, "", &mut remarks)?;
    let texts = [
        (remarks.reordered, "dicts have their keys in order, not as they were inserted"),
        (remarks.unordered, "dicts whose keys have no order are shown as ordered dicts"),
        (remarks.deques, "deques are shown as lists"),
        (remarks.others, "nodes of other classes have no keys in the file"),
        (remarks.unnamed, "named tuples have no names of fields in the file"),
    ];
    let facts = texts.into_iter().filter(|(is_so, _)| *is_so).map(|(_, text)| text.to_owned());
    let opaque = counted(remarks.opaque, "a key is shown as a text", "keys are shown as texts");
    let facts = facts.chain(opaque).map(|text| ("remark", text));
    let (format, containers) = ("PyTorch tree spec", Containers::All);
    Ok(Described { format, tree, containers, facts: facts.collect() })
}

/// What of a tree spec is shown in another way.
#[derive(Default)]
struct Remarks {
    reordered: bool,
    unordered: bool,
    deques: bool,
    unnamed: bool,
    others: bool,
    /// The paths of the keys of which only a text is known.
    opaque: Vec<String>,
}

impl Remarks {
    /// Says what becomes of the keys of a dict and their order.
    fn keys(&mut self, path: &str, keys: &[Key], is_sorted: bool) {
        let opaque = keys.iter().filter(|key| key.is_opaque());
        self.opaque.extend(opaque.map(|key| format!("{path}[{key}]")));
        let mut order: Vec<_> = keys.iter().collect();
        order.sort_unstable();
        if is_sorted && are_ordered(&order) {
            self.reordered |= !keys.is_sorted();
        } else {
            self.unordered |= is_sorted;
        }
    }
}

/// Makes the tree of a node of a spec: a class, a context that has the keys of a dict, and children.
fn node(spec: &Json, path: &str, remarks: &mut Remarks) -> Result<Tree, String> {
    let refused = |why: String| match path {
        "" => why,
        path => format!("{why}, at {path}"),
    };
    let children = spec.get("children_spec").and_then(Json::as_array);
    let children = children.ok_or_else(|| refused("tree spec without children_spec".into()))?;
    let class = match spec.get("type") {
        Some(Json::Null) if children.is_empty() => {
            return Ok(Tree::Leaf(Leaf::from(Type::unknown())));
        }
        Some(Json::String(class)) => class.as_str(),
        _ => return Err(refused("node of a tree spec without a type".into())),
    };
    // JSON in a text, or what a class puts there instead.
    let given = spec.get("context").unwrap_or(&Json::Null);
    let parsed = given.as_str().and_then(|text| serde_json::from_str(text).ok());
    let context = parsed.as_ref().unwrap_or(given);
    let lacks = |what: &str| refused(format!("{class} of a tree spec without its {what}"));
    let of_dict = match class {
        "builtins.dict" | "collections.OrderedDict" => Some(context),
        "collections.defaultdict" => Some(context.get("dict_context").unwrap_or(&Json::Null)),
        _ => None,
    };
    let keys: Vec<Key> = match of_dict {
        Some(keys) => {
            let keys = keys.as_array().filter(|keys| keys.len() == children.len());
            keys.ok_or_else(|| lacks("keys"))?.iter().map(Key::from_json).collect()
        }
        None => (0..).take(children.len()).map(Key::Int).collect(),
    };
    let child = |(key, child)| node(child, &format!("{path}[{key}]"), remarks);
    let children: Vec<_> = keys.iter().zip(children).map(child).collect::<Result<_, _>>()?;
    if of_dict.is_some() {
        remarks.keys(path, &keys, class != "collections.OrderedDict");
    }
    let entries = |children| keys.into_iter().zip(children).collect();
    match class {
        "builtins.list" => Ok(Tree::List(children)),
        "collections.deque" => {
            remarks.deques = true;
            Ok(Tree::List(children))
        }
        "builtins.tuple" => Ok(Tree::Tuple(children)),
        "builtins.dict" => dict(DictKind::Sorted, entries(children)).map_err(refused),
        "collections.OrderedDict" => dict(DictKind::Ordered, entries(children)).map_err(refused),
        "collections.defaultdict" => {
            let name = |part| context.get(part).and_then(Json::as_str);
            let factory = match (name("default_factory_module"), name("default_factory_name")) {
                (Some("builtins"), Some(name)) => format!("<class '{name}'>"),
                (Some(module), Some(name)) => format!("<class '{module}.{name}'>"),
                _ => "None".into(),
            };
            dict(DictKind::Default(&factory), entries(children)).map_err(refused)
        }
        "collections.namedtuple" => {
            let name = context.get("class_name").or(Some(given)).and_then(Json::as_str);
            let name = name.ok_or_else(|| lacks("name"))?;
            // As Rust writes the path of a type.
            let name = name.replace('.', "::");
            let fields = context.get("fields").and_then(Json::as_array);
            remarks.unnamed |= fields.is_none() && !children.is_empty();
            let fields: Vec<_> = match fields {
                Some(fields) => fields.iter().filter_map(Json::as_str).map(str::to_owned).collect(),
                // As Python calls fields without a name.
                None => (0..children.len()).map(|at| format!("_{at}")).collect(),
            };
            let fields: Vec<_> = fields.iter().map(String::as_str).collect();
            if fields.len() != children.len() {
                return Err(lacks("fields"));
            }
            named_tuple(&name, &fields, children)
        }
        other => {
            let fields = dataclass(context, children.len());
            remarks.others |= fields.is_none() && !children.is_empty();
            let name = other.replace('.', "::");
            let aux = match (context, given) {
                (Json::Null, _) => Value::None,
                (_, Json::String(text)) => Value::Str(text),
                (context, _) => Value::Str(&context.to_string()),
            };
            keyed(children, |out, children| {
                let head = Custom { name: &name, aux, children, child_keys: fields.as_deref() };
                out.node(&head, |out| out.leaves(children));
            })
        }
    }
}

/// Returns the names of the fields of a dataclass, which PyTorch writes beside those of the fields that are None.
fn dataclass(context: &Json, children: usize) -> Option<Vec<ChildKey<'_>>> {
    let [fields, nones] = &context.as_array()?[..] else { return None };
    nones.as_array()?.iter().all(Json::is_string).then_some(())?;
    let fields = fields.as_array().filter(|fields| fields.len() == children)?;
    fields.iter().map(|field| field.as_str().map(ChildKey::Attr)).collect()
}
