//! Trees that other programs describe in JSON: the metadata of Orbax, and the tree specs of PyTorch.

use std::collections::BTreeMap;

use crate::leaf::{Leaf, Type};
use crate::style::plain;
use crate::tree::{MAX_DEPTH, Tree};

/// A tree that JSON describes, and the name of the format. `None` if it describes none.
pub(crate) fn tree(root: &Tree) -> Result<Option<(&'static str, Tree)>, String> {
    if let Some(Tree::Dict(entries)) = root.get("tree_metadata") {
        return Ok(Some(("Orbax metadata", orbax(entries)?)));
    }
    if let Tree::List(items) = root
        && let [version, spec] = &items[..]
        && version.text("int") == Some("1")
        && spec.get("children_spec").is_some()
    {
        return Ok(Some(("PyTorch tree spec", torch(spec)?)));
    }
    Ok(None)
}

/// A node of a tree of Orbax, to which children are added.
enum Growing {
    Leaf(Tree),
    /// A list or a dict. The children of a list have their index as key, those of a dict their name.
    Group(bool, BTreeMap<(usize, String), Option<Growing>>),
}

impl Growing {
    /// Returns the tree without what is needed to add children.
    fn grown(self) -> Tree {
        let tree = |child: Option<Self>| child.map_or(Tree::None, Self::grown);
        match self {
            Self::Leaf(leaf) => leaf,
            Self::Group(true, children) => Tree::List(children.into_values().map(tree).collect()),
            Self::Group(false, children) => Tree::Dict(
                children.into_iter().map(|((_, name), child)| (name, tree(child))).collect(),
            ),
        }
    }
}

/// Makes the tree of the file `_METADATA` of a checkpoint: an entry for each leaf, with the keys of its path.
fn orbax(entries: &BTreeMap<String, Tree>) -> Result<Tree, String> {
    let mut root = None;
    for (name, entry) in entries {
        grow(&mut root, entry)
            .ok_or_else(|| format!("entry {name:?} of the metadata is unknown"))?;
    }
    Ok(root.map_or_else(|| Tree::Dict(BTreeMap::new()), Growing::grown))
}

/// Adds a leaf. Returns `None` if it is not known where, or if there is another one.
fn grow(root: &mut Option<Growing>, entry: &Tree) -> Option<()> {
    let Tree::List(keys) = entry.get("key_metadata")? else { return None };
    let keys = Some(keys).filter(|keys| keys.len() <= MAX_DEPTH as usize)?;
    let mut place = root;
    for key in keys {
        let name = key.get("key")?;
        let name = name.text("str").or(name.text("int"))?;
        // `KeyType.SEQUENCE` and `KeyType.DICT` of Orbax.
        let (is_list, key) = match key.get("key_type")?.text("int")? {
            "1" => (true, (name.parse().ok()?, String::new())),
            "2" => (false, (0, name.to_owned())),
            _ => return None,
        };
        let group = place.get_or_insert_with(|| Growing::Group(is_list, BTreeMap::new()));
        place = match group {
            Growing::Group(kind, children) if *kind == is_list => children.entry(key).or_default(),
            _ => return None,
        };
    }
    let leaf = Growing::Leaf(value(entry.get("value_metadata")?));
    place.replace(leaf).is_none().then_some(())
}

/// Returns what the metadata of a value says: its type, and perhaps its shape.
fn value(metadata: &Tree) -> Tree {
    let kind = metadata.get("value_type").and_then(|kind| kind.text("str")).unwrap_or("?");
    match (kind, metadata.get("write_shape")) {
        ("None", _) => Tree::None,
        ("Dict", _) => Tree::Dict(BTreeMap::new()),
        ("List", _) => Tree::List(Vec::new()),
        ("Tuple", _) => Tree::Tuple(Vec::new()),
        (_, Some(Tree::List(sizes))) => {
            let sizes = sizes.iter().map_while(|size| size.text("int")?.parse().ok());
            Tree::Leaf(Leaf::from(Type::array(plain(kind), None, sizes)))
        }
        _ => Tree::Leaf(Leaf::from(Type::named(&plain(kind)))),
    }
}

/// Makes the tree of a spec of PyTorch: a type, a context that has the keys of a dict, and children.
fn torch(spec: &Tree) -> Result<Tree, String> {
    let Some(Tree::List(children)) = spec.get("children_spec") else {
        return Err("node of a tree spec without children_spec".into());
    };
    let Some(kind) = spec.get("type").and_then(|kind| kind.text("str")) else {
        return Ok(Tree::Leaf(Leaf::from(Type::unknown())));
    };
    let children: Vec<_> = children.iter().map(torch).collect::<Result<_, _>>()?;
    let context = spec.get("context").and_then(|context| context.text("str"));
    match kind {
        "builtins.list" | "collections.deque" => Ok(Tree::List(children)),
        "builtins.tuple" => Ok(Tree::Tuple(children)),
        "builtins.dict" | "collections.OrderedDict" | "collections.defaultdict" => {
            let keys = context.and_then(keys).filter(|keys| keys.len() == children.len());
            let keys = keys.ok_or_else(|| format!("{kind} of a tree spec without its keys"))?;
            let dict: BTreeMap<_, _> = keys.into_iter().zip(children).collect();
            Ok(Tree::Dict(dict))
        }
        other => Err(format!("tree spec with a node of type {other}, which treedef does not read")),
    }
}

/// Reads the keys of a dict: a list, or the `dict_context` of an object.
fn keys(context: &str) -> Option<Vec<String>> {
    let context = Tree::read(context.as_bytes()).ok()?;
    let Tree::List(keys) = context.get("dict_context").unwrap_or(&context) else { return None };
    let key = |key: &Tree| match key {
        Tree::Leaf(leaf) => leaf.value.as_deref().map(str::to_owned),
        _ => None,
    };
    keys.iter().map(key).collect()
}
