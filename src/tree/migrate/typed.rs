//! Loads a stored tree as a value of a type: asks the type, and collects the leaves.

use core::marker::PhantomData;

use crate::base::dtype::Dtype;
use crate::base::error::Error;
use crate::base::levels;
use crate::encode::max_sizes::{MaxSizes, max_choices};
use crate::encode::schema::Schema;
use crate::encode::structure::HasSchema;
use crate::format::value::Value;
use crate::tree::build::TreeBuild;
use crate::tree::build::from_choices::FromChoices;
use crate::tree::build::leaves::Moved;
use crate::tree::choices::assert_choices;
use crate::tree::leaf_types::LeafTypes;
use crate::tree::migrate::aliases::Cursors;
use crate::tree::migrate::by_field::ByField;
use crate::tree::migrate::change::{Matching, Migrated, Migration, Why};
use crate::tree::migrate::children::Node;
use crate::tree::migrate::making::{Making, OfType};
use crate::tree::migrate::node::{Place, StoredNode};
use crate::tree::migrate::question::{About, OfDefault, Question};
use crate::tree::migrate::reports::Reported;
use crate::tree::migrate::room::{ChoiceBytes, Leaves, NOWHERE, count_stored};
use crate::tree::migrate::walk::{MISMATCH, Walk};
use crate::treedef::treedef::TreeDef;

/// A walk through treedefs.
pub(crate) type OfTrees<'m, 'w, 'd> = Walk<'m, 'd, Node<'d>, Reported<'d, 'w>>;

/// Begins a walk through treedefs: what is stored, and the defaults.
pub(crate) fn of_trees<'m, 'w, 'd>(
    matching: Matching<'m>,
    defs: [TreeDef<'d>; 2],
    schema: Option<&'m Schema>,
    by_field: Option<&'m ByField<'d, Node<'d>>>,
    cursors: &'m Cursors<'d, Node<'d>>,
    report: &'w mut dyn FnMut(Migration<'_>),
) -> OfTrees<'m, 'w, 'd> {
    let [stored, _] = defs;
    let by_alias = matching.by_alias.map(|table| table(stored));
    let (nodes, reports) = (defs.map(Node::root), Reported::new(stored, report));
    Walk::new(matching, nodes, schema, (by_alias, by_field), cursors, reports)
}

/// Makes a stored leaf, by its index, a leaf of a place with this dtype and default. If it refuses the leaf, it reports that.
pub(crate) type Take<'d, 't, O> = dyn FnMut(
        &mut OfTrees<'_, '_, 'd>,
        &Place<'_, 'd, Node<'d>>,
        u32,
        Option<Dtype>,
        Option<&O>,
    ) -> Option<O>
    + 't;

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
    /// Loads the tree.
    pub(crate) fn run<T: TreeBuild<K>>(self) -> Result<(T, Migrated), Error> {
        const { assert_choices::<T>() };
        // The room for leaves is one of a few sizes, because it cannot depend on a type parameter.
        // Only the arm that is taken reaches the program.
        if const { has_leaves::<T>(8) } {
            self.with_leaves::<T, 8>()
        } else if const { has_leaves::<T>(16) } {
            self.with_leaves::<T, 16>()
        } else if const { has_leaves::<T>(32) } {
            self.with_leaves::<T, 32>()
        } else if const { has_leaves::<T>(64) } {
            self.with_leaves::<T, 64>()
        } else if const { has_leaves::<T>(256) && MOST_LEAVES > 256 } {
            self.with_leaves::<T, 256>()
        } else {
            self.with_leaves::<T, MOST_LEAVES>()
        }
    }

    fn with_leaves<T: TreeBuild<K>, const N: usize>(self) -> Result<(T, Migrated), Error> {
        let Self { stored, defaults: (default, defaults), matching, take, report } = self;
        let (leaves, sources) =
            (&mut heapless::Vec::<K::Owned, N>::new(), &mut heapless::Vec::<u32, N>::new());
        let (mut small, mut large) = ([0; 32], [0; MOST_CHOICES]);
        let mut choices = ChoiceBytes::new(match const { max_choices(T::SCHEMA) } {
            ..=32 => &mut small,
            _ => &mut large,
        });
        let (leaves, sources) = (Leaves::new(leaves), Leaves::new(sources));
        let mut of_type = LeavesOf::<K, T> { leaves, sources, defaults, take, of: PhantomData };
        let (mut by_field, mut count) = (None, matching.by_alias.map(|table| table(stored).count));
        if const { T::SCHEMA.has_aliases() } {
            by_field = Some(ByField::ALL);
            count = Some(count_stored);
        }
        let (defs, cursors) = ([stored, default], &Cursors::new());
        let walk = of_trees(matching, defs, Some(T::SCHEMA), by_field, cursors, report);
        let mut migrated = make(T::SCHEMA, walk, &mut of_type, &mut choices)?;
        // Without aliases no leaf is moved twice, so that those that were moved need no second count.
        if let Some(count) = count {
            migrated.moved = count(of_type.sources.as_mut_slice());
            migrated.lost = stored.num_leaves().saturating_sub(migrated.moved);
        }
        let mut known = FromChoices::new(choices.all()?, Moved(of_type.leaves.take()?));
        match T::build(&mut known) {
            Ok(tree) => Ok((tree, migrated)),
            // What was made is a value of the type, unless its schema differs from what it asks for.
            Err(_) => Err(known.error().unwrap_or(MISMATCH)),
        }
    }
}

/// Makes the choices and the leaves of the value. It does not depend on the type, so a program has it once.
#[inline(never)]
pub(crate) fn make<'d, 'w>(
    schema: &'static Schema,
    walk: OfTrees<'_, 'w, 'd>,
    of_type: &mut dyn OfType<'d, Node<'d>, Reported<'d, 'w>>,
    choices: &mut ChoiceBytes<'_>,
) -> Result<Migrated, Error> {
    Making { walk, of_type, choices, way: levels::empty() }.whole(schema)
}

/// The type that is loaded, and the leaves that are made.
struct LeavesOf<'s, 'r, 'd, 't, K: LeafTypes, T> {
    leaves: Leaves<'r, K::Owned>,
    /// Which stored leaf each of them is.
    sources: Leaves<'r, u32>,
    defaults: &'s [K::Owned],
    take: &'s mut Take<'d, 't, K::Owned>,
    of: PhantomData<T>,
}

impl<'d, K, T> LeavesOf<'_, '_, 'd, '_, K, T>
where
    K: LeafTypes<Owned: Clone>,
    T: TreeBuild<K>,
{
    /// Asks the part of the type with this way.
    fn answer<'q>(way: &'q [u32], about: About<'q, K>) -> bool {
        T::answer(&mut Question::new(way, about))
    }

    /// Makes the leaf that `make` gives for the part with this way, and that is this stored one; `Some(false)` if the part has a leaf of
    /// another type.
    fn push(
        &mut self,
        way: &[u32],
        source: u32,
        mut make: impl FnMut(&mut Self, Option<Dtype>) -> Option<K::Owned>,
    ) -> Option<bool> {
        let mut is_made = None;
        let take = &mut |dtype, of_type: fn(K::Owned) -> Option<K::Owned>| {
            let leaf = make(self, dtype).map(of_type);
            is_made = leaf.as_ref().map(Option::is_some);
            leaf.into_iter().flatten().for_each(|leaf| self.keep(leaf, source));
            is_made == Some(true)
        };
        Self::answer(way, About::Leaf(take));
        is_made
    }

    fn keep(&mut self, leaf: K::Owned, source: u32) {
        self.leaves.push(leaf);
        self.sources.push(source);
    }
}

impl<'d, 'm, K, T> OfType<'d, Node<'d>, Reported<'d, 'm>> for LeavesOf<'_, '_, 'd, '_, K, T>
where
    K: LeafTypes<Owned: Clone>,
    T: TreeBuild<K>,
{
    fn len(&self) -> usize {
        self.leaves.len()
    }

    fn truncate(&mut self, len: usize) {
        self.leaves.truncate(len);
        self.sources.truncate(len);
    }

    fn take(
        &mut self,
        walk: &mut OfTrees<'_, 'm, 'd>,
        way: &[u32],
        place: &Place<'_, 'd, Node<'d>>,
        leaf: u32,
        _: &'static str,
    ) -> bool {
        let defaults = self.defaults;
        let default = place.default.and_then(Node::leaf);
        let default = default.and_then(|index| defaults.get(index as usize));
        let made = self.push(way, leaf, |own, dtype| (own.take)(walk, place, leaf, dtype, default));
        if made == Some(false) {
            walk.refused_leaf(place, Why::WrongLeaf(leaf));
        }
        made == Some(true)
    }

    fn take_default(&mut self, way: &[u32], leaf: u32) -> bool {
        let default = |own: &mut Self, _| own.defaults.get(leaf as usize).cloned();
        self.push(way, NOWHERE, default) == Some(true)
    }

    fn takes_value(
        &mut self,
        way: &[u32],
        index: u32,
        value: Option<Value<'_>>,
        give: &mut dyn FnMut(&Value<'_>),
    ) -> bool {
        Self::answer(way, About::Value(index, value, give))
    }

    fn has_default(&mut self, way: &[u32], index: u32, choice: Option<&mut dyn FnMut(u8)>) -> bool {
        let Some(choice) = choice else {
            return Self::answer(way, About::Default(index, None));
        };
        let take = &mut |part: OfDefault<'_, K>| match part {
            OfDefault::Choice(byte) => choice(byte),
            OfDefault::Leaf(leaf) => self.keep(K::cloned(leaf), NOWHERE),
        };
        Self::answer(way, About::Default(index, Some(take)))
    }
}
