//! The tree that is shown: nodes with sizes, in which equal neighbours are one node.

use std::cmp::{Ordering, Reverse};

use treedef::{Head, KeyEntry, Kind, TreeDef, Value};

use crate::label::{Keys, later, part, text};
use crate::leaf::Leaf;
use crate::source::Source;
use crate::style::plain;

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
    /// The number of elements of those leaves for which it is known, and of these leaves.
    pub(crate) parameters: u64,
    pub(crate) counted: u64,
    /// The number of bytes of those leaves for which it is known, and of these leaves.
    pub(crate) bytes: u64,
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
            counted: times(self.counted),
            bytes: times(self.bytes),
            sized: times(self.sized),
        }
    }

    /// Returns the sizes of a leaf.
    pub(crate) fn of(leaf: &Leaf) -> Self {
        let (parameters, bytes) = (leaf.kind.elements(), leaf.kind.bytes());
        Self {
            leaves: 1,
            nodes: 1,
            depth: 0,
            plain: 1,
            parameters: parameters.unwrap_or(0),
            counted: parameters.is_some().into(),
            bytes: bytes.unwrap_or(0),
            sized: bytes.is_some().into(),
        }
    }

    /// Returns what is compared with a whole tree: the bytes, or the elements if no bytes are known, or otherwise the leaves.
    pub(crate) fn part(self, whole: Self) -> u64 {
        match whole {
            Self { bytes: 1.., .. } => self.bytes,
            Self { parameters: 1.., .. } => self.parameters,
            _ => self.leaves,
        }
    }

    pub(crate) fn add_child(&mut self, child: Self) {
        for (sum, size) in [
            (&mut self.leaves, child.leaves),
            (&mut self.nodes, child.nodes),
            (&mut self.plain, child.plain),
            (&mut self.parameters, child.parameters),
            (&mut self.counted, child.counted),
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
    let refused = || format!("tree of {} nodes; at most {most} are shown{how}", def.num_nodes());
    // Copies are not visited if they fold.
    if def.num_nodes() > most && (!fold || leaves.is_some()) {
        return Err(refused());
    }
    let mut growth = Growth { fold, left: most };
    growth.node(def, leaves, 0)?.ok_or_else(refused)
}

/// A tree that grows.
struct Growth {
    fold: bool,
    /// The number of nodes that may be visited.
    left: usize,
}

impl Growth {
    /// Makes a node with its children. Returns `None` if too many nodes have to be visited.
    fn node<'a>(
        &mut self,
        def: TreeDef<'a>,
        leaves: Option<&'a [Leaf]>,
        depth: usize,
    ) -> Result<Option<Node<'a>>, String> {
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
        let is_alike = self.fold && leaves.is_none();
        for Run { key, child, at, copies } in runs(def, is_alike) {
            // Steps of the search for the end of a run.
            match self.left.checked_sub(1 + copies.min(MIN_RUN)) {
                Some(left) => self.left = left,
                None => return Ok(None),
            }
            let own =
                leaves.map(|leaves| leaves.get(at..at + child.num_leaves()).unwrap_or_default());
            let Some(mut node) = self.node(child, own, depth + 1)? else { return Ok(None) };
            let count = copies as u64 + 1;
            sizes.add_child(node.sizes.times(count));
            let last = match children.last_mut() {
                Some(last) if self.fold && last.is_same(&node) => {
                    last.copies += count;
                    last
                }
                _ => {
                    node.copies = count;
                    children.push(node);
                    let Some(last) = children.last_mut() else { continue };
                    last
                }
            };
            last.keys.push_run(key, count);
        }
        children.shrink_to_fit();
        Ok(Some(Node { keys: Keys::default(), copies: 1, head, leaf, children, sizes }))
    }
}

/// Equal neighbours: the key of the first, the number of leaves before it, and the number of others after it.
struct Run<'a> {
    key: KeyEntry<'a>,
    child: TreeDef<'a>,
    at: usize,
    copies: usize,
}

/// The number of copies that are visited one by one, before the end of the run is searched.
const MIN_RUN: usize = 1000;

/// Returns the children of a node in runs. If they have names, or if leaves `are_alike` not, each is by itself.
fn runs<'a>(def: TreeDef<'a>, are_alike: bool) -> Box<dyn Iterator<Item = Run<'a>> + 'a> {
    let has_places = |first: &KeyEntry<'_>| match first {
        KeyEntry::FlatIndex(_) => true,
        // A custom node can have any numbers as keys.
        KeyEntry::Index(_) => matches!(def.kind(), Kind::Tuple | Kind::List),
        _ => false,
    };
    let first = def.head().entries().next();
    let Some(first) = first.filter(|first| are_alike && has_places(first)) else {
        let one = |(key, child, at)| Run { key, child, at, copies: 0 };
        return Box::new(in_order(def).map(one));
    };
    let (mut children, mut at, mut passed) = (def.children(), 0, 0);
    Box::new(std::iter::from_fn(move || {
        let child = children.next()?;
        let run = Run { key: later(first, passed as u64), child, at, copies: 0 };
        // A copy has the bytes of the first.
        let is_copy = |other: &TreeDef<'a>| {
            let [ours, theirs] = [child, *other].map(|def| def.as_bytes().as_ptr());
            ours == theirs && *other == child
        };
        let mut copies = children.clone().take(MIN_RUN).take_while(|other| is_copy(other)).count();
        if copies == MIN_RUN {
            copies += end(|more| {
                let last = children.clone().nth(MIN_RUN + more);
                last.is_some_and(|last| is_copy(&last))
                    && (!child.is_leaf() || are_leaves(def, at, passed, MIN_RUN + more + 1))
            });
        }
        if let Some(skipped) = copies.checked_sub(1) {
            children.nth(skipped);
        }
        at += child.num_leaves() * (copies + 1);
        passed += copies + 1;
        Some(Run { copies, ..run })
    }))
}

/// Whether the child of a node with the index `passed`, which is its leaf `at`, has `copies` leaves after it, and no other node
/// between. All leaves have the same bytes, so that leaves after another node look as if they were copies.
fn are_leaves(def: TreeDef<'_>, at: usize, passed: usize, copies: usize) -> bool {
    let place = |leaf: usize| {
        let found = def.path(leaf)?.found()?;
        Some((found.indices().next()?, found.node()))
    };
    // As many children as leaves, and no node more: each is a leaf.
    place(at).zip(place(at + copies)).is_some_and(|((first, node), (last, end))| {
        first == passed && last == passed + copies && end == node + copies
    })
}

/// Returns the first number for which something is not so, in steps that double and are halved.
fn end(is_so: impl Fn(usize) -> bool) -> usize {
    let mut step = 1;
    while is_so(step - 1) {
        step *= 2;
    }
    let (mut known, mut not) = (step / 2, step - 1);
    while known < not {
        let middle = known.midpoint(not);
        if is_so(middle) {
            known = middle + 1;
        } else {
            not = middle;
        }
    }
    known
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

    /// Puts the children with the most bytes first, or with the most elements or leaves if no bytes are known.
    pub(crate) fn sort_by_size(&mut self) {
        self.children.sort_by_key(|child| {
            let sizes = child.sizes.times(child.copies);
            Reverse((sizes.bytes, sizes.parameters, sizes.leaves))
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

    /// Returns the keys from this node to the end of its chain: as the part of a name, if a `separator` joins names in the file.
    pub(crate) fn label(&self, separator: Option<&str>) -> String {
        let text = if separator.is_some() { part } else { text };
        let (mut node, mut label) = (self, self.keys.text(text));
        while let Some(next) = node.next() {
            label += separator.unwrap_or(".");
            label += &next.keys.text(text);
            node = next;
        }
        if label.is_empty() { "''".into() } else { label }
    }
}

/// Returns the name of a node that is no plain dict.
fn kind(head: &Head<'_>) -> String {
    let is_empty = head.num_children() == 0;
    let name = |name: Option<&str>| plain(name.unwrap_or_default());
    let short = |full: String| full.rsplit(['.', ':']).next().unwrap_or_default().to_owned();
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
