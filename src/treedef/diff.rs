//! Where two structures differ: all places, in one pass over both.

use core::fmt;
use core::iter::FusedIterator;
use core::ops::Range;

use crate::base::error::Error;
use crate::base::show::{debug_enum, debug_struct, record, show_by_debug};
use crate::format::entry::KeyEntry;
use crate::format::head::{Head, Kind};
use crate::format::validate::MAX_PENDING;
use crate::treedef::deep::Deep;
use crate::treedef::merge::{Match, is_sorted, same_name, without};
use crate::treedef::pair::{Event, Place, Relation};
use crate::treedef::path::Path;
use crate::treedef::route::Route;
use crate::treedef::scan::skip;
use crate::treedef::treedef::TreeDef;

/// The places where two structures differ, from left to right; see [`TreeDef::differences`].
///
/// Nothing below a place is compared, unless they are [`deep`](Differences::deep). Holds 5 kB.
#[derive(Clone)]
#[must_use = "iterators do nothing until they are consumed"]
pub struct Differences<'a> {
    expected: TreeDef<'a>,
    found: TreeDef<'a>,
    relation: Relation,
    deep: bool,
    /// `None` after an error, and where the two are the same: no depth of those is too much.
    walk: Option<Deep<'a>>,
    /// The way of the walk in what is expected.
    route: Route,
}

debug_struct!([] Differences<'_> { expected, found });

impl<'a> TreeDef<'a> {
    /// All places where `found` differs from this structure, as `jax._src.tree_util.equality_errors_pytreedef`.
    ///
    /// None exactly if the two are equal, which is seen at once. Below a node that differs it does not go on: if the
    /// root has one field more, the root is the only difference. [`Differences::deep`] goes into the children that both
    /// have, [`Differences::summary`] sums those up.
    ///
    /// Copies that line up and agree are compared once. Copies that differ are items of their own. So a difference is
    /// reached in time linear in the bytes before it, or, where repeats do not line up, in the expanded nodes. `count`,
    /// `nth` and `last` step over copies that line up together, whether they differ or not.
    ///
    /// `DIFFERENCE`: JAX compares Python's types and can find a difference between treedefs that are equal for it; here
    /// the two always agree. What a dictionary holds in its order alone (an `OrderedDict`) is
    /// [`Metadata`](DifferenceKind::Metadata), as are meta fields.
    ///
    /// # Errors
    ///
    /// An item is [`Error::TooDeep`], and the last one, where more than [`MAX_PENDING`](crate::format::MAX_PENDING)
    /// levels are pending in what both have in common. Deeper parts are compared by themselves, as [`TreeDef::find_at`]
    /// gives them.
    ///
    /// # Examples
    ///
    /// ```
    /// use core::fmt::Write;
    /// use treedef::diff::DifferenceKind;
    /// use treedef::treedef;
    ///
    /// let expected = treedef!({"a": [*, *], "b": (*, None), "c": *});
    /// let found = treedef!({"a": [*, *, *], "b": [*, None], "c": *});
    /// let mut text = heapless::String::<128>::new();
    /// for difference in expected.differences(found) {
    ///     writeln!(text, "{}", difference?)?;
    /// }
    /// assert_eq!(text, "\
    /// at ['a']: expected a list of 2, found a list of 3
    /// at ['b']: expected a tuple of 2, found a list of 2
    /// ");
    ///
    /// let mut kinds = expected.differences(found).flatten().map(|difference| difference.kind());
    /// assert_eq!(kinds.next(), Some(DifferenceKind::Length));
    /// assert_eq!(kinds.next(), Some(DifferenceKind::Type));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn differences(self, found: TreeDef<'a>) -> Differences<'a> {
        Differences::new(self, found, Relation::Equal)
    }

    /// All places where this structure is no prefix of `full`, as `jax._src.tree_util.prefix_errors` and optree's
    /// `prefix_errors`.
    ///
    /// A leaf of the prefix matches anything, `None` only `None`. None exactly if [`TreeDef::check_prefix_of`] finds
    /// nothing. Costs as [`TreeDef::differences`].
    ///
    /// `DIFFERENCE`: for optree dictionaries of any kind are prefixes of each other if their keys are.
    ///
    /// # Errors
    ///
    /// As [`TreeDef::differences`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let prefix = treedef!((*, [*, *], {"x": *}));
    /// let full = treedef!(([*, *], [*], {"x": *, "y": *}));
    /// let errors = prefix.prefix_errors(full).map(|error| error.map(|error| error.to_string()));
    /// assert!(errors.eq([
    ///     Ok("at [1]: expected a list of 2, found a list of 1".to_owned()),
    ///     Ok("at [2]: unexpected key 'y'".to_owned()),
    /// ]));
    /// ```
    pub fn prefix_errors(self, full: TreeDef<'a>) -> Differences<'a> {
        Differences::new(self, full, Relation::Prefix)
    }

    /// All places that keep this structure and `other` from having a [common suffix](TreeDef::common_suffix).
    ///
    /// A leaf of either matches anything. Costs as [`TreeDef::differences`].
    ///
    /// # Errors
    ///
    /// As [`TreeDef::differences`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let mut errors = treedef!((*, [*, *], None)).common_suffix_errors(treedef!(([*], *, *)));
    /// assert!(errors.next().is_none());
    /// let mut errors = treedef!((*, [*, *], None)).common_suffix_errors(treedef!(([*], (), *)));
    /// let text = errors.next().transpose()?.map(|error| error.to_string());
    /// assert_eq!(text.as_deref(), Some("at [1]: expected a list of 2, found a tuple of 0"));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn common_suffix_errors(self, other: TreeDef<'a>) -> Differences<'a> {
        Differences::new(self, other, Relation::Common)
    }
}

impl<'a> Differences<'a> {
    fn new(expected: TreeDef<'a>, found: TreeDef<'a>, relation: Relation) -> Self {
        let walk = (expected != found).then(|| Deep::new(expected, found, relation));
        Self { expected, found, relation, deep: false, walk, route: Route::new() }
    }

    /// What is left of them, and after a node that differs also those between the children that both have of it.
    ///
    /// Those are the children under the same keys of two dictionaries of one kind, the same fields of two structs or
    /// named tuples of one name, the same child keys of two custom nodes of one name, and all children of two nodes
    /// that only differ in data. Nothing below other nodes is compared: not below tuples and lists of different
    /// lengths, whose children would be matched by chance. So a place can be below the place of a difference before
    /// it. A node whose children have other keys is gone into where fewer than eight such nodes are around it.
    ///
    /// Sorted keys, and others in one order, are matched in one pass. Where keys without an order differ, the other
    /// node's are read once for 64 of them: two nodes of `n` and `m` keys cost up to `n * m / 64` reads of a key on
    /// each side. Of keys that changed places, those up to the nearer one are passed over, or both if neither is among
    /// the next 16.
    ///
    /// `DIFFERENCE`: JAX stops at each node that differs, as without this.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let expected = treedef!({"opt": (*, *), "params": [*, *], "stats": *});
    /// let found = treedef!({"opt": [*, *], "params": [*, None]});
    /// let texts = expected.differences(found).map(|one| one.map(|one| one.to_string()));
    /// assert!(texts.eq([Ok("at the root: missing key 'stats'".to_owned())]));
    /// let texts = expected.differences(found).deep().map(|one| one.map(|one| one.to_string()));
    /// assert!(texts.eq([
    ///     Ok("at the root: missing key 'stats'".to_owned()),
    ///     Ok("at ['opt']: expected a tuple of 2, found a list of 2".to_owned()),
    ///     Ok("at ['params'][1]: expected a leaf, found None".to_owned()),
    /// ]));
    /// ```
    pub fn deep(mut self) -> Self {
        self.deep = true;
        self
    }

    /// The two structures that are compared.
    pub(crate) const fn sides(&self) -> (TreeDef<'a>, TreeDef<'a>) {
        (self.expected, self.found)
    }

    /// Whether the two are compared for equality.
    pub(crate) fn is_of_equality(&self) -> bool {
        self.relation == Relation::Equal
    }
}

impl<'a> Iterator for Differences<'a> {
    type Item = Result<Difference<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.advance(|_, alike| alike, |_, count, _| count)? {
                Ok(Event::Differ { first: expected, second: found }) => {
                    let pair = self.walk.as_ref()?.pair();
                    let Place { node, first, second } = pair.place();
                    let is_leaf = Head::trusted(expected) == Head::LEAF;
                    let path = Path::of_node(self.expected, node, first, is_leaf);
                    let path = path.with_steps(self.route.steps(pair.at()));
                    let leaves = (first.leaf, second);
                    return Some(Ok(Difference { path, leaves, expected, found }));
                }
                Ok(_) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        if self.pass(n) < n { None } else { self.next() }
    }

    fn count(mut self) -> usize {
        self.pass(usize::MAX)
    }

    fn last(mut self) -> Option<Self::Item> {
        let count = self.clone().count();
        self.nth(count.checked_sub(1)?)
    }
}

impl FusedIterator for Differences<'_> {}

impl<'a> Differences<'a> {
    /// The next event of the walk, as [`Pair::next_with`](crate::treedef::pair::Pair::next_with), which goes into nodes
    /// that differ if they are deep; nothing after an error.
    fn advance(
        &mut self,
        keep_runs: impl Fn(usize, bool) -> bool,
        some: impl Fn(usize, u32, u32) -> u32,
    ) -> Option<Result<Event<'a, 'a>, Error>> {
        let walk = self.walk.as_mut()?;
        let event = walk.next_with(keep_runs, some)?;
        let head = match event {
            Ok(Event::Enter(head)) => head,
            Ok(Event::Differ { first, .. }) => Head::trusted(first),
            Ok(_) => return Some(event),
            Err(_) => {
                self.walk = None;
                return Some(event);
            }
        };
        walk.pair().remember(&mut self.route, self.expected.as_bytes(), head == Head::LEAF);
        if let Ok(Event::Differ { first, second }) = event
            && self.deep
        {
            walk.enter(first, second, Match::Types);
        }
        Some(event)
    }

    /// Steps over at most `limit` items and gives their number.
    ///
    /// Copies that line up are stepped over together, as soon as two of them were compared from their begin: how many
    /// differences they have is then known.
    fn pass(&mut self, limit: usize) -> usize {
        // The items before the last child, of every list in which one was read here.
        let mut before: [Option<usize>; MAX_PENDING] = [None; MAX_PENDING];
        let mut done = 0usize;
        while done < limit {
            let each = |list: usize| Some(done.saturating_sub((*before.get(list)?)?));
            let some = |list, count: u32, _| match limit
                .saturating_sub(done)
                .checked_div(each(list).unwrap_or(0))
            {
                Some(room) => u32::try_from(room).map_or(count, |room| count.min(room)),
                None => count,
            };
            let Some(event) = self.advance(|list, _| each(list).is_some(), some) else { break };
            let list = self.walk.as_ref().map_or(0, |walk| walk.pair().list());
            match event {
                Ok(Event::Repeat(count)) => {
                    let more = each(list).unwrap_or(0).saturating_mul(count as usize);
                    done = done.saturating_add(more);
                }
                Ok(event) => {
                    if let Some(slot) = before.get_mut(list) {
                        *slot = Some(done);
                    }
                    done = done.saturating_add(usize::from(matches!(event, Event::Differ { .. })));
                }
                Err(_) => return done.saturating_add(1),
            }
        }
        done
    }
}

/// One place where two structures differ, and what each has there; from [`TreeDef::differences`] and the like.
///
/// `Display` writes one sentence, `at ['layers'][0]: expected a list of 2, found a tuple of 3`; `{:#}` adds what each
/// side has, with full type names, fields and data. Between them they state what JAX's messages do.
///
/// # Examples
///
/// ```
/// use treedef::diff::DifferenceKind;
/// use treedef::{KeyEntry, Value, treedef};
///
/// let (expected, found) = (treedef!([*, {"b": *, "w": (*, *)}]), treedef!([*, {"s": *, "w": *}]));
/// let difference = expected.differences(found).next().ok_or("equal")??;
/// assert_eq!(difference.path().to_string(), "[1]");
/// assert_eq!(difference.kind(), DifferenceKind::Metadata);
/// assert_eq!(difference.expected(), treedef!({"b": *, "w": (*, *)}));
/// assert_eq!(difference.found(), treedef!({"s": *, "w": *}));
/// assert_eq!((difference.expected_leaves(), difference.found_leaves()), (1..4, 1..3));
/// assert!(difference.missing().eq([KeyEntry::Key(Value::Str("b"))]));
/// assert!(difference.unexpected().eq([KeyEntry::Key(Value::Str("s"))]));
/// assert_eq!(difference.to_string(), "at [1]: missing key 'b' and unexpected key 's'");
/// assert_eq!(format!("{difference:#}"), "\
/// at [1]: missing key 'b' and unexpected key 's'
///   expected a dict with keys 'b', 'w'
///   found a dict with keys 's', 'w'");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Difference<'a> {
    path: Path<'a>,
    /// The leaves before the node on each side.
    leaves: (u32, u32),
    /// The bytes from the two nodes on: where these end is looked for when it is asked.
    expected: &'a [u8],
    found: &'a [u8],
}

impl fmt::Debug for Difference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        record(f, "Difference", &[("expected", &self.expected()), ("found", &self.found())])
    }
}

show_by_debug!([] Difference<'_>);

/// What two nodes at one place differ in, in the order in which JAX looks.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum DifferenceKind {
    /// Their types: their kinds, the names of their types, or the names of the fields and meta fields of two named
    /// tuples or structs, which make a type of their own: JAX's "different types".
    Type,
    /// The lengths of two tuples or two lists: JAX's "different lengths".
    Length,
    /// The numbers of children of two other nodes of one type: JAX's "different numbers of pytree children".
    Children,
    /// Keys or their order, values of meta fields, aux data or a default factory, with as many children: JAX's
    /// "different pytree metadata".
    Metadata,
}

debug_enum!(DifferenceKind { Type, Length, Children, Metadata });

impl<'a> Difference<'a> {
    /// The path of the place, which is the same in both structures.
    #[must_use]
    pub const fn path(&self) -> Path<'a> {
        self.path
    }

    /// What was expected at the place, with all below it: of a prefix, what the prefix has there. Costs a scan of its
    /// bytes.
    #[must_use]
    pub fn expected(&self) -> TreeDef<'a> {
        front(self.expected)
    }

    /// What the other structure has at the place, with all below it. Costs a scan of its bytes.
    #[must_use]
    pub fn found(&self) -> TreeDef<'a> {
        front(self.found)
    }

    /// The heads of the two nodes.
    pub(crate) const fn heads(&self) -> (Head<'a>, Head<'a>) {
        (Head::trusted(self.expected), Head::trusted(self.found))
    }

    /// The leaves of [`Difference::expected`] among those of the whole structure.
    #[must_use]
    pub fn expected_leaves(&self) -> Range<usize> {
        let first = self.leaves.0 as usize;
        first..first.saturating_add(self.expected().num_leaves())
    }

    /// The leaves of [`Difference::found`] among those of the whole structure.
    #[must_use]
    pub fn found_leaves(&self) -> Range<usize> {
        let first = self.leaves.1 as usize;
        first..first.saturating_add(self.found().num_leaves())
    }

    /// What the two nodes differ in; the first that JAX would name.
    #[must_use]
    pub fn kind(&self) -> DifferenceKind {
        let (expected, found) = self.heads();
        if !same_name(&expected, &found) || !same_fields(&expected, &found) {
            return DifferenceKind::Type;
        }
        match expected.kind() {
            _ if expected.arity() == found.arity() => DifferenceKind::Metadata,
            Kind::Tuple | Kind::List => DifferenceKind::Length,
            _ => DifferenceKind::Children,
        }
    }

    /// The keys, field names or child keys that the expected node has and the other lacks; none where kind or name of
    /// the types differ, or for tuples and lists, which have none.
    ///
    /// With [`Difference::unexpected`] the symmetric difference of JAX's messages. One pass over both for keys that are
    /// sorted or in one order. Otherwise the other node's keys are read once for 64 keys, with 0.8 kB of stack.
    pub fn missing(&self) -> impl Iterator<Item = KeyEntry<'a>> + Clone + use<'a> {
        let (expected, found) = self.heads();
        only_in(&expected, &found)
    }

    /// The keys, field names or child keys that the expected node lacks; as [`Difference::missing`].
    pub fn unexpected(&self) -> impl Iterator<Item = KeyEntry<'a>> + Clone + use<'a> {
        let (expected, found) = self.heads();
        only_in(&found, &expected)
    }

    /// Whether both say the same, of two places.
    pub(crate) fn says_as(&self, other: &Self) -> bool {
        self.heads() == other.heads()
    }
}

/// The node that some bytes begin with, with all below it.
fn front(bytes: &[u8]) -> TreeDef<'_> {
    let Some(node) = skip(bytes) else { return TreeDef::NONE };
    let end = bytes.len().saturating_sub(node.rest.len());
    TreeDef::trusted(bytes.get(..end).unwrap_or(bytes), node.leaves)
}

/// The names of the children of one node that the other one lacks.
fn only_in<'a>(
    ours: &Head<'a>,
    theirs: &Head<'a>,
) -> impl Iterator<Item = KeyEntry<'a>> + Clone + use<'a> {
    let positions = matches!(ours.kind(), Kind::Tuple | Kind::List);
    let keyed = if positions || !same_name(ours, theirs) { 0 } else { usize::MAX };
    let sorted = is_sorted(ours) && is_sorted(theirs);
    without(ours.entries().take(keyed), theirs.entries(), sorted)
}

/// Whether two named tuples or structs have the same fields and meta fields; other nodes have none.
fn same_fields(one: &Head<'_>, other: &Head<'_>) -> bool {
    one.fields().eq(other.fields())
        && one.meta_fields().map(|(name, _)| name).eq(other.meta_fields().map(|(name, _)| name))
}
