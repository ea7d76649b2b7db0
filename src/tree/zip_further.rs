//! Further trees of a zip: with leaves of other types, or prefixes.

#[cfg(feature = "alloc")]
use alloc::vec::{self, Vec};

use crate::base::error::Error;
#[cfg(feature = "alloc")]
use crate::tree::flatten_on_heap::push_lanes;
use crate::tree::lanes::{Lanes, Leaves, Ref, Trees};
use crate::tree::leaf_types::LeafTypes;
use crate::tree::pairing::Pairing;
use crate::tree::traits::{Leaf, ZipPrefix};
use crate::tree::walk::TreeWalk;

/// Walks over a further tree and the first of the trees, and shows the leaves of the further one, whose index among all trees
/// is `index`.
pub(super) fn beside_first<'p, K, T, J, U, P>(
    further: Trees<'p, P, U>,
    is_prefix: bool,
    first: &T,
    index: u32,
    mut visit: impl FnMut(Trees<'p, P, J>),
) -> Result<(), Error>
where
    K: LeafTypes,
    J: Leaf + 'p,
    T: TreeWalk<K> + ?Sized,
    U: ZipPrefix<J, K, T> + ?Sized + 'p,
    P: Lanes,
{
    let mut visit = |leaf, _: Leaves<'_, Ref, K>| {
        visit(leaf);
        Ok(())
    };
    U::zip_lanes::<P, Ref, Error>(further, first, &mut Pairing::new(is_prefix), &mut visit).map_err(
        |error| match error {
            Error::TreesDiffer { node, tree: 1 } => Error::TreesDiffer { node, tree: index },
            Error::NotPrefix { node, tree: _ } => Error::NotPrefix { node, tree: index },
            error => error,
        },
    )
}

/// The leaves of a further tree, for the leaves of the first tree one after the other.
#[cfg(feature = "alloc")]
pub(super) struct Follow<'p, P: Lanes, J: 'p> {
    leaves: vec::IntoIter<Trees<'p, P, J>>,
    is_prefix: bool,
    /// The number of leaves of the first tree below each leaf of a prefix.
    counts: vec::IntoIter<usize>,
    /// The leaf of a prefix that is shown, and how often still.
    leaf: Option<Trees<'p, P, J>>,
    left: usize,
}

#[cfg(feature = "alloc")]
impl<'p, P: Lanes, J: Leaf + 'p> Follow<'p, P, J> {
    /// Begins before the first leaf of `further`, with the arguments of [`beside_first`].
    pub(super) fn new<K, T, U>(
        further: Trees<'p, P, U>,
        is_prefix: bool,
        first: &T,
        index: u32,
    ) -> Result<Self, Error>
    where
        K: LeafTypes,
        T: TreeWalk<K> + ?Sized,
        U: ZipPrefix<J, K, T> + ?Sized + 'p,
    {
        let (mut leaves, mut counts) = (Vec::new(), Vec::new());
        if is_prefix {
            let (mut last, mut count) = (core::ptr::null::<J>(), 0usize);
            beside_first::<K, T, J, U, P>(further, true, first, index, |leaf| {
                let this = core::ptr::from_ref(P::first::<J>(&leaf));
                // Leaves of a size of zero can be at one address: they are one value.
                if this != last {
                    leaves.push(leaf);
                    counts.extend((count > 0).then_some(count));
                    (last, count) = (this, 0);
                }
                count = count.wrapping_add(1);
            })?;
            counts.push(count);
        } else {
            beside_first::<K, T, J, U, Ref>(P::first::<U>(&further), false, first, index, |_| ())?;
            leaves = push_lanes::<J, U, P>(further)?;
        }
        let (leaves, counts) = (leaves.into_iter(), counts.into_iter());
        Ok(Self { leaves, is_prefix, counts, leaf: None, left: 0 })
    }

    /// The leaf for the next leaf of the first tree. There is always one, as both walks visit the same leaves.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Trees<'p, P, J>, Error> {
        let missing = Error::TooFewLeaves { expected: 0, found: 0 };
        if !self.is_prefix {
            return self.leaves.next().ok_or(missing);
        }
        if self.left == 0 {
            self.leaf = self.leaves.next();
            self.left = self.counts.next().unwrap_or(0);
        }
        self.left = self.left.wrapping_sub(1);
        P::take_or_copy::<J>(&mut self.leaf).ok_or(missing)
    }
}

/// Makes a struct a prefix of another struct, for [`Zip::under`](crate::tree::Zip::under): each of its fields is a prefix of the
/// field of that name.
///
/// Both structs are named with the type of their leaves. The fields that are trees are listed in the order in which both declare
/// them, and all of them are: otherwise the macro does not compile. Fields with `meta` or `skip` are left out. A struct with parameters
/// is named by an alias: `type Net = Dense<f32>;`. Fields that are renamed by `#[tree(name = "..")]` are listed as Rust names them, and
/// only their number is checked.
/// For [`Zip::only`](crate::tree::Zip::only), the struct with leaves of several types is named with
/// [`AnyLeaves`](crate::tree::AnyLeaves): `of Model: AnyLeaves`.
/// No macro is needed for a struct that has a type parameter for each field: with `struct Mlp<E, D> { encoder: E, decoder: D }`,
/// an `Mlp<f32, f32>` is a prefix.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use treedef::{Tree, zip};
///
/// #[derive(Tree, Debug, PartialEq)]
/// struct Linear { weights: [f32; 2], bias: f32 }
///
/// #[derive(Tree, Debug, PartialEq)]
/// struct Mlp { encoder: Linear, decoder: Linear }
///
/// #[derive(Tree)]
/// struct Rates { encoder: f32, decoder: f32 }
///
/// treedef::prefix!(Rates { encoder, decoder }: f32, of Mlp: f32);
///
/// let linear = |x| Linear { weights: [x; 2], bias: x };
/// let mut mlp = Mlp { encoder: linear(1.0), decoder: linear(2.0) };
/// zip((&mut mlp,)).under(&Rates { encoder: 0.5, decoder: 10.0 }).for_each(|x, rate| *x *= rate)?;
/// assert_eq!(mlp, Mlp { encoder: linear(0.5), decoder: linear(20.0) });
/// # }
/// # Ok::<(), treedef::Error>(())
/// ```
#[macro_export]
macro_rules! prefix {
    ($prefix:ident { $($field:ident),+ $(,)? }: $leaf:ty, of $full:ident: $other:ty) => {
        const _: () = {
            use $crate::__private as d__;

            d__::check_prefix::<$prefix>(&[$(::core::stringify!($field)),+]);
            d__::check_prefix::<$full>(&[$(::core::stringify!($field)),+]);

            impl d__::ZipPrefix<$leaf, $other, $full> for $prefix {
                fn zip_lanes<'p, 'a, P__: d__::Lanes, L__: d__::Lanes, E__: d__::From<d__::Error>>(
                    prefix: d__::Trees<'p, P__, Self>,
                    trees: d__::Trees<'a, L__, $full>,
                    pairing: &mut d__::Pairing,
                    visit: &mut impl d__::FnMut(d__::Trees<'p, P__, $leaf>, d__::Leaves<'a, L__, $other>) -> d__::Result<(), E__>,
                ) -> d__::Result<(), E__> {
                    pairing.count_node::<L__>();
                    let prefix = P__::map(prefix, $crate::prefix!(@of $prefix $($field)+), $crate::prefix!(@of $prefix $($field)+));
                    let trees = L__::map(trees, $crate::prefix!(@of $full $($field)+), $crate::prefix!(@of $full $($field)+));
                    $(
                        let ($field, prefix) = P__::unzip(prefix);
                        let (other, trees) = L__::unzip(trees);
                        <_ as d__::ZipPrefix<$leaf, $other, _>>::zip_lanes::<P__, L__, E__>($field, other, pairing, visit)?;
                    )+
                    let _ = (prefix, trees);
                    d__::Ok(())
                }
            }
        };
    };
    (@of $ty:ident $($field:ident)+) => { |$ty { $($field,)+ .. }| $crate::prefix!($($field)+) };
    () => { () };
    ($field:ident $($rest:ident)*) => { ($field, $crate::prefix!($($rest)*)) };
}
