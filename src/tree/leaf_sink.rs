//! Gives the leaves of one tree, which is read, to a visitor.

use crate::base::error::Error;
use crate::encode::depth::MAX_DEPTH;
use crate::encode::structure::HasSchema;
use crate::encode::writer::Writer;
use crate::format::heading::HeadSpec;
use crate::tree::leaf_types::{LeafAs, LeafTypes};
use crate::tree::walk::{FAILED, Sink, TreeWalk, num_leaves};

/// Receives the leaves of one tree in order.
pub(crate) trait VisitLeaves<'a, K: LeafTypes + 'a>: Sized {
    /// Whether the visitor must see no leaf after an error. If its result is dropped then, `false` costs less.
    const UNTIL_ERROR: bool = false;

    /// Whether it reads the leaves. Otherwise it needs their number alone, also of trees of constant structure.
    const NEEDS_LEAVES: bool = true;

    /// Visits a leaf.
    fn leaf(&mut self, leaf: K::Ref<'a>);

    /// Visits a slice of leaves.
    #[inline]
    fn run<T: LeafAs<K> + 'a>(&mut self, run: &'a [T]) {
        run.iter().for_each(|leaf| self.leaf(T::by_ref(leaf)));
    }

    /// Whether it needs no more leaves: a list is left then.
    #[inline(always)]
    fn is_done(&self) -> bool {
        false
    }

    /// Visits the leaves of trees that all have the number of leaves that [`HasSchema::LEAVES`](crate::tree::HasSchema::LEAVES) is, if
    /// it can do so at once. Otherwise it returns them.
    #[inline(always)]
    fn fixed<T: TreeWalk<K> + 'a, I: Iterator<Item = &'a T>>(&mut self, trees: I) -> Option<I> {
        Some(trees)
    }

    /// Takes leaves that it need not read, and returns whether it does.
    #[inline(always)]
    fn counted(&mut self, _: usize) -> bool {
        false
    }
}

impl<'a, K: LeafTypes + 'a, F: FnMut(K::Ref<'a>)> VisitLeaves<'a, K> for F {
    const UNTIL_ERROR: bool = true;

    #[inline]
    fn leaf(&mut self, leaf: K::Ref<'a>) {
        self(leaf);
    }
}

/// Visits the leaves of a tree, and returns the visitor. Only if `BOUNDED` it counts levels: without that the tree is known not to be too
/// deep, because its structure was written or compared before, or its type determines the number of its leaves.
#[inline]
pub(crate) fn visit_leaves<'a, K, T, V, const BOUNDED: bool>(
    tree: &'a T,
    visit: V,
) -> Result<V, Error>
where
    K: LeafTypes + 'a,
    T: TreeWalk<K> + ?Sized,
    V: VisitLeaves<'a, K>,
{
    let mut sink = LeafSink::<V, BOUNDED> { visit, depth: 0, error: None };
    TreeWalk::<K>::walk(tree, &mut sink);
    match sink.error {
        Some(error) => Err(error),
        None if sink.depth > MAX_DEPTH => Err(Error::TooDeep { limit: MAX_DEPTH }),
        None => Ok(sink.visit),
    }
}

/// The sink of a visitor.
struct LeafSink<V, const BOUNDED: bool> {
    visit: V,
    /// The number of nodes that are open, if it is bounded; [`FAILED`] and near it after an error.
    depth: u32,
    /// The first error, if it is not that there are too many levels.
    error: Option<Error>,
}

impl<V, const BOUNDED: bool> LeafSink<V, BOUNDED> {
    #[inline(always)]
    const fn is_well(&self) -> bool {
        self.depth <= MAX_DEPTH
    }
}

impl<'a, K, V, const BOUNDED: bool> Sink<'a, K> for LeafSink<V, BOUNDED>
where
    K: LeafTypes + 'a,
    V: VisitLeaves<'a, K>,
{
    type Open = ();

    const NEEDS_LEAVES: bool = V::NEEDS_LEAVES;

    #[inline(always)]
    fn constant<T: HasSchema + ?Sized>(&mut self) {
        self.visit.counted(const { num_leaves::<T>() });
    }

    #[inline(always)]
    fn leaf(&mut self, leaf: K::Ref<'a>) {
        if const { !BOUNDED || !V::UNTIL_ERROR } || self.is_well() {
            self.visit.leaf(leaf);
        }
    }

    #[inline(always)]
    fn run<T: LeafAs<K> + 'a>(&mut self, run: &'a [T]) {
        if const { !BOUNDED || !V::UNTIL_ERROR } || self.is_well() {
            self.visit.run::<T>(run);
        }
    }

    #[inline(always)]
    fn begin<H: HeadSpec>(&mut self, _: &H) -> Option<()> {
        if BOUNDED {
            if self.depth >= MAX_DEPTH {
                // No error is kept here: the call would keep the compiler from holding the visitor in registers. `visit_leaves` makes
                // the error of the depth.
                self.depth = FAILED;
                return None;
            }
            self.depth = self.depth.wrapping_add(1);
        }
        Some(())
    }

    #[inline(always)]
    fn end(&mut self, (): ()) {
        if BOUNDED {
            self.depth = self.depth.wrapping_sub(1);
        }
    }

    #[inline]
    fn elements<T: TreeWalk<K> + 'a>(&mut self, elements: impl Iterator<Item = &'a T>) {
        let elements = match const { T::LEAVES } {
            Some(_) => self.visit.fixed::<T, _>(elements),
            None => Some(elements),
        };
        let Some(mut elements) = elements else { return };
        while let Some(element) = elements.next() {
            element.walk(self);
            if self.visit.is_done() {
                return;
            }
        }
    }

    fn unknown(&mut self, write: &dyn Fn(&mut Writer<'_>)) {
        let mut out = Writer::count_leaves();
        write(&mut out);
        match out.finish_leaves() {
            Ok(leaves) if leaves == 0 || self.visit.counted(leaves) => {}
            Ok(expected) => {
                Sink::<'_, K>::fail(self, Error::TooFewLeaves { expected, found: 0 });
            }
            Err(error) => Sink::<'_, K>::fail(self, error),
        }
    }

    #[inline]
    fn fail(&mut self, error: Error) {
        if self.is_well() {
            self.error = Some(error);
            self.depth = FAILED;
        }
    }
}
