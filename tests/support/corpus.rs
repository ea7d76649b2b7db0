//! The notation of the conformance corpus: trees, keys, metadata, path entries, errors. `tests/conformance/README.md`
//! describes it.

use super::value::{Value, sort_keys};
use serde_json::Value as Json;

/// A tree of the corpus. Entries of dictionaries stand in the order of insertion.
#[derive(Clone, Debug)]
pub enum Tree {
    /// A leaf and its number.
    Leaf(i64),
    /// `None`.
    None,
    /// `tuple`.
    Tuple(Vec<Tree>),
    /// `list`.
    List(Vec<Tree>),
    /// `dict`.
    Dict(Vec<(Value, Tree)>),
    /// `collections.OrderedDict`.
    OrderedDict(Vec<(Value, Tree)>),
    /// `collections.defaultdict`; the factory is `int`, `None` and the like.
    DefaultDict { factory: String, items: Vec<(Value, Tree)> },
    /// `collections.namedtuple`.
    NamedTuple { class: NamedTupleClass, children: Vec<Tree> },
    /// A registered custom node.
    Custom { class: CustomClass, aux: Value, children: Vec<Tree> },
    /// A registered dataclass; `meta` in the order of the class's `meta_fields`.
    Dataclass { class: DataClass, meta: Vec<Value>, children: Vec<Tree> },
    /// An instance of the class `Static`: metadata alone.
    Static(Value),
    /// `collections.deque`.
    Deque { maxlen: Option<i64>, children: Vec<Tree> },
    /// A struct sequence of C Python.
    StructSeq { name: String, fields: Vec<String>, children: Vec<Tree> },
}

/// What tells one named tuple type from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedTupleClass {
    /// Its name.
    pub name: String,
    /// A field for each child.
    pub fields: Vec<String>,
    /// Tells types of the same name and fields apart.
    pub variant: i64,
}

/// What tells one custom type from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomClass {
    /// Its name.
    pub name: String,
    /// A string or an integer for each child, if the type was registered with keys.
    pub key_names: Option<Vec<Value>>,
    /// What the names become in a path.
    pub key_kind: KeyKind,
    /// Tells types apart that are otherwise the same.
    pub variant: i64,
}

/// What the names of a custom node's children become in a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// An attribute.
    Attr,
    /// A dictionary key.
    Dict,
    /// The bare string.
    Raw,
}

/// What tells one dataclass from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataClass {
    /// Its name.
    pub name: String,
    /// A field for each child.
    pub data_fields: Vec<String>,
    /// A field for each value of the metadata.
    pub meta_fields: Vec<String>,
    /// Tells types apart that are otherwise the same.
    pub variant: i64,
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A position in a tuple or list.
    Seq(i64),
    /// A dictionary key.
    Dict(Value),
    /// A field, or a named child.
    Attr(String),
    /// A child of a custom node without key names.
    Flat(i64),
    /// A bare string.
    Raw(String),
}

/// What Python raised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raised {
    /// The exception's class.
    pub class: String,
    /// Its text.
    pub message: String,
    /// What it was raised from.
    pub cause: Option<Box<Raised>>,
}

/// What a reading function answers: the thing, or what is wrong with the JSON.
pub type Read<T> = Result<T, String>;

impl Tree {
    /// Reads a tree; `nest` and `repeat` are written out and their leaves numbered anew.
    pub fn read(json: &Json) -> Read<Self> {
        Reader { leaves: 0, repeating: false }.tree(json)
    }

    /// The children, in the order in which they are written.
    pub fn children(&self) -> Vec<&Tree> {
        match self {
            Self::Leaf(_) | Self::None | Self::Static(_) => Vec::new(),
            Self::Dict(items) | Self::OrderedDict(items) | Self::DefaultDict { items, .. } => {
                items.iter().map(|(_, child)| child).collect()
            }
            Self::Tuple(children)
            | Self::List(children)
            | Self::NamedTuple { children, .. }
            | Self::Custom { children, .. }
            | Self::Dataclass { children, .. }
            | Self::Deque { children, .. }
            | Self::StructSeq { children, .. } => children.iter().collect(),
        }
    }

    /// The children, to be changed in place.
    pub fn children_mut(&mut self) -> Vec<&mut Tree> {
        match self {
            Self::Leaf(_) | Self::None | Self::Static(_) => Vec::new(),
            Self::Dict(items) | Self::OrderedDict(items) | Self::DefaultDict { items, .. } => {
                items.iter_mut().map(|(_, child)| child).collect()
            }
            Self::Tuple(children)
            | Self::List(children)
            | Self::NamedTuple { children, .. }
            | Self::Custom { children, .. }
            | Self::Dataclass { children, .. }
            | Self::Deque { children, .. }
            | Self::StructSeq { children, .. } => children.iter_mut().collect(),
        }
    }

    /// The children in the order in which Python flattens them; two keys that it cannot order are the error.
    pub fn flatten_order(&self) -> Result<Vec<&Tree>, (Value, Value)> {
        let (Self::Dict(items) | Self::DefaultDict { items, .. }) = self else {
            return Ok(self.children());
        };
        let entries = items.iter().map(|(key, child)| (key.clone(), child)).collect();
        Ok(sort_keys(entries)?.into_iter().map(|(_, child)| child).collect())
    }

    /// The numbers of the leaves in flatten order; two keys that Python cannot order are the error.
    pub fn leaves(&self) -> Result<Vec<i64>, (Value, Value)> {
        let mut leaves = Vec::new();
        let mut open = vec![self];
        while let Some(tree) = open.pop() {
            match tree {
                Self::Leaf(n) => leaves.push(*n),
                _ => open.extend(tree.flatten_order()?.into_iter().rev()),
            }
        }
        Ok(leaves)
    }

    /// How many nodes there are, leaves included.
    pub fn nodes(&self) -> usize {
        let (mut nodes, mut open) = (0, vec![self]);
        while let Some(tree) = open.pop() {
            nodes += 1;
            open.extend(tree.children());
        }
        nodes
    }
}

/// Python's text of a default dict's factory.
pub fn factory_text(factory: &str) -> String {
    if factory == "None" { factory.into() } else { format!("<class '{factory}'>") }
}

/// Reads a dictionary key.
pub fn read_key(json: &Json) -> Read<Value> {
    let (tag, value) = tagged(json)?;
    match tag {
        "str" => string(value).map(Value::Str),
        "int" => integer(value).map(Value::Int),
        "bigint" => match Value::integer(&string(value)?)? {
            big @ Value::Big { .. } => Ok(big),
            _ => Err(format!("a bigint that fits 64 bits: {value}")),
        },
        "bool" => value.as_bool().map(Value::Bool).ok_or_else(|| format!("no boolean: {value}")),
        "float" => {
            let text = string(value)?;
            text.parse().map(Value::F64).map_err(|_| format!("no float: {text}"))
        }
        "bytes" => read_hex(&string(value)?).map(Value::Bytes),
        "none" => Ok(Value::None),
        "tuple" => each(value, read_key).map(Value::Tuple),
        _ => Err(format!("no key has the tag {tag}")),
    }
}

/// Reads a piece of metadata.
pub fn read_scalar(json: &Json) -> Read<Value> {
    Ok(match json {
        Json::Null => Value::None,
        Json::Bool(b) => Value::Bool(*b),
        Json::String(s) => Value::Str(s.clone()),
        Json::Number(n) => match (n.as_i64(), n.as_f64()) {
            (Some(i), _) => Value::Int(i),
            (None, Some(f)) => Value::F64(f),
            (None, None) => return Err(format!("no number: {n}")),
        },
        _ => match tagged(json)? {
            ("text", text) => Value::Opaque(string(text)?),
            (tag, _) => return Err(format!("no metadata has the tag {tag}")),
        },
    })
}

/// Reads a path: a list of entries.
pub fn read_path(json: &Json) -> Read<Vec<Entry>> {
    each(json, |entry| {
        let (tag, value) = tagged(entry)?;
        Ok(match tag {
            "seq" => Entry::Seq(integer(value)?),
            "dict" => Entry::Dict(read_key(value)?),
            "attr" => Entry::Attr(string(value)?),
            "flat" => Entry::Flat(integer(value)?),
            "raw" => Entry::Raw(string(value)?),
            _ => return Err(format!("no path entry has the tag {tag}")),
        })
    })
}

/// Reads what is in an `error` member.
pub fn read_raised(json: &Json) -> Read<Raised> {
    let cause = json.get("cause").map(read_raised).transpose()?.map(Box::new);
    Ok(Raised {
        class: string(member(json, "type")?)?,
        message: string(member(json, "message")?)?,
        cause,
    })
}

/// Reads `{"ok": ...}` or `{"error": ...}`.
pub fn read_answer(json: &Json) -> Read<Result<&Json, Raised>> {
    match tagged(json)? {
        ("ok", value) => Ok(Ok(value)),
        ("error", raised) => read_raised(raised).map(Err),
        (tag, _) => Err(format!("no answer has the tag {tag}")),
    }
}

/// Reads pairs of hexadecimal digits.
pub fn read_hex(text: &str) -> Read<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap_or_default());
    let bytes = pairs.map(|pair| match pair.len() {
        2 => u8::from_str_radix(pair, 16).map_err(|_| format!("no hexadecimal: {text}")),
        _ => Err(format!("half a byte: {text}")),
    });
    bytes.collect()
}

/// The 64-bit FNV-1a hash, as the corpus writes it.
pub fn fnv1a64(bytes: &[u8]) -> String {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", bytes.iter().fold(0xcbf2_9ce4_8422_2325, step))
}

/// The member of an object.
pub fn member<'a>(json: &'a Json, name: &str) -> Read<&'a Json> {
    json.get(name).ok_or_else(|| format!("no member {name}"))
}

/// An integer of 64 bits.
pub fn integer(json: &Json) -> Read<i64> {
    json.as_i64().ok_or_else(|| format!("no integer: {json}"))
}

/// A string.
pub fn string(json: &Json) -> Read<String> {
    json.as_str().map(Into::into).ok_or_else(|| format!("no string: {json}"))
}

/// An array, item by item.
pub fn each<T>(json: &Json, read: impl FnMut(&Json) -> Read<T>) -> Read<Vec<T>> {
    json.as_array().ok_or_else(|| format!("no array: {json}"))?.iter().map(read).collect()
}

/// The one member of an object.
fn tagged(json: &Json) -> Read<(&str, &Json)> {
    let object = json.as_object().ok_or_else(|| format!("no object: {json}"))?;
    let mut members = object.iter();
    match (members.next(), members.next()) {
        (Some((tag, value)), None) => Ok((tag, value)),
        _ => Err(format!("not one member: {json}")),
    }
}

/// Reads trees and counts the leaves it has written out.
struct Reader {
    leaves: i64,
    /// Whether the leaves stand in a `repeat`, where all copies share one number.
    repeating: bool,
}

impl Reader {
    /// Reads a tree.
    fn tree(&mut self, json: &Json) -> Read<Tree> {
        let (tag, v) = tagged(json)?;
        Ok(match tag {
            "leaf" => {
                let number = if self.repeating { self.leaves } else { integer(v)? };
                self.leaves += 1;
                Tree::Leaf(number)
            }
            "none" => Tree::None,
            "tuple" => Tree::Tuple(self.trees(v)?),
            "list" => Tree::List(self.trees(v)?),
            "dict" => Tree::Dict(self.items(v)?),
            "ordered_dict" => Tree::OrderedDict(self.items(v)?),
            "default_dict" => {
                let factory = string(member(v, "factory")?)?;
                Tree::DefaultDict { factory, items: self.items(member(v, "items")?)? }
            }
            "namedtuple" => {
                let (name, fields) = (string(member(v, "name")?)?, strings(v, "fields")?);
                let children = self.children(v, Some(fields.len()))?;
                Tree::NamedTuple {
                    class: NamedTupleClass { name, fields, variant: variant(v)? },
                    children,
                }
            }
            "custom" => {
                let class = custom_class(v)?;
                let aux = read_scalar(member(v, "aux")?)?;
                let children = self.children(v, class.key_names.as_ref().map(Vec::len))?;
                Tree::Custom { class, aux, children }
            }
            "dataclass" => {
                let class = DataClass {
                    name: string(member(v, "name")?)?,
                    data_fields: strings(v, "data_fields")?,
                    meta_fields: strings(v, "meta_fields")?,
                    variant: variant(v)?,
                };
                let meta = each(member(v, "meta")?, read_scalar)?;
                if meta.len() != class.meta_fields.len() {
                    return Err(format!("not one value for each meta field: {json}"));
                }
                let children = self.children(v, Some(class.data_fields.len()))?;
                Tree::Dataclass { class, meta, children }
            }
            "static" => Tree::Static(read_scalar(v)?),
            "deque" => {
                let maxlen = Some(member(v, "maxlen")?).filter(|n| !n.is_null());
                Tree::Deque {
                    maxlen: maxlen.map(integer).transpose()?,
                    children: self.children(v, None)?,
                }
            }
            "structseq" => {
                let (name, fields) = (string(member(v, "name")?)?, strings(v, "fields")?);
                let children = self.children(v, Some(fields.len()))?;
                Tree::StructSeq { name, fields, children }
            }
            "nest" => {
                let wrap = |inner, name: &str| container(v, vec![(name.into(), inner)]);
                let mut tree = self.tree(member(v, "inner")?)?;
                for _ in 0..integer(member(v, "depth")?)? {
                    tree = wrap(tree, &key_of(v)?)?;
                }
                tree
            }
            "repeat" => {
                let outer = std::mem::replace(&mut self.repeating, true);
                let (count, child, key) =
                    (integer(member(v, "count")?)?, member(v, "child")?, key_of(v)?);
                let copies = (0..count).map(|i| Ok((format!("{key}{i}"), self.tree(child)?)));
                let copies = copies.collect::<Read<_>>()?;
                self.repeating = outer;
                container(v, copies)?
            }
            _ => return Err(format!("no tree has the tag {tag}")),
        })
    }

    /// Reads an array of trees.
    fn trees(&mut self, json: &Json) -> Read<Vec<Tree>> {
        each(json, |tree| self.tree(tree))
    }

    /// Reads the entries of a dictionary.
    fn items(&mut self, json: &Json) -> Read<Vec<(Value, Tree)>> {
        each(json, |item| match item.as_array().map(Vec::as_slice) {
            Some([key, child]) => Ok((read_key(key)?, self.tree(child)?)),
            _ => Err(format!("no entry: {item}")),
        })
    }

    /// Reads the member `children`, which has `expected` trees if that is known.
    fn children(&mut self, json: &Json, expected: Option<usize>) -> Read<Vec<Tree>> {
        let children = self.trees(member(json, "children")?)?;
        match expected {
            Some(n) if n != children.len() => Err(format!("not one child for each name: {json}")),
            _ => Ok(children),
        }
    }
}

/// Reads what tells a custom type from another.
fn custom_class(json: &Json) -> Read<CustomClass> {
    let name = |json: &Json| {
        if json.is_string() { string(json).map(Value::Str) } else { integer(json).map(Value::Int) }
    };
    Ok(CustomClass {
        name: string(member(json, "name")?)?,
        key_names: match member(json, "with_keys")? {
            Json::Bool(true) => Some(each(member(json, "key_names")?, name)?),
            Json::Bool(false) => None,
            other => return Err(format!("no boolean: {other}")),
        },
        key_kind: match json.get("key_kind").map(|kind| kind.as_str()) {
            None | Some(Some("attr")) => KeyKind::Attr,
            Some(Some("dict")) => KeyKind::Dict,
            Some(Some("raw")) => KeyKind::Raw,
            Some(_) => return Err(format!("no key kind: {json}")),
        },
        variant: variant(json)?,
    })
}

/// Reads the member `variant`, 0 where it is absent.
fn variant(json: &Json) -> Read<i64> {
    json.get("variant").map_or(Ok(0), integer)
}

/// Reads a member that is an array of strings.
fn strings(json: &Json, name: &str) -> Read<Vec<String>> {
    each(member(json, name)?, string)
}

/// Reads the member `key` of `nest` and `repeat`, `k` where it is absent.
fn key_of(json: &Json) -> Read<String> {
    json.get("key").map_or(Ok("k".into()), string)
}

/// The container that the member `kind` of `nest` and `repeat` names; a dict uses the keys.
fn container(json: &Json, items: Vec<(String, Tree)>) -> Read<Tree> {
    let children = |items: Vec<(String, Tree)>| items.into_iter().map(|(_, child)| child).collect();
    match member(json, "kind")?.as_str() {
        Some("tuple") => Ok(Tree::Tuple(children(items))),
        Some("list") => Ok(Tree::List(children(items))),
        Some("dict") => {
            Ok(Tree::Dict(items.into_iter().map(|(key, child)| (Value::Str(key), child)).collect()))
        }
        _ => Err(format!("no container: {json}")),
    }
}
