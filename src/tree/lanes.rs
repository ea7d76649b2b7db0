//! Walks several trees of one type together.
//!
//! A *lane* is one of the trees of a walk. The type of a lane is [`Ref`] if its tree is read and [`Mut`] if it is
//! changed in place; a pair `(A, B)` has the lanes of `A`, then those of `B`. The trees have one type, so a container
//! needs a single method for any number of lanes: [`TreeWalk::walk_lanes`](crate::tree::TreeWalk::walk_lanes).
//!
//! `L::Each<R, W>` is one value for each lane: an `R` for each lane that is read, a `W` for each lane that is changed.
//! For `L = (Mut, (Ref, Ref))`:
//!
//! ```text
//! L::Each<&T, &mut T>               = (&mut T, (&T, &T))              the trees
//! L::map(.., |t| (&t.a, &t.b), ..)  = ((&mut A, &mut B), ((&A, &B), (&A, &B)))
//! L::unzip(..)                      = ((&mut A, (&A, &A)), (&mut B, (&B, &B)))
//! ```
//!
//! The two halves of the last line are the lanes of the field `a` and the lanes of the field `b`.

use core::any::Any;

use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::tree::leaf_types::{LeafAs, LeafTypes};

/// The trees of a walk: one reference to a `T` for each lane.
pub type Trees<'a, L, T> = <L as Lanes>::Each<&'a T, &'a mut T>;

/// The leaves that a visitor receives together: one of each lane.
pub type Leaves<'a, L, K> =
    <L as Lanes>::Each<<K as LeafTypes>::Ref<'a>, <K as LeafTypes>::Mut<'a>>;

/// A lane that is read.
///
/// # Examples
///
/// ```
/// use treedef::container::{Lanes, Ref};
///
/// assert_eq!(Ref::map(&[1, 2], |read| read.len(), |write: &mut [i32; 2]| write.len()), 2);
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Ref {}

/// A lane that is changed in place.
///
/// # Examples
///
/// ```
/// use treedef::container::{Lanes, Mut};
///
/// let mut tree = [1, 2];
/// Mut::map(&mut tree, |_: &[i32; 2]| (), |write| write.fill(0));
/// assert_eq!(tree, [0, 0]);
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Mut {}

/// The lanes of a walk: [`Ref`], [`Mut`], or a pair of these, which can be nested.
///
/// Only containers that are written by hand need it: they call its functions in
/// [`TreeWalk::walk_lanes`](crate::tree::TreeWalk::walk_lanes).
///
/// # Examples
///
/// ```
/// use treedef::container::{Lanes, Mut, Ref};
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

    /// One value for each lane: an `R` for each lane that is read, a `W` for each lane that is changed.
    type Each<R, W>;

    /// The iterators of all lanes, advanced together.
    type Iter<R: Iterator, W: Iterator>: Iterator<Item = Self::Each<R::Item, W::Item>>;

    /// Calls `read` or `write` with the value of each lane. [`Lanes`] has an example.
    fn map<R, W, R2, W2>(
        each: Self::Each<R, W>,
        read: impl Fn(R) -> R2 + Copy,
        write: impl Fn(W) -> W2 + Copy,
    ) -> Self::Each<R2, W2>;

    /// Separates the pairs of all lanes into their first and second values. [`Lanes`] has an example.
    fn unzip<R, W, R2, W2>(
        each: Self::Each<(R, R2), (W, W2)>,
    ) -> (Self::Each<R, W>, Self::Each<R2, W2>);

    /// Returns the values in the options of all lanes: the fields of a variant, if all trees are of this variant.
    ///
    /// # Errors
    ///
    /// The index of the first lane whose option is `None`, for [`Depth::differs`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::container::{Lanes, Mut, Ref};
    ///
    /// assert_eq!(<(Ref, Mut)>::all((Some(1), Some('a'))), Ok((1, 'a')));
    /// assert_eq!(<(Ref, Mut)>::all((Some(1), None::<char>)), Err(1));
    /// ```
    fn all<R, W>(each: Self::Each<Option<R>, Option<W>>) -> Result<Self::Each<R, W>, u32>;

    /// Iterates over all lanes together, until the shortest ends.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::container::{Lanes, Mut, Ref};
    ///
    /// let (steps, mut params) = ([1, 2], [30, 40]);
    /// let lanes = (steps.iter(), params.iter_mut());
    /// <(Ref, Mut)>::iter(lanes).for_each(|(step, param)| *param += step);
    /// assert_eq!(params, [31, 42]);
    /// ```
    fn iter<R: Iterator, W: Iterator>(each: Self::Each<R, W>) -> Self::Iter<R, W>;

    /// The value of the first lane.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::container::{Lanes, Mut, Ref};
    ///
    /// assert_eq!(<(Ref, Mut)>::first_value(("read", "changed")), "read");
    /// ```
    fn first_value<X>(each: Self::Each<X, X>) -> X;

    /// The tree of the first lane.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::container::{Lanes, Mut, Ref};
    ///
    /// assert_eq!(<(Ref, Mut)>::first::<i32>(&(&1, &mut 2)), &1);
    /// ```
    fn first<'s, T: ?Sized>(trees: &'s Trees<'_, Self, T>) -> &'s T;

    /// The index of the first lane whose tree does not have the property.
    #[doc(hidden)]
    fn first_that_differs<T: ?Sized>(
        trees: &Trees<'_, Self, T>,
        property: impl Fn(&T) -> bool + Copy,
    ) -> Option<u32>;

    /// Takes the leaf out of `held`. If the lane is read, a copy of the reference stays in `held`, so that the function can
    /// be called again.
    #[doc(hidden)]
    #[inline]
    fn take_or_copy<'a, T>(held: &mut Option<Trees<'a, Self, T>>) -> Option<Trees<'a, Self, T>> {
        held.take()
    }

    /// The leaves, if they are of the type `K`. All trees have one type, so all leaves at a place have.
    #[doc(hidden)]
    #[inline]
    fn of_type<'a, K: 'static>(
        leaves: Self::Each<&'a dyn Any, &'a mut dyn Any>,
    ) -> Option<Trees<'a, Self, K>> {
        Self::all(Self::map(leaves, <dyn Any>::downcast_ref, <dyn Any>::downcast_mut)).ok()
    }

    /// Splits the trees of all lanes into parts: the fields of a struct or a variant, as nested pairs.
    ///
    /// `read` and `write` return `None` for a tree of another variant.
    ///
    /// # Errors
    ///
    /// [`Error::TreesDiffer`] with the first tree of another variant.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Error;
    /// use treedef::container::{Depth, Lanes, Mut, Ref};
    ///
    /// let (first, mut second) = (Some(1), None::<i32>);
    /// let split = <(Ref, Mut)>::split::<Option<i32>, _, _>(
    ///     (&first, &mut second),
    ///     &Depth::default(),
    ///     |option| option.as_ref(),
    ///     |option| option.as_mut(),
    /// );
    /// assert_eq!(split, Err(Error::TreesDiffer { node: 0, tree: 1 }));
    /// ```
    // A function that is no method is inlined earlier, into the walk over an option, which then takes more for each.
    #[inline]
    fn split<'a, T: ?Sized, R, W>(
        trees: Trees<'a, Self, T>,
        depth: &Depth,
        read: impl Fn(&'a T) -> Option<R> + Copy,
        write: impl Fn(&'a mut T) -> Option<W> + Copy,
    ) -> Result<Self::Each<R, W>, Error> {
        Self::all(Self::map(trees, read, write)).map_err(|tree| depth.differs(tree))
    }

    /// Checks that each tree has the node of the first tree, as `same` says of both, and counts it. What `same` does not compare is
    /// compared below.
    ///
    /// # Errors
    ///
    /// [`Error::TreesDiffer`] with the first tree that has another node.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Error;
    /// use treedef::container::{Depth, Lanes, Ref};
    ///
    /// let (mut depth, same_length) = (Depth::default(), |list: &[i32], first: &[i32]| list.len() == first.len());
    /// let (two, three): (&[i32], &[i32]) = (&[1, 2], &[3, 4, 5]);
    /// assert_eq!(<(Ref, Ref)>::same_node::<[i32]>(&(two, two), &mut depth, same_length), Ok(()));
    /// let differs = Err(Error::TreesDiffer { node: 1, tree: 1 });
    /// assert_eq!(<(Ref, Ref)>::same_node::<[i32]>(&(two, three), &mut depth, same_length), differs);
    /// ```
    #[inline]
    fn same_node<T: ?Sized>(
        trees: &Trees<'_, Self, T>,
        depth: &mut Depth,
        same: impl Fn(&T, &T) -> bool + Copy,
    ) -> Result<(), Error> {
        let first = Self::first::<T>(trees);
        require::<Self, T>(trees, depth, |tree| same(tree, first))?;
        Self::count_nodes(depth, 1);
        Ok(())
    }

    /// Counts `nodes` nodes that all trees have: errors name a node by this count. With a single lane nothing is
    /// counted, because one tree cannot differ from itself.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Error;
    /// use treedef::container::{Depth, Lanes, Mut, Ref};
    ///
    /// let mut depth = Depth::default();
    /// <(Ref, Mut)>::count_nodes(&mut depth, 3);
    /// assert_eq!(depth.differs(1), Error::TreesDiffer { node: 3, tree: 1 });
    /// ```
    #[inline]
    fn count_nodes(depth: &mut Depth, nodes: u32) {
        if Self::COUNT > 1 {
            depth.count_nodes(nodes);
        }
    }
}

/// The leaves of all lanes as the items of `K`.
#[inline]
pub fn leaves<'a, L: Lanes, K: LeafTypes + 'a, T: LeafAs<K> + 'a>(
    trees: Trees<'a, L, T>,
) -> Leaves<'a, L, K> {
    L::map(trees, T::by_ref, T::by_mut)
}

/// Checks that all trees have a property, such as the length of the first tree.
///
/// # Errors
///
/// [`Error::TreesDiffer`] with the first tree that does not have the property.
#[inline]
pub fn require<L: Lanes + ?Sized, T: ?Sized>(
    trees: &Trees<'_, L, T>,
    depth: &Depth,
    property: impl Fn(&T) -> bool + Copy,
) -> Result<(), Error> {
    // No closures here: each is a function for each type of tree.
    if L::COUNT > 1
        && let Some(tree) = L::first_that_differs::<T>(trees, property)
    {
        return Err(depth.differs(tree));
    }
    Ok(())
}

/// The functions of a single lane. `$Held` is `R` or `W`.
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
        fn first_value<X>(each: X) -> X {
            each
        }

        #[inline]
        fn first<'s, T: ?Sized>(tree: &'s Trees<'_, Self, T>) -> &'s T {
            tree
        }

        #[inline]
        fn first_that_differs<T: ?Sized>(
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
    fn take_or_copy<'a, T>(held: &mut Option<Trees<'a, Self, T>>) -> Option<Trees<'a, Self, T>> {
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
    fn first_value<X>((a, _): Self::Each<X, X>) -> X {
        A::first_value(a)
    }

    #[inline]
    fn first<'s, T: ?Sized>((a, _): &'s Trees<'_, Self, T>) -> &'s T {
        A::first::<T>(a)
    }

    #[inline]
    fn first_that_differs<T: ?Sized>(
        (a, b): &Trees<'_, Self, T>,
        property: impl Fn(&T) -> bool + Copy,
    ) -> Option<u32> {
        if let Some(lane) = A::first_that_differs::<T>(a, property) {
            return Some(lane);
        }
        let lane = B::first_that_differs::<T>(b, property)?;
        Some(A::COUNT.saturating_add(lane))
    }
}
