//! Calls whose argument has a known type: `Known`, and `KnownKey` for maps on the heap.
#![cfg(all(feature = "derive", feature = "hashbrown", feature = "std"))]

use std::collections::BTreeMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::RwLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use hashbrown::HashMap;
use proptest::prelude::*;
use treedef::cache::{
    Dtype, FingerprintState, KeyBox, KeyLeaves, KeyPart, KeyWriter, Known, KnownKey, KnownRef,
    ShapeDtype,
};
use treedef::tree::TreeWalk;
use treedef::{Cache, CallKey, Error, Meta, Tree, Value, treedef};

/// A leaf whose parts depend on its value: any number of them, of all kinds.
#[derive(Clone, Debug)]
struct Loose(Vec<u8>);

treedef::leaf!(Loose);

impl KeyPart for Loose {
    fn write_key(&self, key: &mut KeyWriter<'_>) {
        for part in &self.0 {
            match part {
                0 => key.bytes(&[1]),
                1 => key.bytes(&[0xE0, 1, 1]),
                2 => key.treedef(treedef!(*)),
                3 => key.treedef(treedef!((*, None))),
                4 => key.meta(&true),
                5 => key.array(Dtype::Float32, false, &[3, 200]),
                6 => key.array(Dtype::Int8, true, &[1, 1, 1, 1, 1]),
                7 => key.array(Dtype::Float32, false, &[1 << 14, 1 << 20]),
                8 => key.structure(&[Some(1.0f32), None, None, Some(2.0)].as_slice()),
                _ => key.leaves([ShapeDtype::new(Dtype::Uint8, &[2; 9])]),
            };
        }
    }
}

#[derive(Meta, Clone, Copy, Debug, PartialEq)]
enum Unit {
    Volt,
    Ampere,
}

#[derive(Tree, Clone, Debug)]
enum Node {
    Off,
    Array(Loose),
    Number(f32),
    Both(Vec<Node>),
}

#[derive(Tree, Clone, Debug)]
struct Model {
    #[tree(meta)]
    unit: Unit,
    gain: Option<Option<f32>>,
    node: Node,
    rest: Vec<Option<Loose>>,
    by_name: BTreeMap<String, Vec<i8>>,
}

#[derive(Tree, Clone, Debug)]
enum Numbers {
    Off,
    One(f64),
    Both(Vec<Numbers>),
    Named(BTreeMap<u8, Option<u8>>),
}

fn loose() -> impl Strategy<Value = Loose> {
    prop::collection::vec(0..10u8, 0..4).prop_map(Loose)
}

fn nodes() -> impl Strategy<Value = Node> {
    let leaf = prop_oneof![
        Just(Node::Off),
        loose().prop_map(Node::Array),
        any::<f32>().prop_map(Node::Number)
    ];
    leaf.prop_recursive(3, 24, 4, |inner| prop::collection::vec(inner, 0..4).prop_map(Node::Both))
}

fn models() -> impl Strategy<Value = Model> {
    let unit = prop_oneof![Just(Unit::Volt), Just(Unit::Ampere)];
    let rest = prop::collection::vec(prop::option::of(loose()), 0..20);
    let by_name =
        prop::collection::btree_map("[ab]", prop::collection::vec(any::<i8>(), 0..2), 0..2);
    (unit, any::<Option<Option<f32>>>(), nodes(), rest, by_name)
        .prop_map(|(unit, gain, node, rest, by_name)| Model { unit, gain, node, rest, by_name })
}

fn numbers() -> impl Strategy<Value = Numbers> {
    let map = prop::collection::btree_map(0..3u8, any::<Option<u8>>(), 0..2);
    let leaf = prop_oneof![
        Just(Numbers::Off),
        any::<f64>().prop_map(Numbers::One),
        map.prop_map(Numbers::Named)
    ];
    leaf.prop_recursive(2, 8, 3, |inner| prop::collection::vec(inner, 0..3).prop_map(Numbers::Both))
}

fn call<T>(tree: &T, argument: bool) -> (&T, Value<'_>) {
    (tree, Value::Bool(argument))
}

/// The call key of a call.
fn call_key<T: TreeWalk<KeyLeaves>>(tree: &T, argument: bool) -> KeyBox {
    KeyBox::build(|key| _ = key.tree(tree).meta(&argument)).expect("a call key")
}

/// Gives all keys one hash.
#[derive(Default)]
struct Same;

impl Hasher for Same {
    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, _: u64) {}

    fn finish(&self) -> u64 {
        7
    }
}

/// Checks that calls have equal keys exactly if they have equal call keys, in maps and in tables of one and of several entries.
fn agree<T: TreeWalk<KeyLeaves>>(calls: [(&T, bool); 2], room: usize) -> Result<(), TestCaseError> {
    let [one, other] = calls.map(|(tree, value)| call_key(tree, value));
    let [first, second] = calls.map(|(tree, value)| KnownRef::new(call(tree, value)));
    let key = first.to_key().expect("a key");
    let plain = calls.map(|(tree, _)| KnownRef::new(tree).to_key().expect("a key"));
    let trees = calls.map(|(tree, _)| KeyBox::build(|key| _ = key.tree(tree)));
    prop_assert_eq!(plain[0] == plain[1], trees[0] == trees[1]);
    prop_assert!(plain[0] != key);
    prop_assert_eq!(key == second.to_key().expect("a key"), one == other);

    let map: HashMap<_, _, FingerprintState> = [(key.clone(), 1)].into_iter().collect();
    prop_assert_eq!(map.get(&first), Some(&1));
    prop_assert_eq!(map.contains_key(&second), one == other);
    let collided: HashMap<_, _, BuildHasherDefault<Same>> = [(key, 1)].into_iter().collect();
    prop_assert_eq!(collided.get(&first), Some(&1));
    prop_assert_eq!(collided.contains_key(&second), one == other);

    let mut single = Known::<T, KeyBox, 1, 4096>::new();
    let mut known = Known::<T, KeyBox, 8, 4096>::new();
    let mut bytes = vec![0; room];
    for (tree, value) in calls {
        for _ in 0..2 {
            let build = |key: CallKey<'_>| Ok::<_, Error>((&key).into());
            let found =
                single.get_or_insert_with_bytes(call(tree, value), &mut bytes, build).cloned();
            let own = Ok(call_key(tree, value));
            prop_assert_eq!(found, own.clone());
            prop_assert_eq!(known.get_or_insert_with(call(tree, value), build).cloned(), own);
        }
    }
    let misses = if one == other { 1 } else { 2 };
    prop_assert_eq!((single.stats().hits, single.stats().misses), (4 - misses, misses));
    prop_assert_eq!((known.stats().hits, known.stats().misses), (4 - misses, misses));
    prop_assert_eq!((single.too_long(), known.too_long()), (0, 0));
    Ok(())
}

proptest! {
    #[test]
    fn keys_are_equal_exactly_if_call_keys_are(
        one in models(), other in models(), arguments in any::<[bool; 2]>(),
    ) {
        let [first, second] = arguments;
        agree([(&one, first), (&other, second)], 1 << 14)?;
        agree([(&one, first), (&one.clone(), second)], 1 << 14)?;
        let other = Model { rest: other.rest, ..one.clone() };
        agree([(&one, first), (&other, first)], 1 << 14)?;
    }

    #[test]
    fn keys_of_numbers_are_equal_exactly_if_call_keys_are(one in numbers(), other in numbers()) {
        agree([(&one, false), (&other, false)], 1 << 14)?;
    }

    #[test]
    fn keys_of_one_leaf_are_equal_exactly_if_call_keys_are(
        one in prop::collection::vec(loose(), 0..4), other in prop::collection::vec(loose(), 0..4),
    ) {
        agree([(&one, false), (&other, false)], 1 << 10)?;
    }

    /// The lengths are those around which a key ends a block on the stack.
    #[test]
    fn long_keys_are_compared_to_the_end(len in 120..400usize, at in 0..400usize) {
        let one: Vec<_> = (0..len).map(|i| (i % 3 == 0).then_some(1.0f32)).collect();
        let mut other = one.clone();
        if let Some(option) = other.get_mut(at) {
            *option = if option.is_some() { None } else { Some(1.0) };
        }
        agree([(&one, false), (&other, false)], 1 << 14)?;
        agree([(&one, false), (&one[1..].to_vec(), true)], 1 << 14)?;
    }
}

#[test]
fn parts_that_move_from_a_leaf_to_the_next_are_the_same_key() {
    // The call key has the parts of all leaves in a row, so these need the same code.
    let (one, other) = ([Loose(vec![0, 4]), Loose(vec![5])], [Loose(vec![0]), Loose(vec![4, 5])]);
    agree([(&(None, one), false), (&(None::<f32>, other), false)], 64).unwrap();
}

#[test]
fn references_to_arguments_are_a_call_as_their_tuple_is() {
    let (options, arrays) = (vec![None, Some(1.0f32)], [Loose(vec![5]), Loose(vec![0])]);
    let mut known = Known::<(Vec<Option<f32>>, [Loose; 2]), KeyBox, 4>::new();
    let build = |key: CallKey<'_>| Ok::<_, Error>(KeyBox::from(&key));
    let argument = Value::Str("loss");
    let own = known.get_or_insert_with(((&options, &arrays), argument), build).cloned();
    let tree = (options.clone(), arrays.clone());
    assert_eq!(own, KeyBox::build(|key| _ = key.tree(&tree).meta("loss")));
    assert_eq!(known.get((&tree, argument)).cloned(), own.ok());
    assert_eq!(known.get((&options, &arrays)), None);
}

#[test]
fn each_static_argument_is_in_the_key() {
    let tree = (None, 1.0);
    let mut known = Known::<(Option<f32>, f32), KeyBox, 16>::new();
    let build = |key: CallKey<'_>| Ok::<_, Error>(KeyBox::from(&key));
    let calls = [(1, 9), (2, 9), (9, 1), (1, 1)].map(|(one, other)| {
        let arguments = [one, other].map(Value::Int);
        let [one, other] = arguments;
        let key = KeyBox::build(|key| _ = key.tree(&tree).value(one).value(other)).unwrap();
        ([one, other], key)
    });
    for ([one, other], key) in &calls {
        let call = ((&tree, *one), *other);
        assert_eq!(known.get_or_insert_with(call, build).as_deref(), Ok(key));
        let parts = ((&tree.0, &tree.1), *one);
        let by_parts = KnownRef::new((parts, *other)).to_key().unwrap();
        assert!(by_parts == KnownRef::new(call).to_key().unwrap());
        let others = calls.iter().filter(|(_, own)| own != key);
        for ([one, other], _) in others {
            assert!(by_parts != KnownRef::new(((&tree, *one), *other)).to_key().unwrap());
        }
    }
    assert_eq!((known.stats().misses, known.stats().hits), (4, 0));
    let one = known.get_or_insert_with((&tree, Value::Int(9)), build).cloned();
    assert_eq!(one, KeyBox::build(|key| _ = key.tree(&tree).value(Value::Int(9))));
}

#[test]
fn a_call_without_room_is_built_each_time_and_replaces_nothing() {
    let mut known = Known::<Vec<Option<f32>>, usize, 4, 4>::new();
    let (short, long) = (vec![None; 3], vec![None; 4]);
    let mut look_up = |tree: &Vec<_>| {
        *known.get_or_insert_with(tree, |key| Ok::<_, Error>(key.as_bytes().len())).unwrap()
    };
    for _ in 0..3 {
        assert_eq!((look_up(&short), look_up(&long)), (4, 5));
    }
    assert_eq!((known.stats().hits, known.stats().misses, known.too_long()), (2, 4, 3));
    assert_eq!(known.stats().evictions, 0);
    assert_eq!(known.get(&long), None);
    assert_eq!(known.get(&short), Some(&mut 4));
}

#[test]
fn a_full_place_is_replaced() {
    let mut known = Known::<Vec<f32>, usize, 1>::new();
    for len in [1, 2, 2, 1] {
        let found = known.get_or_insert_with(&vec![0.0; len], |_| Ok::<_, Error>(len));
        assert_eq!(found, Ok(&mut len.clone()));
    }
    let stats = known.stats();
    assert_eq!((stats.hits, stats.misses, stats.evictions), (1, 3, 2));
}

#[test]
fn an_error_leaves_the_table_as_it_was() {
    let mut known = Known::<Vec<f32>, usize, 1>::new();
    known.get_or_insert_with(&vec![0.0], |_| Ok::<_, Error>(1)).unwrap();
    let full = known.get_or_insert_with_bytes(&vec![0.0; 2], &mut [0; 3], |_| Ok(2));
    assert_eq!(full, Err(Error::CallKeyFull { needed: 8, room: 3 }));
    assert_eq!(known.get_or_insert_with(&vec![], |_| Err(Error::TooLarge)), Err(Error::TooLarge));
    assert_eq!(known.get(&vec![5.0]), Some(&mut 1));
}

#[test]
fn a_value_that_is_too_deep_has_no_key() {
    let deep = (0..100).fold(Numbers::Off, |inner, _| Numbers::Both(vec![inner]));
    let error = Error::TooDeep { limit: 64 };
    let mut known = Known::<Numbers, usize, 4>::new();
    assert_eq!(known.get(&deep), None);
    assert_eq!(known.get_or_insert_with(&deep, |_| Ok(1)), Err(error));
    assert_eq!(KnownRef::new(&deep).to_key().map(drop), Err(error));

    let deep = (0..100).fold(Node::Off, |inner, _| Node::Both(vec![inner]));
    let (found, map) = (KnownRef::new(&deep), HashMap::<KnownKey<Node>, u32>::new());
    assert_eq!((found.to_key().map(drop), map.get(&found)), (Err(error), None));
}

#[test]
fn a_leaf_that_replaces_the_writer_has_no_key() {
    struct Other;

    treedef::leaf!(Other);

    impl KeyPart for Other {
        fn write_key(&self, key: &mut KeyWriter<'_>) {
            *key = KeyWriter::new(Box::leak(Box::new([0; 8])));
            key.meta(&true);
        }
    }

    let map = [(KnownRef::new(&[Loose(vec![])]).to_key().unwrap(), 1)];
    assert_eq!(HashMap::<_, _>::from(map).get(&KnownRef::new(&[Loose(vec![])])), Some(&1));
    assert!(KnownRef::new(&[Other]).to_key().is_err());
}

#[test]
fn a_hash_map_has_the_key_of_its_sorted_entries() {
    let entries = (0..40u8).map(|i| (i, i.is_multiple_of(3).then_some(1.0f32)));
    let one: HashMap<u8, Option<f32>> = entries.clone().collect();
    let other: HashMap<u8, Option<f32>> = entries.rev().collect();
    let codes: HashMap<_, _> = [(KnownRef::new(&one).to_key().unwrap(), 1)].into();
    assert_eq!(codes.get(&KnownRef::new(&other)), Some(&1));
}

/// A tree that eight threads ask for.
fn asked(i: usize) -> (Vec<Option<f32>>, Loose) {
    let options = (0..i % 5 * 60).map(|j| (j % (i % 3 + 1) == 0).then_some(1.0)).collect();
    (options, Loose(vec![5; i % 2]))
}

#[test]
fn eight_threads_share_what_was_built() {
    type Of = (Vec<Option<f32>>, Loose);
    let codes = RwLock::new(Cache::<KeyBox, KeyBox, 64>::new());
    let by_type = RwLock::new(HashMap::<KnownKey<Of>, KeyBox>::new());
    let built = AtomicUsize::new(0);
    let code = |key: CallKey<'_>| -> Result<KeyBox, Error> {
        if let Some(code) = codes.read().unwrap().get(key) {
            return Ok(code.clone());
        }
        let mut codes = codes.write().unwrap();
        let build = || {
            built.fetch_add(1, Ordering::Relaxed);
            Ok::<_, Error>(KeyBox::from(&key))
        };
        codes.get_or_insert_with(key, build).cloned()
    };
    thread::scope(|scope| {
        for thread in 0..8 {
            let (code, by_type) = (&code, &by_type);
            scope.spawn(move || {
                let mut known = Known::<Of, KeyBox, 4, 256>::new();
                for i in 0..400 {
                    let tree = asked(i * 7 + thread);
                    let expected = KeyBox::build(|key| _ = key.tree(&tree)).unwrap();
                    assert_eq!(known.get_or_insert_with(&tree, code).unwrap(), &expected);

                    let key = KnownRef::new(&tree);
                    let found = by_type.read().unwrap().get(&key).cloned();
                    let found = found.unwrap_or_else(|| {
                        let found = code(expected.as_key()).unwrap();
                        by_type.write().unwrap().insert(key.to_key().unwrap(), found.clone());
                        found
                    });
                    assert_eq!(found, expected);
                }
                assert!(known.stats().hits > 0 && known.too_long() > 0);
            });
        }
    });
    let kinds = (0..30).map(asked).map(|tree| KnownRef::new(&tree).to_key().unwrap());
    let kinds = kinds.collect::<std::collections::HashSet<_>>().len();
    assert_eq!((built.into_inner(), by_type.into_inner().unwrap().len()), (kinds, kinds));
}
