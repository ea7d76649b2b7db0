//! Trees that were read from JSON, and the structures of objects.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque, btree_map::Entry};
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use treedef::dynamic::{Flatten, Open};
use treedef::head::{Dict, DictKind};
use treedef::{Error, Object, TreeDefBox, Writer};

use crate::key::{self, Key, are_ordered};
use crate::leaf::{Leaf, Type, Types};

/// The largest depth of such a tree.
pub(crate) const MAX_DEPTH: u32 = 512;

/// A tree: of JSON, objects are dicts, arrays are lists, null is `None`, any other value a leaf.
pub(crate) enum Tree {
    None,
    Leaf(Leaf),
    List(Vec<Tree>),
    /// JSON has no tuples and other nodes, but describes some.
    Tuple(Vec<Tree>),
    Dict(BTreeMap<String, Tree>),
    /// A node with the head of another treedef.
    Keyed(TreeDefBox, Vec<Tree>),
}

impl<'t> Object for &'t Tree {
    type Leaf = &'t Leaf;

    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
        match self {
            Tree::None => open.none(),
            Tree::Leaf(leaf) => open.leaf(leaf),
            Tree::List(items) => open.list(items.iter()),
            Tree::Tuple(items) => open.tuple(items.iter()),
            Tree::Dict(map) => open.dict(map.iter().map(|(key, child)| (key.as_str(), child))),
            Tree::Keyed(def, children) => open.node(&def.as_treedef().head(), children.iter()),
        }
    }
}

impl Tree {
    /// Reads a tree from JSON.
    pub(crate) fn read(bytes: &[u8]) -> serde_json::Result<Self> {
        let mut json = serde_json::Deserializer::from_slice(bytes);
        let known = Known { types: RefCell::default(), large: RefCell::new(large_numbers(bytes)) };
        let tree = Reader(&known).deserialize(&mut json)?;
        json.end().map(|()| tree)
    }

    /// Whether the tree, or one in it, is such a tree.
    pub(crate) fn any(&self, is_such: &dyn Fn(&Self) -> bool) -> bool {
        let any = |mut trees: std::slice::Iter<'_, Self>| trees.any(|tree| tree.any(is_such));
        is_such(self)
            || match self {
                Self::None | Self::Leaf(_) => false,
                Self::List(items) | Self::Tuple(items) | Self::Keyed(_, items) => any(items.iter()),
                Self::Dict(map) => map.values().any(|tree| tree.any(is_such)),
            }
    }

    /// Returns an entry of a dict.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Dict(map) => map.get(key),
            _ => None,
        }
    }

    /// Returns the value of a scalar of this type.
    pub(crate) fn text(&self, kind: &str) -> Option<&str> {
        match self {
            Self::Leaf(leaf) if leaf.kind.dtype == kind => leaf.value.as_deref(),
            _ => None,
        }
    }

    /// Returns the structure and the leaves.
    pub(crate) fn flatten(&self) -> Result<(TreeDefBox, Vec<Leaf>), String> {
        let none = Leaf::from(Type::named("None"));
        let say = |error: Error| error.to_string();
        let mut leaves = vec![&none; options().num_leaves(self).map_err(say)?];
        options().leaves_into(self, &mut leaves).map_err(say)?;
        Ok((structure(self)?, leaves.into_iter().cloned().collect()))
    }
}

/// Makes a dict. If its keys have no order, such as `1` and `'1'`, they are in the order in which they were given.
pub(crate) fn dict(kind: DictKind<'_>, mut entries: Vec<(Key, Tree)>) -> Result<Tree, String> {
    let mut order: Vec<_> = entries.iter().map(|(key, _)| key).collect();
    order.sort_unstable();
    if let Some(pair) = order.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("key {} of a dict comes twice", pair[0]));
    }
    let is_sorted = kind != DictKind::Ordered && are_ordered(&order);
    let kind = if is_sorted { kind } else { DictKind::Ordered };
    if is_sorted {
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    }
    let are_texts = entries.iter().all(|(key, _)| matches!(key, Key::Text(_)));
    if are_texts && kind == DictKind::Sorted {
        let entry = |(key, child)| match key {
            Key::Text(text) => Some((text, child)),
            _ => None,
        };
        return Ok(Tree::Dict(entries.into_iter().filter_map(entry).collect()));
    }
    let (keys, children): (Vec<_>, Vec<_>) = entries.into_iter().unzip();
    key::with_values(&keys, |values| {
        let head = Dict::new(kind, values.iter().copied());
        keyed(children, |out, count| out.node(&head, |out| out.leaves(count)))
    })
}

/// Makes a node of which a function writes the head, above leaves.
pub(crate) fn keyed(
    children: Vec<Tree>,
    head: impl Fn(&mut Writer<'_>, usize),
) -> Result<Tree, String> {
    let head = TreeDefBox::build(|out| head(out, children.len()));
    Ok(Tree::Keyed(head.map_err(|error| error.to_string())?, children))
}

fn options() -> Flatten {
    Flatten::new().max_depth(MAX_DEPTH)
}

/// Returns the structure of an object. It is written once, into a buffer that is large enough.
pub(crate) fn structure<O: Object + Copy>(object: O) -> Result<TreeDefBox, String> {
    let say = |error: Error| error.to_string();
    let mut bytes = vec![0; options().structure_bound(object).map_err(say)?];
    Ok(options().structure_into(object, &mut bytes).map_err(say)?.into())
}

/// Returns the numbers of a JSON text that 64 bits do not hold, in order, as they are written. The parser makes floats of them.
fn large_numbers(bytes: &[u8]) -> VecDeque<&str> {
    let (mut numbers, mut rest) = (VecDeque::new(), bytes);
    while let [first, after @ ..] = rest {
        let len = match first {
            b'"' => {
                let mut is_escape = false;
                let end = after.iter().position(|byte| {
                    let is_end = *byte == b'"' && !is_escape;
                    is_escape = *byte == b'\\' && !is_escape;
                    is_end
                });
                end.map_or(rest.len(), |end| end + 2)
            }
            b'-' | b'0'..=b'9' => {
                let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
                let len = rest.iter().take_while(|byte| is_part(byte)).count();
                let text = rest.get(..len).and_then(|text| str::from_utf8(text).ok());
                numbers.extend(text.filter(|text| text.parse().is_ok_and(is_large)));
                len
            }
            _ => 1,
        };
        rest = rest.get(len..).unwrap_or_default();
    }
    numbers
}

/// Whether a number is so large that an integer of 64 bits may not hold it.
fn is_large(number: f64) -> bool {
    number.abs() >= i64::MAX as f64
}

/// What is known while a file is read: its types, and its large numbers to come.
struct Known<'b> {
    types: RefCell<Types>,
    large: RefCell<VecDeque<&'b str>>,
}

/// Reads a tree from JSON and refuses an object that has a key twice. Leaves share their types.
struct Reader<'t>(&'t Known<'t>);

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Tree;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Tree, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Reader<'_> {
    fn leaf(&self, kind: Type) -> Leaf {
        self.0.types.borrow_mut().leaf(kind)
    }

    /// Returns the text of the number that is read, if it is large.
    fn large(&self, value: f64) -> Option<&str> {
        let mut large = self.0.large.borrow_mut();
        // The parser may round in another way.
        let is_it =
            |text: &&str| text.parse().is_ok_and(|number: f64| (number / value - 1.0).abs() < 1e-9);
        large.front().copied().filter(is_it)?;
        large.pop_front()
    }

    /// Returns a scalar leaf.
    fn scalar<E>(&self, kind: &str, value: impl fmt::Display) -> Result<Tree, E> {
        Ok(Tree::Leaf(self.0.types.borrow_mut().scalar(kind, value)))
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::None)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree, E> {
        self.scalar("bool", value)
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tree, E> {
        self.large(value as f64);
        self.scalar("int", value)
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tree, E> {
        self.large(value as f64);
        self.scalar("int", value)
    }

    fn visit_f64<E>(self, value: f64) -> Result<Tree, E> {
        let is_int = |text: &&str| text.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit());
        match self.large(value).filter(is_int) {
            Some(text) => self.scalar("int", text),
            None => self.scalar("float", format_args!("{value:?}")),
        }
    }

    /// A text in the form of JAX's types is a leaf of that type: what `jax.typeof` wrote.
    fn visit_str<E>(self, text: &str) -> Result<Tree, E> {
        match Type::from_text(text) {
            Some(kind) => Ok(Tree::Leaf(self.leaf(kind))),
            None => self.scalar("str", text),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Tree, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Reader(self.0))? {
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
                Entry::Vacant(entry) => entry.insert(entries.next_value_seed(Reader(self.0))?),
            };
        }
        Ok(Tree::Dict(dict))
    }
}
