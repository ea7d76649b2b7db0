//! The tree that is shown: nodes with sizes, in which equal neighbours are one node.

use std::borrow::Cow;
use std::cmp::{Ordering, Reverse};

use treedef::{Head, KeyEntry, Kind, TreeDef, Value};

use crate::leaf::Leaf;
use crate::source::Source;
use crate::style::{is_hidden, plain};

/// The largest depth and the largest number of nodes that are shown. A few bytes can be a treedef of billions.
const MAX_DEPTH: usize = 1000;
pub(crate) const MAX_NODES: usize = 10_000_000;

/// The largest number of nodes that are shown each by itself. They take some 200 bytes each.
const MAX_UNFOLDED: usize = 2_000_000;

/// A node, or a run of equal neighbours.
pub(crate) struct Node<'a> {
    /// The keys of the run in its parent.
    pub(crate) keys: Keys<'a>,
    /// The number of neighbours in the run.
    pub(crate) copies: u64,
    head: Head<'a>,
    /// What is known of a leaf.
    pub(crate) leaf: Option<&'a Leaf>,
    pub(crate) children: Vec<Node<'a>>,
    /// The sizes of one of the neighbours.
    pub(crate) sizes: Sizes,
}

/// The sizes of a tree.
#[derive(Clone, Copy, Default, PartialEq)]
pub(crate) struct Sizes {
    pub(crate) leaves: u64,
    pub(crate) nodes: u64,
    /// The number of levels below the root.
    pub(crate) depth: u64,
    /// The number of bytes of plain preorder: a byte for every leaf, the head for every other node.
    pub(crate) plain: u64,
    /// The number of elements of those leaves for which it is known, and of their bytes.
    pub(crate) parameters: u64,
    pub(crate) bytes: u64,
    /// The number of leaves for which it is known.
    pub(crate) sized: u64,
}

impl Sizes {
    /// Returns the sizes of `copies` such trees beside each other.
    pub(crate) fn times(self, copies: u64) -> Self {
        let times = |size: u64| size.saturating_mul(copies);
        Self {
            leaves: times(self.leaves),
            nodes: times(self.nodes),
            depth: self.depth,
            plain: times(self.plain),
            parameters: times(self.parameters),
            bytes: times(self.bytes),
            sized: times(self.sized),
        }
    }

    /// Returns the sizes of a leaf.
    pub(crate) fn of(leaf: &Leaf) -> Self {
        let sizes = Self { leaves: 1, nodes: 1, plain: 1, ..Self::default() };
        match (leaf.kind.elements(), leaf.kind.bytes()) {
            (Some(parameters), Some(bytes)) => Self { parameters, bytes, sized: 1, ..sizes },
            _ => sizes,
        }
    }

    pub(crate) fn add_child(&mut self, child: Self) {
        for (sum, size) in [
            (&mut self.leaves, child.leaves),
            (&mut self.nodes, child.nodes),
            (&mut self.plain, child.plain),
            (&mut self.parameters, child.parameters),
            (&mut self.bytes, child.bytes),
            (&mut self.sized, child.sized),
        ] {
            *sum = sum.saturating_add(size);
        }
        self.depth = self.depth.max(child.depth + 1);
    }
}

/// Makes the trees of a file. With `fold`, equal neighbours are one node.
pub(crate) fn trees(source: &Source, fold: bool) -> Result<Vec<Node<'_>>, String> {
    let parts = source.parts.iter();
    parts.map(|part| tree(part.def.as_treedef(), part.leaves.as_deref(), fold)).collect()
}

/// Makes the tree of a treedef, with what is known of its leaves. With `fold`, equal neighbours are one node.
pub(crate) fn tree<'a>(
    def: TreeDef<'a>,
    leaves: Option<&'a [Leaf]>,
    fold: bool,
) -> Result<Node<'a>, String> {
    let (most, how) = if fold { (MAX_NODES, "") } else { (MAX_UNFOLDED, " by --full") };
    if def.num_nodes() > most {
        return Err(format!("tree of {} nodes; at most {most} are shown{how}", def.num_nodes()));
    }
    node(def, leaves, fold, 0)
}

fn node<'a>(
    def: TreeDef<'a>,
    leaves: Option<&'a [Leaf]>,
    fold: bool,
    depth: usize,
) -> Result<Node<'a>, String> {
    if depth > MAX_DEPTH {
        return Err(format!("tree is deeper than {MAX_DEPTH} levels"));
    }
    let head = def.head();
    let is_leaf = head.kind() == Kind::Leaf;
    let mut sizes = Sizes { nodes: 1, ..Sizes::default() };
    if is_leaf {
        (sizes.leaves, sizes.plain) = (1, 1);
    } else {
        sizes.plain = head.as_bytes().len() as u64;
    }
    let leaf = leaves.filter(|_| is_leaf).and_then(|leaves| leaves.first());
    if let Some(leaf) = leaf {
        sizes = Sizes::of(leaf);
    }
    let mut children: Vec<Node<'a>> = Vec::new();
    // The child before, of whose bytes a copy shares the address.
    let mut before: Option<TreeDef<'a>> = None;
    for (key, child, at) in in_order(def) {
        let own = leaves.map(|leaves| leaves.get(at..at + child.num_leaves()).unwrap_or_default());
        let is_copy = own.is_none()
            && before.is_some_and(|before| {
                before == child && before.as_bytes().as_ptr() == child.as_bytes().as_ptr()
            });
        before = Some(child);
        if let Some(last) = children.last_mut()
            && fold
            && is_copy
        {
            sizes.add_child(last.sizes);
            last.copies += 1;
            last.keys.push(key);
            continue;
        }
        let mut child = node(child, own, fold, depth + 1)?;
        sizes.add_child(child.sizes);
        match children.last_mut() {
            Some(last) if fold && last.is_same(&child) => {
                last.copies += 1;
                last.keys.push(key);
            }
            _ => {
                child.keys.push(key);
                children.push(child);
            }
        }
    }
    children.shrink_to_fit();
    Ok(Node { keys: Keys::default(), copies: 1, head, leaf, children, sizes })
}

/// Returns the children with their keys and the number of leaves before them. The children of dicts with strings as keys
/// come in the order in which a person counts: `'2'` before `'10'`.
fn in_order<'a>(
    def: TreeDef<'a>,
) -> Box<dyn Iterator<Item = (KeyEntry<'a>, TreeDef<'a>, usize)> + 'a> {
    let head = def.head();
    let mut at = 0;
    let children = head.entries().zip(def.children()).map(move |(entry, child)| {
        let start = at;
        at += child.num_leaves();
        (entry, child, start)
    });
    let name = |entry: &KeyEntry<'a>| match entry {
        KeyEntry::Key(Value::Str(name)) => Some(*name),
        _ => None,
    };
    let is_sorted = matches!(head.kind(), Kind::Dict | Kind::DefaultDict);
    if !is_sorted || head.entries().any(|entry| name(&entry).is_none()) {
        return Box::new(children);
    }
    let mut children: Vec<_> = children.collect();
    children.sort_by(|(a, ..), (b, ..)| natural(name(a).unwrap_or(""), name(b).unwrap_or("")));
    Box::new(children.into_iter())
}

/// Compares two texts, in which runs of digits count as numbers.
pub(crate) fn natural(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.as_bytes(), b.as_bytes());
    loop {
        let order = match (left, right) {
            ([x, ..], [y, ..]) if x.is_ascii_digit() && y.is_ascii_digit() => {
                let (x, y) = (digits(&mut left), digits(&mut right));
                x.len().cmp(&y.len()).then(x.cmp(y))
            }
            ([x, ours @ ..], [y, theirs @ ..]) => {
                (left, right) = (ours, theirs);
                x.cmp(y)
            }
            ([], []) => return a.cmp(b),
            _ => left.len().cmp(&right.len()),
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// Takes a run of digits, without zeros in front.
fn digits<'t>(text: &mut &'t [u8]) -> &'t [u8] {
    let end = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (run, rest) = text.split_at(end);
    *text = rest;
    run.split_at(run.iter().take_while(|digit| **digit == b'0').count()).1
}

impl<'a> Node<'a> {
    pub(crate) fn is_leaf(&self) -> bool {
        self.head.kind() == Kind::Leaf
    }

    /// Whether the node is a plain dict, which is not worth a word.
    pub(crate) fn is_dict(&self) -> bool {
        self.head.kind() == Kind::Dict && !self.children.is_empty()
    }

    /// Returns the container's name, or that of a node without children.
    pub(crate) fn kind(&self) -> String {
        kind(&self.head)
    }

    /// Puts the children with the most bytes first, or with the most leaves if no bytes are known.
    pub(crate) fn sort_by_size(&mut self) {
        self.children.sort_by_key(|child| {
            let sizes = child.sizes.times(child.copies);
            Reverse((sizes.bytes, sizes.leaves))
        });
        self.children.iter_mut().for_each(Node::sort_by_size);
    }

    /// Whether two neighbours look alike below their keys: a reader who knows one knows the other.
    fn is_same(&self, other: &Self) -> bool {
        let kind = |node: &Self| node.leaf.map(|leaf| leaf.kind.clone());
        self.sizes == other.sizes
            && self.head.as_bytes() == other.head.as_bytes()
            && kind(self) == kind(other)
            && self.children.len() == other.children.len()
            && self.children.iter().zip(&other.children).all(|(ours, theirs)| {
                ours.copies == theirs.copies && ours.keys == theirs.keys && ours.is_same(theirs)
            })
    }

    /// Counts the rows of each level below this node, of which the first is `level`.
    pub(crate) fn count_rows(&self, level: usize, rows: &mut Vec<usize>) {
        if self.children.is_empty() {
            return;
        }
        if rows.len() <= level {
            rows.resize(level + 1, 0);
        }
        rows[level] += self.children.len();
        for child in &self.children {
            child.end().count_rows(level + 1, rows);
        }
    }

    /// The last node of the chain that begins here: dicts with a single child share a row.
    pub(crate) fn end(&self) -> &Self {
        let mut node = self;
        while let Some(next) = node.next() {
            node = next;
        }
        node
    }

    fn next(&self) -> Option<&Self> {
        match &self.children[..] {
            [only] if self.is_dict() && self.copies == 1 && only.copies == 1 => Some(only),
            _ => None,
        }
    }

    /// Returns the keys from this node to the end of its chain.
    pub(crate) fn label(&self) -> String {
        let (mut node, mut label) = (self, self.keys.to_string());
        while let Some(next) = node.next() {
            label += ".";
            label += &next.keys.to_string();
            node = next;
        }
        label
    }
}

/// Returns the name of a node that is no plain dict.
fn kind(head: &Head<'_>) -> String {
    let is_empty = head.num_children() == 0;
    let name = |name: Option<&str>| plain(name.unwrap_or_default());
    let short = |full: String| full.rsplit('.').next().unwrap_or_default().to_owned();
    match head.kind() {
        Kind::Leaf => "*".into(),
        Kind::None => "None".into(),
        Kind::Some => "Some".into(),
        Kind::Tuple => (if is_empty { "()" } else { "tuple" }).into(),
        Kind::List => (if is_empty { "[]" } else { "list" }).into(),
        Kind::Dict => (if is_empty { "{}" } else { "dict" }).into(),
        Kind::OrderedDict => "OrderedDict".into(),
        Kind::DefaultDict => format!("defaultdict({})", name(head.factory())),
        Kind::Struct => {
            let meta: Vec<_> =
                head.meta_fields().map(|(name, value)| format!("{name}={value}")).collect();
            let meta =
                if meta.is_empty() { String::new() } else { format!("({})", meta.join(", ")) };
            short(name(head.type_name())) + &meta
        }
        Kind::Custom => {
            let aux = head.aux().map(|aux| format!("[{aux}]")).unwrap_or_default();
            short(name(head.type_name())) + &aux
        }
        // A named tuple.
        _ => short(name(head.type_name())),
    }
}

/// Returns the text of a key, as it is shown.
fn text(key: KeyEntry<'_>) -> Cow<'_, str> {
    match key {
        KeyEntry::Index(index) | KeyEntry::FlatIndex(index) => index.to_string().into(),
        KeyEntry::Key(Value::Str(key)) if is_plain(key) => key.into(),
        KeyEntry::Key(key) => plain(&key.to_string()).into(),
        KeyEntry::Attr(name) | KeyEntry::Raw(name) if !name.contains(is_hidden) => name.into(),
        KeyEntry::Attr(name) | KeyEntry::Raw(name) => plain(name).into(),
        _ => "Some".into(),
    }
}

/// Whether a key needs no quotes: it has no dot, which joins keys, and nothing that reads as another key.
fn is_plain(key: &str) -> bool {
    let needs_none = |c: char| (c.is_alphanumeric() || "_-/:+~@#".contains(c)) && !is_hidden(c);
    !key.is_empty() && key.chars().all(needs_none)
}

/// Splits the text of a key into the number at its end and what is before it.
fn numbered(key: KeyEntry<'_>) -> Option<(Cow<'_, str>, u64)> {
    if let KeyEntry::Index(index) | KeyEntry::FlatIndex(index) = key {
        return Some(("".into(), index.into()));
    }
    let text = text(key);
    let before = text.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let number = &text[before..];
    // `01` is not the number 1.
    let number = number.parse().ok().filter(|parsed: &u64| parsed.to_string() == number)?;
    let before = match text {
        Cow::Borrowed(text) => text[..before].into(),
        Cow::Owned(text) => text[..before].to_owned().into(),
    };
    Some((before, number))
}

/// The keys of a run. `Display` writes a range if they are consecutive numbers: `0..12`.
#[derive(Default, PartialEq)]
pub(crate) struct Keys<'a> {
    first: Option<KeyEntry<'a>>,
    /// What is known of more than one key.
    more: Option<Box<More<'a>>>,
}

#[derive(PartialEq)]
struct More<'a> {
    count: u64,
    /// The first keys, and the last one.
    first: Vec<KeyEntry<'a>>,
    last: KeyEntry<'a>,
    /// If the keys only count up, the text before the number, and the first number.
    run: Option<(Cow<'a, str>, u64)>,
}

/// The number of keys that are written if they are no range.
const KEYS: usize = 4;

impl<'a> Keys<'a> {
    fn push(&mut self, key: KeyEntry<'a>) {
        let Some(first) = self.first else {
            self.first = Some(key);
            return;
        };
        let more = self.more.get_or_insert_with(|| {
            More { count: 1, first: vec![first], last: first, run: numbered(first) }.into()
        });
        let counts_up = |(before, start): &(Cow<'_, str>, u64)| {
            let next = start.checked_add(more.count);
            numbered(key).is_some_and(|(own, number)| own == *before && Some(number) == next)
        };
        if !more.run.as_ref().is_some_and(counts_up) {
            more.run = None;
        }
        more.count += 1;
        if more.first.len() < KEYS {
            more.first.push(key);
        }
        more.last = key;
    }
}

impl std::fmt::Display for Keys<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Some(more) = &self.more else {
            return f.write_str(&self.first.map(text).unwrap_or_default());
        };
        let first: Vec<_> = more.first.iter().map(|key| text(*key)).collect();
        match &more.run {
            Some((before, start)) if before.is_empty() => {
                write!(f, "{start}..{}", start.saturating_add(more.count))
            }
            // Of two short keys the keys themselves are easier to read.
            Some((before, start)) if more.count > 2 || before.len() > 8 => {
                write!(f, "{before}{{{start}..{}}}", start.saturating_add(more.count))
            }
            _ if more.count > KEYS as u64 => {
                write!(f, "{}, …, {}", first[..2].join(", "), text(more.last))
            }
            _ => f.write_str(&first.join(", ")),
        }
    }
}
