//! Recursive derived types of any depth: an error, never a stack overflow.
#![cfg(feature = "derive")]

use crate::support::on_stack;

use treedef::container::{Depth, Mut, Ref, VisitLanes};
use treedef::encode::MAX_DEPTH;
use treedef::tree::{Structure, TreeWalk};
use treedef::{Error, Tree, TreeDef};

const DEPTH: usize = 1_000_000;
const TOO_DEEP: Error = Error::TooDeep { limit: MAX_DEPTH };

#[derive(Tree)]
struct List<'a> {
    v: f32,
    next: Option<&'a List<'a>>,
}

/// `&mut` on the way down, so that it can be written but not rebuilt.
#[derive(Tree)]
struct Chain<'a> {
    v: f32,
    next: Option<&'a mut Chain<'a>>,
}

/// Two types that name each other, not themselves.
#[derive(Tree)]
#[tree(bound = "f32")]
struct Ping<'a> {
    v: f32,
    next: Option<&'a Pong<'a>>,
}

#[derive(Tree)]
#[tree(bound = "f32")]
struct Pong<'a> {
    v: f32,
    next: Option<&'a Ping<'a>>,
}

/// The variant is a node; recursion through an enum.
#[derive(Tree)]
enum Nested<'a> {
    End(f32),
    Neg(&'a Nested<'a>),
}

fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// A list of `depth` nodes; it is never dropped, since dropping would recurse.
fn list(depth: usize) -> &'static List<'static> {
    let mut list = leak(List { v: 0.0, next: None });
    for _ in 1..depth {
        list = leak(List { v: 0.0, next: Some(list) });
    }
    list
}

/// Runs `work` on a stack of 64 kB.
fn on_small_stack<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    on_stack(64, work)
}

#[test]
fn a_chain_of_a_million_nodes_is_too_deep_for_every_reader() {
    let deep = list(DEPTH);
    on_small_stack(move || {
        let (mut bytes, mut leaves) = (vec![0; 4096], [0.0f32; 100]);
        assert_eq!(treedef::structure_into(deep, &mut bytes), Err(TOO_DEEP));
        assert_eq!(treedef::encode::structure_bound(deep), Err(TOO_DEEP));
        assert_eq!(deep.num_leaves(), Err(TOO_DEEP));
        assert_eq!(treedef::leaves_into(deep, &mut leaves), Err(TOO_DEEP));
        assert_eq!(treedef::leaves_into(deep, &mut leaves[..3]), Err(TOO_DEEP));
        assert_eq!(treedef::tree::refs_into(deep, &mut vec![None::<&f32>; 100]), Err(TOO_DEEP));
        assert_eq!(treedef::flatten_into(deep, &mut vec![0; 4096], &mut leaves), Err(TOO_DEEP));
        assert_eq!(treedef::over(deep).for_each(|_: &f32| ()), Err(TOO_DEEP));
        assert_eq!(treedef::over(deep).runs().for_each(|_: &[f32]| ()), Err(TOO_DEEP));
        assert_eq!(treedef::tree::leaf::<f32, _>(deep, 100), Err(TOO_DEEP));
        let zipped = treedef::over((deep, deep)).for_each(|_| ());
        assert_eq!(zipped, Err(TOO_DEEP));
        let zipped = treedef::over(deep).with(deep).for_each(|_| ());
        assert_eq!(zipped, Err(TOO_DEEP));
        let zipped = treedef::over(deep).under(&1.0f32).for_each(|_| ());
        assert_eq!(zipped, Err(TOO_DEEP));
    });
}

#[test]
fn a_chain_as_deep_as_the_bound_works_on_a_small_stack() {
    let limit = MAX_DEPTH as usize;
    let (fits, too_deep) = (list(limit), list(limit + 1));
    on_small_stack(move || {
        let (mut bytes, mut leaves) = (vec![0; 4096], [0.0f32; 64]);
        let (def, count) = treedef::flatten_into(fits, &mut bytes, &mut leaves).unwrap();
        assert_eq!((def.num_leaves(), count, fits.num_leaves()), (limit, limit, Ok(limit)));
        assert_eq!(treedef::matches(fits, def), Ok(()));
        assert!(treedef::tree::leaf::<f32, _>(fits, limit - 1).is_ok());
        assert_eq!(treedef::over((fits, fits)).for_each(|_| ()), Ok(()));
        let zipped = treedef::over(fits).with(fits).for_each(|_| ());
        assert_eq!(zipped, Ok(()));
        assert_eq!(treedef::over(too_deep).for_each(|_: &f32| ()), Err(TOO_DEEP));
        assert_eq!(treedef::encode::structure_bound(too_deep), Err(TOO_DEEP));
    });
}

#[test]
fn types_that_name_each_other_are_bounded_too() {
    let mut ping = leak(Ping { v: 0.0, next: None });
    for _ in 0..DEPTH / 2 {
        ping = leak(Ping { v: 0.0, next: Some(leak(Pong { v: 0.0, next: Some(ping) })) });
    }
    let mut nested = leak(Nested::End(0.0));
    for _ in 0..DEPTH {
        nested = leak(Nested::Neg(nested));
    }
    on_small_stack(move || {
        assert_eq!(treedef::over(ping).for_each(|_: &f32| ()), Err(TOO_DEEP));
        assert_eq!(treedef::over(nested).for_each(|_: &f32| ()), Err(TOO_DEEP));
        assert_eq!(ping.num_leaves(), Err(TOO_DEEP));
        assert_eq!(treedef::encode::structure_bound(nested), Err(TOO_DEEP));
        assert_eq!(treedef::over((ping, ping)).for_each(|_| ()), Err(TOO_DEEP));
    });
}

#[test]
fn a_chain_of_a_million_nodes_is_too_deep_to_be_written() {
    let mut chain: &'static mut Chain<'static> = Box::leak(Box::new(Chain { v: 0.0, next: None }));
    for _ in 1..DEPTH {
        chain = Box::leak(Box::new(Chain { v: 0.0, next: Some(chain) }));
    }
    on_small_stack(move || {
        let mut slots = [const { None::<&mut f32> }; 100];
        assert_eq!(treedef::tree::muts_into(&mut *chain, &mut slots), Err(TOO_DEEP));
        assert_eq!(treedef::tree::leaf_mut::<f32, _>(&mut *chain, 100), Err(TOO_DEEP));
        assert_eq!(treedef::over(&mut *chain).for_each(|v: &mut f32| *v = 1.0), Err(TOO_DEEP));
        assert_eq!(chain.v, 1.0);
    });
}

/// A visitor of the user with its own error.
struct Stop;

impl<'a> VisitLanes<'a, f32, Ref, Error> for Stop {
    fn leaf(&mut self, _: &'a f32) -> Result<(), Error> {
        Ok(())
    }
}

#[test]
fn the_bound_of_a_caller_holds() {
    let ten = list(10);
    let walk =
        |limit| TreeWalk::walk_lanes::<Ref, Error, _>(ten, &mut Depth::new(limit), &mut Stop);
    assert_eq!(walk(10), Ok(()));
    assert_eq!(walk(9), Err(Error::TooDeep { limit: 9 }));
    let mut chain = Chain { v: 0.0, next: Some(Box::leak(Box::new(Chain { v: 0.0, next: None }))) };
    let mut visit = |_: &mut f32| Ok(());
    let error =
        TreeWalk::<f32>::walk_lanes::<Mut, Error, _>(&mut chain, &mut Depth::new(1), &mut visit);
    let error = error.unwrap_err();
    assert_eq!(error, Error::TooDeep { limit: 1 });
}

/// The bytes of a list of `depth` nodes of a type of this name.
fn list_bytes(name: &str, depth: usize) -> Vec<u8> {
    let mut head = vec![0x82, u8::try_from(name.len() + 8).unwrap()];
    head.push(u8::try_from(name.len()).unwrap());
    head.extend(name.as_bytes());
    head.extend(b"\x01v\x04next\x00");
    let mut bytes = head.repeat(depth);
    bytes.push(0xC0);
    bytes
}

#[test]
fn bytes_of_a_million_levels_are_too_deep_for_a_value() {
    let bytes = list_bytes("main::derive_deep::List", DEPTH);
    on_small_stack(move || {
        let def = TreeDef::from_bytes(&bytes).unwrap();
        assert_eq!(def.num_leaves(), DEPTH);
        assert_eq!(treedef::matches(list(3), def), Err(Error::Mismatch { node: 6 }));
    });
    let short = list_bytes("main::derive_deep::List", 3);
    assert_eq!(treedef::matches(list(3), TreeDef::from_bytes(&short).unwrap()), Ok(()));
}

#[cfg(feature = "alloc")]
mod owned {
    use super::*;

    #[derive(Tree, Debug, PartialEq)]
    struct Owned {
        v: f32,
        next: Option<Box<Owned>>,
    }

    #[derive(Tree, Debug, PartialEq)]
    enum Rose {
        Leaf(f32),
        Node(Vec<Rose>),
    }

    fn owned(depth: usize) -> Owned {
        let mut list = Owned { v: 0.0, next: None };
        for _ in 1..depth {
            list = Owned { v: 0.0, next: Some(Box::new(list)) };
        }
        list
    }

    #[test]
    fn bytes_of_a_million_levels_are_too_deep_to_be_rebuilt() {
        let bytes = list_bytes("main::derive_deep::owned::Owned", DEPTH);
        let fits = list_bytes("main::derive_deep::owned::Owned", MAX_DEPTH as usize);
        on_small_stack(move || {
            let def = TreeDef::from_bytes(&bytes).unwrap();
            let built: Result<Owned, _> = treedef::unflatten(def, &vec![0.0f32; DEPTH]);
            assert_eq!(built, Err(TOO_DEEP));
            let built: Result<Owned, _> = treedef::tree::unflatten_from(def, vec![0.0f32; DEPTH]);
            assert_eq!(built, Err(TOO_DEEP));
            let def = TreeDef::from_bytes(&fits).unwrap();
            let built: Result<Owned, _> = treedef::unflatten(def, &[0.0f32; 64]);
            assert_eq!(built, Ok(owned(64)));
        });
        // A variant with a list of one variant, and so on.
        let name = b"main::derive_deep::owned::Rose::Node";
        let mut level = vec![0x81, name.len() as u8 + 3, name.len() as u8];
        level.extend(name);
        level.extend(b"\x010\x41");
        let mut bytes = level.repeat(DEPTH);
        bytes.truncate(bytes.len() - 1);
        bytes.push(0x40);
        on_small_stack(move || {
            let def = TreeDef::from_bytes(&bytes).unwrap();
            let built: Result<Rose, _> = treedef::unflatten::<f32, _>(def, &[]);
            assert_eq!(built, Err(TOO_DEEP));
        });
    }

    #[test]
    fn deep_owned_values_are_too_deep_to_be_taken_or_mapped() {
        // Not deeper: dropping such a value recurses by itself.
        on_small_stack(|| {
            let deep = owned(100);
            assert_eq!(treedef::map(&deep, |v: &f32| *v), Err(TOO_DEEP));
            assert_eq!(treedef::tree::map_from(deep, |v: f32| v), Err(TOO_DEEP));
            let moved = |levels| {
                treedef::tree::into_leaves(owned(levels))
                    .map(|(_, leaves): (_, Vec<f32>)| leaves.len())
            };
            assert_eq!((moved(100), moved(64)), (Err(TOO_DEEP), Ok(64)));
            assert_eq!(treedef::tree::map_from(owned(64), |v: f32| v), Ok(owned(64)));
            let mut nested = Rose::Leaf(0.0);
            for _ in 0..100 {
                nested = Rose::Node(vec![nested]);
            }
            assert_eq!(treedef::over(&nested).for_each(|_: &f32| ()), Err(TOO_DEEP));
        });
    }

    #[derive(Tree, Debug, PartialEq)]
    enum Dict {
        Leaf(f32),
        Node(std::collections::BTreeMap<u8, Dict>),
    }

    /// A variant and a dictionary in turn: 63 levels.
    fn dicts() -> Dict {
        let mut nested = Dict::Leaf(1.0);
        for _ in 0..31 {
            nested = Dict::Node([(1, nested)].into());
        }
        nested
    }

    #[test]
    fn nested_dictionaries_take_the_stack_that_the_front_page_says() {
        on_stack(64, || {
            let mut tree = dicts();
            let (def, leaves) = treedef::flatten(&tree).unwrap();
            assert_eq!(treedef::over(&mut tree).for_each(|v: &mut f32| *v += 1.0), Ok(()));
            assert_eq!(treedef::matches(&tree, &def), Ok(()));
            assert_eq!(treedef::unflatten::<f32, Dict>(&def, &leaves), Ok(dicts()));
            assert_eq!(treedef::map(&tree, |v: &f32| *v - 1.0), Ok(dicts()));
        });
        on_stack(96, || {
            let (mut tree, one, other) = (dicts(), dicts(), dicts());
            assert_eq!(treedef::over(&tree).paths().map(|_, v: &f32| *v), Ok(dicts()));
            assert_eq!(treedef::over((&tree, &one)).map(|(a, b): (&f32, _)| a * b), Ok(dicts()));
            let zipped = treedef::over((&mut tree, &one, &other, &one, &one, &one));
            assert_eq!(zipped.for_each(|(v, ..)| *v = 2.0), Ok(()));
            // A struct, an option and a box for each level.
            let (mut chain, one) = (owned(64), owned(64));
            let zipped = treedef::over((&mut chain, &one, &one, &one, &one, &one));
            assert_eq!(zipped.for_each(|(v, ..)| *v = 2.0), Ok(()));
        });
    }

    #[test]
    fn a_million_levels_behind_a_reference_are_too_deep_to_be_mapped() {
        let deep: &'static mut Owned = Box::leak(Box::new(owned(1)));
        for _ in 1..DEPTH {
            let below = core::mem::replace(deep, Owned { v: 0.0, next: None });
            deep.next = Some(Box::new(below));
        }
        on_small_stack(|| {
            assert_eq!(treedef::map(deep, |v: &f32| *v), Err(TOO_DEEP));
            assert_eq!(treedef::over(deep).for_each(|v: &mut f32| *v += 1.0), Err(TOO_DEEP));
        });
    }
}
