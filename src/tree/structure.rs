//! The structure of a typed tree, by the walk over it: written, compared, counted.

use core::marker::PhantomData;
use core::mem::replace;

use crate::base::attempt::done;
use crate::base::error::Error;
use crate::base::exact_size::count;
use crate::base::target::SMALL_CODE;
use crate::encode::constant::const_def;
use crate::encode::depth::Depth;
use crate::encode::schema::Schema;
use crate::encode::structure::{HasSchema, Structure};
#[cfg(feature = "alloc")]
use crate::encode::treedef_box::{TreeDefBox, structure};
use crate::encode::writer::{OpenNode, Writer};
use crate::format::heading::HeadSpec;
use crate::format::to_value::ToValue;
use crate::tree::lanes::Ref;
use crate::tree::leaf_sink::{VisitLeaves, visit_leaves};
use crate::tree::leaf_types::{LeafAs, LeafTypes, NoLeaves};
use crate::tree::walk::{Sink, TreeWalk, VisitLanes, num_leaves};
use crate::treedef::treedef::TreeDef;

#[diagnostic::do_not_recommend]
impl<T: TreeWalk<NoLeaves> + ?Sized> Structure for T {
    #[inline]
    fn describe(&self, out: &mut Writer<'_>) {
        TreeWalk::<NoLeaves>::walk(self, out);
    }

    #[inline]
    fn num_leaves(&self) -> Result<usize, Error> {
        count_leaves::<NoLeaves, T>(self)
    }
}

/// A tree whose structure is that of its walk over the leaves `K`: a function with leaves `K` has no bound for another walk.
pub(crate) struct ByLeaves<'t, K, T: ?Sized>(&'t T, PhantomData<K>);

impl<'t, K, T: ?Sized> ByLeaves<'t, K, T> {
    pub(crate) const fn new(tree: &'t T) -> Self {
        Self(tree, PhantomData)
    }
}

impl<K: LeafTypes, T: TreeWalk<K> + ?Sized> HasSchema for ByLeaves<'_, K, T> {
    const SCHEMA: &'static Schema = T::SCHEMA;
    const NULLABLE: bool = T::NULLABLE;
}

impl<K: LeafTypes, T: TreeWalk<K> + ?Sized> Structure for ByLeaves<'_, K, T> {
    #[inline]
    fn describe(&self, out: &mut Writer<'_>) {
        TreeWalk::<K>::walk(self.0, out);
    }
}

/// The structure of a tree, on the heap.
#[cfg(feature = "alloc")]
pub(crate) fn structure_of<K: LeafTypes, T: TreeWalk<K> + ?Sized>(tree: &T) -> Option<TreeDefBox> {
    structure(&ByLeaves::<K, T>::new(tree)).ok()
}

/// The number of leaves of a tree.
#[inline]
pub(crate) fn count_leaves<K: LeafTypes, T: TreeWalk<K> + ?Sized>(
    tree: &T,
) -> Result<usize, Error> {
    if let Some(leaves) = T::LEAVES {
        return Ok(leaves);
    }
    let LeafCount { single, many } = visit_leaves::<K, T, _, true>(tree, LeafCount::default())?;
    match many.saturating_add(single) {
        leaves if leaves > u32::MAX as usize => Err(Error::TooLarge),
        leaves => Ok(leaves),
    }
}

/// Writes the structure of a tree, compares it with an expected treedef, or counts it.
impl<'a, K: LeafTypes + 'a> Sink<'a, K> for Writer<'_> {
    type Open = OpenNode;

    const NEEDS_LEAVES: bool = false;

    #[inline(always)]
    fn leaf(&mut self, _: K::Ref<'a>) {
        self.leaves(1);
    }

    #[inline(always)]
    fn run<T: LeafAs<K> + 'a>(&mut self, run: &'a [T]) {
        self.leaves(run.len());
    }

    #[inline(always)]
    fn constant<T: HasSchema + ?Sized>(&mut self) {
        self.subtree_of(const_def::<T>());
    }

    #[inline(always)]
    fn begin<H: HeadSpec>(&mut self, head: &H) -> Option<OpenNode> {
        let node = Writer::begin(self, head);
        node.is_open().then_some(node)
    }

    #[inline(always)]
    fn begin_keys(
        &mut self,
        count: usize,
        keys: impl Iterator<Item: ToValue> + Clone,
    ) -> Option<OpenNode> {
        let node = Writer::begin_keys(self, count, keys);
        node.is_open().then_some(node)
    }

    #[inline(always)]
    fn end(&mut self, node: OpenNode) {
        Writer::end(self, node);
    }

    #[inline(always)]
    fn none(&mut self) {
        Writer::none(self);
    }

    #[inline(always)]
    fn unknown(&mut self, write: &dyn Fn(&mut Writer<'_>)) {
        write(self);
    }

    #[inline(always)]
    fn fail(&mut self, error: Error) {
        Writer::fail(self, error);
    }

    /// Of neighbours that have one structure it receives the first, and a repeat.
    fn elements<T: TreeWalk<K> + 'a>(&mut self, mut elements: impl Iterator<Item = &'a T>) {
        if const { T::TREEDEF.is_some() } {
            return self.equal_children(const_def::<T>(), count(elements));
        }
        let mut next = elements.next();
        // Elements often alternate between two structures, as layers with and without an option. So each is compared with the
        // last two that differ, and has the bytes of the earlier one if it is alike to that.
        let (mut last, mut earlier) = (None, None);
        while let Some(element) = next {
            let from = self.position();
            // `last` is `None` if its bytes are not kept: then it may have the structure of this element, and nothing is copied.
            let copied = match (earlier, last) {
                (Some((other, kept)), Some(_)) if alike::<K, T>(element, other) => {
                    self.copy_of(kept)
                }
                _ => false,
            };
            if !copied {
                element.walk(self);
            }
            // An element that was not written to its end may be too deep to compare.
            if !self.is_well() {
                return;
            }
            let mut copies = 0usize;
            next = loop {
                match elements.next() {
                    Some(other) if alike::<K, T>(other, element) => copies = copies.wrapping_add(1),
                    next => break next,
                }
            };
            if !SMALL_CODE && next.is_some() {
                let kept = self.last_child(from);
                earlier = replace(&mut last, kept.map(|kept| (element, kept)));
            }
            if copies > 0 {
                self.repeat(copies);
            }
        }
    }
}

/// Whether two values have one structure, which a walk over both finds. It can say no although they have.
// It needs no bound for the depth, because `other` is always a value that was written before.
#[inline]
fn alike<'a, K: LeafTypes + 'a, T: TreeWalk<K>>(one: &'a T, other: &'a T) -> bool {
    T::walk_lanes::<(Ref, Ref), Error, _>((one, other), &mut Depth::default(), &mut Alike).is_ok()
}

struct Alike;

impl<'a, K: LeafTypes + 'a> VisitLanes<'a, K, (Ref, Ref), Error> for Alike {
    const NEEDS_LEAVES: bool = false;

    #[inline(always)]
    fn leaf(&mut self, _: (K::Ref<'a>, K::Ref<'a>)) -> Result<(), Error> {
        Ok(())
    }

    #[inline(always)]
    fn run<T: LeafAs<K> + 'a>(&mut self, _: (&'a [T], &'a [T])) -> Result<(), Error> {
        Ok(())
    }

    #[inline]
    fn fixed<T: TreeWalk<K> + 'a>(
        &mut self,
        lists: (&'a [T], &'a [T]),
        depth: &mut Depth,
    ) -> Result<(), Error> {
        if const { T::TREEDEF.is_some() } {
            return Ok(());
        }
        let elements = lists.0.iter().zip(lists.1);
        VisitLanes::<K, _, _>::elements::<T>(self, elements, depth)
    }

    // A function for each type of element. Otherwise a type that is reached both by a field and by a list is there twice at each
    // level, and the time to compile a program doubles with each.
    #[inline(never)]
    fn elements<T: TreeWalk<K> + 'a>(
        &mut self,
        mut elements: impl Iterator<Item = (&'a T, &'a T)>,
        depth: &mut Depth,
    ) -> Result<(), Error> {
        while let Some(both) = elements.next() {
            done!(T::walk_lanes::<(Ref, Ref), Error, Self>(both, depth, self));
        }
        Ok(())
    }
}

/// Counts the leaves of a tree.
#[derive(Default)]
struct LeafCount {
    /// Those that come one by one: never too many for a `usize`.
    single: usize,
    /// Those that come at once, of which there can be more where they have no size.
    many: usize,
}

impl<'a, K: LeafTypes + 'a> VisitLeaves<'a, K> for LeafCount {
    const NEEDS_LEAVES: bool = false;

    #[inline(always)]
    fn leaf(&mut self, _: K::Ref<'a>) {
        self.single = self.single.wrapping_add(1);
    }

    #[inline(always)]
    fn run<T: LeafAs<K> + 'a>(&mut self, run: &'a [T]) {
        self.many = self.many.saturating_add(run.len());
    }

    #[inline(always)]
    fn fixed<T: TreeWalk<K> + 'a, I: Iterator<Item = &'a T>>(&mut self, trees: I) -> Option<I> {
        let leaves = const { num_leaves::<T>() };
        self.many = self.many.saturating_add(leaves.saturating_mul(count(trees)));
        None
    }

    #[inline(always)]
    fn counted(&mut self, leaves: usize) -> bool {
        self.many = self.many.saturating_add(leaves);
        true
    }
}

/// Makes a tree of a type whose values describe themselves to a writer: they have no schema, and no leaves to be visited. `$same` says
/// whether two of them are equal. Without it they always count as different.
macro_rules! written {
    (@same $same:expr) => { $same };
    (@same) => { |_, _| false };
    (
        $(#[$doc:meta])*
        [$($generics:tt)*] $type:ty $(where [$($bounds:tt)*])?, |$tree:ident, $out:ident| $write:expr $(, same: $same:expr)?
    ) => {
        $(#[$doc])*
        impl<$($generics)*> $crate::encode::structure::HasSchema for $type $(where $($bounds)*)? {
            const NULLABLE: bool = true;
        }

        impl<$($generics)*> $crate::tree::walk::TreeWalk<$crate::tree::leaf_types::NoLeaves> for $type $(where $($bounds)*)? {
            fn walk<'walk, S_: $crate::tree::walk::Sink<'walk, $crate::tree::leaf_types::NoLeaves>>(&'walk self, out: &mut S_)
            where
                $crate::tree::leaf_types::NoLeaves: 'walk,
            {
                let $tree = self;
                out.unknown(&|$out| $write);
            }

            fn walk_lanes<
                'walk,
                L_: $crate::tree::lanes::Lanes,
                E_: From<$crate::base::error::Error>,
                V_: $crate::tree::walk::VisitLanes<'walk, $crate::tree::leaf_types::NoLeaves, L_, E_>,
            >(
                trees: $crate::tree::lanes::Trees<'walk, L_, Self>,
                depth: &mut $crate::encode::depth::Depth,
                visit: &mut V_,
            ) -> Result<(), E_>
            where
                $crate::tree::leaf_types::NoLeaves: 'walk,
            {
                L_::same_node::<Self>(&trees, depth, $crate::tree::structure::written!(@same $($same)?))?;
                let _ = visit;
                Ok(())
            }
        }
    };
}
pub(crate) use written;

written!(
    /// A treedef is a structure, and so are tuples, arrays, slices and maps of treedefs: `structure_into(&(a, b), &mut
    /// bytes)` does what `jax.tree_util.treedef_tuple` does.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{structure_into, treedef};
    ///
    /// let (pair, leaf) = (treedef!((*, *)), treedef!(*));
    /// let mut bytes = [0; 8];
    /// assert_eq!(structure_into(&(pair, leaf), &mut bytes)?, treedef!(((*, *), *)));
    /// assert_eq!(structure_into(&[pair, pair], &mut bytes)?, treedef!([(*, *), (*, *)]));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    [] TreeDef<'_>, |def, out| out.subtree(*def), same: |def, first| def == first
);
