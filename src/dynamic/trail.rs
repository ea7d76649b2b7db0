//! Keeps the path of an object in the stack frames of a walk, and makes a key path of it for a predicate.

use crate::base::error::Error;
use crate::base::levels::{self, Levels};
use crate::base::slices::reverse;
use crate::dynamic::object::Object;
use crate::dynamic::predicate::Predicate;
use crate::encode::depth::MAX_DEPTH;
use crate::format::entry::KeyEntry;
use crate::treedef::key_path::KeyPath;

/// The path of an object: the entry that leads to it, with a link to those above; `None` for the root.
#[derive(Clone, Copy)]
pub(crate) struct Trail<'t>(pub(crate) Option<&'t Step<'t>>);

/// One entry, and a link to the entries above it.
pub(crate) struct Step<'t> {
    pub(crate) up: Trail<'t>,
    pub(crate) entry: Option<KeyEntry<'t>>,
}

impl Trail<'_> {
    /// Whether the object at the end of the path is a leaf by the predicate.
    ///
    /// # Errors
    ///
    /// [`Error::TooDeep`] if the predicate takes paths and this one has more than [`MAX_DEPTH`] entries.
    #[inline]
    pub(crate) fn is_leaf<O: Object, P: Predicate<O>>(
        self,
        predicate: &mut P,
        object: O,
    ) -> Result<bool, Error> {
        if const { P::TAKES_PATH } {
            return self.is_leaf_at(predicate, object);
        }
        Ok(const { P::ASKS } && predicate.is_leaf(KeyPath::new(&[]), object))
    }

    /// Not inlined, so that no frame of the walk holds the entries.
    #[inline(never)]
    fn is_leaf_at<O: Object, P: Predicate<O>>(
        self,
        predicate: &mut P,
        object: O,
    ) -> Result<bool, Error> {
        let mut path: Levels<_, { MAX_DEPTH as usize }> = levels::empty();
        let steps = core::iter::successors(self.0, |step| step.up.0);
        for entry in steps.filter_map(|step| step.entry) {
            path.push(entry).map_err(|_| Error::TooDeep { limit: MAX_DEPTH })?;
        }
        reverse(&mut path);
        Ok(predicate.is_leaf(KeyPath::new(&path), object))
    }
}
