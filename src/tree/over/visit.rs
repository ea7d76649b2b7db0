//! Functions for leaves of several types.

use core::any::Any;

use crate::base::fronts::each_front;
use crate::tree::any_leaves::AnyLeaves;
use crate::tree::lanes::Lanes;
use crate::tree::over::Over;
use crate::tree::over::beside::Joined;
use crate::tree::over::methods::ShownLeaves;
use crate::tree::over::outcome::Outcome;
use crate::tree::over::paths::Paths;
use crate::tree::over::pick::Types;
use crate::tree::over::trees::{LeavesOf, OverTrees, Place};
use crate::tree::over::walk_kind::Visits;
use crate::tree::walk::TreeWalk;

/// A function for leaves of several types: one implementation for all types with a trait, or one for each type.
///
/// `X` is what a closure of [`over`](crate::over()) would get: a reference to a leaf for one tree, a tuple of references for several; with
/// paths `(KeyPath, X)`.
/// [`visitor!`](crate::visitor) writes it where it is called.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use treedef::tree::Visit;
/// use treedef::{Tree, over};
///
/// trait Float {
///     fn minus(&mut self, rate: f32, gradient: &Self);
/// }
///
/// impl Float for f32 {
///     fn minus(&mut self, rate: f32, gradient: &f32) {
///         *self -= rate * gradient;
///     }
/// }
///
/// impl Float for f64 {
///     fn minus(&mut self, rate: f32, gradient: &f64) {
///         *self -= f64::from(rate) * gradient;
///     }
/// }
///
/// struct Sgd(f32);
///
/// impl<'a, T: Float> Visit<(&'a mut T, &'a T)> for Sgd {
///     type Out = ();
///
///     fn visit(&mut self, (p, g): (&'a mut T, &'a T)) {
///         p.minus(self.0, g);
///     }
/// }
///
/// #[derive(Tree, Debug, PartialEq)]
/// struct Model { weights: [f32; 2], bias: f64, steps: u64 }
///
/// let mut model = Model { weights: [1.0, 2.0], bias: 3.0, steps: 7 };
/// let gradient = Model { weights: [2.0, 2.0], bias: 2.0, steps: 0 };
/// over((&mut model, &gradient)).types::<(f32, f64)>().check()?.visit(Sgd(0.5))?;
/// assert_eq!(model, Model { weights: [0.0, 1.0], bias: 2.0, steps: 7 });
///
/// // With a mask, that what is trained: one item for each leaf comes beside the leaves.
/// impl<'a, T: Float> Visit<((&'a mut T, &'a T), bool)> for Sgd {
///     type Out = ();
///
///     fn visit(&mut self, ((p, g), is_trained): ((&'a mut T, &'a T), bool)) {
///         if is_trained {
///             p.minus(self.0, g);
///         }
///     }
/// }
///
/// let is_trained = [false, false, true, false];
/// over((&mut model, &gradient)).types::<(f32, f64)>().with_leaves(is_trained).visit(Sgd(0.5))?;
/// assert_eq!(model, Model { weights: [0.0, 1.0], bias: 1.0, steps: 7 });
/// # }
/// # Ok::<(), treedef::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not called with `{X}`",
    note = "write `impl<'a, T: YourTrait> Visit<..> for {Self}`: one reference for one tree, a tuple of them for several",
    note = "in `treedef::visitor!`, write `mut` before the name of a leaf that is changed in place"
)]
pub trait Visit<X> {
    /// What [`visit`](Visit::visit) returns: `()`, or a `Result` or `ControlFlow`, as a closure of `for_each`.
    type Out: Outcome;

    /// Visits the leaves of one place. [`Visit`] has an example.
    fn visit(&mut self, leaves: X) -> Self::Out;
}

impl<X, V: Visit<X>> Visit<X> for &mut V {
    type Out = V::Out;

    #[inline]
    fn visit(&mut self, leaves: X) -> V::Out {
        (**self).visit(leaves)
    }
}

/// A tuple of leaf types, which a visitor `V` can be called with. `B` is what is beside the leaves.
#[diagnostic::on_unimplemented(
    message = "`types` takes a tuple of one to eight leaf types",
    note = "one type is `types::<(f32,)>()`"
)]
pub trait EachType<'a, L, B, P, J, V, R>
where
    L: OverTrees<'a, AnyLeaves>,
    B: Joined<'a, AnyLeaves, L, P, J>,
    P: Paths,
{
    /// Calls the visitor with the leaves of one place, if their type is in the tuple.
    fn visit(
        path: P::Shown<'_>,
        leaves: Place<'a, AnyLeaves, L>,
        beside: B::Beside,
        visitor: &mut V,
    ) -> Option<R>;
}

/// Implements it for tuples of leaf types.
macro_rules! types {
    ($($N:ident)+) => {
        impl<'a, L, B, P, J, V, R, $($N: 'static),+> EachType<'a, L, B, P, J, V, R> for ($($N,)+)
        where
            L: OverTrees<'a, AnyLeaves>,
            B: Joined<'a, AnyLeaves, L, P, J>,
            P: Paths,
            $(V: for<'p> Visit<P::Given<'p, B::With<LeavesOf<'a, L, AnyLeaves, $N>>>, Out = R>,)+
        {
            #[inline]
            fn visit(
                path: P::Shown<'_>,
                leaves: Place<'a, AnyLeaves, L>,
                beside: B::Beside,
                visitor: &mut V,
            ) -> Option<R> {
                let first = L::Modes::first::<dyn Any>(&leaves);
                $(
                    if first.is::<$N>() {
                        let leaves = L::flat(L::Modes::of_type::<$N>(leaves)?);
                        return Some(visitor.visit(P::give(path, B::with(leaves, beside))));
                    }
                )+
                None
            }
        }
    };
}
each_front!(types; [] T0 T1 T2 T3 T4 T5 T6 T7);

impl<L, N, P: Paths, B> Over<L, Types<N>, P, B> {
    /// Calls the visitor with the leaves of each place, if their type is one of [`types`](Over::types). [`Visit`] and
    /// [`visitor!`](crate::visitor) have examples.
    ///
    /// # Errors
    ///
    /// As [`for_each`](Over#method.for_each): [`Error::NoLeafOfType`](crate::Error::NoLeafOfType) if there are leaves, and none has one of
    /// the types.
    #[inline]
    pub fn visit<'a, J, V, R>(self, mut visitor: V) -> R::Walked
    where
        L: OverTrees<'a, AnyLeaves, Tree: TreeWalk>,
        B: Joined<'a, AnyLeaves, L, P, J>,
        N: EachType<'a, L, B, P, J, V, R>,
        R: Outcome,
    {
        let mut found = ShownLeaves::default();
        let walked = self.beside.walk::<Visits<R>>(self.trees, |path, leaves, beside| {
            found.step(N::visit(path, leaves, beside, &mut visitor))
        });
        R::walked(found.end(walked, true))
    }
}

/// A function for leaves of several types, written as a closure: a [`Visit`](crate::tree::Visit).
///
/// In brackets is what it captures, each with its type; the closure sees `&mut` of them. Then come the type of the leaves, with its bounds if
/// it has some, as the parameter of a generic function, and the closure. A leaf that is changed in place has `mut` before its name. A closure with something
/// beside the leaves, with paths or with leaves of a generic type has one argument and its type: `|t: &mut Tensor<T>|`. One that can end the
/// walk says what it returns, as in `|x| -> Result<(), Error> { .. }`; another one returns nothing. What is captured has no lifetime and no type
/// parameter: for that, implement [`Visit`](crate::tree::Visit).
///
/// # Examples
///
/// ```
/// use core::ops::ControlFlow;
/// use treedef::{KeyPath, over, visitor};
///
/// let mut model = ([1.0f32, 2.0], 3.0f64, 7u64);
/// over(&mut model).types::<(f32, f64)>().visit(visitor!([] <T: Default> |mut x| *x = T::default()))?;
/// assert_eq!(model, ([0.0, 0.0], 0.0, 7));
///
/// let rate = 0.5f32;
/// let gradient = ([1.0, 2.0], 4.0, 0);
/// over((&mut model, &gradient)).types::<(f32, f64)>().visit(visitor!(
///     [rate: f32] <T: Copy + From<f32> + core::ops::Mul<Output = T> + core::ops::SubAssign> |mut p, g| {
///         *p -= T::from(*rate) * *g
///     }
/// ))?;
/// assert_eq!(model, ([-0.5, -1.0], -2.0, 7));
///
/// // With a path and a mask.
/// over(&mut model).types::<(f32, f64)>().paths().with_leaves([false, true, true, true]).visit(visitor!(
///     [] <T: From<f32>> |(path, (x, is_set)): (KeyPath<'_, '_>, (&mut T, bool))| if is_set && path.len() == 2 {
///         *x = T::from(1.5)
///     }
/// ))?;
/// assert_eq!(model, ([-0.5, 1.5], -2.0, 7));
///
/// // What it captured is a field of it, so that it can be read after the walk.
/// let (sum, count) = (0.0, 0);
/// let mut squares = visitor!([sum: f64] <T: Copy + Into<f64>> |x| *sum += (*x).into().powi(2));
/// over(&model).types::<(f32, f64)>().visit(&mut squares)?;
/// let mut leaves = visitor!([count: usize] <T> |_x| *count += 1);
/// over(&model).types::<(f32, f64)>().visit(&mut leaves)?;
/// assert_eq!((squares.sum, leaves.count), (6.5, 3));
///
/// // The first negative number ends the walk.
/// let positive = visitor!([] <T: Default + PartialOrd> |x| -> ControlFlow<()> {
///     if *x < T::default() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
/// });
/// assert!(over(&model).types::<(f32, f64)>().visit(positive)?.is_break());
/// # Ok::<(), treedef::Error>(())
/// ```
#[macro_export]
macro_rules! visitor {
    ([$($field:ident: $Field:ty),* $(,)?] <$T:ident: $($bound:tt)*) => {
        $crate::visitor!(@bound [$($field: $Field),*] $T [] $($bound)*)
    };
    ($fields:tt <$T:ident> $($closure:tt)*) => {
        $crate::visitor!($fields <$T: > $($closure)*)
    };
    (@bound $fields:tt $T:ident [$($bound:tt)*] > |$($args:tt)*) => {
        $crate::visitor!(@args $fields $T [$($bound)*] [] $($args)*)
    };
    (@bound $fields:tt $T:ident [$($bound:tt)*] >> |$($args:tt)*) => {
        $crate::visitor!(@args $fields $T [$($bound)* >] [] $($args)*)
    };
    (@bound $fields:tt $T:ident [$($bound:tt)*] $next:tt $($rest:tt)*) => {
        $crate::visitor!(@bound $fields $T [$($bound)* $next] $($rest)*)
    };
    (@args $fields:tt $T:ident $bound:tt [] $args:tt: $Args:ty | $($body:tt)*) => {
        $crate::visitor!(@visit $fields $T $bound $args $Args, $($body)*)
    };
    (@args $fields:tt $T:ident $bound:tt [$($args:tt)*] mut $arg:ident $(, $($rest:tt)*)?) => {
        $crate::visitor!(@args $fields $T $bound [$($args)* ($arg: &'leaf mut $T)] $($($rest)*)?)
    };
    (@args $fields:tt $T:ident $bound:tt [$($args:tt)*] mut $arg:ident | $($body:tt)*) => {
        $crate::visitor!(@body $fields $T $bound [$($args)* ($arg: &'leaf mut $T)] $($body)*)
    };
    (@args $fields:tt $T:ident $bound:tt [$($args:tt)*] $arg:ident | $($body:tt)*) => {
        $crate::visitor!(@body $fields $T $bound [$($args)* ($arg: &'leaf $T)] $($body)*)
    };
    (@args $fields:tt $T:ident $bound:tt [$($args:tt)*] $arg:ident, $($rest:tt)*) => {
        $crate::visitor!(@args $fields $T $bound [$($args)* ($arg: &'leaf $T)] $($rest)*)
    };
    (@body $fields:tt $T:ident $bound:tt [($arg:ident: $Arg:ty)] $($body:tt)*) => {
        $crate::visitor!(@visit $fields $T $bound ($arg) ($Arg), $($body)*)
    };
    (@body $fields:tt $T:ident $bound:tt [$(($arg:ident: $Arg:ty))+] $($body:tt)*) => {
        $crate::visitor!(@visit $fields $T $bound ($($arg,)+) ($($Arg,)+), $($body)*)
    };
    (@visit [$($field:ident: $Field:ty),*] $T:ident [$($bound:tt)*] $args:tt $Args:ty, -> $Out:ty $body:block) => {{
        struct Visitor__ { $($field: $Field),* }

        impl<'leaf, $T: $($bound)*> $crate::tree::Visit<$Args> for Visitor__ {
            type Out = $Out;

            #[inline]
            fn visit(&mut self, $args: $Args) -> $Out {
                let Self { $($field),* } = self;
                $body
            }
        }

        Visitor__ { $($field),* }
    }};
    (@visit $fields:tt $T:ident $bound:tt $args:tt $Args:ty, $body:expr) => {
        $crate::visitor!(@visit $fields $T $bound $args $Args, -> () { $body })
    };
}
