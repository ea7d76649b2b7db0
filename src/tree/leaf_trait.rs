//! Declares sets of leaf types over a trait.

/// Declares a set of all leaf types that implement a trait of yours: a library sees the leaves of types that it does not know as
/// `&dyn Weight`.
///
/// The set is used as that of [`leaf_types!`](crate::leaf_types), by [`over(..).of::<Set>()`](crate::tree::Over::of). Who uses the
/// library implements only the trait, for each leaf type of a tree; for types that nothing is done with, such as `u32` and
/// `bool`, the library does it. The trait is that of types that are `'static`: `trait Weight: Any`. Leaves of the set are read and
/// changed in place, also of several trees together. They are not taken out, so such trees are not flattened or rebuilt by it.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "derive")] {
/// // The library.
/// use core::any::Any;
/// use treedef::tree::TreeWrite;
/// use treedef::{Error, Tree, over};
///
/// trait Weight: Any {
///     /// Nothing is done with a weight that is no float.
///     fn minus(&mut self, _rate: f64, _gradient: &dyn Weight) {}
/// }
///
/// impl Weight for f32 {
///     fn minus(&mut self, rate: f64, gradient: &dyn Weight) {
///         if let Some(gradient) = (gradient as &dyn Any).downcast_ref::<f32>() {
///             *self -= rate as f32 * gradient;
///         }
///     }
/// }
///
/// impl Weight for u64 {}
///
/// treedef::leaf_trait! {
///     /// The leaves that have `Weight`.
///     struct Weights: dyn Weight
/// }
///
/// fn sgd<M: TreeWrite<Weights>>(model: &mut M, gradient: &M, rate: f64) -> Result<(), Error> {
///     over((model, gradient)).of::<Weights>().for_each(|(p, g)| p.minus(rate, g))
/// }
///
/// // Who uses it, with a leaf type of their own.
/// #[derive(treedef::Leaf, Debug, PartialEq)]
/// struct Fixed(i32);
///
/// impl Weight for Fixed {
///     fn minus(&mut self, rate: f64, gradient: &dyn Weight) {
///         if let Some(gradient) = (gradient as &dyn Any).downcast_ref::<Fixed>() {
///             self.0 -= (rate * f64::from(gradient.0)) as i32;
///         }
///     }
/// }
///
/// #[derive(Tree, Debug, PartialEq)]
/// struct Model { weights: [f32; 2], scale: Fixed, steps: u64 }
///
/// let mut model = Model { weights: [1.0, 2.0], scale: Fixed(8), steps: 7 };
/// sgd(&mut model, &Model { weights: [2.0, 2.0], scale: Fixed(4), steps: 0 }, 0.5)?;
/// assert_eq!(model, Model { weights: [0.0, 1.0], scale: Fixed(6), steps: 7 });
/// # }
/// # Ok::<(), treedef::Error>(())
/// ```
#[macro_export]
macro_rules! leaf_trait {
    ($(#[$meta:meta])* $visibility:vis struct $Set:ident: dyn $Trait:path) => {
        $(#[$meta])*
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
        $visibility struct $Set;

        $crate::leaf_trait!(@impl $Set, $Trait {});
    };
    (@impl $Set:ty, $Trait:path { $($items:tt)* }) => {
        impl $crate::tree::LeafTypes for $Set {
            /// Leaves are not taken out.
            type Owned = ();
            type Ref<'a> = &'a dyn $Trait;
            type Mut<'a> = &'a mut dyn $Trait;

            fn cloned(_: &dyn $Trait) {}
        }

        impl<Leaf__: $Trait> $crate::tree::Holds<Leaf__> for $Set {
            $($items)*

            #[inline]
            fn owned(_: Leaf__) {}

            #[inline]
            fn leaf((): ()) -> ::core::option::Option<Leaf__> {
                ::core::option::Option::None
            }

            // In line, so that the compiler calls the type itself.
            #[inline(always)]
            fn by_ref<'a>(leaf: &'a Leaf__) -> &'a dyn $Trait
            where
                Self: 'a,
            {
                leaf
            }

            #[inline]
            fn by_mut<'a>(leaf: &'a mut Leaf__) -> &'a mut dyn $Trait
            where
                Self: 'a,
            {
                leaf
            }
        }
    };
}
pub(crate) use leaf_trait;
