//! What a file holds: structures, with what the file says about the leaves.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

use glob_match::glob_match;
use treedef::cache::KeyBox;
use treedef::{Kind, TreeDefBox};

use crate::leaf::{Leaf, Type};
use crate::model::{MAX_NODES, Sizes};
use crate::names::{self, END, Named};
use crate::progress;
use crate::style::{self, grouped, plain};
use crate::tree::Tree;

/// The largest length of the paths of a tree together, of which some kinds of output hold all. A name of a few bytes can be
/// in millions of them.
const MAX_PATHS: usize = 500_000_000;

/// The largest number of leaves of a structure alone that are searched for names, and the largest length of their paths. A
/// pattern is compared with each.
const MAX_SEARCHED: usize = 1_000_000;
const MAX_SEARCHED_PATHS: usize = 20_000_000;

/// What a file holds.
#[derive(Default)]
pub(crate) struct Source {
    /// The format, in a word.
    pub(crate) format: &'static str,
    /// The trees: one of most files, two of an exported function, and as many as a call has arguments of a call key.
    pub(crate) parts: Vec<TreeOf>,
    /// What the file says beside the trees: a name and a text each.
    pub(crate) facts: Vec<(&'static str, String)>,
    /// The texts by key of a safetensors file.
    pub(crate) metadata: BTreeMap<String, String>,
    pub(crate) containers: Containers,
    /// The call key, of a file that is one.
    pub(crate) key: Option<KeyBox>,
    /// Whether other bytes follow the treedef, so that the file may be of another format.
    pub(crate) is_front: bool,
    /// The values of a record.
    pub(crate) rows: Vec<Row>,
}

/// A value of a record, in the order of its type: a leaf, or what the type leaves open.
pub(crate) struct Row {
    pub(crate) path: String,
    /// The type of a leaf; `option`, `enum`, `list`, `map` or `meta` for a choice.
    pub(crate) kind: String,
    pub(crate) value: String,
    pub(crate) is_leaf: bool,
}

/// Returns the leaves with other values that two records have at one path: the path, and both values.
pub(crate) fn changed_values([ours, theirs]: &[Source; 2]) -> Vec<(&str, [&str; 2])> {
    let found: BTreeMap<_, _> = theirs.rows.iter().map(|row| (&row.path, row)).collect();
    let leaves = ours.rows.iter().filter(|row| row.is_leaf);
    let both = leaves.filter_map(|row| Some((row, found.get(&row.path).filter(|of| of.is_leaf)?)));
    let changed = both.filter(|(ours, theirs)| ours.value != theirs.value);
    changed.map(|(ours, theirs)| (&*ours.path, [&*ours.value, &*theirs.value])).collect()
}

/// What a file says of the containers of its trees.
#[derive(Clone, Copy, Default, PartialEq)]
pub(crate) enum Containers {
    #[default]
    All,
    /// Some kinds. Others, such as classes, are dicts or lists.
    Some,
    /// Nothing: its dicts are made of parts of names.
    None,
}

/// A tree of a file.
pub(crate) struct TreeOf {
    /// What the tree is in the file; empty if the file holds only this one.
    pub(crate) title: String,
    pub(crate) def: TreeDefBox,
    /// The leaves, or `None` if the file has only a structure.
    pub(crate) leaves: Option<Vec<Leaf>>,
    /// What is between the parts of a name in the file, if its leaves have names.
    pub(crate) separator: Option<&'static str>,
}

impl TreeOf {
    /// What is not known of some leaf.
    pub(crate) fn lacks(&self) -> Option<&'static str> {
        let all = |has: fn(&Leaf) -> bool| {
            self.leaves.as_ref().is_some_and(|leaves| leaves.iter().all(has))
        };
        match (all(|leaf| leaf.kind.has_dtype()), all(|leaf| leaf.kind.shape.is_some())) {
            (true, _) => None,
            (false, true) => Some("dtypes"),
            (false, false) => Some("dtypes and shapes"),
        }
    }
}

impl TreeOf {
    /// Returns the sizes of all leaves, and those by dtype, that with the most bytes first.
    pub(crate) fn sizes(&self) -> (Sizes, Vec<(&str, Sizes)>) {
        let mut sum = Sizes::default();
        let mut dtypes: BTreeMap<&str, Sizes> = BTreeMap::new();
        for leaf in self.leaves.iter().flatten() {
            let sizes = Sizes::of(leaf);
            sum.add_child(sizes);
            dtypes.entry(&leaf.kind.dtype).or_default().add_child(sizes);
        }
        sum.leaves = self.def.as_treedef().num_leaves() as u64;
        let mut dtypes: Vec<_> = dtypes.into_iter().collect();
        dtypes.sort_by_key(|(_, sizes)| std::cmp::Reverse((sizes.bytes, sizes.leaves)));
        (sum, dtypes)
    }

    /// Returns the fingerprint of the call key of the structure with the dtypes and shapes of its leaves, if these are known:
    /// a cache of compiled functions has another entry if it differs.
    pub(crate) fn call_key(&self) -> Option<u64> {
        let leaves = self.leaves.as_ref()?;
        leaves.iter().all(|leaf| leaf.kind.key().is_some()).then_some(())?;
        let key = KeyBox::build(|key| {
            key.treedef(&self.def);
            for Leaf { kind, .. } in leaves {
                if let Some((dtype, shape)) = kind.key() {
                    key.array(dtype, kind.is_weak(), &shape);
                }
            }
        });
        Some(key.ok()?.as_key().fingerprint())
    }

    /// Whether the tree is a dict of leaves.
    pub(crate) fn is_flat(&self) -> bool {
        let def = self.def.as_treedef();
        def.kind() == Kind::Dict && def.num_nodes() == def.num_leaves() + 1
    }

    /// Checks that the paths of all leaves can be shown. A few bytes can be billions of leaves.
    pub(crate) fn check_paths(&self) -> Result<(), String> {
        match self.def.as_treedef().num_leaves() {
            count if count > MAX_NODES => {
                Err(format!("tree of {count} leaves; the paths of at most {MAX_NODES} are read"))
            }
            _ => Ok(()),
        }
    }

    /// Returns the name of a leaf in the file, or the keys of its path with dots between them.
    pub(crate) fn name(&self, at: usize) -> Option<String> {
        let name = self.leaves.as_ref().and_then(|leaves| leaves.get(at)?.name.as_deref());
        let path = || {
            Some(
                self.def
                    .as_treedef()
                    .path(at)?
                    .keystr_simple(self.separator.unwrap_or("."))
                    .to_string(),
            )
        };
        Some(plain(&name.map_or_else(path, |name| Some(name.to_owned()))?))
    }

    /// Calls a function with the number and the path of each leaf: the keys with a separator between them, or JAX's `keystr`.
    pub(crate) fn paths(
        &self,
        separator: Option<&str>,
        visit: impl FnMut(usize, &str),
    ) -> Result<(), String> {
        self.check_paths()?;
        self.paths_within(MAX_PATHS, separator, visit)
    }

    /// The same, if the paths together are not longer than `most` bytes.
    fn paths_within(
        &self,
        most: usize,
        separator: Option<&str>,
        mut visit: impl FnMut(usize, &str),
    ) -> Result<(), String> {
        let (mut text, mut bytes) = (String::new(), 0);
        for (at, path) in self.def.as_treedef().paths().enumerate() {
            text.clear();
            // Writing to a string does not fail.
            let _ = match separator {
                Some(separator) => write!(text, "{}", path.keystr_simple(separator)),
                None => write!(text, "{}", path.keystr()),
            };
            bytes += text.len();
            if bytes > most {
                let most = style::bytes(most as u64);
                return Err(format!("paths of all leaves are longer than {most}"));
            }
            visit(at, &text);
        }
        Ok(())
    }

    /// Leaves out the leaves whose names do not match a pattern. What is left is a tree of dicts.
    fn select(&mut self, pattern: &str) -> Result<(), String> {
        let count = self.def.as_treedef().num_leaves();
        let most = match self.leaves {
            // A file has its names itself.
            Some(_) => MAX_PATHS,
            None if count > MAX_SEARCHED => {
                return Err(format!(
                    "tree of {count} leaves; --only searches at most {MAX_SEARCHED}"
                ));
            }
            None => MAX_SEARCHED_PATHS,
        };
        let mut names = Vec::new();
        self.paths_within(most, Some("\0"), |at, path| {
            let leaf = self.leaves.as_ref().and_then(|leaves| leaves.get(at));
            let whole = leaf.and_then(|leaf| names::whole(leaf.name.as_deref()?));
            let name = path.replace([END, '.'], "/");
            if glob_match(pattern, &name) || glob_match(&format!("{pattern}/**"), &name) {
                let leaf = leaf.cloned().unwrap_or_else(|| Type::unknown().into());
                names.push((whole.unwrap_or_else(|| path.into()), leaf));
            }
        })?;
        let (def, leaves) = names::tree(names, ".")?;
        self.leaves = self.leaves.take().map(|_| leaves);
        self.def = def;
        Ok(())
    }
}

/// Whether the keys of a dict are names of several parts: it has arrays, and nothing in it has.
fn is_flat(map: &BTreeMap<String, Tree>) -> bool {
    let is_array = |tree: &Tree| matches!(tree, Tree::Leaf(leaf) if leaf.kind.shape.is_some());
    map.values().any(is_array)
        && !map.values().any(|tree| !is_array(tree) && tree.any(&is_array))
        && names::can_split(map.keys().map(String::as_str))
}

impl Source {
    pub(crate) fn new(format: &'static str, def: TreeDefBox, leaves: Option<Vec<Leaf>>) -> Self {
        let part = TreeOf { title: String::new(), def, leaves, separator: None };
        Self { format, parts: vec![part], ..Self::default() }
    }

    /// Leaves out the leaves whose names do not match a pattern, in which dots and slashes are the same. A pattern of one part
    /// matches at any level, and the name of a group all leaves in it. A `*` at the beginning is any number of parts, also none.
    pub(crate) fn select(&mut self, pattern: &str) -> Result<(), String> {
        let count = |parts: &[TreeOf]| -> usize {
            parts.iter().map(|part| part.def.as_treedef().num_leaves()).sum()
        };
        let all = count(&self.parts);
        let parts = pattern.replace('.', "/");
        let mut parts: Vec<_> = parts.split('/').collect();
        match parts[..] {
            ["*", _, ..] => parts[0] = "**",
            [_] => parts.insert(0, "**"),
            _ => {}
        }
        // `glob_match` finds nothing with `**/*/` before other parts, which is `*/**/`.
        for at in 2..parts.len() {
            if (parts[at - 2], parts[at - 1]) == ("**", "*") {
                parts.swap(at - 2, at - 1);
            }
        }
        let parts = parts.join("/");
        self.parts.iter_mut().try_for_each(|part| part.select(&parts))?;
        let kept = self.parts.iter().flat_map(|part| part.leaves.iter().flatten());
        let kept: HashSet<_> = kept.filter_map(|leaf| leaf.name.as_deref()).collect();
        self.rows.retain(|row| kept.contains(row.path.as_str()));
        let found = count(&self.parts);
        let text = format!(
            "{} of {} leaves: {}",
            grouped(found as u64),
            grouped(all as u64),
            plain(pattern)
        );
        self.facts.push(("only", text));
        if found == 0 { Err(format!("no leaf matches {pattern:?}")) } else { Ok(()) }
    }

    /// Makes the source of a tree. If it is a dict of arrays whose keys are names with separators, these are split.
    pub(crate) fn of_tree(
        format: &'static str,
        tree: Tree,
        containers: Containers,
    ) -> Result<Self, String> {
        progress::step("building the tree");
        let (tree, separator) = match tree {
            Tree::Dict(map) if is_flat(&map) => match names::nest(map) {
                Ok((tree, separator)) => (tree, Some(separator)),
                Err(map) => (Tree::Dict(map), None),
            },
            tree => (tree, None),
        };
        let (def, leaves) = tree.flatten()?;
        let mut source = Self { containers, ..Self::new(format, def, Some(leaves)) };
        if let Some(separator) = separator {
            source.containers = Containers::None;
            source.parts.iter_mut().for_each(|part| part.separator = Some(separator));
            source.facts.push(("remark", format!("names are split at {separator:?}")));
        }
        Ok(source)
    }

    /// Makes the source of a file that only names its leaves.
    pub(crate) fn named(format: &'static str, names: Vec<Named>) -> Result<Self, String> {
        progress::step("building the tree");
        let known = names.iter().any(|(_, leaf)| leaf.kind.is_known());
        let (def, leaves, separator) = names::flatten(names)?;
        let mut source = Self::new(format, def, known.then_some(leaves));
        source.parts.iter_mut().for_each(|part| part.separator = Some(separator));
        Ok(Self { containers: Containers::None, ..source })
    }
}
