//! Loads a stored tree as a value of a type: asks the type, and collects the leaves.

use heapless::VecView;

use crate::base::dtype::Dtype;
use crate::base::error::Error;
use crate::encode::max_sizes::{MaxSizes, max_choices};
use crate::encode::structure::HasSchema;
use crate::tree::build::TreeBuild;
use crate::tree::choices::assert_choices;
use crate::tree::known::Known;
use crate::tree::leaf_source::Moved;
use crate::tree::leaf_types::LeafTypes;
use crate::tree::migrate::change::{Matching, Migrated, Migration, Why};
use crate::tree::migrate::children::Place;
use crate::tree::migrate::making::{Ask, Typed, make};
use crate::tree::migrate::question::{About, Question, Receivers};
use crate::tree::migrate::room::Room;
use crate::tree::migrate::walk::Walk;
use crate::treedef::treedef::TreeDef;

/// Makes a stored leaf, by its index, a leaf of a place with this dtype and default. If it refuses the leaf, it reports that.
pub(crate) type Take<'d, 't, O> =
    dyn FnMut(&mut Walk<'d, '_>, &Place<'d>, u32, Option<Dtype>, Option<&O>) -> Option<O> + 't;

/// The number of bytes on the stack for the choices of a type that can have more, or has no bound. With the feature `alloc`, choices
/// that have no room go to the heap.
const MOST_CHOICES: usize = 256;

/// The number of leaves on the stack, likewise.
const MOST_LEAVES: usize = if cfg!(feature = "alloc") { 16 } else { 1024 };

/// Whether each value of a type has at most this number of leaves.
const fn has_leaves<T: HasSchema>(most: usize) -> bool {
    MaxSizes::of(T::SCHEMA).leaves <= most
}

/// A load of a stored tree.
pub(crate) struct Load<'d, 's, 't, K: LeafTypes> {
    pub(crate) stored: TreeDef<'d>,
    pub(crate) defaults: (TreeDef<'d>, &'s [K::Owned]),
    pub(crate) matching: Matching<'s>,
    pub(crate) take: &'s mut Take<'d, 't, K::Owned>,
    pub(crate) report: &'s mut dyn FnMut(Migration<'_>),
}

impl<'d, K: LeafTypes<Owned: Clone>> Load<'d, '_, '_, K> {
    /// Loads the tree. `build` makes it of its choices and its leaves.
    pub(crate) fn run<T: TreeBuild<K>>(self) -> Result<(T, Migrated), Error> {
        const { assert_choices::<T>() };
        let this = Self { matching: self.matching.for_type::<T>(), ..self };
        // The room is one of a few sizes, because it cannot depend on a type parameter.
        let most = const { max_choices(T::SCHEMA) };
        if most <= 32 {
            this.in_room::<T>(&mut heapless::Vec::<_, 32>::new())
        } else {
            this.in_room::<T>(&mut heapless::Vec::<_, MOST_CHOICES>::new())
        }
    }

    fn in_room<T: TreeBuild<K>>(self, choices: &mut VecView<u8>) -> Result<(T, Migrated), Error> {
        // Only the arm that is taken reaches the program.
        if const { has_leaves::<T>(8) } {
            self.with_leaves::<T, 8>(choices)
        } else if const { has_leaves::<T>(16) } {
            self.with_leaves::<T, 16>(choices)
        } else if const { has_leaves::<T>(32) } {
            self.with_leaves::<T, 32>(choices)
        } else if const { has_leaves::<T>(64) } {
            self.with_leaves::<T, 64>(choices)
        } else if const { has_leaves::<T>(256) && MOST_LEAVES > 256 } {
            self.with_leaves::<T, 256>(choices)
        } else {
            self.with_leaves::<T, MOST_LEAVES>(choices)
        }
    }

    fn with_leaves<T: TreeBuild<K>, const N: usize>(
        self,
        choices: &mut VecView<u8>,
    ) -> Result<(T, Migrated), Error> {
        let Self { stored, defaults: (default, defaults), matching, take, report } = self;
        let room = &mut heapless::Vec::<K::Owned, N>::new();
        let (mut choices, mut leaves) = (Room::new(choices), Room::new(room));
        let typed: &mut Typed<'_, 'd> = &mut |way, ask| {
            let is_given = match ask {
                Ask::Leaf(walk, place, [stored, default], _) => {
                    let default = default.and_then(|index| defaults.get(index as usize));
                    let mut take_leaf = |dtype, of_type: fn(K::Owned) -> Option<K::Owned>| {
                        let leaf = match stored {
                            Some(stored) => take(walk, place, stored, dtype, default),
                            None => default.cloned(),
                        };
                        let Some(leaf) = leaf.map(of_type) else { return false };
                        let is_taken = leaf.is_some();
                        leaf.into_iter().for_each(|leaf| leaves.push(leaf));
                        if let (false, Some(leaf)) = (is_taken, stored) {
                            walk.refused_leaf(place, Why::WrongLeaf(leaf));
                        }
                        is_taken
                    };
                    answer::<K, T>(way, About::Leaf(&mut take_leaf))
                }
                Ask::Value(index, value, give) => {
                    answer::<K, T>(way, About::Value(index, value, give))
                }
                Ask::Default(index, None) => answer::<K, T>(way, About::Default(index, None)),
                Ask::Default(index, Some(choice)) => {
                    let receivers: Receivers<'_, K::Owned> =
                        (choice, &mut |leaf| leaves.push(leaf));
                    answer::<K, T>(way, About::Default(index, Some(receivers)))
                }
                Ask::Keep(count) => {
                    leaves.truncate(count);
                    true
                }
            };
            is_given.then(|| leaves.len())
        };
        let migrated = make(T::SCHEMA, [stored, default], matching, report, typed, &mut choices)?;
        let mut known = Known::new(choices.all()?, Moved(leaves.take()?));
        match T::build(&mut known) {
            Ok(tree) => Ok((tree, migrated)),
            // What was made is a value of the type, unless its schema differs from what it asks for.
            Err(_) => Err(known.error().unwrap_or(Error::Mismatch { node: 0 })),
        }
    }
}

/// Asks the part of the type with this way.
fn answer<'q, K: LeafTypes, T: TreeBuild<K>>(way: &'q [u32], about: About<'q, K>) -> bool {
    T::answer(&mut Question::new(way, about))
}
