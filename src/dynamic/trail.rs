//! Where an object is, for predicates that ask.

use core::fmt;
use core::iter::{Empty, empty};

use crate::base::show::{debug_struct, list};
use crate::format::entry::KeyEntry;

/// The entries from the root to an object, for predicates that ask where it is; see
/// [`Flatten::is_leaf_at`](crate::dynamic::Flatten::is_leaf_at).
///
/// It lies in the stack frames of the walk, which goes over the keys of each node once.
#[derive(Clone, Copy, Default)]
pub struct Trail<'t>(pub(crate) Option<&'t Step<'t>>);

/// The trail of rules that never look at it: it takes no room in the frames of the walk.
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
    /// The entries of the children of a node; where the trail is never looked at, none.
    type Entries<I: Iterator>: Iterator<Item = I::Item>;

    /// The trail; of one that is never looked at, none.
    fn trail(&self) -> Trail<'_>;

    /// The entries as the frames of a walk hold them.
    fn entries<I: Iterator>(entries: impl FnOnce() -> I) -> Self::Entries<I>;
}

impl Laid for Trail<'_> {
    type Entries<I: Iterator> = I;

    #[inline]
    fn trail(&self) -> Trail<'_> {
        *self
    }

    #[inline]
    fn entries<I: Iterator>(entries: impl FnOnce() -> I) -> I {
        entries()
    }
}

impl Laid for NoTrail {
    type Entries<I: Iterator> = Empty<I::Item>;

    #[inline]
    fn trail(&self) -> Trail<'_> {
        Trail(None)
    }

    #[inline]
    fn entries<I: Iterator>(_: impl FnOnce() -> I) -> Empty<I::Item> {
        empty()
    }
}

/// One entry, and those above it.
///
/// `far` is a trail further up, so that an entry is found in a few steps from any depth. Its length is that of `up` or
/// less: where the last two jumps are of one length, the next one is as long as both. The lengths of trails and what
/// they jump to:
///
/// ```text
/// length    1  2  3  4  5  6  7  8
/// jumps to  0  1  0  3  4  3  0  7
/// ```
pub(crate) struct Step<'t> {
    up: Trail<'t>,
    far: Trail<'t>,
    len: usize,
    entry: Option<KeyEntry<'t>>,
}

impl<'t> Trail<'t> {
    /// The number of entries: the depth of the object.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.map_or(0, |step| step.len)
    }

    /// Whether the object is the root.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The entry with this index, counted from the root.
    ///
    /// The last entry costs nothing, any other a number of steps that grows with the logarithm of the depth.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<KeyEntry<'t>> {
        let mut step = self.0.filter(|step| index < step.len)?;
        while step.len.wrapping_sub(1) > index {
            step = step.far.0.filter(|far| index < far.len).or(step.up.0)?;
        }
        step.entry
    }

    /// The entries from the root to the object, each as by [`Trail::get`].
    pub fn entries(&self) -> impl Iterator<Item = KeyEntry<'t>> + use<'t> {
        let trail = *self;
        (0..trail.len()).filter_map(move |index| trail.get(index))
    }

    /// The entries from the object to the root, each in one step.
    pub fn upwards(&self) -> impl Iterator<Item = KeyEntry<'t>> + use<'t> {
        let steps = core::iter::successors(self.0, |step| step.up.0);
        steps.filter_map(|step| step.entry)
    }

    fn far(&self) -> Self {
        self.0.map_or(Self(None), |step| step.far)
    }
}

impl<'t> Step<'t> {
    #[inline]
    pub(crate) fn new(up: Trail<'t>, entry: Option<KeyEntry<'t>>) -> Self {
        let (far, farther) = (up.far(), up.far().far());
        let (last, before) =
            (up.len().wrapping_sub(far.len()), far.len().wrapping_sub(farther.len()));
        let far = if last == before { farther } else { up };
        Self { up, far, len: up.len().wrapping_add(1), entry }
    }
}

impl fmt::Debug for Trail<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        list(f, self.entries())
    }
}
