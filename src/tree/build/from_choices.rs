//! The source of trees whose choices are known: these choices, and leaves.

use crate::base::attempt::ok;
use crate::base::error::Error;
use crate::base::slices::try_array_of;
use crate::encode::depth::MAX_DEPTH;
use crate::encode::max_sizes::max_choices;
use crate::encode::schema::{Fields, Schema, each_inside};
use crate::format::keys::Keys;
use crate::format::reader::Input;
use crate::format::value::Value;
use crate::format::varint::read_choice;
use crate::tree::build::leaves::{Kept, LeafSource, Stopped, Why, children, is_chunk};
use crate::tree::build::{Place, Source, TreeBuild};
use crate::tree::leaf_types::{LeafAs, LeafTypes};
use crate::tree::vector::Vector;
use crate::treedef::treedef::TreeDef;

/// Choices that are known, as [`choices_into`](crate::tree::choices::choices_into) writes them, and leaves. A tree of constant structure
/// has no choices.
pub(crate) struct FromChoices<'c, L> {
    pub(crate) choices: &'c [u8],
    pub(crate) leaves: L,
    /// The nodes that are open, but for those of a fixed number of leaves, through which no recursion goes.
    depth: u32,
    stopped: Option<Stopped>,
}

impl<'c, L> FromChoices<'c, L> {
    #[inline]
    pub(crate) const fn new(choices: &'c [u8], leaves: L) -> Self {
        Self { choices, leaves, depth: 0, stopped: None }
    }

    /// Why the value could not be built.
    #[inline]
    pub(crate) fn stopped<K: LeafTypes>(&self) -> Stopped
    where
        L: LeafSource<K>,
    {
        self.stopped.unwrap_or(Stopped { why: Why::Leaf, left: self.leaves.left() })
    }

    /// The error of the type that kept a value from being built.
    pub(crate) const fn error(&self) -> Option<Error> {
        match self.stopped {
            Some(Stopped { why: Why::Error(error), .. }) => Some(error),
            _ => None,
        }
    }

    /// The next child, whose structure its type determines.
    fn constant<K: LeafTypes, T: TreeBuild<K>>(&mut self) -> Result<T, Kept>
    where
        L: LeafSource<K>,
    {
        match self.leaves.constant() {
            Ok(tree) => Ok(tree),
            Err(stopped) => self.stop(stopped),
        }
    }

    /// The next child, which has choices.
    fn inside<K: LeafTypes, T: TreeBuild<K>>(&mut self) -> Result<T, Kept>
    where
        L: LeafSource<K>,
    {
        let depth = self.depth;
        let tree = T::build(self);
        self.depth = depth;
        tree
    }

    #[inline]
    fn stop<T>(&mut self, why: Stopped) -> Result<T, Kept> {
        self.stopped.get_or_insert(why);
        Err(Kept)
    }

    /// Counts a node that is begun.
    #[inline]
    const fn open(&mut self) -> Result<(), Kept> {
        self.depth = self.depth.wrapping_add(1);
        if self.depth > MAX_DEPTH { Err(Kept) } else { Ok(()) }
    }

    #[inline]
    fn choice(&mut self) -> Result<usize, Kept> {
        let (choice, rest) = ok!(read_choice(self.choices).ok_or(Kept));
        self.choices = rest;
        Ok(choice)
    }

    /// The number of elements of a container with this room.
    #[inline]
    fn count(&mut self, room: Option<usize>) -> Result<usize, Kept> {
        let count = ok!(self.choice());
        if room.is_some_and(|room| count > room) { Err(Kept) } else { Ok(count) }
    }
}

impl<'c, K: LeafTypes, L: LeafSource<K>> Source<'c, K> for FromChoices<'c, L> {
    type Error = Kept;

    #[inline(always)]
    fn begin(&mut self, schema: &'static Schema) -> Result<usize, Kept> {
        let is_counted = match schema {
            Schema::Tuple(children) | Schema::Struct(Fields { children, .. }) => {
                children.num_leaves().is_none()
            }
            // `array` counts it: it knows the type of the elements, so that their schema is not read at run time.
            Schema::Array(..) | Schema::Optional(_) => false,
            _ => true,
        };
        if is_counted {
            ok!(self.open());
        }
        match schema {
            Schema::Struct(_) | Schema::Tuple(_) | Schema::Enum(_, [_]) => Ok(0),
            Schema::Array(count, _) => Ok(*count),
            Schema::Enum(..) => self.choice(),
            Schema::Optional(of) => match self.choice() {
                Ok(1) if of.is_nullable() => self.open().map(|()| 1),
                Ok(choice) if choice > 1 => Err(Kept),
                choice => choice,
            },
            Schema::List(room, of) => {
                let count = ok!(self.count(*room));
                // Elements that take bytes end with these, but a few bytes from outside can ask for billions of others. Where the room of
                // all lists is less, there is no code for it.
                let has_room = !matches!(room, Some(..=MOST_EMPTY));
                if has_room && count > MOST_EMPTY && takes_no_bytes(of) {
                    return self.stop(Stopped { why: Why::Error(Error::TooLarge), left: 0 });
                }
                Ok(count)
            }
            Schema::Map(room, ..) => self.count(*room),
            _ => Err(Kept),
        }
    }

    fn value(&mut self) -> Result<Value<'c>, Kept> {
        let mut input = Input::new(self.choices);
        let value = Value::take(&mut input);
        self.choices = input.rest;
        value.ok_or(Kept)
    }

    fn keys(&mut self, count: usize) -> Result<Keys<'c>, Kept> {
        let (keys, rest) = ok!(Keys::of_values(count, self.choices).ok_or(Kept));
        self.choices = rest;
        Ok(keys)
    }

    fn tree(&mut self) -> Result<TreeDef<'c>, Kept> {
        Err(Kept)
    }

    #[inline]
    fn leaf<T: LeafAs<K>>(&mut self) -> Result<T, Kept> {
        self.leaves.leaf().ok_or(Kept)
    }

    children!();

    #[inline]
    fn array<T: TreeBuild<K>, const N: usize>(&mut self) -> Result<[T; N], Kept> {
        if const { T::SCHEMA.num_leaves().is_none() } {
            ok!(self.open());
        }
        try_array_of(|_| self.child(), || Kept)
    }

    fn elements<T: TreeBuild<K>, C: Vector<T>>(
        &mut self,
        count: usize,
        room: usize,
    ) -> Result<C, Kept> {
        let full = Error::Capacity { node: 0, room };
        if const { L::IN_SLICE && is_chunk::<T>() } {
            return match self.leaves.constants::<T, C>(count) {
                Ok(elements) => Ok(elements),
                Err(Some(stopped)) => self.stop(stopped),
                Err(None) => Source::<K>::fail(self, full),
            };
        }
        let mut elements = C::with_room(self.leaves.to_reserve(count));
        for _ in 0..count {
            if !elements.add(ok!(self.child())) {
                return Source::<K>::fail(self, full);
            }
        }
        Ok(elements)
    }

    #[cold]
    fn refuse<T>(&mut self, _: Place) -> Result<T, Kept> {
        self.stop(Stopped { why: Why::Refused, left: 0 })
    }

    #[cold]
    fn fail<T>(&mut self, error: Error) -> Result<T, Kept> {
        self.stop(Stopped { why: Why::Error(error), left: 0 })
    }
}

/// The most elements without bytes in a list.
pub(crate) const MOST_EMPTY: usize = 1 << 16;

/// Whether values with this schema have neither choices nor leaves.
#[cold]
fn takes_no_bytes(schema: &Schema) -> bool {
    max_choices(schema) == 0 && !has_leaf(schema)
}

/// Whether a value with this schema, which has no choices, has a leaf. An array of no elements has none.
fn has_leaf(schema: &Schema) -> bool {
    each_inside!(schema, child => if has_leaf(&child) { return !matches!(schema, Schema::Array(0, _)) });
    matches!(schema, Schema::Leaf(..))
}
