//! Walks over trees: what a tree does, and what receives it. One tree gives its structure and its leaves to a [`Sink`]; the leaves of one
//! tree or of several together, also to be changed, go to [`VisitLanes`].

use crate::base::attempt::{done, ok};
use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::encode::structure::HasSchema;
use crate::encode::writer::Writer;
use crate::format::heading::{HeadSpec, List};
use crate::format::to_value::ToValue;
use crate::format::value::Value;
use crate::tree::any_leaves::AnyLeaves;
use crate::tree::lanes::{Lanes, Leaves, Trees, leaves};
use crate::tree::leaf_types::{LeafAs, LeafTypes};
use crate::tree::walk_path::WalkPath;

/// The walk over a tree: of one tree to a [`Sink`], which receives its structure and its leaves, or over the leaves of several trees
/// together.
///
/// `K` is the leaf type, or a set of leaf types: [`NoLeaves`](crate::tree::NoLeaves), for the structure alone, a set of
/// [`leaf_types!`](crate::leaf_types), [`KeyLeaves`](crate::cache::KeyLeaves) or, without a parameter, [`AnyLeaves`](crate::tree::AnyLeaves).
/// An implementation for all `K` serves all of them.
///
/// [`container!`](crate::container!) implements it for a list or a dictionary of another crate, in a newtype. Another container by
/// hand is a [`Tree`](trait@crate::Tree) if it implements [`HasSchema`], [`TreeWalk`] and
/// [`TreeBuild`](crate::tree::TreeBuild), and the traits without methods [`TreeRead`](crate::tree::TreeRead) and
/// [`TreeWrite`](crate::tree::TreeWrite). It needs [`MapTree`](crate::tree::MapTree) and [`ZipPrefix`](crate::tree::ZipPrefix) only
/// to be mapped, or zipped with trees of another type. All methods have to agree on the order of the leaves. The guide to
/// [`containers`](mod@crate::guide::containers) has examples.
///
/// # Examples
///
/// A container of another crate, in a newtype, because both the type and the traits are foreign:
///
/// ```
/// use std::collections::VecDeque;
/// use treedef::{flatten_into, treedef, unflatten, over};
///
/// struct Queue<T>(VecDeque<T>);
///
/// treedef::container! {
///     list Queue<T>,
///     iter: |queue| queue.0.iter(),
///     iter_mut: |queue| queue.0.iter_mut(),
///     into_iter: |queue| queue.0.into_iter(),
///     from_iter: |trees| Queue(trees.collect()),
/// }
///
/// let queue = Queue([(1.0f32, 2.0f32), (3.0, 4.0)].into());
/// let (mut bytes, mut leaves) = ([0; 8], [0.0; 4]);
/// let (def, _) = flatten_into(&queue, &mut bytes, &mut leaves)?;
/// assert_eq!((def, leaves), (treedef!([(*, *), (*, *)]), [1.0, 2.0, 3.0, 4.0]));
///
/// let mut sum: Queue<(f32, f32)> = unflatten(def, &leaves)?;
/// over((&mut sum, &queue)).for_each(|(a, b)| *a += b)?;
/// assert_eq!(sum.0, [(2.0, 4.0), (6.0, 8.0)]);
/// # Ok::<(), treedef::Error>(())
/// ```
///
/// Its tests check the rest, for values in every state that it can be in:
/// `treedef_proptest::laws::check(&queue, |i| i as f32).unwrap()`, of the crate `treedef-proptest`, for a queue that is
/// `Clone`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tree whose leaves can be read as `{K}`",
    note = "for a type of your own, write `#[derive(treedef::Tree)]`, or `treedef::leaf!({Self});` to make it a leaf",
    note = "in generic code, add the bound `treedef::Tree<f32>`, with your leaf type for `f32`, or `treedef::tree::TreeWalk<{K}>`"
)]
pub trait TreeWalk<K: LeafTypes = AnyLeaves>: HasSchema {
    /// Gives this value to `out`, as one child of the node that is open there: a leaf, a `None`, or a node with its children,
    /// each of which gives itself. [`Sink`] has an example.
    ///
    /// It has no result: `out` keeps the first error, and ignores what follows. A value without a valid structure passes its
    /// error to [`Sink::fail`]. A walk has to give the same each time, because some operations walk twice.
    fn walk<'a, S: Sink<'a, K>>(&'a self, out: &mut S)
    where
        K: 'a;

    /// Gives the elements of a slice to `out`. A leaf type gives them as one [`Sink::run`]. Containers by hand leave it as it is.
    /// [`Sink`] has an example.
    #[inline]
    fn walk_all<'a, S: Sink<'a, K>>(elements: &'a [Self], out: &mut S)
    where
        K: 'a,
        Self: Sized,
    {
        out.elements::<Self>(elements.iter());
    }

    /// Calls `visit` with the leaves of one tree, or of several together: one call for each place, with one leaf of
    /// each tree.
    ///
    /// `L` says which trees are read and which are changed. The trees must have one structure. An implementation
    /// compares what the type does not fix (lengths, keys, variants, meta fields) before it visits the children. It
    /// counts each of its own nodes, before its children: [`Lanes::same_node`] does both. It names each child with [`WalkPath`], for
    /// the functions with paths; [`VisitLanes::elements`] does it for a list. The guide to
    /// [`containers`](mod@crate::guide::containers) has an example.
    ///
    /// A type that only borrows its leaves returns `None` from the `write` closure of [`Lanes::split`]. That closure is
    /// never called, since the type does not implement [`TreeWrite`](crate::tree::TreeWrite).
    ///
    /// # Errors
    ///
    /// [`Error::TreesDiffer`]; those of `visit`; [`Error::TooDeep`] from recursive types.
    fn walk_lanes<'a, L: Lanes, E: From<Error>, V: VisitLanes<'a, K, L, E>>(
        trees: Trees<'a, L, Self>,
        depth: &mut Depth,
        visit: &mut V,
    ) -> Result<(), E>
    where
        K: 'a;

    /// Calls `visit` with the leaves of the elements of several slices of one length, as [`TreeWalk::walk_lanes`].
    ///
    /// A leaf type gives the slices to [`VisitLanes::run`], and a type with a fixed number of leaves gives them to
    /// [`VisitLanes::fixed`]. Containers by hand leave it as it is.
    ///
    /// # Errors
    ///
    /// As [`TreeWalk::walk_lanes`].
    #[inline(always)]
    fn walk_slices<'a, L: Lanes, E: From<Error>, V: VisitLanes<'a, K, L, E>>(
        lists: Trees<'a, L, [Self]>,
        depth: &mut Depth,
        visit: &mut V,
    ) -> Result<(), E>
    where
        K: 'a,
        Self: Sized + 'a,
    {
        match const { Self::LEAVES } {
            Some(_) => visit.fixed::<Self>(lists, depth),
            None => visit.elements::<Self>(each::<Self, L>(lists), depth),
        }
    }
}

/// What the depth of a sink is after an error: above each bound, also after the nodes that are open have ended.
pub(crate) const FAILED: u32 = u32::MAX / 2;

/// Receives a value that is walked, node by node in preorder: what is in its treedef, what its type leaves open, and its leaves.
///
/// A [`Writer`] is a sink that writes the treedef. Other sinks count or keep leaves, or keep the choices of a value. A sink
/// ignores what it does not need, and the compiler then removes the code that makes it. No method returns an error: a
/// sink keeps the first one.
///
/// | to give | call |
/// |---|---|
/// | a leaf | [`leaf`](Sink::leaf) |
/// | a list | [`list`](Sink::list), with an iterator over the elements |
/// | a child | its [`walk`](TreeWalk::walk) |
/// | a variant of an enum | [`choice`](Sink::choice) with its index, then as a struct |
/// | a struct | [`begin`](Sink::begin) with its head, the children, and [`end`](Sink::end) |
/// | a struct or variant with meta fields | [`value`](Sink::value) for each, then as a struct |
/// | a dictionary | [`begin_keys`](Sink::begin_keys) with the keys in order, [`elements`](Sink::elements), and [`end`](Sink::end) |
/// | what no schema describes | [`unknown`](Sink::unknown) |
/// | a `None` | [`none`](Sink::none) |
///
/// The guide to [`containers`](mod@crate::guide::containers) has types that give all of these.
///
/// # Examples
///
/// A sink that adds up leaves, of types that are not recursive. For others `begin` has to bound the levels, and `fail` to keep
/// the error:
///
/// ```
/// use treedef::Error;
/// use treedef::container::Sink;
/// use treedef::head::HeadSpec;
/// use treedef::tree::{LeafAs, TreeWalk};
///
/// struct Sum(f32);
///
/// impl<'a> Sink<'a, f32> for Sum {
///     type Open = ();
///
///     fn leaf(&mut self, leaf: &'a f32) {
///         self.0 += leaf;
///     }
///
///     fn run<T: LeafAs<f32> + 'a>(&mut self, run: &'a [T]) {
///         self.0 += T::run(run).into_iter().flatten().sum::<f32>();
///     }
///
///     fn begin<H: HeadSpec>(&mut self, _: &H) -> Option<()> {
///         Some(())
///     }
///
///     fn fail(&mut self, _: Error) {}
/// }
///
/// let mut sum = Sum(0.0);
/// TreeWalk::<f32>::walk(&(1.0f32, [2.0f32, 3.0], Some(4.0f32)), &mut sum);
/// assert_eq!(sum.0, 10.0);
/// TreeWalk::<f32>::walk_all(&[0.5f32, 0.25], &mut sum);
/// assert_eq!(sum.0, 10.75);
/// ```
pub trait Sink<'a, K: LeafTypes + 'a>: Sized {
    /// A node that is open.
    type Open;

    /// Whether the sink needs the leaves of trees whose type determines their structure. If not, it gets
    /// [`constant`](Sink::constant) for such a tree.
    const NEEDS_LEAVES: bool = true;

    /// Receives a leaf. [`Sink`] has an example.
    fn leaf(&mut self, leaf: K::Ref<'a>);

    /// Begins a node with this head; `None` after an error, or if there are too many levels: then its children are not given.
    fn begin<H: HeadSpec>(&mut self, head: &H) -> Option<Self::Open>;

    /// Keeps the error of a value without a valid structure.
    fn fail(&mut self, error: Error);

    /// Receives a slice of leaves.
    #[inline]
    fn run<T: LeafAs<K> + 'a>(&mut self, run: &'a [T]) {
        run.iter().for_each(|leaf| self.leaf(T::by_ref(leaf)));
    }

    /// Receives a tree whose type determines its structure, if the sink does not need its [leaves](Sink::NEEDS_LEAVES).
    ///
    /// # Examples
    ///
    /// A sink that counts leaves and keeps the keys of dictionaries:
    ///
    /// ```
    /// # #[cfg(feature = "alloc")] {
    /// use std::collections::BTreeMap;
    /// use treedef::Error;
    /// use treedef::container::Sink;
    /// use treedef::format::ToValue;
    /// use treedef::head::HeadSpec;
    /// use treedef::tree::{HasSchema, NoLeaves, TreeWalk};
    ///
    /// #[derive(Default)]
    /// struct Names {
    ///     leaves: usize,
    ///     keys: Vec<String>,
    /// }
    ///
    /// impl Sink<'_, NoLeaves> for Names {
    ///     type Open = ();
    ///
    ///     const NEEDS_LEAVES: bool = false;
    ///
    ///     fn leaf(&mut self, (): ()) {
    ///         self.leaves += 1;
    ///     }
    ///
    ///     fn constant<T: HasSchema + ?Sized>(&mut self) {
    ///         self.leaves += T::LEAVES.unwrap_or(0);
    ///     }
    ///
    ///     fn begin<H: HeadSpec>(&mut self, _: &H) -> Option<()> {
    ///         Some(())
    ///     }
    ///
    ///     fn begin_keys(&mut self, _: usize, keys: impl Iterator<Item: ToValue> + Clone) -> Option<()> {
    ///         keys.for_each(|key| key.with_value(|value| self.keys.push(value.to_string())));
    ///         Some(())
    ///     }
    ///
    ///     fn fail(&mut self, _: Error) {}
    /// }
    ///
    /// let mut names = Names::default();
    /// let gains = BTreeMap::from([("kd", (0.5f32, [1.0f32; 3])), ("kp", (2.0, [3.0; 3]))]);
    /// TreeWalk::<NoLeaves>::walk(&gains, &mut names);
    /// assert_eq!((names.leaves, names.keys), (8, vec!["'kd'".to_owned(), "'kp'".to_owned()]));
    /// # }
    /// ```
    #[inline(always)]
    fn constant<T: HasSchema + ?Sized>(&mut self) {}

    /// Receives what the type leaves open and the value has: the index of a variant, 0 or 1 for an option, the length of a list. An
    /// array has none, and a dictionary gives its length to [`begin_keys`](Sink::begin_keys).
    #[inline(always)]
    fn choice(&mut self, _: usize) {}

    /// Receives what the type leaves open and the value has: the value of a meta field.
    #[inline(always)]
    fn value(&mut self, _: &Value<'_>) {}

    /// Begins a dictionary with `count` keys, which its type leaves open. By default it begins a list and ignores the keys.
    /// [`Sink::constant`] has an example.
    fn begin_keys(
        &mut self,
        count: usize,
        keys: impl Iterator<Item: ToValue> + Clone,
    ) -> Option<Self::Open> {
        let _ = keys;
        self.begin(&List(count))
    }

    /// Ends a node.
    #[inline(always)]
    fn end(&mut self, _: Self::Open) {}

    /// Receives a `None`.
    #[inline(always)]
    fn none(&mut self) {}

    /// Receives a tree whose type has no schema, such as a [`TreeDef`](crate::TreeDef): `write` describes it to a writer. Its leaves
    /// cannot be visited, so a sink that reads leaves fails if it has any.
    #[inline(always)]
    fn unknown(&mut self, write: &dyn Fn(&mut Writer<'_>)) {
        let _ = write;
    }

    /// Receives the children of a list or map.
    #[inline]
    fn elements<T: TreeWalk<K> + 'a>(&mut self, elements: impl Iterator<Item = &'a T>) {
        elements.for_each(|element| element.walk(self));
    }

    /// Receives a list with these elements.
    #[inline]
    fn list<T: TreeWalk<K> + 'a>(&mut self, elements: impl ExactSizeIterator<Item = &'a T>) {
        self.choice(elements.len());
        if let Some(node) = self.begin(&List(elements.len())) {
            self.elements::<T>(elements);
            self.end(node);
        }
    }
}

/// Receives the leaves of a tree that is read or changed, or of several trees together.
///
/// Every closure that takes [`Leaves`] is a visitor. A visitor of another type can take slices at once: leaves that are
/// next to each other in memory, and trees that all have the same number of leaves.
///
/// # Examples
///
/// A visitor that fills each array with one call:
///
/// ```
/// use treedef::Error;
/// use treedef::container::{Depth, Mut, VisitLanes};
/// use treedef::tree::{LeafAs, TreeWalk};
///
/// struct Fill(f32);
///
/// impl<'a> VisitLanes<'a, f32, Mut, Error> for Fill {
///     fn leaf(&mut self, leaf: &'a mut f32) -> Result<(), Error> {
///         *leaf = self.0;
///         Ok(())
///     }
///
///     fn run<T>(&mut self, run: &'a mut [T]) -> Result<(), Error>
///     where
///         T: LeafAs<f32> + 'a,
///     {
///         if let Some(floats) = T::run_mut(run) {
///             floats.fill(self.0);
///         }
///         Ok(())
///     }
/// }
///
/// let mut tree = (1.0f32, [2.0f32, 3.0]);
/// <(f32, [f32; 2])>::walk_lanes::<Mut, Error, _>(&mut tree, &mut Depth::default(), &mut Fill(9.0))?;
/// assert_eq!(tree, (9.0, [9.0, 9.0]));
/// # Ok::<(), Error>(())
/// ```
pub trait VisitLanes<'a, K: LeafTypes + 'a, L: Lanes, E: From<Error>, M = ()>: Sized {
    /// Whether the visitor needs the leaves of trees whose type determines their structure. If not, the walk of a derived type passes
    /// over them.
    const NEEDS_LEAVES: bool = true;

    /// Visits the leaves of one place, one of each tree. [`VisitLanes`] has an example. In a map it makes the leaf of the new tree,
    /// an `M`.
    ///
    /// # Errors
    ///
    /// What stops the walk.
    fn leaf(&mut self, leaves: Leaves<'a, L, K>) -> Result<M, E>;

    /// Visits the leaves of one place, which are references to values of a leaf type. The default is [`VisitLanes::leaf`]. The guide to
    /// [`containers`](mod@crate::guide::containers) has an example.
    ///
    /// # Errors
    ///
    /// What stops the walk.
    #[inline(always)]
    fn leaf_of<T>(&mut self, trees: Trees<'a, L, T>) -> Result<M, E>
    where
        T: HasSchema + LeafAs<K> + 'a,
    {
        self.leaf(leaves::<L, K, T>(trees))
    }

    /// The path of the walk, if the visitor reads it. [`WalkPath`] says what a container does with it. The guide to
    /// [`containers`](mod@crate::guide::containers) has an example.
    #[inline]
    fn path(&mut self) -> Option<&mut WalkPath<'a>> {
        None
    }

    /// Counts a node that is no list, and returns the level of its children in the path. The code of the derive calls it.
    #[doc(hidden)]
    #[inline]
    fn node(&mut self, depth: &mut Depth) -> usize {
        L::count_nodes(depth, 1);
        WalkPath::level(self.path())
    }

    /// Says that the walk is at the field `name` of the node at `level` of the path. The code of the derive calls it.
    #[doc(hidden)]
    #[inline]
    fn field(&mut self, level: usize, name: &'static str) {
        WalkPath::field(self.path(), level, name);
    }

    /// Visits slices of leaves of one length, one of each tree. The default visits place by place. [`LeafAs::run`] and
    /// [`LeafAs::run_mut`] give a slice its type. [`VisitLanes`] has an example.
    ///
    /// # Errors
    ///
    /// What stops the walk.
    #[inline]
    fn run<T>(&mut self, runs: Trees<'a, L, [T]>) -> Result<(), E>
    where
        T: HasSchema + LeafAs<K> + 'a,
    {
        let level = WalkPath::level(self.path());
        for (leaves, index) in each::<T, L>(runs).zip(0..usize::MAX) {
            WalkPath::index(self.path(), level, index);
            ok!(self.leaf_of::<T>(leaves));
        }
        Ok(())
    }

    /// Visits slices of trees of one length, one of each tree. Every value of `T` has the number of leaves that
    /// [`HasSchema::LEAVES`](crate::tree::HasSchema::LEAVES) is. The default walks over tree by tree.
    ///
    /// # Errors
    ///
    /// What stops the walk, and the errors of [`TreeWalk::walk_lanes`].
    ///
    /// # Examples
    ///
    /// A visitor that counts leaves and visits none of them:
    ///
    /// ```
    /// use treedef::Error;
    /// use treedef::container::{Depth, Ref, VisitLanes};
    /// use treedef::tree::TreeWalk;
    ///
    /// struct Count(usize);
    ///
    /// impl<'a> VisitLanes<'a, f32, Ref, Error> for Count {
    ///     fn leaf(&mut self, _: &'a f32) -> Result<(), Error> {
    ///         self.0 += 1;
    ///         Ok(())
    ///     }
    ///
    ///     fn fixed<T>(&mut self, list: &'a [T], _: &mut Depth) -> Result<(), Error>
    ///     where
    ///         T: TreeWalk<f32> + 'a,
    ///     {
    ///         self.0 += T::LEAVES.unwrap_or(0) * list.len();
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let (list, mut count) = ([(1.0f32, 2.0f32); 1000], Count(0));
    /// TreeWalk::<f32>::walk_slices::<Ref, Error, _>(&list, &mut Depth::default(), &mut count)?;
    /// assert_eq!(count.0, 2000);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    fn fixed<T>(&mut self, lists: Trees<'a, L, [T]>, depth: &mut Depth) -> Result<(), E>
    where
        T: TreeWalk<K> + 'a,
        Self: VisitLanes<'a, K, L, E>,
    {
        <Self as VisitLanes<'a, K, L, E>>::elements::<T>(self, each::<T, L>(lists), depth)
    }

    /// Visits the elements of a list, or of several lists of one length. The default walks over each, with its index as the key
    /// of the path.
    ///
    /// # Errors
    ///
    /// As [`TreeWalk::walk_lanes`].
    // Always, for a frame less at each level of a tree in a program without optimisation.
    #[inline(always)]
    fn elements<T>(
        &mut self,
        mut elements: impl Iterator<Item = Trees<'a, L, T>>,
        depth: &mut Depth,
    ) -> Result<(), E>
    where
        T: TreeWalk<K> + 'a,
        Self: VisitLanes<'a, K, L, E>,
    {
        let (level, mut index) =
            (WalkPath::level(<Self as VisitLanes<'a, K, L, E>>::path(self)), 0usize);
        // Not `for`, which takes more of each frame, for a second iterator.
        while let Some(trees) = elements.next() {
            WalkPath::index(<Self as VisitLanes<'a, K, L, E>>::path(self), level, index);
            index = index.wrapping_add(1);
            done!(T::walk_lanes::<L, E, Self>(trees, depth, self));
        }
        Ok(())
    }
}

/// Iterates over the elements of lists of one length, one of each list.
#[inline]
pub(crate) fn each<'a, T: 'a, L: Lanes>(
    lists: Trees<'a, L, [T]>,
) -> L::Iter<core::slice::Iter<'a, T>, core::slice::IterMut<'a, T>> {
    L::iter(L::map(lists, |list| list.iter(), |list| list.iter_mut()))
}

/// The number of leaves of a type with a fixed number of leaves.
pub(crate) const fn num_leaves<T: HasSchema + ?Sized>() -> usize {
    match T::LEAVES {
        Some(leaves) => leaves,
        None => 0,
    }
}

impl<'a, K, L, E, M, F> VisitLanes<'a, K, L, E, M> for F
where
    K: LeafTypes + 'a,
    L: Lanes,
    E: From<Error>,
    F: FnMut(Leaves<'a, L, K>) -> Result<M, E>,
{
    #[inline]
    fn leaf(&mut self, leaves: Leaves<'a, L, K>) -> Result<M, E> {
        self(leaves)
    }
}
