//! The capabilities of typed trees: read, write in place, take out and rebuild, map, zip.
//!
//! No method has the name of one of a standard type: `Read::fill` would come before `<[T]>::fill` for an array, by the
//! order in which methods are looked up, wherever the trait is imported.

use crate::base::error::Error;
use crate::encode::depth::{Depth, MAX_DEPTH};
use crate::encode::structure::Structure;
use crate::tree::derive_support::Each;
use crate::tree::family::LeafTypes;
use crate::tree::lanes::{Lanes, Leaves, Ref, Trees};
use crate::tree::pairing::Pairing;
use crate::tree::rebuild::{Copied, Rebuild, Source, shift_leaf};
use crate::treedef::cursor::Siblings;

/// A tree with leaves of `K` that can be read, changed in place, taken apart and rebuilt.
///
/// This is the bound that generic code names: `fn sgd<P: Tree<f32>>(params: &mut P, ..)`. Code that maps names
/// [`MapTree`], which says what comes out; code that reads two trees at once [`ZipPrefix`]. `K` is a leaf type or a
/// family. The operations are free functions ([`leaves_into`](crate::leaves_into), [`unflatten`](crate::unflatten),
/// [`map`](crate::map) ..); `#[derive(Tree)]` writes the implementation.
///
/// Trees whose leaves can only be borrowed (`&T`, slices) are not `Tree` but can be read: the bound for those is
/// [`TreeRead<K>`](TreeRead).
///
/// # Which types are trees
///
/// | type | what it is in a treedef |
/// |---|---|
/// | numbers, `bool`, `char`, what [`leaf!`](crate::leaf) declares, [`AsLeaf<T>`](crate::tree::AsLeaf) | a leaf |
/// | what `#[derive(Tree)]` is on | a struct |
/// | tuples of up to 12 elements | a tuple; what has more parts is a struct |
/// | `[T; N]`, `heapless::Vec<T, N>`, `Vec` (feature `alloc`) | a list |
/// | `heapless::LinearMap`, `heapless::IndexMap` (`FnvIndexMap`), `BTreeMap` (`alloc`), `HashMap` (`std`, `hashbrown`) | a dictionary, its keys in sorted order |
/// | `Option<T>` | `None`, or what it holds; a `Some` is a node only where `T` can be `None` itself |
/// | `PhantomData` | an empty tuple |
/// | `Box<T>` (`alloc`) | what it holds |
/// | `[T]`, `&T`, `&mut T` | a list, and what it points to; not rebuilt |
///
/// Containers of `heapless` are there without a feature. They are flattened with as many elements as they hold; a
/// treedef with more than their capacity is [`Error::Capacity`] where it is rebuilt. Whatever order a map keeps, its
/// leaves come in that of its keys, and a rebuilt one has them inserted so; [`LinearMap`](heapless::LinearMap) and
/// [`IndexMap`](heapless::IndexMap) sort pointers to their entries on the stack in each call, two words for each of
/// their capacity, with n² / 2 comparisons at worst.
///
/// ```
/// use heapless::index_map::FnvIndexMap;
/// use heapless::{LinearMap, Vec};
/// use treedef::{flatten_into, unflatten};
///
/// let mut gains = FnvIndexMap::<&str, f32, 4>::new();
/// let _ = (gains.insert("kp", 1.0), gains.insert("kd", 2.0));
/// let taps = Vec::<f32, 8>::from_iter([3.0, 4.0]);
/// let (mut bytes, mut leaves) = ([0; 32], [0.0f32; 4]);
/// let (def, _) = flatten_into(&(gains, taps), &mut bytes, &mut leaves)?;
/// assert_eq!(def.to_string(), "PyTreeDef(({'kd': *, 'kp': *}, [*, *]))");
/// assert_eq!(leaves, [2.0, 1.0, 3.0, 4.0]);
///
/// // Owned keys are read back; two entries and two elements do not fit everywhere.
/// type Key = heapless::String<4>;
/// let (map, list): (LinearMap<Key, f32, 2>, Vec<f32, 2>) = unflatten(def, &leaves)?;
/// assert_eq!((map.iter().map(|(_, gain)| *gain).collect::<Vec<_, 2>>(), list), ([2.0, 1.0].into(), [3.0, 4.0].into()));
/// let error = unflatten::<f32, (LinearMap<Key, f32, 2>, Vec<f32, 1>)>(def, &leaves).unwrap_err();
/// assert_eq!(error.explain_at(&def).to_string(), "[1] has 2 children, its container holds 1");
/// # Ok::<(), treedef::Error>(())
/// ```
///
/// # Examples
///
/// ```
/// use treedef::tree::MapTree;
/// use treedef::{Error, Tree, for_each_mut, map};
///
/// fn scale<P: Tree<f32>>(params: &mut P, by: f32) -> Result<(), Error> {
///     for_each_mut(params, |x: &mut f32| *x *= by)
/// }
///
/// fn scaled<P: MapTree<f32, f32, Output = P>>(params: &P, by: f32) -> Result<P, Error> {
///     map(params, |x: &f32| x * by)
/// }
///
/// let mut params = (1.0f32, [2.0f32]);
/// scale(&mut params, 2.0)?;
/// assert_eq!(scaled(&params, 2.0)?, (4.0, [8.0]));
/// # Ok::<(), Error>(())
/// ```
pub trait Tree<K: LeafTypes>: TreeWrite<K> + TreeBuild<K> {}

impl<K: LeafTypes, T: TreeWrite<K> + TreeBuild<K>> Tree<K> for T {}

/// A tree whose leaves can be read in order.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tree whose leaves can be read as `{K}`",
    note = "generic code asks for it by the bound `treedef::Tree<f32>`, with the type of its leaves"
)]
pub trait TreeRead<K: LeafTypes>: Structure {
    /// Shows the leaves of one tree or of several to `visit`, in order: at each place one leaf of each tree.
    ///
    /// `L` is how the trees are held. The trees must have one structure; an implementation compares what the type does
    /// not fix (lengths, keys, variants, meta fields) before it goes on to the children. It counts each of its own
    /// nodes by [`Lanes::pass`], before its children.
    ///
    /// A type that only borrows its leaves gives `None` to [`Lanes::split`] for a tree that is to be changed: it is no
    /// [`TreeWrite`], so such trees do not come.
    ///
    /// # Errors
    ///
    /// [`Error::TreesDiffer`]; those of `visit`; [`Error::TooDeep`] from recursive types.
    fn walk_lanes<'a, L: Lanes, E: From<Error>>(
        trees: Trees<'a, L, Self>,
        depth: &mut Depth,
        visit: &mut impl FnMut(Leaves<'a, L, K>) -> Result<(), E>,
    ) -> Result<(), E>
    where
        K: 'a,
        Self: 'a;

    /// Shows every leaf of one tree to a visitor that can take several at once, in order.
    ///
    /// The default shows them one by one.
    ///
    /// # Errors
    ///
    /// Those of the visitor; [`Error::TooDeep`] from recursive types.
    #[inline]
    fn walk<'a, V: Visit<'a, K>>(&'a self, depth: &mut Depth, visit: &mut V) -> Result<(), V::Error>
    where
        K: 'a,
    {
        Self::walk_lanes::<Ref, V::Error>(self, depth, &mut |leaf| visit.leaf(leaf))
    }

    /// Fills one slot for each leaf; called where [`Structure::LEAVES`] is known, with exactly that many slots.
    ///
    /// The default walks over the leaves. An implementation that splits the slots by constants leaves no check in the
    /// program.
    #[inline]
    fn fill_slots<'a, V: Visit<'a, K>>(&'a self, slots: &mut [V::Slot])
    where
        K: 'a,
    {
        if const { Self::LEAVES.is_none() } {
            return;
        }
        let mut slots = slots.iter_mut();
        // Without a type of its own: the walk inside comes here again, for the visitor that it has then.
        let fill: &mut dyn FnMut(K::Ref<'a>) -> Result<(), Error> = &mut |leaf| {
            if let Some(slot) = slots.next() {
                *slot = V::slot(leaf);
            }
            Ok(())
        };
        // A type of fixed shape is not recursive, so that this cannot be too deep.
        let _ = self.walk(&mut Depth::default(), &mut Each(fill));
    }

    /// Shows the leaves of elements that lie side by side; a leaf type hands them over as one run.
    ///
    /// # Errors
    ///
    /// As [`TreeRead::walk`].
    #[inline]
    fn walk_slice<'a, V: Visit<'a, K>>(
        elements: &'a [Self],
        depth: &mut Depth,
        visit: &mut V,
    ) -> Result<(), V::Error>
    where
        Self: Sized,
        K: 'a,
    {
        if let Some(leaves) = Self::LEAVES
            && let Some(count) = leaves.checked_mul(elements.len())
            && let Some(slots) = visit.room(count)?
        {
            fill_slice::<K, Self, V>(elements, leaves, slots);
            return Ok(());
        }
        for element in elements {
            element.walk(depth, visit)?;
        }
        Ok(())
    }
}

/// Fills the slots of elements of fixed shape.
#[inline]
pub(crate) fn fill_slice<'a, K, T, V>(elements: &'a [T], leaves: usize, slots: &mut [V::Slot])
where
    K: LeafTypes + 'a,
    T: TreeRead<K>,
    V: Visit<'a, K>,
{
    if leaves == 0 {
        return;
    }
    for (element, slots) in elements.iter().zip(slots.chunks_exact_mut(leaves)) {
        element.fill_slots::<V>(slots);
    }
}

/// Receives leaves that are read.
pub trait Visit<'a, K: LeafTypes + 'a> {
    /// What it keeps of a leaf.
    type Slot;

    /// What stops the walk.
    type Error: From<Error>;

    /// One leaf.
    ///
    /// # Errors
    ///
    /// What stops the walk.
    fn leaf(&mut self, leaf: K::Ref<'a>) -> Result<(), Self::Error>;

    /// What is kept of a leaf.
    fn slot(leaf: K::Ref<'a>) -> Self::Slot;

    /// The slots of the next `count` leaves, if the visitor keeps leaves in a slice; it then sees them no more.
    ///
    /// # Errors
    ///
    /// [`Error::LeavesFull`] if the slice ends.
    #[inline]
    fn room(&mut self, count: usize) -> Result<Option<&mut [Self::Slot]>, Self::Error> {
        let _ = count;
        Ok(None)
    }

    /// Leaves side by side; `false` if they are to be shown one by one.
    ///
    /// # Errors
    ///
    /// What stops the walk.
    #[inline]
    fn run(&mut self, run: K::Run<'a>) -> Result<bool, Self::Error> {
        let _ = run;
        Ok(false)
    }
}

/// A tree whose leaves can be changed in place.
///
/// A promise without a method of its own: [`TreeRead::walk_lanes`] works for trees that are held by
/// [`Mut`](crate::tree::lanes::Mut).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tree whose leaves can be changed in place as `{K}`",
    note = "generic code asks for it by the bound `treedef::Tree<f32>`, with the type of its leaves"
)]
pub trait TreeWrite<K: LeafTypes>: TreeRead<K> {}

/// A tree that can be taken apart and put together again from a treedef and leaves.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tree whose leaves can be rebuilt as `{K}`",
    note = "generic code asks for it by the bound `treedef::Tree<f32>`, with the type of its leaves"
)]
pub trait TreeBuild<K: LeafTypes>: Structure + Sized {
    /// Gives every leaf to `visit`, in order.
    ///
    /// # Errors
    ///
    /// Those of `visit`; [`Error::TooDeep`] from recursive types.
    fn take_leaves<E: From<Error>>(
        self,
        depth: &mut Depth,
        visit: &mut impl FnMut(K::Owned) -> Result<(), E>,
    ) -> Result<(), E>;

    /// Rebuilds the next child of `list`.
    ///
    /// # Errors
    ///
    /// [`Error::Mismatch`], [`Error::Capacity`], [`Error::DuplicateKey`], [`Error::TooFewLeaves`],
    /// [`Error::WrongLeaf`], [`Error::TooDeep`].
    fn build<S: Source<K>>(
        rebuild: &mut Rebuild<'_, K, S>,
        list: &mut Siblings,
    ) -> Result<Self, Error>;

    /// Whether [`TreeBuild::build_like`] can take this tree, with all below it, as a template.
    #[inline]
    fn is_template(&self) -> bool {
        false
    }

    /// Rebuilds a tree of the same structure as `template` from the leaves that come next.
    ///
    /// The copies of a child that a treedef repeats are built like the first of them, so that its bytes are read once.
    /// It is called where [`TreeBuild::is_template`] is true.
    ///
    /// # Errors
    ///
    /// [`Error::TooFewLeaves`], [`Error::WrongLeaf`]; [`Error::Mismatch`] from the default.
    #[inline]
    fn build_like<S: Source<K>>(
        template: &Self,
        rebuild: &mut Rebuild<'_, K, S>,
    ) -> Result<Self, Error> {
        let _ = template;
        Err(rebuild.mismatch())
    }

    /// Rebuilds a value whose treedef is known to be that of the type; called where [`Structure::TREEDEF`] is known,
    /// with exactly as many leaves as the type has.
    ///
    /// The default reads the treedef once more. An implementation that splits the leaves by constants leaves no check
    /// in the program.
    ///
    /// # Errors
    ///
    /// [`Error::WrongLeaf`] with an index that counts from the front of `leaves`.
    #[inline]
    fn from_leaves<S: Source<K>>(leaves: &[K::Owned]) -> Result<Self, Error> {
        let Some(def) = Self::TREEDEF else { return Err(Error::Mismatch { node: 0 }) };
        let mut rebuild = Rebuild::new(def, Copied { leaves, copy: S::copy }, MAX_DEPTH);
        Self::build(&mut rebuild, &mut Siblings::root())
    }
}

/// Rebuilds the next child of `list` as one piece, if its type has a fixed structure, that structure is here and
/// the leaves are a slice.
///
/// # Errors
///
/// [`Error::WrongLeaf`].
#[inline]
pub fn build_fixed<K, T, S>(
    rebuild: &mut Rebuild<'_, K, S>,
    list: &mut Siblings,
) -> Result<Option<T>, Error>
where
    K: LeafTypes,
    T: TreeBuild<K>,
    S: Source<K>,
{
    let Some(def) = T::TREEDEF else { return Ok(None) };
    let Some((leaves, index)) = rebuild.chunk(list, def, def.node_count()) else { return Ok(None) };
    shift_leaf(T::from_leaves::<S>(leaves), index as usize).map(Some)
}

/// A tree whose leaves can be replaced by values of another type.
///
/// `M` is a parameter, so that an implementation can ask something of it, and a struct with leaves of a fixed type
/// has none for other types. A struct whose fields fix two leaf types has none at all, since every leaf becomes an `M`:
/// [`leaf_types!`](crate::leaf_types) says what there is instead.
#[diagnostic::on_unimplemented(
    message = "the leaves of `{Self}` cannot become `{M}`",
    note = "generic code that maps asks for it by the bound `treedef::tree::MapTree<f32, f32, Output = T>`, with the leaves before and after",
    note = "a struct can change its leaf type if its fields are of type parameters: `struct Linear<T> {{ w: [T; 4], b: T }}`",
    note = "a tree with leaves of several types is changed in a copy, by `treedef::for_each_mut`: a map gives all leaves one type"
)]
pub trait MapTree<K: LeafTypes, M>: Structure {
    /// The tree with leaves of type `M`.
    type Output;

    /// Replaces the leaves of a value.
    ///
    /// # Errors
    ///
    /// [`Error::TooDeep`] from recursive types.
    fn map_owned(
        self,
        depth: &mut Depth,
        map: &mut impl FnMut(K::Owned) -> M,
    ) -> Result<Self::Output, Error>
    where
        Self: Sized;

    /// Makes a new tree from the leaves of one tree or of several of one structure, which are held as `L` says.
    ///
    /// Keys and meta fields are those of the first tree.
    ///
    /// # Errors
    ///
    /// [`Error::TreesDiffer`]; those of `map`; [`Error::TooDeep`] from recursive types.
    fn map_lanes<'a, L: Lanes, E: From<Error>>(
        trees: Trees<'a, L, Self>,
        depth: &mut Depth,
        map: &mut impl FnMut(Leaves<'a, L, K>) -> Result<M, E>,
    ) -> Result<Self::Output, E>
    where
        K: 'a,
        Self: 'a;
}

/// A tree that fits beside trees of type `O`, or is a prefix of them: a leaf here is for the whole subtree there.
///
/// The types check that the shapes can fit; lengths, keys, variants and meta fields are compared in the values.
/// [`Zip::with`](crate::tree::Zip::with) and [`Zip::under`](crate::tree::Zip::under) call it.
///
/// # Examples
///
/// ```
/// use treedef::tree::ZipPrefix;
/// use treedef::{Error, Tree, zip};
///
/// /// Steps against the gradient where `mask` is true.
/// fn masked<T: Tree<f32>, M: ZipPrefix<bool, f32, T>>(p: &mut T, g: &T, mask: &M) -> Result<(), Error> {
///     zip((p, g)).with(mask).for_each(|p: &mut f32, g, keep: &bool| *p -= if *keep { *g } else { 0.0 })
/// }
///
/// let mut params = (1.0f32, [2.0f32, 3.0]);
/// masked(&mut params, &(0.5, [0.5, 0.5]), &(true, [false, true]))?;
/// assert_eq!(params, (0.5, [2.0, 2.5]));
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not fit beside or above `{O}`",
    note = "at every place the two hold the same container, or `{Self}` holds a leaf",
    note = "generic code asks for it by the bound `M: treedef::tree::ZipPrefix<bool, f32, T>`, with the leaves of `M` and those of `T`"
)]
pub trait ZipPrefix<K: LeafTypes, J: LeafTypes, O: TreeRead<J> + ?Sized>: TreeRead<K> {
    /// Shows the leaves of `trees` to `visit`, each with the leaf of `prefix` that is beside or above it.
    ///
    /// `P` is a single lane. An implementation counts each of its own nodes by [`Pairing::pass`].
    ///
    /// # Errors
    ///
    /// [`Error::TreesDiffer`], [`Error::NotPrefix`]; those of `visit`; [`Error::TooDeep`] from recursive types.
    fn zip_lanes<'a, P: Lanes, L: Lanes, E: From<Error>>(
        prefix: Trees<'a, P, Self>,
        trees: Trees<'a, L, O>,
        pairing: &mut Pairing,
        visit: &mut impl FnMut(Leaves<'a, P, K>, Leaves<'a, L, J>) -> Result<(), E>,
    ) -> Result<(), E>
    where
        K: 'a,
        J: 'a,
        O: 'a,
        Self: 'a;
}
