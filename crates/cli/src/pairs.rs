//! Pairs the leaves of two trees by their names.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;
use std::iter;

use crate::leaf::Type;
use crate::rename::{Rename, renamed};
use crate::source::{Source, TreeOf};
use crate::style::{is_hidden, plain};

/// Other names of leaves, each with the name that has the leaf or is itself another name. Most metadata are none.
pub(crate) type Aliases = Vec<[Box<str>; 2]>;

/// A leaf that is compared.
pub(crate) struct Path<'a> {
    /// The name by which leaves are paired: its parts with dots between them.
    pub(crate) name: Box<str>,
    /// The name in the file, if it is another one.
    shown: Option<Box<str>>,
    /// The type, if it is known.
    pub(crate) kind: Option<&'a Type>,
}

impl Path<'_> {
    pub(crate) fn shown(&self) -> &str {
        self.shown.as_deref().unwrap_or(&self.name)
    }

    /// Whether another leaf has as many elements, as far as it is known.
    pub(crate) fn has_size_of(&self, other: &Self) -> bool {
        let elements = |path: &Self| path.kind.and_then(Type::elements);
        elements(self).zip(elements(other)).is_none_or(|(ours, theirs)| ours == theirs)
    }

    /// Writes other parts in the place of some.
    fn rename(&mut self, old: &str, new: &str) {
        if let Some(name) = renamed(&self.name, old, new) {
            let own = std::mem::replace(&mut self.name, name.into());
            self.shown.get_or_insert(own);
        }
    }

    /// Leaves out a prefix of the name. It may be as the file has it, with slashes.
    fn strip(&mut self, prefix: &str) {
        let dots = || self.name.strip_prefix(&prefix.replace('/', "."));
        let Some(rest) = self.name.strip_prefix(prefix).or_else(dots) else { return };
        // Another separator is as long as a dot; what JAX writes is not.
        self.shown = self.shown.take().filter(|shown| shown.len() == self.name.len());
        let shown = self.shown.as_deref().and_then(|shown| shown.get(prefix.len()..));
        self.shown = shown.map(Box::from);
        self.name = rest.into();
    }
}

/// The leaves of a tree in the order of their paths.
pub(crate) type Paths<'a> = Vec<Path<'a>>;

/// Leaves out a prefix of names.
fn strip<'n>(names: impl Iterator<Item = &'n mut Box<str>>, prefix: &str) {
    for name in names {
        if let Some(rest) = name.strip_prefix(prefix) {
            *name = rest.into();
        }
    }
}

fn find<'p, 'a>(paths: &'p Paths<'a>, name: &str) -> Option<&'p Path<'a>> {
    paths.binary_search_by(|path| (*path.name).cmp(name)).ok().and_then(|at| paths.get(at))
}

/// Returns the leaves of both sides in the order of their names, those of equal names together.
fn merge<'p, 'a>(
    ours: &'p Paths<'a>,
    theirs: &'p Paths<'a>,
) -> impl Iterator<Item = (Option<&'p Path<'a>>, Option<&'p Path<'a>>)> {
    let (mut ours, mut theirs) = (ours.iter().peekable(), theirs.iter().peekable());
    iter::from_fn(move || {
        let order = match (ours.peek(), theirs.peek()) {
            (Some(a), Some(b)) => a.name.cmp(&b.name),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return None,
        };
        Some((ours.next_if(|_| order.is_le()), theirs.next_if(|_| order.is_ge())))
    })
}

/// Returns the leaves that only `here` has.
pub(crate) fn only<'p>(
    here: &'p Paths<'_>,
    there: &'p Paths<'_>,
) -> impl Iterator<Item = &'p Path<'p>> {
    merge(here, there).filter_map(|(here, there)| here.filter(|_| there.is_none()))
}

/// Returns the leaves that both have.
fn both<'p, 'a>(
    ours: &'p Paths<'a>,
    theirs: &'p Paths<'a>,
) -> impl Iterator<Item = (&'p Path<'a>, &'p Path<'a>)> {
    merge(ours, theirs).filter_map(|(ours, theirs)| ours.zip(theirs))
}

/// Returns the leaves that both have and whose types differ: the name, and both types.
pub(crate) fn changed<'p>(
    [ours, theirs]: &'p [Paths<'_>; 2],
) -> impl Iterator<Item = (&'p str, &'p Type, &'p Type)> {
    both(ours, theirs).filter_map(|(ours, theirs)| {
        let (kind, found) = (ours.kind?, theirs.kind?);
        (!kind.is_same(found)).then_some((ours.shown(), kind, found))
    })
}

/// Adds the other names of leaves, which the metadata of a file has for tensors that are one in memory, if the other file
/// has a leaf of that name.
fn add_aliases(paths: &mut [Paths<'_>; 2], aliases: &[Aliases; 2]) {
    for (side, aliases) in aliases.iter().enumerate() {
        let [own, other] = [&paths[side], &paths[1 - side]];
        let mut of: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for [alias, name] in aliases {
            of.entry(name).or_default().push(alias);
        }
        let mut known: Vec<_> =
            of.keys().filter_map(|name| Some((*name, find(own, name)?.kind))).collect();
        let mut added = Vec::new();
        // An alias can have aliases. Each is met once.
        while let Some((name, kind)) = known.pop() {
            for alias in of.remove(name).unwrap_or_default() {
                known.push((alias, kind));
                if find(own, alias).is_none() && find(other, alias).is_some() {
                    added.push(Path { name: alias.into(), shown: None, kind });
                }
            }
        }
        paths[side].extend(added);
        paths[side].sort_by(|a, b| a.name.cmp(&b.name));
    }
}

/// Returns the parts with which all names of one side begin, if without them more names are common than with them.
fn common_prefix(paths: &[Paths<'_>; 2]) -> Option<(usize, String)> {
    let [ours, theirs] = paths;
    let common = both(ours, theirs).count();
    let of = |side: usize| {
        let (names, others) = (&paths[side], &paths[1 - side]);
        // In order: what the first and the last have in common, all have.
        let (first, last) = (&names.first()?.name, &names.last()?.name);
        let ends = first
            .char_indices()
            .filter(|(at, c)| *c == '.' && last.get(..=*at) == first.get(..=*at));
        let matches = |end: usize| {
            names
                .iter()
                .filter(|path| {
                    path.name.get(end..).is_some_and(|rest| find(others, rest).is_some())
                })
                .count()
        };
        let (count, end) = ends
            .map(|(at, _)| (matches(at + 1), at + 1))
            .max_by_key(|(count, end)| (*count, Reverse(*end)))?;
        (count > common).then(|| (side, first[..end].into()))
    };
    of(1).or_else(|| of(0))
}

/// How names are changed before they are paired, as the command line says.
#[derive(Default)]
pub(crate) struct Rewrites {
    /// The beginnings of names that are left out.
    pub(crate) strip: Vec<String>,
    /// Parts of the names of the first file, and what takes their place.
    pub(crate) rename: Vec<[String; 2]>,
}

impl Rewrites {
    /// Returns the leaves of a tree by path: as a name with dots, or as JAX's `keystr`. Parts are renamed on the first `side`.
    pub(crate) fn paths<'a>(
        &self,
        part: &'a TreeOf,
        side: usize,
        as_names: bool,
    ) -> Result<Paths<'a>, String> {
        let mut paths = Paths::with_capacity(part.leaves.as_ref().map_or(0, Vec::len));
        // The keys of a dict may be names that another file has in parts.
        let is_flat = as_names && part.separator.is_none() && part.is_flat();
        part.paths(as_names.then_some("."), |at, text| {
            let leaf = part.leaves.as_ref().and_then(|leaves| leaves.get(at));
            let kind = leaf.map(|leaf| &*leaf.kind).filter(|kind| kind.is_known());
            let shown = leaf.and_then(|leaf| leaf.name.as_deref()).map(|name| plain(name).into());
            let name = if text.contains(is_hidden) { plain(text).into() } else { text.into() };
            let mut path = Path { name, shown, kind };
            if is_flat && text.contains('/') {
                let parts = path.name.replace('/', ".").into();
                path.shown = Some(std::mem::replace(&mut path.name, parts));
            }
            paths.push(path);
        })?;
        if let Some(separator) = part.separator.filter(|sign| as_names && *sign != ".") {
            part.paths(Some(separator), |at, text| paths[at].shown = Some(plain(text).into()))?;
        }
        self.strip.iter().for_each(|prefix| paths.iter_mut().for_each(|path| path.strip(prefix)));
        let rename = self.rename.iter().filter(|_| side == 0);
        rename.for_each(|[old, new]| paths.iter_mut().for_each(|path| path.rename(old, new)));
        sort(&mut paths)?;
        Ok(paths)
    }

    /// Returns what the metadata of a file says of other names. Parts of names are joined by dots, whatever joins them in the
    /// file.
    pub(crate) fn aliases(&self, source: &Source, side: usize) -> Aliases {
        let rename = |name: &str| {
            let mut name = name.replace('/', ".");
            for [old, new] in self.rename.iter().filter(|_| side == 0) {
                name = renamed(&name, old, new).unwrap_or(name);
            }
            name.into()
        };
        let texts = source.metadata.iter();
        let mut aliases: Aliases =
            texts.map(|(alias, name)| [alias, name].map(|name| rename(name))).collect();
        self.strip.iter().for_each(|prefix| strip(aliases.iter_mut().flatten(), prefix));
        aliases
    }
}

/// What makes more names common: a prefix of all names of a side, and parts with other names.
#[derive(Default)]
pub(crate) struct Alignment {
    pub(crate) prefix: Option<(usize, String)>,
    pub(crate) rename: Option<Rename>,
}

/// Changes names so that more are common. Metadata give leaves more names before that.
pub(crate) fn align(paths: &mut [Paths<'_>; 2], aliases: &mut [Aliases; 2]) -> Alignment {
    let prefix = common_prefix(paths);
    if let Some((side, prefix)) = &prefix {
        paths[*side].iter_mut().for_each(|path| path.strip(prefix));
        strip(aliases[*side].iter_mut().flatten(), prefix);
    }
    add_aliases(paths, aliases);
    let [ours, theirs] = &*paths;
    let missing: Vec<_> = only(ours, theirs).collect();
    let found: Vec<_> = only(theirs, ours).collect();
    let rename = Rename::find(&missing, &found);
    if let Some(Rename { old, new, .. }) = &rename {
        let (ours, theirs) = paths.split_at_mut(1);
        for path in ours.iter_mut().flatten() {
            let other = renamed(&path.name, old, new);
            let other = other.and_then(|name| find(&theirs[0], &name));
            if other.is_some_and(|other| path.has_size_of(other)) {
                path.rename(old, new);
            }
        }
        paths[0].sort_by(|a, b| a.name.cmp(&b.name));
    }
    Alignment { prefix, rename }
}

fn sort(paths: &mut Paths<'_>) -> Result<(), String> {
    paths.sort_by(|a, b| a.name.cmp(&b.name));
    match paths.windows(2).find(|pair| pair[0].name == pair[1].name) {
        Some(pair) => Err(format!("two leaves have the name {}", pair[0].name)),
        None => Ok(()),
    }
}
