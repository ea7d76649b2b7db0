//! What a migration asks a type: whether a part of it takes a leaf or a value, and what the default of a field is.
//!
//! The migration walks the schema of the type, which does not say this. It names a part by the way to it: an index at each tuple,
//! struct, enum and map. The fields of an enum are counted over all variants:
//!
//! ```text
//! type     struct Robot { axis, mode: Mode }   enum Mode { Pid { kp, ki, kd }, Duty { gain } }
//! gain     1                                   3
//! ```

use crate::base::dtype::Dtype;
use crate::base::show::debug_struct;
use crate::format::to_value::ToValue;
use crate::format::value::Value;
use crate::tree::leaf_types::{Holds, LeafAs, LeafTypes};

/// A question about a part of a type, for `TreeBuild::answer`.
pub struct Question<'q, K: LeafTypes> {
    /// The way from here to the part.
    way: &'q [u32],
    about: About<'q, K>,
}

debug_struct!([K: LeafTypes] Question<'_, K> { way });

/// What is asked.
pub(crate) enum About<'q, K: LeafTypes> {
    /// Whether the part, a leaf, takes the leaf that the function has.
    Leaf(&'q mut TakeLeaf<'q, K::Owned>),
    /// Whether the part, a leaf, has the leaf with these bytes in a record.
    Stored(&'q [u8]),
    /// Whether the meta field with this index takes a value, or the keys of a map do. The function receives the value that the type
    /// makes of it. Without a value, a meta field that is a constant gives its own.
    Value(u32, Option<Value<'q>>, &'q mut dyn FnMut(&Value<'_>)),
    /// Whether the field with this index has a default. The function receives it.
    Default(u32, Option<&'q mut TakeDefault<'q, K>>),
}

/// Asks the part of a type with a way.
pub(crate) type Ask<K> = for<'q> fn(&'q [u32], About<'q, K>) -> bool;

/// A part of the default of a field.
pub enum OfDefault<'a, K: LeafTypes + 'a> {
    /// A byte of its choices.
    Choice(u8),
    /// Its next leaf.
    Leaf(K::Ref<'a>),
}

/// Takes a leaf for a part with this dtype, if the function for its type returns it; whether it was taken.
pub(crate) type TakeLeaf<'q, O> = dyn FnMut(Option<Dtype>, fn(O) -> Option<O>) -> bool + 'q;

/// Receives the default of a field, part by part.
pub(crate) type TakeDefault<'q, K> = dyn for<'a> FnMut(OfDefault<'a, K>) + 'q;

/// The part of a type that is to answer, for the code of derives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The child with this index.
    Child(u32),
    /// The meta field with this index, or the keys of a map.
    Value(u32),
    /// The default of the child with this index.
    Default(u32),
    /// The type itself, which is a leaf.
    Own,
}

impl<'q, K: LeafTypes> Question<'q, K> {
    pub(crate) const fn new(way: &'q [u32], about: About<'q, K>) -> Self {
        Self { way, about }
    }

    /// The next part on the way.
    #[must_use]
    pub fn part(&mut self) -> Part {
        match (self.way.split_off_first(), &self.about) {
            (Some(index), _) => Part::Child(*index),
            (None, About::Leaf(..) | About::Stored(_)) => Part::Own,
            (None, About::Value(index, ..)) => Part::Value(*index),
            (None, About::Default(index, _)) => Part::Default(*index),
        }
    }

    /// The answer of a leaf of type `T`.
    pub fn leaf<T: LeafAs<K>>(&mut self) -> bool {
        match &mut self.about {
            About::Leaf(take) => take(T::DTYPE, |leaf| <T::Set>::with_value_of(leaf).map(T::owned)),
            About::Stored(bytes) => <T::Set>::stored(bytes).is_some() && bytes.is_empty(),
            _ => false,
        }
    }

    /// The answer of a meta field, or of the keys of a map: `read` makes what the value is, and `give_own` passes on the value of that.
    pub fn value<T>(
        &mut self,
        read: impl FnOnce(Value<'_>) -> Option<T>,
        give_own: impl FnOnce(&T, &mut dyn FnMut(&Value<'_>)),
    ) -> bool {
        let About::Value(_, Some(value), give) = &mut self.about else { return false };
        let Some(own) = read(*value) else { return false };
        give_own(&own, give);
        true
    }

    /// The answer of a meta field whose value is a constant, but no literal.
    pub fn constant<T: ToValue>(&mut self, own: &T) -> bool {
        let About::Value(_, value, give) = &mut self.about else { return false };
        own.with_value(|own| {
            let is_own = value.is_none_or(|value| value == own);
            if is_own {
                give(&own);
            }
            is_own
        })
    }

    /// The answer of a field with a default: `give` passes on its parts, and says whether it has them.
    pub fn default(&mut self, give: impl FnOnce(&mut TakeDefault<'_, K>) -> bool) -> bool {
        match &mut self.about {
            About::Default(_, Some(take)) => give(*take),
            About::Default(_, None) => true,
            _ => false,
        }
    }

    /// The answer of a type that says nothing: it takes what is stored.
    pub(crate) fn any(&mut self) -> bool {
        match &mut self.about {
            About::Leaf(take) => take(None, Some),
            About::Value(_, Some(value), give) => {
                give(value);
                true
            }
            About::Stored(_) | About::Value(..) | About::Default(..) => false,
        }
    }
}
