//! What counts as a leaf besides the objects that say so.

use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::dynamic::object::{Object, Open};
use crate::dynamic::trail::{Laid, NoTrail, Trail};
use crate::format::heading::{Entry, Heading};
use crate::format::value::Value;

/// Which objects are leaves besides those that say so, and what is then handed over for a leaf.
pub trait Rule<O: Object> {
    /// What is handed over for a leaf.
    type Item;

    /// The trail as the frames of the walk hold it.
    #[doc(hidden)]
    type Trail<'t>: Laid + From<Trail<'t>>;

    /// Whether [`Rule::whole`] looks at the trail; else it is not laid.
    const TRAIL: bool;

    /// Whether objects are asked about; else those are leaves that say so, and no others.
    const ASKS: bool;

    /// The object with all below it as a leaf, if it is to be one.
    fn whole(&mut self, object: O, trail: Trail<'_>) -> Option<Self::Item>;

    /// The object, which is `None`, as a leaf, if it is to be one.
    fn none(&mut self, object: O) -> Option<Self::Item>;

    /// The object, which says that it is a leaf.
    fn leaf(object: O, leaf: O::Leaf) -> Self::Item;
}

/// Objects are leaves where they say so.
#[derive(Clone, Copy)]
pub struct Plain;

debug_struct!([] Plain {});

/// Objects are leaves where they or a predicate say so, and are handed over whole.
#[derive(Clone, Copy)]
pub struct Where<P>(pub(crate) P);

debug_struct!([P] Where<P> {});

/// A predicate on objects.
#[derive(Clone, Copy)]
pub struct IsLeaf<F>(pub(crate) F);

debug_struct!([F] IsLeaf<F> {});

/// A predicate on objects and where they stand.
#[derive(Clone, Copy)]
pub struct IsLeafAt<F>(pub(crate) F);

debug_struct!([F] IsLeafAt<F> {});

/// `None` is a leaf.
#[derive(Clone, Copy)]
pub struct NoneIsLeaf;

debug_struct!([] NoneIsLeaf {});

/// Says which objects count as leaves; pairs of predicates are asked one after the other.
pub trait Predicate<O> {
    /// Whether the trail is looked at.
    const TRAIL: bool;

    /// Whether the object counts as a leaf with all below it.
    fn is_leaf(&mut self, object: O, trail: Trail<'_>) -> bool;

    /// Whether `None` does.
    fn none_is_leaf(&self) -> bool {
        false
    }
}

impl<O> Predicate<O> for Plain {
    const TRAIL: bool = false;

    #[inline]
    fn is_leaf(&mut self, _: O, _: Trail<'_>) -> bool {
        false
    }
}

impl<O> Predicate<O> for NoneIsLeaf {
    const TRAIL: bool = false;

    #[inline]
    fn is_leaf(&mut self, _: O, _: Trail<'_>) -> bool {
        false
    }

    #[inline]
    fn none_is_leaf(&self) -> bool {
        true
    }
}

impl<O, F: FnMut(O) -> bool> Predicate<O> for IsLeaf<F> {
    const TRAIL: bool = false;

    #[inline]
    fn is_leaf(&mut self, object: O, _: Trail<'_>) -> bool {
        (self.0)(object)
    }
}

impl<O, F: FnMut(Trail<'_>, O) -> bool> Predicate<O> for IsLeafAt<F> {
    const TRAIL: bool = true;

    #[inline]
    fn is_leaf(&mut self, object: O, trail: Trail<'_>) -> bool {
        (self.0)(trail, object)
    }
}

impl<O, P: Predicate<O>> Predicate<O> for Where<P> {
    const TRAIL: bool = P::TRAIL;

    #[inline]
    fn is_leaf(&mut self, object: O, trail: Trail<'_>) -> bool {
        self.0.is_leaf(object, trail)
    }

    #[inline]
    fn none_is_leaf(&self) -> bool {
        self.0.none_is_leaf()
    }
}

impl<O: Copy, P: Predicate<O>, Q: Predicate<O>> Predicate<O> for (P, Q) {
    const TRAIL: bool = P::TRAIL || Q::TRAIL;

    #[inline]
    fn is_leaf(&mut self, object: O, trail: Trail<'_>) -> bool {
        self.0.is_leaf(object, trail) || self.1.is_leaf(object, trail)
    }

    #[inline]
    fn none_is_leaf(&self) -> bool {
        self.0.none_is_leaf() || self.1.none_is_leaf()
    }
}

impl<O: Object> Rule<O> for Plain {
    type Item = O::Leaf;
    type Trail<'t> = NoTrail;

    const TRAIL: bool = false;
    const ASKS: bool = false;

    #[inline]
    fn whole(&mut self, _: O, _: Trail<'_>) -> Option<O::Leaf> {
        None
    }

    #[inline]
    fn none(&mut self, _: O) -> Option<O::Leaf> {
        None
    }

    #[inline]
    fn leaf(_: O, leaf: O::Leaf) -> O::Leaf {
        leaf
    }
}

impl<O: Object, P: Predicate<O>> Rule<O> for Where<P> {
    type Item = O;
    type Trail<'t> = Trail<'t>;

    const TRAIL: bool = P::TRAIL;
    const ASKS: bool = true;

    #[inline]
    fn whole(&mut self, object: O, trail: Trail<'_>) -> Option<O> {
        self.0.is_leaf(object, trail).then_some(object)
    }

    #[inline]
    fn none(&mut self, object: O) -> Option<O> {
        self.0.none_is_leaf().then_some(object)
    }

    #[inline]
    fn leaf(object: O, _: O::Leaf) -> O {
        object
    }
}

/// Asks an object whether it is a leaf.
pub(crate) struct AsksLeaf<'r, R, O> {
    pub(crate) rule: &'r mut R,
    pub(crate) object: O,
}

impl<O: Object, R: Rule<O>> Open<O> for AsksLeaf<'_, R, O> {
    type Output = bool;

    fn leaf(self, _: O::Leaf) -> Result<bool, Error> {
        Ok(true)
    }

    fn none(self) -> Result<bool, Error> {
        Ok(self.rule.none(self.object).is_some())
    }

    fn node<H: Heading + Entry>(
        self,
        _: &H,
        _: impl IntoIterator<Item = O>,
    ) -> Result<bool, Error> {
        Ok(false)
    }

    fn dict<'k, K, I>(self, _: I) -> Result<bool, Error>
    where
        K: Into<Value<'k>> + 'k,
        I: IntoIterator<Item = (K, O), IntoIter: ExactSizeIterator + Clone>,
    {
        Ok(false)
    }
}
