//! Places that moved: paths in an old structure and in a new one.
//!
//! A path is matched with names, segment by segment, as [`TreeDef::find_str`] reads it. A `*` is any index or key, and the
//! same one in both paths. For `("motor[*].kp", "motor[*].pid.kp")` and the place `.motor[1].pid.kp`:
//!
//! ```text
//! pattern       motor   [*]     .pid   .kp
//! path          motor   [1]     pid    kp       so * is 1
//! searched      .motor[1].kp
//! ```

use core::cell::Cell;

use crate::format::entry::KeyEntry;
use crate::tree::migrate::node::{Step, StoredNode};
use crate::treedef::pattern::{after, begins_segment, open};
use crate::treedef::segment::Segment;

/// What the `*`s of a path are.
pub(crate) type Stars<'d> = heapless::Vec<KeyEntry<'d>, 4>;

/// A pattern, or what is left of it. Bytes take less code than texts.
pub(crate) type Pattern<'t> = &'t [u8];

/// What is left of a pattern after its first segment, if that is a `*`.
pub(crate) fn after_star(pattern: Pattern<'_>) -> Option<Pattern<'_>> {
    let ([b'[', b'*', b']', rest @ ..] | [b'.' | b'/', b'*', rest @ ..] | [b'*', rest @ ..]) =
        pattern
    else {
        return None;
    };
    begins_segment(rest).then_some(rest)
}

/// What is before the `*` of a pattern that has this index.
pub(crate) fn before_star(pattern: Pattern<'_>, index: usize) -> Option<Pattern<'_>> {
    let ends = (0..=pattern.len()).filter_map(|at| pattern.split_at_checked(at));
    let is_star = |(before, rest): &(Pattern<'_>, Pattern<'_>)| {
        after_star(rest).is_some() && (before.is_empty() || begins_segment(rest))
    };
    ends.filter(is_star).map(|(before, _)| before).nth(index)
}

impl<'d> Step<'_, 'd> {
    /// The step to the place around this one that a pattern leads to.
    pub(crate) fn around(&self, pattern: &str) -> Option<&Self> {
        let mut up = self.up;
        while let Some(here) = up
            && !here.leads(pattern, false)
        {
            up = here.up;
        }
        up
    }

    /// Whether a pattern begins with the path of this place, and goes on or not.
    #[inline(never)]
    pub(crate) fn leads(&self, pattern: &str, goes_on: bool) -> bool {
        let rest = follow(pattern, self, &mut Stars::new());
        rest.is_some_and(|rest| rest.is_empty() != goes_on)
    }
}

/// The rest of a pattern that begins with the path of a place. What its `*`s are is appended.
#[inline(never)]
pub(crate) fn follow<'t, 'd>(
    pattern: &'t str,
    step: &Step<'_, 'd>,
    stars: &mut Stars<'d>,
) -> Option<Pattern<'t>> {
    let Some(up) = step.up else { return Some(pattern.as_bytes()) };
    let rest = follow(pattern, up, stars)?;
    match (step.name, after_star(rest)) {
        (KeyEntry::Some, _) => Some(rest),
        (name, Some(rest)) => {
            stars.push(name).ok()?;
            Some(rest)
        }
        (name, None) => after(rest, name),
    }
}

/// A node and its children.
type Kept<'d, N> = Option<(N, <N as StoredNode<'d>>::Open)>;

/// Nodes whose children were found, the last one first. Places are walked in order, so most children are next to these, and are not
/// searched from the start of a long list. Without the feature `alloc` there is no room for them.
pub(crate) struct Cursors<'d, N: StoredNode<'d>>(
    [Cell<Kept<'d, N>>; if cfg!(feature = "alloc") { 8 } else { 0 }],
);

impl<'d, N: StoredNode<'d>> Cursors<'d, N> {
    pub(crate) fn new() -> Self {
        Self(Default::default())
    }

    /// Takes out the children of a node, if they are kept.
    pub(crate) fn kept(&self, node: N) -> Option<N::Open> {
        self.0.iter().find_map(|slot| {
            let (own, open) = slot.take()?;
            if own == node {
                return Some(open);
            }
            slot.set(Some((own, open)));
            None
        })
    }

    /// Keeps the children of a node.
    pub(crate) fn keep(&self, node: N, open: N::Open) {
        let mut last = Some((node, open));
        for slot in &self.0 {
            if last.is_none() {
                return;
            }
            last = slot.replace(last);
        }
    }

    /// The child of a node with this index.
    fn child(&self, node: N, mut open: N::Open, index: u32) -> Option<N> {
        // The first children are near.
        if index < 4 || self.0.is_empty() {
            return N::child(&mut open, index);
        }
        let mut open = self.kept(node).unwrap_or(open);
        let found = N::child(&mut open, index);
        self.keep(node, open);
        found
    }
}

/// The node below this one that a pattern leads to, with these `*`s. A `*` that `stars` lack is the first child.
pub(crate) fn find<'d, N: StoredNode<'d>>(
    mut pattern: Pattern<'_>,
    mut node: N,
    mut stars: &[KeyEntry<'_>],
    cursors: &Cursors<'d, N>,
) -> Option<N> {
    while !pattern.is_empty() {
        (node, pattern) = step(pattern, node, &mut stars, cursors)?;
    }
    Some(node)
}

/// The child that the first segment of a pattern leads to, and the rest. The `*` of the segment is the next of `stars`, as in
/// [`find`].
#[inline(never)]
pub(crate) fn step<'t, 'd, N: StoredNode<'d>>(
    pattern: Pattern<'t>,
    node: N,
    stars: &mut &[KeyEntry<'_>],
    cursors: &Cursors<'d, N>,
) -> Option<(N, Pattern<'t>)> {
    let open = node.open();
    let names = N::names(&open);
    let mut found = None;
    if let Some(rest) = after_star(pattern) {
        let index = stars.split_off_first().map_or(Some(0), |star| names.index_of(*star));
        found = index.map(|index| (index, rest));
    } else if names.are_positions() {
        let position = self::open(pattern).and_then(Segment::index);
        found = position.filter(|(_, rest)| begins_segment(rest));
    } else {
        // The longest name that the pattern begins with.
        for (name, index) in names.zip(0..u32::MAX) {
            if let Some(rest) = after(pattern, name)
                && found.is_none_or(|(_, longer): (u32, Pattern<'_>)| rest.len() < longer.len())
            {
                found = Some((index, rest));
            }
        }
    }
    let (index, rest) = found?;
    Some((cursors.child(node, open, index)?, rest))
}
