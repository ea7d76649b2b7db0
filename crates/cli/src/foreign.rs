//! Trees that other programs describe in JSON: the metadata of Orbax, and the tree specs of PyTorch.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path};

use serde_json::Value as Json;
use treedef::Value;
use treedef::head::{Custom, DictKind, NamedTuple};

use crate::leaf::{Leaf, Type};
use crate::npz;
use crate::source::Containers;
use crate::style::{counted, plain};
use crate::tree::{Key, MAX_DEPTH, Tree, dict, keyed};

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
    is_orbax(root) || is_spec(root)
}

/// Makes the tree that JSON in a file describes.
pub(crate) fn tree(root: &Json, path: &Path) -> Result<Described, String> {
    match root {
        Json::Object(root) => orbax(root, path),
        root => torch(root),
    }
}

/// Whether this is the file `_METADATA` of a checkpoint of Orbax: entries with the metadata of keys and of a value.
fn is_orbax(root: &Tree) -> bool {
    let Some(Tree::Dict(entries)) = root.get("tree_metadata") else { return false };
    let is_entry = |entry: &Tree| {
        matches!(
            (entry.get("key_metadata"), entry.get("value_metadata")),
            (Some(Tree::List(_)), Some(Tree::Dict(_)))
        )
    };
    // Without an entry, what is beside them says it.
    entries.values().all(is_entry) && (!entries.is_empty() || root.get("use_zarr3").is_some())
}

/// The keys beside the tree that say how arrays are stored.
const STORAGE: [&str; 4] =
    ["tree_metadata", "use_zarr3", "use_ocdbt", "store_array_data_equal_to_fill_value"];

/// Makes the tree of the file `_METADATA` of a checkpoint: an entry for each leaf, with the keys of its path.
fn orbax(root: &serde_json::Map<String, Json>, path: &Path) -> Result<Described, String> {
    let mut tree = None;
    let entries = || root.get("tree_metadata").and_then(Json::as_object).into_iter().flatten();
    let arrays = entries().filter(|(_, entry)| shape(entry).is_some()).count();
    let is_whole = arrays == 0 || is_whole(path, arrays);
    let mut parts = 0;
    for (name, entry) in entries() {
        let stored = stored(path, entry);
        parts += usize::from(!is_whole && stored.is_none() && shape(entry).is_some());
        grow(&mut tree, entry, stored, is_whole)
            .ok_or_else(|| format!("entry {name:?} of the metadata is unknown"))?;
    }
    let tree = tree.map_or_else(|| Ok(Tree::Dict(BTreeMap::new())), Growing::grown)?;
    let others = root.iter().filter(|(key, value)| !STORAGE.contains(&&***key) && !value.is_null());
    let others =
        counted(others.map(|(key, _)| key), "a key beside the tree", "keys beside the tree");
    let text = "arrays may be on several devices: the file has shapes of parts";
    let parts = (parts > 0).then(|| ("remark", text.to_owned()));
    let facts = others.into_iter().map(|text| ("not read", text)).chain(parts).collect();
    // Tuples are lists, and classes are dicts.
    Ok(Described { format: "Orbax metadata", tree, containers: Containers::Some, facts })
}

/// Returns the shape of an entry, which is that of the part of an array that a device writes, if it has dimensions to divide.
fn shape(entry: &Json) -> Option<&Vec<Json>> {
    let shape = entry.get("value_metadata")?.get("write_shape")?.as_array()?;
    Some(shape).filter(|shape| !shape.is_empty())
}

/// Returns the type of an array that is stored beside the metadata of a checkpoint: in a folder of zarr, whose name is made of the
/// keys. A database has no such folders.
fn stored(path: &Path, entry: &Json) -> Option<Type> {
    let keys = entry.get("key_metadata")?.as_array()?.iter();
    let keys: Option<Vec<_>> = keys.map(|key| key.get("key")?.as_str()).collect();
    let name = keys?.join(".");
    // Metadata from elsewhere do not decide which files of this machine are read.
    let is_below = Path::new(&name).components().all(|part| matches!(part, Component::Normal(_)));
    let is_metadata = path.file_name() == Some(OsStr::new("_METADATA"));
    if is_below && is_metadata { zarr(&path.with_file_name(name)) } else { None }
}

/// Returns the type of the array in a folder of zarr, of version 2 or 3.
pub(crate) fn zarr(folder: &Path) -> Option<Type> {
    let json = |name| -> Option<Json> {
        let text = fs::read(folder.join(name)).ok()?;
        serde_json::from_slice(&text).ok()
    };
    let (array, dtype) = match json(".zarray") {
        Some(array) => (array, "dtype"),
        None => (json("zarr.json")?, "data_type"),
    };
    let (dtype, bits) = npz::dtype(array.get(dtype)?.as_str()?)?;
    let shape: Option<Vec<_>> = array.get("shape")?.as_array()?.iter().map(Json::as_u64).collect();
    Some(Type::array(dtype, bits, shape?.into_iter()))
}

/// Whether all arrays of a checkpoint are on one device each, as the file beside its metadata says.
fn is_whole(path: &Path, arrays: usize) -> bool {
    let is_one = |sharding: &Json| {
        let sharding: Option<Json> = serde_json::from_str(sharding.as_str()?).ok();
        let sharding = sharding?;
        match sharding.get("sharding_type")?.as_str()? {
            "SingleDeviceSharding" => Some(()),
            "NamedSharding" => {
                let mesh = sharding.get("shape")?.as_array()?;
                mesh.iter().all(|size| *size == 1).then_some(())
            }
            _ => None,
        }
    };
    let file = path.with_file_name("_sharding");
    if path.file_name() != Some(OsStr::new("_METADATA")) || !file.is_file() {
        return false;
    }
    let text = fs::read(file).unwrap_or_default();
    let shardings: serde_json::Map<String, Json> =
        serde_json::from_slice(&text).unwrap_or_default();
    shardings.len() >= arrays && shardings.values().all(|sharding| is_one(sharding).is_some())
}

/// A node of a tree of Orbax, to which children are added.
enum Growing {
    Leaf(Tree),
    /// A list or a dict, with the indices or keys of its children.
    Group(bool, BTreeMap<Key, Option<Growing>>),
}

impl Growing {
    /// Returns the tree without what is needed to add children. A list of which an item is absent is a dict of numbers.
    fn grown(self) -> Result<Tree, String> {
        let (is_list, children) = match self {
            Self::Leaf(leaf) => return Ok(leaf),
            Self::Group(is_list, children) => (is_list, children),
        };
        let is_next = |(at, key): (i64, &Key)| *key == Key::Int(at);
        let is_whole = (0..).zip(children.keys()).all(is_next);
        let mut entries = Vec::with_capacity(children.len());
        for (key, child) in children {
            entries.push((key, child.map_or(Ok(Tree::None), Self::grown)?));
        }
        if is_list && is_whole {
            return Ok(Tree::List(entries.into_iter().map(|(_, tree)| tree).collect()));
        }
        dict(DictKind::Sorted, entries)
    }
}

/// Adds a leaf. Returns `None` if it is not known where, or if there is another one.
fn grow(
    root: &mut Option<Growing>,
    entry: &Json,
    stored: Option<Type>,
    is_whole: bool,
) -> Option<()> {
    let keys = entry.get("key_metadata")?.as_array()?;
    let keys = Some(keys).filter(|keys| keys.len() <= MAX_DEPTH as usize)?;
    let mut place = root;
    for key in keys {
        let name = key.get("key")?;
        let text = name.as_str().map_or_else(|| name.to_string(), str::to_owned);
        let is_int = name.is_i64() || key.get("key_python_type").is_some_and(|kind| kind == "int");
        let int = || text.parse().ok().map(Key::Int);
        // `KeyType.SEQUENCE` and `KeyType.DICT` of Orbax.
        let (is_list, key) = match key.get("key_type")?.as_u64()? {
            1 => (true, int()?),
            2 if is_int => (false, int()?),
            2 => (false, Key::Text(name.as_str()?.into())),
            _ => return None,
        };
        let group = place.get_or_insert_with(|| Growing::Group(is_list, BTreeMap::new()));
        place = match group {
            Growing::Group(kind, children) if *kind == is_list => children.entry(key).or_default(),
            _ => return None,
        };
    }
    let leaf = match stored {
        Some(kind) => Tree::Leaf(Leaf::from(kind)),
        None => value(entry, is_whole)?,
    };
    let leaf = Growing::Leaf(leaf);
    place.replace(leaf).is_none().then_some(())
}

/// Returns what the metadata of a value say: its class, and its shape if that is of the whole array; or a node without children.
fn value(entry: &Json, is_whole: bool) -> Option<Tree> {
    let metadata = entry.get("value_metadata")?;
    let class = metadata.get("value_type").and_then(Json::as_str).unwrap_or("?");
    Some(match (class, metadata.get("write_shape").and_then(Json::as_array)) {
        ("None", _) => Tree::None,
        ("Dict", _) => Tree::Dict(BTreeMap::new()),
        ("List", _) => Tree::List(Vec::new()),
        ("Tuple", _) => Tree::Tuple(Vec::new()),
        // Its name is not in the file.
        ("NamedTuple", _) => named_tuple("NamedTuple", &[], Vec::new()).ok()?,
        (_, sizes) => {
            let sizes =
                sizes.map(|sizes| sizes.iter().map(Json::as_u64).collect::<Option<Vec<_>>>());
            let shape = match sizes {
                None => None,
                Some(sizes) => Some(sizes?).filter(|_| is_whole),
            };
            Tree::Leaf(Leaf::from(Type::of_class(plain(class), shape)))
        }
    })
}

fn named_tuple(name: &str, fields: &[&str], children: Vec<Tree>) -> Result<Tree, String> {
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
    let tree = node(spec, &mut remarks)?;
    let texts = [
        (remarks.reordered, "dicts have their keys in order, not as they were inserted"),
        (remarks.mixed, "dicts with integers and texts as keys are shown as ordered dicts"),
        (remarks.deques, "deques are shown as lists"),
        (remarks.others, "nodes of other classes have no keys in the file"),
        (remarks.unnamed, "named tuples have no names of fields in the file"),
    ];
    let facts =
        texts.into_iter().filter(|(is_so, _)| *is_so).map(|(_, text)| ("remark", text.into()));
    let (format, containers) = ("PyTorch tree spec", Containers::All);
    Ok(Described { format, tree, containers, facts: facts.collect() })
}

/// What of a tree spec is shown in another way.
#[derive(Default)]
struct Remarks {
    reordered: bool,
    mixed: bool,
    deques: bool,
    unnamed: bool,
    others: bool,
}

impl Remarks {
    /// Says what becomes of the order of the keys of a dict.
    fn order(&mut self, keys: &[Key]) {
        let is_int = |key: &&Key| matches!(key, Key::Int(_));
        let ints = keys.iter().filter(is_int).count();
        if ints > 0 && ints < keys.len() {
            self.mixed = true;
        } else {
            self.reordered |= !keys.is_sorted();
        }
    }
}

/// Makes the tree of a node of a spec: a class, a context that has the keys of a dict, and children.
fn node(spec: &Json, remarks: &mut Remarks) -> Result<Tree, String> {
    let children = spec.get("children_spec").and_then(Json::as_array);
    let children = children.ok_or("node of a tree spec without children_spec")?;
    let class = match spec.get("type") {
        Some(Json::Null) if children.is_empty() => {
            return Ok(Tree::Leaf(Leaf::from(Type::unknown())));
        }
        Some(Json::String(class)) => class.as_str(),
        _ => return Err("node of a tree spec without a type".into()),
    };
    let children: Vec<_> =
        children.iter().map(|child| node(child, remarks)).collect::<Result<_, _>>()?;
    // JSON in a text, or what a class puts there instead.
    let given = spec.get("context").unwrap_or(&Json::Null);
    let parsed = given.as_str().and_then(|text| serde_json::from_str(text).ok());
    let context = parsed.as_ref().unwrap_or(given);
    let keys = |context: Option<&Json>| {
        let keys = context.and_then(Json::as_array).filter(|keys| keys.len() == children.len());
        let keys = keys.ok_or_else(|| format!("{class} of a tree spec without its keys"))?;
        keys.iter().map(key).collect::<Result<Vec<_>, String>>()
    };
    match class {
        "builtins.list" => Ok(Tree::List(children)),
        "collections.deque" => {
            remarks.deques = true;
            Ok(Tree::List(children))
        }
        "builtins.tuple" => Ok(Tree::Tuple(children)),
        "builtins.dict" => {
            let keys = keys(Some(context))?;
            remarks.order(&keys);
            dict(DictKind::Sorted, keys.into_iter().zip(children).collect())
        }
        "collections.OrderedDict" => {
            dict(DictKind::Ordered, keys(Some(context))?.into_iter().zip(children).collect())
        }
        "collections.defaultdict" => {
            let keys = keys(context.get("dict_context"))?;
            remarks.order(&keys);
            let name = |part| context.get(part).and_then(Json::as_str);
            let factory = match (name("default_factory_module"), name("default_factory_name")) {
                (Some("builtins"), Some(name)) => format!("<class '{name}'>"),
                (Some(module), Some(name)) => format!("<class '{module}.{name}'>"),
                _ => "None".into(),
            };
            dict(DictKind::Default(&factory), keys.into_iter().zip(children).collect())
        }
        "collections.namedtuple" => {
            let name = context.get("class_name").or(Some(given)).and_then(Json::as_str);
            let name = name.ok_or_else(|| format!("{class} of a tree spec without its name"))?;
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
                return Err(format!("{class} of a tree spec without its fields"));
            }
            named_tuple(&name, &fields, children)
        }
        other => {
            remarks.others = true;
            let name = other.replace('.', "::");
            let aux = match (context, given) {
                (Json::Null, _) => Value::None,
                (_, Json::String(text)) => Value::Str(text),
                (context, _) => Value::Str(&context.to_string()),
            };
            keyed(children, |out, children| {
                let head = Custom { name: &name, aux, children, child_keys: None };
                out.node(&head, |out| out.leaves(children));
            })
        }
    }
}

/// Reads a key of a dict.
fn key(key: &Json) -> Result<Key, String> {
    match (key.as_i64(), key.as_str()) {
        (Some(int), _) => Ok(Key::Int(int)),
        (_, Some(text)) => Ok(Key::Text(text.into())),
        _ => Err(format!("tree spec with the key {key}, which treedef does not read")),
    }
}
