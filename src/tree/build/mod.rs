//! Builds trees: what a tree does for that, and what it is built from.
//!
//! A tree asks a [`Source`] for its choices and leaves. There are three:
//!
//! - `from_treedef`: a treedef, which is read as the tree asks, and leaves; `reading`: the part of it that knows no leaves;
//! - `from_choices`: choices, and leaves;
//! - `from_leaves`: leaves alone, of a tree that can always be built from them.
//!
//! `leaves`: where the first two take leaves from, and what they keep about a tree that could not be built.

use crate::base::error::Error;
use crate::encode::schema::Schema;
use crate::encode::structure::HasSchema;
use crate::format::keys::Keys;
use crate::format::value::Value;
use crate::tree::leaf_types::{LeafAs, LeafTypes};
use crate::tree::migrate::question::Question;
use crate::tree::vector::Vector;
use crate::treedef::treedef::TreeDef;

pub(crate) mod from_choices;
mod from_leaves;
pub(crate) mod from_treedef;
pub(crate) mod leaves;
mod reading;

/// A tree that can be taken apart, and built again from choices and leaves. The guide to
/// [`containers`](crate::guide::containers) has an example.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tree whose leaves can be rebuilt as `{K}`",
    note = "for a type of your own, write `#[derive(treedef::Tree)]`, or `treedef::leaf!({Self});` to make it a leaf",
    note = "in generic code, add the bound `treedef::Tree<f32>`, with your leaf type for `f32`"
)]
pub trait TreeBuild<K: LeafTypes>: HasSchema + Sized {
    /// Calls `visit` with every leaf by value, in order. It is called only for a tree that was described, so it needs no
    /// bound for the depth. The guide to [`containers`](crate::guide::containers) has an example.
    fn take_leaves(self, visit: &mut impl FnMut(K::Owned));

    /// Answers a question of a migration about a part of the type. A container passes it on to the type of its children; one by hand
    /// can leave it out, and takes all that is stored.
    #[doc(hidden)]
    fn answer(question: &mut Question<'_, K>) -> bool {
        question.any()
    }

    /// Whether a tree of exactly this number of leaves can always be built from them: it asks for nothing more.
    #[doc(hidden)]
    const NEVER_FAILS: bool = false;

    /// Makes a value from its choices and leaves, in the order in which [`TreeWalk::walk`](crate::tree::TreeWalk::walk) gives
    /// them. The guide to [`containers`](crate::guide::containers) has an example.
    ///
    /// Containers do not call it for their children. They call [`Source::child`], which has faster ways for some types.
    ///
    /// # Errors
    ///
    /// Those of `from`, which keeps what is wrong.
    fn build<'d, S: Source<'d, K>>(from: &mut S) -> Result<Self, S::Error>;

    /// Makes an array of such values.
    ///
    /// # Errors
    ///
    /// As [`TreeBuild::build`].
    #[doc(hidden)]
    #[inline]
    fn build_array<'d, S: Source<'d, K>, const N: usize>(
        from: &mut S,
    ) -> Result<[Self; N], S::Error> {
        from.array()
    }
}

/// What a value is built from: its [choices](crate::tree::choices) and its leaves, one after the other.
///
/// The choices are stored ones, or those of a treedef that is read under the [schema](HasSchema::SCHEMA) of the type. So a type asks
/// for what its schema says, in its order. The source keeps what is wrong, and the error only says that it does. The guide
/// to [`containers`](crate::guide::containers) has an example. No other crate implements it.
pub trait Source<'d, K: LeafTypes>: Sized {
    /// Says that the source keeps an error.
    type Error;

    /// Begins a value of the type with this schema, and returns what it has of what the type leaves open:
    ///
    /// | schema | result |
    /// |---|---|
    /// | [`Optional`](Schema::Optional) | 1 for `Some`, 0 for `None` |
    /// | [`Enum`](Schema::Enum) | the index of the variant |
    /// | [`List`](Schema::List), [`Map`](Schema::Map) | the number of elements |
    /// | other | the number of elements of an array, otherwise 0 |
    ///
    /// # Errors
    ///
    /// The structure, or the choices, are not those of the type.
    fn begin(&mut self, schema: &'static Schema) -> Result<usize, Self::Error>;

    /// The value of the next meta field, of the node that was begun last, that is no literal of the type.
    ///
    /// # Errors
    ///
    /// There is none.
    fn value(&mut self) -> Result<Value<'d>, Self::Error>;

    /// The keys of the dictionary with `count` elements that was begun last.
    ///
    /// # Errors
    ///
    /// There are none.
    fn keys(&mut self, count: usize) -> Result<Keys<'d>, Self::Error>;

    /// The structure of the next child, of a type without a schema. Its leaves come next.
    ///
    /// # Errors
    ///
    /// The choices do not say it.
    fn tree(&mut self) -> Result<TreeDef<'d>, Self::Error>;

    /// The next leaf, which is a `T`.
    ///
    /// # Errors
    ///
    /// There is none, or it has another type.
    fn leaf<T: LeafAs<K>>(&mut self) -> Result<T, Self::Error>;

    /// The next child, which is a tree of type `T`.
    ///
    /// # Errors
    ///
    /// Those of the child.
    fn child<T: TreeBuild<K>>(&mut self) -> Result<T, Self::Error>;

    /// A vector of the next `count` children, of which it holds up to `room`.
    ///
    /// # Errors
    ///
    /// Those of the children; there is no room for one.
    fn elements<T: TreeBuild<K>, C: Vector<T>>(
        &mut self,
        count: usize,
        room: usize,
    ) -> Result<C, Self::Error>;

    /// An array of the next children.
    ///
    /// # Errors
    ///
    /// Those of the children.
    #[doc(hidden)]
    fn array<T: TreeBuild<K>, const N: usize>(&mut self) -> Result<[T; N], Self::Error>;

    /// An array of the next leaves.
    ///
    /// # Errors
    ///
    /// As [`Source::leaf`].
    #[doc(hidden)]
    fn leaf_array<T: LeafAs<K>, const N: usize>(&mut self) -> Result<[T; N], Self::Error>;

    /// The place of the node that values or keys were given of last.
    fn place(&self) -> Place {
        Place { at: None, leaves: 0 }
    }

    /// Refuses a value or key that was given of the node at this place.
    ///
    /// # Errors
    ///
    /// Always: [`Error::Mismatch`].
    fn refuse<T>(&mut self, place: Place) -> Result<T, Self::Error>;

    /// Keeps an error, unless an earlier one is kept.
    ///
    /// # Errors
    ///
    /// Always: `error`.
    fn fail<T>(&mut self, error: Error) -> Result<T, Self::Error>;
}

/// The place of a node in what is built, for [`Source::refuse`]. The guide to [`containers`](mod@crate::guide::containers) has an
/// example.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Where it begins in the treedef; `None` if it is a leaf of a run.
    pub(crate) at: Option<u32>,
    /// The number of leaves before it.
    pub(crate) leaves: u32,
}
