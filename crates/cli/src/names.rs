//! Makes trees of the names of tensors.

use std::collections::BTreeMap;

use treedef::dynamic::Open;
use treedef::{Error, Object, TreeDefBox};

use crate::leaf::{Leaf, Type};
use crate::tree::{MAX_DEPTH, Tree, structure};

/// A name, and the leaf that has it. [`split`] writes [`END`] between the parts of a name.
pub(crate) type Named = (Box<str>, Leaf);

/// What is between two parts of a name that was split. No other character comes before it, so that names in order are in
/// the order of their parts.
pub(crate) const END: char = '\0';

/// The characters of names that are not split. The second takes the place of the first.
const MARKS: [char; 2] = [END, '\u{1}'];

/// Makes a tree of named leaves, and returns what joins the keys again.
///
/// Names are split as JAX writes paths (`['params']['w']`, `.mu[0]`) if all are such paths, otherwise at slashes if any
/// has one, otherwise at dots. If the first parts of a name are the name of another leaf, the rest is not split: beside a
/// leaf `a`, `a.b` is one key. A name with [`END`] in it is not split.
pub(crate) fn flatten(
    mut names: Vec<Named>,
) -> Result<(TreeDefBox, Vec<Leaf>, &'static str), String> {
    names.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    if let Some(pair) = names.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(format!("{:?} comes twice", pair[0].0));
    }
    let separator = split(&mut names);
    let (def, leaves) = tree(names, separator)?;
    Ok((def, leaves, separator))
}

/// Makes a tree of a dict whose keys are names, and returns what joins the keys again. Gives the dict back if two names have the
/// same parts, or if one begins with the key of a node.
pub(crate) fn nest(
    map: BTreeMap<String, Tree>,
) -> Result<(Tree, &'static str), BTreeMap<String, Tree>> {
    let unknown = Leaf::from(Type::unknown());
    let mut names: Vec<Named> =
        map.keys().map(|key| (key.as_str().into(), unknown.clone())).collect();
    let separator = split(&mut names);
    let mut order: Vec<&str> = names.iter().map(|(name, _)| &**name).collect();
    order.sort_unstable();
    let nodes = names.iter().zip(map.values()).filter(|(_, tree)| !matches!(tree, Tree::Leaf(_)));
    let mut nodes = nodes.map(|((name, _), _)| format!("{name}{END}"));
    let is_below = |node: String| order.iter().any(|name| name.starts_with(&node));
    if order.windows(2).any(|pair| pair[0] == pair[1]) || nodes.any(is_below) {
        return Err(map);
    }
    let mut root = BTreeMap::new();
    for ((name, named), (key, mut tree)) in names.into_iter().zip(map) {
        if let Tree::Leaf(leaf) = &mut tree {
            leaf.name = named.name;
        }
        let parts = match key.contains(MARKS) {
            true => vec![key.as_str()],
            false => name.split(END).collect(),
        };
        grow(&mut root, &parts, separator, tree);
    }
    Ok((Tree::Dict(root), separator))
}

/// Adds a tree to dicts in dicts. If the first parts are the name of a leaf, the rest is not split.
fn grow(dict: &mut BTreeMap<String, Tree>, parts: &[&str], separator: &str, tree: Tree) {
    match parts {
        [first, rest @ ..] if !rest.is_empty() => {
            let below = dict.entry((*first).into()).or_insert_with(|| Tree::Dict(BTreeMap::new()));
            match below {
                Tree::Dict(below) => grow(below, rest, separator, tree),
                _ => drop(dict.insert(parts.join(separator), tree)),
            }
        }
        parts => drop(dict.insert(parts.concat(), tree)),
    }
}

/// Makes a tree of leaves with names that were split. `separator` joins parts that are no dicts.
pub(crate) fn tree(
    mut names: Vec<Named>,
    separator: &str,
) -> Result<(TreeDefBox, Vec<Leaf>), String> {
    names.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    while join(&mut names, separator) {
        names.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    }
    if let Some(pair) = names.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        let name = pair[0].0.replace(END, separator);
        return Err(format!("two names have the parts of {name:?}"));
    }
    if let Some((name, _)) = names.iter().find(|(name, _)| parts(name) > MAX_DEPTH as usize) {
        let name = name.replace(END, separator);
        return Err(format!("{name:?} has more than {MAX_DEPTH} parts"));
    }
    let def = structure(Group { names: &names, at: 0 })?;
    Ok((def, names.into_iter().map(|(_, leaf)| leaf).collect()))
}

fn parts(name: &str) -> usize {
    name.split(END).count()
}

/// Splits names, and returns the separator that joins parts again.
fn split(names: &mut [Named]) -> &'static str {
    if let Some(paths) = names.iter().map(|(name, _)| path(name)).collect::<Option<Vec<_>>>() {
        for ((name, leaf), path) in names.iter_mut().zip(paths) {
            leaf.name = Some(std::mem::replace(name, path));
        }
        return ".";
    }
    let separator = if names.iter().any(|(name, _)| name.contains('/')) { "/" } else { "." };
    for (name, leaf) in names {
        let split = whole(name).unwrap_or_else(|| name.replace(separator, "\0").into());
        let own = std::mem::replace(name, split);
        leaf.name = Some(own).filter(|own| own.contains(MARKS));
    }
    separator
}

/// Returns the text of a name that is not split. Such names stay different, and in order.
pub(crate) fn whole(name: &str) -> Option<Box<str>> {
    let text = || name.replace(MARKS[1], "\u{1}\u{2}").replace(END, "\u{1}\u{1}").into();
    name.contains(MARKS).then(text)
}

/// Whether some of these names are split.
pub(crate) fn can_split<'n>(names: impl Iterator<Item = &'n str> + Clone) -> bool {
    let is_path = |name: &str| !name.is_empty() && path(name).is_some();
    let has_sign = |name: &str| !name.contains(MARKS) && name.contains(['.', '/']);
    names.clone().any(has_sign) || names.clone().next().is_some() && names.clone().all(is_path)
}

/// Splits a path as JAX writes it: `['params'][0]`, `.opt_state.mu`. Returns `None` for any other text.
fn path(text: &str) -> Option<Box<str>> {
    let (mut parts, mut rest) = (String::new(), text);
    if text.contains(MARKS) {
        return None;
    }
    while !rest.is_empty() {
        if !parts.is_empty() {
            parts.push(END);
        }
        if let Some(inside) = rest.strip_prefix('[') {
            let quote = inside.chars().next().filter(|c| matches!(c, '\'' | '"'));
            let (part, after) = match quote {
                None => inside.split_once(']').filter(|(part, _)| !part.is_empty())?,
                Some(quote) => quoted(inside.get(1..)?, quote)?,
            };
            parts += part.trim_start_matches("<flat index ").trim_end_matches('>');
            rest = after;
        } else {
            let field = rest.strip_prefix('.')?;
            let (part, after) = field.split_at(field.find(['.', '[']).unwrap_or(field.len()));
            let is_field = part.chars().all(|c| c.is_alphanumeric() || c == '_');
            if part.is_empty() || !is_field {
                return None;
            }
            parts += part;
            rest = after;
        }
    }
    Some(parts.into())
}

/// Returns a text in quotes without escapes, and what comes after its `]`.
fn quoted(text: &str, quote: char) -> Option<(&str, &str)> {
    let (part, after) = text.split_once(quote)?;
    Some((part, after.strip_prefix(']')?)).filter(|(part, _)| !part.contains('\\'))
}

/// Joins the rest of every name that begins with the name of another leaf, and returns whether there is one. The names are
/// in order.
fn join(names: &mut [Named], separator: &str) -> bool {
    let (mut joined, mut leaf) = (false, None);
    for at in 0..names.len() {
        let name = &names[at].0;
        let before: Option<&str> = leaf.map(|leaf: usize| &*names[leaf].0);
        if !before
            .is_some_and(|leaf| name.strip_prefix(leaf).is_some_and(|rest| rest.starts_with(END)))
        {
            leaf = Some(at);
            continue;
        }
        let start = before.and_then(|leaf| leaf.rfind(END)).map_or(0, |end| end + 1);
        let (group, rest) = name.split_at(start);
        names[at].0 = (group.to_owned() + &rest.replace(END, separator)).into();
        joined = true;
    }
    joined
}

/// The names with the same first parts, of `at` bytes. They are in order.
#[derive(Clone, Copy)]
struct Group<'t> {
    names: &'t [Named],
    at: usize,
}

impl<'t> Object for Group<'t> {
    type Leaf = &'t Leaf;

    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
        match self.names {
            // The only name ends here: its last part is the key in the parent.
            [(name, leaf)] if name.len() < self.at => open.leaf(leaf),
            // They are read several times.
            _ => open.dict(Entries(self).collect::<Vec<_>>()),
        }
    }
}

/// The entries of a group: the next part of the names, and the names that have it.
struct Entries<'t>(Group<'t>);

impl<'t> Iterator for Entries<'t> {
    type Item = (&'t str, Group<'t>);

    fn next(&mut self) -> Option<Self::Item> {
        let Group { names, at } = self.0;
        let (first, _) = names.first()?;
        let part = first.get(at..)?.split(END).next()?;
        let end = at + part.len();
        // Most groups are small, and a long one is found in steps that double.
        let has =
            |name: &Named| name.0.get(..=end).is_some_and(|start| first.get(..=end) == Some(start));
        let (mut known, mut step) = (1, 1);
        while names.get(known + step).is_some_and(has) {
            known += step;
            step *= 2;
        }
        let rest = names.get(known..(known + step).min(names.len())).unwrap_or_default();
        let (group, after) = names.split_at(known + rest.partition_point(has));
        self.0.names = after;
        let part = match group {
            [(_, leaf)] if part.contains(MARKS) => leaf.name.as_deref().unwrap_or(part),
            _ => part,
        };
        Some((part, Group { names: group, at: end + 1 }))
    }
}
