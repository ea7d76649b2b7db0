//! Zips trees with the path of each place.

use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::tree::lanes::Trees;
use crate::tree::traits::{Leaf, MapTree, TreeRead};
use crate::tree::with_path::WithPath;
use crate::tree::zip::{Lane, Zip, nested, nested_mode, nested_pattern};
use crate::treedef::key_path::KeyPath;

macro_rules! arity {
    ($(#[$page:meta])* $A:ident $a:ident $(, $B:ident $b:ident)*) => {
        $(#[$page])*
        impl<$A, $($B),*> Zip<($A, $($B,)*)> {
            /// As [`Zip::for_each`], with the path of each place as the first argument of `visit`.
            ///
            /// Keys of dictionaries are those of the first tree.
            ///
            /// # Errors
            ///
            /// As [`Zip::for_each`], and as [`for_each_with_path`](crate::for_each_with_path).
            ///
            /// # Examples
            ///
            /// ```
            /// use treedef::{KeyEntry, zip};
            ///
            /// let (mut params, gradient) = ((1.0f32, [2.0f32]), (0.5f32, [0.5f32]));
            /// zip((&mut params, &gradient)).for_each_with_path(|path, p, g| {
            ///     let is_frozen = path.first() == Some(&KeyEntry::Index(0));
            ///     *p -= if is_frozen { 0.0 } else { *g };
            /// })?;
            /// assert_eq!(params, (1.0, [1.5]));
            /// # Ok::<(), treedef::Error>(())
            /// ```
            #[inline]
            pub fn for_each_with_path<'a, K, T>(
                self,
                mut visit: impl FnMut(KeyPath<'_, '_>, Trees<'a, $A::Mode, K>, $(Trees<'a, $B::Mode, K>),*),
            ) -> Result<(), Error>
            where
                K: Leaf + 'a,
                T: TreeRead<K> + ?Sized + 'a,
                $A: Lane<'a, K, T>,
                $($B: Lane<'a, K, T>,)*
            {
                let ($a, $($b,)*) = self.trees;
                T::walk_lanes::<nested_mode!($A $($B)*), Error>(
                    nested!($a.tree() $(, $b.tree())*),
                    &mut Depth::default(),
                    &mut WithPath::new(|path: KeyPath<'_, '_>, nested_pattern!($a $($b)*)| Ok(visit(path, $a, $($b),*))),
                )
            }

            /// As [`Zip::map`], with the path of each place as the first argument of `map`, as `jax.tree.map_with_path(f, tree, *rest)`.
            ///
            /// # Errors
            ///
            /// As [`for_each_with_path`](Zip#method.for_each_with_path).
            ///
            /// # Examples
            ///
            /// ```
            /// use treedef::zip;
            ///
            /// let (a, b) = ((1.0f32, [2.0f32]), (3.0f32, [1.0f32]));
            /// let larger = zip((&a, &b)).map_with_path(|path, a, b| if a > b { path.len() } else { 0 });
            /// assert_eq!(larger, Ok((0, [2])));
            /// ```
            #[inline]
            pub fn map_with_path<'a, K, T, N>(
                self,
                mut map: impl FnMut(KeyPath<'_, '_>, Trees<'a, $A::Mode, K>, $(Trees<'a, $B::Mode, K>),*) -> N,
            ) -> Result<T::Output, Error>
            where
                K: Leaf + 'a,
                T: MapTree<K, N> + 'a,
                $A: Lane<'a, K, T>,
                $($B: Lane<'a, K, T>,)*
            {
                let ($a, $($b,)*) = self.trees;
                T::map_lanes::<nested_mode!($A $($B)*), Error>(
                    nested!($a.tree() $(, $b.tree())*),
                    &mut Depth::default(),
                    &mut WithPath::new(|path: KeyPath<'_, '_>, nested_pattern!($a $($b)*)| Ok(map(path, $a, $($b),*))),
                )
            }
        }
    };
}

arity! {
    /// The paths of the places of two trees. One to six trees have the same methods.
    A a, B b
}

/// The methods for other numbers of trees than two, which the documentation does not repeat.
macro_rules! as_for_two {
    ($(($($tree:tt)*))*) => { $(arity!(#[cfg_attr(doc, doc(hidden))] $($tree)*);)* };
}
as_for_two! {
    (A a)
    (A a, B b, D d)
    (A a, B b, D d, F f4)
    (A a, B b, D d, F f4, G g)
    (A a, B b, D d, F f4, G g, H h)
}
