//! Rebuilds a tree from a stored structure that differs from what its type has now.
//!
//! This is a [`Rebuild`]: the type asks for what it needs, step by step, and each step is answered by the stored structure if
//! that has it, and otherwise by the structure of the defaults. For a type with the fields `gain` and `curve`:
//!
//! ```text
//! stored     rate: *, curve: [*, *]
//! defaults   gain: *, curve: []
//!
//! the type asks for    stored        defaults     so it gets
//! a struct             root          root
//! the field gain       -             .gain        the default leaf, which is reported as new
//! the field curve      .curve        .curve
//! a list               2 children    0 children   the length 2
//! an element           .curve[0]     -            the stored leaf
//! an element           .curve[1]     -            the stored leaf
//! the end                                         a report that rate is lost
//! ```
//!
//! A tree that cannot be built from what is stored is built again, from its default alone. Only the innermost tree with a
//! default is: so each is built at most twice, however deep it lies.

use crate::base::dtype::Dtype;
use crate::base::error::Error;
use crate::encode::schema::Schema;
use crate::format::head::{Head, Kind, kind_of};
use crate::format::heading::{HeadSpec, KnownHead};
use crate::format::to_value::FromValue;
use crate::format::value::Value;
use crate::tree::build::{BuildSteps, Rebuild, TreeBuild};
use crate::tree::leaf_types::{LeafAs, LeafTypes};
use crate::tree::meta_reader::MetaReader;
use crate::tree::migrate::change::{Matching, Migrated, Migration, Why};
use crate::tree::migrate::children::integer;
use crate::tree::migrate::places::Places;
use crate::tree::migrate::walk::{Child, MISMATCH, Own, Place, Walk};
use crate::tree::reading::{Reading, is_spec};
use crate::treedef::cursor::Siblings;
use crate::treedef::treedef::TreeDef;

/// Makes a stored leaf, by its index, a leaf of a type with this dtype and default. If it refuses the leaf, it reports that.
pub(crate) type Take<'d, 't, O> =
    dyn FnMut(&mut Walk<'d, '_>, &Place<'d>, u32, Option<Dtype>, Option<&O>) -> Option<O> + 't;

/// Rebuilds a tree from stored leaves, which `take` makes leaves of the tree, and from defaults.
struct Migrating<'d, 's, 'w, 't, O> {
    places: Places<'d, 's, 'w>,
    defaults: &'s [O],
    take: &'s mut Take<'d, 't, O>,
}

/// Loads a tree.
pub(crate) fn load<'d, K, T>(
    stored: TreeDef<'d>,
    (default, leaves): (TreeDef<'d>, &[K::Owned]),
    matching: Matching<'_>,
    take: &mut Take<'d, '_, K::Owned>,
    report: &mut dyn FnMut(Migration<'_>),
) -> Result<(T, Migrated), Error>
where
    K: LeafTypes<Owned: Clone>,
    T: TreeBuild<K>,
{
    let mut walk = Walk::new(stored, default, Some(T::SCHEMA), matching, report);
    walk.report_unused(true);
    let mut whole = walk.whole();
    match build::<K, T>(&mut walk, &mut whole, leaves, take) {
        Some(tree) => Ok((tree, walk.finish(&whole))),
        None => Err(walk.error()),
    }
}

/// Builds a child of a container.
#[inline(never)]
fn build<'d, K, T>(
    walk: &mut Walk<'d, '_>,
    child: &mut Child<'d>,
    defaults: &[K::Owned],
    take: &mut Take<'d, '_, K::Owned>,
) -> Option<T>
where
    K: LeafTypes<Owned: Clone>,
    T: TreeBuild<K>,
{
    loop {
        let mut inner = Migrating { places: Places::of(child, walk), defaults, take };
        let tree = T::build(&mut inner, &mut Siblings::root());
        if walk.finish_child(child, tree.is_some()) {
            return tree;
        }
    }
}

impl<'d, O: Clone> Migrating<'d, '_, '_, '_, O> {
    /// The leaf at a place.
    fn leaf_at<K, T>(&mut self, place: &Place<'d>) -> Option<T>
    where
        K: LeafTypes<Owned = O>,
        T: LeafAs<K>,
    {
        let walk = &mut *self.places.walk;
        let (stored, index) = place.leaves();
        let default = index.and_then(|index| self.defaults.get(index as usize));
        if let Some(stored) = stored {
            if let Some(leaf) = (self.take)(walk, place, stored, T::DTYPE, default) {
                if let Some(leaf) = T::leaf(leaf) {
                    walk.count_moved();
                    return Some(leaf);
                }
                walk.refused_leaf(place, Why::Leaf(&Error::WrongLeaf { leaf: stored }));
            }
        } else if place.stored.is_some() && index.is_some() {
            walk.refused(place, Why::Structure);
        }
        match default.cloned().and_then(T::leaf) {
            Some(leaf) => Some(leaf),
            None if stored.is_none() && place.stored.is_some() => {
                walk.fail_at(place.stored, MISMATCH)
            }
            None => walk.fail(Error::WrongLeaf { leaf: index? }),
        }
    }
}

impl<'d, K: LeafTypes<Owned: Clone>> BuildSteps<'d, K> for Migrating<'d, '_, '_, '_, K::Owned> {
    fn reading(&self) -> Option<&Reading<'d>> {
        None
    }

    fn reading_mut(&mut self) -> Option<&mut Reading<'d>> {
        None
    }

    fn next_leaf(&mut self) -> Option<K::Owned> {
        None
    }

    fn key<Q: FromValue>(&self, key: Value<'_>) -> Option<Q> {
        let as_number = || match key {
            Value::Str(text) if self.places.walk.matching.in_any_kind => {
                Q::from_value(Value::Int(integer(text)?))
            }
            _ => None,
        };
        Q::from_value(key).or_else(as_number)
    }

    fn take_none(&mut self, list: &mut Siblings) -> bool {
        self.places.take_none(list)
    }

    fn take_missing(&mut self, list: &mut Siblings) -> bool {
        self.places.take_missing(list)
    }

    fn take_refused(&mut self) -> bool {
        self.places.walk.take_refused()
    }

    fn begin_list(&mut self, list: &mut Siblings) -> Option<Siblings> {
        self.places.begin_list(list)
    }

    fn begin_const(
        &mut self,
        list: &mut Siblings,
        head: &'static Head<'static>,
    ) -> Option<Siblings> {
        self.places.begin_own(list, Own::of(Head::trusted(head.as_bytes())))
    }

    fn begin_any(
        &mut self,
        list: &mut Siblings,
        heads: &'static [Head<'static>],
        others: &'static [&'static str],
    ) -> Option<u32> {
        self.places.begin_any(list, heads, others)
    }

    fn variant(
        &mut self,
        list: &mut Siblings,
        names: &'static [&'static str],
    ) -> Option<&'static str> {
        let index = self.places.variant(list, &[], names)?;
        names.get(index).copied()
    }

    fn begin_struct(
        &mut self,
        list: &mut Siblings,
        name: &str,
        fields: &[&str],
    ) -> Option<(MetaReader<'d>, Siblings)> {
        self.places.begin_struct(list, name, fields)
    }

    fn end_meta<T>(&mut self, meta: MetaReader<'d>, read: Option<T>) -> Option<T> {
        if read.is_none() {
            return self.places.fail(MISMATCH);
        }
        self.places.lose_meta(&meta);
        read
    }
}

impl<'d, K: LeafTypes<Owned: Clone>> Rebuild<'d, K> for Migrating<'d, '_, '_, '_, K::Owned> {
    fn fail<T>(&mut self, error: Error) -> Option<T> {
        self.places.fail(error)
    }

    fn child<T: TreeBuild<K>>(&mut self, list: &mut Siblings) -> Option<T> {
        // A leaf has no children, so it needs no position of its own.
        if const { matches!(T::SCHEMA, Schema::Leaf(..)) } {
            return T::build(self, list);
        }
        let mut child = self.places.child(list)?;
        build::<K, T>(self.places.walk, &mut child, self.defaults, self.take)
    }

    fn leaf<T: LeafAs<K>>(&mut self, list: &mut Siblings) -> Option<T> {
        let place = self.places.place(list)?;
        let leaf = self.leaf_at(&place);
        if leaf.is_none() {
            self.places.walk.fails(&place);
        }
        self.places.walk.leave(&place);
        leaf
    }

    fn peek(&mut self, list: &Siblings) -> Option<Head<'d>> {
        self.places.peek(&mut list.clone())?.head()
    }

    fn begin(&mut self, list: &mut Siblings, kind: Kind) -> Option<(Head<'d>, Siblings)> {
        self.places.begin_kind(list, kind)
    }

    fn begin_with<H: HeadSpec>(&mut self, list: &mut Siblings, spec: &H) -> Option<Siblings> {
        match spec.__known_head() {
            Some(KnownHead::Counted(kind, count)) => {
                self.places.begin_own(list, Own::positions(kind_of(kind << 5), count))
            }
            _ => self.places.begin_spec(list, &|head| is_spec(head, spec)),
        }
    }

    fn end(&mut self, children: Siblings) -> Option<()> {
        self.places.end(&children)
    }
}
