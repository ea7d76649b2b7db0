//! The messages of optree, written anew from the place where two trees differ and from both sides.

use super::corpus::Tree;
use super::messages::{Contrast, Difference, Manner, entry, is_dict};
use super::python::{class, key_list, keys, repr};
use super::value::Value;

/// The lists of keys that a mismatch of two dictionaries names.
fn key_lists(expected: &Tree, found: &Tree) -> [Vec<Value>; 4] {
    let [ours, theirs] = [expected, found].map(keys);
    let without = |a: &[Value], b: &[Value]| {
        a.iter().filter(|key| !b.iter().any(|other| key.python_eq(other))).cloned().collect()
    };
    let (missing, extra) = (without(&ours, &theirs), without(&theirs, &ours));
    [ours, theirs, missing, extra]
}

/// Says that two dictionaries have other keys, on one line.
fn key_mismatch(expected: &Tree, found: &Tree) -> String {
    let [ours, theirs, missing, extra] = key_lists(expected, found);
    let mut text = format!(
        "dictionary key mismatch; expected key(s): {}, got key(s): {}",
        key_list(&ours),
        key_list(&theirs)
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
    pub fn optree_prefix_error(&self, name: &str) -> String {
        let dicts = is_dict(self.prefix) && is_dict(self.full);
        let what = match self.contrast {
            _ if dicts => "pytree keys",
            Contrast::Types => "types",
            Contrast::Lengths | Contrast::Children => "numbers of pytree children",
            Contrast::Metadata => "pytree metadata",
        };
        let place = if self.path.is_empty() { " tree root" } else { &self.keystr };
        let (of, full) = (class(self.prefix), class(self.full));
        let head = format!(
            "pytree structure error: different {what} at key path\n    {name}{place}\nAt that key path, the prefix pytree {name} has a subtree of type\n    {of}\n"
        );
        if dicts {
            let [ours, theirs, missing, extra] = key_lists(self.prefix, self.full);
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
            // No line of the corpus records this one.
            Contrast::Metadata => head,
        }
    }

    /// The message of optree's `flatten_up_to`.
    pub fn optree_flatten_up_to(&self) -> String {
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
                let what = short(self.full);
                format!("{}; {what}: {found}.", key_mismatch(self.prefix, self.full))
            }
            Tree::Dict(_) | Tree::OrderedDict(_) | Tree::DefaultDict { .. } => format!(
                "Expected an instance of dict, collections.OrderedDict, or collections.defaultdict, got {found}."
            ),
            Tree::NamedTuple { .. } => match self.full {
                Tree::NamedTuple { .. } => format!(
                    "namedtuple type mismatch; expected type: {of}, got type: {got}; tuple: {found}."
                ),
                _ => format!("Expected an instance of collections.namedtuple, got {found}."),
            },
            _ => format!(
                "Custom node type mismatch; expected type: {of}, got type: {got}; value: {found}."
            ),
        }
    }

    /// The message of optree's `broadcast_to_common_suffix`.
    pub fn common_suffix(&self) -> String {
        let [ours, theirs] = [self.prefix, self.full].map(|tree| tree.children().len());
        match self.contrast {
            _ if is_dict(self.prefix) && is_dict(self.full) => {
                format!("{}.", key_mismatch(self.prefix, self.full))
            }
            Contrast::Types => format!(
                "PyTreeSpecs have incompatible node types; expected type: {}, got: {}.",
                short(self.prefix),
                short(self.full)
            ),
            _ => format!("{} arity mismatch; expected: {ours}, got: {theirs}.", short(self.prefix)),
        }
    }
}

/// The second tree with the first one's kinds of dictionaries, orders of keys and bounds of deques, as far down as the two
/// are alike in optree's manner: what optree works with when it takes the one for the other.
pub fn adapt(first: &Tree, second: &Tree, manner: Manner) -> Tree {
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

/// The first place where two trees have no common suffix.
pub fn uncommon<'t>(a: &'t Tree, b: &'t Tree, manner: Manner) -> Option<Difference<'t>> {
    if manner.is_leaf(a) || manner.is_leaf(b) {
        return None;
    }
    if let Some(contrast) = manner.contrast(a, b) {
        let (path, keystr, jax_keystr) = Default::default();
        return Some(Difference { contrast, path, keystr, jax_keystr, prefix: a, full: b });
    }
    manner.pairs(a, b).into_iter().enumerate().find_map(|(i, (child, other))| {
        let mut found = uncommon(child, other, manner)?;
        found.path.insert(0, i);
        found.keystr.insert_str(0, &entry(a, i));
        Some(found)
    })
}
