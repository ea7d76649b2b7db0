//! Zips trees with leaves of any types for the leaves of one type.

use core::marker::PhantomData;

use crate::base::error::Error;
use crate::base::try_error::UserError;
use crate::encode::depth::Depth;
use crate::tree::any_leaves::AnyLeaves;
use crate::tree::lanes::{Lanes, Ref, Trees};
use crate::tree::reduce::Folded;
use crate::tree::walk::TreeWalk;
use crate::tree::zip::{Zip, methods};
use crate::tree::zip_trees::{Lane, ZipTrees, nested, nested_mode, nested_pattern, nested_ref};

/// Several trees of one type with leaves of any types, of which those of one type are visited; from [`Zip::only`].
///
/// # Examples
///
/// ```
/// use treedef::zip;
///
/// let mut model = ([1.0f32, 2.0], 7u64);
/// zip((&mut model, &([3.0, 4.0], 1))).only::<f32>().for_each(|weight, other| *weight += other)?;
/// assert_eq!(model, ([4.0, 6.0], 7));
/// # Ok::<(), treedef::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ZipOnly<L, K> {
    pub(super) trees: L,
    leaf: PhantomData<K>,
}

impl<L> Zip<L> {
    /// Takes the leaves of the type `K`, and passes over others. The trees can have leaves of any types that are `'static`:
    /// [`AnyLeaves`].
    ///
    /// # Examples
    ///
    /// [`ZipOnly`] has an example.
    #[must_use = "does nothing before `for_each`"]
    pub fn only<K: 'static>(self) -> ZipOnly<L, K> {
        ZipOnly { trees: self.trees, leaf: PhantomData }
    }
}

macro_rules! arity {
    ($(#[$page:meta])* $A:ident $a:ident $(, $B:ident $b:ident)*) => {
        $(#[$page])*
        impl<$A, $($B,)* K: 'static> ZipOnly<($A, $($B,)*), K> {
            methods! {
                [T,] ($a: Trees<'a, $A::Mode, K> $(, $b: Trees<'a, $B::Mode, K>)*)
                where [
                    T: TreeWalk<AnyLeaves> + ?Sized + 'a,
                    ($A, $($B,)*): ZipTrees<Tree = T>,
                    $A: Lane<'a, AnyLeaves, T>,
                    $($B: Lane<'a, AnyLeaves, T>,)*
                ]
                check self {
                    let ($a, $($b,)*) = &self.trees;
                    let trees = nested!($a.peek() $(, $b.peek())*);
                    T::walk_lanes::<nested_ref!($A $($B)*), Error>(trees, &mut Depth::default(), &mut |_| Ok(()))?;
                    Ok(self)
                }
                try_for_each visit {
                    let ($a, $($b,)*) = self.trees;
                    T::walk_lanes::<nested_mode!($A $($B)*), E>(
                        nested!($a.tree() $(, $b.tree())*),
                        &mut Depth::default(),
                        &mut |leaves| match <nested_mode!($A $($B)*)>::of_type::<K>(leaves) {
                            Some(nested_pattern!($a $($b)*)) => visit($a, $($b),*),
                            None => Ok(()),
                        },
                    )
                }
            }
        }
    };
}

arity!(A a, B b);
arity!(#[cfg_attr(doc, doc(hidden))] A a);
arity!(#[cfg_attr(doc, doc(hidden))] A a, B b, C c);
arity!(#[cfg_attr(doc, doc(hidden))] A a, B b, C c, D d);
arity!(#[cfg_attr(doc, doc(hidden))] A a, B b, C c, D d, F f);
arity!(#[cfg_attr(doc, doc(hidden))] A a, B b, C c, D d, F f, G g);
