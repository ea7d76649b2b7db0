//! A treedef as a plain tree, and its bytes by the book.

use super::value::{Value, sort_keys};
use super::wire::{put_bytes, put_str, put_varint, put_zigzag};

/// The structure of a tree. Keys stand in their canonical order and form: see [`Keys::new`] and [`Def::dict`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Def {
    /// A leaf.
    Leaf,
    /// `None`.
    None,
    /// A tuple.
    Tuple(Vec<Def>),
    /// A list.
    List(Vec<Def>),
    /// A `Some` that is a node of its own.
    Some(Box<Def>),
    /// A dict: keys in Python's order.
    Dict { keys: Keys, children: Vec<Def> },
    /// An ordered dict: keys in the order of the children; a key can occur twice.
    OrderedDict { keys: Keys, children: Vec<Def> },
    /// A default dict: the factory's text, then as a dict.
    DefaultDict { factory: String, keys: Keys, children: Vec<Def> },
    /// A named tuple.
    NamedTuple { name: String, fields: Vec<String>, children: Vec<Def> },
    /// A struct, enum variant or dataclass.
    Struct { name: String, fields: Vec<String>, meta: Vec<(String, Value)>, children: Vec<Def> },
    /// A custom node.
    Custom { name: String, aux: Value, child_keys: Option<Vec<ChildKey>>, children: Vec<Def> },
}

/// The keys of a dictionary in one of three forms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Keys {
    /// Strings only, or no key at all.
    Str(Vec<String>),
    /// Integers of 64 bits only.
    Int(Vec<i64>),
    /// Everything else.
    Typed(Vec<Value>),
}

/// What a custom node calls a child.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ChildKey {
    /// An attribute.
    Attr(String),
    /// A dictionary key.
    Dict(Value),
    /// A position.
    Seq(u32),
    /// Text that stands in the path as it is.
    Raw(String),
}

impl Keys {
    /// The keys in the form that they must have.
    pub fn new(keys: Vec<Value>) -> Self {
        let strings =
            keys.iter().map(|k| if let Value::Str(s) = k { Some(s.clone()) } else { None });
        let integers = keys.iter().map(|k| if let Value::Int(i) = k { Some(*i) } else { None });
        if let Some(strings) = strings.collect() {
            Self::Str(strings)
        } else if let Some(integers) = integers.collect() {
            Self::Int(integers)
        } else {
            Self::Typed(keys)
        }
    }

    /// The keys as values.
    pub fn values(&self) -> Vec<Value> {
        match self {
            Self::Str(keys) => keys.iter().cloned().map(Value::Str).collect(),
            Self::Int(keys) => keys.iter().copied().map(Value::Int).collect(),
            Self::Typed(keys) => keys.clone(),
        }
    }

    /// 0, 1 or 2, as the three forms follow each other in the subkinds.
    fn form(&self) -> u8 {
        match self {
            Self::Str(_) => 0,
            Self::Int(_) => 1,
            Self::Typed(_) => 2,
        }
    }

    /// Appends all keys.
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Self::Str(keys) => keys.iter().for_each(|key| put_str(out, key)),
            Self::Int(keys) => keys.iter().for_each(|key| put_zigzag(out, *key)),
            Self::Typed(keys) => keys.iter().for_each(|key| key.put(out)),
        }
    }
}

impl ChildKey {
    /// Appends the kind and the payload.
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Self::Attr(name) => {
                out.push(0);
                put_str(out, name);
            }
            Self::Dict(key) => {
                out.push(1);
                key.put(out);
            }
            Self::Seq(i) => {
                out.push(2);
                put_varint(out, (*i).into());
            }
            Self::Raw(text) => {
                out.push(3);
                put_str(out, text);
            }
        }
    }
}

impl Def {
    /// A dict of entries in any order; two keys that cannot stand in one dict are the error.
    pub fn dict(items: Vec<(Value, Def)>) -> Result<Self, (Value, Value)> {
        let (keys, children) = sort_keys(items)?.into_iter().unzip();
        Ok(Self::Dict { keys: Keys::new(keys), children })
    }

    /// A default dict of entries in any order; two keys that cannot stand in one dict are the error.
    pub fn default_dict(factory: &str, items: Vec<(Value, Def)>) -> Result<Self, (Value, Value)> {
        let (keys, children) = sort_keys(items)?.into_iter().unzip();
        Ok(Self::DefaultDict { factory: factory.into(), keys: Keys::new(keys), children })
    }

    /// An ordered dict.
    pub fn ordered_dict(items: Vec<(Value, Def)>) -> Self {
        let (keys, children) = items.into_iter().unzip();
        Self::OrderedDict { keys: Keys::new(keys), children }
    }

    /// The children, from left to right.
    pub fn children(&self) -> &[Def] {
        match self {
            Self::Leaf | Self::None => &[],
            Self::Some(child) => std::slice::from_ref(child),
            Self::Tuple(children)
            | Self::List(children)
            | Self::Dict { children, .. }
            | Self::OrderedDict { children, .. }
            | Self::DefaultDict { children, .. }
            | Self::NamedTuple { children, .. }
            | Self::Struct { children, .. }
            | Self::Custom { children, .. } => children,
        }
    }

    /// How many leaves the structure has.
    pub fn leaves(&self) -> u64 {
        if *self == Self::Leaf { 1 } else { self.children().iter().map(Self::leaves).sum() }
    }

    /// How many nodes the structure has, leaves and itself included.
    pub fn nodes(&self) -> u64 {
        1 + self.children().iter().map(Self::nodes).sum::<u64>()
    }

    /// The bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.put_head(&mut out);
        self.put_items(&mut out);
        out
    }

    /// Appends the head and, where the kind has one, the block.
    pub fn put_head(&self, out: &mut Vec<u8>) {
        let n = self.children().len() as u64;
        let mut block = Vec::new();
        match self {
            Self::Leaf => return put_counted(out, 0, 0),
            Self::None => return put_extension(out, 0),
            Self::Tuple(_) => return put_counted(out, 1, n),
            Self::List(_) => return put_counted(out, 2, n),
            Self::Dict { keys: keys @ Keys::Str(_), .. } => {
                put_counted(out, 3, n);
                keys.put(&mut block);
            }
            Self::Struct { name, fields, meta, .. } => {
                put_counted(out, 4, n);
                put_str(&mut block, name);
                fields.iter().for_each(|field| put_str(&mut block, field));
                for (name, value) in meta {
                    put_str(&mut block, name);
                    value.put(&mut block);
                }
            }
            Self::Some(_) => {
                put_extension(out, 1);
                put_varint(out, n);
            }
            Self::Dict { keys, .. } => {
                put_extension(out, 1 + keys.form());
                put_varint(out, n);
                keys.put(&mut block);
            }
            Self::OrderedDict { keys, .. } => {
                put_extension(out, 4 + keys.form());
                put_varint(out, n);
                keys.put(&mut block);
            }
            Self::DefaultDict { factory, keys, .. } => {
                put_extension(out, 7 + keys.form());
                put_varint(out, n);
                put_str(&mut block, factory);
                keys.put(&mut block);
            }
            Self::NamedTuple { name, fields, .. } => {
                put_extension(out, 10);
                put_varint(out, n);
                put_str(&mut block, name);
                fields.iter().for_each(|field| put_str(&mut block, field));
            }
            Self::Custom { name, aux, child_keys, .. } => {
                put_extension(out, 11);
                put_varint(out, n);
                put_str(&mut block, name);
                aux.put(&mut block);
                child_keys.iter().flatten().for_each(|key| key.put(&mut block));
            }
        }
        put_bytes(out, &block);
    }

    /// Appends the children, equal neighbours together.
    fn put_items(&self, out: &mut Vec<u8>) {
        for equal in self.children().chunk_by(|a, b| a == b) {
            let (one, n) = (&equal[0], equal.len() as u64);
            let leaves = one.leaves();
            if *one == Self::Leaf {
                put_counted(out, 0, n - 1);
            } else if leaves == 0 {
                equal.iter().for_each(|child| out.extend(child.encode()));
            } else {
                out.extend(one.encode());
                if n > 1 {
                    put_counted(out, 5, n - 2);
                    put_varint(out, leaves);
                }
            }
        }
    }
}

/// Appends the head byte of a kind that holds a count, and the rest of a count above 30.
pub fn put_counted(out: &mut Vec<u8>, kind: u8, count: u64) {
    out.push(kind << 5 | count.min(31) as u8);
    if count >= 31 {
        put_varint(out, count - 31);
    }
}

/// Appends the head byte of a subkind.
fn put_extension(out: &mut Vec<u8>, subkind: u8) {
    out.push(6 << 5 | subkind);
}
