//! The predicates of the corpus, by name: which nodes are leaves.

use super::support::corpus::{Read, Tree};
use super::support::value::Value;

/// Whether the predicate with this name is true of a tree.
pub(super) fn holds(name: &str, tree: &Tree) -> Read<bool> {
    let (name, argument) = name.split_once(':').unwrap_or((name, ""));
    let any_dict = matches!(tree, Tree::Dict(_) | Tree::OrderedDict(_) | Tree::DefaultDict { .. });
    Ok(match name {
        "always" => true,
        "never" => false,
        "none" => matches!(tree, Tree::None),
        "tuple" => matches!(tree, Tree::Tuple(_)),
        "any_tuple" => matches!(tree, Tree::Tuple(_) | Tree::NamedTuple { .. }),
        "list" => matches!(tree, Tree::List(_)),
        "list_max" => {
            let most: usize = argument.parse().map_err(|_| format!("no number: {argument}"))?;
            matches!(tree, Tree::List(children) if children.len() <= most)
        }
        "dict" => matches!(tree, Tree::Dict(_)),
        "any_dict" => any_dict,
        "has_key" => entries(tree).iter().any(|(key, _)| *key == Value::Str(argument.into())),
        "namedtuple" => matches!(tree, Tree::NamedTuple { class, .. } if class.name == argument),
        "custom" => matches!(tree, Tree::Custom { class, .. } if class.name == argument),
        "empty" => {
            let container = any_dict
                || matches!(tree, Tree::Tuple(_) | Tree::List(_) | Tree::NamedTuple { .. });
            container && tree.children().is_empty()
        }
        _ => return Err(format!("no predicate {name}")),
    })
}

/// The entries of a dictionary of any kind; none of any other node.
fn entries(tree: &Tree) -> &[(Value, Tree)] {
    match tree {
        Tree::Dict(items) | Tree::OrderedDict(items) | Tree::DefaultDict { items, .. } => items,
        _ => &[],
    }
}

/// A predicate on the place of a node: `depth_min:N` or `under_str_key:K`.
pub(super) enum At<'n> {
    /// The path has at least so many entries.
    DepthMin(usize),
    /// The last entry is this dictionary key.
    UnderStrKey(&'n str),
}

impl<'n> At<'n> {
    /// Reads the name of a predicate.
    pub(super) fn read(name: &'n str) -> Read<Self> {
        match name.split_once(':') {
            Some(("depth_min", depth)) => {
                depth.parse().map(At::DepthMin).map_err(|_| format!("no number: {depth}"))
            }
            Some(("under_str_key", key)) => Ok(At::UnderStrKey(key)),
            _ => Err(format!("no predicate {name}")),
        }
    }
}
