//! What trees that are written by hand call: sinks, lanes, rebuilds, depths.

use core::hint::black_box;

use treedef::container::{
    Depth, Lanes, Pairing, Rebuild, Siblings, Sink, Trees, VisitLanes, WalkPath,
};
use treedef::encode::structure_bound;
use treedef::tree::choices::{choices_into, folded_choices_into, has_choices, hash_choices};
use treedef::tree::{
    HasSchema, LeafAs, LeafTypes, Structure, TreeBuild, TreeRead, TreeWalk, TreeWrite, Zip,
    ZipPrefix, leaves_from, try_for_each_mut, try_map, try_reduce,
};
use treedef::{
    Error, Kind, TreeDef, Writer, flatten_into, for_each, for_each_with_path, head, map, matches,
    structure_into, unflatten, zip,
};

use super::{Done, keep};

/// `(*, None, [*, *])`, all of it by hand.
struct Manual<T>([T; 3]);

impl<T> HasSchema for Manual<T> {}

impl<T> Structure for Manual<T> {
    fn describe(&self, out: &mut Writer<'_>) {
        let leaf = black_box(TreeDef::LEAF);
        Writer::node(out, &head::Tuple(3), |out| {
            Writer::subtree(out, leaf);
            Writer::none(out);
            Writer::node(out, &head::List(2), |out| {
                Writer::leaves(out, 1);
                Writer::repeat(out, 1);
            });
        });
    }

    fn num_leaves(&self) -> Result<usize, Error> {
        Ok(3)
    }
}

impl<K: LeafTypes, T: TreeBuild<K> + LeafAs<K>> TreeBuild<K> for Manual<T> {
    fn take_leaves(self, visit: &mut impl FnMut(K::Owned)) {
        self.0.take_leaves(visit);
    }

    fn build<'d, R: Rebuild<'d, K>>(rebuild: &mut R, list: &mut Siblings) -> Option<Self> {
        keep(Rebuild::peek(rebuild, list));
        keep(Rebuild::mismatch(rebuild));
        keep(Rebuild::full(rebuild, black_box(3)));
        let mut children = Rebuild::begin_with(rebuild, list, &head::Tuple(3))?;
        let first = Rebuild::leaf(rebuild, &mut children)?;
        Rebuild::none(rebuild, &mut children)?;
        if black_box(false) {
            return Rebuild::fail(rebuild, Error::Unsupported);
        }
        let (head, mut pair) = Rebuild::begin(rebuild, &mut children, Kind::List)?;
        keep(head);
        let second = Rebuild::child(rebuild, &mut pair)?;
        let third = Rebuild::leaf(rebuild, &mut pair)?;
        Rebuild::end(rebuild, pair)?;
        Rebuild::end(rebuild, children)?;
        Some(Self([first, second, third]))
    }
}

/// A list of at most three trees in slots, declared by the macro.
struct Few<T>([Option<T>; 3]);

treedef::container! {
    list Few<T>, room: 3,
    iter: |few| few.0.iter().flatten(),
    iter_mut: |few| few.0.iter_mut().flatten(),
    into_iter: |few| few.0.into_iter().flatten(),
    from_iter: |mut trees| Few([trees.next(), trees.next(), trees.next()]),
}

/// The same with keys.
struct Named<T>([Option<(u8, T)>; 2]);

treedef::container! {
    dict Named<T>, key: u8, room: 2,
    iter: |map| map.0.iter().flatten().map(|(key, tree)| (key, tree)),
    iter_mut: |map| map.0.iter_mut().flatten().map(|(key, tree)| (&*key, tree)),
    into_iter: |map| map.0.into_iter().flatten(),
    from_iter: |entries| Named([entries.next(), entries.next()]),
}

/// Two leaves or one by hand, walked together with others.
enum Manually {
    One(f32),
    Two(f32, f32),
}

impl HasSchema for Manually {}

impl<K: LeafTypes> TreeWalk<K> for Manually
where
    f32: LeafAs<K>,
{
    fn walk<'a, S: Sink<'a, K>>(&'a self, out: &mut S)
    where
        K: 'a,
    {
        Sink::choice(out, self.len());
        let Some(node) = Sink::begin(out, &head::Tuple(self.len())) else { return };
        match self {
            Self::One(one) => Sink::leaf(out, f32::by_ref(one)),
            Self::Two(first, second) => {
                Sink::leaf(out, f32::by_ref(first));
                Sink::leaf(out, f32::by_ref(second));
            }
        }
        Sink::end(out, node);
    }

    fn walk_lanes<'a, L: Lanes, E: From<Error>, V: VisitLanes<'a, K, L, E>>(
        trees: Trees<'a, L, Self>,
        depth: &mut Depth,
        visit: &mut V,
    ) -> Result<(), E>
    where
        K: 'a,
    {
        L::same_node::<Self>(&trees, depth, |tree, first| tree.len() == first.len())?;
        if let Manually::Two(..) = L::first::<Self>(&trees) {
            let pairs = L::split::<Self, _, _>(trees, depth, Self::two, Self::two_mut)?;
            let (first, second) = L::unzip(pairs);
            let level = WalkPath::level(visit.path());
            WalkPath::index(visit.path(), level, 0);
            visit.leaf(L::leaf::<K, f32>(first))?;
            WalkPath::index(visit.path(), level, 1);
            visit.leaf(L::leaf::<K, f32>(second))?;
            return Ok(());
        }
        let one = L::split::<Self, _, _>(trees, depth, Self::one, Self::one_mut)?;
        let level = WalkPath::level(visit.path());
        WalkPath::field(visit.path(), level, "one");
        WalkPath::key(visit.path(), level, &0);
        visit.leaf(L::leaf::<K, f32>(one))?;
        Ok(())
    }
}

impl TreeRead<f32> for Manually {}

impl TreeWrite<f32> for Manually {}

impl ZipPrefix<f32, f32, Self> for Manually {
    fn zip_lanes<'p, 'a, P: Lanes, L: Lanes, E: From<Error>>(
        prefix: Trees<'p, P, Self>,
        trees: Trees<'a, L, Self>,
        pairing: &mut Pairing,
        visit: &mut impl FnMut(Trees<'p, P, f32>, Trees<'a, L, f32>) -> Result<(), E>,
    ) -> Result<(), E> {
        let len = L::first::<Self>(&trees).len();
        Pairing::check::<L>(pairing, P::first::<Self>(&prefix).len() == len)?;
        if let Manually::Two(..) = L::first::<Self>(&trees) {
            let depth = Pairing::depth(pairing);
            let pairs = L::split::<Self, _, _>(trees, depth, Self::two, Self::two_mut)?;
            let own = P::all(P::map(prefix, Self::two, Self::two_mut));
            pairing.check::<L>(own.is_ok())?;
            let Ok(own) = own else { return Ok(()) };
            let ((first, second), (below, last)) = (P::unzip(own), L::unzip(pairs));
            Pairing::count_node::<L>(pairing);
            <f32 as ZipPrefix<f32, f32, f32>>::zip_lanes::<P, L, E>(first, below, pairing, visit)?;
            return <f32 as ZipPrefix<f32, f32, f32>>::zip_lanes::<P, L, E>(
                second, last, pairing, visit,
            );
        }
        let one = L::split::<Self, _, _>(trees, Pairing::depth(pairing), Self::one, Self::one_mut)?;
        let own = P::all(P::map(prefix, Self::one, Self::one_mut));
        pairing.check::<L>(own.is_ok())?;
        let Ok(own) = own else { return Ok(()) };
        Pairing::count_node::<L>(pairing);
        <f32 as ZipPrefix<f32, f32, f32>>::zip_lanes::<P, L, E>(own, one, pairing, visit)
    }
}

impl Manually {
    fn len(&self) -> usize {
        if let Manually::One(_) = self { 1 } else { 2 }
    }

    fn one(&self) -> Option<&f32> {
        if let Manually::One(leaf) = self { Some(leaf) } else { None }
    }

    fn one_mut(&mut self) -> Option<&mut f32> {
        if let Manually::One(leaf) = self { Some(leaf) } else { None }
    }

    fn two(&self) -> Option<(&f32, &f32)> {
        if let Manually::Two(first, second) = self { Some((first, second)) } else { None }
    }

    fn two_mut(&mut self) -> Option<(&mut f32, &mut f32)> {
        if let Manually::Two(first, second) = self { Some((first, second)) } else { None }
    }
}

/// Trees by hand, walked together.
pub(super) fn together() -> Done {
    let (mut one, mut two) = (black_box(Manually::One(1.0)), black_box(Manually::Two(2.0, 3.0)));
    for_each(&two, |leaf: &f32| keep(leaf)).ok()?;
    for other in black_box([Manually::One(4.0), Manually::Two(5.0, 6.0)]) {
        keep(zip((&mut one, &other)).for_each(|a: &mut f32, b| *a += b).is_ok());
        let both = Zip::<_, ()>::with(zip((&mut two, &other)), &other);
        keep(
            both.try_for_each(|a: &mut f32, b, c: &f32| {
                *a += b + c;
                if *a > black_box(8.0) { Err(Error::TooLarge) } else { Ok(()) }
            })
            .is_ok(),
        );
        let below = Zip::<_, ()>::under(zip((&other,)), &two);
        keep(below.try_reduce(0.0, |x, a: &f32, b: &f32| Ok::<_, Error>(x + a * b)).is_ok());
    }
    let small = |x: &f32| if *x < black_box(2.0) { Ok(*x) } else { Err(Error::TooLarge) };
    let mut pair = black_box((1.0f32, Some(2.0f32)));
    keep(try_map(&pair, small).is_ok());
    keep(try_reduce(&pair, 0.0, |x, a: &f32| small(a).map(|a| x + a)).is_ok());
    keep(zip((&pair, &pair)).try_map(|a: &f32, b| small(a).map(|a| a + b)).is_ok());
    keep(zip((&pair, &pair)).try_reduce(0.0, |x, a: &f32, b| small(a).map(|a| x + a * b)).is_ok());
    keep(try_for_each_mut(&mut pair, |x: &mut f32| small(x).map(|small| *x = -small)).is_ok());
    keep(leaves_from(&mut pair, black_box(&[1.0, 2.0])).is_ok());
    Some(())
}

/// A tree by hand, rebuilt.
pub(super) fn rebuild() -> Done {
    let mut bytes = [0; 16];
    let def = structure_into(&Manual([1.0f32; 3]), black_box(&mut bytes)).ok()?;
    let tree: Manual<f32> = unflatten(black_box(def), black_box(&[1.0f32, 2.0, 3.0])).ok()?;
    keep(tree.0);
    Some(())
}

/// Trees of containers that the macro declares.
pub(super) fn declared() -> Done {
    let (mut bytes, mut leaves) = ([0; 64], [0.0f32; 8]);
    let pair = |leaf: f32| (leaf, black_box(Some(leaf)));
    let tree = (Few([Some(pair(1.0)), None, Some(pair(2.0))]), Named([Some((7, 3.0f32)), None]));
    let (def, count) =
        flatten_into(black_box(&tree), black_box(&mut bytes), black_box(&mut leaves)).ok()?;
    type Tree = (Few<(f32, Option<f32>)>, Named<f32>);
    let mut again: Tree = unflatten(black_box(def), leaves.get(..count)?).ok()?;
    keep(unflatten::<f32, Tree>(black_box(TreeDef::LEAF), &leaves).is_ok());
    keep(zip((&mut again, &tree)).for_each(|a: &mut f32, b| *a += b).is_ok());
    keep(zip((&again,)).under(&tree).for_each(|a: &f32, b: &f32| keep((a, b))).is_ok());
    let greater = map(&again, |x: &f32| *x > black_box(1.0)).ok()?;
    keep((greater.0.0, greater.1.0));
    keep(for_each_with_path(&again, |path, leaf: &f32| keep((path.len(), leaf))).is_ok());
    Some(())
}

/// Choices of values, written, hashed and compared.
pub(super) fn choices() -> Done {
    let tree = (
        Few([Some(Some(1.0f32)), black_box(None), Some(None)]),
        Named([Some((black_box(7), [Some(2.0f32); 2])), None]),
    );
    let mut bytes = [0; 32];
    let len = choices_into(black_box(&tree), black_box(&mut bytes)).ok()?;
    keep(has_choices(black_box(&tree), bytes.get(..len)?));
    keep(hash_choices(black_box(&tree)).ok()?);
    keep(folded_choices_into(black_box(&tree), black_box(&mut bytes)).ok()?);
    Some(())
}

/// A tree by hand, described to every encoder.
pub(super) fn describe() -> Done {
    let tree = black_box(Manual([1.0f32; 3]));
    let mut bytes = [0; 16];
    keep(structure_bound(&tree).ok()?);
    let def = structure_into(&tree, black_box(&mut bytes)).ok()?;
    matches(&tree, black_box(def)).ok()?;
    let mut depth = Depth::new(black_box(1));
    Depth::enter(&mut depth).ok()?;
    keep(Depth::enter(&mut depth).err()?);
    Depth::count_nodes(&mut depth, black_box(2));
    keep((Depth::mismatch(&depth), Depth::differs(&depth, 1)));
    Depth::leave(&mut depth);
    Some(())
}
