//! Files become treedef bytes: JSON and safetensors through the object model of JSON, JAX's protos node by node, raw
//! bytes as they are.

use std::collections::BTreeMap;

use serde_json::Value as Json;
use treedef::jax::{Proto, ProtoFrame, ProtoNode};
use treedef::{Error, Level, Object, Open, Options, TreeDef};

/// The deepest tree that is read.
const MAX_DEPTH: u32 = 512;

/// What was read.
pub(crate) enum Source {
    /// Leaves by their text, and the bytes of the structure.
    Tree { bytes: Vec<u8>, leaves: Vec<String> },
    /// A structure alone.
    Structure { bytes: Vec<u8> },
}

impl Source {
    /// The treedef.
    pub(crate) fn treedef(&self) -> Result<TreeDef<'_>, String> {
        let (Self::Tree { bytes, .. } | Self::Structure { bytes }) = self;
        // A treedef needs at most one level for two bytes.
        let mut levels = vec![Level::default(); bytes.len() / 2 + 1];
        TreeDef::from_bytes_with(bytes, &mut levels)
            .map_err(|error| error.explain(bytes).to_string())
    }
}

/// Reads the bytes of a file by its ending.
pub(crate) fn read(bytes: Vec<u8>, ending: &str) -> Result<Source, String> {
    match ending {
        "json" => {
            let json: Json = serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
            flatten(&json)
        }
        "safetensors" => flatten(&tensors(&bytes)?),
        "pb" => proto(&bytes).map_err(|error| error.to_string()),
        _ => {
            let source = Source::Structure { bytes };
            match source.treedef() {
                Ok(_) => Ok(source),
                Err(why) => {
                    Err(format!("no ending that is known, so read as treedef bytes: {why}"))
                }
            }
        }
    }
}

/// A JSON value as a tree: objects are dicts, arrays lists, null is `None`, everything else a leaf.
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

fn flatten(json: &Json) -> Result<Source, String> {
    let say = |error: Error| error.to_string();
    let tree = Tree(json);
    let options = || Options::new().max_depth(MAX_DEPTH);
    let needed = options().structure_len(tree).map_err(say)?;
    let mut bytes = vec![0; needed];
    let mut leaves = vec![&Json::Null; options().num_leaves(tree).map_err(say)?];
    let (def, _) = options().flatten_into(tree, &mut bytes, &mut leaves).map_err(say)?;
    let len = def.as_bytes().len();
    let leaves = leaves.into_iter().map(Json::to_string).collect();
    bytes.truncate(len);
    Ok(Source::Tree { bytes, leaves })
}

/// What JAX's `serialize_using_proto` wrote.
fn proto(proto: &[u8]) -> Result<Source, Box<dyn core::error::Error>> {
    let mut nodes = vec![ProtoNode::default(); Proto::nodes_len(proto)?];
    let proto = Proto::from_bytes(proto, &mut nodes)?;
    let mut frames = vec![ProtoFrame::default(); MAX_DEPTH as usize];
    let mut bytes = Vec::new();
    if let Err(Error::Full { needed, .. }) = proto.structure_into_with(&mut frames, &mut bytes) {
        bytes.resize(needed, 0);
    }
    let len = proto.structure_into_with(&mut frames, &mut bytes)?.as_bytes().len();
    bytes.truncate(len);
    Ok(Source::Structure { bytes })
}

/// The header of a safetensors file as nested objects, one leaf for each tensor: its type and shape.
///
/// A name that goes on below another tensor's name stays whole from there: beside a tensor `a`, `a.b` is one key.
fn tensors(bytes: &[u8]) -> Result<Json, String> {
    let (len, rest) =
        bytes.split_first_chunk().ok_or("file ends before the length of its header")?;
    let len = usize::try_from(u64::from_le_bytes(*len)).ok();
    let header = len.and_then(|len| rest.get(..len)).ok_or("header is longer than the file")?;
    let header: BTreeMap<String, Json> =
        serde_json::from_slice(header).map_err(|error| format!("header: {error}"))?;
    let mut root = serde_json::Map::new();
    // In this order a tensor comes before every name that goes on below it.
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
        return Err(format!("a tensor's name has more than {MAX_DEPTH} parts"));
    }
    let (mut map, mut rest) = (root, name);
    while let Some((part, after)) = rest.split_once('.') {
        if map.get(part).is_some_and(|child| !child.is_object()) {
            break;
        }
        let child = map.entry(part).or_insert_with(|| Json::Object(serde_json::Map::new()));
        let Json::Object(inner) = child else {
            return Err(format!("tensor {name:?} is in its own way"));
        };
        (map, rest) = (inner, after);
    }
    match map.insert(rest.to_owned(), leaf) {
        None => Ok(()),
        Some(_) => Err(format!("tensor {name:?} is also the name of a group")),
    }
}
