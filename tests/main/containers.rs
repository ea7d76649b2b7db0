//! Containers that are declared by `container!` keep all laws, and their errors name the place.
#![cfg(feature = "alloc")]

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};
use std::vec::IntoIter;

use treedef::container::{Schema, Source};
use treedef::encode::fits;
use treedef::format::{MapKey, ToValue};
use treedef::record;
use treedef::tree::{HasSchema, TreeBuild, choices, max_leaves};
use treedef::{Error, Tree, TreeDef, map, over, schema_of, structure, treedef, unflatten};

use super::all_laws as laws;
use super::maps::AnyCase;

/// A ring of any length.
#[derive(Clone, Debug, PartialEq)]
struct Queue<T>(VecDeque<T>);

treedef::container! {
    list Queue<T>,
    iter: |queue| queue.0.iter(),
    iter_mut: |queue| queue.0.iter_mut(),
    into_iter: |queue| queue.0.into_iter(),
    from_iter: |trees| Queue(trees.collect()),
}

/// A list of at most `N`.
#[derive(Clone, Debug, PartialEq)]
struct UpTo<T, const N: usize>(heapless::Vec<T, N>);

treedef::container! {
    impl [const N: usize] list UpTo<T, N>, room: N,
    iter: |list| &list.0,
    iter_mut: |list| &mut list.0,
    into_iter: |list| list.0,
    from_iter: |trees| UpTo(trees.collect()),
}

/// A map in no order. The hasher is a parameter.
#[derive(Clone, Debug)]
struct Table<K, V, S>(HashMap<K, V, S>);

fn sorted<K: Ord, V>(entries: impl IntoIterator<Item = (K, V)>) -> IntoIter<(K, V)> {
    let mut entries = Vec::from_iter(entries);
    entries.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    entries.into_iter()
}

// The parameters have the names that a macro could take for its own.
treedef::container! {
    impl [K: MapKey + Hash, S: BuildHasher + Default] dict Table<K, V, S>,
    iter: |map| sorted(&map.0),
    iter_mut: |map| sorted(&mut map.0),
    into_iter: |map| sorted(map.0),
    from_iter: |entries| Table(entries.collect()),
}

type Hashed<V> = Table<String, V, BuildHasherDefault<DefaultHasher>>;

fn hashed<V>(entries: impl IntoIterator<Item = (&'static str, V)>) -> Hashed<V> {
    Table(entries.into_iter().map(|(key, tree)| (key.to_string(), tree)).collect())
}

/// A sorted list of at most eight entries, whose keys are no parameter.
#[derive(Clone, Debug, PartialEq)]
struct Sparse<T>(Vec<(u32, T)>);

treedef::container! {
    dict Sparse<T>, key: u32, room: 8,
    iter: |map| map.0.iter().map(|(key, tree)| (key, tree)),
    iter_mut: |map| map.0.iter_mut().map(|(key, tree)| (&*key, tree)),
    into_iter: |map| map.0,
    from_iter: |entries| Sparse(entries.collect()),
}

/// An enum without anything to choose.
#[derive(Clone, Debug, PartialEq, Tree)]
enum Only {
    One,
}

fn number(index: usize) -> f32 {
    index as f32
}

/// The error of a container that cannot have this structure.
fn refused<T: Tree<f32> + std::fmt::Debug>(def: TreeDef<'_>) -> Error {
    unflatten::<f32, T>(def, &[0.5; 16][..def.num_leaves()]).unwrap_err()
}

#[test]
fn a_ring_keeps_the_laws() {
    for len in 0..5 {
        let mut queue = Queue((0..len).map(|i| (number(i), Some(number(i)))).collect());
        laws::check(&queue, number).unwrap();
        // Its front is in the middle of its memory.
        queue.0.extend(queue.0.clone());
        queue.0.rotate_left(len / 2);
        queue.0.extend([(9.0, None)]);
        laws::check(&queue, number).unwrap();
        laws::check(&[queue.clone(), queue], number).unwrap();
    }
}

#[test]
fn a_list_with_bounded_room_keeps_the_laws() {
    for len in 0..=4 {
        let list: UpTo<_, 4> = UpTo((0..len).map(|i| [number(i); 2]).collect());
        laws::check(&list, number).unwrap();
        laws::check(&UpTo::<_, 4>(list.0.into_iter().map(|[a, _]| Some(a)).collect()), number)
            .unwrap();
    }
}

#[test]
fn a_map_with_a_hasher_keeps_the_laws() {
    let keys = ["b", "", "a", "aa", "c"];
    for len in 0..=keys.len() {
        let entries = || keys[..len].iter().copied().zip(0..);
        laws::check(&hashed(entries().map(|(key, i)| (key, number(i)))), number).unwrap();
        let map = hashed(entries().map(|(key, i)| (key, (number(i), vec![number(i); i]))));
        laws::check(&map, number).unwrap();
        laws::check(&Queue([map.clone(), map].into()), number).unwrap();
    }
}

#[test]
fn a_map_without_a_parameter_for_its_keys_keeps_the_laws() {
    for len in 0..=8 {
        laws::check(&Sparse((0..len).map(|i| (i * i, [0.5f32; 2])).collect()), number).unwrap();
    }
}

#[test]
fn schemas_have_the_room_and_the_keys() {
    assert!(matches!(Queue::<f32>::SCHEMA, Schema::List(None, Schema::Leaf("float32", ..))));
    assert!(matches!(UpTo::<f32, 3>::SCHEMA, Schema::List(Some(3), _)));
    assert!(matches!(Sparse::<f32>::SCHEMA, Schema::Map(Some(8), "u32", _)));
    assert!(matches!(Hashed::<f32>::SCHEMA, Schema::Map(None, <String as ToValue>::TYPE, _)));
    const MOST: usize = max_leaves::<UpTo<[f32; 2], 3>>();
    assert_eq!(MOST, 6);
    assert_eq!(schema_of::<Queue<f32>>(), schema_of::<Vec<f32>>());
    let fits_up_to_three = |def| fits::<UpTo<f32, 3>>(def).is_ok();
    assert!(fits_up_to_three(treedef!([*, *, *])) && !fits_up_to_three(treedef!([*, *, *, *])));
}

#[test]
fn structures_and_leaves_are_those_of_the_containers_of_the_crate() {
    let map = hashed([("b", 1.0), ("a", 2.0f32)]);
    assert_eq!(structure(&map).unwrap().as_treedef(), treedef!({"a": *, "b": *}));
    let queue = Queue([(1.0f32, 2.0f32), (3.0, 4.0)].into());
    assert_eq!(structure(&queue), structure(&vec![(1.0f32, 2.0f32); 2]));
    let mut paths = Vec::new();
    let mut trees = (queue, map);
    over(&mut trees)
        .paths()
        .for_each(|path, leaf: &mut f32| {
            *leaf += 1.0;
            paths.push(path.to_string());
        })
        .unwrap();
    assert_eq!(paths, ["[0][0][0]", "[0][0][1]", "[0][1][0]", "[0][1][1]", "[1]['a']", "[1]['b']"]);
    assert_eq!((trees.0.0[1], trees.1.0["a"]), ((4.0, 5.0), 3.0));
    let names = over(&trees.1).paths().map(|path, _: &f32| path.to_string()).unwrap();
    assert_eq!(names.0["b"], "['b']");
}

#[test]
fn too_many_elements_are_an_error() {
    let capacity = |node, room| Error::Capacity { node, room };
    assert_eq!(refused::<UpTo<f32, 2>>(treedef!([*, *, *])), capacity(0, 2));
    // Also in a copy.
    let def = treedef!([[*], [*], [*, *, *], [*, *, *]]);
    assert_eq!(refused::<Queue<UpTo<f32, 2>>>(def), capacity(5, 2));
    assert_eq!(refused::<Vec<UpTo<f32, 2>>>(def), capacity(5, 2));
    let nine = (0..9).map(|key| (key, 0.5f32)).collect();
    let def = structure(&Sparse(nine)).unwrap();
    assert_eq!(refused::<Sparse<f32>>(def.as_treedef()), capacity(0, 8));
}

#[test]
fn what_is_no_such_container_is_an_error() {
    let mismatch = |node| Error::Mismatch { node };
    assert_eq!(refused::<Queue<f32>>(treedef!((*, *))), mismatch(0));
    assert_eq!(refused::<Queue<[f32; 1]>>(treedef!([[*], *])), mismatch(3));
    assert_eq!(refused::<Sparse<f32>>(treedef!({"a": *})), mismatch(0));
    assert_eq!(refused::<Sparse<f32>>(treedef!([*])), mismatch(0));
}

#[test]
fn trees_that_differ_are_an_error() {
    let differs = |node, tree| Err(Error::TreesDiffer { node, tree });
    let [short, long] = [2, 3].map(|len| Queue(vec![0.5f32; len].into()));
    assert_eq!(over((&short, &long)).for_each(|(_, _)| ()), differs(0, 1));
    assert_eq!(over((&short, &short)).with(&long).for_each(|_| ()), differs(0, 2));
    let under = over(&short).under(&long).for_each(|_| ());
    assert_eq!(under, Err(Error::NotPrefix { node: 0, tree: 1 }));
    let [a, b] = [["a", "b"], ["a", "c"]].map(|keys| hashed(keys.map(|key| (key, 0.5f32))));
    assert_eq!(over((&a, &b)).for_each(|(_, _)| ()), differs(0, 1));
    assert_eq!(over((&Some(&a), &Some(&b))).for_each(|(_, _)| ()), differs(0, 1));
}

#[test]
fn a_map_changes_the_leaves() {
    let signs = map(&Queue([[1.0f32, -1.0]].into()), |x| *x < 0.0).unwrap();
    assert_eq!(signs, Queue([[false, true]].into()));
    let first_error = over(&Queue([1.0f32, 2.0].into()))
        .try_map(|x| if *x < 2.0 { Ok(()) } else { Err(Error::Unsupported) });
    assert_eq!(first_error, Err(Error::Unsupported));
}

#[test]
fn keys_that_become_one_are_an_error() {
    type Cases = Table<AnyCase, f32, BuildHasherDefault<DefaultHasher>>;
    let def = treedef!({"A": *, "B": *, "b": *});
    let doubled = unflatten::<f32, Cases>(def, &[1.0, 2.0, 3.0]).unwrap_err();
    assert_eq!(doubled, Error::DuplicateKey { first: 1, second: 2 });
}

/// What the macro writes names nothing of the place where it is called.
mod without_a_prelude {
    #![no_implicit_prelude]

    use ::std::clone::Clone;
    use ::std::fmt::Debug;

    // What it calls has other names here.
    #[expect(dead_code)]
    struct Error;
    #[expect(dead_code)]
    struct Option;
    #[expect(dead_code)]
    struct Schema;

    #[derive(Clone, Debug)]
    pub(super) struct Pairing<Depth>(pub(super) ::std::vec::Vec<Depth>);

    ::treedef::container! {
        list Pairing<Depth>,
        iter: |all| all.0.iter(),
        iter_mut: |all| all.0.iter_mut(),
        into_iter: |all| all.0,
        from_iter: |trees| Pairing(::std::iter::FromIterator::from_iter(trees)),
    }
}

#[test]
fn the_macro_needs_no_prelude() {
    laws::check(&without_a_prelude::Pairing(vec![(1.0, 2.0), (3.0, 4.0)]), number).unwrap();
}

/// A list by hand whose schema does not say its room.
#[derive(Debug, PartialEq)]
struct Few(heapless::Vec<f32, 2>);

impl HasSchema for Few {
    const SCHEMA: &'static Schema = &Schema::List(None, f32::SCHEMA);
}

impl TreeBuild<f32> for Few {
    fn take_leaves(self, visit: &mut impl FnMut(f32)) {
        self.0.into_iter().for_each(visit);
    }

    fn build<'d, S: Source<'d, f32>>(from: &mut S) -> Result<Self, S::Error> {
        let count = from.begin(Self::SCHEMA)?;
        from.elements(count, 2).map(Self)
    }
}

#[test]
fn choices_from_outside_give_no_container_too_many_elements() {
    type Three = UpTo<f32, 3>;
    type Eight = Sparse<f32>;
    let more = Error::WrongChoices { at: 1 };
    assert_eq!(choices::unflatten::<f32, Three>(&[4], &[0.0; 4]), Err(more));
    assert_eq!(choices::unflatten::<f32, heapless::Vec<f32, 3>>(&[4], &[0.0; 4]), Err(more));
    let keys = [9, 3, 0, 3, 1, 3, 2, 3, 3, 3, 4, 3, 5, 3, 6, 3, 7, 3, 8];
    assert!(choices::unflatten::<f32, Eight>(&keys, &[0.0; 9]).is_err());
    let mut record = [0; 64];
    record::save_into(&UpTo::<f32, 3>(heapless::Vec::new()), &mut record).unwrap();
    // The head, one byte of choices, the leaves, and the choice.
    for count in 0..=8 {
        let len = 10 + 4 * usize::from(count);
        record[len] = count;
        let loaded = record::load::<Three>(&record[..=len]);
        assert_eq!(loaded.is_ok(), count <= 3, "{loaded:?} of {count} elements");
        record[len] = 0;
    }
    // Elements without bytes: 2^60 of them are nine bytes.
    let huge = [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10];
    assert_eq!(choices::unflatten::<f32, Queue<()>>(&huge, &[]), Err(Error::TooLarge));
    assert_eq!(choices::unflatten::<f32, Vec<Only>>(&huge, &[]), Err(Error::TooLarge));
    assert_eq!(choices::unflatten::<f32, Vec<Only>>(&[0x81, 0x80, 4], &[]), Err(Error::TooLarge));
    let many = vec![Only::One; 1 << 16];
    assert_eq!(choices::unflatten::<f32, Vec<Only>>(&[0x80, 0x80, 4], &[]), Ok(many));
    // Others are as many as their bytes are.
    let many = [0xA0, 0x8D, 6];
    let beside = choices::unflatten::<f32, (Vec<()>, Vec<f32>)>(&many.repeat(2), &[0.0; 100_000]);
    assert_eq!(beside, Err(Error::TooLarge));
    let few = Error::TooFewLeaves { expected: 100_000, found: 3 };
    assert_eq!(choices::unflatten::<f32, Vec<f32>>(&many, &[0.0; 3]), Err(few));
    assert_eq!(
        choices::unflatten::<f32, Vec<Option<f32>>>(&many, &[0.0; 3]),
        Err(Error::WrongChoices { at: 3 })
    );
    let all = (0..100_000u32).map(|key| (key, ())).collect::<BTreeMap<_, _>>();
    let mut bytes = vec![0; 600_000];
    let len = choices::choices_into(&all, &mut bytes).unwrap();
    assert_eq!(choices::unflatten::<f32, BTreeMap<u32, ()>>(&bytes[..len], &[]), Ok(all));
    let full = Error::Capacity { node: 0, room: 2 };
    assert_eq!(choices::unflatten::<f32, Few>(&[3], &[0.0; 3]), Err(full));
}
