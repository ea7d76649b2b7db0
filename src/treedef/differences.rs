//! Finds all places where two structures differ, in one pass over both.

use core::iter::FusedIterator;

use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::format::head::Head;
use crate::format::validate::MAX_PENDING;
use crate::treedef::deep::Deep;
use crate::treedef::difference::Difference;
use crate::treedef::names::same_type;
use crate::treedef::pair::{PairEvent, Relation, all_alike};
use crate::treedef::steps::FirstSteps;
use crate::treedef::treedef::TreeDef;

/// The places where two structures differ, from left to right; see [`TreeDef::differences`].
///
/// Nothing below a place is compared, unless it is made [`deep`](Differences::deep). The iterator takes 6 kB.
///
/// # Examples
///
/// ```
/// use treedef::treedef;
///
/// let (expected, found) = (treedef!([*, *, (*, *)]), treedef!([*, None, (*, None)]));
/// let paths = expected.differences(found).flatten().map(|difference| difference.path().to_string());
/// assert!(paths.eq(["[1]", "[2][1]"]));
/// ```
#[derive(Clone)]
#[must_use = "iterators do nothing until they are consumed"]
pub struct Differences<'a> {
    pub(crate) expected: TreeDef<'a>,
    pub(crate) found: TreeDef<'a>,
    pub(crate) relation: Relation,
    deep: bool,
    /// `None` if the two are equal.
    walk: Option<Deep<'a>>,
    /// The way to the current node in `expected`.
    steps: FirstSteps,
}

debug_struct!([] Differences<'_> { expected, found });

impl<'a> TreeDef<'a> {
    /// All places where `found` differs from this structure, as `jax._src.tree_util.equality_errors_pytreedef`.
    ///
    /// There are none exactly if the two are equal. Nothing below a node that differs is compared: if the root has one
    /// field more, the root is the only difference. [`Differences::deep`] also compares the children that both nodes
    /// have, and [`Differences::summary`] summarises those.
    ///
    /// Where both treedefs repeat a node at the same place, the repeats are compared once if they agree; each repeat
    /// that differs is an item. So a step is linear in the bytes up to the next difference. Where only one treedef
    /// repeats a node, it is linear in the nodes. `count`, `nth` and `last` take repeats in one step, even if they differ.
    ///
    /// `DIFFERENCE`: JAX may report a difference between treedefs that compare as equal; this method never does.
    /// A different order of keys in an `OrderedDict` is reported as
    /// [`Metadata`](crate::diff::DifferenceKind::Metadata), and so are differing meta fields.
    ///
    /// # Errors
    ///
    /// The last item is [`Error::TooDeep`] if more than [`MAX_PENDING`](crate::format::MAX_PENDING) levels are pending
    /// in the part that both share. Deeper parts from [`TreeDef::find_at`] can be compared on their own.
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
    #[doc(alias("equality_errors", "equality_errors_pytreedef"))]
    pub fn differences(self, found: impl Into<TreeDef<'a>>) -> Differences<'a> {
        Differences::new(self, found.into(), Relation::Equal)
    }

    /// All places where this structure is not a prefix of `full`, as `jax._src.tree_util.prefix_errors` and optree's
    /// `prefix_errors`.
    ///
    /// A leaf of the prefix matches anything, `None` only `None`. There are no items exactly if
    /// [`TreeDef::check_prefix_of`] returns `Ok`. Costs as [`TreeDef::differences`].
    ///
    /// `DIFFERENCE`: in optree, dictionaries of different kinds are prefixes of each other if their keys agree.
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
    pub fn prefix_errors(self, full: impl Into<TreeDef<'a>>) -> Differences<'a> {
        Differences::new(self, full.into(), Relation::Prefix)
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
    pub fn common_suffix_errors(self, other: impl Into<TreeDef<'a>>) -> Differences<'a> {
        Differences::new(self, other.into(), Relation::Common)
    }
}

impl<'a> Differences<'a> {
    fn new(expected: TreeDef<'a>, found: TreeDef<'a>, relation: Relation) -> Self {
        let walk = (expected != found).then(|| Deep::new(expected, found, relation));
        Self { expected, found, relation, deep: false, walk, steps: FirstSteps::NONE }
    }

    /// Also compares, after a node that differs, the children that both nodes have.
    ///
    /// Both nodes have: the children under the same keys of two dictionaries of one kind, the same fields of two
    /// structs or named tuples of one name, the same child keys of two custom nodes of one name, the children with the
    /// same index of two tuples, lists or custom nodes without child keys, and all children of two nodes that only differ
    /// in data. Nothing below other nodes is compared. So a place can be below the place of an earlier difference.
    /// Nodes with different keys are entered up to eight deep inside one another.
    ///
    /// Keys that are sorted, or in the same order on both sides, are matched in one pass. Each other key costs a pass over
    /// the keys of both nodes, and a scan to its child. If that would read more than 2^26 keys, as it can in nodes of more than
    /// 2896 keys that all changed places, the iterator ends with [`Error::TooManyNames`].
    ///
    /// `DIFFERENCE`: JAX never compares below a node that differs.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let expected = treedef!({"opt": (*, *), "params": [*, *], "stats": *});
    /// let found = treedef!({"opt": [*, *], "params": [*, None, *]});
    /// let texts = expected.differences(found).map(|one| one.map(|one| one.to_string()));
    /// assert!(texts.eq([Ok("at the root: missing key 'stats'".to_owned())]));
    /// let texts = expected.differences(found).deep().map(|one| one.map(|one| one.to_string()));
    /// assert!(texts.eq([
    ///     Ok("at the root: missing key 'stats'".to_owned()),
    ///     Ok("at ['opt']: expected a tuple of 2, found a list of 2".to_owned()),
    ///     Ok("at ['params']: expected a list of 2, found a list of 3".to_owned()),
    ///     Ok("at ['params'][1]: expected a leaf, found None".to_owned()),
    /// ]));
    /// ```
    pub fn deep(mut self) -> Self {
        self.deep = true;
        self
    }
}

impl<'a> Iterator for Differences<'a> {
    type Item = Result<Difference<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.advance(all_alike)? {
                Ok(PairEvent::Differ { first: expected, second: found }) => {
                    let pair = &self.walk.as_ref()?.pair;
                    let place = pair.place();
                    let difference = Difference::of_nodes(self.expected, place, expected, found);
                    return Some(Ok(difference.with_steps(self.steps)));
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
    /// The next event of the walk, with a rule for copies as in [`Pair::read`](crate::treedef::pair::Pair::read); `None`
    /// after an error. If `deep`, the walk then goes into nodes that differ.
    fn advance(
        &mut self,
        copies: impl Fn(usize, bool, u32, u32) -> u32,
    ) -> Option<Result<PairEvent<'a, 'a>, Error>> {
        let walk = self.walk.as_mut()?;
        let event = walk.next_with(copies)?;
        let head = match event {
            Ok(PairEvent::Enter(head)) => head,
            Ok(PairEvent::Differ { first, .. }) => Head::trusted(first),
            _ => return Some(event),
        };
        walk.pair.remember(&mut self.steps, self.expected.as_bytes(), head == Head::LEAF);
        if let Ok(PairEvent::Differ { second, .. }) = event
            && self.deep
        {
            let found = Head::trusted(second);
            // The children of one node can be billions, and have no names that those of the other could have.
            if same_type(&head, &found) && head.has_positions() == found.has_positions() {
                walk.enter(head, found);
            }
        }
        Some(event)
    }

    /// Steps over at most `limit` items and returns their number.
    ///
    /// After two children were compared as a whole, the number of their differences is known, and their copies are stepped over
    /// together.
    fn pass(&mut self, limit: usize) -> usize {
        // For every list: the items before the last child, if that child was read here.
        let mut before: [Option<usize>; MAX_PENDING] = [None; MAX_PENDING];
        let mut done = 0usize;
        while done < limit {
            let each = |list: usize| Some(done.saturating_sub((*before.get(list)?)?));
            let copies = |list, _, count: u32, _| match each(list) {
                None => 0,
                Some(0) => count,
                Some(each) => {
                    let room = limit.saturating_sub(done).checked_div(each).unwrap_or(0);
                    u32::try_from(room).map_or(count, |room| count.min(room))
                }
            };
            let Some(event) = self.advance(copies) else { break };
            let list = self.walk.as_ref().map_or(0, |walk| walk.pair.list());
            match event {
                Ok(PairEvent::Repeat(count)) => {
                    let more = each(list).unwrap_or(0).saturating_mul(count as usize);
                    done = done.saturating_add(more);
                }
                Ok(event) => {
                    if let Some(slot) = before.get_mut(list) {
                        *slot = Some(done);
                    }
                    done =
                        done.saturating_add(usize::from(matches!(event, PairEvent::Differ { .. })));
                }
                Err(_) => return done.saturating_add(1),
            }
        }
        done
    }
}
