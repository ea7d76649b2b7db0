//! Makes trees of `Option`: `None` is a node without children, and `Some` has the structure of its value. Only if the
//! value can itself be `None`, `Some` is a node of its own.

use crate::base::attempt::ok;
use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::encode::schema::Schema;
use crate::encode::structure::HasSchema;
use crate::format::entry::KeyEntry;
use crate::format::heading;
use crate::tree::build::{Source, TreeBuild};
use crate::tree::lanes::{Lanes, Leaves, Trees};
use crate::tree::leaf_types::LeafTypes;
use crate::tree::migrate::question::Question;
use crate::tree::pairing::Pairing;
use crate::tree::traits::{Leaf, MapTree, TreeRead, TreeWrite, ZipPrefix};
use crate::tree::walk::{Sink, TreeWalk, VisitLanes};
use crate::tree::walk_path::WalkPath;

impl<T: HasSchema> HasSchema for Option<T> {
    const SCHEMA: &'static Schema = &Schema::Optional(T::SCHEMA);
}

impl<K: LeafTypes, T: TreeWalk<K>> TreeWalk<K> for Option<T> {
    #[inline]
    fn walk<'a, S: Sink<'a, K>>(&'a self, out: &mut S)
    where
        K: 'a,
    {
        let Some(value) = self else {
            out.choice(0);
            return out.none();
        };
        out.choice(1);
        match T::NULLABLE {
            true => some_node(value, out),
            false => value.walk(out),
        }
    }

    #[inline]
    fn walk_lanes<'a, L: Lanes, E: From<Error>, V: VisitLanes<'a, K, L, E>>(
        trees: Trees<'a, L, Self>,
        depth: &mut Depth,
        visit: &mut V,
    ) -> Result<(), E>
    where
        K: 'a,
    {
        match some::<T, L>(trees, depth) {
            Ok(Some(trees)) => {
                go_into::<T>(visit.path());
                T::walk_lanes::<L, E, V>(trees, depth, visit)
            }
            Ok(None) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

impl<K: Leaf, T: TreeRead<K>> TreeRead<K> for Option<T> {}

impl<K: LeafTypes, T: TreeWrite<K>> TreeWrite<K> for Option<T> {}

/// Gives a value in a `Some` that is a node.
// DIFFERENCE: JAX has no `Some`; without it `Some(None)` and `None` would be one structure.
fn some_node<'a, K: LeafTypes + 'a, T: TreeWalk<K>>(value: &'a T, out: &mut impl Sink<'a, K>) {
    if let Some(node) = out.begin(&heading::Some) {
        value.walk(out);
        out.end(node);
    }
}

/// Goes into a `Some`, if it is a node.
#[inline]
fn go_into<T: HasSchema>(path: Option<&mut WalkPath<'_>>) {
    if T::NULLABLE
        && let Some(path) = path
    {
        let level = WalkPath::level(Some(path));
        WalkPath::go(Some(path), level, KeyEntry::Some);
    }
}

/// Returns the values in the options, which must be all `Some` or all `None`. Counts the node, if the options are a
/// node.
#[inline]
fn some<'a, T: HasSchema, L: Lanes>(
    trees: Trees<'a, L, Option<T>>,
    depth: &mut Depth,
) -> Result<Option<Trees<'a, L, T>>, Error> {
    if L::first::<Option<T>>(&trees).is_none() {
        L::same_node::<Option<T>>(&trees, depth, |tree, _| tree.is_none())?;
        return Ok(None);
    }
    let trees = L::split::<Option<T>, _, _>(trees, depth, Option::as_ref, Option::as_mut)?;
    if T::NULLABLE {
        L::count_nodes(depth, 1);
    }
    Ok(Some(trees))
}

impl<K: LeafTypes, T: TreeBuild<K>> TreeBuild<K> for Option<T> {
    #[inline]
    fn take_leaves(self, visit: &mut impl FnMut(K::Owned)) {
        if let Some(value) = self {
            value.take_leaves(visit);
        }
    }

    fn answer(question: &mut Question<'_, K>) -> bool {
        T::answer(question)
    }

    #[inline]
    fn build<'d, S: Source<'d, K>>(from: &mut S) -> Result<Self, S::Error> {
        match ok!(from.begin(Self::SCHEMA)) {
            0 => Ok(None),
            _ => Ok(Some(ok!(from.child()))),
        }
    }
}

impl<K: Leaf, M, T: MapTree<K, M>> MapTree<K, M> for Option<T> {
    type Output = Option<T::Output>;

    #[inline]
    fn map_lanes<'a, L: Lanes, E: From<Error>>(
        trees: Trees<'a, L, Self>,
        depth: &mut Depth,
        map: &mut impl VisitLanes<'a, K, L, E, M>,
    ) -> Result<Self::Output, E>
    where
        K: 'a,
    {
        match some::<T, L>(trees, depth) {
            Ok(Some(trees)) => {
                go_into::<T>(map.path());
                T::map_lanes::<L, E>(trees, depth, map).map(Some)
            }
            Ok(None) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

impl<K: Leaf, J: LeafTypes, O: HasSchema, T: ZipPrefix<K, J, O>> ZipPrefix<K, J, Option<O>>
    for Option<T>
{
    #[inline]
    fn zip_lanes<'p, 'a, P: Lanes, L: Lanes, E: From<Error>>(
        prefix: Trees<'p, P, Self>,
        trees: Trees<'a, L, Option<O>>,
        pairing: &mut Pairing,
        visit: &mut impl FnMut(Trees<'p, P, K>, Leaves<'a, L, J>) -> Result<(), E>,
    ) -> Result<(), E>
    where
        K: 'p,
        J: 'a,
    {
        match some_of_both::<T, O, P, L>(prefix, trees, pairing) {
            Ok(Some((own, trees))) => T::zip_lanes::<P, L, E>(own, trees, pairing, visit),
            Ok(None) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

/// The trees of both sides of a [`Pairing`].
type Both<'p, 'a, P, T, L, O> = (Trees<'p, P, T>, Trees<'a, L, O>);

/// Returns the values in the options of both sides, as [`some`] does.
#[inline]
fn some_of_both<'p, 'a, T: HasSchema, O: HasSchema, P: Lanes, L: Lanes>(
    prefix: Trees<'p, P, Option<T>>,
    trees: Trees<'a, L, Option<O>>,
    pairing: &mut Pairing,
) -> Result<Option<Both<'p, 'a, P, T, L, O>>, Error> {
    let here = *pairing;
    let trees = some::<O, L>(trees, pairing.depth())?;
    let own = P::all(P::map(prefix, Option::as_ref, Option::as_mut)).ok();
    // A leaf of a prefix fits any subtree, also a `None`, which has no leaves.
    let above = own.is_some() && pairing.is_prefix() && matches!(T::SCHEMA, Schema::Leaf(..));
    here.check::<L>(own.is_some() == trees.is_some() || above)?;
    let both = own.zip(trees);
    pairing.count_partner_if(both.is_none() || T::NULLABLE);
    Ok(both)
}
