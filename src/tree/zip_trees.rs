//! The trees that can be beside one another in a zip.

use core::ops::Deref;

use crate::tree::lanes::{Lanes, Mut, Ref, Trees};
use crate::tree::leaf_types::LeafTypes;
use crate::tree::traits::TreeWrite;

/// The trees of a [`zip`](crate::zip()): a tuple of one to six `&tree` and `&mut tree`.
///
/// # Examples
///
/// ```
/// use treedef::container::ZipTrees;
///
/// fn tree<Z: ZipTrees<Tree = [f32; 2]>>(_: Z) {}
///
/// tree((&[1.0, 2.0], &mut [3.0, 4.0]));
/// ```
#[diagnostic::on_unimplemented(
    message = "a `zip` has one to six trees, each given as `&tree` or `&mut tree`",
    note = "further trees are added by `.with(&tree)`"
)]
pub trait ZipTrees {
    /// The type of the trees. Slices beside vectors and arrays are walked as slices.
    type Tree: ?Sized;
}

impl<A: Deref> ZipTrees for (A,) {
    type Tree = A::Target;
}

/// The type of a tuple of trees is that of its first tree beside that of the others.
macro_rules! tuples {
    ($A:ident) => {};
    ($A:ident $($B:ident)+) => {
        impl<$A: Deref, $($B),+> ZipTrees for ($A, $($B,)+)
        where
            ($($B,)+): ZipTrees,
            $A::Target: Beside<<($($B,)+) as ZipTrees>::Tree>,
        {
            type Tree = <$A::Target as Beside<<($($B,)+) as ZipTrees>::Tree>>::Tree;
        }

        tuples!($($B)+);
    };
}
tuples!(A B C D E F);

/// A tree that can be beside an `O` in a [`zip`](crate::zip()): one of the same type, or a slice beside a vector or an array.
///
/// # Examples
///
/// ```
/// use treedef::container::Beside;
///
/// fn tree<T: Beside<[f32], Tree = [f32]>>(_: T) {}
///
/// tree([1.0, 2.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "a tree of the type `{O}` is beside a `{Self}` in a `zip`",
    note = "the trees of a `zip` have one type and are given as `&tree` or `&mut tree`",
    note = "add a tree with leaves of another type by `.with(&mask)`, a prefix by `.under(&rates)`"
)]
pub trait Beside<O: ?Sized> {
    /// The type that both are walked as.
    type Tree: ?Sized;
}

impl<T: ?Sized> Beside<T> for T {
    type Tree = T;
}

/// A reference to a tree that is walked as a `T` of `L` leaves: `&T`, or `&mut T` if its leaves can be changed. [`zip`](crate::zip()) has an example.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a reference to a tree that is walked as `{T}`",
    note = "the trees of a `zip` are given as `&tree` or `&mut tree`"
)]
pub trait Lane<'a, L: LeafTypes, T: ?Sized + 'a>: Sized {
    /// [`Ref`] or [`Mut`].
    type Mode: Lanes;

    /// The tree.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::container::Lane;
    ///
    /// let tree = [1.0f32, 2.0];
    /// assert_eq!(Lane::<f32, [f32; 2]>::tree(&tree), &tree);
    /// ```
    fn tree(self) -> Trees<'a, Self::Mode, T>;

    /// The tree, to be read.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::container::Lane;
    ///
    /// let mut tree = [1.0f32, 2.0];
    /// assert_eq!(Lane::<f32, [f32; 2]>::peek(&&mut tree), &[1.0, 2.0]);
    /// ```
    fn peek(&self) -> &T;
}

/// Makes lanes of references to a `$From`, walked as a `$To`.
macro_rules! lanes {
    ([$($generics:tt)*] $From:ty => $To:ty, ($($write:tt)*)) => {
        impl<'a, L: LeafTypes, $($generics)*> Lane<'a, L, $To> for &'a $From {
            type Mode = Ref;

            #[inline]
            fn tree(self) -> &'a $To {
                self
            }

            #[inline]
            fn peek(&self) -> &$To {
                &**self
            }
        }

        impl<'a, L: LeafTypes, $($generics)*> Lane<'a, L, $To> for &'a mut $From
        where
            $($write)*: TreeWrite<L>,
        {
            type Mode = Mut;

            #[inline]
            fn tree(self) -> &'a mut $To {
                self
            }

            #[inline]
            fn peek(&self) -> &$To {
                &**self
            }
        }
    };
    // A slice beside a vector or an array.
    ([$($generics:tt)*] $From:ty) => {
        $crate::tree::zip_trees::lanes!([T $($generics)*] $From => [T], (T));

        impl<T $($generics)*> Beside<[T]> for $From {
            type Tree = [T];
        }

        impl<T $($generics)*> Beside<$From> for [T] {
            type Tree = [T];
        }
    };
}
pub(crate) use lanes;

lanes!([T: ?Sized] T => T, (T));
lanes!([, const N: usize] [T; N]);

/// Makes nested pairs, as [`Lanes`] needs them.
macro_rules! nested {
    ($a:expr) => { $a };
    ($a:expr, $($rest:expr),+) => { ($a, nested!($($rest),+)) };
}
macro_rules! nested_pattern {
    ($a:ident) => { $a };
    ($a:ident $($rest:ident)+) => { ($a, nested_pattern!($($rest)+)) };
}
macro_rules! nested_mode {
    ($A:ident) => { $A::Mode };
    ($A:ident $($Rest:ident)+) => { ($A::Mode, nested_mode!($($Rest)+)) };
}
/// As many [`Ref`] as there are names.
macro_rules! nested_ref {
    ($A:ident) => { Ref };
    ($A:ident $($Rest:ident)+) => { (Ref, nested_ref!($($Rest)+)) };
}
pub(super) use {nested, nested_mode, nested_pattern, nested_ref};
