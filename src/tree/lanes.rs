//! Several trees of one type, walked together.
//!
//! A *lane* is one of the trees of a walk. A walk is generic over how its lanes are held: [`Ref`] is a lane that is
//! read, [`Mut`] one that is changed in place, and a pair of lists of lanes is a longer list. The trees have one type,
//! so a container writes one method, [`TreeRead::walk_lanes`](crate::tree::TreeRead::walk_lanes), for one tree and for
//! many.
//!
//! `L::Each<R, W>` is one value for each lane: an `R` for each that is read, a `W` for each that is changed. For
//! `L = (Mut, (Ref, Ref))`:
//!
//! ```text
//! L::Each<&T, &mut T>               = (&mut T, (&T, &T))              the trees
//! L::map(.., |t| (&t.a, &t.b), ..)  = ((&mut A, &mut B), ((&A, &B), (&A, &B)))
//! L::unzip(..)                      = ((&mut A, (&A, &A)), (&mut B, (&B, &B)))
//! ```
//!
//! The two halves of the last line are the lanes of the field `a` and the lanes of the field `b`.

use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::tree::family::{Holds, LeafTypes};

pub use crate::tree::pairing::Pairing;
pub use crate::tree::zip::{Lane, ZipWith};

/// The trees of a walk: one reference to a `T` for each lane.
pub type Trees<'a, L, T> = <L as Lanes>::Each<&'a T, &'a mut T>;

/// What a visitor gets: one leaf of each lane.
pub type Leaves<'a, L, K> =
    <L as Lanes>::Each<<K as LeafTypes>::Ref<'a>, <K as LeafTypes>::Mut<'a>>;

/// A lane that is read.
#[derive(Clone, Copy, Debug)]
pub enum Ref {}

/// A lane that is changed in place.
#[derive(Clone, Copy, Debug)]
pub enum Mut {}

/// How the trees of a walk are held: [`Ref`], [`Mut`], or a pair of such lists.
///
/// Containers that are written by hand call its functions in
/// [`TreeRead::walk_lanes`](crate::tree::TreeRead::walk_lanes); other code does not need it.
///
/// # Examples
///
/// ```
/// use treedef::tree::lanes::{Lanes, Mut, Ref};
///
/// let (mut first, second) = ((1, 'a'), (2, 'b'));
/// let trees = (&mut first, &second);
/// let fields = <(Mut, Ref)>::map(trees, |(n, c)| (n, c), |(n, c)| (n, c));
/// let (numbers, chars) = <(Mut, Ref)>::unzip(fields);
/// assert_eq!(numbers, (&mut 1, &2));
/// assert_eq!(chars, (&mut 'a', &'b'));
/// ```
pub trait Lanes {
    /// The number of lanes.
    const COUNT: u32;

    /// One value for each lane: an `R` for each that is read, a `W` for each that is changed.
    type Each<R, W>;

    /// The iterators of all lanes, advanced together.
    type Iter<R: Iterator, W: Iterator>: Iterator<Item = Self::Each<R::Item, W::Item>>;

    /// Calls `read` or `write` with the value of each lane.
    fn map<R, W, R2, W2>(
        each: Self::Each<R, W>,
        read: impl Fn(R) -> R2 + Copy,
        write: impl Fn(W) -> W2 + Copy,
    ) -> Self::Each<R2, W2>;

    /// Takes the pairs of all lanes apart.
    fn unzip<R, W, R2, W2>(
        each: Self::Each<(R, R2), (W, W2)>,
    ) -> (Self::Each<R, W>, Self::Each<R2, W2>);

    /// What is in the options of all lanes.
    ///
    /// # Errors
    ///
    /// The first lane whose option is `None`.
    fn all<R, W>(each: Self::Each<Option<R>, Option<W>>) -> Result<Self::Each<R, W>, u32>;

    /// Iterates over all lanes together, to the end of the shortest.
    fn iter<R: Iterator, W: Iterator>(each: Self::Each<R, W>) -> Self::Iter<R, W>;

    /// The value of the first lane.
    fn one<X>(each: Self::Each<X, X>) -> X;

    /// The tree of the first lane.
    fn first<'s, T: ?Sized>(trees: &'s Trees<'_, Self, T>) -> &'s T;

    /// The first lane whose tree has not the property.
    fn odd<T: ?Sized>(
        trees: &Trees<'_, Self, T>,
        property: impl Fn(&T) -> bool + Copy,
    ) -> Option<u32>;

    /// The leaf that `held` holds. Where the lane is read, `held` keeps it, so that it can be shown again.
    #[inline]
    fn show<'a, T>(held: &mut Option<Trees<'a, Self, T>>) -> Option<Trees<'a, Self, T>> {
        held.take()
    }

    /// The leaves of all lanes, as items of a family.
    #[inline]
    fn leaf<'a, K: Holds<T> + 'a, T: 'a>(trees: Trees<'a, Self, T>) -> Leaves<'a, Self, K> {
        Self::map(trees, K::by_ref, K::by_mut)
    }

    /// The parts of the trees of all lanes: the fields of a struct or a variant, as nested pairs.
    ///
    /// `read` and `write` give `None` for a tree that is another variant.
    ///
    /// # Errors
    ///
    /// [`Error::TreesDiffer`] with the first such tree.
    #[inline]
    fn split<'a, T: ?Sized, R, W>(
        trees: Trees<'a, Self, T>,
        depth: &Depth,
        read: impl Fn(&'a T) -> Option<R> + Copy,
        write: impl Fn(&'a mut T) -> Option<W> + Copy,
    ) -> Result<Self::Each<R, W>, Error> {
        Self::all(Self::map(trees, read, write)).map_err(|tree| depth.differs(tree))
    }

    /// Compares a property of the trees, such as a length, with that of the first.
    ///
    /// # Errors
    ///
    /// [`Error::TreesDiffer`] with the first tree that has not the property.
    #[inline]
    fn same<T: ?Sized>(
        trees: &Trees<'_, Self, T>,
        depth: &Depth,
        property: impl Fn(&T) -> bool + Copy,
    ) -> Result<(), Error> {
        match Self::COUNT > 1 {
            true => Self::odd::<T>(trees, property).map_or(Ok(()), |tree| Err(depth.differs(tree))),
            false => Ok(()),
        }
    }

    /// Counts nodes that all trees have, for the place in an error: one tree alone cannot differ.
    #[inline]
    fn pass(depth: &mut Depth, nodes: u32) {
        if Self::COUNT > 1 {
            depth.pass(nodes);
        }
    }
}

/// The functions of a single lane, whose `Each<R, W>` is `$Held`, one of the two.
macro_rules! single {
    ($Held:ident, |$read:ident, $write:ident| $own:ident) => {
        const COUNT: u32 = 1;
        type Each<R, W> = $Held;
        type Iter<R: Iterator, W: Iterator> = $Held;

        #[inline]
        fn map<R, W, R2, W2>(
            each: Self::Each<R, W>,
            $read: impl Fn(R) -> R2 + Copy,
            $write: impl Fn(W) -> W2 + Copy,
        ) -> Self::Each<R2, W2> {
            $own(each)
        }

        #[inline]
        fn unzip<R, W, R2, W2>(
            each: Self::Each<(R, R2), (W, W2)>,
        ) -> (Self::Each<R, W>, Self::Each<R2, W2>) {
            each
        }

        #[inline]
        fn all<R, W>(each: Self::Each<Option<R>, Option<W>>) -> Result<Self::Each<R, W>, u32> {
            each.ok_or(0)
        }

        #[inline]
        fn iter<R: Iterator, W: Iterator>(each: Self::Each<R, W>) -> Self::Iter<R, W> {
            each
        }

        #[inline]
        fn one<X>(each: X) -> X {
            each
        }

        #[inline]
        fn first<'s, T: ?Sized>(tree: &'s Trees<'_, Self, T>) -> &'s T {
            tree
        }

        #[inline]
        fn odd<T: ?Sized>(
            tree: &Trees<'_, Self, T>,
            property: impl Fn(&T) -> bool + Copy,
        ) -> Option<u32> {
            if property(tree) { None } else { Some(0) }
        }
    };
}

impl Lanes for Ref {
    single!(R, |read, _write| read);

    #[inline]
    fn show<'a, T>(held: &mut Option<Trees<'a, Self, T>>) -> Option<Trees<'a, Self, T>> {
        *held
    }
}

impl Lanes for Mut {
    single!(W, |_read, write| write);
}

impl<A: Lanes, B: Lanes> Lanes for (A, B) {
    const COUNT: u32 = A::COUNT.saturating_add(B::COUNT);
    type Each<R, W> = (A::Each<R, W>, B::Each<R, W>);
    type Iter<R: Iterator, W: Iterator> = core::iter::Zip<A::Iter<R, W>, B::Iter<R, W>>;

    #[inline]
    fn map<R, W, R2, W2>(
        (a, b): Self::Each<R, W>,
        read: impl Fn(R) -> R2 + Copy,
        write: impl Fn(W) -> W2 + Copy,
    ) -> Self::Each<R2, W2> {
        (A::map(a, read, write), B::map(b, read, write))
    }

    #[inline]
    fn unzip<R, W, R2, W2>(
        (a, b): Self::Each<(R, R2), (W, W2)>,
    ) -> (Self::Each<R, W>, Self::Each<R2, W2>) {
        let ((a, a2), (b, b2)) = (A::unzip(a), B::unzip(b));
        ((a, b), (a2, b2))
    }

    #[inline]
    fn all<R, W>((a, b): Self::Each<Option<R>, Option<W>>) -> Result<Self::Each<R, W>, u32> {
        let a = A::all(a)?;
        Ok((a, B::all(b).map_err(|lane| A::COUNT.saturating_add(lane))?))
    }

    #[inline]
    fn iter<R: Iterator, W: Iterator>((a, b): Self::Each<R, W>) -> Self::Iter<R, W> {
        A::iter(a).zip(B::iter(b))
    }

    #[inline]
    fn one<X>((a, _): Self::Each<X, X>) -> X {
        A::one(a)
    }

    #[inline]
    fn first<'s, T: ?Sized>((a, _): &'s Trees<'_, Self, T>) -> &'s T {
        A::first::<T>(a)
    }

    #[inline]
    fn odd<T: ?Sized>(
        (a, b): &Trees<'_, Self, T>,
        property: impl Fn(&T) -> bool + Copy,
    ) -> Option<u32> {
        let in_b = || B::odd::<T>(b, property).map(|lane| A::COUNT.saturating_add(lane));
        A::odd::<T>(a, property).or_else(in_b)
    }
}
