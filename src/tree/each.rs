//! What is done with every leaf: shown to a function, changed in place, mapped, taken together with that of another
//! tree.

use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::tree::derive_support::Each;
use crate::tree::family::{Family, Item, Leaf};
use crate::tree::traits::{MapTree, Read, Visit, Write, ZipPrefix};

/// Calls `visit` with every leaf, in order.
///
/// # Errors
///
/// [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// let mut sum = 0.0;
/// treedef::for_each(&(1.0f32, [2.0f32, 3.0]), |x: &f32| sum += x)?;
/// assert_eq!(sum, 6.0);
/// # Ok::<(), treedef::Error>(())
/// ```
#[inline]
pub fn for_each<'a, R, T>(tree: &'a T, mut visit: impl FnMut(R)) -> Result<(), Error>
where
    R: Item<Family: Family<Ref<'a> = R> + 'a>,
    T: Read<R::Family> + ?Sized,
{
    let mut visit = |leaf| {
        visit(leaf);
        Ok::<_, Error>(())
    };
    tree.walk(&mut Depth::default(), &mut Each(&mut visit))
}

/// As [`for_each`], until `visit` answers an error.
///
/// # Errors
///
/// Those of `visit`; [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// use treedef::{Error, try_for_each};
///
/// let mut room = 2;
/// let stopped = try_for_each(&(1.0f32, [2.0f32, 3.0]), |_: &f32| match room {
///     0 => Err(Error::LeavesFull { needed: 3, room: 2 }),
///     _ => Ok(room -= 1),
/// });
/// assert_eq!(stopped, Err(Error::LeavesFull { needed: 3, room: 2 }));
/// ```
#[inline]
pub fn try_for_each<'a, R, E, T>(
    tree: &'a T,
    mut visit: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E>
where
    R: Item<Family: Family<Ref<'a> = R> + 'a>,
    E: From<Error>,
    T: Read<R::Family> + ?Sized,
{
    tree.walk(&mut Depth::default(), &mut Each(&mut visit))
}

/// Calls `visit` with every leaf, in order, to change it in place.
///
/// # Errors
///
/// [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// let mut tree = (1.0f32, [2.0f32, 3.0]);
/// treedef::for_each_mut(&mut tree, |x: &mut f32| *x += 1.0)?;
/// assert_eq!(tree, (2.0, [3.0, 4.0]));
/// # Ok::<(), treedef::Error>(())
/// ```
#[inline]
pub fn for_each_mut<'a, R, T>(tree: &'a mut T, mut visit: impl FnMut(R)) -> Result<(), Error>
where
    R: Item<Family: Family<Mut<'a> = R> + 'a>,
    T: Write<R::Family> + ?Sized,
{
    tree.walk_mut(&mut Depth::default(), &mut |leaf| {
        visit(leaf);
        Ok::<_, Error>(())
    })
}

/// Calls `visit` with runs of leaves that lie side by side in memory, in order.
///
/// An array or vector of leaves is one run, a leaf alone a run of one: what a DMA transfer or a `memcpy` wants.
///
/// # Errors
///
/// [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// let mut lengths = [0; 2];
/// let mut next = lengths.iter_mut();
/// treedef::for_each_run(&([1.0f32; 64], 2.0f32), |run: &[f32]| {
///     next.next().map(|length| *length = run.len());
/// })?;
/// assert_eq!(lengths, [64, 1]);
/// # Ok::<(), treedef::Error>(())
/// ```
#[inline]
pub fn for_each_run<'a, L, T>(tree: &'a T, visit: impl FnMut(&'a [L])) -> Result<(), Error>
where
    L: Leaf + 'a,
    T: Read<L> + ?Sized,
{
    tree.walk(&mut Depth::default(), &mut Runs(visit))
}

/// Replaces every leaf by what `map` makes of it, of the same or another type, as `jax.tree.map`.
///
/// The leaves are read in place; the treedef of the result is that of `tree`. All leaves become one type, so a struct
/// whose fields fix two leaf types cannot be mapped: change a copy with [`for_each_mut`], or see
/// [`leaf_family!`](crate::leaf_family).
///
/// # Errors
///
/// [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// let tree = (1.5f32, [2.5f32, 3.5]);
/// assert_eq!(treedef::map(&tree, |x: &f32| *x as i64)?, (1, [2, 3]));
/// # Ok::<(), treedef::Error>(())
/// ```
#[inline]
pub fn map<'a, R, M, T>(
    tree: &'a T,
    mut map: impl FnMut(R) -> M,
) -> Result<<T as MapTree<R::Family, M>>::Output, Error>
where
    R: Item<Family: Family<Ref<'a> = R> + 'a>,
    T: MapTree<R::Family, M>,
{
    tree.map_ref(&mut Depth::default(), &mut map)
}

/// As [`map`], with leaves that are moved out of `tree`.
///
/// # Errors
///
/// [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// let tree = (1.5f32, [2.5f32, 3.5]);
/// assert_eq!(treedef::map_from(tree, |x: f32| Some(x))?, (Some(1.5), [Some(2.5), Some(3.5)]));
/// # Ok::<(), treedef::Error>(())
/// ```
#[inline]
pub fn map_from<L, M, T>(
    tree: T,
    mut map: impl FnMut(L) -> M,
) -> Result<<T as MapTree<L::Family, M>>::Output, Error>
where
    L: Item<Family: Family<Owned = L>>,
    T: MapTree<L::Family, M>,
{
    tree.map_owned(&mut Depth::default(), &mut map)
}

/// Calls `visit` with every leaf of `full` and the leaf of `prefix` that stands above it, as the prefix broadcasting of
/// `jax.tree.broadcast`.
///
/// The types see to it that `prefix` can be a tree prefix; lengths, keys, variants and `Some` or `None` are compared, as
/// [`TreeDef::check_prefix_of`](crate::TreeDef::check_prefix_of) compares them. So a leaf in a `Some` stands above
/// `None` too, and is not seen, as `None` has no leaves: that two trees of one type have one structure,
/// [`matches()`](crate::matches) and [`flatten_expected`](crate::flatten_expected) see. Where the two differ behind some
/// leaves, `visit` has seen those before the error.
///
/// Generic code over two trees of one type is bound with [`Tree`](crate::Tree) and [`ZipPrefix`], which has an example.
///
/// `DIFFERENCE`: `jax.tree.map(f, a, b)` calls `f` once for each leaf of `a`, with the leaf or subtree that `b` has there.
/// For trees of one structure that is the same; else this broadcasts: one call for each leaf of the subtree, none where
/// it has none. [`flatten_up_to`](crate::flatten_up_to) gives the subtrees.
///
/// # Errors
///
/// [`Error::Mismatch`] with an index into the nodes of `prefix` where lengths, keys, variants or static data differ,
/// which [`Error::explain_at`] with the treedef of `prefix` turns into a key path; [`Error::TooDeep`].
///
/// # Examples
///
/// ```
/// let rates = (0.1f32, 0.5f32);
/// let params = ([1.0f64, 2.0], (3.0f64, [4.0f64]));
/// let mut steps = [0.0; 4];
/// let mut next = steps.iter_mut();
/// treedef::zip_prefix(&rates, &params, |rate: &f32, param: &f64| {
///     next.next().map(|step| *step = f64::from(*rate) * param);
/// })?;
/// assert_eq!(steps.map(|step| (step * 100.0) as i32), [10, 20, 150, 200]);
/// # Ok::<(), treedef::Error>(())
/// ```
///
/// Axes as those of `jax.vmap`, where `None` is a leaf: an `Option` is a container, a [`Whole`](crate::Whole) of it a
/// leaf.
///
/// ```
/// use treedef::{Whole, zip_prefix};
///
/// let in_axes = (Whole(Some(0)), Whole(None::<i32>));
/// let args = (1.0f32, [2.0f32, 3.0]);
/// let mut mapped = [None; 3];
/// let mut next = mapped.iter_mut();
/// zip_prefix(&in_axes, &args, |axis: &Whole<Option<i32>>, _: &f32| {
///     next.next().map(|mapped| *mapped = axis.0);
/// })?;
/// assert_eq!(mapped, [Some(0), None, None]);
/// # Ok::<(), treedef::Error>(())
/// ```
///
/// A leaf over a subtree, and the subtree itself:
///
/// ```
/// use treedef::{View, flatten_into, flatten_up_to, treedef_of, zip_prefix};
///
/// let (a, b) = ((1.0f32,), ([2.0f32, 3.0],));
/// let mut calls = 0;
/// zip_prefix(&a, &b, |_: &f32, _: &f32| calls += 1)?;
/// assert_eq!(calls, 2);
///
/// let (mut bytes, mut leaves) = ([0; 8], [0.0f32; 2]);
/// let (def, count) = flatten_into(&b, &mut bytes, &mut leaves)?;
/// let mut parts = flatten_up_to(treedef_of::<(f32,)>(), View::new(def, &leaves[..count])?)?;
/// assert_eq!(parts.next().map(|part| part.leaves()), Some([2.0, 3.0].as_slice()));
/// assert!(parts.next().is_none());
/// # Ok::<(), treedef::Error>(())
/// ```
///
/// To change one tree by another of its type in place, take the leaves of the other where it has the structure of the
/// first: walks of both are then in one order, leaf by leaf.
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use treedef::{Error, Tree, flatten_expected, for_each_mut, structure_into};
///
/// #[derive(Debug, PartialEq, Tree)]
/// struct Params {
///     bias: Option<f32>,
///     weights: [f32; 2],
/// }
///
/// fn sgd(params: &mut Params, gradient: &Params) -> Result<(), Error> {
///     let (mut bytes, mut flat) = ([0; 128], [0.0f32; 3]);
///     let expected = structure_into(params, &mut bytes)?;
///     let count = flatten_expected(gradient, expected, &mut flat)?;
///     let mut steps = flat.iter().take(count);
///     for_each_mut(params, |x: &mut f32| *x -= 0.5 * steps.next().unwrap_or(&0.0))
/// }
///
/// let mut params = Params { bias: None, weights: [1.0, 2.0] };
/// sgd(&mut params, &Params { bias: None, weights: [1.0, 1.0] })?;
/// assert_eq!(params, Params { bias: None, weights: [0.5, 1.5] });
///
/// // Another structure is refused before anything is written.
/// let refused = sgd(&mut params, &Params { bias: Some(9.0), weights: [1.0, 1.0] });
/// assert_eq!(refused, Err(Error::Mismatch { node: 1 }));
/// assert_eq!(params, Params { bias: None, weights: [0.5, 1.5] });
/// # }
/// # Ok::<(), treedef::Error>(())
/// ```
#[inline]
pub fn zip_prefix<'a, 'o, R, Q, T, O>(
    prefix: &'a T,
    full: &'o O,
    mut visit: impl FnMut(R, Q),
) -> Result<(), Error>
where
    R: Item<Family: Family<Ref<'a> = R> + 'a>,
    Q: Item<Family: Family<Ref<'o> = Q> + 'o>,
    O: Read<Q::Family> + ?Sized,
    T: ZipPrefix<R::Family, Q::Family, O> + ?Sized,
{
    prefix.zip_leaves(full, &mut Depth::default(), &mut |mine, theirs| {
        visit(mine, theirs);
        Ok(())
    })
}

/// Shows leaves as runs.
struct Runs<F>(F);

impl<'a, L, F> Visit<'a, L> for Runs<F>
where
    L: Leaf + 'a,
    F: FnMut(&'a [L]),
{
    type Slot = ();
    type Error = Error;

    #[inline]
    fn leaf(&mut self, leaf: &'a L) -> Result<(), Error> {
        (self.0)(core::slice::from_ref(leaf));
        Ok(())
    }

    #[inline]
    fn slot(_: &'a L) {}

    #[inline]
    fn run(&mut self, run: &'a [L]) -> Result<bool, Error> {
        (self.0)(run);
        Ok(true)
    }
}
