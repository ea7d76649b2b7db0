//! The tree that is shown: nodes with sizes, in which equal neighbours are one node.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::iter::Peekable;
use std::str::Chars;

use treedef::{Head, KeyEntry, Kind, TreeDef, Value};

use crate::leaf::Leaf;
use crate::style::plain;

/// The largest depth and the largest number of nodes that are shown. A few bytes can be a treedef of billions.
const MAX_DEPTH: usize = 1000;
pub(crate) const MAX_NODES: usize = 10_000_000;

/// A node, or a run of equal neighbours.
pub(crate) struct Node {
    /// The keys of the run in its parent.
    pub(crate) keys: Keys,
    /// The number of neighbours in the run.
    pub(crate) copies: u64,
    /// The container's name, or that of a node without children.
    pub(crate) kind: String,
    /// Whether the node is a plain dict, which is not worth a word.
    pub(crate) is_dict: bool,
    pub(crate) is_leaf: bool,
    /// What is known of a leaf.
    pub(crate) leaf: Option<Leaf>,
    pub(crate) children: Vec<Node>,
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

    fn add_child(&mut self, child: Self) {
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

/// Makes the tree of a treedef, with what is known of its leaves. With `fold`, equal neighbours are one node.
pub(crate) fn tree(def: TreeDef<'_>, leaves: Option<&[Leaf]>, fold: bool) -> Result<Node, String> {
    if def.num_nodes() > MAX_NODES {
        return Err(format!("tree of {} nodes; at most {MAX_NODES} are shown", def.num_nodes()));
    }
    node(def, leaves, fold, 0)
}

fn node(
    def: TreeDef<'_>,
    leaves: Option<&[Leaf]>,
    fold: bool,
    depth: usize,
) -> Result<Node, String> {
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
    let leaf = leaves.filter(|_| is_leaf).and_then(|leaves| leaves.first()).cloned();
    if let Some(Leaf { kind, .. }) = &leaf
        && let (Some(elements), Some(bytes)) = (kind.elements(), kind.bytes())
    {
        (sizes.parameters, sizes.bytes, sizes.sized) = (elements, bytes, 1);
    }
    let mut children: Vec<Node> = Vec::new();
    // The child before, of whose bytes a copy shares the address.
    let mut before: Option<TreeDef<'_>> = None;
    for (entry, child, at) in in_order(def) {
        let key = Key::new(entry);
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
            last.copies += 1;
            last.keys.push(key);
            sizes.add_child(last.sizes);
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
    Ok(Node {
        keys: Keys::default(),
        copies: 1,
        kind: kind(&head),
        is_dict: head.kind() == Kind::Dict && head.num_children() > 0,
        is_leaf,
        leaf,
        children,
        sizes,
    })
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
fn natural(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.chars().peekable(), b.chars().peekable());
    loop {
        let order = match (left.peek(), right.peek()) {
            (Some(x), Some(y)) if x.is_ascii_digit() && y.is_ascii_digit() => {
                let (x, y) = (digits(&mut left), digits(&mut right));
                x.len().cmp(&y.len()).then(x.cmp(&y))
            }
            (None, None) => return a.cmp(b),
            _ => left.next().cmp(&right.next()),
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// Takes a run of digits, without zeros in front.
fn digits(chars: &mut Peekable<Chars<'_>>) -> String {
    let mut run = String::new();
    while let Some(digit) = chars.next_if(char::is_ascii_digit) {
        run.push(digit);
    }
    run.trim_start_matches('0').into()
}

impl Node {
    /// Whether two neighbours look alike below their keys: a reader who knows one knows the other.
    fn is_same(&self, other: &Self) -> bool {
        let types = |node: &Self| node.leaf.as_ref().map(|leaf| leaf.kind.clone());
        self.sizes == other.sizes
            && self.kind == other.kind
            && self.is_leaf == other.is_leaf
            && types(self) == types(other)
            && self.children.len() == other.children.len()
            && self.children.iter().zip(&other.children).all(|(ours, theirs)| {
                ours.copies == theirs.copies && ours.keys == theirs.keys && ours.is_same(theirs)
            })
    }

    /// Returns the number of rows of at most `depth` levels below this node.
    pub(crate) fn rows(&self, depth: usize) -> usize {
        match depth.checked_sub(1) {
            None => 0,
            Some(below) => self.children.iter().map(|child| 1 + child.end().rows(below)).sum(),
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
            [only] if self.is_dict && self.copies == 1 && only.copies == 1 => Some(only),
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

    /// Adds the sizes by dtype of `copies` such trees.
    pub(crate) fn add_dtypes(&self, copies: u64, dtypes: &mut BTreeMap<String, Sizes>) {
        let copies = copies.saturating_mul(self.copies);
        if let Some(leaf) = &self.leaf {
            let sizes = dtypes.entry(leaf.kind.dtype.clone()).or_default();
            sizes.add_child(self.sizes.times(copies));
        }
        for child in &self.children {
            child.add_dtypes(copies, dtypes);
        }
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

/// A key, as it is shown.
struct Key {
    text: String,
    /// The number at the end of the text, and the bytes before it.
    number: Option<(usize, u64)>,
}

impl Key {
    fn new(entry: KeyEntry<'_>) -> Self {
        let text = match entry {
            KeyEntry::Index(index) | KeyEntry::FlatIndex(index) => index.to_string(),
            KeyEntry::Key(Value::Str(key)) if is_plain(key) => key.into(),
            KeyEntry::Key(key) => key.to_string(),
            KeyEntry::Attr(name) => plain(name),
            KeyEntry::Raw(text) => plain(text),
            _ => "Some".into(),
        };
        let digits = text.len() - text.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let (before, number) = text.split_at(text.len() - digits);
        // `01` is not the number 1.
        let number = number.parse().ok().filter(|parsed: &u64| parsed.to_string() == number);
        let number = number.map(|number| (before.len(), number));
        Self { text, number }
    }
}

/// Whether a key needs no quotes: it has no dot, which joins keys, and nothing that reads as another key.
fn is_plain(key: &str) -> bool {
    let needs_none = |c: char| c.is_alphanumeric() || "_-/:+~@#".contains(c);
    !key.is_empty() && key.chars().all(needs_none)
}

/// The keys of a run. `Display` writes a range if they are consecutive numbers: `0..12`.
#[derive(Default, PartialEq)]
pub(crate) struct Keys {
    count: u64,
    /// The first keys, and the last one.
    first: Vec<String>,
    last: String,
    /// If the keys only count up, the bytes before the number, and the first number.
    run: Option<(usize, u64)>,
}

/// The number of keys that are written if they are no range.
const KEYS: usize = 4;

impl Keys {
    fn push(&mut self, key: Key) {
        if self.count == 0 {
            self.run = key.number;
        }
        self.run = self.run.zip(key.number).and_then(|((len, start), (own, number))| {
            let same = self.first.first().is_none_or(|first| first[..len] == key.text[..own]);
            (same && number == start + self.count).then_some((len, start))
        });
        self.count += 1;
        if self.first.len() < KEYS {
            self.first.push(key.text.clone());
        }
        self.last = key.text;
    }
}

impl std::fmt::Display for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.run {
            Some((0, start)) if self.count > 1 => write!(f, "{start}..{}", start + self.count),
            // Of two short keys the keys themselves are easier to read.
            Some((len, start)) if self.count > 2 || (self.count == 2 && len > 8) => {
                let before = self.first.first().and_then(|key| key.get(..len)).unwrap_or_default();
                write!(f, "{before}{{{start}..{}}}", start + self.count)
            }
            _ if self.count > KEYS as u64 => {
                write!(f, "{}, …, {}", self.first[..2].join(", "), self.last)
            }
            _ => f.write_str(&self.first.join(", ")),
        }
    }
}
