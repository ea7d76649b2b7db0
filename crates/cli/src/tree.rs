//! Trees that were read from JSON, or made of the names of tensors.

use std::collections::{BTreeMap, btree_map::Entry};
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use treedef::dynamic::{Flatten, Open};
use treedef::{Error, Object, TreeDefBox};

use crate::leaf::{Leaf, Type};

/// The largest depth of such a tree.
const MAX_DEPTH: u32 = 512;

/// A tree: of JSON, objects are dicts, arrays are lists, null is `None`, any other value a leaf.
pub(crate) enum Tree {
    None,
    Leaf(Leaf),
    List(Vec<Tree>),
    Dict(BTreeMap<String, Tree>),
}

impl<'t> Object for &'t Tree {
    type Leaf = &'t Leaf;

    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
        match self {
            Tree::None => open.none(),
            Tree::Leaf(leaf) => open.leaf(leaf),
            Tree::List(items) => open.list(items.iter()),
            Tree::Dict(map) => open.dict(map.iter().map(|(key, child)| (key.as_str(), child))),
        }
    }
}

impl Tree {
    /// Returns the structure and the leaves.
    pub(crate) fn flatten(&self) -> Result<(TreeDefBox, Vec<Leaf>), String> {
        let say = |error: Error| error.to_string();
        let options = || Flatten::new().max_depth(MAX_DEPTH);
        let none = Leaf::from(Type::named("None"));
        let mut leaves = vec![&none; options().num_leaves(self).map_err(say)?];
        let def = TreeDefBox::build(|builder| {
            let _ = options().flatten_onto(self, builder, &mut leaves);
        });
        Ok((def.map_err(say)?, leaves.into_iter().cloned().collect()))
    }

    /// Makes a tree of named leaves. Names are split at `separator`.
    ///
    /// If the first parts of a name are the name of another leaf, the rest is not split: beside a leaf `a`, `a.b` is one
    /// key. No two names may be equal.
    pub(crate) fn of_names(
        leaves: BTreeMap<String, Leaf>,
        separator: char,
    ) -> Result<Self, String> {
        let mut root = BTreeMap::new();
        // In this order a leaf comes before every longer name that begins with its name.
        for (name, leaf) in leaves {
            place(&mut root, &name, leaf, separator)?;
        }
        Ok(Self::Dict(root))
    }
}

fn place(
    root: &mut BTreeMap<String, Tree>,
    name: &str,
    leaf: Leaf,
    separator: char,
) -> Result<(), String> {
    if name.split(separator).count() > MAX_DEPTH as usize {
        return Err(format!("tensor {name:?} has a name of more than {MAX_DEPTH} parts"));
    }
    let (mut map, mut rest) = (root, name);
    while let Some((part, after)) = rest.split_once(separator) {
        if matches!(map.get(part), Some(Tree::Leaf(_))) {
            break;
        }
        let child = map.entry(part.into()).or_insert_with(|| Tree::Dict(BTreeMap::new()));
        let Tree::Dict(inner) = child else {
            return Err(format!("tensor {name:?} has a prefix that is another tensor"));
        };
        (map, rest) = (inner, after);
    }
    match map.insert(rest.to_owned(), Tree::Leaf(leaf)) {
        None => Ok(()),
        Some(_) => Err(format!("tensor {name:?} is also the name of a group")),
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

/// Reads a tree from JSON and refuses an object that has a key twice.
struct Reader;

/// Returns a scalar leaf.
fn scalar<E>(kind: &str, value: impl fmt::Display) -> Result<Tree, E> {
    Ok(Tree::Leaf(Leaf { kind: Type::named(kind), value: Some(value.to_string()) }))
}

impl<'de> Visitor<'de> for Reader {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::None)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree, E> {
        scalar("bool", value)
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tree, E> {
        scalar("int", value)
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tree, E> {
        scalar("int", value)
    }

    fn visit_f64<E>(self, value: f64) -> Result<Tree, E> {
        scalar("float", format_args!("{value:?}"))
    }

    /// A text in the form of JAX's types is a leaf of that type: what `jax.typeof` wrote.
    fn visit_str<E>(self, text: &str) -> Result<Tree, E> {
        match Type::from_text(text) {
            Some(kind) => Ok(Tree::Leaf(kind.into())),
            None => scalar("str", text),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Tree, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Tree::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Tree, A::Error> {
        let mut dict = BTreeMap::new();
        while let Some(key) = entries.next_key::<String>()? {
            match dict.entry(key) {
                Entry::Occupied(entry) => {
                    return Err(A::Error::custom(format_args!(
                        "key {:?} comes twice",
                        entry.key()
                    )));
                }
                Entry::Vacant(entry) => entry.insert(entries.next_value()?),
            };
        }
        Ok(Tree::Dict(dict))
    }
}
