//! Where an object stands, for predicates that ask.

use core::fmt;

use crate::base::show::{debug_struct, list};
use crate::format::entry::KeyEntry;
use crate::format::heading::Entry;

/// The entries from the root to an object, for predicates that ask where it stands; see
/// [`Options::is_leaf_at`](crate::Options::is_leaf_at).
///
/// It lies in the stack frames of the walk. An entry is found when it is asked for, by a scan of the keys of its node.
#[derive(Clone, Copy, Default)]
pub struct Trail<'t>(pub(crate) Option<&'t Step<'t>>);

/// The trail of [`Plain`](crate::Plain), which never looks at it: it takes no room in the frames of the walk.
#[derive(Clone, Copy)]
pub struct NoTrail;

debug_struct!([] NoTrail {});

impl<'t> From<Trail<'t>> for NoTrail {
    #[inline]
    fn from(_: Trail<'t>) -> Self {
        Self
    }
}

/// A trail as the frames of a walk hold it.
pub trait Laid: Copy {
    /// The trail; of one that is never looked at, none.
    fn trail(&self) -> Trail<'_>;
}

impl Laid for Trail<'_> {
    #[inline]
    fn trail(&self) -> Trail<'_> {
        *self
    }
}

impl Laid for NoTrail {
    #[inline]
    fn trail(&self) -> Trail<'_> {
        Trail(None)
    }
}

/// One entry, and those above it.
pub(crate) struct Step<'t> {
    pub(crate) up: Trail<'t>,
    pub(crate) node: &'t dyn Entry,
    pub(crate) index: u32,
}

impl<'t> Trail<'t> {
    /// The number of entries: the depth of the object.
    pub fn len(&self) -> usize {
        self.steps().fold(0, |count: usize, _| count.saturating_add(1))
    }

    /// Whether the object is the root.
    pub const fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The entry with this index, counted from the root.
    pub fn get(&self, index: usize) -> Option<KeyEntry<'t>> {
        let above = self.len().checked_sub(index)?.checked_sub(1)?;
        self.steps().nth(above)?.entry()
    }

    /// The entries from the root to the object.
    pub fn entries(&self) -> impl Iterator<Item = KeyEntry<'t>> + use<'t> {
        let trail = *self;
        (0..trail.len()).filter_map(move |index| trail.get(index))
    }

    /// The entries from the object to the root.
    pub fn upwards(&self) -> impl Iterator<Item = KeyEntry<'t>> + use<'t> {
        self.steps().filter_map(Step::entry)
    }

    fn steps(&self) -> impl Iterator<Item = &'t Step<'t>> + use<'t> {
        core::iter::successors(self.0, |step| step.up.0)
    }
}

impl<'t> Step<'t> {
    fn entry(&'t self) -> Option<KeyEntry<'t>> {
        self.node.entry(self.index)
    }
}

impl fmt::Debug for Trail<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        list(f, self.entries())
    }
}
