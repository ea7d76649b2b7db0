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

use core::fmt::Display;

use crate::base::error::Error;
use crate::encode::const_head::ConstHead;
use crate::format::head::{Head, Kind, kind_of};
use crate::format::heading::{HeadSpec, Known};
use crate::tree::build::{Rebuild, Steps, TreeBuild};
use crate::tree::leaf_types::{LeafAs, LeafTypes};
use crate::tree::meta_reader::MetaReader;
use crate::tree::migrate::change::{Matching, Migrated, Migration, Why};
use crate::tree::migrate::places::{Own, Place, Places};
use crate::tree::reading::{Reading, is_spec};
use crate::tree::vector::Vector;
use crate::treedef::cursor::Siblings;
use crate::treedef::key_path::KeyPath;
use crate::treedef::treedef::TreeDef;

/// Rebuilds a tree from stored leaves, which `take` makes leaves of the tree, and from defaults.
///
/// `take` gets the index of a stored leaf and the path of its place. If it refuses the leaf, it says why.
struct Migrating<'d, 'w, O, F> {
    places: Places<'d, 'w>,
    defaults: &'w [O],
    take: F,
}

/// Loads a tree. `take` is as in [`Migrating`].
pub(crate) fn load<'d, K, T, F, R>(
    stored: TreeDef<'d>,
    (default, leaves): (TreeDef<'d>, &[K::Owned]),
    matching: Matching<'_>,
    take: F,
    report: &mut dyn FnMut(Migration<'_>),
) -> Result<(T, Migrated), Error>
where
    K: LeafTypes<Owned: Clone>,
    T: TreeBuild<K>,
    F: FnMut(u32, KeyPath<'_, '_>) -> Option<Result<K::Owned, R>>,
    R: Display,
{
    let places = Places::new(stored, default, matching, report);
    let mut migrating = Migrating { places, defaults: leaves, take };
    match Rebuild::<K>::child::<T>(&mut migrating, &mut Siblings::root()) {
        Some(tree) => Ok((tree, migrating.places.finish())),
        None => Err(migrating.places.error()),
    }
}

impl<'d, O: Clone, F, R> Migrating<'d, '_, O, F>
where
    F: FnMut(u32, KeyPath<'_, '_>) -> Option<Result<O, R>>,
    R: Display,
{
    /// Builds a tree at the next place.
    // Not inlined, because a child can be built twice.
    #[inline(never)]
    fn build<K, T>(&mut self) -> Option<T>
    where
        K: LeafTypes<Owned = O>,
        T: TreeBuild<K>,
        Self: Rebuild<'d, K>,
    {
        T::build(self, &mut Siblings::root())
    }

    /// The leaf at a place.
    fn leaf_at<K, T>(&mut self, place: &Place<'d>) -> Option<T>
    where
        K: LeafTypes<Owned = O>,
        T: LeafAs<K>,
    {
        let (stored, default) = place.leaves();
        if let Some(stored) = stored {
            match (self.take)(stored, self.places.path()) {
                Some(Ok(leaf)) => match T::leaf(leaf) {
                    Some(leaf) => {
                        self.places.moved = self.places.moved.saturating_add(1);
                        return Some(leaf);
                    }
                    None => {
                        self.places.refused(place, Why::Leaf(&Error::WrongLeaf { leaf: stored }))
                    }
                },
                Some(Err(why)) => self.places.refused(place, Why::Leaf(&why)),
                // The leaves end before those of the structure.
                None => {}
            }
        } else if place.stored.is_some() && default.is_some() {
            self.places.refused(place, Why::Structure);
        }
        match self.defaults.get(default? as usize).cloned().and_then(T::leaf) {
            Some(leaf) => Some(leaf),
            None => self.places.fail(Error::WrongLeaf { leaf: default? }),
        }
    }
}

impl<'d, K, F, R> Steps<'d, K> for Migrating<'d, '_, K::Owned, F>
where
    K: LeafTypes<Owned: Clone>,
    F: FnMut(u32, KeyPath<'_, '_>) -> Option<Result<K::Owned, R>>,
    R: Display,
{
    fn reading(&self) -> Option<&Reading<'d>> {
        None
    }

    fn reading_mut(&mut self) -> Option<&mut Reading<'d>> {
        None
    }

    fn next_leaf(&mut self) -> Option<K::Owned> {
        None
    }

    fn fill<T: TreeBuild<K>, C: Vector<T>>(
        &mut self,
        list: &mut Siblings,
        elements: &mut C,
        full: Error,
    ) -> Option<()> {
        for _ in 0..list.left() {
            if !elements.add(self.child(list)?) {
                return self.places.fail(full);
            }
        }
        Some(())
    }

    fn take_none(&mut self, list: &mut Siblings) -> bool {
        let place = self.places.peek(list);
        let is_none =
            place.and_then(|place| place.head()).is_some_and(|head| head.kind() == Kind::None);
        if is_none && let Some(place) = self.places.place(list) {
            self.places.leave(&place);
        }
        is_none
    }

    fn take_missing(&mut self, list: &mut Siblings) -> bool {
        self.places.take_missing(list)
    }

    fn begin_list(&mut self, list: &mut Siblings) -> Option<Siblings> {
        let place = self.places.place(list)?;
        let arity = place.inside()?.head().num_children();
        self.places.begin(&place, Own::positions(Kind::List, arity), true)
    }

    fn begin_const(&mut self, list: &mut Siblings, head: &'static ConstHead) -> Option<Siblings> {
        let place = self.places.place(list)?;
        self.places.begin(&place, Own::of(Head::trusted(head.as_bytes())), false)
    }

    fn begin_any(&mut self, list: &mut Siblings, heads: &'static [ConstHead]) -> Option<u32> {
        let place = self.places.peek(list)?;
        let node = place.inside()?;
        let mut own = (0..).zip(heads.iter().map(|head| Head::trusted(head.as_bytes())));
        let found = own.find(|(_, head)| self.places.is_struct(node, head.type_name()));
        let Some((index, head)) = found else { return Some(u32::MAX) };
        let place = self.places.place(list)?;
        self.places.begin(&place, Own::of(head), false)?;
        Some(index)
    }

    fn begin_struct(
        &mut self,
        list: &mut Siblings,
        name: &str,
        fields: &[&str],
    ) -> Option<(MetaReader<'d>, Siblings)> {
        let place = self.places.place(list)?;
        let [default, stored] = place.heads();
        let is_own = |head: &Head<'_>| {
            head.type_name() == Some(name) && head.fields().eq(fields.iter().copied())
        };
        let own = default.filter(is_own).or(stored.filter(is_own));
        let Some(own) = own else { return self.places.fail(Error::Mismatch { node: 0 }) };
        let children = self.places.begin(&place, Own::with_names_of(own), false)?;
        Some((MetaReader::of_either(stored, default), children))
    }
}

impl<'d, K, F, R> Rebuild<'d, K> for Migrating<'d, '_, K::Owned, F>
where
    K: LeafTypes<Owned: Clone>,
    F: FnMut(u32, KeyPath<'_, '_>) -> Option<Result<K::Owned, R>>,
    R: Display,
{
    fn fail<T>(&mut self, error: Error) -> Option<T> {
        self.places.fail(error)
    }

    fn child<T: TreeBuild<K>>(&mut self, list: &mut Siblings) -> Option<T> {
        let place = self.places.place(list)?;
        let around = self.places.enter(&place);
        let mut tree = self.build::<K, T>();
        if tree.is_none() && place.stored.is_some() && place.default.is_some() {
            let why = self.places.retry(&place, &around);
            tree = self.build::<K, T>();
            if tree.is_some() {
                self.places.replaced(&place, &around, why);
            }
        }
        self.places.exit(&place, around);
        tree
    }

    fn leaf<T: LeafAs<K>>(&mut self, list: &mut Siblings) -> Option<T> {
        let place = self.places.place(list)?;
        let leaf = self.leaf_at(&place);
        self.places.leave(&place);
        leaf
    }

    fn peek(&mut self, list: &Siblings) -> Option<Head<'d>> {
        self.places.peek(&mut list.clone())?.head()
    }

    fn begin(&mut self, list: &mut Siblings, kind: Kind) -> Option<(Head<'d>, Siblings)> {
        let place = self.places.place(list)?;
        let head = place.inside()?.head();
        if head.kind() != kind {
            return self.places.fail(Error::Mismatch { node: 0 });
        }
        Some((head, self.places.begin(&place, Own::of(head), true)?))
    }

    fn begin_with<H: HeadSpec>(&mut self, list: &mut Siblings, spec: &H) -> Option<Siblings> {
        let place = self.places.place(list)?;
        let is_own = |head: &Head<'_>| is_spec(head, spec);
        let [default, stored] = place.heads();
        let own = match spec.__known() {
            Some(Known::Counted(kind, count)) => Own::positions(kind_of(kind << 5), count),
            _ => match [Some(Head::SOME), default, stored].into_iter().flatten().find(is_own) {
                Some(head) => Own::of(head),
                None => return self.places.fail(Error::Mismatch { node: 0 }),
            },
        };
        self.places.begin(&place, own, false)
    }

    fn end(&mut self, children: Siblings) -> Option<()> {
        self.places.end(&children)
    }
}
