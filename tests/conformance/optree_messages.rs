//! The messages of optree, written anew from the place where two trees differ and from both sides.

use treedef::KeyEntry;

use super::messages::{Contrast, Difference, Manner, OPTREE, entry, is_dict};
use super::optree_text::codify;
use super::python::{class, key_list, keys, metadata, repr, str, value};
use super::support::corpus::{KeyKind, Tree};
use super::support::value::{Value, sort_keys};

/// Keys as optree sorts them: where they do not compare, by their types first, and as they come where that does not help.
fn sorted(keys: &[Value]) -> Vec<Value> {
    let by_type = |key: &Value| Value::Tuple(vec![Value::Str(type_name(key).into()), key.clone()]);
    let sort = |order: &dyn Fn(&Value) -> Value| {
        let keys = keys.iter().map(|key| (order(key), key.clone()));
        let sorted = sort_keys(keys.collect()).ok()?;
        Some(sorted.into_iter().map(|(_, key)| key).collect())
    };
    sort(&Value::clone).or_else(|| sort(&by_type)).unwrap_or_else(|| keys.to_vec())
}

/// The name of a key's type among those of Python's builtin types.
fn type_name(key: &Value) -> &'static str {
    match key {
        Value::None => "NoneType",
        Value::Bool(_) => "bool",
        Value::Int(_) | Value::Big { .. } => "int",
        Value::F64(_) | Value::F32(_) => "float",
        Value::Str(_) => "str",
        Value::Bytes(_) => "bytes",
        Value::Tuple(_) => "tuple",
        Value::Opaque(_) => "object",
    }
}

/// The keys that only the first, and that only the second of two dictionaries has.
fn odd_keys(expected: &Tree, found: &Tree) -> [Vec<Value>; 2] {
    let [ours, theirs] = [expected, found].map(keys);
    let without = |a: &[Value], b: &[Value]| {
        let odd = a.iter().filter(|key| !b.iter().any(|other| key.python_eq(other)));
        sorted(&odd.cloned().collect::<Vec<_>>())
    };
    [without(&ours, &theirs), without(&theirs, &ours)]
}

/// Says that two dictionaries have other keys, on one line.
fn key_mismatch(expected: &Tree, found: &Tree) -> String {
    let [missing, extra] = odd_keys(expected, found);
    let mut text = format!(
        "dictionary key mismatch; expected key(s): {}, got key(s): {}",
        key_list(&keys(expected)),
        key_list(&sorted(&keys(found)))
    );
    for (what, keys) in [("missing", missing), ("extra", extra)] {
        if !keys.is_empty() {
            text += &format!(", {what} key(s): {}", key_list(&keys));
        }
    }
    text
}

/// The name of a builtin type, the class of any other.
fn short(tree: &Tree) -> String {
    let class = class(tree);
    let name = class.strip_prefix("<class '").and_then(|name| name.strip_suffix("'>"));
    let name = name.unwrap_or_default();
    match tree {
        Tree::OrderedDict(_) | Tree::DefaultDict { .. } | Tree::Deque { .. } => {
            name.rsplit('.').next().unwrap_or_default().into()
        }
        Tree::None | Tree::Tuple(_) | Tree::List(_) | Tree::Dict(_) => name.into(),
        _ => class,
    }
}

impl Difference<'_> {
    /// The message of optree's `prefix_errors`.
    pub(super) fn optree_prefix_error(&self, name: &str) -> String {
        let dicts = is_dict(self.prefix) && is_dict(self.full);
        let what = match self.contrast {
            _ if dicts => "pytree keys",
            Contrast::Types => "types",
            Contrast::Lengths | Contrast::Children => "numbers of pytree children",
            Contrast::Metadata => "pytree metadata",
        };
        let place = self.place(name);
        let (of, full) = (class(self.prefix), class(self.full));
        let head = format!(
            "pytree structure error: different {what} at key path\n    {place}\nAt that key path, the prefix pytree {name} has a subtree of type\n    {of}\n"
        );
        if dicts {
            let [ours, theirs] = [self.prefix, self.full].map(keys);
            let [missing, extra] = odd_keys(self.prefix, self.full);
            let mut text = format!(
                "{head}with {} key(s)\n    {}\nbut at the same key path the full pytree has a subtree of type\n    {full}\nbut with {} key(s)\n    {}",
                ours.len(),
                key_list(&ours),
                theirs.len(),
                key_list(&theirs)
            );
            for (what, keys) in [("missing", missing), ("extra", extra)] {
                if !keys.is_empty() {
                    text += &format!("\n{what} key(s):\n    {}", key_list(&keys));
                }
            }
            return text;
        }
        match self.contrast {
            Contrast::Types => format!(
                "{head}but at the same key path the full pytree has a subtree of different type\n    {full}."
            ),
            Contrast::Lengths | Contrast::Children => {
                let [ours, theirs] = [self.prefix, self.full].map(|tree| tree.children().len());
                format!(
                    "{head}with {ours} children, but at the same key path the full pytree has a subtree of the same type but with {theirs} children."
                )
            }
            Contrast::Metadata => format!(
                "{head}with metadata\n    {}\nbut at the same key path the full pytree has a subtree of the same type but with metadata\n    {}",
                data(self.prefix),
                data(self.full)
            ),
        }
    }

    /// The message of optree's `flatten_up_to`.
    pub(super) fn optree_flatten_up_to(&self) -> String {
        let (of, got, found) = (class(self.prefix), class(self.full), repr(self.full));
        let [ours, theirs] = [self.prefix, self.full].map(|tree| tree.children().len());
        let lengths = self.contrast == Contrast::Lengths;
        match self.prefix {
            Tree::None => format!("Expected None, got {found}."),
            Tree::Tuple(_) | Tree::List(_) if lengths => {
                let kind = short(self.prefix);
                format!("{kind} arity mismatch; expected: {ours}, got: {theirs}; {kind}: {found}.")
            }
            Tree::Tuple(_) | Tree::List(_) => {
                format!("Expected an instance of {}, got {found}.", short(self.prefix))
            }
            Tree::Dict(_) | Tree::OrderedDict(_) | Tree::DefaultDict { .. }
                if is_dict(self.full) =>
            {
                let what = short(self.prefix);
                format!("{}; {what}: {found}.", key_mismatch(self.prefix, self.full))
            }
            Tree::Dict(_) | Tree::OrderedDict(_) | Tree::DefaultDict { .. } => format!(
                "Expected an instance of dict, collections.OrderedDict, or collections.defaultdict, got {found}."
            ),
            Tree::Deque { .. } => match self.full {
                Tree::Deque { .. } => {
                    format!(
                        "deque arity mismatch; expected: {ours}, got: {theirs}; deque: {found}."
                    )
                }
                _ => format!("Expected an instance of collections.deque, got {found}."),
            },
            Tree::NamedTuple { .. } | Tree::StructSeq { .. } => {
                let kind = kind(self.prefix);
                let full = self.full;
                match (kind == self::kind(full), self.prefix) {
                    (true, _) if ours != theirs => format!(
                        "{kind} arity mismatch; expected: {ours}, got: {theirs}; tuple: {found}."
                    ),
                    (true, _) => format!(
                        "{kind} type mismatch; expected type: {of}, got type: {got}; tuple: {found}."
                    ),
                    (false, Tree::NamedTuple { .. }) => {
                        format!("Expected an instance of collections.namedtuple, got {found}.")
                    }
                    (false, _) => {
                        format!("Expected an instance of PyStructSequence type, got {found}.")
                    }
                }
            }
            _ => {
                let [own, other] = [self.prefix, self.full].map(data);
                match self.contrast {
                    Contrast::Types => format!(
                        "Custom node type mismatch; expected type: {of}, got type: {got}; value: {found}."
                    ),
                    _ if !OPTREE.same_data(self.prefix, self.full) => format!(
                        "Mismatch custom node data; expected: {own}, got: {other}; value: {found}."
                    ),
                    _ => format!(
                        "Custom type arity mismatch; expected: {ours}, got: {theirs}; value: {found}."
                    ),
                }
            }
        }
    }

    /// The place in a tree called `name`, as code.
    fn place(&self, name: &str) -> String {
        if self.steps.is_empty() {
            return format!("{name} tree root");
        }
        self.steps.iter().fold(name.into(), |code, (node, index)| match node {
            Tree::Custom { class, .. } => match &class.key_names {
                Some(names) if class.key_kind == KeyKind::Attr => {
                    codify(&code, [KeyEntry::Attr(&str(&names[*index]))])
                }
                Some(names) if class.key_kind == KeyKind::Raw => {
                    codify(&code, [KeyEntry::Raw(&str(&names[*index]))])
                }
                _ => code + &entry(node, *index),
            },
            _ => code + &entry(node, *index),
        })
    }

    /// The message of optree's `broadcast_to_common_suffix`.
    pub(super) fn common_suffix(&self) -> String {
        let [ours, theirs] = [self.prefix, self.full].map(|tree| tree.children().len());
        let kind = kind(self.prefix);
        if is_dict(self.prefix) && is_dict(self.full) {
            return format!("{}.", key_mismatch(self.prefix, self.full));
        }
        if kind != self::kind(self.full) {
            let [ours, theirs] = [self.prefix, self.full].map(short);
            return format!(
                "PyTreeSpecs have incompatible node types; expected type: {ours}, got: {theirs}."
            );
        }
        match (kind, self.contrast) {
            ("Custom", Contrast::Types) => {
                let [ours, theirs] = [self.prefix, self.full].map(class);
                format!("Custom node type mismatch; expected type: {ours}, got type: {theirs}.")
            }
            ("Custom", Contrast::Metadata) => {
                let [ours, theirs] = [self.prefix, self.full].map(data);
                format!("Mismatch custom node data; expected: {ours}, got: {theirs}.")
            }
            ("Custom", _) => {
                format!("Custom type arity mismatch; expected: {ours}, got: {theirs}.")
            }
            _ if ours != theirs => {
                format!("{kind} arity mismatch; expected: {ours}, got: {theirs}.")
            }
            _ => {
                let [ours, theirs] = [self.prefix, self.full].map(class);
                format!("{kind} type mismatch; expected type: {ours}, got type: {theirs}.")
            }
        }
    }
}

/// What optree calls a kind of node.
fn kind(tree: &Tree) -> &'static str {
    match tree {
        Tree::Leaf(_) => "leaf",
        Tree::None => "None",
        Tree::Tuple(_) => "tuple",
        Tree::List(_) => "list",
        Tree::Dict(_) => "dict",
        Tree::OrderedDict(_) => "OrderedDict",
        Tree::DefaultDict { .. } => "defaultdict",
        Tree::NamedTuple { .. } => "namedtuple",
        Tree::Deque { .. } => "deque",
        Tree::StructSeq { .. } => "PyStructSequence",
        Tree::Custom { .. } | Tree::Dataclass { .. } | Tree::Static(_) => "Custom",
    }
}

/// `repr` of the metadata of a registered type; that of a dataclass are pairs of names and values.
fn data(tree: &Tree) -> String {
    match tree {
        Tree::Custom { aux, .. } => value(aux),
        Tree::Dataclass { class, meta, .. } => {
            let pair = |(name, data): (&String, &Value)| {
                Value::Tuple(vec![Value::Str(name.clone()), data.clone()])
            };
            value(&Value::Tuple(class.meta_fields.iter().zip(meta).map(pair).collect()))
        }
        other => metadata(other),
    }
}

/// The second tree with the first one's kinds of dictionaries, orders of keys and bounds of deques, as far down as the two
/// are alike in optree's manner: what optree works with when it takes the one for the other.
pub(super) fn adapt(first: &Tree, second: &Tree, manner: Manner) -> Tree {
    let mut adapted = second.clone();
    if manner.is_leaf(first) || manner.is_leaf(second) || manner.contrast(first, second).is_some() {
        return adapted;
    }
    if is_dict(first) {
        let of = |tree: &Tree| match tree {
            Tree::Dict(items) | Tree::OrderedDict(items) | Tree::DefaultDict { items, .. } => {
                items.clone()
            }
            _ => Vec::new(),
        };
        let others = of(second);
        let partner = |key: &Value| others.iter().find(|(other, _)| (manner.equal)(key, other));
        let items = of(first).into_iter().filter_map(|(key, child)| {
            let adapted = adapt(&child, &partner(&key)?.1, manner);
            Some((key, adapted))
        });
        let items = items.collect();
        return match first {
            Tree::OrderedDict(_) => Tree::OrderedDict(items),
            Tree::DefaultDict { factory, .. } => {
                Tree::DefaultDict { factory: factory.clone(), items }
            }
            _ => Tree::Dict(items),
        };
    }
    if let (Tree::Deque { maxlen, .. }, Tree::Deque { maxlen: bound, .. }) = (first, &mut adapted) {
        *bound = *maxlen;
    }
    for (child, first) in adapted.children_mut().into_iter().zip(first.children()) {
        *child = adapt(first, child, manner);
    }
    adapted
}
