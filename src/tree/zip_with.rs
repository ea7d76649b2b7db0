//! Several trees of one type, and further trees: with leaves of other types, or prefixes.

#[cfg(feature = "alloc")]
use alloc::vec::{self, Vec};

use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::tree::lanes::{Lanes, Ref, Trees};
use crate::tree::pairing::Pairing;
use crate::tree::reduce::Folded;
#[cfg(feature = "alloc")]
use crate::tree::traits::MapTree;
use crate::tree::traits::{Leaf, TreeRead, ZipPrefix};
use crate::tree::zip::{for_each_and_reduce, nested, nested_mode, nested_pattern, nested_ref};
use crate::tree::zip_trees::{Compare, Lane, ZipTrees};

/// Several trees of one type and one to three further trees, from [`Zip::with`](crate::tree::Zip::with) or
/// [`Zip::under`](crate::tree::Zip::under).
///
/// # Examples
///
/// ```
/// use treedef::zip;
///
/// let (values, mask) = ([1.0f32, 2.0], [true, false]);
/// let kept = zip((&values,)).with(&mask).reduce(0.0, |sum, x, keep| if *keep { sum + x } else { sum });
/// assert_eq!(kept, Ok(1.0));
/// ```
///
/// A mask and a rate for each layer, in one pass (feature `alloc`):
///
/// ```
/// # #[cfg(feature = "alloc")] {
/// use treedef::zip;
///
/// let mut layers = ([1.0f32, 2.0], [3.0f32, 4.0]);
/// let (is_trained, rates) = (([true, false], [true, true]), (0.5f32, 2.0f32));
/// zip((&mut layers,)).with(&is_trained).under(&rates).for_each(|x, trained, rate| if *trained { *x *= rate })?;
/// assert_eq!(layers, ([0.5, 2.0], [6.0, 8.0]));
/// # }
/// # Ok::<(), treedef::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use = "does nothing before `for_each` or `reduce`"]
pub struct ZipWith<L, C> {
    pub(super) trees: L,
    /// Each further tree, and whether it is a prefix.
    pub(super) further: C,
}

/// The methods that add one more tree to those that are there.
macro_rules! adds {
    ($($C:ident $c:ident),+) => {
        #[cfg(feature = "alloc")]
        impl<L, $($C),+> ZipWith<L, ($($C,)+)> {
            /// Adds one more tree, as [`Zip::with`](crate::tree::Zip::with). [`ZipWith`] has an example.
            pub fn with<V>(self, tree: V) -> ZipWith<L, ($($C,)+ (V, bool))> {
                let ($($c,)+) = self.further;
                ZipWith { trees: self.trees, further: ($($c,)+ (tree, false)) }
            }

            /// Adds one more prefix, as [`Zip::under`](crate::tree::Zip::under). [`ZipWith`] has an example.
            pub fn under<V: ?Sized>(self, prefix: &V) -> ZipWith<L, ($($C,)+ (&V, bool))> {
                let ($($c,)+) = self.further;
                ZipWith { trees: self.trees, further: ($($c,)+ (prefix, true)) }
            }
        }
    };
}
adds!(C c);
adds!(C c, D d);

/// Walks over a further tree and the first of the trees, and shows the leaves of the further one, whose index among all trees
/// is `index`.
fn beside_first<'p, K, T, J, U, P>(
    further: Trees<'p, P, U>,
    is_prefix: bool,
    first: &T,
    index: u32,
    mut visit: impl FnMut(Trees<'p, P, J>),
) -> Result<(), Error>
where
    K: Leaf,
    J: Leaf + 'p,
    T: TreeRead<K> + ?Sized,
    U: ZipPrefix<J, K, T> + ?Sized + 'p,
    P: Lanes,
{
    let mut visit = |leaf, _: &K| {
        visit(leaf);
        Ok(())
    };
    U::zip_lanes::<P, Ref, Error>(further, first, &mut Pairing::new(is_prefix), &mut visit).map_err(
        |error| match error {
            Error::TreesDiffer { node, tree: 1 } => Error::TreesDiffer { node, tree: index },
            error => error,
        },
    )
}

/// The leaves of a further tree, each with the number of leaves of the first tree that it belongs to.
#[cfg(feature = "alloc")]
struct Runs<'p, P: Lanes, J: 'p> {
    runs: vec::IntoIter<(Trees<'p, P, J>, usize)>,
    leaf: Option<Trees<'p, P, J>>,
    /// How often the leaf is still shown.
    left: usize,
}

#[cfg(feature = "alloc")]
impl<'p, P: Lanes, J: Leaf + 'p> Runs<'p, P, J> {
    /// The leaves of `further`, with the arguments of [`beside_first`].
    fn collect<K, T, U>(
        further: Trees<'p, P, U>,
        is_prefix: bool,
        first: &T,
        index: u32,
    ) -> Result<Self, Error>
    where
        K: Leaf,
        T: TreeRead<K> + ?Sized,
        U: ZipPrefix<J, K, T> + ?Sized + 'p,
    {
        let mut runs = Vec::<(Trees<'p, P, J>, usize)>::with_capacity(U::LEAVES.unwrap_or(0));
        beside_first::<K, T, J, U, P>(further, is_prefix, first, index, |leaf| {
            match runs.last_mut() {
                // Leaves of a size of zero can be different ones at one address.
                Some((last, count))
                    if size_of::<J>() > 0
                        && core::ptr::eq(P::first::<J>(last), P::first::<J>(&leaf)) =>
                {
                    *count = count.saturating_add(1);
                }
                _ => runs.push((leaf, 1)),
            }
        })?;
        Ok(Self { runs: runs.into_iter(), leaf: None, left: 0 })
    }

    /// The leaf for the next leaf of the first tree. There is always one, as both walks visit the same leaves.
    #[inline]
    fn next(&mut self) -> Result<Trees<'p, P, J>, Error> {
        if self.left == 0
            && let Some((leaf, count)) = self.runs.next()
        {
            (self.leaf, self.left) = (Some(leaf), count);
        }
        self.left = self.left.saturating_sub(1);
        P::take_or_copy::<J>(&mut self.leaf).ok_or(Error::TooFewLeaves { expected: 0, found: 0 })
    }
}

/// Replaces further trees by their leaves.
#[cfg(feature = "alloc")]
macro_rules! collect {
    ($trees:ident, $K:ident, $T:ident, [$Modes:ty] $([$C:ident $c:ident $J:ident $U:ident])+) => {
        let (first, index) = (<$Modes>::first::<$T>(&$trees), <$Modes>::COUNT);
        $(
            let mut $c = Runs::<$C::Mode, $J>::collect::<$K, $T, $U>($c.0.tree(), $c.1, first, index)?;
            let index = index.saturating_add(1);
        )+
        let _ = index;
    };
}

/// Visits the leaves of trees and of further trees. One further tree is walked with the trees, the leaves of more are collected
/// first.
macro_rules! walk {
    ($trees:ident, $visit:ident, $K:ident, $T:ident, $E:ident, [$Modes:ty] [$($a:ident)+] [$C:ident $c:ident $J:ident $U:ident]) => {
        $U::zip_lanes::<$C::Mode, $Modes, $E>(
            $c.0.tree(),
            $trees,
            &mut Pairing::new($c.1),
            &mut |$c, nested_pattern!($($a)+)| $visit($($a,)+ $c),
        )
    };
    ($trees:ident, $visit:ident, $K:ident, $T:ident, $E:ident, [$Modes:ty] [$($a:ident)+] $([$C:ident $c:ident $J:ident $U:ident])+) => {{
        collect!($trees, $K, $T, [$Modes] $([$C $c $J $U])+);
        $T::walk_lanes::<$Modes, $E>($trees, &mut Depth::default(), &mut |nested_pattern!($($a)+)| {
            $visit($($a,)+ $($c.next()?),+)
        })
    }};
}

/// The methods for one to six trees `$A` with their leaves `$a`, and further trees `$C` with their leaves `$c` of the type
/// `$J` and the tree type `$U`.
macro_rules! arity {
    (
        [$(#[$page:meta])*] ($A:ident $a:ident $(, $B:ident $b:ident)*) ($($C:ident $c:ident $J:ident $U:ident),+)
    ) => {
        $(#[$page])*
        impl<$A, $($B,)* $($C),+> ZipWith<($A, $($B,)*), ($(($C, bool),)+)> {
            /// Compares the structures of the trees, as [`Zip::check`](crate::tree::Zip#method.check).
            ///
            /// # Errors
            ///
            /// As `for_each`.
            ///
            /// # Examples
            ///
            /// ```
            /// use treedef::{Error, zip};
            ///
            /// let (mut params, mask) = ((1.0f32, [2.0f32]), (true, false));
            /// let refused = zip((&mut params,)).with(&mask).check().map(drop);
            /// assert_eq!(refused, Err(Error::TreesDiffer { node: 2, tree: 1 }));
            /// zip((&mut params,)).under(&mask).check()?.for_each(|p, keep| *p *= f32::from(*keep))?;
            /// assert_eq!(params, (1.0, [0.0]));
            /// # Ok::<(), Error>(())
            /// ```
            pub fn check<'a, K, T, $($J, $U),+>(self) -> Result<Self, Error>
            where
                K: Leaf + 'a,
                $($J: Leaf + 'a,)+
                T: TreeRead<K> + ?Sized + 'a,
                $($U: ZipPrefix<$J, K, T> + ?Sized + 'a,)+
                ($A, $($B,)*): ZipTrees<Tree = T>,
                $A: Lane<'a, K, T>,
                $($B: Lane<'a, K, T>,)*
                $($C: ZipTrees<Tree = $U> + Lane<'a, $J, $U>,)+
            {
                let (($a, $($b,)*), ($($c,)+)) = (&self.trees, &self.further);
                let trees = nested!($a.peek() $(, $b.peek())*);
                T::walk_lanes::<nested_ref!($A $($B)*), Error>(trees, &mut Depth::default(), &mut Compare)?;
                let (first, index) = ($a.peek(), <nested_ref!($A $($B)*)>::COUNT);
                $(
                    beside_first::<K, T, $J, $U, Ref>($c.0.peek(), $c.1, first, index, |_| ())?;
                    let index = index.saturating_add(1);
                )+
                let _ = index;
                Ok(self)
            }

            /// As `for_each`, but stops at the first error of `visit`.
            ///
            /// # Errors
            ///
            /// The first error of `visit`, and those of `for_each`, converted by `From`; the leaves before were visited.
            ///
            /// # Examples
            ///
            /// ```
            /// use treedef::{Error, zip};
            ///
            /// let (mut counts, steps) = ([[1u8, 2], [3, 250]], [2u8, 10]);
            /// let added = zip((&mut counts,)).under(&steps).try_for_each(|count, step| {
            ///     *count = count.checked_add(*step).ok_or(Error::TooLarge)?;
            ///     Ok::<_, Error>(())
            /// });
            /// assert_eq!((added, counts), (Err(Error::TooLarge), [[3, 4], [13, 250]]));
            /// ```
            #[inline]
            pub fn try_for_each<'a, K, T, $($J, $U,)+ E>(
                self,
                mut visit: impl FnMut(Trees<'a, $A::Mode, K>, $(Trees<'a, $B::Mode, K>,)* $(Trees<'a, $C::Mode, $J>),+) -> Result<(), E>,
            ) -> Result<(), E>
            where
                K: Leaf + 'a,
                $($J: Leaf + 'a,)+
                T: TreeRead<K> + ?Sized + 'a,
                $($U: ZipPrefix<$J, K, T> + ?Sized + 'a,)+
                ($A, $($B,)*): ZipTrees<Tree = T>,
                $A: Lane<'a, K, T>,
                $($B: Lane<'a, K, T>,)*
                $($C: ZipTrees<Tree = $U> + Lane<'a, $J, $U>,)+
                E: From<Error>,
            {
                let (($a, $($b,)*), ($($c,)+)) = (self.trees, self.further);
                let trees = nested!($a.tree() $(, $b.tree())*);
                walk!(trees, visit, K, T, E, [nested_mode!($A $($B)*)] [$a $($b)*] $([$C $c $J $U])+)
            }

            for_each_and_reduce! {
                <K, T, $($J, $U),+>
                ($a: Trees<'a, $A::Mode, K> $(, $b: Trees<'a, $B::Mode, K>)* $(, $c: Trees<'a, $C::Mode, $J>)+) where
                K: Leaf + 'a,
                $($J: Leaf + 'a,)+
                T: TreeRead<K> + ?Sized + 'a,
                $($U: ZipPrefix<$J, K, T> + ?Sized + 'a,)+
                ($A, $($B,)*): ZipTrees<Tree = T>,
                $A: Lane<'a, K, T>,
                $($B: Lane<'a, K, T>,)*
                $($C: ZipTrees<Tree = $U> + Lane<'a, $J, $U>,)+
            }

            /// Makes a new tree whose leaves are the results of `map`, called with the leaves that `for_each` shows together.
            ///
            /// Keys and meta fields are those of the first tree. Before the walk that maps, there is one over each further tree:
            /// the heap holds a reference for each of its leaves.
            ///
            /// # Errors
            ///
            /// As `for_each`.
            ///
            /// # Examples
            ///
            /// ```
            /// # #[cfg(feature = "alloc")] {
            /// let doubled = treedef::zip((&[1.0f32, 2.0],)).with(&[true, false]).map(|x, on| if *on { 2.0 * x } else { *x });
            /// assert_eq!(doubled, Ok([2.0, 2.0]));
            /// # }
            /// ```
            #[cfg(feature = "alloc")]
            pub fn map<'a, K, T, $($J, $U,)+ N>(
                self,
                mut map: impl FnMut(Trees<'a, $A::Mode, K>, $(Trees<'a, $B::Mode, K>,)* $(Trees<'a, $C::Mode, $J>),+) -> N,
            ) -> Result<T::Output, Error>
            where
                K: Leaf + 'a,
                $($J: Leaf + 'a,)+
                T: MapTree<K, N> + TreeRead<K> + 'a,
                $($U: ZipPrefix<$J, K, T> + ?Sized + 'a,)+
                ($A, $($B,)*): ZipTrees<Tree = T>,
                $A: Lane<'a, K, T>,
                $($B: Lane<'a, K, T>,)*
                $($C: ZipTrees<Tree = $U> + Lane<'a, $J, $U>,)+
            {
                self.try_map(|$a, $($b,)* $($c),+| Ok::<_, Error>(map($a, $($b,)* $($c),+)))
            }

            /// As `map`, but stops at the first error of its closure.
            ///
            /// # Errors
            ///
            /// The first error of the closure, and those of `for_each`. [`Zip::try_map`](crate::tree::Zip#method.try_map) has an
            /// example.
            #[cfg(feature = "alloc")]
            pub fn try_map<'a, K, T, $($J, $U,)+ N, E>(
                self,
                mut map: impl FnMut(Trees<'a, $A::Mode, K>, $(Trees<'a, $B::Mode, K>,)* $(Trees<'a, $C::Mode, $J>),+) -> Result<N, E>,
            ) -> Result<T::Output, E>
            where
                K: Leaf + 'a,
                $($J: Leaf + 'a,)+
                T: MapTree<K, N> + TreeRead<K> + 'a,
                $($U: ZipPrefix<$J, K, T> + ?Sized + 'a,)+
                ($A, $($B,)*): ZipTrees<Tree = T>,
                $A: Lane<'a, K, T>,
                $($B: Lane<'a, K, T>,)*
                $($C: ZipTrees<Tree = $U> + Lane<'a, $J, $U>,)+
                E: From<Error>,
            {
                let (($a, $($b,)*), ($($c,)+)) = (self.trees, self.further);
                let trees = nested!($a.tree() $(, $b.tree())*);
                collect!(trees, K, T, [nested_mode!($A $($B)*)] $([$C $c $J $U])+);
                T::map_lanes::<nested_mode!($A $($B)*), E>(
                    trees,
                    &mut Depth::default(),
                    &mut |nested_pattern!($a $($b)*)| map($a, $($b,)* $($c.next()?),+),
                )
            }
        }
    };
}

arity! {
    [/// The methods for two trees and one more. One to six trees, and with the feature `alloc` up to three more, have the same
    /// methods: the closure has an argument for each tree.
    ] (A a, B b) (C c J U)
}

/// The methods for other numbers of trees, which the documentation does not repeat.
macro_rules! arities {
    ([$($trees:tt)*] $page:tt $further:tt) => { $(arity!($page $trees $further);)* };
}
arities! {
    [(A a) (A a, B b, D d) (A a, B b, D d, F f) (A a, B b, D d, F f, G g) (A a, B b, D d, F f, G g, H h)]
    [#[cfg_attr(doc, doc(hidden))]] (C c J U)
}
arities! {
    [(A a) (A a, B b) (A a, B b, D d) (A a, B b, D d, F f) (A a, B b, D d, F f, G g) (A a, B b, D d, F f, G g, H h)]
    [#[cfg(feature = "alloc")] #[cfg_attr(doc, doc(hidden))]] (C c J U, C1 c1 J1 U1)
}
arities! {
    [(A a) (A a, B b) (A a, B b, D d) (A a, B b, D d, F f) (A a, B b, D d, F f, G g) (A a, B b, D d, F f, G g, H h)]
    [#[cfg(feature = "alloc")] #[cfg_attr(doc, doc(hidden))]] (C c J U, C1 c1 J1 U1, C2 c2 J2 U2)
}
