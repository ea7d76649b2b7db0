//! Reads treedefs from files: JSON and safetensors as JSON objects, JAX's protos by `treedef-jax`, and other files as
//! the bytes of a treedef.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value as Json;
use treedef::dynamic::{Flatten, Open};
use treedef::encode::Level;
use treedef::{Error, Object, TreeDef, TreeDefBox};
use treedef_jax::read_proto;

/// The largest depth of a tree in JSON.
const MAX_DEPTH: u32 = 512;

/// A structure that was read, and its leaves.
pub(crate) struct Source {
    /// The structure.
    pub(crate) def: TreeDefBox,
    /// The texts of the leaves, or `None` if the file has only a structure.
    pub(crate) leaves: Option<Vec<String>>,
}

/// Returns the extension of a file's name, which decides how the file is read.
pub(crate) fn ending(file: &Path) -> String {
    file.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase()
}

/// Reads the bytes of a file with this extension.
pub(crate) fn read(bytes: &[u8], ending: &str) -> Result<Source, String> {
    match ending {
        "json" => tree(&serde_json::from_slice(bytes).map_err(|error| error.to_string())?),
        "safetensors" => tree(&tensors(bytes)?),
        "pb" => {
            let def = read_proto(bytes).map_err(|error| error.to_string())?;
            Ok(Source { def, leaves: None })
        }
        _ => match treedef(bytes) {
            Ok(def) => Ok(Source { def: def.into(), leaves: None }),
            Err(why) => {
                Err(format!("unknown extension, so it was read as the bytes of a treedef: {why}"))
            }
        },
    }
}

/// Reads the bytes of a treedef of any depth.
pub(crate) fn treedef(bytes: &[u8]) -> Result<TreeDef<'_>, String> {
    // A treedef needs at most one level for two bytes.
    let mut levels = vec![Level::default(); bytes.len() / 2 + 1];
    TreeDef::from_bytes_with(bytes, &mut levels).map_err(|error| error.explain(bytes).to_string())
}

/// Reads a JSON value as a tree: objects are dicts, arrays lists, null is `None`, any other value a leaf.
#[derive(Clone, Copy)]
struct Tree<'v>(&'v Json);

impl<'v> Object for Tree<'v> {
    type Leaf = &'v Json;

    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
        match self.0 {
            Json::Null => open.none(),
            Json::Array(items) => open.list(items.iter().map(Tree)),
            Json::Object(map) => {
                open.dict(map.iter().map(|(key, value)| (key.as_str(), Tree(value))))
            }
            leaf => open.leaf(leaf),
        }
    }
}

fn tree(json: &Json) -> Result<Source, String> {
    let say = |error: Error| error.to_string();
    let options = || Flatten::new().max_depth(MAX_DEPTH);
    let mut leaves = vec![&Json::Null; options().num_leaves(Tree(json)).map_err(say)?];
    let def = TreeDefBox::build(|builder| {
        options().flatten_onto(Tree(json), builder, &mut leaves).map(drop)
    });
    let leaves = leaves.into_iter().map(Json::to_string).collect();
    Ok(Source { def: def.map_err(say)?, leaves: Some(leaves) })
}

/// Returns the header of a safetensors file as nested objects, with one leaf for each tensor: its type and shape.
///
/// Names are split at dots. If the first parts of a name are the name of another tensor, the rest is not split: beside
/// a tensor `a`, `a.b` is one key.
fn tensors(bytes: &[u8]) -> Result<Json, String> {
    let (len, rest) =
        bytes.split_first_chunk().ok_or("file ends before the length of its header")?;
    let len = usize::try_from(u64::from_le_bytes(*len)).ok();
    let header = len.and_then(|len| rest.get(..len)).ok_or("header is longer than the file")?;
    let header: BTreeMap<String, Json> =
        serde_json::from_slice(header).map_err(|error| format!("header: {error}"))?;
    let mut root = serde_json::Map::new();
    // In this order a tensor comes before every longer name that begins with its name.
    for (name, tensor) in header.into_iter().filter(|(name, _)| name != "__metadata__") {
        let (Some(dtype), Some(shape)) = (tensor["dtype"].as_str(), tensor["shape"].as_array())
        else {
            return Err(format!("header: tensor {name:?} has no dtype or shape"));
        };
        let sizes: Vec<_> = shape.iter().map(Json::to_string).collect();
        place(&mut root, &name, Json::String(format!("{dtype}[{}]", sizes.join(", "))))?;
    }
    Ok(Json::Object(root))
}

fn place(root: &mut serde_json::Map<String, Json>, name: &str, leaf: Json) -> Result<(), String> {
    if name.split('.').count() > MAX_DEPTH as usize {
        return Err(format!("tensor {name:?} has a name of more than {MAX_DEPTH} parts"));
    }
    let (mut map, mut rest) = (root, name);
    while let Some((part, after)) = rest.split_once('.') {
        if map.get(part).is_some_and(|child| !child.is_object()) {
            break;
        }
        let child = map.entry(part).or_insert_with(|| Json::Object(serde_json::Map::new()));
        let Json::Object(inner) = child else {
            return Err(format!("tensor {name:?} has a prefix that is another tensor"));
        };
        (map, rest) = (inner, after);
    }
    match map.insert(rest.to_owned(), leaf) {
        None => Ok(()),
        Some(_) => Err(format!("tensor {name:?} is also the name of a group")),
    }
}
