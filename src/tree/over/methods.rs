//! What is done with the leaves of a walk.

use crate::base::error::Error;
use crate::base::never::Never;
use crate::base::try_error::UserError;
use crate::tree::lanes::Lanes;
use crate::tree::leaf_types::LeafTypes;
use crate::tree::over::Over;
use crate::tree::over::beside::Joined;
use crate::tree::over::outcome::Outcome;
use crate::tree::over::paths::{NoPaths, Paths, WithPaths};
use crate::tree::over::pick::{Pick, PickAll, WalkedAs};
use crate::tree::over::trees::{LeavesOf, OverTrees};
use crate::tree::over::walk_kind::{Maps, Visits};
use crate::tree::traits::{Leaf, MapTree};
use crate::tree::walk::TreeWalk;
use crate::treedef::key_path::KeyPath;

/// Whether leaves were shown, and passed over.
#[derive(Default)]
pub(super) struct ShownLeaves {
    shown: bool,
    passed: bool,
}

impl ShownLeaves {
    /// Goes on after the leaves of one place, of which `outcome` came, or which were passed over.
    #[inline]
    pub(super) fn step<R: Outcome>(&mut self, outcome: Option<R>) -> Result<(), R::Stop> {
        match outcome {
            Some(outcome) => {
                self.shown = true;
                outcome.step()
            }
            None => {
                self.passed = true;
                Ok(())
            }
        }
    }

    /// The end of a walk: an error if one leaf has to be shown, and there are only others.
    #[inline]
    pub(super) fn end<E: From<Error>>(
        &self,
        walked: Result<(), E>,
        needs_one: bool,
    ) -> Result<(), E> {
        match walked {
            Ok(()) if needs_one && self.passed && !self.shown => Err(Error::NoLeafOfType.into()),
            walked => walked,
        }
    }
}

impl<L, S, P: Paths, B> Over<L, S, P, B> {
    /// The number of places that [`for_each`](Over#method.for_each) shows; 0 if no leaf has the type of [`only`](Over::only).
    ///
    /// # Errors
    ///
    /// Those of the structures, as in [`for_each`](Over#method.for_each).
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::over;
    ///
    /// let model = ([1.0f32, 2.0], 7u64);
    /// assert_eq!(over(&model).only::<f32>().count(), Ok(2));
    /// assert_eq!(over(&model).only::<f64>().count(), Ok(0));
    /// ```
    #[inline]
    pub fn count<'a, K, J>(self) -> Result<usize, Error>
    where
        K: LeafTypes + 'a,
        L: OverTrees<'a, K, Tree: TreeWalk<K>>,
        S: Pick<'a, K, L>,
        B: Joined<'a, K, L, P, J>,
    {
        let mut count = 0usize;
        self.beside.walk::<Visits<()>>(self.trees, |_, leaves, _| {
            count = count.wrapping_add(usize::from(S::pick(leaves).is_some()));
            Ok(())
        })?;
        Ok(count)
    }

    /// Compares the structures of the trees, and changes nothing: the walk after it does not stop half-way for another structure.
    ///
    /// It comes last before the walk. An optimised build compares lengths, keys, variants and meta fields, and visits no leaf.
    ///
    /// # Errors
    ///
    /// As [`for_each`](Over#method.for_each), but for those of [`only`](Over::only) and [`with_leaves`](Over::with_leaves).
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Error, over};
    ///
    /// let (mut params, gradient) = ((1.0f32, Some(2.0f32)), (0.5f32, None));
    /// let refused = over((&mut params, &gradient)).check().and_then(|over| over.for_each(|(p, g)| *p -= g));
    /// assert_eq!((refused, params.0), (Err(Error::TreesDiffer { node: 2, tree: 1 }), 1.0));
    ///
    /// let gradient = (0.5, Some(1.0));
    /// over((&mut params, &gradient)).check()?.for_each(|(p, g)| *p -= g)?;
    /// assert_eq!(params, (0.5, Some(1.0)));
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    pub fn check<'a, K, J>(self) -> Result<Self, Error>
    where
        K: LeafTypes + 'a,
        L: OverTrees<'a, K, Tree: TreeWalk<K>>,
        S: WalkedAs<'a, K, L>,
        B: Joined<'a, K, L, P, J>,
    {
        self.trees.compare()?;
        self.beside.compare(self.trees.first())?;
        Ok(self)
    }
}

/// Writes what is done by a closure. With paths, the path is its first argument.
macro_rules! with_closure {
    (
        $(#[$paths:meta])*
        impl $Paths:ident: |$pattern:pat_param| [$($path:ident: $Path:ty)?];
        $(#[$for_each:meta])*
        for_each;
        $(#[$fold:meta])*
        fold;
        $(#[$map:meta])*
        map;
        $(#[$try_map:meta])*
        try_map;
    ) => {
        $(#[$paths])*
        impl<L, S, B> Over<L, S, $Paths, B> {
            $(#[$for_each])*
            #[inline]
            pub fn for_each<'a, K, J, R>(self, mut visit: impl FnMut($($Path,)? B::With<S::Leaves>) -> R) -> R::Walked
            where
                K: LeafTypes + 'a,
                L: OverTrees<'a, K, Tree: TreeWalk<K>>,
                S: Pick<'a, K, L>,
                B: Joined<'a, K, L, $Paths, J>,
                R: Outcome,
            {
                let (needs_one, mut found) = (self.pick.needs_one(), ShownLeaves::default());
                let walked = self.beside.walk::<Visits<R>>(self.trees, |$pattern, leaves, beside| {
                    let leaves = S::pick(leaves);
                    let visit = |leaves| visit($($path,)? B::with(leaves, beside));
                    if const { S::CAN_MISS } {
                        return found.step(leaves.map(visit));
                    }
                    leaves.map_or(Ok(()), |leaves| visit(leaves).step())
                });
                R::walked(found.end(walked, needs_one))
            }

            $(#[$fold])*
            #[inline]
            pub fn fold<'a, K, J, X>(
                self,
                initial: X,
                mut f: impl FnMut(X, $($Path,)? B::With<S::Leaves>) -> X,
            ) -> Result<X, Error>
            where
                K: LeafTypes + 'a,
                L: OverTrees<'a, K, Tree: TreeWalk<K>>,
                S: Pick<'a, K, L>,
                B: Joined<'a, K, L, $Paths, J>,
            {
                // `None` only during a call of the function.
                let mut value = Some(initial);
                self.beside.walk::<Visits<()>>(self.trees, |$pattern, leaves, beside| {
                    if let Some(leaves) = S::pick(leaves) {
                        value = value.take().map(|value| f(value, $($path,)? B::with(leaves, beside)));
                    }
                    Ok(())
                })?;
                value.ok_or(Error::TooFewLeaves { expected: 0, found: 0 })
            }

            $(#[$map])*
            #[inline]
            pub fn map<'a, K, J, M, T>(
                self,
                mut map: impl FnMut($($Path,)? B::With<LeavesOf<'a, L, K, K>>) -> M,
            ) -> Result<T::Output, Error>
            where
                K: Leaf + 'a,
                L: OverTrees<'a, K, Tree = T>,
                T: MapTree<K, M> + 'a,
                S: PickAll<K>,
                B: Joined<'a, K, L, $Paths, J, CanMap = ()>,
            {
                // With an error that cannot be, the compiler writes each part of the new tree where it stays. That needs a walk that
                // never fails.
                if const { B::NOTHING.is_none() || !T::NEVER_FAILS || L::Modes::COUNT > 1 || $Paths::ARE_SHOWN } {
                    return self.try_map(|$($path,)? leaves| Ok(map($($path,)? leaves)));
                }
                let made = self.try_map(|$($path,)? leaves| Ok::<M, Never>(map($($path,)? leaves)));
                made.or_else(|never| match never {})
            }

            $(#[$try_map])*
            #[inline]
            pub fn try_map<'a, K, J, M, T, E>(
                self,
                mut map: impl FnMut($($Path,)? B::With<LeavesOf<'a, L, K, K>>) -> Result<M, E>,
            ) -> Result<T::Output, E>
            where
                K: Leaf + 'a,
                L: OverTrees<'a, K, Tree = T>,
                T: MapTree<K, M> + 'a,
                S: PickAll<K>,
                B: Joined<'a, K, L, $Paths, J, CanMap = ()>,
                E: UserError,
            {
                self.beside.walk::<Maps<M, E>>(self.trees, |$pattern, leaves, beside| {
                    map($($path,)? B::with(L::flat(leaves), beside))
                })
            }
        }
    };
}

with_closure! {
    /// What is done without paths.
    impl NoPaths: |()| [];

    /// Calls `visit` once for each leaf of the first tree, with the leaf at the same place of every other tree.
    ///
    /// If the closure returns a `Result` or a `ControlFlow`, the walk stops after an `Err` or a `Break`, and returns it: [`Outcome`] has
    /// examples. An error of another crate is put into a [`TryError`](crate::tree::TryError).
    ///
    /// # Errors
    ///
    /// The first error of `visit`. [`Error::TreesDiffer`] at the first node where a tree differs from the first tree,
    /// [`Error::NotPrefix`] where a prefix does not fit above it; the leaves before it were visited, unless
    /// [`check`](Over::check) was called before. [`Error::NoLeafOfType`] after [`only`](Over::only). [`Error::TooDeep`] from recursive types.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Error, over};
    ///
    /// let (mut params, gradient) = ([1.0f32, 2.0], [0.5f32, 1.0]);
    /// over((&mut params, &gradient)).for_each(|(p, g)| *p -= 0.5 * g)?;
    /// assert_eq!(params, [0.75, 1.5]);
    ///
    /// let (mut counts, steps) = ([1u8, 250], [2u8, 10]);
    /// let added = over((&mut counts, &steps)).for_each(|(count, step)| {
    ///     *count = count.checked_add(*step).ok_or(Error::TooLarge)?;
    ///     Ok(())
    /// });
    /// assert_eq!((added, counts), (Err(Error::TooLarge), [3, 250]));
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias("try_for_each", "tree_map_"))]
    for_each;

    /// Calls `f` with `initial`, or what it returned last, and the leaves that [`for_each`](Over#method.for_each) shows together; returns
    /// the last result. As `jax.tree.reduce` with an initializer.
    ///
    /// It returns `initial` if no leaf is shown, also after [`only`](Over::only).
    ///
    /// # Errors
    ///
    /// Those of the structures, as in [`for_each`](Over#method.for_each). If `f` can fail, let it return the result in the value:
    /// `Option<X>` or `Result<X, E>`, or change a variable in the closure of [`for_each`](Over#method.for_each), which stops at an error.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::over;
    ///
    /// let (a, b) = ([1.0f32, 2.0], [3.0f32, 4.0]);
    /// assert_eq!(over(&a).fold(0.0, |sum, x| sum + x), Ok(3.0));
    /// assert_eq!(over((&a, &b)).fold(0.0, |dot, (a, b)| dot + a * b), Ok(11.0));
    /// assert_eq!(over(&(a, 7u8)).only::<f32>().fold(0.0, |sum, x| sum + x), Ok(3.0));
    /// assert_eq!(over(&a).fold(true, |all, x| all && x.is_finite()), Ok(true));
    /// ```
    #[doc(alias(
        "tree_reduce",
        "reduce",
        "reduce_associative",
        "sum",
        "tree_sum",
        "tree_all",
        "tree_any",
        "tree_max",
        "tree_min"
    ))]
    fold;

    /// Makes a new tree whose leaves are the results of `map`, as `jax.tree.map(f, tree, *rest)`.
    ///
    /// Keys, meta fields and skipped fields are those of the first tree. What can be mapped, and to what, is as in [`map`](crate::map()): a
    /// tree of one leaf type. To change the leaves of one type among others, change a clone in place by `over(&mut tree).only()`, or
    /// call [`map_of`](crate::tree::map_of).
    ///
    /// # Errors
    ///
    /// As [`for_each`](Over#method.for_each).
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::over;
    ///
    /// let (a, b) = ((1.0f32, [2.0f32]), (3.0f32, [1.0f32]));
    /// assert_eq!(over(&a).map(|x| *x as i64), Ok((1, [2])));
    /// assert_eq!(over((&a, &b)).map(|(a, b)| a < b), Ok((true, [false])));
    /// # #[cfg(feature = "alloc")]
    /// assert_eq!(over(&a).under(&2.0f32).map(|(a, by)| a * by), Ok((2.0, [4.0])));
    /// ```
    map;

    /// As [`map`](Over#method.map), but stops at the first error of `map`.
    ///
    /// # Errors
    ///
    /// The first error of `map`, and those of [`for_each`](Over#method.for_each).
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Error, over};
    ///
    /// let small = |x: &i32| u8::try_from(*x).map_err(|_| Error::TooLarge);
    /// assert_eq!(over(&(1, [2, 3])).try_map(small), Ok((1u8, [2u8, 3])));
    /// assert_eq!(over(&(1, [2, 300])).try_map(small), Err(Error::TooLarge));
    /// ```
    try_map;
}

with_closure! {
    /// What is done with [`paths`](Over::paths).
    impl WithPaths: |path| [path: KeyPath<'_, '_>];

    /// As [`for_each`](Over#method.for_each) without paths, with the path of each place before the leaves.
    ///
    /// # Errors
    ///
    /// As without paths; [`Error::TooDeep`] also at a leaf that is more than [`MAX_DEPTH`](crate::encode::MAX_DEPTH) levels below the root.
    ///
    /// # Examples
    ///
    /// A gradient that is no number is named, before it reaches the next weights:
    ///
    /// ```
    /// use treedef::over;
    /// use treedef::tree::TryError;
    ///
    /// let (mut params, gradient) = ([1.0f32, 2.0, 3.0], [0.5f32, f32::NAN, 0.5]);
    /// let stopped = over((&mut params, &gradient)).paths().for_each(|path, (p, g)| {
    ///     if g.is_nan() {
    ///         return Err(TryError::User(path.to_string()));
    ///     }
    ///     Ok(*p -= g)
    /// });
    /// assert_eq!(stopped, Err(TryError::User("[1]".to_string())));
    /// assert_eq!(params, [0.5, 2.0, 3.0]);
    /// ```
    for_each;

    /// As [`fold`](Over#method.fold) without paths, with the path of each place before the leaves.
    ///
    /// # Errors
    ///
    /// As [`for_each`](Over#method.for_each).
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::over;
    ///
    /// let gradient = ([0.5f32, -2.0], 1.0f32);
    /// let largest = over(&gradient).paths().fold((0.0, String::new()), |largest, path, x| {
    ///     if x.abs() > largest.0 { (x.abs(), path.to_string()) } else { largest }
    /// });
    /// assert_eq!(largest, Ok((2.0, "[0][1]".to_string())));
    /// ```
    fold;

    /// As [`map`](Over#method.map) without paths, with the path of each place before the leaves.
    ///
    /// # Errors
    ///
    /// As [`for_each`](Over#method.for_each).
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::over;
    ///
    /// let (a, b) = ((1.0f32, [2.0f32]), (3.0f32, [1.0f32]));
    /// let larger = over((&a, &b)).paths().map(|path, (a, b)| if a > b { path.len() } else { 0 });
    /// assert_eq!(larger, Ok((0, [2])));
    /// ```
    map;

    /// As [`try_map`](Over#method.try_map) without paths, with the path of each place before the leaves.
    ///
    /// # Errors
    ///
    /// The first error of `map`, and those of [`for_each`](Over#method.for_each).
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::over;
    /// use treedef::tree::TryError;
    ///
    /// let (a, b) = ((8u32, [6u32]), (2u32, [0u32]));
    /// let refused = over((&a, &b)).paths().try_map(|path, (a, b)| {
    ///     a.checked_div(*b).ok_or_else(|| TryError::User(path.to_string()))
    /// });
    /// assert_eq!(refused, Err(TryError::User("[1][0]".to_string())));
    /// ```
    try_map;
}
