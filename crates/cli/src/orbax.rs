//! Reads the metadata of Orbax's checkpoints.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path};

use serde_json::Value as Json;
use treedef::head::DictKind;

use crate::foreign::{Described, named_tuple};
use crate::key::Key;
use crate::leaf::{Leaf, Type};
use crate::npz;
use crate::source::Containers;
use crate::style::{counted, plain};
use crate::tree::{MAX_DEPTH, Tree, dict};

/// Whether this is the file `_METADATA` of a checkpoint of Orbax: entries with the metadata of keys and of a value.
pub(crate) fn is_metadata(root: &Tree) -> bool {
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
pub(crate) fn tree(root: &serde_json::Map<String, Json>, path: &Path) -> Result<Described, String> {
    let entries = || root.get("tree_metadata").and_then(Json::as_object).into_iter().flatten();
    let arrays = entries().filter(|(_, entry)| shape(&entry["value_metadata"]).is_some()).count();
    let is_whole = arrays == 0 || is_whole(path, arrays);
    let mut values = Values { path, is_whole, parts: 0 };
    // Its keys are texts alone.
    let typed = root.get(TYPED).and_then(Json::as_str).filter(|_| {
        entries().all(|(_, entry)| {
            entry["key_metadata"].as_array().is_some_and(|keys| keys.iter().all(is_text))
        })
    });
    let typed: Option<Json> = typed.and_then(|text| serde_json::from_str(text).ok());
    let typed = typed.and_then(|typed| values.typed(&typed, ""));
    let is_typed = typed.is_some();
    let tree = match typed {
        Some(tree) => tree,
        None => {
            values.parts = 0;
            let mut tree = None;
            for (name, entry) in entries() {
                grow(&mut tree, entry, &mut values)
                    .ok_or_else(|| format!("entry {name:?} of the metadata is unknown"))?;
            }
            tree.map_or_else(|| Ok(Tree::Dict(BTreeMap::new())), Growing::grown)?
        }
    };
    let is_used = |key: &str| STORAGE.contains(&key) || is_typed && key == TYPED;
    let others = root.iter().filter(|(key, value)| !is_used(key) && !value.is_null());
    let others =
        counted(others.map(|(key, _)| key), "a key beside the tree", "keys beside the tree");
    let text = "arrays may be on several devices: the file has shapes of parts";
    let parts = (values.parts > 0).then(|| ("remark", text.to_owned()));
    let facts = others.into_iter().map(|text| ("not read", text)).chain(parts).collect();
    // Tuples are lists, and classes are dicts.
    Ok(Described { format: "Orbax metadata", tree, containers: Containers::Some, facts })
}

/// The key beside the tree that has it with its tuples and named tuples.
const TYPED: &str = "value_metadata_tree";

/// Whether a key is that of a list, or a text.
fn is_text(key: &Json) -> bool {
    key["key_type"] == 1 || key["key"].is_string() && key["key_python_type"] != "int"
}

/// Returns the shape of a value, which is that of the part of an array that a device writes, if it has dimensions to divide.
fn shape(metadata: &Json) -> Option<&Vec<Json>> {
    let shape = metadata.get("write_shape")?.as_array()?;
    Some(shape).filter(|shape| !shape.is_empty())
}

/// Makes leaves of the values of a checkpoint.
struct Values<'c> {
    /// The file with the metadata.
    path: &'c Path,
    /// Whether the shapes of arrays are those of whole arrays.
    is_whole: bool,
    /// The number of arrays of which only the shape of a part is known.
    parts: usize,
}

impl Values<'_> {
    /// Makes a leaf of a value, or a node without children, from its metadata. `name` has its keys with dots between them.
    fn leaf(&mut self, metadata: &Json, name: &str) -> Option<Tree> {
        let Some(kind) = self.stored(name) else {
            self.parts += usize::from(!self.is_whole && shape(metadata).is_some());
            return value(metadata, self.is_whole);
        };
        Some(Tree::Leaf(Leaf::from(kind)))
    }

    /// Returns the type of an array that is stored beside the metadata, in a folder of zarr of this name. A database has no such
    /// folders.
    fn stored(&self, name: &str) -> Option<Type> {
        // Metadata from elsewhere do not decide which files of this machine are read.
        let is_below =
            Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        let is_metadata = self.path.file_name() == Some(OsStr::new("_METADATA"));
        if is_below && is_metadata { zarr(&self.path.with_file_name(name)) } else { None }
    }

    /// Makes a tree that has its tuples and named tuples. Returns `None` if it has something unknown.
    fn typed(&mut self, node: &Json, name: &str) -> Option<Tree> {
        let object = match node {
            Json::Array(list) => return Some(Tree::List(self.items(list, name)?)),
            node => node.as_object()?,
        };
        let text = |name| object.get(name).and_then(Json::as_str);
        let entries = || object.get("entries").and_then(Json::as_array);
        match (text("category"), text("clazz")) {
            (None, _) => {
                let children = self.children(name, object.iter().map(|(key, of)| (&**key, of)))?;
                Some(Tree::Dict(object.keys().cloned().zip(children).collect()))
            }
            (Some("custom"), Some("tuple")) => Some(Tree::Tuple(self.items(entries()?, name)?)),
            (Some("custom"), Some("ValueMetadataEntry")) => self.leaf(object.get("data")?, name),
            (Some("namedtuple"), Some(class)) => {
                let entries = entries()?.iter().map(|of| Some((of["key"].as_str()?, &of["value"])));
                let entries: Vec<_> = entries.collect::<Option<_>>()?;
                let fields: Vec<_> = entries.iter().map(|(key, _)| *key).collect();
                let children = self.children(name, entries.into_iter())?;
                let class = format!("{}.{class}", text("module")?).replace('.', "::");
                named_tuple(&class, &fields, children).ok()
            }
            _ => None,
        }
    }

    fn items(&mut self, items: &[Json], name: &str) -> Option<Vec<Tree>> {
        let keys: Vec<_> = (0..items.len()).map(|at| at.to_string()).collect();
        self.children(name, keys.iter().map(String::as_str).zip(items))
    }

    fn children<'j>(
        &mut self,
        name: &str,
        children: impl Iterator<Item = (&'j str, &'j Json)>,
    ) -> Option<Vec<Tree>> {
        let dot = if name.is_empty() { "" } else { "." };
        children.map(|(key, child)| self.typed(child, &format!("{name}{dot}{key}"))).collect()
    }
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
fn grow(root: &mut Option<Growing>, entry: &Json, values: &mut Values<'_>) -> Option<()> {
    let keys = entry.get("key_metadata")?.as_array()?;
    let keys = Some(keys).filter(|keys| keys.len() <= MAX_DEPTH as usize)?;
    let (mut place, mut names) = (root, Vec::new());
    for key in keys {
        let name = key.get("key")?;
        let text = name.as_str().map_or_else(|| name.to_string(), str::to_owned);
        names.push(text.clone());
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
    let leaf = Growing::Leaf(values.leaf(entry.get("value_metadata")?, &names.join("."))?);
    place.replace(leaf).is_none().then_some(())
}

/// Returns what the metadata of a value say: its class, and its shape if that is of the whole array; or a node without children.
fn value(metadata: &Json, is_whole: bool) -> Option<Tree> {
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
