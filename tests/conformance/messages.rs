//! What the messages of JAX and optree say: written anew from the place where two trees differ and from both sides, to be
//! compared with what was recorded.
//!
//! `differences` is a plain statement of when a tree is no prefix of another; it makes the list that JAX's `prefix_errors`
//! makes. A message of `flatten_up_to` names no place: both libraries walk from right to left there, so it is about the last
//! of the differences.

use std::cmp::Ordering;
use std::mem::discriminant;

use super::python::{class, key_list, keys, metadata, node_data, repr, str, value};
use super::support::corpus::{KeyKind, Raised, Read, Tree};
use super::support::value::Value;

/// Reads the message that there are too few or too many leaves: how many were expected and, for too few, how many came.
pub(super) fn leaf_count(raised: &Raised) -> Read<(usize, Option<usize>)> {
    let message =
        raised.message.replace("PyTreeSpec", "PyTreeDef").replace("expected: ", "expected ");
    let message = message.replace("got: ", "got ");
    let number = |text: &str| text.parse().map_err(|_| format!("no number: {}", raised.message));
    let few = message.strip_prefix("Too few leaves for PyTreeDef; expected ");
    let many = message.strip_prefix("Too many leaves for PyTreeDef; expected ");
    match (few.and_then(|text| text.split_once(", got ")), many) {
        (Some((expected, got)), _) => {
            Ok((number(expected)?, Some(number(got.trim_end_matches('.'))?)))
        }
        (_, Some(text)) => Ok((number(text.trim_end_matches('.'))?, None)),
        _ => Err(format!("not about leaves: {}", raised.message)),
    }
}

/// How two nodes differ, in the order in which JAX looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contrast {
    /// By their types.
    Types,
    /// By the lengths of two tuples or lists.
    Lengths,
    /// By the numbers of children.
    Children,
    /// By keys or other metadata.
    Metadata,
}

/// A place where a tree is no prefix of another.
#[derive(Clone, Debug)]
pub(super) struct Difference<'t> {
    /// How the nodes differ.
    pub(super) contrast: Contrast,
    /// The nodes of the prefix that lead to the place, each with the index of the child in flatten order.
    pub(super) steps: Vec<(&'t Tree, usize)>,
    /// The subtree of the prefix, which is no leaf.
    pub(super) prefix: &'t Tree,
    /// The subtree of the full tree.
    pub(super) full: &'t Tree,
}

/// When two nodes count as alike.
#[derive(Clone, Copy)]
pub(super) struct Manner {
    /// Which keys and metadata are equal.
    pub(super) equal: fn(&Value, &Value) -> bool,
    /// Whether a `None` of the prefix matches anything.
    pub(super) none_is_leaf: bool,
    /// Whether dictionaries of all kinds are alike that have equal keys, in any order and with any factory, and deques of
    /// any two bounds.
    pub(super) loose: bool,
}

/// As JAX compares.
pub(super) const JAX: Manner =
    Manner { equal: Value::python_eq, none_is_leaf: false, loose: false };

/// As optree compares.
pub(super) const OPTREE: Manner = Manner { loose: true, ..JAX };

/// All places where `prefix` is no prefix of `full`, from left to right and none below another; both can be flattened.
pub(super) fn differences<'t>(
    prefix: &'t Tree,
    full: &'t Tree,
    manner: Manner,
) -> Vec<Difference<'t>> {
    parted(prefix, full, manner, |prefix, _| manner.is_leaf(prefix))
}

/// All places where two trees have no common suffix, from left to right and none below another.
pub(super) fn uncommon<'t>(a: &'t Tree, b: &'t Tree, manner: Manner) -> Vec<Difference<'t>> {
    parted(a, b, manner, |a, b| manner.is_leaf(a) || manner.is_leaf(b))
}

/// All places where two trees part, above the places where they `agree` whatever is below.
fn parted<'t>(
    one: &'t Tree,
    other: &'t Tree,
    manner: Manner,
    agree: impl Fn(&Tree, &Tree) -> bool,
) -> Vec<Difference<'t>> {
    let mut found = Vec::new();
    let mut open = vec![(Vec::new(), one, other)];
    while let Some((steps, prefix, full)) = open.pop() {
        if agree(prefix, full) {
            continue;
        }
        if let Some(contrast) = manner.contrast(prefix, full) {
            found.push(Difference { contrast, steps, prefix, full });
            continue;
        }
        let below = manner
            .pairs(prefix, full)
            .into_iter()
            .enumerate()
            .map(|(i, (one, other))| ([steps.as_slice(), &[(prefix, i)]].concat(), one, other));
        let below: Vec<_> = below.collect();
        open.extend(below.into_iter().rev());
    }
    found
}

/// Whether this is a dictionary of one of the three kinds.
pub(super) fn is_dict(tree: &Tree) -> bool {
    matches!(tree, Tree::Dict(_) | Tree::OrderedDict(_) | Tree::DefaultDict { .. })
}

impl Manner {
    /// Whether a node of a prefix matches anything.
    pub(super) fn is_leaf(self, tree: &Tree) -> bool {
        matches!(tree, Tree::Leaf(_)) || self.none_is_leaf && matches!(tree, Tree::None)
    }

    /// How two nodes differ, of which the first is no leaf.
    pub(super) fn contrast(self, prefix: &Tree, full: &Tree) -> Option<Contrast> {
        let lengths = [prefix, full].map(|tree| tree.children().len());
        if self.loose && is_dict(prefix) && is_dict(full) {
            let alike = lengths[0] == lengths[1] && self.pairs(prefix, full).len() == lengths[0];
            return (!alike).then_some(Contrast::Metadata);
        }
        let same_type = match (prefix, full) {
            (Tree::NamedTuple { class: a, .. }, Tree::NamedTuple { class: b, .. }) => a == b,
            (Tree::Custom { class: a, .. }, Tree::Custom { class: b, .. }) => a == b,
            (Tree::Dataclass { class: a, .. }, Tree::Dataclass { class: b, .. }) => a == b,
            (a, b) => discriminant(a) == discriminant(b) && class(a) == class(b),
        };
        if !same_type {
            return Some(Contrast::Types);
        }
        if lengths[0] != lengths[1] {
            return Some(match prefix {
                Tree::Tuple(_) | Tree::List(_) => Contrast::Lengths,
                _ => Contrast::Children,
            });
        }
        (!self.same_data(prefix, full)).then_some(Contrast::Metadata)
    }

    /// Whether two nodes of one type hold the same metadata.
    pub(super) fn same_data(self, prefix: &Tree, full: &Tree) -> bool {
        let all = |a: &[Value], b: &[Value]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (self.equal)(a, b))
        };
        match (prefix, full) {
            (Tree::Custom { aux: a, .. }, Tree::Custom { aux: b, .. }) => (self.equal)(a, b),
            (Tree::Static(a), Tree::Static(b)) => a.same_type(b) && (self.equal)(a, b),
            (Tree::Dataclass { meta: a, .. }, Tree::Dataclass { meta: b, .. }) => all(a, b),
            (Tree::Deque { maxlen: a, .. }, Tree::Deque { maxlen: b, .. }) => self.loose || a == b,
            (Tree::DefaultDict { factory: a, .. }, Tree::DefaultDict { factory: b, .. })
                if a != b =>
            {
                false
            }
            _ => all(&keys(prefix), &keys(full)),
        }
    }

    /// The children of two nodes that are alike, in the flatten order of the first.
    pub(super) fn pairs<'t>(self, prefix: &'t Tree, full: &'t Tree) -> Vec<(&'t Tree, &'t Tree)> {
        let [ours, theirs] = [prefix, full].map(|tree| tree.flatten_order().unwrap_or_default());
        if !(self.loose && is_dict(prefix) && is_dict(full)) {
            return ours.into_iter().zip(theirs).collect();
        }
        let (names, others) = (keys(prefix), keys(full));
        let partner = |key: &Value| others.iter().position(|other| (self.equal)(key, other));
        let pairs = ours.into_iter().zip(&names);
        pairs.filter_map(|(child, key)| Some((child, *theirs.get(partner(key)?)?))).collect()
    }
}

/// The entry of a child, as `keystr` writes it.
pub(super) fn entry(tree: &Tree, index: usize) -> String {
    match tree {
        Tree::Dict(_) | Tree::OrderedDict(_) | Tree::DefaultDict { .. } => {
            format!("[{}]", keys(tree).get(index).map(value).unwrap_or_default())
        }
        Tree::NamedTuple { class, .. } => format!(".{}", class.fields[index]),
        Tree::StructSeq { fields, .. } => format!(".{}", fields[index]),
        Tree::Dataclass { class, .. } => format!(".{}", class.data_fields[index]),
        Tree::Custom { class, .. } => match (&class.key_names, class.key_kind) {
            (None, _) => format!("[<flat index {index}>]"),
            (Some(names), KeyKind::Attr) => format!(".{}", str(&names[index])),
            (Some(names), KeyKind::Dict) => format!("[{}]", value(&names[index])),
            (Some(names), KeyKind::Raw) => str(&names[index]),
        },
        _ => format!("[{index}]"),
    }
}

/// The keys of the children as JAX's messages list them.
fn child_keys(tree: &Tree) -> Vec<Value> {
    match tree {
        Tree::Dict(_) | Tree::OrderedDict(_) | Tree::DefaultDict { .. } => keys(tree),
        _ => (0..).take(tree.children().len()).map(Value::Int).collect(),
    }
}

impl Difference<'_> {
    /// The indices of the children, in flatten order, that lead to the place.
    pub(super) fn path(&self) -> Vec<usize> {
        self.steps.iter().map(|(_, index)| *index).collect()
    }

    /// The place as `keystr` writes it.
    pub(super) fn keystr(&self) -> String {
        self.steps.iter().map(|(node, index)| entry(node, *index)).collect()
    }

    /// The place as JAX's messages have it: there each child of a named tuple has the name of the first field.
    fn jax_keystr(&self) -> String {
        let quirk = |node: &Tree, index| if let Tree::NamedTuple { .. } = node { 0 } else { index };
        self.steps.iter().map(|(node, index)| entry(node, quirk(node, *index))).collect()
    }

    /// The message of JAX's `prefix_errors`, in the form that `normal` gives.
    pub(super) fn prefix_error(&self, name: &str) -> String {
        let what = match self.contrast {
            Contrast::Types => "types",
            Contrast::Lengths => match self.prefix {
                Tree::List(_) => "lengths of list",
                _ => "lengths of tuple",
            },
            Contrast::Children => "numbers of pytree children",
            Contrast::Metadata => "pytree metadata",
        };
        let head = format!(
            "pytree structure error: different {what} at key path\n    {name}{}\nAt that key path, the prefix pytree {name} has a subtree of type",
            self.jax_keystr()
        );
        let (of, full) = (class(self.prefix), class(self.full));
        const BUT: &str = "but at the same key path the full pytree has a subtree of";
        match self.contrast {
            Contrast::Types => {
                format!("{head}\n    {of}\n{BUT} different type\n    {full}.")
            }
            Contrast::Lengths => {
                let kind = what.rsplit(' ').next().unwrap_or_default();
                let [ours, theirs] = [self.prefix, self.full].map(|tree| tree.children().len());
                format!(
                    "{head} {kind} of length {ours}, but the full pytree has a subtree of the same type but of length {theirs}."
                )
            }
            Contrast::Children => {
                let [ours, theirs] = [self.prefix, self.full].map(child_keys);
                let lacks = |keys: &[Value], key: &Value| !keys.iter().any(|k| k.python_eq(key));
                let odd = ours.iter().filter(|key| lacks(&theirs, key));
                let odd = odd.chain(theirs.iter().filter(|key| lacks(&ours, key)));
                let texts =
                    |keys: Vec<&Value>| keys.into_iter().map(str).collect::<Vec<_>>().join(" ");
                let text = format!(
                    "{head}\n    {of}\nwith {} child keys\n    {}\n{BUT} the same type but with {} child keys\n    {}\n{ODD}{}",
                    ours.len(),
                    texts(ours.iter().collect()),
                    theirs.len(),
                    texts(theirs.iter().collect()),
                    texts(odd.collect())
                );
                normal(&text)
            }
            Contrast::Metadata => format!(
                "{head}\n    {of}\nwith metadata\n    {}\n{BUT} the same type but with metadata\n    {}",
                metadata(self.prefix),
                metadata(self.full)
            ),
        }
    }

    /// The message of JAX's `flatten_up_to`; of that about `None`, the first line.
    pub(super) fn flatten_up_to(&self) -> String {
        let (of, found) = (class(self.prefix), repr(self.full));
        let [ours, theirs] = [self.prefix, self.full].map(|tree| tree.children().len());
        let lengths = self.contrast == Contrast::Lengths;
        match self.prefix {
            Tree::None => format!("Expected None, got {found}."),
            Tree::Tuple(_) if lengths => {
                format!("Tuple arity mismatch: {theirs} != {ours}; tuple: {found}.")
            }
            Tree::List(_) if lengths => {
                format!("List arity mismatch: {theirs} != {ours}; list: {found}.")
            }
            Tree::Tuple(_) => format!("Expected tuple, got {found}."),
            Tree::List(_) => format!("Expected list, got {found}."),
            Tree::Dict(_) if self.contrast == Contrast::Types => {
                format!("Expected dict, got {found}.")
            }
            Tree::Dict(_) => {
                let [ours, theirs] = [self.prefix, self.full].map(|tree| key_list(&keys(tree)));
                format!("Dict key mismatch; expected keys: {ours}; present keys: {theirs}.")
            }
            Tree::NamedTuple { class: own, .. } => match self.full {
                Tree::NamedTuple { class: other, .. } if own.fields.len() != other.fields.len() => {
                    format!("Named tuple arity mismatch: {theirs} != {ours}; tuple: {found}.")
                }
                Tree::NamedTuple { .. } => {
                    format!("Named tuple type mismatch: expected type: {of}, tuple: {found}.")
                }
                _ => format!("Expected named tuple, got {found}."),
            },
            _ => {
                let data = [self.prefix, self.full].map(node_data);
                let what = match self.prefix {
                    Tree::Dataclass { .. } => "custom dataclass node",
                    _ => "custom node",
                };
                match self.contrast {
                    Contrast::Types => format!(
                        "C{} type mismatch: expected type: {of}, value: {found}.",
                        &what[1..]
                    ),
                    _ if !JAX.same_data(self.prefix, self.full) => {
                        format!("Mismatch {what} data: {} != {}; value: {found}.", data[0], data[1])
                    }
                    _ => format!("Custom type arity mismatch: {theirs} != {ours}; value: {found}."),
                }
            }
        }
    }
}

/// The path and the message of JAX's `broadcast_flattened_prefix_with_treedef`, if `prefix` is no prefix of `full`.
///
/// It finds that one list of children is shorter only at its end, so what it reports can be below the first of the
/// `differences`.
pub(super) fn by_treedef(prefix: &Tree, full: &Tree) -> Option<(Vec<usize>, String)> {
    let data = |tree: &Tree| match tree {
        Tree::NamedTuple { .. } => "None".into(),
        other => node_data(other),
    };
    if let Tree::Leaf(_) = prefix {
        return None;
    }
    if let Tree::Leaf(_) = full {
        return Some((Vec::new(), "`prefix_treedef` is not a prefix of `full_treedef`".into()));
    }
    if JAX.contrast(prefix, full) == Some(Contrast::Types) || !JAX.same_data(prefix, full) {
        let [ours, theirs] =
            [prefix, full].map(|tree| format!("({}, {})", class(tree), data(tree)));
        return Some((Vec::new(), format!("expected {theirs}, got {ours}")));
    }
    let [ours, theirs] = [prefix, full].map(|tree| tree.flatten_order().unwrap_or_default());
    for (i, (prefix, full)) in ours.iter().zip(&theirs).enumerate() {
        if let Some((mut path, message)) = by_treedef(prefix, full) {
            path.insert(0, i);
            return Some((path, message));
        }
    }
    let longer = match ours.len().cmp(&theirs.len()) {
        Ordering::Equal => return None,
        Ordering::Less => "longer",
        Ordering::Greater => "shorter",
    };
    Some((Vec::new(), format!("zip() argument 2 is {longer} than argument 1")))
}

/// What stands before the symmetric difference of two sets of keys, whose order has no meaning.
const ODD: &str = "so the symmetric difference on key sets is\n    ";

/// A message of `prefix_errors` to be compared: keys in a set are sorted, and what repeats both sides is left out.
pub(super) fn normal(message: &str) -> String {
    if let Some((text, keys)) = message.split_once(ODD) {
        let mut keys: Vec<_> = keys.split(' ').collect();
        keys.sort_unstable();
        return format!("{text}{ODD}{}", keys.join(" "));
    }
    let (text, _) = message
        .split_once("\nso the diff in the metadata at these pytree nodes is")
        .unwrap_or((message, ""));
    text.into()
}
